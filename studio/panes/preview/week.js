// A week of a calendar: whole days above, hours below, what is over in grey, and a line where the world's time is.

const HOUR_PX = 56;
const MORNING = 7 * 60 + 30;
const LOOKS = { accepted: "", needsAction: "not answered yet", tentative: "maybe", declined: "declined", busy: "busy", away: "out of office" };

class WeekView {
  constructor({ fetchWeek, choose, turn, marks }) {
    Object.assign(this, { _fetch: fetchWeek, _choose: choose, _marks: marks });
    const step = (name, title, to) => h("button", { type: "button", class: "icon-button", "aria-label": title, title, onclick: () => this._week && turn(to(this._week)) }, icon(name));
    this._title = h("strong", { class: "week-title" });
    this._number = h("span", { class: "week-number" });
    this.nav = h("div", { class: "week-nav", role: "group", "aria-label": "Week" },
      step("chevron_left", "The week before", (week) => week.before), h("button", { type: "button", class: "now-button", title: "The week of the world's time", onclick: () => turn("") }, "Now"), step("chevron_right", "The week after", (week) => week.after), this._title, this._number);
    this._head = h("div", { class: "week-head" });
    this._hours = h("div", { class: "week-hours" });
    this.node = h("div", { class: "week listbox", role: "listbox", tabindex: "0", "aria-label": "Events", onkeydown: (event) => this._key(event) }, this._head, this._hours);
    this._turn = new Turn();
  }

  stop() { this._turn.stop(); }

  async load(selected = "", { keep = false } = {}) {
    this._selected = selected;
    const signal = this._turn.next();
    if (keep && this._week) this.node.classList.add("waiting");
    else this._empty(skeleton(5));
    try {
      this._week = await this._fetch(signal);
    } catch (error) {
      if (!isStopped(error)) this._empty(problem(error, () => this.load(selected)));
      return;
    } finally {
      this.node.classList.remove("waiting");
    }
    this._draw();
    if (!this._isSettled) this._settle();
  }

  _empty(node) {
    this._week = null;
    this._isSettled = false;
    this._title.textContent = this._number.textContent = "";
    this._head.replaceChildren();
    this._hours.className = "";
    this._hours.replaceChildren(node);
    this._tellRole();
  }

  // A list of choices has choices; a week in which nothing happens is none.
  _tellRole() { this.node.setAttribute("role", this._options().length ? "listbox" : "region"); }

  // From the first meeting on, or from the morning.
  _settle() {
    const first = Math.min(MORNING, ...this._week.pieces.filter((piece) => piece.top > 5 * 60).map((piece) => piece.top - 20));
    this.node.scrollTop = (first / 60) * HOUR_PX;
    this._isSettled = this.node.clientHeight > 0;
  }

  get count() {
    const seen = this._week ? new Set([...this._week.pieces, ...this._week.bands].map((event) => event.id)).size : 0;
    return seen ? String(seen) : "";
  }

  redraw() {
    if (this._week) this._draw();
  }

  select(id) {
    this._selected = id;
    for (const node of this._options()) node.setAttribute("aria-selected", String(node.dataset.id === id));
    const chosen = this._options().find((node) => node.dataset.id === id);
    if (chosen) this.node.setAttribute("aria-activedescendant", chosen.id);
    else this.node.removeAttribute("aria-activedescendant");
  }

  _options() { return [...this.node.querySelectorAll("[role=option]")]; }

  _draw() {
    const { days, bands, zone, other, ahead, title, number } = this._week;
    const top = this.node.scrollTop;
    const width = days.map((day, at) => (day.is_weekend && !this._week.pieces.some((piece) => piece.day === at) ? "minmax(0, 0.55fr)" : "minmax(0, 1fr)")).join(" ");
    this._title.textContent = title;
    this._number.textContent = `Week ${number}`;
    this.node.style.setProperty("--columns", `${other ? "44px 44px" : "48px"} ${width}`);
    this.node.style.setProperty("--from", other ? "3" : "2");
    const lanes = bands.length ? Math.max(...bands.map((band) => band.lane)) + 1 : 0;
    this._head.replaceChildren(
      ...(other ? [h("span", { class: "zone" }, other)] : []), h("span", { class: "zone" }, zone),
      ...days.map((day) => h("div", { class: `day-head ${day.now !== null ? "today" : ""} ${day.is_past ? "past" : ""}` }, day.now !== null && h("span", { class: "unseen" }, "Today: "), h("span", {}, day.name), h("b", {}, String(day.number)))),
      lanes ? h("div", { class: "bands", style: { gridTemplateRows: `repeat(${lanes}, 23px)` } }, bands.map((band, at) => this._band(band, at))) : "");
    this._hours.className = "week-hours";
    this._hours.style.height = `${24 * HOUR_PX}px`;
    this._hours.replaceChildren(
      ...(other ? [gutter(ahead)] : []), gutter(0),
      ...days.map((day, at) => this._column(day, at)));
    this._tellRole();
    this.node.scrollTop = top;
    this.select(this._selected);
  }

