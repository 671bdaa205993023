// A time line: lanes of bars and points, zoomed and brushed, each a thing that can be reached by keys and dragged.

const STRIP = 46, AXIS = 24, ROW = 26, LANE_PAD = 6, NEAR = 12;
const HEAD = { least: 116, share: 0.3, pad: 28, font: "600 12.5px" }; // of the lanes' names: pixels, and the most of the width
const SNAPS = [[HOUR * 30, MINUTE], [DAY * 4, 5 * MINUTE], [DAY * 14, 15 * MINUTE]];
const TICKS = [5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 2 * DAY, 7 * DAY, 14 * DAY, 28 * DAY];
const DRAG_SNAPS = [[DAY * 4, 5 * MINUTE], [DAY * 14, 15 * MINUTE]]; // with Alt a minute
const SEND_MS = 400, GRIP = 7;
const EDGES = { b: "begin", e: "end" };

// A difference to the minute: 8 days is not 7 days 12 h.
function exactSpan(micros) {
  const minutes = Math.round(micros / MINUTE), days = Math.floor(minutes / 1440), hours = Math.floor((minutes % 1440) / 60);
  return [days && plural(days, "day"), hours && `${hours} h`, minutes % 60 && `${minutes % 60} min`].filter(Boolean).join(" ") || "0 min";
}

class TimeLine {
  constructor({ choose, move }) {
    this._choose = choose;
    this._move = move;
    this._shift = 0;
    this._edge = "";
    this._said = "";
    this._sendSoon = later(SEND_MS, () => this._sendShift());
    this._strip = svg("svg", { class: "strip", "aria-hidden": "true" });
    this._lanes = h("div", { class: "lanes", role: "listbox", "aria-label": "Time line", onkeydown: (event) => this._key(event) });
    this._axis = h("div", { class: "tl-axis", "aria-hidden": "true" });
    this._status = h("span", { class: "tl-status", role: "status" });
    const zoom = (label, name, work) => button("", work, { name, title: label, kind: "plain" });
    this.bar = h("div", { class: "tl-bar" }, this._status, h("span", { class: "gap" }), zoom("Zoom out (−)", "zoom_out", () => this.zoom(1.6)), zoom("Zoom in (+)", "zoom_in", () => this.zoom(1 / 1.6)), zoom("Everything (0)", "fit_screen", () => this.fit()));
    this._box = h("div", { class: "tl-box", onwheel: (event) => this._wheel(event) }, this._axis, this._lanes);
    this.node = h("div", { class: "timeline" }, this.bar, h("div", { class: "strip-row" }, h("span", { class: "tl-corner" }, "Whole calendar"), this._strip), this._box);
    this._strip.addEventListener("pointerdown", (event) => this._brush(event));
    this._watch = new ResizeObserver(() => this._width !== this.node.clientWidth && this.paint());
    this._watch.observe(this.node);
    this._lanes.addEventListener("scroll", () => {}, { passive: true });
  }

  stop() { this._watch.disconnect(); this._sendSoon.stop(); }

  show({ items, first, last, zone, canChange, chosen }) {
    const isNew = first !== this._first || last !== this._last;
    Object.assign(this, { _items: items.filter((one) => one.at !== null), _first: first, _last: last, canChange, _chosen: chosen });
    if (zone !== this._zone) { this._zone = zone; this.clock = new Clock(zone); }
    if (isNew) this.fit(false);
    this.paint();
    this._sayAnew();
  }

  fit(paint = true) {
    const pad = (this._last - this._first) * 0.01;
    this._from = this._first - pad;
    this._to = this._last + pad;
    if (paint) this.paint();
  }

  // Brings a moment into sight.
  reveal(at) {
    const span = this._to - this._from;
    if (at < this._from || at > this._to) this._window(at - span / 2, at + span / 2);
    else this.paint();
    const node = this._lanes.querySelector("[aria-selected='true']") ?? this._shown.find((one) => one.items.some((each) => each.id === this._chosen))?.node;
    const lane = node?.closest(".lane");
    if (lane && (lane.offsetTop < this._lanes.scrollTop || lane.offsetTop + 30 > this._lanes.scrollTop + this._lanes.clientHeight)) this._lanes.scrollTop = lane.offsetTop - this._lanes.clientHeight / 3;
  }

  zoom(by, at = (this._from + this._to) / 2) {
    const span = Math.max(30 * MINUTE, (this._to - this._from) * by);
    const share = (at - this._from) / (this._to - this._from);
    this._window(at - span * share, at + span * (1 - share));
  }

