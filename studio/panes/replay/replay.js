// A run, step by step. The pane owns its position; Python is told of it, and obeyed only when `jump.rev` changes.

const TELL_MS = 200;
const GRADE_MS = 160;
const LIVE_MS = 3000;
const NAME_MS = 1200;
const KEPT = 400;
const KEYS = [["← →", "step"], ["[ ]", "state change"], ["E", "next failed call"], ["X", "first failed call"], ["S", "stale reading"], ["/", "search"], ["Home End", "begin, end"]];

class Replay {
  constructor(component) {
    this.steps = [];
    this.at = 1;
    this.tab = "";
    this._known = new Map();
    this._grades = new Map();
    this._turn = new Turn();
    this._gradeTurn = new Turn();
    this._staleTurn = new Turn();
    this._told = h("span", { class: "told", role: "status" });
    this._address = new Address("replay");
    this._tellSoon = later(TELL_MS, () => this._tell());
    this._gradeSoon = later(GRADE_MS, () => this._grade());
    this._nameSoon = later(NAME_MS, () => this._name());
    this._make();
    component.parentElement.append(this.node);
    this._room = new Room(this._card, 460);
  }

  _make() {
    const go = (number) => this.go(number);
    this.list = new StepList({ go });
    this.lanes = new Lanes({ go });
    this._where = h("strong", { class: "where", role: "status" });
    this._called = h("small", { class: "called", title: "Steps are everybody's events and the agent's calls; these are the agent's calls alone, as Runs counts them" });
    this._detail = h("div", { class: "detail", tabindex: "-1" });
    this._change = h("div");
    this._saw = h("div");
    this._reward = h("div");
    this._elsewhere = h("p", { class: "elsewhere" });
    const part = (id, title, body) => h("section", { id }, h("h5", { onclick: () => this._turnTo(id) }, title), body);
    this.annotator = new Annotator({
      here: () => this.steps[this.at - 1],
      go: (seq) => this.go(this.steps.find((step) => step.seq === seq)?.n ?? this.at),
      number: (seq) => this.steps.find((step) => step.seq === seq)?.n ?? "?",
      open: (run) => this._setTrigger("next", { run }),
      changed: () => this.list.annotate((step) => this.annotator.said(step)),
    });
    this.annotator.node.hidden = true;
    this._side = h("aside", { class: "side", "aria-label": "What this step meant" }, this.annotator.node, h("div", { class: "above", tabindex: "0", role: "group", "aria-label": "Change and truth" }, part("change", "World-state change", this._change), part("saw", "Agent saw vs ground truth", this._saw)), h("div", { class: "beneath", tabindex: "0", role: "group", "aria-label": "Reward" }, part("reward", "Reward so far", this._reward), this._elsewhere));
    const arrow = (label, text, step) => h("button", { type: "button", "aria-label": label, onclick: () => this._step(step) }, text);
    this._card = h("div", { class: "card replay" },
      h("div", { class: "strip" }, arrow("Previous step", "‹", -1), arrow("Next step", "›", 1), h("div", {}, this._where, this._called), this.lanes.node),
      h("div", { class: "columns" }, this.list.node, this._detail, this._side),
      h("footer", {}, KEYS.map(([keys, label]) => h("span", {}, keys.split(" ").map((key) => h("kbd", {}, key)), label)), this._told));
    this.node = h("div", { class: "pane", role: "application", "aria-label": "Trajectory replay", tabindex: "0", onkeydown: (event) => this._key(event) }, this._card);
  }

  stop() {
    clearInterval(this._live);
    this._keep();
    for (const one of [this._address, this._room, this.list, this.lanes, this._turn, this._gradeTurn, this._staleTurn, this._tellSoon, this._gradeSoon, this._nameSoon]) one.stop();
  }

  async change({ data, setTriggerValue }) {
    this._setTrigger = setTriggerValue;
    const before = this.data ?? {};
    this.data = data;
    this._room.settle();
    this._side.classList.toggle("annotating", Boolean(data.annotate));
    this.annotator.node.hidden = !data.annotate;
    if (before.run === data.run && Boolean(before.annotate) !== Boolean(data.annotate)) this.node.focus({ preventScroll: true }); // keys mean steps now
    if (data.annotate && (before.run !== data.run || before.annotate?.author !== data.annotate.author || before.annotate?.queue !== data.annotate.queue)) this.annotator.show({ ...data.annotate, token: data.token }, data.run);
    if (before.run !== data.run || before.stamp !== data.stamp) await this._load(data.jump.step || this._address.kept(data.run)?.step || 1);
    else if (before.jump.rev !== data.jump.rev) this.go(data.jump.step);
    this.lanes.draw();
    this._tellSoon(); // the script may have written an older address
  }

  _tell() {
    if (!this.steps.length) return;
    this._keep();
    this._address.write(this.data.token, { run: this.data.run, step: String(this.at), tab: this.tab });
  }

  _keep() {
    if (this.steps.length) this._address.keep(this.data.run, { step: this.at });
  }

