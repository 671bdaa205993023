// Figures of a report: each on a line of its own with what is usual, worst first.

const VERDICT_TONES = { broken: "red", unusual: "orange", near: "", usual: "green", holds: "green" };

class Figures {
  constructor(component) {
    this._find = h("input", { type: "search", placeholder: "Find a figure", "aria-label": "Find a figure", oninput: () => this._draw() });
    this._families = h("div", { class: "segments", role: "radiogroup", "aria-label": "Family" });
    this._list = h("div", { class: "card figures" }, skeleton(6));
    this.node = h("div", { class: "pane" }, h("div", { class: "figures-bar" }, this._families, h("span", { class: "gap" }), this._find), this._list);
    component.parentElement.append(this.node);
    this._family = "";
    this._open = new Set();
  }

  stop() {}

  change({ data }) {
    this.data = data;
    this._draw();
  }

  _draw() {
    const { figures, families, verdicts } = this.data;
    this._families.replaceChildren(...["", ...families].map((name) => h("button", { type: "button", role: "radio", class: "segment", "aria-checked": String(name === this._family), onclick: () => { this._family = name; this._draw(); } }, name ? name[0].toUpperCase() + name.slice(1) : "All")));
    const wanted = this._find.value.trim().toLowerCase();
    const order = Object.keys(verdicts);
    const shown = figures.filter((one) => (!this._family || one.family === this._family) && (!wanted || one.title.toLowerCase().includes(wanted))).sort((a, b) => order.indexOf(a.verdict) - order.indexOf(b.verdict) || b.distance - a.distance);
    this._list.replaceChildren(shown.length ? h("ul", {}, shown.map((one) => this._row(one, verdicts))) : nothing("search_off", "No figure is called that"));
  }

  _row(one, verdicts) {
    const isOpen = this._open.has(one.name);
    const more = [one.source && h("p", {}, h("b", {}, "Usual by: "), one.source), one.note && h("p", {}, one.note), one.examples.length ? h("ul", { class: "examples" }, one.examples.map((each) => h("li", {}, h("code", {}, each.path), h("span", {}, `${each.who ? `${each.who}: ` : ""}${each.says}`)))) : ""];
    return h("li", { class: isOpen ? "open" : "" },
      h("button", { type: "button", class: "figure", "aria-expanded": String(isOpen), onclick: () => { if (!this._open.delete(one.name)) this._open.add(one.name); this._draw(); } },
        icon(isOpen ? "expand_more" : "chevron_right"), h("span", { class: "title" }, one.title), h("b", { class: "value" }, one.value_text), strip(one), h("span", { class: "usual" }, one.band_text), tag({ label: verdicts[one.verdict], tone: VERDICT_TONES[one.verdict] ?? "" })),
      isOpen && h("div", { class: "detail" }, more));
  }
}

// The band, a tick for each peer and a dot for the value.
function strip(one) {
  if (one.value === null || !one.band || one.band[0] === one.band[1]) return h("span", { class: "strip-place" });
  const marks = [one.value, ...one.band, ...Object.values(one.peers)];
  const least = Math.min(...marks), most = Math.max(...marks), isLog = least > 0 && most / least > 12;
  const scale = (mark) => (isLog ? Math.log10(mark) : mark);
  const first = scale(least), span = scale(most) - first || 1, pad = span * 0.1;
  const x = (mark) => 4 + 172 * ((scale(mark) - first + pad) / (span + 2 * pad));
  const ticks = Object.entries(one.peers).map(([name, value]) => svg("line", { x1: x(value), x2: x(value), y1: 3, y2: 19, class: "peer" }, svg("title", {}, `${name}: ${value}`)));
  return svg("svg", { viewBox: "0 0 180 22", class: "strip-place", role: "img", "aria-label": `${one.title}: ${one.value_text}, usual ${one.band_text}` }, svg("line", { x1: 4, x2: 176, y1: 11, y2: 11, class: "axis-line" }), svg("rect", { x: x(one.band[0]), y: 5, width: Math.max(2, x(one.band[1]) - x(one.band[0])), height: 12, rx: 3, class: "band" }), ...ticks, svg("circle", { cx: x(one.value), cy: 11, r: 5, class: `dot ${one.verdict}` }));
}

export default paneOf(Figures);