  _window(from, to) {
    const whole = (this._last - this._first) * 1.02;
    const span = Math.min(to - from, whole);
    this._from = Math.min(Math.max(from, this._first - whole * 0.01), this._last + whole * 0.01 - span);
    this._to = this._from + span;
    this.paint();
  }

  _x(at) { return ((at - this._from) / (this._to - this._from)) * this._space; }

  paint() {
    if (!this._items) return;
    this._width = this.node.clientWidth; // asked once: asking for each item would lay the page out anew each time
    const names = new Set(this._items.map((one) => one.lane));
    const widest = Math.max(0, ...[...names].map((name) => textWidth(this.node, name, HEAD.font)));
    this._head = Math.round(Math.max(HEAD.least, Math.min(widest + HEAD.pad, this._width * HEAD.share)));
    this.node.style.setProperty("--head", `${this._head}px`);
    this._space = Math.max(200, this._width - this._head - 2);
    this._paintStrip();
    this._paintAxis();
    this._paintLanes();
  }

  _paintStrip() {
    const bins = 160, counts = new Array(bins).fill(0), span = this._last - this._first || 1;
    for (const one of this._items) if (one.kind !== "fact") counts[Math.min(bins - 1, Math.max(0, Math.floor(((one.at - this._first) / span) * bins)))] += 1;
    const most = Math.max(1, ...counts);
    const x = (at) => ((at - this._first) / span) * this._space;
    const bars = counts.map((count, at) => (count ? `M${(at / bins) * this._space} ${STRIP - 2}v${-Math.max(2, Math.sqrt(count / most) * (STRIP - 12))}h${Math.max(1, this._space / bins - 1)}V${STRIP - 2}z` : "")).join("");
    const marks = this._items.filter((one) => one.kind === "outage").map((one) => svg("rect", { x: x(one.at), y: 2, width: Math.max(2, x(one.until ?? one.at) - x(one.at)), height: STRIP - 4, class: "strip-outage" }));
    const from = Math.max(0, x(this._from)), to = Math.min(this._space, x(this._to));
    this._strip.setAttribute("viewBox", `0 0 ${this._space} ${STRIP}`);
    this._strip.style.width = `${this._space}px`;
    this._strip.replaceChildren(svg("path", { d: bars, class: "strip-bars" }), ...marks, svg("rect", { x: from, y: 1, width: Math.max(6, to - from), height: STRIP - 2, class: "brush", rx: 4 }), svg("rect", { x: from - 2, y: 12, width: 4, height: STRIP - 24, class: "edge", rx: 2 }), svg("rect", { x: to - 2, y: 12, width: 4, height: STRIP - 24, class: "edge", rx: 2 }));
  }

  _brush(event) {
    const box = this._strip.getBoundingClientRect(), span = this._last - this._first;
    const at = (moved) => this._first + ((moved.clientX - box.left) / box.width) * span;
    const x = (time) => box.left + ((time - this._first) / span) * box.width;
    const start = at(event), from = this._from, to = this._to;
    const isLeft = Math.abs(event.clientX - x(from)) < 7, isRight = Math.abs(event.clientX - x(to)) < 7;
    const isInside = start > from && start < to;
    this._strip.setPointerCapture(event.pointerId);
    const drag = (moved) => {
      const now = at(moved);
      if (isLeft) this._window(Math.min(now, to - 30 * MINUTE), to);
      else if (isRight) this._window(from, Math.max(now, from + 30 * MINUTE));
      else if (isInside && to - from < span * 0.98) this._window(from + now - start, to + now - start);
      else if (Math.abs(now - start) > span * 0.005) this._window(Math.min(start, now), Math.max(start, now));
    };
    this._strip.addEventListener("pointermove", drag);
    this._strip.addEventListener("pointerup", () => this._strip.removeEventListener("pointermove", drag), { once: true });
  }

  _paintAxis() {
    const span = this._to - this._from;
    const step = TICKS.find((each) => (span / each) * 78 <= this._space) ?? 28 * DAY;
    const offset = this._offset(this._from);
    const labels = [];
    for (let at = Math.ceil((this._from + offset) / step) * step - offset; at <= this._to; at += step) {
      const shift = this._offset(at) - offset; // clocks change: the tick stays at its hour
      const real = step >= HOUR * 2 ? at - shift : at;
      const text = step >= DAY ? this.clock.day(real + MINUTE) : this.clock.time(real) === "00:00" ? this.clock.day(real + MINUTE) : this.clock.time(real);
      const isCut = this._x(real) + text.length * 6.5 + 6 > this._space; // the last one stands before its line
      labels.push(h("span", { class: `${this.clock.time(real) === "00:00" && step < DAY ? "day" : ""} ${isCut ? "before" : ""}`, style: { left: `${this._x(real)}px` } }, text));
    }
    this._axis.replaceChildren(...labels);
    this._ticks = labels.map((label) => parseFloat(label.style.left));
  }