  // -- loading ---------------------------------------------------------------------------------------------

  _ask(route, parameters, options) { return ask(this.data.token, `runs/${route}`, { run: this.data.run, ...parameters }, options); }

  async _load(step) {
    this._known.clear();
    this._grades.clear();
    clearInterval(this._live);
    this._detail.replaceChildren(skeleton(5));
    try {
      await this._read();
    } catch (error) {
      if (!isStopped(error)) this._detail.replaceChildren(problem(error, () => this._load(step)));
      return;
    }
    if (this.isLive) this._live = setInterval(() => this._read().catch(() => {}), LIVE_MS);
    if (!this.steps.length) this._detail.replaceChildren(nothing("hourglass_empty", "Nothing has happened yet", "The steps appear here while the run goes on."));
    else this.go(step);
    if (this.data.jump.tab) this._turnTo(this.data.jump.tab);
    this.node.focus({ preventScroll: true });
  }

  async _read() {
    const run = await this._ask("steps", {});
    this.clock = new Clock(run.zone);
    this.canReplay = run.can_replay;
    this.grade = run.grade;
    this.isLive = run.is_live;
    if (!run.is_live) clearInterval(this._live);
    if (run.steps.length === this.steps.length && this.steps.length) return;
    this.steps = run.steps;
    this.list.show(this.steps);
    this.lanes.show(this.steps, run.bands, this.clock);
    this._place();
  }

  // -- moving ----------------------------------------------------------------------------------------------

  go(number) {
    if (!this.steps.length) return;
    this.at = Math.min(Math.max(Number(number) || 1, 1), this.steps.length);
    this._place();
    this._show();
    this._tellSoon();
  }

  _step(direction) {
    const next = this.list.next(this.at, direction);
    if (next) this.go(next);
  }

  _place() {
    const step = this.steps[this.at - 1];
    if (!step) return;
    this.list.set(this.at);
    if (this.data.annotate) this.annotator.place();
    this.lanes.set(this.at);
    this._where.textContent = `Step ${this.at} / ${this.steps.length} · ${this.clock.seconds(step.at)}`;
    this._called.textContent = `${step.calls} of ${plural(this.steps.at(-1).calls, "call")} made`;
  }

  async _show() {
    const number = this.at;
    const known = this._known.get(number);
    if (known) this._draw(known);
    else {
      this._detail.classList.add("waiting");
      try {
        const step = await this._ask("step", { step: number }, { signal: this._turn.next() });
        this._remember(number, step);
        if (number === this.at) this._draw(step);
      } catch (error) {
        if (!isStopped(error)) this._detail.replaceChildren(problem(error, () => this._show()));
        return;
      }
    }
    this._ahead(number + 1);
    this._showReward();
  }

  _remember(number, step) {
    if (!step.named) {
      this._nameSoon();
      if (number !== this.at) return;
    }
    this._known.set(number, step);
    if (this._known.size > KEPT) this._known.delete(this._known.keys().next().value);
  }

  // Fetches the step that will likely be asked for next.
  async _ahead(number) {
    if (number > this.steps.length || this._known.has(number)) return;
    try {
      this._remember(number, await this._ask("step", { step: number }));
    } catch {
      // it is asked for again when it is gone to
    }
  }

  // What the step changed, by its names in the world, once they are known.
  async _name() {
    const number = this.at;
    const known = this._known.get(number);
    if (!known || known.named) return;
    try {
      const step = await this._ask("step", { step: number });
      this._remember(number, step);
      if (step.named && number === this.at) this._change.replaceChildren(...changeView(step.changes, this.clock));
    } catch {
      // the table's name stays
    }
  }

  _draw(step) {
    this._detail.classList.remove("waiting");
    this._detail.replaceChildren(...stepView(step, this.clock));
    this._detail.scrollTop = this._side.firstChild.scrollTop = 0;
    this._change.replaceChildren(...changeView(step.changes, this.clock));
    this._saw.replaceChildren(...sawView(step));
    if (this.tab === "saw") this._saw.querySelector("tr.differs:has(small)")?.scrollIntoView({ block: "nearest" });
    const link = this.data.preview && `${this.data.preview}&at=${this.clock.link(step.at)}`;
    this._elsewhere.replaceChildren(link ? h("a", { class: "link", href: link }, icon("inbox"), " The company at this time, had the agent done nothing") : "");
  }

  // The next step whose answer showed the agent what was no longer so; behind the last one it begins anew.
  async _nextStale() {
    const signal = this._staleTurn.next();
    const find = (after) => this._ask("stale", { after }, { signal, waiting: () => (this._told.textContent = "Comparing what was read …") });
    this._told.textContent = "";
    try {
      const from = this.steps.findIndex((step) => step.n === this.at) + 1;
      const found = (await find(from)).step || (from > 1 ? (await find(0)).step : 0);
      this._told.textContent = found ? "" : "It was shown nothing that was no longer so.";
      if (found) {
        this.go(found);
        this._turnTo("saw");
      }
    } catch (error) {
      if (!isStopped(error)) this._told.textContent = error.message;
    }
  }

