// The calendar: how much happens when, a handle to move through it, and below it lanes: storyline events and tasks as points, outages as
// bars, all in one lane or a lane for each vendor and service. It can be zoomed (wheel, + − 0) and brushed: the strip below shows all of
// the calendar, and the window that is in sight.

const PLAY_MS = 450;
const LEAST = 30 * MINUTE;
const MOST_LANES = 8;
const APART_PX = 15; // points that are nearer to each other are one, with a number
const LABEL_PX = 7; // a letter, about
const LOW_PX = 860, NARROW_PX = 1100; // of a window in which lanes are folded until somebody unfolds them
const FOLDED = "brownout preview lanes folded";

class Scrubber {
  constructor({ move, copy, isBusy }) {
    this._move = move;
    this._isBusy = isBusy;
    this.at = 0;
    const button = (label, title, work) => h("button", { type: "button", title, onclick: work }, label);
    this._play = button("Play", "Let the time run", () => this._toggle());
    this._copy = button("Copy link", "Copy a link to exactly this", async () => {
      const copied = await copy();
      this._copy.textContent = copied ? "Copied" : "Copy failed";
      setTimeout(() => (this._copy.textContent = "Copy link"), 1600);
    });
    this._clock = h("strong", { class: "clock" });
    this._last = h("span", { class: "last" });
    this._now = h("span", { class: "outage-now", role: "status" });
    this._track = h("div", { class: "track" });
    this._axis = h("div", { class: "axis", "aria-hidden": "true" });
    this._lanes = h("div", { class: "lanes" });
    this._chosenFold = localStorage.getItem(FOLDED);
    this._window = h("i", { class: "window" });
    this._overview = h("div", { class: "overview", title: "Drag to choose what is in sight; double-click for all" });
    this._overview.addEventListener("pointerdown", (event) => this._brush(event));
    this._overview.addEventListener("dblclick", () => this.see(this._calendar.first, this._calendar.last));
    this._track.addEventListener("wheel", (event) => { event.preventDefault(); this._zoom(event.deltaY > 0 ? 1.35 : 1 / 1.35, this._timeAt(event)); }, { passive: false });
    this._tip = h("div", { class: "tip", hidden: true });
    this._handle = h("div", { class: "handle", role: "slider", tabindex: "0", "aria-label": "World time", onkeydown: (event) => this._key(event) });
    this.node = h("section", { class: "card scrubber", "aria-label": "Calendar" },
      h("div", { class: "controls" },
        button("‹ event", "The event before", () => this._event(-1)), this._play, button("event ›", "The next event", () => this._event(1)),
        this._clock, this._last, this._now, h("span", { class: "gap" }),
        h("span", { class: "zoom", role: "group", "aria-label": "Zoom" }, button("−", "Zoom out (−)", () => this._zoom(2)), button("+", "Zoom in (+)", () => this._zoom(0.5)), button("All", "The whole calendar (0)", () => this.see(this._calendar.first, this._calendar.last))), this._copy),
      (this._rows = h("div", { class: "rows" }, h("span", { class: "row-name activity" }, "Activity"), this._track, this._lanes, this._axis, h("span", { class: "row-name whole" }, "All of it"), this._overview)));
    this._sized = new ResizeObserver(() => this._calendar && this._drawLanes());
    this._sized.observe(this._lanes);
    this._track.addEventListener("pointerdown", (event) => this._grab(event));
    this._track.addEventListener("pointermove", (event) => this._hover(event));
    this._track.addEventListener("pointerleave", () => (this._tip.hidden = true));
  }

  show(calendar, clock) {
    this._calendar = calendar;
    this._clockOf = clock;
    this._fired = [];
    if (!this._from || this._from < calendar.first || this._to > calendar.last) [this._from, this._to] = [calendar.first, calendar.last];
    this._draw();
  }

  get calendar() { return this._calendar; }

  // The same calendar with more counted.
  count(calendar) {
    this._calendar = calendar;
    this._draw();
  }

  // Puts a part of the calendar in sight.
  see(from, to) {
    const { first, last } = this._calendar;
    const span = Math.min(Math.max(to - from, LEAST), last - first);
    this._from = Math.min(Math.max(from, first), last - span);
    this._to = this._from + span;
    this._draw();
    this._place();
  }

  _zoom(factor, around = this.at) {
    const center = Math.min(Math.max(around, this._from), this._to);
    this.see(center - (center - this._from) * factor, center + (this._to - center) * factor);
  }

