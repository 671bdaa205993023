// Drafting with a model: what is wanted in words, then the change of the text as a diff, what is wrong with it, and what it cost.
// Nothing is asked before a click, and nothing is written before it is approved. What a model says is only ever text.

const DRAFTED = { people: "person", storylines: "storyline", tasks: "task" };
const DRAFT_HINTS = {
  person: "Somebody in support who came from one of the clinics, works late hours and answers in half sentences.",
  storyline: "The accountant moves the deadline for invoices twice, once in a mail that only finance reads.",
  task: "Find out which deadline for invoices holds now, and tell whoever still works by the old one.",
};

class Drafter {
  constructor({ text, cm, kind, drafter }) {
    Object.assign(this, { _text: text, _cm: cm, _kind: kind, _drafter: drafter, _views: [], _asked: null });
    this._wanted = h("textarea", { rows: 4, placeholder: DRAFT_HINTS[kind], maxlength: 8000 });
    this._ask = button("Ask the model", () => this._draft(), { name: "auto_awesome" });
    this._stop = button("Stop waiting", () => this._stopWaiting(), { kind: "plain" });
    this._status = h("span", { class: "soft", role: "status" });
    this._late = h("p", { class: "soft", role: "status", hidden: true });
    this._result = h("div", { class: "draft-result" });
    this._stop.hidden = true;
  }

  // The entry that was written, null where none was.
  async run() {
    const where = this._drafter.at ? ` at ${this._drafter.at}` : "";
    const body = [
      h("label", {}, h("span", {}, `Describe the ${this._kind}`), this._wanted),
      h("p", { class: "soft" }, h("b", {}, this._drafter.model), `${where} is sent your words, the format, this world's names and one entry of it as an example. It is asked once for each click, and nothing is written before you approve it.`),
      h("div", { class: "row" }, this._ask, this._stop, this._status), this._late, this._result,
    ];
    const answer = dialog(`Draft a ${this._kind}`, body, [["Cancel", null, ""], ["Approve", "", "primary approve", () => this._approve()]], { wide: true });
    this._drawApprove();
    const written = await answer;
    this._asked = null;
    this._views.forEach((one) => one.destroy());
    return written;
  }

  async _draft() {
    const description = this._wanted.value.trim();
    if (!description) { this._wanted.focus(); return; }
    const again = this._made && this._made.description === description ? { answer: this._made.answer, problems: this._made.problems.map((one) => `${one.file}:${one.line} ${one.message}`).slice(0, 40) } : {};
    const asked = this._asked = {};
    this._waits(true);
    try {
      const told = await send(this._text.token, `${this._text.path}/draft`, { kind: this._kind, description, ...again });
      this._spent = addedUse(this._spent, told.usage);
      if (this._asked !== asked) { this._tellLate(told.usage); return; }
      this._made = { ...told, description };
      this._status.textContent = "";
      this._draw();
    } catch (error) {
      if (this._asked !== asked) return;
      this._status.textContent = error.message;
    }
    this._waits(false);
  }

  // The model goes on all the same, and is paid for it: its answer is waited for only to say what it took.
  _stopWaiting() {
    this._asked = null;
    this._waits(false);
    this._status.textContent = "Stopped waiting; what the model still answers is thrown away, and what it took is said here.";
  }

  _tellLate(usage) {
    this._late.hidden = false;
    this._late.textContent = `The answer that was not waited for: ${useText(usage)}.${this._spent.asked > 1 ? ` All ${this._spent.asked}: ${useText(this._spent)}.` : ""}`;
  }

  _waits(isWaiting) {
    this._ask.disabled = this._wanted.disabled = isWaiting;
    this._stop.hidden = !isWaiting;
    if (isWaiting) this._status.textContent = "The model is writing…";
    this._drawApprove(isWaiting);
  }