  // -- the reward ------------------------------------------------------------------------------------------

  _showReward() {
    const calls = this.steps[this.at - 1].calls;
    const isLast = this.at === this.steps.length || calls === this.steps.at(-1).calls;
    this._gradeTurn.stop();
    if (isLast && this.grade) this._reward.replaceChildren(...rewardView(this.grade, "", this.data.annotate ? (criterion) => this._verdict(criterion) : null));
    else if (this._grades.has(calls)) this._reward.replaceChildren(...rewardView(this._grades.get(calls), `If it had stopped after ${plural(calls, "call")}.`));
    else if (!this.canReplay) this._reward.replaceChildren(...rewardView(this.grade, "At the end of the run. The package it was recorded on is not here, so it cannot be graded earlier."));
    else {
      this._busy("Grading this step", 0);
      this._gradeSoon();
    }
  }

  // Buttons with which an annotator says whether a criterion is met.
  _verdict(criterion) {
    const known = this.annotator.records.find((one) => one.kind === "verdict" && one.about === criterion);
    const say = (value) => async (event) => {
      event.preventDefault();
      await this.annotator.verdict(criterion, value);
      await this._read();
      this._showReward();
    };
    const button = (label, value) => h("button", { type: "button", class: "quiet", "aria-pressed": String(known?.value === value), onclick: say(value) }, label);
    return h("span", { class: "verdict", role: "group", "aria-label": `Verdict on ${criterion}` }, button("Met", "met"), button("Not met", "not met"));
  }

  // What is being done for the reward, with a way to stop it; what was shown before stays, faded.
  _busy(doing, share) {
    if (!this._working?.isConnected) {
      this._doing = h("span", {});
      this._share = h("i", {});
      const stop = h("button", { type: "button", class: "quiet", onclick: () => this._stopGrading() }, "Cancel");
      this._working = h("div", { class: "working", role: "status" }, h("span", { class: "spinner", "aria-hidden": "true" }), this._doing, stop, h("span", { class: "bar" }, this._share));
      this._reward.replaceChildren(this._working, h("div", { class: "before", "aria-hidden": "true" }, ...this._reward.childNodes));
    }
    this._doing.textContent = doing;
    this._share.style.width = `${Math.round(share * 100)}%`;
  }

  _stopGrading() {
    this._gradeTurn.stop();
    this._gradeSoon.stop();
    const again = h("button", { type: "button", class: "quiet", onclick: () => this._showReward() }, "Grade this step");
    this._reward.replaceChildren(h("p", { class: "hint" }, "Cancelled. "), again);
  }

  async _grade() {
    const calls = this.steps[this.at - 1].calls;
    const waiting = (share, doing) => { if (this.steps[this.at - 1]?.calls === calls) this._busy(doing, share); };
    try {
      this._grades.set(calls, await this._ask("reward", { calls }, { signal: this._gradeTurn.next(), waiting }));
    } catch (error) {
      if (isStopped(error)) return;
      const again = h("button", { type: "button", class: "quiet", onclick: () => this._showReward() }, "Try again");
      this._reward.replaceChildren(...rewardView(null, error.message), again);
      return;
    }
    if (this.steps[this.at - 1].calls === calls) this._showReward();
  }

  // Brings a part of the right column into sight and into the link.
  _turnTo(tab) {
    this.tab = tab;
    const part = this._side.querySelector(`section[id="${CSS.escape(tab)}"]`);
    for (const one of this._side.querySelectorAll("section")) one.classList.toggle("meant", one === part);
    part?.scrollIntoView({ block: "nearest" });
    this._tellSoon();
  }

  // -- keys ------------------------------------------------------------------------------------------------

  _key(event) {
    if (this.data.annotate && this.annotator.key(event)) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
    const changed = (step) => step.changes > 0;
    if (event.key === "/") {
      event.preventDefault();
      event.stopPropagation();
      this.list.search();
      return;
    }
    if (event.key.toLowerCase() === "s") {
      event.preventDefault();
      event.stopPropagation();
      this._nextStale();
      return;
    }
    const moves = {
      ArrowRight: () => this.list.next(this.at, 1), ArrowDown: () => this.list.next(this.at, 1), j: () => this.list.next(this.at, 1),
      ArrowLeft: () => this.list.next(this.at, -1), ArrowUp: () => this.list.next(this.at, -1), k: () => this.list.next(this.at, -1),
      "]": () => this.list.next(this.at, 1, changed, true), "[": () => this.list.next(this.at, -1, changed, true),
      e: () => this.list.next(this.at, 1, (step) => step.error, true), x: () => this.list.next(0, 1, (step) => step.error, true),
      Home: () => this.list.next(0, 1), End: () => this.list.next(this.steps.length + 1, -1),
    };
    const move = moves[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (event.key.length === 1) event.stopPropagation();
    if (!move) return;
    event.preventDefault();
    event.stopPropagation();
    const next = move();
    if (next) this.go(next);
  }
}

export default paneOf(Replay);