  // A drag on the strip chooses a part; within the window it moves the window.
  _brush(event) {
    const box = this._overview.getBoundingClientRect();
    const { first, last } = this._calendar;
    const time = (each) => first + Math.min(Math.max((each.clientX - box.left) / box.width, 0), 1) * (last - first);
    const begin = time(event), from = this._from, to = this._to;
    const isMoving = begin > from && begin < to && to - from < last - first;
    this._overview.setPointerCapture(event.pointerId);
    const drag = (moved) => {
      const at = time(moved);
      if (isMoving) this.see(from + at - begin, to + at - begin);
      else if (Math.abs(moved.clientX - event.clientX) > 4) this.see(Math.min(begin, at), Math.max(begin, at));
    };
    this._overview.addEventListener("pointermove", drag);
    this._overview.addEventListener("pointerup", () => this._overview.removeEventListener("pointermove", drag), { once: true });
  }

  // Outages that began because of something that happened; they are on no calendar.
  setFired(fired) {
    if (JSON.stringify(fired) === JSON.stringify(this._fired)) return;
    this._fired = fired;
    this._draw();
  }

  setNow(outages) {
    this._now.replaceChildren(...outages.map((outage) => h("span", { class: "tag red" }, icon("error"), outage.label)));
  }

  get marks() {
    const fired = this._fired.map((outage) => ({ kind: "outage", label: outage.label, detail: "", lane: outage.product, at: outage.since, until: outage.until }));
    return [...this._calendar.marks, ...fired].sort((a, b) => a.at - b.at);
  }

  set(at) {
    const { first, last } = this._calendar;
    this.at = Math.min(Math.max(Math.round(at), first), last);
    if (this.at < this._from || this.at > this._to) {
      const half = (this._to - this._from) / 2;
      this.see(this.at - half, this.at + half);
    }
    this._place();
  }

  stop() {
    clearInterval(this._timer);
    this._sized.disconnect();
  }

  get _isFolded() { return this._chosenFold === null ? window.innerHeight < LOW_PX || window.innerWidth < NARROW_PX : this._chosenFold === "1"; }

  _x(at) { return ((at - this._from) / (this._to - this._from)) * 100; }

  _draw() {
    const { bars } = this._calendar;
    const highest = Math.max(1, ...bars);
    const path = bars.map((count, at) => (count ? `M${at + 0.12} 40v${-Math.max(2.5, Math.sqrt(count / highest) * 36)}h0.76V40z` : "")).join("");
    const chart = (className, view) => svg("svg", { viewBox: view, preserveAspectRatio: "none", class: className, "aria-hidden": "true" }, svg("path", { d: path }));
    const { first, last } = this._calendar;
    const unit = bars.length / (last - first);
    const view = `${(this._from - first) * unit} 0 ${(this._to - this._from) * unit} 40`;
    const inSight = (mark) => (mark.until ?? mark.at) >= this._from && mark.at <= this._to;
    const node = (mark) => {
      const style = { left: `${this._x(mark.at)}%` };
      if (mark.until) style.width = `max(3px, ${this._x(mark.until) - this._x(mark.at)}%)`;
      return h("i", { class: `mark ${mark.kind}`, style });
    };
    const isFocused = this.node.getRootNode().activeElement === this._handle;
    this._past = h("div", { class: "past" }, chart("bars", view));
    this._track.replaceChildren(h("div", { class: "clip" }, h("div", { class: "rail" }), chart("bars ahead", view), this._past, ...this.marks.filter((mark) => mark.kind !== "beat" && inSight(mark)).map(node)), this._tip, this._handle);
    if (isFocused) this._handle.focus({ preventScroll: true });
    this._drawLanes();
    this._axis.replaceChildren(...this._ticks());
    const share = (at) => `${((at - first) / (last - first)) * 100}%`;
    this._now0 = h("i", { class: "now" });
    this._overview.replaceChildren(chart("bars", `0 0 ${bars.length} 40`), ...this._calendar.marks.filter((mark) => mark.kind === "outage").map((mark) => h("i", { class: "mark outage", style: { left: share(mark.at), width: `max(2px, ${((mark.until - mark.at) / (last - first)) * 100}%)` } })), this._window, this._now0);
    Object.assign(this._window.style, { left: share(this._from), width: `${((this._to - this._from) / (last - first)) * 100}%` });
  }

  _drawLanes() {
    this._rows.classList.toggle("apart", !this._isFolded);
    const width = this._lanes.clientWidth;
    if (!width) return;
    const inSight = this.marks.filter((mark) => (mark.until ?? mark.at) >= this._from && mark.at <= this._to);
    const outages = inSight.filter((mark) => mark.kind === "outage");
    const points = inSight.filter((mark) => mark.kind !== "outage");
    this._lanes.replaceChildren(this._pointLane(points, width), ...this._outageLanes(outages, width));
  }