  _column(day, at) {
    const px = (minutes) => `${(minutes / 60) * HOUR_PX}px`;
    const past = day.is_past ? 24 * 60 : day.now ?? 0;
    const isAway = this._week.bands.some((band) => band.look === "away" && band.first <= at && at <= band.last);
    return h("div", { class: `day-column ${day.is_weekend ? "weekend" : ""} ${isAway ? "absent" : ""}` },
      past ? h("div", { class: "gone", style: { height: px(past) } }) : "",
      this._week.pieces.filter((piece) => piece.day === at).map((piece, index) => this._piece(piece, day, `${at}-${index}`, px)),
      day.now !== null && h("div", { class: "now-line", style: { top: px(day.now) }, role: "presentation" }, h("i")));
  }

  _piece(piece, day, key, px) {
    const minutes = piece.bottom - piece.top;
    const mark = this._marks(piece.path);
    const size = minutes < 35 ? "short" : minutes < 55 ? "middling" : "";
    return h("button", {
      type: "button", role: "option", id: `event-${key}`, tabindex: "-1", "data-id": piece.id, "aria-selected": "false",
      class: `piece ${piece.look} ${size} ${piece.is_over ? "over" : ""} ${piece.is_free ? "free" : ""}`,
      "aria-label": [`${day.name} ${day.number}, ${piece.when}`, piece.title, piece.where, LOOKS[piece.look], piece.is_private && "private"].filter(Boolean).join(", "),
      title: [piece.title, piece.when, piece.where, LOOKS[piece.look]].filter(Boolean).join("\n"),
      style: { top: px(piece.top), height: `calc(${px(minutes)} - 2px)`, left: `calc(${(piece.lane / piece.lanes) * 100}% + 1px)`, width: `calc(${100 / piece.lanes}% - 4px)` },
      onclick: () => this._pick(piece.id),
    },
      h("b", {}, piece.is_private && icon("lock"), piece.look === "needsAction" && icon("help"), mark && h("i", { class: `dot ${mark.tone}`, title: mark.title }), piece.title),
      h("span", { "aria-hidden": "true" }, size === "short" ? piece.when.slice(0, 5) : piece.when.replace(" to ", "–")), piece.where && h("span", { class: "where" }, piece.where));
  }

  _band(band, at) {
    return h("button", {
      type: "button", role: "option", id: `event-band-${at}`, tabindex: "-1", "data-id": band.id, "aria-selected": "false", title: [band.title, LOOKS[band.look]].filter(Boolean).join("\n"),
      "aria-label": [`${this._week.days[band.first].name} to ${this._week.days[band.last].name}`, band.title, LOOKS[band.look]].filter(Boolean).join(", "),
      class: `band ${band.look} ${band.is_over ? "over" : ""}`, style: { gridColumn: `${band.first + 1} / ${band.last + 2}`, gridRow: String(band.lane + 1) }, onclick: () => this._pick(band.id),
    }, band.look === "away" && icon("do_not_disturb_on"), h("span", {}, band.title));
  }

  _pick(id) {
    this.select(id);
    this._options().find((node) => node.dataset.id === id)?.scrollIntoView({ block: "nearest" });
    this._choose({ id });
  }

  _key(event) {
    const ids = this._options().map((node) => node.dataset.id);
    if (event.ctrlKey || event.metaKey || !ids.length) return;
    const at = ids.indexOf(this._selected);
    const to = { j: at + 1, ArrowDown: at + 1, k: at - 1, ArrowUp: at - 1, Home: 0, End: ids.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this._pick(ids[Math.min(Math.max(to, 0), ids.length - 1)]);
  }
}

// The hours beside the grid, on clocks that are so many minutes ahead of it.
function gutter(ahead) {
  const label = (hour) => {
    const minutes = (((hour * 60 + ahead) % 1440) + 1440) % 1440;
    return `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
  };
  return h("div", { class: "gutter", "aria-hidden": "true" }, Array.from({ length: 23 }, (_, at) => h("span", { style: { top: `${(at + 1) * HOUR_PX}px` } }, label(at + 1))));
}
