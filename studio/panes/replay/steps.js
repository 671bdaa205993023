// The steps, one below the other; only those in sight are on the page.

const STEP = 34;
const ACTORS = { agent: "Agent", coworker: "Coworkers", environment: "World", task: "Task" };

class StepList {
  constructor({ go }) {
    this._go = go;
    this.steps = [];
    this.shown = [];
    this._hidden = new Set();
    this._space = h("div", { class: "space" });
    this._filters = h("div", { class: "filters", role: "group", "aria-label": "Show steps of" });
    this._box = h("div", { class: "steps", role: "listbox", tabindex: "0", "aria-label": "Steps", onscroll: () => this._sight() }, this._space);
    this.node = h("div", { class: "steps-frame" }, this._filters, this._box);
    this._size = new ResizeObserver(() => this._sight());
    this._size.observe(this._box);
  }

  stop() { this._size.disconnect(); }

  show(steps) {
    this.steps = steps;
    this._filter();
  }

  set(number) {
    this._at = number;
    const index = this.shown.findIndex((step) => step.n === number);
    if (index >= 0) {
      const top = index * STEP;
      const { scrollTop, clientHeight } = this._box;
      if (top < scrollTop + STEP) this._box.scrollTop = top - STEP;
      else if (top + STEP * 2 > scrollTop + clientHeight) this._box.scrollTop = top + STEP * 2 - clientHeight;
    }
    this._drawn = "";
    this._sight();
  }

  // The nearest visible step in a direction that fits; null where there is none.
  next(from, direction, fits = () => true) {
    const ahead = direction > 0 ? this.shown.filter((step) => step.n > from) : this.shown.filter((step) => step.n < from).reverse();
    return ahead.find(fits)?.n ?? null;
  }

  _filter() {
    const counts = {};
    for (const step of this.steps) counts[step.actor] = (counts[step.actor] ?? 0) + 1;
    this._filters.replaceChildren(...Object.entries(ACTORS).filter(([actor]) => counts[actor] && actor !== "task").map(([actor, label]) => h("button", {
      type: "button", "aria-pressed": String(!this._hidden.has(actor)), title: `${this._hidden.has(actor) ? "Show" : "Hide"} these steps`,
      onclick: () => { if (!this._hidden.delete(actor)) this._hidden.add(actor); this._filter(); this.set(this._at); },
    }, h("i", { class: `dot ${actor}` }), label, h("small", {}, counts[actor]))));
    this.shown = this.steps.filter((step) => !this._hidden.has(step.actor));
    this._space.style.height = `${this.shown.length * STEP}px`;
    this._drawn = "";
    this._sight();
  }

  _sight() {
    const first = Math.max(0, Math.floor(this._box.scrollTop / STEP) - 8);
    const last = Math.min(this.shown.length, Math.ceil((this._box.scrollTop + this._box.clientHeight) / STEP) + 8);
    const drawn = `${first} ${last} ${this.shown.length} ${this._at}`;
    if (drawn === this._drawn) return;
    this._drawn = drawn;
    this._space.replaceChildren(...this.shown.slice(first, last).map((step, at) => this._row(step, first + at)));
    const index = this.shown.findIndex((step) => step.n === this._at);
    if (index >= 0) this._box.setAttribute("aria-activedescendant", `step-${this._at}`);
    else this._box.removeAttribute("aria-activedescendant");
  }

  _row(step, index) {
    const tone = step.error ? "red" : step.badge === "outage" ? "orange" : "gray";
    return h("div", { class: `step ${step.n === this._at ? "now" : ""}`, role: "option", id: `step-${step.n}`, "aria-selected": String(step.n === this._at), style: { top: `${index * STEP}px` }, title: step.title, onclick: () => this._go(step.n) },
      h("span", { class: "number" }, String(step.n)),
      h("i", { class: `dot ${step.error ? "failed" : step.actor}`, title: ACTORS[step.actor] }),
      h("span", { class: "name" }, step.title),
      step.badge && h("span", { class: `tag ${tone}` }, step.badge),
      step.changes > 0 && h("span", { class: "changes", title: plural(step.changes, "change") }, `Δ${step.changes}`));
  }
}