  // Storyline events and starts of tasks; those that would cover each other are one point with a number.
  _pointLane(marks, width) {
    const px = (at) => (this._x(at) / 100) * width;
    const groups = [];
    for (const mark of marks) {
      const last = groups.at(-1);
      if (last && px(mark.at) - last.px < APART_PX) last.marks.push(mark);
      else groups.push({ px: px(mark.at), marks: [mark] });
    }
    const points = groups.map(({ px: left, marks: inside }, index) => {
      const task = inside.find((mark) => mark.kind === "task");
      const room = (groups[index + 1]?.px ?? width) - left - APART_PX;
      const label = inside.length === 1 && room > inside[0].label.length * LABEL_PX ? inside[0].label : "";
      const told = inside.slice(0, 6).map((mark) => `${this._clockOf.short(mark.at)}  ${mark.label}${mark.kind === "task" ? " (task starts)" : ""}`);
      const title = [...told, ...(inside.length > 6 ? [`and ${inside.length - 6} more; zoom in to see them`] : [])].join("\n");
      return h("button", { type: "button", tabindex: "-1", class: `point ${task ? "task" : ""}`, title, "aria-label": inside.length > 1 ? `${inside.length} at once: ${title}` : title, style: { left: `${left}px` }, onclick: () => this._toPoint(inside) },
        h("i", {}, inside.length > 1 ? String(inside.length) : ""), label && h("span", {}, label));
    });
    return h("div", { class: "lane points", role: "group", "aria-label": "Storyline events and tasks" }, h("span", { class: "row-name" }, "Events"), ...points);
  }

  // One thing is gone to; several are brought apart.
  _toPoint(marks) {
    if (marks.length > 1 && marks.at(-1).at > marks[0].at && this._to - this._from > LEAST) {
      const span = Math.max(LEAST, (marks.at(-1).at - marks[0].at) * 2);
      const middle = (marks[0].at + marks.at(-1).at) / 2;
      this.see(middle - span / 2, middle + span / 2);
    }
    this._go(marks[0].at);
  }

  // Outages: folded in one lane, else below it a lane for each vendor and service that breaks within sight.
  _outageLanes(outages, width) {
    const lanes = new Map();
    for (const mark of outages) {
      const lane = this._isFolded ? "" : mark.lane || mark.label;
      lanes.set(lane, [...(lanes.get(lane) ?? []), mark]);
    }
    const bar = (mark) => {
      const from = Math.max(0, this._x(mark.at)), to = Math.min(100, this._x(mark.until));
      const room = ((to - from) / 100) * width;
      const text = `${mark.label}, ${this._clockOf.short(mark.at)} to ${this._clockOf.time(mark.until)}`;
      return h("button", { type: "button", tabindex: "-1", class: "bar", title: text, "aria-label": text, style: { left: `${from}%`, width: `max(11px, ${to - from}%)` }, onclick: () => this._go(mark.at) }, room > 70 ? mark.label : "");
    };
    const fold = h("button", { type: "button", class: "fold", "aria-expanded": String(!this._isFolded), title: this._isFolded ? "A lane for each vendor and service" : "All outages in one lane", onclick: () => this._fold() }, icon(this._isFolded ? "chevron_right" : "expand_more"), "Outages");
    const head = h("div", { class: this._isFolded ? "lane" : "lane head" }, h("span", { class: "row-name" }, fold), ...(lanes.get("") ?? []).map(bar));
    if (this._isFolded) return [head];
    const rows = [...lanes].slice(0, MOST_LANES).map(([name, marks]) => h("div", { class: "lane", role: "group", "aria-label": `Outages of ${name}` }, h("span", { class: "row-name under", title: name }, name), ...marks.map(bar)));
    const rest = lanes.size - MOST_LANES;
    return [head, ...rows, ...(rest > 0 ? [h("div", { class: "lane more" }, `${plural(rest, "more lane")}; zoom in to see them`)] : [])];
  }

  _fold() {
    this._chosenFold = this._isFolded ? "0" : "1";
    localStorage.setItem(FOLDED, this._chosenFold);
    this._drawLanes();
    this._lanes.querySelector(".fold")?.focus();
  }

  _ticks() {
    const span = this._to - this._from;
    const steps = [5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, ...[1, 2, 3, 5, 7, 14, 28, 56, 91].map((days) => days * DAY)];
    const most = Math.min(12, Math.max(3, Math.floor(this._axis.clientWidth / 76)));
    const step = steps.find((each) => span / each <= most) ?? steps.at(-1);
    const start = this._calendar.first + Math.ceil((this._from - this._calendar.first) / step) * step;
    const labels = [];
    for (let at = start; at < this._to - span / 40; at += step) {
      const text = step >= DAY ? this._clockOf.day(at + HOUR) : step >= 6 * HOUR ? this._clockOf.short(at) : this._clockOf.time(at);
      labels.push(h("span", { style: { left: `${this._x(at)}%` } }, text));
    }
    return labels;
  }

