// The whole episode in a strip: a tick for each step in the lane of whoever acted, outages as red bands.

const LANES = ["task", "agent", "coworker", "environment"];
const LANE = 9;

class Lanes {
  constructor({ go }) {
    this._canvas = h("canvas", { "aria-hidden": "true" });
    this.node = h("div", { class: "lanes", title: "Task, agent, coworkers, environment; click to go to a step" }, this._canvas);
    this._steps = [];
    this._bands = [];
    this._at = 0;
    this._size = new ResizeObserver(() => this.draw());
    this._size.observe(this.node);
    const pick = (event) => {
      const box = this.node.getBoundingClientRect();
      go(Math.round(((event.clientX - box.left - 4) / (box.width - 8)) * (this._steps.length - 1)) + 1);
    };
    this.node.addEventListener("pointerdown", (event) => {
      this.node.setPointerCapture(event.pointerId);
      pick(event);
      this.node.onpointermove = pick;
      this.node.onpointerup = () => (this.node.onpointermove = null);
    });
  }

  stop() { this._size.disconnect(); }

  show(steps, bands) {
    this._steps = steps;
    this._bands = bands;
    this.draw();
  }

  set(number) {
    this._at = number;
    this.draw();
  }

  draw() {
    const { clientWidth: width, clientHeight: height } = this.node;
    if (!width || !this._steps.length) return;
    const ratio = window.devicePixelRatio || 1;
    Object.assign(this._canvas, { width: width * ratio, height: height * ratio });
    const pen = this._canvas.getContext("2d");
    pen.scale(ratio, ratio);
    const style = getComputedStyle(this.node);
    const colour = (name) => style.getPropertyValue(name).trim();
    const colours = { task: colour("--st-gray-color"), agent: colour("--st-blue-color"), coworker: colour("--st-violet-color"), environment: colour("--st-orange-color") };
    const x = (index) => 4 + (this._steps.length < 2 ? 0 : (index / (this._steps.length - 1)) * (width - 8));
    const top = (height - LANES.length * LANE) / 2;
    pen.globalAlpha = 0.16;
    pen.fillStyle = colour("--st-red-color");
    for (const [from, to] of this._bands) pen.fillRect(x(from - 1), 3, Math.max(3, x(to - 1) - x(from - 1)), height - 6);
    pen.globalAlpha = 1;
    const tick = Math.max(1.5, Math.min(5, (width - 8) / this._steps.length - 1));
    this._steps.forEach((step, index) => {
      pen.fillStyle = step.error ? colour("--st-red-color") : colours[step.actor];
      pen.fillRect(x(index) - tick / 2, top + LANES.indexOf(step.actor) * LANE + 1, tick, LANE - 3);
    });
    pen.fillStyle = style.color;
    pen.fillRect(x(this._at - 1) - 1, 3, 2, height - 6);
  }
}
