// A table to be read: texts wrap, nothing is cut, and in a narrow window each row is a card. Rows can be chosen, ticked and sorted where the
// page asks for it.

const LONG_WORD = 24; // characters after which a word may go on in the next line

// A text whose long words may be broken where a column has no room for them: one unbroken name would push the others out of sight.
const breakable = (text) => String(text).split(new RegExp(`(\\S{${LONG_WORD}})(?=\\S)`)).flatMap((part, at) => (at ? [at % 2 ? "" : h("wbr"), part] : [part]));

class Table {
  constructor(component) {
    this.node = h("div", { class: "pane" });
    component.parentElement.append(this.node);
  }

  stop() {}

  change({ data, setTriggerValue }) {
    const told = JSON.stringify(data);
    if (told === this._told) return;
    this._told = told;
    this._tell = setTriggerValue;
    this.data = data;
    const { columns, rows, alt, height, ticked } = data;
    const scroll = this._box?.scrollTop ?? 0;
    const head = h("thead", {}, h("tr", {}, ticked ? h("th", { scope: "col", class: "tick" }, h("span", { class: "unseen" }, "Ticked")) : "", columns.map((one) => this._heading(one)), data.act ? h("th", { scope: "col", class: "act-cell" }, h("span", { class: "unseen" }, data.act)) : ""));
    this._box = h("div", { class: `card rows ${ticked ? "dense" : ""} ${columns.length < 3 ? "few" : ""}`, style: { maxHeight: height ? `${height}px` : "none" }, tabindex: height ? "0" : null, role: height ? "group" : null, "aria-label": height ? alt : null },
      h("table", { "aria-label": alt }, head, h("tbody", { onkeydown: (event) => this._key(event) }, rows.map((cells, number) => this._row(cells, number)))));
    this.node.replaceChildren(this._box);
    this._box.scrollTop = scroll;
  }

  // A row is told by its name where it has one, for others may have come before it since.
  // It looks chosen at once: what opens by it may take a while.
  _choose(number) {
    [...this._box.querySelectorAll("tbody tr")].forEach((row, at) => row.classList.toggle("now", at === number));
    this._tell("chosen", this.data.names?.[number] ?? number);
  }

  _heading(one) {
    const { sorted } = this.data;
    if (sorted === undefined) return h("th", { scope: "col", class: one.tone, style: { width: one.width || "auto" } }, one.label);
    const isBy = sorted === one.label ? "ascending" : sorted === `-${one.label}` ? "descending" : null;
    const next = isBy === "descending" ? one.label : `-${one.label}`;
    return h("th", { scope: "col", class: one.tone, style: { width: one.width || "auto" }, "aria-sort": isBy }, h("button", { type: "button", class: "by", title: `Sort by ${one.label.toLowerCase()}`, onclick: () => this._tell("sorted", next) }, one.label, icon(isBy ? (isBy === "ascending" ? "arrow_upward" : "arrow_downward") : "unfold_more")));
  }

  _row(cells, number) {
    const { columns, chosen, chooses, ticked, names } = this.data;
    const tick = ticked ? h("td", { class: "tick", onclick: (event) => event.stopPropagation() }, h("input", { type: "checkbox", "aria-label": `Tick ${names[number]}`, checked: ticked.includes(names[number]), onchange: () => this._tell("ticked", names[number]) })) : "";
    return h("tr", { class: `${chooses ? "can" : ""} ${number === chosen ? "now" : ""}`, onclick: chooses ? () => this._choose(number) : null }, tick, cells.map((value, at) => this._cell(value, columns[at], number)), this._act(number));
  }

  // What can be done with a row beside opening it.
  _act(number) {
    const { act, names } = this.data;
    if (!act) return "";
    return h("td", { class: "act-cell", onclick: (event) => event.stopPropagation() }, h("button", { type: "button", class: "row-act", title: act, "aria-label": `${act.replace(" …", "")}: ${names[number]}`, onclick: () => this._tell("acted", names[number]) }, icon("replay")));
  }

  _cell(value, column, number) {
    const { chooses, chosen } = this.data;
    const shown = value === null ? "" : typeof value !== "object" ? breakable(value) : value.hint !== undefined ? h("span", { title: value.hint }, value.label) : value.share === undefined ? tag(value) : h("span", { class: "share" }, h("i", { "aria-hidden": "true" }, h("b", { style: { width: `${Math.min(Math.max(value.share, 0), 1) * 100}%` } })), value.label);
    const isName = chooses && column.leads;
    return h("td", { class: `${column.tone} ${column.width ? "wide" : ""} ${value === null || value === "" ? "blank" : ""}`, "data-label": column.label }, isName ? h("button", { type: "button", class: "name", "aria-pressed": chosen === null ? null : String(number === chosen) }, shown) : shown);
  }

  // Up and down go from row to row.
  _key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const buttons = [...this.node.querySelectorAll("button.name")];
    const at = buttons.indexOf(event.target);
    if (!step || at < 0) return;
    event.preventDefault();
    event.stopPropagation();
    buttons[Math.min(Math.max(at + step, 0), buttons.length - 1)].focus();
  }
}

export default paneOf(Table);