  _place() {
    const { first, last } = this._calendar;
    const x = this._x(this.at);
    this._handle.style.left = `${x}%`;
    this._past.style.clipPath = `inset(0 ${Math.min(100, Math.max(0, 100 - x))}% 0 0)`;
    this._now0.style.left = `${((this.at - first) / (last - first)) * 100}%`;
    const spoken = this._clockOf.full(this.at);
    for (const [name, value] of [["valuemin", first], ["valuemax", last], ["valuenow", this.at], ["valuetext", spoken]]) this._handle.setAttribute(`aria-${name}`, value);
    this._clock.textContent = spoken;
    const before = this._moments().filter((moment) => moment.at <= this.at && moment.kind !== "task").at(-1);
    this._last.textContent = `${before ? `Last: ${before.label}` : "No storyline event or outage yet"}${this._calendar.is_whole ? "" : " · bars without everyday life, which is not counted yet"}`;
    this._last.title = before ? `${this._clockOf.short(before.at)} — ${before.label}` : "";
  }

  _go(at) {
    this.set(at);
    this._move(this.at);
  }

  // Where marks begin, and where those end that say so.
  _moments() {
    const ends = this.marks.filter((mark) => mark.over).map((mark) => ({ at: mark.until, kind: mark.kind, label: mark.over }));
    return [...this.marks, ...ends].sort((a, b) => a.at - b.at);
  }

  _event(direction) {
    const moments = this._moments().map((moment) => moment.at);
    const next = direction > 0 ? moments.find((at) => at > this.at) : moments.filter((at) => at < this.at).at(-1);
    this._go(next ?? (direction > 0 ? this._calendar.last : this._calendar.first));
  }

  _toggle() {
    const isRunning = Boolean(this._timer);
    clearInterval(this._timer);
    this._timer = 0;
    this._play.textContent = isRunning ? "Play" : "Pause";
    if (isRunning) return;
    if (this.at >= this._calendar.last) this._go(this._calendar.first);
    this._timer = setInterval(() => {
      if (this._isBusy()) return;
      this._go(this.at + this._calendar.bin);
      if (this.at >= this._calendar.last) this._toggle();
    }, PLAY_MS);
  }

  _key(event) {
    const zooms = { "+": () => this._zoom(0.5), "=": () => this._zoom(0.5), "-": () => this._zoom(2), 0: () => this.see(this._calendar.first, this._calendar.last) };
    if (zooms[event.key] && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      event.stopPropagation();
      zooms[event.key]();
      return;
    }
    const step = event.shiftKey ? 5 * MINUTE : Math.max(MINUTE, Math.min(this._calendar.bin, Math.round((this._to - this._from) / 120 / MINUTE) * MINUTE));
    const moves = { ArrowLeft: -step, ArrowDown: -step, ArrowRight: step, ArrowUp: step, PageUp: DAY, PageDown: -DAY };
    const { first, last } = this._calendar;
    const to = event.key === "Home" ? first : event.key === "End" ? last : event.key in moves ? this.at + moves[event.key] : null;
    if (to === null) return;
    event.preventDefault();
    event.stopPropagation();
    this._go(to);
  }

  _timeAt(event) {
    const box = this._track.getBoundingClientRect();
    const share = Math.min(Math.max((event.clientX - box.left) / box.width, 0), 1);
    return this._from + Math.round((share * (this._to - this._from)) / MINUTE) * MINUTE;
  }

  _grab(event) {
    if (event.button) return;
    event.preventDefault();
    this._handle.focus({ preventScroll: true });
    this._track.setPointerCapture(event.pointerId);
    this._go(this._near(event)?.at ?? this._timeAt(event));
    const drag = (moved) => this._go(this._timeAt(moved));
    this._track.addEventListener("pointermove", drag);
    this._track.addEventListener("pointerup", () => this._track.removeEventListener("pointermove", drag), { once: true });
  }

  // The mark under the pointer, if there is one within a few pixels.
  _near(event) {
    const width = this._track.getBoundingClientRect().width;
    const at = this._timeAt(event);
    const reach = ((this._to - this._from) / width) * 5;
    return this.marks.filter((mark) => at >= mark.at - reach && at <= mark.at + reach).sort((a, b) => Math.abs(a.at - at) - Math.abs(b.at - at))[0];
  }

  _hover(event) {
    const at = this._timeAt(event);
    const mark = this._near(event) ?? this.marks.find((each) => each.until && at >= each.at && at <= each.until);
    this._tip.replaceChildren(h("span", {}, this._clockOf.short(mark?.until ? at : (mark?.at ?? at))), mark ? h("b", {}, mark.label) : "", mark?.detail ? h("span", {}, mark.detail) : "");
    this._tip.hidden = false;
    this._tip.style.left = `${Math.min(Math.max(this._x(at), 8), 92)}%`;
  }
}
