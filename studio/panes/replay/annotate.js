// Annotating a run: labels by key, first error, decisive step, spans, corrections, notes; every record is kept at once.

const PARTS = { result: "result", arguments: "call", prose: "words", thought: "reasoning" };
const KINDS = { first_error: "First error", decisive: "Decisive step", rating: "Step", label: "Label", span: "Marked", correction: "Should have been", note: "Note", done: "Done", skip: "Skipped", verdict: "Verdict" };

class Annotator {
  // here() is the step that is open; go(seq) opens another; number(seq) is its place in the list; open(run) another run.
  constructor({ here, go, number, open, changed }) {
    Object.assign(this, { _here: here, _go: go, _number: number, _open: open, _changed: changed });
    this.records = [];
    this._last = Promise.resolve();
    this._say = h("p", { class: "said-so", role: "status" });
    this._labels = h("div", { class: "labels" });
    this._more = h("select", { "aria-label": "More labels", onchange: (event) => { if (event.target.value) this.toggle("label", event.target.value); event.target.value = ""; } });
    this._others = h("div", { class: "labels others" });
    this._meaning = h("p", { class: "hint meaning" });
    this._clean = h("p", { class: "hint" }, "No first error is marked: submitted so, the run counts as free of error.");
    this._marks = h("div", { class: "marks" });
    this._note = h("textarea", { rows: "2", "aria-label": "Note", placeholder: "Note on this run (N)" });
    this._better = h("input", { type: "text", "aria-label": "Correct action", placeholder: "What it should have done here" });
    this._list = h("ul", { class: "records" });
    this._progress = h("span", { class: "progress" });
    const button = (label, key, work, className = "quiet") => h("button", { type: "button", class: className, onclick: work }, label, key && h("kbd", {}, key));
    const told = (node, title) => { node.title = title; return node; };
    this._first = button("First error", "F", () => this.toggle("first_error"));
    this._decisive = button("Decisive", "D", () => this.toggle("decisive"));
    this._good = button("Good", "G", () => this.toggle("rating", "good"));
    this._bad = button("Bad", "B", () => this.toggle("rating", "bad"));
    told(this._first, "Mark this step as the one at which the run first went wrong (F); press it again to take it back");
    told(this._decisive, "Mark this step as the one after which the outcome could no longer be put right (D)");
    told(this._good, "This step was well done (G)");
    told(this._bad, "This step was badly done (B)");
    this._note.addEventListener("input", () => this._keepTyped(this._noteName, this._note.value));
    this._better.addEventListener("input", () => this._keepTyped(this._betterName(this._betterOf), this._better.value));
    this._note.addEventListener("keydown", (event) => this._leave(event, () => this._keepNote()));
    this._better.addEventListener("keydown", (event) => this._leave(event, () => this._keepBetter()));
    this._note.addEventListener("blur", () => this._keepNote());
    this._better.addEventListener("blur", () => this._keepBetter());
    this.node = h("section", { class: "annotate", "aria-label": "Annotate" },
      h("header", {}, h("h5", {}, "Annotate"), this._progress),
      h("div", { class: "buttons" }, this._first, this._decisive, this._good, this._bad),
      this._labels, this._others, this._more, this._meaning, this._better, this._note, this._marks, this._list, this._clean,
      h("footer", { class: "submit" }, this._say, button("Undo", "U", () => this.undo()), button("Skip", "", () => this.end("skip")), (this._submit = button("Submit and next", "Ctrl+Enter", () => this.end("done"), "primary"))));
  }

  async show(data, run) {
    this._data = data;
    this._run = run;
    this._submit.firstChild.textContent = data.queue ? "Submit and next" : "Submit"; // a run of no queue has no next one
    this._marks.replaceChildren();
    if (!this._drawn) {
      this._labels.replaceChildren(...data.labels.filter((one) => one.key).map((one) => this._label(one)));
      const rest = data.labels.filter((one) => !one.key);
      this._more.replaceChildren(h("option", { value: "" }, "More labels…"), ...[...new Set(rest.map((one) => one.axis))].map((axis) => h("optgroup", { label: axis }, ...rest.filter((one) => one.axis === axis).map((one) => h("option", { value: one.code }, one.check ? `${one.title} (${one.check})` : one.title)))));
      this._drawn = true;
    }
    await this._soon(() => this._send("", { author: data.author, run, queue: data.queue }));
  }

  _label(one) {
    const explain = () => this._explain(one);
    return h("button", { type: "button", class: "label", title: one.says, "data-code": one.code, onclick: () => this.toggle("label", one.code), onmouseenter: explain, onfocus: explain }, one.key && h("kbd", {}, String(one.key)), one.title);
  }

  _explain(one) { this._meaning.replaceChildren(h("b", {}, one.title), ` ${one.says}`); }

  title(code) { return this._data.labels.find((one) => one.code === code)?.title ?? code; }

  // One thing after the other: whoever types fast means what they did before, and an older answer must not follow a newer one.
  _soon(work) {
    const run = this._run;
    const done = this._last.then(() => work(run));
    this._last = done.catch(() => null);
    return done;
  }

