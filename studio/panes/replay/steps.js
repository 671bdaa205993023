// The steps, one below the other; only those in sight are on the page. Coworkers' steps in a row are folded into one.

const STEP = 46;
const FOLDED = 3;
const ACTORS = { agent: "Agent", coworker: "Coworkers", environment: "World", task: "Task" };

class StepList {
  constructor({ go }) {
    this._go = go;
    this.steps = [];
    this.shown = [];
    this._rows = [];
    this._hidden = new Set();
    this._opened = new Set();
    this._q = "";
    this._space = h("div", { class: "space" });
    this._filters = h("div", { class: "filters", role: "group", "aria-label": "Show steps of" });
    this._search = h("input", { type: "search", "aria-label": "Search steps", placeholder: "Search steps  /" });
    this._miss = h("p", { class: "hint miss", role: "status", hidden: true });
    this._search.addEventListener("input", () => { this._q = this._search.value.trim().toLowerCase(); this._filter(); this.set(this._at); });
    this._search.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Escape" || event.key === "Enter") {
        if (event.key === "Enter" && this.shown.length) this._go(this.shown[0].n);
        event.target.closest(".pane").focus();
      }
    });
    this._box = h("div", { class: "steps", role: "listbox", tabindex: "0", "aria-label": "Steps", onscroll: () => this._sight() }, this._space);
    this.node = h("div", { class: "steps-frame" }, h("div", { class: "search" }, this._search), this._filters, this._miss, this._box);
    this._size = new ResizeObserver(() => this._sight());
    this._size.observe(this._box);
  }

  stop() { this._size.disconnect(); }

  search() { this._search.focus(); }

  // What annotators said of steps; their rows show it.
  annotate(of) {
    this._said = of;
    this._drawn = "";
    this._sight();
  }

  show(steps) {
    this.steps = steps;
    this._filter();
  }

  set(number) {
    this._at = number;
    const folded = this._rows.find((row) => row.fold && !row.isOpen && row.fold.slice(1).some((step) => step.n === number));
    if (folded) {
      this._opened.add(folded.step.n);
      this._filter();
    }
    const index = this._index(number);
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
  next(from, direction, fits = () => true, all = false) {
    const steps = all ? this._fitting : this.shown;
    const ahead = direction > 0 ? steps.filter((step) => step.n > from) : steps.filter((step) => step.n < from).reverse();
    return ahead.find(fits)?.n ?? null;
  }

  _index(number) { return this._rows.findIndex((row) => row.step.n === number && !(row.fold && row.isOpen)); }

  _filter() {
    const counts = {};
    for (const step of this.steps) counts[step.actor] = (counts[step.actor] ?? 0) + 1;
    this._filters.replaceChildren(...Object.entries(ACTORS).filter(([actor]) => counts[actor] && actor !== "task").map(([actor, label]) => h("button", {
      type: "button", "aria-pressed": String(!this._hidden.has(actor)), title: `${this._hidden.has(actor) ? "Show" : "Hide"} these ${plural(counts[actor], "step")}`,
      onclick: () => { if (!this._hidden.delete(actor)) this._hidden.add(actor); this._filter(); this.set(this._at); },
    }, h("i", { class: `dot ${actor}` }), label, h("small", {}, counts[actor]))));
    const says = (step) => !this._q || `${step.title} ${step.about} ${step.badge}`.toLowerCase().includes(this._q);
    this._fitting = this.steps.filter((step) => !this._hidden.has(step.actor) && says(step));
    this._rows = this._q ? this._fitting.map((step) => ({ step })) : this._folded(this._fitting);
    this.shown = this._rows.filter((row) => !(row.fold && row.isOpen)).map((row) => row.step);
    this._miss.hidden = this._fitting.length > 0 || !this.steps.length;
    this._box.setAttribute("role", this._rows.length ? "listbox" : "region"); // a list box without options is none
    this._miss.textContent = this._q ? `No step says “${this._search.value.trim()}”.` : "No steps of those you show.";
    this._space.style.height = `${this._rows.length * STEP}px`;
    this._drawn = "";
    this._sight();
  }

  // Rows of steps; several coworkers' steps in a row stand under one that says how many they are.
  _folded(steps) {
    const rows = [];
    for (let from = 0; from < steps.length;) {
      let to = from;
      while (to < steps.length && steps[to].actor === "coworker") to += 1;
      if (to - from < FOLDED) {
        rows.push({ step: steps[from] });
        from += 1;
        continue;
      }
      const fold = steps.slice(from, to), isOpen = this._opened.has(fold[0].n);
      rows.push({ step: fold[0], fold, isOpen });
      if (isOpen) rows.push(...fold.map((step) => ({ step, isInner: true })));
      from = to;
    }
    return rows;
  }

  _sight() {
    const first = Math.max(0, Math.floor(this._box.scrollTop / STEP) - 8);
    const last = Math.min(this._rows.length, Math.ceil((this._box.scrollTop + this._box.clientHeight) / STEP) + 8);
    const drawn = `${first} ${last} ${this._rows.length} ${this._at}`;
    if (drawn === this._drawn) return;
    this._drawn = drawn;
    this._space.replaceChildren(...this._rows.slice(first, last).map((row, at) => (row.fold ? this._fold(row, first + at) : this._row(row, first + at))));
    if (this._index(this._at) >= 0) this._box.setAttribute("aria-activedescendant", `step-${this._at}`);
    else this._box.removeAttribute("aria-activedescendant");
  }

  _fold({ step, fold, isOpen }, index) {
    const isNow = !isOpen && step.n === this._at;
    const turn = () => { if (!this._opened.delete(step.n)) this._opened.add(step.n); this._filter(); this._go(step.n); };
    const names = [...new Set(fold.map((each) => each.title.split(" ")[0]))];
    return h("div", { class: `step fold ${isNow ? "now" : ""}`, role: "option", id: isOpen ? null : `step-${step.n}`, "aria-selected": String(isNow), title: isOpen ? "Fold these steps" : "Unfold these steps", style: { top: `${index * STEP}px` }, onclick: turn },
      h("span", { class: "number" }, String(step.n)), icon(isOpen ? "expand_more" : "chevron_right"),
      h("span", { class: "lines" }, h("span", { class: "name" }, `${fold.length} steps of coworkers`), h("small", {}, names.slice(0, 5).join(", ") + (names.length > 5 ? " …" : ""))));
  }

  _row({ step, isInner }, index) {
    const tone = step.error ? "red" : step.badge === "outage" ? "orange" : "gray";
    const said = this._said?.(step) ?? [];
    const rest = said.length > 2 ? [h("span", { class: "tag violet", title: `Annotated: ${said.slice(2).join(", ")}` }, `+${said.length - 2}`)] : [];
    const words = [...said.slice(0, 2).map((text) => h("span", { class: "tag violet", title: `Annotated: ${text}` }, icon("edit"), text)), ...rest];
    return h("div", { class: `step ${step.n === this._at ? "now" : ""} ${isInner ? "inner" : ""}`, role: "option", id: `step-${step.n}`, "aria-selected": String(step.n === this._at), style: { top: `${index * STEP}px` }, title: step.about ? `${step.title}: ${step.about}` : step.title, onclick: () => this._go(step.n) },
      h("span", { class: "number" }, String(step.n)),
      h("i", { class: `dot ${step.error ? "failed" : step.actor}`, title: ACTORS[step.actor] }),
      h("span", { class: "lines" }, h("span", { class: "name" }, ...this._marked(step.title)), h("small", {}, ...(words.length ? words : this._marked(step.about)))),
      step.badge && h("span", { class: `tag ${tone}` }, step.badge),
      step.changes > 0 && h("span", { class: "changes", title: plural(step.changes, "change") }, `Δ${step.changes}`));
  }

  // A text with what is searched for marked.
  _marked(text) {
    const at = this._q ? text.toLowerCase().indexOf(this._q) : -1;
    return at < 0 ? [text] : [text.slice(0, at), h("mark", {}, text.slice(at, at + this._q.length)), text.slice(at + this._q.length)];
  }
}
