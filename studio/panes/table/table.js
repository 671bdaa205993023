// A table to be read: texts wrap, nothing is cut, and in a narrow window each row is a card. Rows can be chosen where the page asks for it.

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
    this._choose = (number) => setTriggerValue("chosen", number);
    const { columns, rows, alt, chosen, chooses, height } = data;
    const scroll = this._box?.scrollTop ?? 0;
    const cell = (value, column, number) => {
      const shown = typeof value === "object" && value !== null ? tag(value) : (value ?? "");
      const isName = chooses && column === columns.find((one) => one.leads);
      return h("td", { class: `${column.tone} ${column.width ? "wide" : ""} ${shown === "" ? "blank" : ""}`, "data-label": column.label }, isName ? h("button", { type: "button", class: "name", "aria-pressed": String(number === chosen) }, shown) : shown);
    };
    const row = (cells, number) => h("tr", { class: `${chooses ? "can" : ""} ${number === chosen ? "now" : ""}`, onclick: chooses ? () => this._choose(number) : null }, cells.map((value, at) => cell(value, columns[at], number)));
    const head = h("thead", {}, h("tr", {}, columns.map((one) => h("th", { scope: "col", class: one.tone, style: { width: one.width || "auto" } }, one.label))));
    this._box = h("div", { class: "card rows", style: { maxHeight: height ? `${height}px` : "none" }, tabindex: height ? "0" : null, role: height ? "group" : null, "aria-label": height ? alt : null },
      h("table", { "aria-label": alt }, head, h("tbody", { onkeydown: (event) => this._key(event) }, rows.map(row))));
    this.node.replaceChildren(this._box);
    this._box.scrollTop = scroll;
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