  // -- records ---------------------------------------------------------------------------------------------

  at(step, kind, value) { return this.records.find((one) => one.step === step.seq && one.kind === kind && (value === undefined || one.value === value)); }

  // What was said of a step, in words: `First error`, `Misread evidence`.
  said(step) {
    return this.records.filter((one) => one.step === step.seq).map((one) => (one.kind === "label" ? this.title(one.value) : one.kind === "rating" ? `${one.value === "good" ? "Good" : "Bad"} step` : KINDS[one.kind]));
  }

  toggle(kind, value = "") {
    const step = this._here();
    if (!step) return;
    const single = kind === "first_error" || kind === "decisive";
    const label = kind === "label" && this._data.labels.find((one) => one.code === value);
    if (label) this._explain(label);
    this._soon((run) => {
      const known = single ? this.records.find((one) => one.kind === kind) : this.at(step, kind, kind === "label" ? value : undefined);
      if (known && known.step === step.seq && (known.value ?? "") === value) return this._add(run, { kind: "undo", supersedes: known.id });
      return this._add(run, { kind, step: step.seq, call: step.calls, value, supersedes: known && kind !== "label" ? known.id : "" });
    });
  }

  // Whether a criterion is met, as this annotator sees it; the same again takes it back.
  verdict(criterion, value) {
    return this._soon((run) => {
      const known = this.records.find((one) => one.kind === "verdict" && one.about === criterion);
      if (known?.value === value) return this._add(run, { kind: "undo", supersedes: known.id });
      return this._add(run, { kind: "verdict", about: criterion, value, supersedes: known?.id ?? "" });
    });
  }

  _add(run, draft) {
    const whole = { run, taxonomy: draft.kind === "label" ? this._data.taxonomy : "", ...draft };
    return this._send("/add", { author: this._data.author, run, queue: this._data.queue, drafts: [whole] });
  }

  undo() {
    return this._soon(async (run) => {
      const answer = await this._send("/undo", { author: this._data.author, run, queue: this._data.queue });
      if (answer) this._tell(answer.undone ? `Took back: ${KINDS[answer.undone] ?? answer.undone}` : "Nothing to take back");
    });
  }

  end(kind) {
    this._keepNote();
    this._keepBetter();
    return this._soon((run) => this._end(run, kind));
  }

  async _end(run, kind) {
    if (kind === "done" && !this.records.some((one) => one.kind !== "done" && one.kind !== "skip")) {
      this._tell("Say something of it first: a label, a note, or Good on a step. Skip leaves it for later.");
      return;
    }
    const answer = await this._add(run, { kind });
    if (!answer) return;
    if (answer.next && answer.next !== run) this._open(answer.next);
    else this._thank(answer.total ? "Kept. The queue is done: nothing of it is left for you." : "Kept. This run is of no queue, so none comes next.", h("a", { href: "annotate", target: "_self" }, "Open Annotate"));
  }

  // Words that are marked in the open step; offsets count characters, as Python does.
  mark() {
    const step = this._here();
    const root = this.node.getRootNode();
    const selection = root.getSelection?.() ?? document.getSelection();
    const range = selection?.rangeCount ? selection.getRangeAt(0) : null;
    const within = range && (range.startContainer.parentElement ?? range.startContainer).closest?.("[data-part]");
    if (!step || !within || range.collapsed || !within.contains(range.endContainer)) {
      this._tell("Select some words of one part of this step first.");
      return;
    }
    const before = document.createRange();
    before.selectNodeContents(within);
    before.setEnd(range.startContainer, range.startOffset);
    const start = [...before.toString()].length;
    const quote = range.toString();
    const about = `${within.dataset.part}/0`, end = start + [...quote].length;
    this._soon((run) => {
      const label = this.records.find((one) => one.kind === "label" && one.step === step.seq)?.value ?? "";
      return this._add(run, { kind: "span", step: step.seq, call: step.calls, about, start, end, quote, value: label });
    });
  }

  // What stands in a field is kept in the tab until it is a record.
  get _noteName() { return `${this._data.author} note`; }

  _betterName(step) { return `${this._data.author} step ${step?.seq}`; }

  _keepTyped(name, text) {
    if (text.trim()) notes.keep(this._run, name, text);
    else notes.forget(this._run, name);
  }

  _typedOr(name, record) { return notes.read(this._run, name) ?? record?.text ?? ""; }

  async _addTyped(run, name, draft) {
    const isKept = await this._add(run, draft);
    if (isKept && notes.read(run, name)?.trim() === draft.text) notes.forget(run, name);
    return isKept;
  }

  _keepNote() {
    const name = this._noteName, text = this._note.value.trim();
    const noted = () => this.records.find((one) => one.kind === "note");
    if (text === noted()?.text) notes.forget(this._run, name);
    if (!text || text === noted()?.text || text === this._keptNote) return;
    this._keptNote = text;  // losing the focus comes before the answer
    this._soon(async (run) => {
      if (!(await this._addTyped(run, name, { kind: "note", text, supersedes: noted()?.id ?? "" }))) this._keptNote = "";
    });
  }

