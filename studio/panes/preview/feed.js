// A channel: messages from old to new, the newest at the bottom; older ones come as one scrolls up.

const MOST = 240;
const TOGETHER = 5 * MINUTE;

class Feed {
  constructor({ fetchMore, choose, clock, marks, say }) {
    Object.assign(this, { _fetch: fetchMore, _choose: choose, _clock: clock, _marks: marks, _say: say });
    this._inner = h("div", { class: "messages" });
    this.node = h("div", { class: "listbox feed", role: "listbox", tabindex: "0", "aria-label": "Messages", onscroll: () => this._scrolled(), onkeydown: (event) => this._key(event), onwheel: () => this._letGo(), onpointerdown: () => this._letGo(), ontouchmove: () => this._letGo() }, this._inner);
    this._latest = h("button", { type: "button", class: "latest", hidden: true, onclick: () => this.load() }, icon("arrow_downward"), "Jump to latest");
    this.whole = h("div", { class: "feed-frame" }, this.node, this._latest);
    this._turn = new Turn();
    this._size = new ResizeObserver(() => this._hold());
    this._size.observe(this._inner);
    this._size.observe(this.node);
  }

  stop() {
    this._turn.stop();
    this._size.disconnect();
  }

  // Start over: at the newest message, or at the one with `until` where that is given.
  async load(until = "", { keep = false } = {}) {
    this._next = "";
    this._isNew = true;
    this._until = until;
    this._selected = until;
    this._isCut = Boolean(until);
    this._busy = false;
    this._signal = this._turn.next();
    if (keep && this.lines?.length) this.node.classList.add("waiting");
    else this._inner.replaceChildren(skeleton(6));
    await this._more();
    this._isHeld = !this._inner.classList.contains("found");
    if (this._isHeld) this._hold();
    else this.node.scrollTop = 0;
  }

  // Stay at the newest message while those above take their true heights, until somebody scrolls.
  _hold() {
    if (this._isHeld) this.node.scrollTop = this.node.scrollHeight;
  }

  _letGo() { this._isHeld = false; }

  select(id) {
    this._selected = id;
    for (const row of this._inner.querySelectorAll("[role=option]")) row.setAttribute("aria-selected", String(row.dataset.id === id));
    const row = this._chosen();
    if (row) this.node.setAttribute("aria-activedescendant", row.id);
    else this.node.removeAttribute("aria-activedescendant");
  }

  redraw() {
    if (!this.lines?.length) return;
    const top = this.node.scrollTop;
    this._draw();
    this.node.scrollTop = top;
  }

  get count() {
    if (!this.lines?.length) return "";
    return this._next || this._isCut ? `${this.lines.length.toLocaleString("en")}+` : (this._end?.total ?? this.lines.length).toLocaleString("en");
  }

  async _more() {
    if (this._busy) return;
    this._busy = true;
    const signal = this._signal;
    try {
      const page = await this._fetch(this._next, signal, this._next ? "" : this._until);
      if (signal !== this._signal) return;
      this.lines = [...page.lines.toReversed(), ...(this._isNew ? [] : this.lines)];
      this._isNew = false;
      if (this.lines.length > MOST) {
        this.lines.length = MOST;
        this._isCut = true;
      }
      this._next = page.next;
      this._end = page;
    } catch (error) {
      if (!isStopped(error)) this._inner.replaceChildren(problem(error, () => this.load(this._until)));
      return;
    } finally {
      if (signal === this._signal) {
        this._busy = false;
        this.node.classList.remove("waiting");
      }
    }
    const below = this.node.scrollHeight - this.node.scrollTop;
    this._draw();
    this.node.scrollTop = this.node.scrollHeight - below;
  }

  _draw() {
    this._latest.hidden = !this._isCut;
    this.node.setAttribute("role", this.lines.length ? "listbox" : "region"); // a list box without options is none
    if (!this.lines.length) {
      this._inner.replaceChildren(this._end?.miss ? nothing("search_off", `Nothing says “${this._end.miss}”`, "No message up to this time does. Try other words, or a later time.") : nothing("forum", "Nobody has written here yet", this._end?.note || "Move the time on, or choose another channel."));
      return;
    }
    const rows = [];
    const isSearch = Boolean(this._end?.total !== null && this._end?.total !== undefined);
    if (!this._next && !isSearch && !this._end?.note) rows.push(h("p", { class: "beginning" }, "This is where the conversation begins."));
    if (this._end?.note) rows.push(h("p", { class: "beginning" }, this._end.note));
    let before = null;
    this._inner.classList.toggle("found", isSearch);
    this.lines.forEach((line, index) => {
      if (!before || this._clock().weekday(before.at) !== this._clock().weekday(line.at)) {
        rows.push(h("div", { class: "day", role: "presentation" }, h("span", {}, this._clock().weekday(line.at))));
        before = null;
      }
      rows.push(this._row(line, index, before && before.who === line.who && line.at - before.at < TOGETHER && !before.replies));
      before = line;
    });
    this._inner.replaceChildren(...rows);
    this.select(this._selected);
  }

  _row(line, index, isMore) {
    const mark = this._marks(line.path);
    const row = h("div", { role: "option", id: `option-${index}`, class: `message ${isMore ? "more" : ""}`, "aria-selected": "false", "data-id": line.id, onclick: () => this._pick(index) },
      isMore ? h("time", { class: "side" }, this._clock().time(line.at)) : avatar(line.who),
      h("div", { class: "words" },
        isMore ? null : h("div", { class: "top" }, h("b", { class: "who" }, line.who), h("time", {}, this._clock().time(line.at))),
        this._say(line.text),
        (mark || line.tags.length || line.replies > 0) && h("div", { class: "below" },
          mark && h("span", { class: `tag ${mark.tone}`, title: mark.title }, mark.label), line.tags.map(tag),
          line.replies > 0 && h("span", { class: "replies" }, icon("forum"), line.replies === 1 ? "1 reply" : `${line.replies} replies`))));
    return row;
  }

  _chosen() { return [...this._inner.querySelectorAll("[role=option]")].find((row) => row.dataset.id === this._selected); }

  _pick(index) {
    const line = this.lines[index];
    if (!line) return;
    this._letGo();
    this.select(line.id);
    this._chosen()?.scrollIntoView({ block: "nearest" });
    this._choose(line);
  }

  _scrolled() {
    if (this._next && this.node.scrollTop < 240) this._more();
  }

  _key(event) {
    this._letGo();
    if (event.ctrlKey || event.metaKey || !this.lines?.length) return;
    const at = this.lines.findIndex((line) => line.id === this._selected);
    const down = at < 0 ? this.lines.length - 1 : at + 1;
    const up = at < 0 ? this.lines.length - 1 : at - 1;
    const to = { j: down, ArrowDown: down, k: up, ArrowUp: up, Home: 0, End: this.lines.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this._pick(Math.min(Math.max(to, 0), this.lines.length - 1));
  }
}
