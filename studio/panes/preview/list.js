// A long list of equal rows. It holds only the rows in sight; more are fetched as the end comes near.

// Pixels of a row by how it is laid out: two lines with room; in a low list two close ones, or one where the list is wide.
const ROWS = { roomy: 64, close: 50, line: 38 };
const ROOMY_PX = 560, LINE_PX = 560; // of a list: high enough for nine roomy rows, wide enough for rows of a line
const BEYOND = 6;

class List {
  constructor({ label, fetchMore, choose, clock, marks }) {
    Object.assign(this, { _fetch: fetchMore, _choose: choose, _clock: clock, _marks: marks, _row: ROWS.roomy });
    this._space = h("div", { class: "space" });
    this.node = h("div", { class: "listbox", role: "listbox", tabindex: "0", "aria-label": label, onscroll: () => this._sight(), onkeydown: (event) => this._key(event) }, this._space);
    this._turn = new Turn();
    this._size = new ResizeObserver(() => this._lay());
    this._size.observe(this.node);
  }

  stop() {
    this._turn.stop();
    this._size.disconnect();
  }

  // Start over. What is there stays in sight until the new is, where `keep` says so.
  async load(selected = "", { keep = false } = {}) {
    this._next = "";
    this._isNew = true;
    this._selected = selected;
    this._busy = false;
    this._signal = this._turn.next();
    if (keep && this.lines?.length) this.node.classList.add("waiting");
    else this._show(skeleton(7));
    return this._more();
  }

  // How rows are laid out in the room there is; what was at the top stays there.
  _lay() {
    const laid = this.node.clientHeight >= ROOMY_PX ? "roomy" : this.node.clientWidth < LINE_PX ? "close" : "line";
    if (laid !== this._laid && this.node.clientWidth) {
      const top = this.node.scrollTop / this._row;
      this._laid = laid;
      this._row = ROWS[laid];
      this.node.dataset.rows = laid;
      this._drawn = "";
      this._stretch();
      this.node.scrollTop = top * this._row;
    }
    this._sight();
  }

  _stretch() {
    if (this.lines?.length) this._space.style.height = `${(this.lines.length + (this._next ? 1 : 0)) * this._row}px`;
  }

  // Something else than rows.
  _show(node) {
    this.lines = [];
    this._drawn = "";
    this._space.style.height = "auto";
    this._space.replaceChildren(node);
  }

  select(id) {
    this._selected = id;
    this._drawn = "";
    this._sight();
  }

  redraw() {
    this._drawn = "";
    if (this.lines?.length) this._sight();
  }

  async _more() {
    if (this._busy) return;
    this._busy = true;
    const signal = this._signal;
    try {
      const page = await this._fetch(this._next, signal);
      if (signal !== this._signal) return;
      if (this._isNew) this.node.scrollTop = 0;
      this.lines = this._isNew ? page.lines : [...this.lines, ...page.lines];
      this._isNew = false;
      this._next = page.next;
      this._end = page;
    } catch (error) {
      if (!isStopped(error)) this._show(problem(error, () => this.load(this._selected)));
      return;
    } finally {
      if (signal === this._signal) {
        this._busy = false;
        this.node.classList.remove("waiting");
      }
    }
    this.node.setAttribute("role", this.lines.length ? "listbox" : "region"); // a list box without options is none
    if (!this.lines.length) this._show(this._end.miss ? nothing("search_off", `Nothing says “${this._end.miss}”`, "Nothing here at this time does. Try other words, or a later time.") : nothing("inbox", "Nothing here yet", this._end.note || "Move the time on, or look as somebody else."));
    else {
      this._drawn = "";
      this._lay();
      this._stretch();
    }
  }

  get count() {
    if (!this.lines?.length) return "";
    const total = this._end?.total ?? (this._next ? null : this.lines.length);
    return total === null ? `${this.lines.length.toLocaleString("en")}+` : total.toLocaleString("en");
  }

  _sight() {
    if (!this.lines?.length) return;
    const first = Math.max(0, Math.floor(this.node.scrollTop / this._row) - BEYOND);
    const last = Math.min(this.lines.length, Math.ceil((this.node.scrollTop + this.node.clientHeight) / this._row) + BEYOND);
    const drawn = `${first} ${last} ${this.lines.length}`;
    if (drawn !== this._drawn) {
      this._drawn = drawn;
      this._space.replaceChildren(...this.lines.slice(first, last).map((line, at) => this._rowOf(line, first + at)));
    }
    const index = this.lines.findIndex((line) => line.id === this._selected);
    if (index >= 0) this.node.setAttribute("aria-activedescendant", `option-${index}`);
    else this.node.removeAttribute("aria-activedescendant");
    if (this._next && last + BEYOND * 2 > this.lines.length) this._more();
  }

  _rowOf(line, index) {
    const mark = this._marks(line.path);
    return h("div", {
      role: "option", id: `option-${index}`, class: `row ${line.is_unread ? "unread" : ""}`, "aria-selected": String(line.id === this._selected),
      "aria-setsize": this._next ? -1 : this.lines.length, "aria-posinset": index + 1, style: { top: `${index * this._row}px` }, onclick: () => this._pick(index),
    },
      line.icon ? h("span", { class: "avatar nobody" }, icon(line.icon)) : avatar(line.who),
      h("div", { class: "words" },
        h("div", { class: "top" }, line.is_unread && h("span", { class: "unseen" }, "Unread: "), h("span", { class: "who", title: line.head || line.who }, line.head || line.who), line.side ? h("span", { class: "side" }, line.side) : line.at > 0 && h("time", {}, this._clock().short(line.at))),
        h("div", { class: "bottom" }, h("span", { class: "subject" }, h("b", {}, line.title || "(no subject)"), line.text && h("span", {}, ` — ${line.text}`)), mark && h("span", { class: `tag ${mark.tone}`, title: mark.title }, mark.label), line.tags.map(tag))));
  }

  _pick(index) {
    const line = this.lines[index];
    if (!line) return;
    this.select(line.id);
    const top = index * this._row;
    if (top < this.node.scrollTop) this.node.scrollTop = top;
    else if (top + this._row > this.node.scrollTop + this.node.clientHeight) this.node.scrollTop = top + this._row - this.node.clientHeight;
    this._choose(line);
  }

  _key(event) {
    const at = this.lines?.findIndex((line) => line.id === this._selected) ?? -1;
    const to = { j: at + 1, ArrowDown: at + 1, k: at - 1, ArrowUp: at - 1, Home: 0, End: (this.lines?.length ?? 1) - 1, PageDown: at + 8, PageUp: at - 8 }[event.key];
    if (to === undefined || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    this._pick(Math.min(Math.max(to, 0), (this.lines?.length ?? 1) - 1));
  }
}