  _keepBetter() {
    const step = this._betterOf, name = this._betterName(step), text = this._better.value.trim();
    const said = step && this.at(step, "correction")?.text;
    if (step && text === said) notes.forget(this._run, name);
    if (!step || !text || text === said || `${step.seq} ${text}` === this._keptBetter) return;
    this._keptBetter = `${step.seq} ${text}`;
    this._soon(async (run) => {
      if (!(await this._addTyped(run, name, { kind: "correction", step: step.seq, call: step.calls, text, supersedes: this.at(step, "correction")?.id ?? "" }))) this._keptBetter = "";
    });
  }

  async _send(route, body) {
    try {
      const answer = route ? await this._post(route, body) : await ask(this._data.token, "annotations", body);
      if (body.run !== this._run) return null;
      this.records = answer.records;
      this._progress.replaceChildren(answer.total ? `${this._data.author} · ${answer.done} of ${answer.total} · ` : `as ${this._data.author} · `, h("a", { href: "annotate", target: "_self", title: "The name stands at the top of Annotate, where it can be changed" }, "change"));
      this._say.textContent = "";
      if (route !== "/add") {
        const noted = this.records.find((one) => one.kind === "note");
        this._keptNote = noted?.text ?? "";
        this._note.value = this._typedOr(this._noteName, noted);
        this._keptBetter = "";
        this._betterOf = null;
      }
      this._changed();
      this.place();
      return answer;
    } catch (error) {
      this._tell(error.message);
      return null;
    }
  }

  async _post(route, body) {
    const answer = await fetch(`/api/annotations${route}`, { method: "POST", headers: { "X-Studio-Token": this._data.token, "Content-Type": "application/json" }, body: JSON.stringify(body) });
    const said = await answer.json().catch(() => ({ error: "the studio gave no answer" }));
    if (!answer.ok) throw new Error(said.error);
    return said;
  }

  // What went well is no warning.
  _thank(text, link) {
    this._tell(text, link);
    this._say.classList.add("well");
  }

  _tell(text, link = "") {
    this._say.classList.remove("well");
    this._say.replaceChildren(text, link && " ", link);
    if (text) this._say.scrollIntoView?.({ block: "nearest" });
  }

  // -- drawing ---------------------------------------------------------------------------------------------

  place() {
    const step = this._here();
    if (!step) return;
    const press = (node, isOn) => node.setAttribute("aria-pressed", String(Boolean(isOn)));
    press(this._first, this.at(step, "first_error"));
    press(this._decisive, this.at(step, "decisive"));
    press(this._good, this.at(step, "rating", "good"));
    press(this._bad, this.at(step, "rating", "bad"));
    for (const node of this._labels.children) press(node, this.at(step, "label", node.dataset.code));
    this._others.replaceChildren(...this._data.labels.filter((one) => !one.key && this.at(step, "label", one.code)).map((one) => this._label(one)));
    for (const node of this._others.children) press(node, true);
    this._clean.hidden = this.records.some((one) => one.kind === "first_error");
    if (this._betterOf !== step) {
      this._betterOf = step;
      this._better.value = this._typedOr(this._betterName(step), this.at(step, "correction"));
    }
    const title = (one) => (one.value ? this.title(one.value) : "");
    const row = (one) => h("li", {}, h("button", { type: "button", class: "quiet", disabled: one.step === undefined, onclick: () => this._go(one.step) },
      h("b", {}, KINDS[one.kind] ?? one.kind), " ", one.kind === "span" ? `“${one.quote}”` : one.text || (one.kind === "verdict" ? `${one.about}: ${one.value}` : title(one)), one.step !== undefined && h("small", {}, ` · step ${this._number(one.step)}`)));
    this._list.replaceChildren(...this.records.filter((one) => one.kind !== "note").map(row));
  }

  // -- keys ------------------------------------------------------------------------------------------------

  // Whether a key was meant for annotating.
  key(event) {
    if ((event.ctrlKey || event.metaKey) && event.key === "Enter") {
      this.end("done");
      return true;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return false;
    const key = event.key.toLowerCase();
    const label = this._data.labels.find((one) => String(one.key) === key);
    const work = label ? () => this.toggle("label", label.code) : { f: () => this.toggle("first_error"), d: () => this.toggle("decisive"), g: () => this.toggle("rating", "good"), b: () => this.toggle("rating", "bad"), h: () => this.mark(), u: () => this.undo(), n: () => this._note.focus() }[key];
    work?.();
    return Boolean(work);
  }

  _leave(event, keep) {
    event.stopPropagation();
    if (event.key === "Escape" || ((event.ctrlKey || event.metaKey) && event.key === "Enter") || (event.key === "Enter" && event.target === this._better)) {
      event.preventDefault();
      keep();
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.end("done");
      event.target.closest(".pane").focus();
    }
  }
}
