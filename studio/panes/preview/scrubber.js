// The calendar: how much happens when, outages in red, storyline events in violet, and a handle to move through it.

const PLAY_MS = 450;

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
    this._tip = h("div", { class: "tip", hidden: true });
    this._handle = h("div", { class: "handle", role: "slider", tabindex: "0", "aria-label": "World time", onkeydown: (event) => this._key(event) });
    this.node = h("section", { class: "card scrubber", "aria-label": "Calendar" },
      h("div", { class: "controls" },
        button("‹ event", "The event before", () => this._event(-1)), this._play, button("event ›", "The next event", () => this._event(1)),
        this._clock, this._last, this._now, h("span", { class: "gap" }), this._copy),
      this._track, this._axis,
      h("div", { class: "legend" }, ...[["outage", "outage"], ["beat", "storyline event"], ["task", "task starts"], ["volume", "activity"]].map(([kind, label]) => h("span", {}, h("i", { class: kind }), label))));
    this._track.addEventListener("pointerdown", (event) => this._grab(event));
    this._track.addEventListener("pointermove", (event) => this._hover(event));
    this._track.addEventListener("pointerleave", () => (this._tip.hidden = true));
  }

  show(calendar, clock) {
    this._calendar = calendar;
    this._clockOf = clock;
    this._fired = [];
    this._draw();
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
    const fired = this._fired.map((outage) => ({ kind: "outage", label: outage.label, detail: "", at: outage.since, until: outage.until }));
    return [...this._calendar.marks, ...fired].sort((a, b) => a.at - b.at);
  }

  set(at) {
    const { first, last } = this._calendar;
    this.at = Math.min(Math.max(Math.round(at), first), last);
    this._place();
  }

  stop() { clearInterval(this._timer); }

  _x(at) { return ((at - this._calendar.first) / (this._calendar.last - this._calendar.first)) * 100; }

  _draw() {
    const { bars } = this._calendar;
    const highest = Math.max(1, ...bars);
    const path = bars.map((count, at) => (count ? `M${at + 0.12} 40v${-Math.max(2.5, Math.sqrt(count / highest) * 36)}h0.76V40z` : "")).join("");
    const chart = (className) => svg("svg", { viewBox: `0 0 ${bars.length} 40`, preserveAspectRatio: "none", class: className, "aria-hidden": "true" }, svg("path", { d: path }));
    const marks = this.marks.map((mark) => {
      const style = { left: `${this._x(mark.at)}%` };
      if (mark.until) style.width = `max(3px, ${this._x(mark.until) - this._x(mark.at)}%)`;
      return h("i", { class: `mark ${mark.kind}`, style });
    });
    this._past = h("div", { class: "past" }, chart("bars"));
    this._track.replaceChildren(h("div", { class: "rail" }), chart("bars ahead"), this._past, ...marks, this._tip, this._handle);
    this._axis.replaceChildren(...this._days());
  }

  _days() {
    const { first, last } = this._calendar;
    const days = (last - first) / DAY;
    const step = [1, 2, 3, 5, 7, 14, 28, 56].find((each) => days / each <= 12) ?? 91;
    const labels = [];
    for (let at = first; at < last - (step * DAY) / 3; at += step * DAY) labels.push(h("span", { style: { left: `${this._x(at)}%` } }, this._clockOf.day(at + HOUR)));
    return labels;
  }

  _place() {
    const { first, last } = this._calendar;
    const x = this._x(this.at);
    this._handle.style.left = `${x}%`;
    this._past.style.clipPath = `inset(0 ${100 - x}% 0 0)`;
    const spoken = this._clockOf.full(this.at);
    for (const [name, value] of [["valuemin", first], ["valuemax", last], ["valuenow", this.at], ["valuetext", spoken]]) this._handle.setAttribute(`aria-${name}`, value);
    this._clock.textContent = spoken;
    const before = this._moments().filter((moment) => moment.at <= this.at && moment.kind !== "task").at(-1);
    this._last.textContent = before ? `Last: ${before.label}` : "Nothing has happened yet";
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
    const step = event.shiftKey ? 5 * MINUTE : this._calendar.bin;
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
    const { first, last } = this._calendar;
    return first + Math.round((share * (last - first)) / MINUTE) * MINUTE;
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
    const reach = ((this._calendar.last - this._calendar.first) / width) * 5;
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
