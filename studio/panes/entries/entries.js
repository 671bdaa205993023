// A page of a world's text: its entries as a table, a time line or a graph; beside the chosen one its form and its YAML.

const PAGES = {
  company: { one: "part", file: "world.yaml", views: ["table"], find: "Find a part" },
  people: { one: "person", file: "people.yaml", views: ["table", "graph"], graph: "Org chart", direction: "LR", find: "Find people" },
  customers: { one: "customer", file: "customers.yaml", views: ["table"], find: "Find customers" },
  systems: { one: "service", file: "systems.yaml", views: ["graph", "table"], graph: "Dependencies", direction: "LR", find: "Find services" },
  outages: { one: "outage", file: "outages.yaml", views: ["time", "table"], find: "Find outages" },
  storylines: { one: "beat", files: /^storylines\/[^/]+\.yaml$/, views: ["time", "table"], find: "Find storylines, facts, events" },
  tasks: { one: "task", files: /^tasks\/[^/]+\/task\.yaml$/, views: ["table", "time"], find: "Find tasks" },
  graders: { one: "criterion", files: /^tasks\/[^/]+\/task\.yaml$/, views: ["table"], find: "Find criteria" },
};
const VIEW_NAMES = { table: ["Table", "table_rows"], time: ["Time line", "view_timeline"], graph: ["Graph", "account_tree"] };
const LISTED = { outages: ["outage"], tasks: ["task"], systems: ["service"] };
const SECTIONS = { beats: "beat", talks: "talk", mails: "mail", facts: "fact", tickets: "ticket" };

const UNFOLDED = 2; // problems of a world that are shown before somebody asks

const classOf = (column) => `c-${column.toLowerCase().replaceAll(" ", "-")}`;
const MANY = { person: "people", criterion: "criteria" };
// `20 people`, `26 customers, 1 outsider`, so that each is the number that Overview has; of many kinds the most: `1,204 talks, 611 mails, 544 others`
const KINDS_COUNTED = 3;
const counted = (items) => {
  const kinds = Object.entries(Object.groupBy(items, (one) => one.kind));
  if (kinds.length > 1) kinds.sort(([, one], [, other]) => other.length - one.length);
  const told = kinds.slice(0, kinds.length > KINDS_COUNTED ? KINDS_COUNTED - 1 : KINDS_COUNTED);
  const rest = kinds.slice(told.length).reduce((sum, [, those]) => sum + those.length, 0);
  const words = told.map(([kind, those]) => (those.length !== 1 && MANY[kind] ? `${those.length.toLocaleString("en")} ${MANY[kind]}` : plural(those.length, kind)));
  return [...words, ...(rest ? [plural(rest, "other")] : [])].join(", ") || "none";
};
// What was said as a short name that nobody has: `gmail-down`, `gmail-down-2`; empty where nothing was said.
function freeName(said, taken) {
  const base = (said || "").toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^[^a-z]+|-+$/g, "");
  return base && [base, ...[...Array(99).keys()].map((number) => `${base}-${number + 2}`)].find((one) => !taken.has(one));
}
// The day itself, as `2026-02-02`, or the Monday after it where it is at a weekend.
function workdayOf(day) {
  const at = new Date(`${day}T00:00:00Z`);
  while ([0, 6].includes(at.getUTCDay())) at.setUTCDate(at.getUTCDate() + 1);
  return at.toISOString().slice(0, 10);
}
const CASES = { Oracle: "oracle", Good: "good", Lazy: "lazy" };

class Entries {
  constructor(component) {
    this.text = new WorldText();
    this._turn = new Turn();
    this._checking = new Turn();
    this._make();
    component.parentElement.append(this.node);
    this._room = new Room(this._body, 480);
    this.text.watch(() => this._refresh());
    this._onSaved = ({ detail }) => { if (detail === this.text.world && this._entries) this._refresh(); };
    window.addEventListener("brownout-saved", this._onSaved);
    this._onShow = () => this._showRefused();
    window.addEventListener("brownout-show-refused", this._onShow);
  }

  _make() {
    this._views = h("div", { class: "segments", role: "radiogroup", "aria-label": "View" });
    this._find = h("input", { type: "search", class: "find", "aria-label": "Find", oninput: () => this._drawMain(), autocomplete: "off", spellcheck: "false" });
    this._undo = button("", () => this._step("undo"), { name: "undo", title: "Undo", kind: "plain" });
    this._redo = button("", () => this._step("redo"), { name: "redo", title: "Redo", kind: "plain" });
    this._add = button("Add", () => this._addOne(), { name: "add", kind: "primary" });
    this._drafting = button("Draft with a model", () => this._draftOne(), { name: "auto_awesome", title: "Describe it in words; nothing is written before you approve it" });
    this._count = h("span", { class: "soft", role: "status" });
    this._extra = h("span", { class: "extra" });
    this._main = h("div", { class: "main-view" }, skeleton(7));
    this._sized = new ResizeObserver(() => this._spanGroups());
    this._sized.observe(this._main);
    this._side = h("aside", { class: "inspector", "aria-label": "The chosen entry", hidden: true });
    this._wrong = h("section", { class: "wrong-strip", "aria-label": "Problems", hidden: true });
    this._body = h("div", { class: "card entries-body" }, this._main, this._side);
    this.node = h("div", { class: "pane entries" }, h("div", { class: "entries-bar" }, this._views, this._find, this._count, this._extra, h("span", { class: "gap" }), this._undo, this._redo, this._drafting, this._add), this._wrong, this._body);
    dialog.host = this.node;
    this._makeSide();
  }

