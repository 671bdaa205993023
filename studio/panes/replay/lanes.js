// The whole episode in a strip over world time: a tick for each step in the lane of whoever acted, outages as red bands.

const LANES = { task: "Task", agent: "Agent", coworker: "Coworkers", environment: "World" };
const LANE = 14, GUTTER = 74, EDGE = 8;
const TICKS = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440].map((minutes) => minutes * MINUTE);

class Lanes {
  constructor({ go }) {
    this._canvas = h("canvas", { "aria-hidden": "true" });
    this._axis = h("div", { class: "axis", "aria-hidden": "true" });
    const names = h("div", { class: "names", "aria-hidden": "true" }, ...Object.values(LANES).map((name) => h("span", {}, name)));
    this.node = h("div", { class: "lanes", title: "Click to go to the step at that time" }, this._canvas, names, this._axis);
    this._steps = [];
    this._bands = [];
    this._at = 0;
    this._size = new ResizeObserver(() => this.draw());
    this._size.observe(this.node);
    const pick = (event) => {
      const box = this.node.getBoundingClientRect();
      const at = this._time(event.clientX - box.left, box.width);
      const lane = Object.keys(LANES)[Math.floor((event.clientY - box.top) / LANE)];
      const reach = (this._span / (box.width - GUTTER)) * 6;
      const near = (steps) => steps.reduce((best, step) => (Math.abs(step.at - at) < Math.abs(best.at - at) ? step : best), steps[0]);
      const own = this._steps.filter((step) => step.actor === lane && Math.abs(step.at - at) < reach);
      const step = near(own.length ? own : this._steps);
      if (step) go(step.n);
    };
    this.node.addEventListener("pointerdown", (event) => {
      this.node.setPointerCapture(event.pointerId);
      pick(event);
      this.node.onpointermove = pick;
      this.node.onpointerup = () => (this.node.onpointermove = null);
    });
  }

  stop() { this._size.disconnect(); }

  show(steps, bands, clock) {
    this._steps = steps;
    this._bands = bands;
    this._clock = clock;
    this._first = steps[0]?.at ?? 0;
    this._span = Math.max(MINUTE, (steps.at(-1)?.at ?? 0) - this._first);
    this.draw();
  }

  set(number) {
    this._at = number;
    this.draw();
  }

  _x(at, width) { return GUTTER + ((at - this._first) / this._span) * (width - GUTTER - EDGE); }

  _time(x, width) { return this._first + ((x - GUTTER) / (width - GUTTER - EDGE)) * this._span; }

  draw() {
    const { clientWidth: width } = this.node;
    const height = LANE * Object.keys(LANES).length;
    if (!width || !this._steps.length) return;
    const ratio = window.devicePixelRatio || 1;
    Object.assign(this._canvas, { width: width * ratio, height: height * ratio });
    Object.assign(this._canvas.style, { width: `${width}px`, height: `${height}px` });
    const pen = this._canvas.getContext("2d");
    pen.scale(ratio, ratio);
    const style = getComputedStyle(this.node);
    const colour = (name) => style.getPropertyValue(name).trim();
    const colours = { task: colour("--st-gray-color"), agent: colour("--st-blue-color"), coworker: colour("--st-violet-color"), environment: colour("--st-orange-color") };
    const lanes = Object.keys(LANES);
    pen.fillStyle = colour("--line");
    lanes.forEach((_, number) => pen.fillRect(GUTTER, (number + 1) * LANE - 1, width - GUTTER - EDGE, 1));
    pen.globalAlpha = 0.16;
    pen.fillStyle = colour("--st-red-color");
    const at = (number) => this._x(this._steps[number - 1].at, width);
    for (const [from, to] of this._bands) pen.fillRect(at(from), 0, Math.max(3, at(to) - at(from)), height);
    pen.globalAlpha = 1;
    for (const step of this._steps) {
      pen.fillStyle = step.error ? colour("--st-red-color") : colours[step.actor];
      pen.fillRect(this._x(step.at, width) - 1.5, lanes.indexOf(step.actor) * LANE + 2, 3, LANE - 4);
    }
    pen.fillStyle = style.color;
    if (this._at) pen.fillRect(at(Math.min(this._at, this._steps.length)) - 1, 0, 2, height);
    this._drawAxis(width);
  }

  _drawAxis(width) {
    const room = Math.max(2, Math.floor((width - GUTTER) / 74));
    const step = TICKS.find((each) => this._span / each <= room) ?? TICKS.at(-1) * Math.ceil(this._span / TICKS.at(-1) / room);
    const ticks = [];
    for (let at = Math.ceil(this._first / step) * step; at <= this._first + this._span; at += step) {
      const text = step >= DAY ? this._clock.day(at) : this._clock.time(at);
      if (this._x(at, width) < width - 24) ticks.push(h("span", { style: { left: `${this._x(at, width)}px` } }, text));
    }
    this._axis.replaceChildren(...ticks);
  }
}