  _offset(at) {
    const parts = this.clock.link(at).match(/(\d+)-(\d+)-(\d+)T(\d+):(\d+)/).slice(1).map(Number);
    return Date.UTC(parts[0], parts[1] - 1, parts[2], parts[3], parts[4]) * 1000 - Math.floor(at / MINUTE) * MINUTE;
  }

  _paintLanes() {
    const focused = this.node.getRootNode().activeElement?.dataset?.id;
    const lanes = new Map();
    for (const one of this._items) {
      if (!lanes.has(one.lane)) lanes.set(one.lane, []);
      if ((one.until ?? one.at) >= this._from && one.at <= this._to) lanes.get(one.lane).push(one);
    }
    this._shown = [];
    const rows = [...lanes].map(([name, items]) => this._lane(name, items));
    const lines = this._ticks.map((x) => `linear-gradient(var(--line), var(--line)) ${this._head + x}px 0 / 1px 100% no-repeat`);
    this._lanes.style.background = lines.slice(0, 40).join(", ");
    this._lanes.replaceChildren(...rows);
    if (focused) this._lanes.querySelector(`[data-id="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }

  _lane(name, items) {
    const ends = [], nodes = [];
    let fold = null;
    const sorted = [...items].sort((a, b) => Number(b.kind === "outage") - Number(a.kind === "outage") || a.at - b.at);
    for (const one of sorted) {
      const isBar = one.until !== null && one.kind !== "talk" && this._x(one.until) - this._x(one.at) >= 4;
      const x = Math.max(isBar ? 0 : -50, this._x(one.at)), to = isBar ? Math.min(this._space, this._x(one.until)) : x;
      if (!isBar && fold && x - fold.x < (one.kind === "task" ? 4 : NEAR) && one.id !== this._chosen) {
        fold.count += 1;
        fold.node.replaceChildren(String(fold.count));
        fold.node.classList.add("many");
        fold.node.setAttribute("aria-label", `${fold.count} from ${this.clock.full(fold.one.at)} on: ${fold.one.title} and others`);
        fold.node.title += `\n${this.clock.short(one.at)} ${one.title}`;
        fold.items.push(one);
        continue;
      }
      const width = isBar ? to - x : 14;
      const told = one.title.length * 6.4;
      const isTold = (one.kind === "outage" || one.kind === "task") && (!isBar || told + 16 > to - x);
      const label = isBar || isTold ? one.title : "";
      const isLeft = isTold && to + 20 + told > this._space && x - told > 20;
      const begins = isLeft ? x - told - 20 : x;
      let row = ends.findIndex((end) => end <= begins - 3);
      if (row < 0) row = ends.length;
      ends[row] = (isBar ? to : x) + (isTold ? (isLeft ? 16 : 22 + told) : isBar ? 0 : 16);
      const style = { top: `${LANE_PAD + row * ROW}px`, left: `${x}px`, width: `${width}px` };
      const node = h("div", { class: `tl-item ${one.kind} ${isBar ? "bar" : "point"} ${one.field && this.canChange ? "can-move" : ""}`, role: "option", tabindex: one.id === this._chosen || (!this._shown.length && !this._chosen) ? "0" : "-1", "aria-selected": String(one.id === this._chosen), "aria-label": `${one.title}, ${this.clock.full(one.at)}`, "data-id": one.id, style, title: `${this.clock.short(one.at)}${one.until ? `–${this.clock.short(one.until)}` : ""}\n${one.title}${one.subtitle ? `\n${one.subtitle}` : ""}` }, label && h("span", { class: isTold ? `told ${isLeft ? "left" : ""}` : "" }, label), isBar && this._canResize(one) ? this._grips(one).map((edge) => h("i", { class: `grip ${edge}`, "aria-hidden": "true" })) : "");
      const shown = { one, node, x, width, count: 1, items: [one] };
      node.addEventListener("pointerdown", (event) => this._grab(event, shown));
      if (!isBar) fold = shown;
      this._shown.push(shown);
      nodes.push(node);
    }
    const height = Math.max(1, ends.length) * ROW + LANE_PAD * 2 - 4;
    return h("div", { class: "lane", style: { height: `${height}px` } }, h("div", { class: "lane-name", title: name }, name), h("div", { class: "lane-items" }, nodes));
  }

  // -- moving ----------------------------------------------------------------------------------------------

  get _snap() { return SNAPS.find(([span]) => this._to - this._from <= span)?.[1] ?? HOUR; }

  // How far something goes that is dragged that far, so that it begins, or ends, at a moment that people name.
  _snapped(one, edge, by, isFine) {
    const snap = isFine ? MINUTE : DRAG_SNAPS.find(([span]) => this._to - this._from <= span)?.[1] ?? HOUR;
    const from = edge === "end" ? one.until : one.at, offset = this._offset(from + by);
    return this._allowed(one, edge, Math.round((from + by + offset) / snap) * snap - offset - from);
  }

  _grab(event, shown) {
    if (event.button) return;
    event.preventDefault();
    const { one, node } = shown;
    if (shown.items.length > 1) {
      const times = shown.items.map((each) => each.at), pad = Math.max(15 * MINUTE, (Math.max(...times) - Math.min(...times)) * 0.4);
      if (this._to - this._from > HOUR) return this._window(Math.min(...times) - pad, Math.max(...times) + pad);
    }
    node.focus({ preventScroll: true });
    node.setPointerCapture(event.pointerId);
    const from = event.clientX, edge = this._gripAt(event, shown);
    const moment = h("span", { class: "tl-moment", "aria-hidden": "true" });
    let by = 0;
    const drag = (moved) => {
      if (!one.field || !this.canChange || Math.abs(moved.clientX - from) < 3) return;
      by = this._snapped(one, edge, ((moved.clientX - from) / this._space) * (this._to - this._from), moved.altKey);
      this._shape(shown, edge, by);
      node.classList.add("dragged");
      moment.textContent = this.clock.short((edge === "end" ? one.until : one.at) + by);
      if (!moment.isConnected) this._lanes.append(moment);
      const box = node.getBoundingClientRect(), place = this._lanes.getBoundingClientRect();
      moment.style.left = `${(edge === "end" ? box.right : box.left) - place.left}px`;
      moment.style.top = `${Math.max(2, box.top - place.top + this._lanes.scrollTop - 24)}px`;
      this._say(one, by, edge, moved.altKey ? "" : " · hold Alt for single minutes");
    };
    const done = () => {
      node.removeEventListener("pointermove", drag);
      node.classList.remove("dragged");
      moment.remove();
      window.removeEventListener("keydown", escape, true);
      if (by) this._send(one, edge, by);
      else { this._shape(shown, "", 0); this._choose(one.id); }
    };
    const escape = (pressed) => {
      if (pressed.key !== "Escape") return;
      pressed.stopPropagation();
      by = 0;
      this._shape(shown, "", 0);
      node.releasePointerCapture(event.pointerId);
    };
    window.addEventListener("keydown", escape, true);
    node.addEventListener("pointermove", drag);
    node.addEventListener("pointerup", done, { once: true });
    node.addEventListener("pointercancel", done, { once: true });
    return undefined;
  }

  _canResize(one) { return Boolean(one.span && this.canChange && one.until !== null); }

  // The ends of a bar that are in sight.
  _grips(one) { return [one.field && one.at >= this._from && "begin", one.until <= this._to && "end"].filter(Boolean); }

  _gripAt(event, { one, node }) {
    if (!this._canResize(one) || !node.classList.contains("bar")) return "";
    const box = node.getBoundingClientRect(), grip = Math.min(GRIP, box.width / 3);
    const edge = event.clientX - box.left < grip ? "begin" : box.right - event.clientX < grip ? "end" : "";
    return this._grips(one).includes(edge) ? edge : "";
  }

  // How far an end may go: something lasts a minute at least.
  _allowed(one, edge, by) {
    const least = MINUTE - (one.until - one.at);
    return edge === "begin" ? Math.min(by, -least) : edge === "end" ? Math.max(by, least) : by;
  }

  // Shows an item as it would stand, moved as a whole or at one end.
  _shape({ node, x, width }, edge, by) {
    const pixels = (by / (this._to - this._from)) * this._space;
    node.style.transform = edge || !by ? "" : `translateX(${pixels}px)`;
    node.style.left = `${x + (edge === "begin" ? pixels : 0)}px`;
    node.style.width = `${Math.max(2, width + (edge === "begin" ? -pixels : edge === "end" ? pixels : 0))}px`;
  }

  async _send(one, edge, by) {
    const [start, longer] = { begin: [by, -by], end: [0, by] }[edge] ?? [by, 0];
    if (await this._move(one, start, longer)) return;
    this.paint();
    this._sayAnew();
  }

  // Says of the item that was spoken of where it stands now; a move that is under way goes on being said.
  _sayAnew() {
    if (!this._said || this._shift) return;
    const now = this._items.find((one) => one.id === this._said);
    if (now) this._say(now, 0, this._edge);
    else this._status.textContent = this._said = "";
  }

  _say(one, by = 0, edge = "", hint = "") {
    this._said = one.id;
    const at = one.at + (edge === "end" ? 0 : by), until = one.until === null ? null : one.until + (edge === "begin" ? 0 : by);
    const what = { begin: "Beginning of ", end: "End of " }[edge] ?? "";
    const moved = by ? ` (${by > 0 ? "+" : "−"}${exactSpan(Math.abs(by))})` : edge ? " · Alt and an arrow move it" : "";
    this._status.textContent = `${what}${one.title} · ${this.clock.full(edge === "end" ? until : at)}${until && one.kind === "outage" ? `, ${spanText(until - at)}` : ""}${moved}${hint}`;
  }

  _key(event) {
    const node = event.composedPath().find((one) => one.dataset?.id);
    const focused = node && this._items.find((one) => one.id === node.dataset.id);
    const middle = focused ? Math.min(Math.max((focused.at + (focused.until ?? focused.at)) / 2, this._from), this._to) : undefined;
    if (event.key === "+" || event.key === "=") this.zoom(1 / 1.6, middle);
    else if (event.key === "-") this.zoom(1.6, middle);
    else if (event.key === "0") this.fit();
    else if (!node) return;
    else this._itemKey(event, node);
    event.stopPropagation();
  }

  _itemKey(event, node) {
    const shown = this._shown.find((one) => one.node === node);
    const { one } = shown;
    if (event.key === "Enter" || event.key === " ") this._choose(one.id);
    else if (EDGES[event.key] && this._canResize(one) && !event.altKey && !event.ctrlKey && !event.metaKey) {
      this._edge = this._edge === EDGES[event.key] || (EDGES[event.key] === "begin" && !one.field) ? "" : EDGES[event.key];
      for (const each of this._lanes.querySelectorAll(".held")) each.classList.remove("held");
      node.querySelector(`.grip.${this._edge || "none"}`)?.classList.add("held");
      this._say(one, 0, this._edge);
    } else if (event.altKey && (event.key === "ArrowLeft" || event.key === "ArrowRight") && (one.field || this._edge) && this.canChange) {
      this._shift = this._allowed(one, this._edge, this._shift + (event.key === "ArrowLeft" ? -1 : 1) * this._snap * (event.shiftKey ? 10 : 1));
      this._shifted = one;
      this._shape(shown, this._edge, this._shift);
      this._say(one, this._shift, this._edge);
      this._sendSoon();
    } else if (event.key === "Escape" && (this._shift || this._edge)) {
      this._shift = 0;
      this._edge = "";
      this._sendSoon.stop();
      this.paint();
      this._say(one);
    } else {
      const lanes = [...new Set(this._shown.map((each) => each.one.lane))], lane = lanes.indexOf(one.lane);
      const same = this._shown.filter((each) => each.one.lane === one.lane).sort((a, b) => a.x - b.x);
      const other = (name) => this._shown.filter((each) => each.one.lane === name).sort((a, b) => Math.abs(a.x - shown.x) - Math.abs(b.x - shown.x))[0];
      const to = { ArrowRight: same[same.indexOf(shown) + 1], ArrowLeft: same[same.indexOf(shown) - 1], ArrowDown: other(lanes[lane + 1]), ArrowUp: other(lanes[lane - 1]) }[event.key];
      if (!to) return;
      this._edge = "";
      to.node.focus();
      this._say(to.one);
    }
    event.preventDefault();
  }

  async _sendShift() {
    const by = this._shift, one = this._shifted;
    this._shift = 0;
    if (by) await this._send(one, this._edge, by);
  }

  _wheel(event) {
    if (!event.ctrlKey && !event.metaKey && Math.abs(event.deltaX) <= Math.abs(event.deltaY)) return;
    event.preventDefault();
    if (event.ctrlKey || event.metaKey) {
      const box = this._box.getBoundingClientRect();
      const at = this._from + ((event.clientX - box.left - this._head) / this._space) * (this._to - this._from);
      this.zoom(event.deltaY > 0 ? 1.18 : 1 / 1.18, at);
    } else {
      const by = (event.deltaX / this._space) * (this._to - this._from);
      this._window(this._from + by, this._to + by);
    }
  }
}