  _makeSide() {
    this._form = new Form({ edit: (operations, more) => this._edit(operations, more), names: () => this._names ?? {}, fix: (problem, fix) => this._fixLine(problem, fix) });
    this._form._redraw = () => this._drawForm();
    this._title = h("h3", {});
    this._sub = h("p", { class: "soft where" });
    this._acts = h("div", { class: "acts" });
    this._tabs = h("div", { class: "segments side-tabs", role: "radiogroup", "aria-label": "Form or YAML" }, ["Form", "YAML"].map((label) => h("button", { type: "button", role: "radio", class: "segment", "aria-checked": String(label === "Form"), onclick: () => this._tab(label) }, label)));
    this._yamlState = h("span", { class: "tag", hidden: true });
    this._yamlSave = button("Save", () => this._saveYaml(), { kind: "primary small", title: "Save the file (Ctrl+S)" });
    this._yamlRevert = button("Revert", () => { this._editor.replace(this._read.text); this._drawYamlBar(); }, { kind: "small" });
    this._yamlPlace = h("div", { class: "yaml-place" });
    this._yaml = h("section", { class: "yaml", "aria-label": "YAML of the same file" }, h("div", { class: "yaml-bar" }, this._fileName = h("code", {}), this._yamlState, h("span", { class: "gap" }), this._yamlRevert, this._yamlSave), this._yamlPlace);
    this._broken = h("div", { class: "note disk", hidden: true });
    this._side.replaceChildren(h("header", {}, h("div", { class: "heads" }, this._title, this._sub), this._acts, this._tabs, button("", () => this.choose(""), { name: "close", title: "Close (Esc)", kind: "plain" })), this._broken, h("div", { class: "side-body" }, h("section", { class: "form-place", "aria-label": "Form" }, this._form.node), this._yaml));
    this._side.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !isTyping(event)) { this.choose(""); event.stopPropagation(); }
    });
  }

  stop() {
    this._sized.disconnect();
    this._room.stop();
    this.text.stop();
    this._editor?.stop();
    this._timeline?.stop();
    this._graph?.stop();
    this._address?.stop();
    window.removeEventListener("brownout-saved", this._onSaved);
    window.removeEventListener("brownout-show-refused", this._onShow);
  }

  get page() { return PAGES[this.data.page]; }

  async change({ data, setTriggerValue }) {
    const before = this.data ?? {};
    this.data = data;
    this._trigger = setTriggerValue;
    dialog.host = this.node;
    this._room.settle();
    this.text.set(data);
    if (before.page !== data.page) {
      this._address?.stop();
      this._address = new Address(data.page);
    }
    if (before.world !== data.world || before.page !== data.page) return this._begin();
    if (this._entries && before.told !== data.told) this._refresh();
    if (this._entries && before.start.rev !== data.start.rev) return this.choose(data.start.item);
    return undefined;
  }

  async _begin() {
    try {
      this._find.placeholder = this.page.find;
      this._view = this.data.start.view && this.page.views.includes(this.data.start.view) ? this.data.start.view : this.page.views[0];
      const parts = [this.text.get("entries", { page: this.data.page }), this.text.schema()];
      if (this.page.views.includes("graph")) parts.push(import(new URL(this.data.graph, document.baseURI)));
      const [told, schemas, layout] = await Promise.all(parts);
      this._schemas = schemas;
      this._layout = layout;
      this._take(told);
      this._draw();
      await this.choose(this.data.start.item);
    } catch (error) {
      this._main.replaceChildren(problem(error, () => this._begin()));
    }
  }

  _take(told) {
    this.text.take(told);
    this._entries = told.entries;
    for (const [name, { item }] of told.entries ? this._typedFields() : []) if (!told.entries.items.some((one) => one.id === item)) fields.forget(this.text.world, name);
    this._cases = told.cases;
    this._names = told.names;
    this._problems = told.problems;
  }

  async _refresh() {
    try {
      this._take(await this.text.get("entries", { page: this.data.page }));
      this._draw();
      if (this._chosen) await this._readChosen();
      this._trigger("changed", this.text.stamp);
    } catch (error) { if (!isStopped(error)) toast(this.node, error.message); }
  }

  // -- the entries -----------------------------------------------------------------------------------------

  get _items() {
    const kinds = LISTED[this.data.page];
    return this._entries.items.filter((one) => !kinds || kinds.includes(one.kind));
  }

  _found(items) {
    const wanted = this._find.value.trim().toLowerCase();
    if (!wanted) return items;
    return items.filter((one) => `${one.name} ${one.title} ${one.subtitle} ${one.group} ${Object.values(one.cells).join(" ")}`.toLowerCase().includes(wanted));
  }

  _draw() {
    const { views } = this.page;
    this._views.hidden = views.length < 2;
    this._views.replaceChildren(...views.map((name) => h("button", { type: "button", role: "radio", class: "segment", "aria-checked": String(name === this._view), onclick: () => this._show(name) }, icon(VIEW_NAMES[name][1]), name === "graph" ? this.page.graph : VIEW_NAMES[name][0])));
    this._add.hidden = this.data.page === "company" || (this.data.page === "graders" && !this._entries?.items.length);
    const unread = this._entries && !this.page.file ? null : this._unread; // of several files the others can have more
    this._add.disabled = !this.text.canChange || !this._entries || Boolean(unread);
    this._add.title = !this.text.canChange ? this.data.why : unread ? `${unread.file} cannot be read: mend it first` : "";
    this._add.lastChild.textContent = `Add ${this.data.page === "storylines" ? (SECTIONS[this._chosen?.path[0]] ?? (this._chosen ? "beat" : "storyline")) : this.page.one}`;
    this._drafting.hidden = !this.data.drafter || !DRAFTED[this.data.page] || !this._entries || Boolean(unread) || !this.text.canChange;
    this._undo.disabled = !this.text.canChange || !this.text.undo;
    this._redo.disabled = !this.text.canChange || !this.text.redo;
    this._undo.title = this.text.undo ? `Undo: ${this.text.undo}` : "Nothing to undo";
    this._redo.title = this.text.redo ? `Redo: ${this.text.redo}` : "Nothing to redo";
    this._drawWrong();
    this._drawMain();
  }

  // -- what is wrong with the world ------------------------------------------------------------------------

  // Mistakes of the whole world, those first that the last change made.
  _drawWrong() {
    const same = (one) => (other) => one.file === other.file && one.message === other.message;
    const errors = (this._problems ?? []).filter((one) => one.severity === "error");
    const caused = (this._caused?.problems ?? []).map((one) => errors.find(same(one))).filter(Boolean);
    if (!caused.length) this._caused = null;
    const wasHidden = this._wrong.hidden;
    this._wrong.hidden = !errors.length;
    const sorted = [...caused, ...errors.filter((one) => !caused.includes(one))];
    const isOpen = Boolean(this._caused) || (this._isWrongOpen ?? errors.length <= UNFOLDED); // a few are in sight, each with its way there
    const head = h("button", { type: "button", class: "problem-head bad", "aria-expanded": String(isOpen), onclick: () => { this._isWrongOpen = !isOpen; this._caused = null; this._drawWrong(); } }, icon("error"), this._caused ? `${this._caused.label}: ${plural(caused.length, "problem")} came of it` : plural(errors.length, "problem"), icon("expand_more"));
    const back = this._caused && this.text.undo ? button("Undo it", () => this._step("undo"), { name: "undo", kind: "small" }) : "";
    const list = isOpen ? h("ul", { class: "problem-list" }, sorted.slice(0, 60).map((one) => problemRow(one, { open: (each) => this._openProblem(each), fix: (each, fix) => this._mend(each, fix) })), sorted.length > 60 ? h("li", { class: "soft more-problems" }, `and ${sorted.length - 60} more: Files has them all`) : "") : "";
    this._wrong.replaceChildren(h("div", { class: "row" }, head, back), list);
    if (wasHidden !== this._wrong.hidden || isOpen !== this._wasWrongOpen) this._room.settle();
    this._wasWrongOpen = isOpen;
  }

  // Something was written though it makes mistakes: they are shown, with the way back.
  _tell(label, told, { also = null } = {}) {
    this._problems = told.problems;
    this._caused = told.caused?.length ? { label, problems: told.caused } : null;
    this._drawWrong();
    if (!this._caused || also) toast(this.node, also ?? label, ["Undo", () => this._step("undo")]);
  }

  // The entry of this page that a problem is about, else its line in Files.
  _openProblem(one) {
    const named = this._entries?.items.filter((each) => each.file === one.file && each.path.length && (one.message.startsWith(`${each.path.join(".")}:`) || one.message.startsWith(`${each.path.join(".")}.`)));
    if (named?.length) return this.choose(named.sort((a, b) => b.path.length - a.path.length)[0].id);
    return this._trigger("opened", { file: one.file, line: one.line });
  }

  async _mend(one, fix) {
    if (!this.text.canChange) return toast(this.node, this.data.why);
    if (this._isYamlDirty) return toast(this.node, "Save or revert the YAML first");
    try {
      const read = await this.text.get("text", { file: one.file });
      const lines = read.text.split("\n"), line = lines[one.line - 1] ?? "";
      const at = line.slice(one.column, one.column + fix.found.length) === fix.found ? one.column : line.indexOf(fix.found);
      if (at < 0) return toast(this.node, "The line says something else by now");
      lines[one.line - 1] = line.slice(0, at) + fix.wanted + line.slice(at + fix.found.length);
      await this.text.post("save", { file: one.file, text: lines.join("\n"), base: read.hash, label: `${fix.label} in ${one.file}` });
      await this._refresh();
      toast(this.node, `${fix.label} in ${one.file}`, ["Undo", () => this._step("undo")]);
    } catch (error) { toast(this.node, error.message); }
    return undefined;
  }

  // Asks before something is written that makes mistakes; what came of it, null where it was left.
  async _orAsk(post, { title, left, anyway }) {
    const told = await post(false);
    if (!told.refused.length) return told;
    const answer = await dialog(title, [h("p", {}, "Then something would be wrong:"), h("ul", { class: "problem-list" }, told.refused.slice(0, 6).map((each) => problemRow({ ...each, fixes: [] }))), told.refused.length > 6 ? h("p", { class: "soft" }, `and ${told.refused.length - 6} more`) : ""], [[left, null, ""], [anyway, "yes", "danger"]]);
    return answer ? post(true) : null;
  }

  _show(view) {
    this._view = view;
    this._draw();
    this._tellPlace();
  }

  _drawMain() {
    if (!this._entries) {
      this._main.replaceChildren(this._unreadNote(this._unread) ?? nothing("error", "This world cannot be read yet", "Files says what is wrong, and mends most of it by a click."));
      return;
    }
    const found = this._found(this._items);
    this._count.textContent = counted(found.filter((one) => one.kind !== "storyline"));
    this._body.dataset.view = this._view;
    this._extra.replaceChildren();
    if (!this._items.length) this._main.replaceChildren(this._unreadNote(this._unread) ?? this._empty());
    else if (this._view === "time") this._drawTime(found);
    else if (this._view === "graph") this._drawGraph();
    else this._drawTable(found);
  }

  // What is wrong with a file of this page of which no entry can be read; null where all can. Without world.yaml no file can.
  get _unread() {
    const { file, files } = this.page;
    const isOurs = (one) => (this._entries ? (files ? files.test(one.file) : one.file === file) : one.file === "world.yaml");
    return (this._problems ?? []).find((one) => one.severity === "error" && isOurs(one) && !this._entries?.items.some((item) => item.file === one.file)) ?? null;
  }

  _unreadNote(one) {
    if (!one) return null;
    const note = nothing("error", `${one.file} cannot be read`, one.message);
    note.append(button(`Go to ${one.file}:${one.line || 1}`, () => this._trigger("opened", { file: one.file, line: one.line || 1 }), { name: "edit_document" }));
    return note;
  }

  _empty() {
    const page = this.data.page;
    const text = { outages: "Nothing breaks in this world. Add an outage and drag it to where it hurts.", tasks: "An agent has nothing to do yet. Add a task: what to find out, and whom to tell.", storylines: "Nothing happens yet. A storyline has facts, and beats in which people make and tell them.", graders: "No task, no criteria: add a task first." }[page] ?? `Add the first ${this.page.one}.`;
    return nothing({ outages: "bolt", tasks: "task_alt", storylines: "auto_stories", graders: "rule" }[page] ?? "inbox", `No ${page} yet`, text);
  }

  _drawTime(found) {
    this._timeline ??= new TimeLine({ choose: (id) => this.choose(id), move: (one, by, longer) => this._moveItem(one, by, longer) });
    if (this._main.firstChild !== this._timeline.node) this._main.replaceChildren(this._timeline.node);
    const context = this._entries.items.filter((one) => !found.includes(one) && (one.kind === "outage" || one.kind === "task") && this.data.page !== "outages");
    const others = this.data.page === "outages" ? this._entries.items.filter((one) => one.kind === "task") : [];
    const items = [...context, ...found.filter((one) => !(this.data.page === "storylines" && one.kind === "fact" && one.group !== this._group)), ...others].map((one) => (one.kind === "task" ? { ...one, lane: "Tasks" } : one));
    const { first, last, zone } = this._entries;
    this._timeline.show({ items, first, last, zone, canChange: this.text.canChange, chosen: this._chosen?.id });
  }

  get _group() { return this._chosen?.group; }

  _drawGraph() {
    this._graph ??= new GraphView({ layout: this._layout, choose: (id) => this.choose(id), direction: this.page.direction, label: this.page.graph });
    if (this._main.firstChild !== this._graph.node) this._main.replaceChildren(this._graph.node);
    const outages = Object.keys(this._entries.hits).filter((name) => Object.keys(this._entries.hits[name]).length);
    if (outages.length) {
      const pick = h("select", { "aria-label": "Show an outage", onchange: () => { this._outage = pick.value; this._drawGraph(); } }, h("option", { value: "" }, "No outage"), outages.map((name) => {
        const item = this._entries.items.find((one) => one.kind === "outage" && one.name === name);
        return h("option", { value: name, selected: name === this._outage }, `${name}${item ? `: ${item.title}` : ""}`);
      }));
      this._extra.replaceChildren(h("span", { class: "soft" }, "Outage"), pick);
    }
    const wanted = this._find.value.trim().toLowerCase();
    const hit = this._entries.hits[this._outage] ?? {};
    this._graph.show({ nodes: this._entries.nodes, edges: this._entries.edges, chosen: this._chosen?.id, hit });
    for (const [id, one] of this._graph._nodes) one.node.style.opacity = !wanted || `${id} ${one.label} ${one.detail}`.toLowerCase().includes(wanted) ? "" : "0.25";
  }

  _drawTable(found) {
    const isGrouped = ["storylines", "graders"].includes(this.data.page);
    const columns = isGrouped && this.data.page === "storylines" ? ["Name", "What", "When"] : [...this._entries.columns, ...this._caseColumns()];
    const bad = new Map();
    for (const one of this._problems) if (one.severity === "error") bad.set(one.file, [...(bad.get(one.file) ?? []), one]);
    const cells = (one) => (this.data.page === "storylines" ? { Name: one.title, What: one.subtitle, When: one.waits ? `when ${one.waits}` : one.at !== null ? this._clockOf().short(one.at) : "" } : one.cells);
    const row = (one) => {
      const wrong = (bad.get(one.file) ?? []).some((each) => one.path.length && each.message.startsWith(`${one.path.join(".")}`));
      const chosen = one.id === this._chosen?.id;
      return h("tr", { class: wrong ? "bad" : "", "aria-selected": String(chosen), tabindex: chosen ? "0" : "-1", "data-id": one.id, onclick: () => this.choose(one.id) }, columns.map((column, at) => h("td", { class: classOf(column) }, at === 0 ? this._first(one, cells(one)[column] ?? "", wrong) : CASES[column] ? this._earned(one, CASES[column]) : this._cell(column, cells(one)[column] ?? ""))));
    };
    const rows = [];
    if (isGrouped) {
      const groups = new Map();
      if (!this._opened) this._opened = new Set(this.data.page === "graders" ? [found[0]?.group] : []);
      for (const one of found.filter((each) => each.kind !== "storyline")) groups.set(one.group, [...(groups.get(one.group) ?? []), one]);
      if (this.data.page === "storylines") for (const one of found.filter((each) => each.kind === "storyline")) if (!groups.has(one.title)) groups.set(one.title, []);
      for (const [group, items] of groups) {
        if (["outage", "task"].includes(items[0]?.kind)) continue;
        const isOpen = this._opened?.has(group) || groups.size < 4 || this._find.value || group === this._chosen?.group;
        const worth = this.data.page === "graders" ? [this._worth(items), this._staleMark(items)] : h("span", { class: "soft" }, plural(items.length, "entry").replace("entrys", "entries"));
        rows.push(h("tr", { class: "group-row", onclick: () => { if (!this._opened.delete(group)) this._opened.add(group); this._drawMain(); } }, h("th", { colspan: columns.length, scope: "rowgroup" }, h("button", { type: "button", class: "toggle", "aria-expanded": String(Boolean(isOpen)) }, icon(isOpen ? "expand_more" : "chevron_right"), h("b", {}, group)), worth, this.data.page === "storylines" && h("span", { class: "soft about" }, found.find((one) => one.kind === "storyline" && one.title === group)?.subtitle ?? ""))));
        if (isOpen) rows.push(...[...items].sort((a, b) => (a.at ?? 0) - (b.at ?? 0)).slice(0, 600).map(row));
      }
    } else rows.push(...found.slice(0, 1000).map(row));
    const table = h("table", { class: `entries ${this.data.page}` }, h("thead", {}, h("tr", {}, columns.map((column) => h("th", { scope: "col", class: classOf(column) }, column)))), h("tbody", { onkeydown: (event) => this._rowKey(event) }, rows));
    const scroll = this._main.scrollTop;
    this._main.replaceChildren(h("div", { class: "table-place" }, table, !found.length && nothing("search_off", "Nothing found", `Nothing here has “${this._find.value}” in it.`)));
    if (!this._main.querySelector("tr[tabindex='0']")) this._main.querySelector("tbody tr[data-id]")?.setAttribute("tabindex", "0");
    this._spanGroups();
    this._main.scrollTop = scroll;
  }

  // A group's row is as wide as the columns that are seen: a narrow table has fewer, and what spans more makes room for nothing.
  _spanGroups() {
    const seen = [...this._main.querySelectorAll("thead th")].filter((one) => one.offsetWidth).length;
    for (const one of seen ? this._main.querySelectorAll(".group-row th") : []) one.setAttribute("colspan", String(seen));
  }

  _clockOf() { return (this._clock ??= new Clock(this._entries.zone)); }

  _worth(items) {
    const points = items.filter((one) => one.lane === "points");
    const whole = points.reduce((sum, one) => sum + Number(one.cells.Worth), 0) || 1;
    return [h("span", { class: "soft" }, `${whole} points, ${plural(items.filter((one) => one.lane === "gates").length, "gate")}`), h("span", { class: "worths", "aria-hidden": "true" }, points.map((one) => h("i", { style: { flexGrow: one.cells.Worth }, title: `${one.name}: ${one.cells.Worth}` })))];
  }

  // -- what the author's scripts earn ---------------------------------------------------------------------

  _caseColumns() { return this.data.page === "graders" && Object.keys(this._cases ?? {}).length ? Object.keys(CASES) : []; }

  _casesOf(one) { return this._cases?.[one.file.split("/")[1]]; }

  // What one script earned of a criterion: full, some or nothing of its worth; a gate is passed or not.
  _mark(one, rule, each) {
    const name = one.path.at(-1), points = each.earned[name];
    if (!points) return { text: "–", tone: "", why: each.reward === null ? "no reward" : "not judged" };
    const [got, worth] = points, isHonest = rule !== "lazy", isMet = each.met.includes(name);
    if (one.lane === "gates") return { text: isMet ? "passed" : "failed", tone: isHonest ? (isMet ? "green" : "red") : "" };
    if (one.lane === "penalties") return { text: got ? `−${Math.abs(got)}` : "0", tone: got && isHonest ? "red" : "" };
    return { text: `${got}/${worth}`, tone: isHonest ? (got >= worth ? "green" : "red") : got ? "orange" : "" };
  }

  // A mark for each thing that came of a rule's scripts, with how many it came of.
  _earned(one, rule) {
    const told = this._casesOf(one), found = new Map();
    for (const each of told?.rules[rule] ?? []) {
      const mark = this._mark(one, rule, each);
      if (!found.has(mark.text)) found.set(mark.text, { ...mark, names: [] });
      found.get(mark.text).names.push(each.name || "the oracle");
    }
    const marks = [...found.values()].sort((a, b) => a.names.length - b.names.length).map(({ text, tone, names }) => h("span", { class: `tag earned ${tone}`, title: names.join(", ") }, names.length > 1 ? `${text} × ${names.length}` : text));
    return h("span", { class: `earned-row ${told?.is_stale ? "stale" : ""}` }, marks.length ? marks : h("span", { class: "soft" }, told ? "none" : "not played"));
  }

  // Beside a criterion's form: each script by its name.
  _earnedList(one) {
    const told = this._casesOf(one);
    if (!told) return "";
    const rows = Object.entries(CASES).flatMap(([label, rule]) => (told.rules[rule] ?? []).map((each) => {
      const { text, tone, why } = this._mark(one, rule, each);
      return h("tr", {}, h("th", { scope: "row" }, each.name || "Oracle"), h("td", { class: "soft" }, each.name ? label.toLowerCase() : ""), h("td", {}, h("span", { class: `tag earned ${tone}`, title: why ?? null }, text)), h("td", { class: "soft" }, each.reward === null ? "no reward" : `reward ${Number(each.reward.toFixed(3))}`));
    }));
    return h("details", { class: "earned-list", open: rows.length <= 8 }, h("summary", {}, "What the cases earn here", this._staleMark([one])), h("table", {}, h("tbody", {}, rows)));
  }

  _staleMark(items) {
    const told = this._casesOf(items[0]);
    return told?.is_stale ? h("span", { class: "tag orange", title: "The text has changed since the cases were played: build it, then play them again." }, "Played before the last change") : "";
  }

  _first(one, text, wrong) {
    const face = one.kind === "person" || one.kind === "customer" ? avatar(one.title, "tiny") : ["beat", "talk", "mail", "fact", "ticket", "slot"].includes(one.kind) ? h("span", { class: `kind ${one.kind}` }, one.kind) : one.kind === "criterion" ? icon({ gates: "lock", points: "add_circle", penalties: "do_not_disturb_on" }[one.lane]) : "";
    return h("span", { class: "first" }, face, h("b", {}, text), wrong ? h("span", { class: "icon bad", title: "Something is wrong here" }, "error") : "");
  }

  _cell(column, text) {
    if (column === "Health" && text) return tag({ label: text, tone: { good: "green", watch: "orange", "at-risk": "red" }[text] ?? "" });
    if (column === "Worth") return tag({ label: text, tone: text === "gate" ? "violet" : text.startsWith("-") ? "red" : "blue" });
    if (column === "Judged by") return tag({ label: text.replaceAll("_", " "), tone: "" });
    if (column === "Announced") return tag({ label: text, tone: text === "never" ? "red" : text === "at once" ? "green" : "orange" });
    if (column === "Difficulty" || column === "What it is for") return h("span", { class: "clamp", title: text }, text);
    if (column === "What it asks") return h("span", { class: "clamp-beside", title: text }, text);
    return text;
  }

  _rowKey(event) {
    if (event.composedPath()[0].classList?.contains("toggle")) return;
    const rows = [...this._main.querySelectorAll("tbody tr[data-id]")];
    const at = rows.indexOf(event.composedPath().find((one) => one.tagName === "TR"));
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, j: at + 1, k: at - 1, Home: 0, End: rows.length - 1 }[event.key];
    if (to !== undefined) rows[Math.min(Math.max(to, 0), rows.length - 1)]?.focus();
    else if (event.key === "Enter" || event.key === " ") rows[at]?.click();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // -- the chosen one --------------------------------------------------------------------------------------

  async choose(id) {
    const item = this._entries?.items.find((one) => one.id === id) ?? null;
    if (id && !item && this._entries) toast(this.node, `Entry ${id.split("#").slice(1).join(" ") || id} not found`);
    if (this._isYamlDirty && (!item || item.file !== this._chosen?.file)) {
      const answer = await dialog("The YAML is not saved", h("p", {}, h("code", {}, this._chosen.file), " has changes that were typed and not saved."), [["Stay", null, ""], ["Discard them", "discard", "danger"], ["Save them", "save", "primary"]]);
      if (answer === null) return;
      if (answer === "save" && !(await this._saveYaml())) return;
      if (answer === "discard") this._editor.replace(this._read.text);
    }
    this._chosen = item;
    this._side.hidden = !item;
    this._draw();
    this._body.classList.toggle("with-side", Boolean(item));
    this._tellPlace();
    this._drawMain();
    if (item) {
      await this._readChosen();
      if (item.at !== null && this._view === "time") requestAnimationFrame(() => this._timeline.reveal(item.at));
    }
  }

  async _readChosen() {
    const item = this._chosen = this._entries?.items.find((one) => one.id === this._chosen.id) ?? this._chosen;
    try {
      const read = await this.text.get("text", { file: item.file }, { signal: this._turn.next() });
      if (this._isYamlDirty && this._read.file === item.file && this._editor.text !== read.text) {
        const merged = mergedTexts(this._cm, this._read.text, this._editor.text, read.text);
        if (merged !== null) { this._read = read; this._editor.replace(merged); this._keepDraft(); toast(this.node, "Merged with changes on disk"); } else toast(this.node, "Changed on disk; saving asks what to keep");
      } else this._read = read;
      await this._drawSide();
    } catch (error) { if (!isStopped(error)) toast(this.node, error.message); }
  }

  async _drawSide() {
    const item = this._chosen;
    this._title.textContent = item.title;
    this._sub.replaceChildren(tag({ label: item.kind, tone: "blue" }), h("code", {}, `${item.file}${item.path.length ? ` › ${item.path.join(" › ")}` : ""}`));
    const can = this.text.canChange;
    this._acts.replaceChildren(...(item.path.length && can && !["part", "product"].includes(item.kind) ? [
      ["person", "customer", "outsider", "outage", "fact", "beat", "talk", "mail"].includes(item.kind) ? button("", () => this._rename(), { name: "edit", title: "Rename", kind: "plain" }) : "",
      button("", () => this._duplicate(), { name: "content_copy", title: "Duplicate", kind: "plain" }),
      button("", () => this._removeOne(), { name: "delete", title: "Remove", kind: "plain" })] : [""]));
    this._fileName.textContent = item.file;
    await this._showYaml();
    this._drawForm();
  }

  _valueAt(path) { return path.reduce((value, step) => value?.[step], this._read?.value); }

  _drawForm() {
    const item = this._chosen;
    if (!item || !this._read) return;
    const root = this._schemas[patternOf(item.file, Object.keys(this._schemas))];
    const schema = root && schemaAt(root, item.path);
    const isBroken = this._read.value === null;
    this._broken.hidden = !isBroken && !this._isYamlDirty;
    this._broken.replaceChildren(icon("edit_note"), isBroken ? "This file cannot be read as it stands: mend the YAML." : "The YAML has changes that are not saved: save or revert them, then the form can change it.");
    if (isBroken || !schema) { this._form.node.replaceChildren(nothing("data_object", "No form", "Edit the YAML beside.")); return; }
    const prefix = item.path.join(".");
    const problems = (path) => {
      const id = path.join(".");
      return this._problems.filter((one) => one.file === item.file && one.severity === "error" && (one.message.startsWith(`${id}:`) || one.message.startsWith(`${id}.`) && path.length > item.path.length || (one.message.startsWith(`${path.slice(-2).join(".")}:`) && path.length > item.path.length)));
    };
    this._form.show({ root, schema, path: item.path, value: this._valueAt(item.path), canChange: this.text.canChange && !this._isYamlDirty, problems, keeping: this._keepingOf(item) });
    if (item.kind === "criterion") this._form.node.prepend(h("p", { class: "sentence" }, item.subtitle), this._earnedList(item));
    const general = this._problems.filter((one) => one.file === item.file && one.severity === "error" && item.path.length && one.message.startsWith(`${prefix}:`));
    if (general.length) this._form.node.prepend(h("ul", { class: "problem-list" }, general.map((one) => problemRow(one, { open: (each) => this._editor?.goTo(each.line, each.column), fix: (each, fix) => this._fixLine(each, fix) }))));
  }

  // Where what is typed in the form of an entry is kept, by the ids of fields.
  _keepingOf({ file, id: item }) {
    const { world } = this.text, { page } = this.data, start = `${file}#`;
    return {
      name: `${world} ${item}`,
      all: () => this._typedFields().filter(([name, one]) => name.startsWith(start) && one.item === item).map(([name, { value, wrong }]) => [name.slice(start.length), { value, wrong }]),
      keep: (id, what) => fields.keep(world, start + id, { ...what, page, item }),
      forget: (id) => fields.forget(world, start + id),
    };
  }

  // What is typed in forms of this page and in no file, by the name under which it is kept.
  _typedFields() {
    const { world } = this.text;
    return fields.names(world).map((name) => [name, fields.read(world, name)]).filter(([, one]) => one?.page === this.data.page);
  }

  async _showRefused() {
    const refused = this._typedFields().map(([, one]) => one).filter((one) => one.wrong.length);
    if (refused.length && !refused.some((one) => one.item === this._chosen?.id)) await this.choose(refused[0].item);
    this._tab("Form");
    const field = this._form.node.querySelector(".field.wrong .field.wrong") ?? this._form.node.querySelector(".field.wrong");
    field?.scrollIntoView({ block: "nearest" });
    (field?.querySelector("input, textarea, select") ?? field?.querySelector("button"))?.focus({ preventScroll: true });
  }

  async _edit(operations, { label, anyway = false, file = this._chosen.file, base = this._read.hash } = {}) {
    try {
      const told = await this.text.post("edit", { file, base, operations, label, anyway });
      this._problems = told.problems;
      if (told.written.length && told.read && file === this._chosen?.file) {
        this._read = told.read;
        await this._showYaml();
      }
      if (told.written.length) this._refreshSoon();
      if (told.caused.length) this._tell(label, told);
      return told;
    } catch (error) {
      if (!(error instanceof Changed)) throw error;
      await this._refresh();
      throw new Refusal("The file changed on disk meanwhile: it is shown as it is now. Try again.");
    }
  }

  _refreshSoon() { (this._soon ??= later(60, () => this._refresh()))(); }

  async _fixLine(problem, fix) {
    if (this._isYamlDirty) return;
    if (this._editor && problem.file === this._chosen.file && this._editor.mend(problem, fix)) await this._saveYaml();
    else await this._mend(problem, fix);
  }

  // -- the YAML beside it ----------------------------------------------------------------------------------

  get _isYamlDirty() { return Boolean(this._editor && this._read && this._shownFile === this._read.file && this._editor.text !== this._read.text); }

  async _showYaml() {
    const item = this._chosen;
    if (!this._editor) {
      await this._loadEditor();
      const complete = completer({ schemas: () => this._schemas, names: () => this._names ?? {}, file: () => this._chosen?.file ?? "" });
      this._checkSoon = later(250, () => this._check());
      this._editor = new CodeEditor({ cm: this._cm, root: this.node.getRootNode(), complete, label: "YAML", save: () => this._saveYaml(), change: () => { if (this._quiet) return; this._keepDraft(); this._drawYamlBar(); if (this._isYamlDirty) this._checkSoon(); } });
      this._yamlPlace.replaceChildren(this._editor.node);
    }
    this._quiet = true;
    if (this._shownFile !== item.file) this._editor.open(this._typedBefore(), { language: item.file, readOnly: !this.text.canChange });
    else if (this._editor.text === this._shown) this._editor.replace(this._read.text);
    this._quiet = false;
    this._shownFile = item.file;
    this._shown = this._read.text;
    this._editor.setReadOnly(!this.text.canChange);
    if (item.path.length) {
      const line = lineOf(this._editor.text, item.path);
      this._editor.mark(line, lastLineOf(this._editor.text, line));
    }
    this._editor.showProblems(this._problems.filter((one) => one.file === item.file), (one, fix) => this._editor.mend(one, fix));
    this._drawYamlBar();
  }

  async _loadEditor() { return (this._cm ??= await import(new URL(this.data.editor, document.baseURI))); }

  // What the file says, or what was typed in it before and not saved, put together with what it says by now.
  _typedBefore() {
    const draft = this.text.canChange ? drafts.read(this.text.world, this._read.file) : null;
    if (!draft) return this._read.text;
    toast(this.node, "What you typed before is here again, and not saved yet");
    if (draft.base === this._read.hash) return draft.text;
    const merged = mergedTexts(this._cm, draft.was, draft.text, this._read.text);
    if (merged === null) this._read = { ...this._read, text: draft.was, hash: draft.base }; // saving asks what to keep
    return merged ?? draft.text;
  }

  _keepDraft() {
    if (!this._read || this._shownFile !== this._read.file) return;
    if (this._isYamlDirty) drafts.keep(this.text.world, this._read.file, { text: this._editor.text, base: this._read.hash, was: this._read.text });
    else drafts.forget(this.text.world, this._read.file);
  }

  async _check() {
    const text = this._editor.text, file = this._chosen?.file;
    try {
      const told = await send(this.text.token, `${this.text.path}/check`, { rev: 0, texts: this._isYamlDirty ? { [file]: text } : {} }, { signal: this._checking.next() });
      if (text !== this._editor.text || file !== this._chosen?.file) return;
      this._editor.showProblems(told.problems.filter((one) => one.file === file), (one, fix) => this._editor.mend(one, fix));
    } catch { /* the next keystroke asks again */ }
  }

  _drawYamlBar() {
    const isDirty = this._isYamlDirty;
    this._yamlSave.hidden = this._yamlRevert.hidden = !isDirty;
    this._yamlState.hidden = !isDirty && this.text.canChange;
    this._yamlState.textContent = isDirty ? "Not saved" : "Read-only";
    this._yamlState.className = `tag ${isDirty ? "orange" : ""}`;
    if (isDirty !== this._wasDirty) { this._wasDirty = isDirty; this._drawForm(); }
  }

  async _saveYaml() {
    if (!this._isYamlDirty) return true;
    const file = this._chosen.file, text = this._editor.text;
    try {
      const told = await this.text.post("save", { file, text, base: this._read.hash });
      this._problems = told.problems;
      this._read = { ...this._read, text, hash: told.written[0].hash };
      this._keepDraft();
      await this._refresh();
      return true;
    } catch (error) {
      if (!(error instanceof Changed)) { toast(this.node, error.message); return false; }
      const merged = mergedTexts(this._cm, this._read.text, text, error.text);
      const keep = merged ?? (await askWhichText(this._cm, file, text, error.text));
      if (keep === null) return false;
      this._read = { ...this._read, text: error.text, hash: error.hash };
      this._editor.replace(keep);
      this._keepDraft();
      if (merged !== null) toast(this.node, "Merged with changes on disk");
      return keep === error.text ? true : this._saveYaml();
    }
  }

  _tab(label) {
    this._side.dataset.tab = label;
    for (const one of this._tabs.children) one.setAttribute("aria-checked", String(one.textContent === label));
  }

  // -- what is done with entries ---------------------------------------------------------------------------

  // Moves something in time; `longer` moves its end away from its beginning.
  async _moveItem(one, by, longer = 0) {
    try {
      const read = await this.text.get("text", { file: one.file });
      const document = { file: one.file, base: read.hash, path: one.path, field: one.field, by, span: one.span, longer };
      const told = await this._orAsk((anyway) => this.text.post("move", { ...document, anyway }), { title: `Move ${one.name}?`, left: "Leave it", anyway: "Move it anyway" });
      if (!told) return false;
      await this._refresh();
      const until = longer ? `–${this._clockOf().short(one.until + by + longer)}, ${spanText(one.until - one.at + longer)}` : "";
      const label = `Moved ${one.name} to ${this._clockOf().short(one.at + by)}${until}`;
      this._tell(label, told, { also: label });
      return true;
    } catch (error) {
      toast(this.node, error.message);
      return false;
    }
  }

  async _step(way) {
    try {
      const told = await this.text.post(way, {});
      await this._refresh();
      toast(this.node, `${way === "undo" ? "Took back" : "Made again"}: ${told.label}`, way === "undo" ? ["Redo", () => this._step("redo")] : null);
    } catch (error) { toast(this.node, error.message); }
  }

  async _removeOne() {
    const item = this._chosen, name = String(item.path.at(-1));
    const { uses } = await this.text.get("uses", { name });
    const own = lineOf(this._read.text, item.path), last = lastLineOf(this._read.text, own);
    const others = uses.filter((one) => one.is_reference && !(one.file === item.file && one.line >= own && one.line <= last));
    const rows = others.slice(0, 12).map((one) => h("li", { class: "use" }, h("code", {}, `${one.file}:${one.line}`), h("span", {}, one.text)));
    const answer = await dialog(`Remove ${name}?`, [h("p", {}, others.length ? `It is used in ${plural(others.length, "place")}; they would name something that is not there:` : "Nothing else names it."), rows.length ? h("ul", { class: "uses", tabindex: "0", "aria-label": "Places that name it" }, rows, others.length > 12 && h("li", { class: "soft" }, `and ${others.length - 12} more`)) : ""], [["Keep it", null, ""], [others.length ? "Remove it anyway" : "Remove", "yes", "danger"]]);
    if (!answer) return;
    const label = `Remove ${name}`;
    const told = await this._orAsk((anyway) => this._edit([{ op: "remove", path: item.path }], { label, anyway: anyway || others.length > 0 }), { title: `Remove ${name}?`, left: "Keep it", anyway: "Remove it anyway" }).catch((error) => { toast(this.node, error.message); return null; });
    if (!told?.written.length) return;
    await this.choose("");
    await this._refresh();
    this._tell(`Removed ${name}`, told, { also: `Removed ${name}` });
  }

  async _rename() {
    const item = this._chosen, old = String(item.path.at(-1));
    const { uses } = await this.text.get("uses", { name: old });
    const named = uses.filter((one) => one.is_reference), texts = uses.filter((one) => !one.is_reference);
    const input = h("input", { type: "text", value: old, "aria-label": "New short name", spellcheck: "false" });
    const says = h("div", { class: "field-error", role: "alert" });
    let anyway = false, renamed = null;
    const made = await dialog(`Rename ${old}`, [h("label", {}, h("span", {}, "New short name"), input), h("p", { class: "soft" }, `${plural(named.length, "place")} in ${plural(new Set(named.map((one) => one.file)).size, "file")} will follow.${texts.length ? ` ${plural(texts.length, "text")} with the word in a sentence stay as they are.` : ""}`), h("ul", { class: "uses", tabindex: "0", "aria-label": "Places that name it" }, named.slice(0, 8).map((one) => h("li", { class: "use" }, h("code", {}, `${one.file}:${one.line}`), h("span", {}, one.text)))), says], [["Cancel", null, ""], ["Rename", "", "primary", async () => {
      try {
        const told = await this.text.post("rename", { old, new: input.value.trim(), anyway });
        if (!told.refused.length) { renamed = told; return input.value.trim(); }
        anyway = true;
        says.replaceChildren(h("p", {}, "It would leave something wrong; Rename again does it anyway:"), ...told.refused.slice(0, 4).map((one) => h("p", {}, `${one.file}:${one.line} ${one.message}`)));
      } catch (error) { says.textContent = error.message; }
      return undefined;
    }]]);
    if (!made) return;
    const path = [...item.path.slice(0, -1), made], id = [item.file, ...path].join("#");
    const from = this._keepingOf(item), to = this._keepingOf({ file: item.file, id });
    for (const [field, typed] of from.all()) {
      from.forget(field);
      to.keep(path.join(".") + field.slice(item.path.join(".").length), typed);
    }
    this._chosen = null;
    await this._refresh();
    await this.choose(id);
    this._tell(`Renamed ${old} to ${made}`, renamed, { also: `Renamed ${old} to ${made}` });
  }

  async _duplicate() {
    const item = this._chosen, above = item.path.slice(0, -1), old = String(item.path.at(-1));
    const taken = Object.keys(this._valueAt(above) ?? {});
    const name = [...Array(99).keys()].map((number) => `${old}-${number + 2}`).find((one) => !taken.includes(one));
    const value = structuredClone(this._valueAt(item.path));
    if (item.kind === "person" || item.kind === "customer") {
      value.name = `${value.name} (copy)`;
      if (value.email) value.email = value.email.replace("@", "-2@");
    }
    const told = await this._orAsk((anyway) => this._edit([{ op: "insert", path: above, at: name, value }], { label: `Duplicate ${old}`, anyway }), { title: `Duplicate ${old}?`, left: "Leave it", anyway: "Duplicate it anyway" }).catch((error) => { toast(this.node, error.message); return null; });
    if (!told?.written.length) return;
    await this._refresh();
    await this.choose([item.file, ...above, name].join("#"));
    this._tell(`Made ${name} of ${old}`, told, { also: `Made ${name} of ${old}` });
  }

  // -- something new ---------------------------------------------------------------------------------------

  async _addOne() {
    const place = this._placeForNew();
    if (place === null) return;
    const { file, above, kind, start } = place;
    const root = this._schemas[patternOf(file, Object.keys(this._schemas))];
    const schema = schemaAt(root, [...above, "new"]) ?? {};
    const object = options(root, schema).find((one) => one.properties) ?? { properties: {} };
    const asked = [...(place.also ?? []), ...(object.required ?? []).filter((word) => !(place.also ?? []).includes(word))].filter((word) => !(word in start));
    const short = h("input", { type: "text", "aria-label": "Short name", placeholder: "short-name", spellcheck: "false", autocomplete: "off" });
    const fields = new Map(asked.map((word) => {
      const part = resolved(root, object.properties[word] ?? {});
      const choice = options(root, part).find((one) => one.enum) ?? (part["x-says"] ? { enum: Object.keys(part["x-says"]), says: part["x-says"] } : null);
      const named = (part["x-refers"] ?? []).flatMap((each) => Object.entries(this._names[each] ?? {}));
      const list = [...named, ...(part.examples ?? []).map((one) => [one, ""])];
      const offered = !choice && list.length ? combo(() => list, { placeholder: place.hints?.[word] ?? "Choose, or type" }, { zone: this._entries.zone }) : null;
      const input = offered ? offered.input : choice ? h("select", {}, choice.enum.map((one) => h("option", { value: one }, choice.says?.[one] ? `${one.replaceAll("_", " ")}: ${choice.says[one]}` : one))) : h("input", { type: "text", autocomplete: "off", spellcheck: "false", placeholder: { duration: "45m", email: "" }[part["x-kind"]] ?? "" });
      input.setAttribute("aria-label", words(word));
      if (start[`${word}?`]) input.value = start[`${word}?`];
      return [word, { part, input, control: offered?.node ?? input }];
    }));
    const says = h("div", { class: "field-error", role: "alert" });
    const suggest = ["person", "customer"].includes(kind) ? button("Suggest one", async () => {
      const told = await this.text.get("suggest", { kind });
      short.value = told.short;
      for (const [word, { input }] of fields) if (told.entry[word] !== undefined) input.value = told.entry[word];
      suggested = told.entry;
      changed();
    }, { name: "casino" }) : "";
    let suggested = {}, anyway = false, added = null;
    const changed = () => { says.replaceChildren(); anyway = false; }; // what was refused is another entry now
    let isNamed = !place.named;
    const taken = new Set(this._entries.items.filter((one) => one.file === file).map((one) => String(one.path.at(-1))));
    short.addEventListener("input", () => { isNamed = short.value.trim() !== ""; });
    for (const input of [short, ...[...fields.values()].map((one) => one.input)]) input.addEventListener("input", changed);
    for (const { input } of fields.values()) input.addEventListener("input", () => { if (!isNamed) short.value = freeName(place.named(Object.fromEntries([...fields].map(([word, one]) => [word, one.input.value]))), taken); });
    const nameRow = h("label", {}, h("span", {}, "Short name ", h("i", { class: "must" }, "required")), short);
    const rows = [place.named ? "" : nameRow, ...[...fields].map(([word, { part, control }]) => {
      const help = place.helps?.[word] ?? part.description ?? "";
      return h("label", {}, h("span", {}, words(word), " ", (object.required ?? []).includes(word) && h("i", { class: "must" }, "required")), help ? h("i", { class: "help" }, help.replaceAll("`", "")) : "", control);
    }), place.named ? nameRow : ""];
    const value = () => {
      const own = Object.fromEntries([...fields].map(([word, { input, part }]) => [word, options(root, part).some((one) => one.type === "array") && !options(root, part).some((one) => one.type === "string") ? input.value.split(",").map((one) => one.trim()).filter(Boolean) : input.value.trim()]).filter(([, one]) => one.length));
      return { ...suggested, ...own, ...Object.fromEntries(Object.entries(start).filter(([word]) => !word.endsWith("?"))) };
    };
    const made = await dialog(`Add ${kind}`, [place.note ? h("p", { class: "soft" }, place.note) : "", suggest ? h("div", { class: "row" }, suggest) : "", ...rows, says], [["Cancel", null, ""], [`Add ${kind}`, "", "primary", async () => {
      const name = short.value.trim();
      if (!/^[a-z][a-z0-9-]*$/.test(name)) { says.textContent = "Give it a short name: lower-case letters, digits and hyphens, such as anna or rds-noon."; short.focus(); return undefined; }
      try {
        const read = await this.text.get("text", { file }).catch(() => ({ hash: null, value: null }));
        const inner = above.reduce((one, step) => one?.[step], read.value ?? {});
        if (inner && name in inner) { says.textContent = `There is ${name} already.`; return undefined; }
        const operation = { op: "set", path: [...above, name], value: value() };
        const told = await this.text.post("edit", { file, base: read.hash, operations: [operation], label: `Add ${name}`, anyway, joins: kind === "person" });
        if (told.written.length) { added = told; return name; }
        anyway = true;
        says.replaceChildren(...told.refused.slice(0, 4).map((one) => h("p", {}, one.message)), h("p", { class: "soft" }, "Change it, or add it anyway with the button below."));
      } catch (error) { says.textContent = error.message; }
      return undefined;
    }]]);
    if (!made) return;
    await this._refresh();
    await this.choose([file, ...above, made].join("#"));
    this._tell(`Added ${made}`, added, { also: `Added ${made}` });
  }

  async _draftOne() {
    await this._loadEditor();
    const made = await new Drafter({ text: this.text, cm: this._cm, kind: DRAFTED[this.data.page], drafter: this.data.drafter }).run();
    if (!made) return;
    await this._refresh();
    await this.choose(made.item);
    this._tell(`Added ${made.name}`, made.told, { also: `Added ${made.name}` });
  }

  // Where something new goes, and what it has to begin with.
  _placeForNew() {
    const { page } = this.data;
    if (page === "people") return { file: "people.yaml", above: [], kind: "person", start: this._chosen?.group ? { "team?": this._chosen.group } : {} };
    if (page === "customers") return { file: "customers.yaml", above: [], kind: "customer", start: {} };
    if (page === "systems") return { file: "systems.yaml", above: [], kind: "service", start: {} };
    if (page === "outages") {
      const middle = this._timeline ? (this._timeline._from + this._timeline._to) / 2 : (this._entries.first + this._entries.last) / 2;
      const shown = this._timeline ? this._timeline._to - this._timeline._from : this._entries.last - this._entries.first;
      const middling = this._clockOf().link(Math.round(middle / (15 * MINUTE)) * 15 * MINUTE).replace("T", " ");
      const at = shown > 3 * DAY ? `${workdayOf(middling.slice(0, 10))} 10:00` : middling; // where days are shown, somebody is at work then
      return { file: "outages.yaml", above: [], kind: "outage", also: ["on", "mode", "from", "for"], named: ({ on, mode }) => on && `${on.split("/").at(-1)}-${mode}`, start: { "from?": at, "for?": "45m", "mode?": "down" }, hints: { on: "Choose what breaks" }, helps: { from: "When it begins, by the company's clock. Dragging it on the time line moves it afterwards.", on: "A product, a vendor's part or a service of the company's own.", for: "How long it lasts: 45m, 2h30m, 1d.", mode: "How it fails. Who is hit, and what is announced, stands in its form afterwards." } };
    }
    if (page === "storylines" && !this._chosen) { this._addStoryline(); return null; }
    if (page === "storylines") {
      const file = this._chosen?.file?.startsWith("storylines/") ? this._chosen.file : this._entries.items.find((one) => one.kind === "storyline")?.file;
      if (!file) { toast(this.node, "Make a storyline in Files first"); return null; }
      const section = this._chosen?.path.length && SECTIONS[this._chosen.path[0]] ? this._chosen.path[0] : "beats";
      const at = this._clockOf().link(this._chosen?.at ?? (this._entries.first + this._entries.last) / 2).replace("T", " ").slice(0, 16);
      return { file, above: [section], kind: SECTIONS[section], start: section === "beats" ? { at } : section === "facts" ? {} : { "at?": at }, note: `It goes to ${file}. What is chosen says which sort: choose a fact to add a fact.` };
    }
    if (page === "graders") {
      const file = this._chosen?.file ?? this._entries.items[0]?.file;
      const part = this._chosen?.path[1] ?? "points";
      return { file, above: ["rubric", part], kind: "criterion", start: { ...(part === "gates" ? {} : { worth: 1 }), findings: [] }, note: `It goes to the ${part} of ${file}.` };
    }
    if (page === "tasks") { this._addTask(); return null; }
    return null;
  }

  async _addStoryline() {
    const { kinds, trades, trade } = await this.text.get("kinds");
    const kind = h("select", {}, kinds.map(({ name, title }) => h("option", { value: name }, title)));
    const words = h("select", {}, trades.map(({ name, title }) => h("option", { value: name, selected: name === trade }, title)));
    const short = h("input", { type: "text", placeholder: "as the kind is called", spellcheck: "false", autocomplete: "off" });
    const says = h("div", { class: "field-error", role: "alert" });
    let added = null;
    const made = await dialog("Add storyline", [h("p", { class: "soft" }, "It is told by people and customers who are there, and comes with its task, its solution and its cases."), h("label", {}, h("span", {}, "What happens"), kind), h("label", {}, h("span", {}, "In the words of"), words), h("label", {}, h("span", {}, "Short name"), short), says], [["Cancel", null, ""], ["Add storyline", "", "primary", async () => {
      try {
        const told = await this.text.post("new-storyline", { kind: kind.value, trade: words.value, name: short.value.trim() });
        if (told.written.length) { added = told; return told.written.map((one) => one.file).find((file) => file.startsWith("storylines/")) ?? ""; }
        says.replaceChildren(...told.refused.slice(0, 4).map((one) => h("p", {}, one.message)));
      } catch (error) { says.textContent = error.message; }
      return undefined;
    }]]);
    if (!made) return;
    await this._refresh();
    await this.choose(made);
    this._tell(`Added ${made}`, added, { also: `Added ${made}` });
  }

  async _addTask() {
    const people = Object.entries(this._names.person ?? {}).filter(([, what]) => what !== "the agent");
    const must = () => h("i", { class: "must" }, "required");
    let isNamed = false, isTimed = false, told = null, added = null, moved = "";
    const name = h("input", { type: "text", placeholder: "who-knew", autocomplete: "off", spellcheck: "false", oninput: () => { isNamed = name.value.trim() !== ""; } });
    const requester = h("select", {}, people.map(([short, what]) => h("option", { value: short }, what ? `${what} (${short})` : short)));
    const start = h("input", { type: "text", autocomplete: "off", spellcheck: "false", oninput: () => { isTimed = start.value.trim() !== ""; lookSoon(); } });
    const title = h("input", { type: "text", placeholder: "Left empty: Find out, and what is asked for", autocomplete: "off" });
    const notes = h("div", { class: "start-notes", role: "status" });
    const says = h("div", { class: "field-error", role: "alert" });
    const turn = new Turn();
    const look = async () => {
      try {
        told = await this.text.get("task-offer", { asks: facts.asks().join(","), start: start.value.trim(), kept: isTimed ? "" : "1" }, { signal: turn.next() });
        if (!isTimed) start.value = told.start;
        if (told.moved) moved = told.moved;
        facts.show(told.questions);
        const late = facts.answers().filter((one) => !one.holds).map((one) => h("p", { class: "not-so" }, `${one.text}: that is not so then. Choose another answer or another moment.`));
        notes.replaceChildren(...(moved && !isTimed ? [h("p", { class: "not-so" }, moved)] : []), ...(told.wrong ? [h("p", { class: "not-so" }, told.wrong)] : told.notes.map((one) => h("p", {}, one))), ...(told.wrong ? [] : late));
        if (!isNamed) name.value = this._nameFor(facts.slots());
      } catch (error) { if (!isStopped(error)) notes.replaceChildren(h("p", { class: "not-so" }, error.message)); }
    };
    const lookSoon = later(200, look);
    const facts = this._factPicker(look);
    const field = (label, control, ...more) => h("label", {}, h("span", {}, `${label} `, ...more), control);
    const add = async () => {
      const short = name.value.trim();
      if (!facts.asks().length) { says.textContent = "Tick one question at least: it is what the agent is asked."; facts.find.focus(); return undefined; }
      if (!/^[a-z][a-z0-9-]*$/.test(short)) { says.textContent = "Short name: lower-case letters, digits and hyphens, such as who-knew."; name.focus(); return undefined; }
      try {
        const made = await this.text.post("new-task", { name: short, asks: facts.asks().join(","), requester: requester.value, start: start.value.trim(), title: title.value.trim() });
        if (made.written.length) { added = made; return short; }
        says.replaceChildren(...made.refused.slice(0, 4).map((one) => h("p", {}, one.message)));
      } catch (error) { says.textContent = error.message; }
      return undefined;
    };
    look();
    const made = await dialog("Add task", [
      h("p", { class: "soft" }, "What shall the agent find out? Prompt, rubric, reference solution and cases are begun with it, and can be changed then."),
      h("div", { class: "fact-field", role: "group", "aria-label": "What to find out" }, facts.node),
      h("div", { class: "fact-field" }, field("When the agent comes in", start), notes),
      field("Short name", name, must()),
      h("details", { class: "folded" }, h("summary", {}, "Who asks, title"), h("div", { class: "folded-body" }, field("Who asks", requester), field("Title", title))),
      says,
    ], [["Cancel", null, ""], ["Add task", "", "primary", add]]);
    turn.stop();
    if (!made) return;
    await this._refresh();
    await this.choose(`tasks/${made}/task.yaml`);
    this._tell(`Added ${made}`, added, { also: `Added ${made}` });
  }

  // A short name for a task by what it asks: `policy-changed-value`.
  _nameFor(slots) {
    return freeName(slots[0], new Set(this._entries.items.filter((one) => one.kind === "task").map((one) => one.subtitle)));
  }

  // Every question that the world's facts answer, with its answers, to be found by words and ticked. The answer that is right is the one
  // that holds when the agent comes in, unless another one is chosen.
  _factPicker(changed) {
    const ticked = new Map(); // by slot, the answer that somebody chose, empty where the moment chooses
    let every = [];
    const list = h("div", { class: "fact-list" }, skeleton(3));
    const count = h("span", { class: "soft", role: "status" });
    const answer = (one) => one.answers.find((each) => each.fact === ticked.get(one.slot)) ?? one.answers.find((each) => each.holds) ?? one.answers.filter((each) => each.is_ever).at(-1) ?? one.answers[0];
    const chosen = () => every.filter((one) => ticked.has(one.slot));
    const row = (one) => {
      const isTicked = ticked.has(one.slot);
      const box = h("input", { type: "checkbox", "data-slot": one.slot, checked: isTicked, onchange: () => { if (!ticked.delete(one.slot)) ticked.set(one.slot, ""); draw(); changed(); } });
      const answers = [h("span", {}, one.answers.map((each) => each.text).join(", ") || "no value yet")];
      return h("label", { class: "fact", title: one.answers.map((each) => each.fact).join(", ") }, box, h("span", { class: "fact-says" }, h("b", {}, one.asks), answers));
    };
    // Which answer is right stands below the list: a row that grew would move the next one from under the pointer.
    const picks = h("div", { class: "fact-picks" });
    const pick = (one) => {
      const right = answer(one);
      return h("label", { class: "fact-right" }, h("span", {}, `${one.asks} Right is`), h("select", { "aria-label": `Right answer: ${one.asks}`, onchange: (event) => { ticked.set(one.slot, event.target.value); changed(); } }, one.answers.map((each) => h("option", { value: each.fact, selected: each.fact === right.fact }, each.text))));
    };
    const draw = () => {
      const wanted = find.value.trim().toLowerCase();
      const found = every.filter((one) => ticked.has(one.slot) || !wanted || `${one.asks} ${one.slot} ${one.about} ${one.answers.map((each) => `${each.fact} ${each.text} ${each.says}`).join(" ")}`.toLowerCase().includes(wanted));
      const held = list.getRootNode().activeElement?.dataset?.slot;
      const scroll = list.scrollTop;
      const groups = Object.entries(Object.groupBy(found.slice(0, 200), (one) => one.storyline));
      list.replaceChildren(...groups.flatMap(([line, those]) => [h("div", { class: "about" }, those[0].about || words(line)), ...those.map(row)]), found.length ? "" : nothing("search_off", "Nothing found", every.length ? "No question has these words in it." : "This world has no facts yet: add a storyline first."));
      list.scrollTop = scroll;
      if (held) list.querySelector(`[data-slot="${CSS.escape(held)}"]`)?.focus({ preventScroll: true });
      picks.replaceChildren(...chosen().filter((one) => one.answers.length > 1).map(pick));
      count.textContent = `${ticked.size} ticked, ${found.length} of ${every.length} shown`;
    };
    const find = h("input", { type: "search", placeholder: "Find a question or an answer", "aria-label": "Find a question", autocomplete: "off", oninput: draw });
    return { node: h("div", { class: "fact-picker" }, find, list, count, picks), find, asks: () => chosen().map((one) => answer(one).fact), answers: () => chosen().map(answer), slots: () => chosen().map((one) => one.slot), show: (questions) => { every = questions; draw(); } };
  }

  _tellPlace() { this._address.write(this.text.token, { item: this._chosen?.id ?? "", view: this._view }); }
}

export default paneOf(Entries);