  _draw() {
    const { files, problems, answer } = this._made;
    this._views.forEach((one) => one.destroy());
    this._views = [];
    const wrong = problems.length ? h("div", {}, h("p", {}, h("strong", {}, files.length ? `With it the world would have ${plural(problems.length, "problem")}:` : "The answer cannot be used:")), h("ul", { class: "problem-list" }, problems.slice(0, 12).map((one) => problemRow({ ...one, fixes: [] })))) : h("p", { class: "draft-fine" }, icon("check_circle"), "The world is valid with it.");
    const places = files.map((one) => ({ one, place: h("div", { class: `merge drafted ${one.base === null ? "new-file" : ""}` }) }));
    this._result.replaceChildren(
      h("p", { class: "soft" }, `This answer: ${useText(this._made.usage)}.${this._spent.asked > 1 ? ` All ${this._spent.asked}: ${useText(this._spent)}.` : ""}`), wrong,
      ...places.map(({ one, place }, at) => h("details", { class: "draft-file", open: at < 2 }, h("summary", {}, h("code", {}, one.file), h("span", { class: `tag ${one.base === null ? "green" : "blue"}` }, one.base === null ? "new file" : "changed")), place)),
      files.length ? "" : h("details", {}, h("summary", {}, "What the model said"), h("pre", {}, answer)),
    );
    for (const { one, place } of places) this._views.push(one.base === null ? this._whole(one, place) : this._diff(one, place));
    this._ask.lastChild.textContent = problems.length ? "Ask again with these problems" : "Ask for another";
    this._drawApprove();
  }

  _shared() {
    const cm = this._cm;
    return [CodeEditor.theme(cm), cm.syntaxHighlighting(CodeEditor.colours(cm)), cm.yaml(), cm.lineNumbers(), cm.EditorView.lineWrapping, cm.EditorView.editorAttributes.of({ class: "code" }), cm.EditorView.contentAttributes.of({ "aria-label": "Drafted text" }), cm.EditorState.readOnly.of(true)];
  }

  _whole(one, place) {
    return new this._cm.EditorView({ doc: one.text, extensions: this._shared(), parent: place, root: place.getRootNode() });
  }

  _diff(one, place) {
    return new this._cm.MergeView({ a: { doc: one.before, extensions: this._shared() }, b: { doc: one.text, extensions: this._shared() }, parent: place, root: place.getRootNode(), collapseUnchanged: { margin: 3, minSize: 6 } });
  }

  _drawApprove(isWaiting = false) {
    const approve = this._result.closest(".dialog")?.querySelector(".approve");
    if (!approve) return;
    approve.disabled = isWaiting || !this._made?.files.length;
    approve.textContent = this._made?.files.length && this._made.problems.length ? "Approve it anyway" : "Approve";
  }

  async _approve() {
    const { name, item, files, problems } = this._made;
    try {
      const told = await this._text.post("write", { files: files.map(({ file, text, base }) => ({ file, text, base })), label: `Draft ${this._kind} ${name}`, anyway: problems.length > 0 });
      if (told.written.length) return { item, name, told };
      this._made = { ...this._made, problems: told.refused };
      this._draw();
    } catch (error) {
      this._status.textContent = error instanceof Changed ? `${error.file ?? "A file"} changed on disk meanwhile: ask again.` : error.message;
    }
    return undefined;
  }
}

function addedUse(sum, use) {
  const before = sum ?? { asked: 0, input_tokens: 0, output_tokens: 0, cost_usd: 0 };
  const cost = before.cost_usd === null || use?.cost_usd === null || use?.cost_usd === undefined ? null : before.cost_usd + use.cost_usd;
  return { asked: before.asked + 1, input_tokens: before.input_tokens + (use?.input_tokens ?? 0), output_tokens: before.output_tokens + (use?.output_tokens ?? 0), cost_usd: cost };
}

function useText(use) {
  if (!use) return "the endpoint did not say what it took";
  const price = use.cost_usd === null ? "no price is known for this model" : use.cost_usd < 0.01 ? `$${use.cost_usd.toFixed(5)}` : `$${use.cost_usd.toFixed(2)}`;
  return `${plural(use.input_tokens, "token")} in, ${use.output_tokens.toLocaleString("en")} out, ${price}`;
}
