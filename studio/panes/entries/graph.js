// A graph laid out by dagre and drawn as SVG: nodes can be reached by keys, an outage runs through it. It is first as large as can be read;
// what does not fit is panned, zoomed or shown whole, and that there is more is said.

const READABLE = 0.8, LEAST = 0.25, MOST = 2;
const NODE = { least: 104, most: 204, pad: 12, name: "600 13px", detail: "11.5px", line: 15, lines: 2 }; // pixels, and fonts

class GraphView {
  constructor({ layout, choose, direction, label }) {
    this._layout = layout;
    this._choose = choose;
    this._direction = direction;
    this._svg = svg("svg", { role: "listbox", "aria-label": label, class: "graph-svg" });
    this._svg.addEventListener("keydown", (event) => this._key(event));
    this._scroll = h("div", { class: "graph-scroll", tabindex: "-1" }, this._svg);
    this._zoom = 0; // 0: as large as fits and can be read
    const act = (title, name, work) => button("", work, { name, title, kind: "plain" });
    this._more = h("span", { class: "graph-more" });
    this._bar = h("div", { class: "graph-bar" }, this._more, act("Zoom out (−)", "zoom_out", () => this._scaled(this._scale / 1.25)), act("Zoom in (+)", "zoom_in", () => this._scaled(this._scale * 1.25)), act("Show it whole (0)", "fit_screen", () => this._scaled(this._whole())));
    this.node = h("div", { class: "graph" }, this._scroll, this._bar);
    this._scroll.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      this._scaled(this._scale * (event.deltaY > 0 ? 1 / 1.12 : 1.12), event);
    }, { passive: false });
    this._watch = new ResizeObserver(() => this._place());
    this._watch.observe(this._scroll);
    this._pan();
  }

  stop() { this._watch.disconnect(); }

  show({ nodes, edges, chosen, hit = {} }) {
    const key = JSON.stringify([nodes, edges]);
    if (key !== this._made) {
      this._made = key;
      this._draw(nodes, edges);
    }
    for (const [id, one] of this._nodes) {
      one.node.setAttribute("class", `node ${one.kind} ${hit[id] ? `hit ${hit[id]}` : ""}`);
      one.node.setAttribute("aria-selected", String(one.item !== "" && one.item === chosen));
      one.node.querySelector(".state").textContent = { down: "down", slow: "in trouble", touched: "feels it" }[hit[id]] ?? "";
    }
    const one = [...this._nodes.values()].find((each) => each.item && each.item === chosen);
    if (one && chosen !== this._seen) this._centre(one);
    this._seen = chosen;
    for (const { edge, path } of this._edges) path.setAttribute("class", `edge ${hit[edge.source] && hit[edge.target] ? "running" : ""}`);
  }

  _draw(nodes, edges) {
    const { Graph, layout } = this._layout;
    const graph = new Graph({ multigraph: true });
    graph.setGraph({ rankdir: this._direction, nodesep: 14, ranksep: this._direction === "TB" ? 46 : 64, marginx: 16, marginy: 16 });
    graph.setDefaultEdgeLabel(() => ({}));
    const known = new Set(nodes.map((one) => one.id));
    const told = new Map(nodes.map((one) => [one.id, this._told(one)]));
    for (const one of [...nodes].sort((a, b) => a.id.localeCompare(b.id))) graph.setNode(one.id, { width: told.get(one.id).width, height: told.get(one.id).height });
    for (const [at, one] of [...edges].entries()) if (known.has(one.source) && known.has(one.target)) graph.setEdge(one.source, one.target, {}, String(at));
    layout(graph);
    const size = graph.graph();
    this._size = { width: size.width || 300, height: size.height || 200 };
    this._nodes = new Map();
    this._edges = [];
    const laidOut = nodes.map((one) => graph.node(one.id)), isDown = this._direction === "TB";
    const lines = edges.map((edge, at) => {
      const laid = known.has(edge.source) && known.has(edge.target) ? graph.edge(edge.source, edge.target, String(at)) : null;
      if (!laid) return null;
      const line = stretches(laid.points, graph.node(edge.source), graph.node(edge.target), laidOut, isDown);
      const path = svg("path", { d: curve(line, isDown), class: "edge", "marker-end": "url(#arrow)" });
      this._edges.push({ edge, path });
      const [[, before], [after]] = line.slice(Math.ceil(line.length / 2) - 1); // a label stands where the edge bends
      return svg("g", {}, path, ...(edge.label ? [svg("text", { x: (before.x + after.x) / 2, y: (before.y + after.y) / 2 - 5, class: "edge-label" }, edge.label)] : []));
    });
    const boxes = nodes.map((one) => {
      const laid = graph.node(one.id);
      const left = laid.x - laid.width / 2, top = laid.y - laid.height / 2;
      const { name, details, hint } = told.get(one.id);
      const node = svg("g", { class: `node ${one.kind}`, role: "option", tabindex: this._nodes.size ? "-1" : "0", transform: `translate(${left} ${top})` },
        svg("title", {}, hint), svg("rect", { width: laid.width, height: laid.height, rx: 7 }), svg("text", { x: NODE.pad, y: details.length ? 21 : 23, class: "name" }, name), ...details.map((line, at) => svg("text", { x: NODE.pad, y: 38 + at * NODE.line, class: "detail" }, line)), svg("text", { x: laid.width - 6, y: -5, class: "state" }));
      if (one.item) node.addEventListener("click", () => this._choose(one.item));
      this._nodes.set(one.id, { ...one, node, x: laid.x, y: laid.y });
      return node;
    });
    const arrow = svg("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 8, refY: 4, markerWidth: 9, markerHeight: 9, markerUnits: "userSpaceOnUse", orient: "auto-start-reverse" }, svg("path", { d: "M0 0L8 4L0 8z", class: "arrow" }));
    this._isFresh = true;
    this._zoom = 0;
    this._svg.replaceChildren(svg("defs", {}, arrow), ...lines.filter(Boolean), ...boxes);
    this._place();
  }

  // What a node says, in as many lines as it needs, and how large it is for that.
  _told(one) {
    const room = NODE.most - 2 * NODE.pad;
    const [name] = this._wrapped(one.label, NODE.name, 1, room + 40);
    const details = one.detail ? this._wrapped(one.detail, NODE.detail, NODE.lines, room) : [];
    const widest = Math.max(this._widthOf(name, NODE.name), ...details.map((line) => this._widthOf(line, NODE.detail)));
    const hint = [one.label, one.detail, one.id !== one.label && one.kind === "vendor" && one.id].filter(Boolean).join("\n");
    return { name, details, hint, width: Math.max(NODE.least, widest + 2 * NODE.pad), height: details.length ? 35 + details.length * NODE.line : 36 };
  }

  // A text in lines of so many pixels; what is left over is cut with a sign of it.
  _wrapped(text, font, most, room) {
    const lines = [];
    for (const word of text.split(/\s+/)) {
      const longer = lines.length ? `${lines.at(-1)} ${word}` : word;
      if (lines.length && this._widthOf(longer, font) <= room) lines[lines.length - 1] = longer;
      else lines.push(word);
    }
    const shown = lines.slice(0, most);
    let last = lines.length > most ? `${shown.at(-1)} …` : shown.at(-1);
    while (this._widthOf(last, font) > room && last.length > 2) last = `${last.replace(/ ?…$/, "").slice(0, -1)}…`;
    return [...shown.slice(0, -1), last];
  }

  _widthOf(text, font) { return textWidth(this.node, text, font); }

  _centre(one) {
    requestAnimationFrame(() => {
      const scale = this._scale ?? 1;
      this._scroll.scrollLeft = one.x * scale - this._scroll.clientWidth / 2;
      this._scroll.scrollTop = one.y * scale - this._scroll.clientHeight / 2;
    });
  }

  _whole() { return Math.min(1.15, this._scroll.clientWidth / this._size.width, this._scroll.clientHeight / this._size.height); }

  // Makes it larger or smaller, with what is in the middle, or under the pointer, staying there.
  _scaled(scale, at = null) {
    const box = this._scroll.getBoundingClientRect(), before = this._scale;
    const x = at ? at.clientX - box.left : box.width / 2, y = at ? at.clientY - box.top : box.height / 2;
    const left = (this._scroll.scrollLeft + x) / before, top = (this._scroll.scrollTop + y) / before;
    this._zoom = Math.min(MOST, Math.max(Math.min(LEAST, this._whole()), scale));
    this._place();
    this._scroll.scrollLeft = left * this._scale - x;
    this._scroll.scrollTop = top * this._scale - y;
  }

  _place() {
    if (!this._size) return;
    const { width, height } = this._size;
    const scale = this._zoom || Math.max(READABLE, this._whole());
    this._scale = scale;
    this._svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this._svg.setAttribute("width", width * scale);
    this._svg.setAttribute("height", height * scale);
    const isMore = width * scale > this._scroll.clientWidth + 2 || height * scale > this._scroll.clientHeight + 2;
    this._more.textContent = isMore ? "There is more: drag, or show it whole" : "";
    if (!this._isFresh || !this._scroll.clientHeight) return;
    this._isFresh = false; // what does not fit is first seen where its root is
    const root = [...this._nodes.values()].reduce((least, one) => (one.x < least.x ? one : least));
    this._scroll.scrollTop = root.y * scale - this._scroll.clientHeight / 2;
  }

  _pan() {
    this._scroll.addEventListener("pointerdown", (event) => {
      if (event.composedPath().some((one) => one.classList?.contains?.("node"))) return;
      const { scrollLeft, scrollTop } = this._scroll;
      const drag = (moved) => { this._scroll.scrollLeft = scrollLeft - (moved.clientX - event.clientX); this._scroll.scrollTop = scrollTop - (moved.clientY - event.clientY); };
      this._scroll.setPointerCapture(event.pointerId);
      this._scroll.addEventListener("pointermove", drag);
      this._scroll.addEventListener("pointerup", () => this._scroll.removeEventListener("pointermove", drag), { once: true });
    });
  }

  _key(event) {
    const zoomed = { "+": () => this._scaled(this._scale * 1.25), "=": () => this._scaled(this._scale * 1.25), "-": () => this._scaled(this._scale / 1.25), 0: () => this._scaled(this._whole()) }[event.key];
    if (zoomed && !event.ctrlKey && !event.metaKey && !event.altKey) {
      zoomed();
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    const node = event.composedPath().find((one) => one.classList?.contains?.("node"));
    const now = [...this._nodes.values()].find((one) => one.node === node);
    if (!now) return;
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (step) {
      const ahead = [...this._nodes.values()].filter((one) => (one.x - now.x) * step[0] + (one.y - now.y) * step[1] > 8);
      const cost = (one) => Math.hypot(one.x - now.x, one.y - now.y) + 2 * Math.abs((one.x - now.x) * step[1] + (one.y - now.y) * step[0]);
      ahead.sort((a, b) => cost(a) - cost(b))[0]?.node.focus();
    } else if ((event.key === "Enter" || event.key === " ") && now.item) this._choose(now.item);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

// The straight stretches of an edge, each along one line beside the boxes of a layer: it leaves its box and comes in where the two face
// each other, and bends only in the gaps between layers.
function stretches(points, source, target, boxes, isDown) {
  const [along, across, size] = isDown ? ["y", "x", "height"] : ["x", "y", "width"];
  const ahead = Math.sign(target[along] - source[along]) || 1;
  const half = (at) => Math.max(0, ...boxes.filter((one) => Math.abs(one[along] - at) < 1).map((one) => one[size] / 2));
  const place = (at, beside) => (isDown ? { x: beside, y: at } : { x: at, y: beside });
  const stretch = (one, from, to) => [place(one[along] + ahead * from, one[across]), place(one[along] + ahead * to, one[across])];
  const passed = points.slice(1, -1).filter((one) => half(one[along]));
  const first = stretch(source, source[size] / 2, half(source[along])), last = stretch(target, -half(target[along]), -target[size] / 2);
  return [first, ...passed.map((one) => stretch(one, -half(one[along]), half(one[along]))), last];
}

function curve([[begin, end], ...rest], isDown) {
  let path = `M${begin.x} ${begin.y}L${end.x} ${end.y}`, from = end;
  for (const [to, on] of rest) {
    const bend = isDown ? `${from.x} ${(from.y + to.y) / 2} ${to.x} ${(from.y + to.y) / 2}` : `${(from.x + to.x) / 2} ${from.y} ${(from.x + to.x) / 2} ${to.y}`;
    path += `C${bend} ${to.x} ${to.y}L${on.x} ${on.y}`;
    from = on;
  }
  return path;
}
