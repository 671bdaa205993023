// The files of a world: a tree, an editor, and what is wrong.

const CHECK_MS = 250;

class Files {
  constructor(component) {
    this.text = new WorldText();
    this._open = new Set(["storylines", "tasks"]);
    this._rev = 0;
    this._problems = [];
    this._turn = new Turn();
    this._checking = new Turn();
    this._checkSoon = later(CHECK_MS, () => this._check());
    this._make();
    component.parentElement.append(this.node);
    this._room = new Room(this._body, 420);
    this.text.watch(() => this._diskChanged());
  }

  _make() {
    this._filter = h("input", { type: "search", "aria-label": "Find a file", placeholder: "Find a file", oninput: () => this._drawTree(), autocomplete: "off", spellcheck: "false" });
    this._tree = h("ul", { class: "tree", role: "tree", "aria-label": "Files", onkeydown: (event) => this._treeKey(event) });
    this._name = h("strong", { class: "file-name" }, "");
    this._state = h("span", { class: "tag", role: "status", hidden: true });
    this._undo = button("", () => this._step("undo"), { name: "undo", title: "Undo the last change on disk", kind: "plain" });
    this._redo = button("", () => this._step("redo"), { name: "redo", title: "Redo", kind: "plain" });
    this._revert = button("Revert", () => this._revertText(), { title: "Take what is on disk" });
    this._format = button("Format", () => this._formatText(), { title: "Line ends, trailing spaces, the last line" });
    this._save = button("Save", () => this.save(), { kind: "primary", title: "Save (Ctrl+S)" });
    this._rename = button("", () => this._renamePath(this.file), { name: "drive_file_rename_outline", title: "Rename (F2 in the tree)", kind: "plain" });
    this._delete = button("", () => this._deletePath(this.file), { name: "delete", title: "Delete (Delete in the tree)", kind: "plain" });
    this._note = h("div", { class: "note", hidden: true });
    this._place = h("div", { class: "editor-place" }, skeleton(6));
    this._list = h("ul", { class: "problem-list" });
    this._count = h("button", { type: "button", class: "problem-head", "aria-expanded": "true", onclick: () => this._fold() }, "Problems");
    this._problemsNode = h("section", { class: "problems", "aria-label": "Problems" }, this._count, this._list);
    this._body = h("div", { class: "card files-body" },
      h("nav", { class: "side", "aria-label": "Files of this world" }, h("div", { class: "side-head" }, this._filter, button("", () => this._newFile(), { name: "note_add", title: "New file", kind: "plain" })), this._tree),
      h("div", { class: "main" },
        h("div", { class: "bar" }, this._name, this._state, h("span", { class: "gap" }), this._rename, this._delete, this._undo, this._redo, this._format, this._revert, this._save),
        this._note, this._place,
        h("div", { class: "foot" }, this._problemsNode, h("span", { class: "hint" }, "Esc, then Tab leaves the editor · Ctrl+Space completes · Ctrl+F finds"))));
    this.node = h("div", { class: "pane files" }, this._body);
    dialog.host = this.node;
    this._address = new Address("files");
    this._onLeave = (event) => { if (this._isDirty) event.preventDefault(); };
    window.addEventListener("beforeunload", this._onLeave);
    this._onSaved = ({ detail }) => { if (detail === this.text.world && this.file) this._savedElsewhere(); };
    window.addEventListener("brownout-saved", this._onSaved);
  }

  stop() {
    this._room.stop();
    this._address.stop();
    this.text.stop();
    this._checkSoon.stop();
    this.editor?.stop();
    window.removeEventListener("beforeunload", this._onLeave);
    window.removeEventListener("brownout-saved", this._onSaved);
  }

  async change({ data, setTriggerValue }) {
    const before = this.data ?? {};
    this.data = data;
    this._trigger = setTriggerValue;
    dialog.host = this.node;
    this._room.settle();
    this.text.set(data);
    if (before.world !== data.world) return this._begin();
    if (this.editor && data.jump.rev !== before.jump?.rev && data.jump.file) return this._go(data.jump.file, data.jump.line);
    return undefined;
  }

  async _begin() {
    try {
      this._module ??= import(new URL(this.data.editor, document.baseURI));
      const [cm, listed, schemas, names] = await Promise.all([this._module, this.text.get("files"), this.text.schema(), this.text.get("names")]);
      this.cm = cm;
      this._schemas = schemas;
      this._names = names;
      this.text.take(listed);
      this._files = listed.files;
      this._problems = listed.problems;
      if (!this.editor) {
        const complete = completer({ schemas: () => this._schemas, names: () => this._names, file: () => this.file ?? "" });
        this.editor = new CodeEditor({ cm, root: this.node.getRootNode(), complete, label: "Text of the file", save: () => this.save(), change: (isOutside) => this._typed(isOutside) });
        this._place.replaceChildren(this.editor.node);
      }
      this.file = null;
      const { file, line } = this.data.jump;
      const known = this._files.some((one) => one.path === file);
      await this._go(known ? file : "world.yaml", known ? line : 0);
      if (file && !known) toast(this.node, `File ${file} not found`);
    } catch (error) {
      this._place.replaceChildren(problem(error, () => this._begin()));
    }
  }

  // -- one file --------------------------------------------------------------------------------------------

  get _isDirty() { return Boolean(this.editor && this.file && this._base && this.editor.text !== this._base.text); }

  async _go(file, line = 0, { column = 0, length = 0 } = {}) {
    if (file !== this.file) {
      let read;
      try {
        read = await this.text.get("text", { file }, { signal: this._turn.next() });
      } catch (error) {
        if (!isStopped(error)) toast(this.node, error.message);
        return;
      }
      this._keepDraft();
      this.file = file;
      const draft = drafts.read(this.text.world, file);
      this._base = draft ? { text: draft.was, hash: draft.base } : { text: read.text, hash: read.hash };
      this._quiet = true;
      this.editor.open(draft ? draft.text : read.text, { language: file, readOnly: !this.text.canChange });
      this._quiet = false;
      this._note.hidden = true;
      this._isChecked = !Object.keys(this._unsaved()).length;
      if (draft) this._say("What you typed before the page was left is here again, and not saved yet.", "draft");
      if (draft && draft.base !== read.hash) this._meet(read);
      this._open.add(file.split("/").slice(0, -1).join("/"));
      for (let at = file.indexOf("/"); at > 0; at = file.indexOf("/", at + 1)) this._open.add(file.slice(0, at));
      this._drawTree();
    }
    this._draw();
    if (!this._isChecked) this._check();
    if (line) this.editor.goTo(line, column, { length });
    this._address.write(this.text.token, { file, line: line ? String(line) : "" });
  }

  _typed(isOutside) {
    if (this._quiet) return;
    if (!isOutside) this._rev += 1;
    this._keepDraft();
    const isDirty = this._isDirty;
    if (isDirty !== this._wasDirty) { this._wasDirty = isDirty; this._drawTree(); }
    this._drawBar();
    this._checkSoon();
  }

  async _check() {
    const rev = (this._rev += 1), file = this.file;
    try {
      const told = await send(this.text.token, `${this.text.path}/check`, { rev, texts: this._unsaved() }, { signal: this._checking.next() });
      if (told.rev !== this._rev || file !== this.file) return;
      this._problems = told.problems;
      this._isChecked = true;
      this._drawProblems();
      this._drawTree();
    } catch (error) {
      if (error instanceof Refusal) toast(this.node, error.message);
    }
  }

  async save() {
    if (!this.text.canChange || !this._isDirty) return;
    const text = this.editor.text;
    try {
      const told = await this.text.post("save", { file: this.file, text, base: this._base.hash });
      this._base = { text, hash: told.written[0].hash };
      this._saved(told);
    } catch (error) {
      if (error instanceof Changed) this._meet(error, { isSaving: true });
      else toast(this.node, error.message);
    }
  }

  _saved(told) {
    this._savedFile = this.file;
    this._keepDraft();
    this._note.hidden = true;
    this._problems = told.problems;
    this._draw();
    if (Object.keys(this._unsaved()).length) this._check();
    this._trigger("changed", this.text.stamp);
  }

  // A build asked for it, and it was written without this pane.
  async _savedElsewhere() {
    await this._diskChanged();
    if (!this._isDirty) this._savedFile = this.file;
    this._draw();
  }

  // Another text is on disk than the one that was read: taken over, put together, or asked about.
  async _meet({ text, hash }, { isSaving = false } = {}) {
    const mine = this.editor.text;
    if (mine === text || !this._isDirty) {
      this.editor.replace(text);
      this._base = { text, hash };
      this._keepDraft();
      this._draw();
      return;
    }
    const merged = mergedTexts(this.cm, this._base.text, mine, text);
    if (merged !== null) {
      this._base = { text, hash };
      this.editor.replace(merged);
      this._keepDraft();
      toast(this.node, "Merged with changes on disk");
      this._draw();
      if (isSaving) await this.save();
      return;
    }
    const keep = await askWhichText(this.cm, this.file, mine, text);
    if (keep === null) {
      this._say("Changed on disk. Saving asks again.", "disk", ["Compare", () => this._meet({ text, hash }, { isSaving })]);
      return;
    }
    this._base = { text, hash };
    this.editor.replace(keep);
    this._keepDraft();
    this._draw();
    if (isSaving && keep !== text) await this.save();
  }

  async _diskChanged() {
    try {
      const listed = await this.text.get("files");
      this._files = listed.files;
      this._problems = listed.problems;
      this.text.take(listed);
      const read = await this.text.get("text", { file: this.file });
      if (read.hash !== this._base.hash) {
        const wasDirty = this._isDirty;
        await this._meet(read);
        if (!wasDirty) toast(this.node, "Changed on disk: this is what it says now");
      }
      this._drawTree();
      this._check();
      this._trigger("changed", this.text.stamp);
    } catch (error) {
      if (!(error instanceof Refusal)) return;
      this._say(`${this.file} is no longer on disk. Save writes it again.`, "disk");
      this._base = { text: this._base.text, hash: null };
    }
  }

  async _step(way) {
    try {
      const told = await this.text.post(way, {});
      await this._diskChanged();
      toast(this.node, `${way === "undo" ? "Took back" : "Made again"}: ${told.label}`, way === "undo" ? ["Redo", () => this._step("redo")] : null);
      this._draw();
    } catch (error) { toast(this.node, error.message); }
  }

  _revertText() {
    this.editor.replace(this._base.text);
    this._keepDraft();
    this._note.hidden = true;
    this._draw();
    this._check();
  }

  async _formatText() {
    try {
      const told = await send(this.text.token, `${this.text.path}/format`, { text: this.editor.text });
      if (told.text === this.editor.text) toast(this.node, "It is tidy already");
      else this.editor.replace(told.text);
    } catch (error) { toast(this.node, error.message); }
  }

  async _newFile() {
    if (!this.text.canChange) return toast(this.node, this.data.why);
    const input = h("input", { type: "text", "aria-label": "Path of the file", placeholder: "storylines/price-rise.yaml", value: "storylines/" });
    const says = h("p", { class: "field-error", role: "alert" });
    const made = await dialog("New file", [h("p", { class: "soft" }, "Its path below the world's folder."), input, says], [["Cancel", null, ""], ["Make it", "", "primary", async () => {
      const file = input.value.trim();
      try {
        await this.text.post("save", { file, text: /\.ya?ml$/.test(file) ? "# \n" : "", base: null, label: `New file ${file}` });
        return file;
      } catch (error) {
        says.textContent = error instanceof Changed ? `${file} is there already` : error.message;
        return undefined;
      }
    }]]);
    if (!made) return undefined;
    await this._diskChanged();
    return this._go(made);
  }

  // Whether something may become of a path: what is typed in a file of it is saved first.
  _mayMove(path) {
    if (!this.text.canChange) { toast(this.node, this.data.why); return false; }
    if (this._isDirty && (this.file === path || this.file.startsWith(`${path}/`))) { toast(this.node, `Save or revert ${this.file} first`); return false; }
    return true;
  }

  async _usesOf(path) {
    const { uses } = await this.text.get("file-uses", { path });
    return { uses, list: uses.length ? h("ul", { class: "uses", tabindex: "0", "aria-label": "Places that name it" }, uses.slice(0, 12).map((one) => h("li", { class: "use" }, h("code", {}, `${one.file}:${one.line}`), h("span", {}, one.text))), uses.length > 12 ? h("li", { class: "soft" }, `and ${uses.length - 12} more`) : "") : "" };
  }

  _wouldBe(told, says) {
    says.replaceChildren(h("p", {}, `Then the world would have ${plural(told.refused.length, "problem")}; the button does it anyway:`), ...told.refused.slice(0, 5).map((one) => h("p", {}, `${one.file}:${one.line} ${one.message}`)));
  }

  async _renamePath(path) {
    if (!this._mayMove(path)) return;
    try {
      const { uses, list } = await this._usesOf(path);
      const input = h("input", { type: "text", value: path, "aria-label": "New path", spellcheck: "false" });
      const says = h("div", { class: "field-error", role: "alert" });
      let anyway = false, told = null;
      const made = await dialog(`Rename ${path}`, [h("p", { class: "soft" }, "Its path below the world's folder."), input, h("p", { class: "soft" }, uses.length ? `${plural(uses.length, "place")} that ${uses.length === 1 ? "names" : "name"} it will follow:` : "Nothing else names it."), list, says], [["Cancel", null, ""], ["Rename", "", "primary", async () => {
        const to = input.value.trim().replace(/\/+$/, "");
        try {
          told = await this.text.post("rename-file", { path, to, anyway });
          if (!told.refused.length) return to;
          anyway = true;
          this._wouldBe(told, says);
        } catch (error) { says.textContent = error instanceof Changed ? "A file changed on disk meanwhile: try again." : error.message; }
        return undefined;
      }]]);
      if (made) await this._moved(this.file === path || this.file.startsWith(`${path}/`) ? made + this.file.slice(path.length) : this.file, `Renamed ${path} to ${made}`, told);
    } catch (error) { toast(this.node, error.message); }
  }

  async _deletePath(path) {
    if (!this._mayMove(path)) return;
    try {
      const { uses, list } = await this._usesOf(path);
      const count = this._files.filter((one) => one.path.startsWith(`${path}/`)).length;
      const says = h("div", { class: "field-error", role: "alert" });
      let anyway = false, told = null;
      const made = await dialog(`Delete ${path}?`, [h("p", {}, count ? `${plural(count, "file")} in it go into the trash; Undo takes them back.` : "It goes into the trash; Undo takes it back."), h("p", { class: "soft" }, uses.length ? `${plural(uses.length, "place")} ${uses.length === 1 ? "names" : "name"} it:` : "Nothing names it."), list, says], [["Keep it", null, ""], ["Delete", "", "danger", async () => {
        try {
          told = await this.text.post("delete-file", { path, base: path === this.file ? this._base.hash : null, anyway });
          if (!told.refused.length) return "gone";
          anyway = true;
          this._wouldBe(told, says);
        } catch (error) { says.textContent = error instanceof Changed ? "It was changed on disk meanwhile: look at it first." : error.message; }
        return undefined;
      }]]);
      if (made) await this._moved(this.file === path || this.file.startsWith(`${path}/`) ? "world.yaml" : this.file, `Deleted ${path}`, told);
    } catch (error) { toast(this.node, error.message); }
  }

  // The tree and the editor after files have got another path or went.
  async _moved(file, label, told) {
    if (file !== this.file) drafts.forget(this.text.world, this.file);
    const listed = await this.text.get("files");
    this._files = listed.files;
    this._problems = listed.problems;
    this.text.take(listed);
    if (file !== this.file) { this.file = null; await this._go(file); } else await this._diskChanged();
    this._draw();
    this._trigger("changed", this.text.stamp);
    const wrong = told.caused.length ? `; ${plural(told.caused.length, "problem")} came of it` : "";
    toast(this.node, label + wrong, ["Undo", () => this._step("undo")]);
  }

  // -- drafts ----------------------------------------------------------------------------------------------

  _keepDraft() {
    if (!this.file || !this._base) return;
    if (this._isDirty) drafts.keep(this.text.world, this.file, { text: this.editor.text, base: this._base.hash, was: this._base.text });
    else drafts.forget(this.text.world, this.file);
  }

  // Every text of this world that was typed and not saved, by its file: the one that is open, and those that were left.
  _unsaved() {
    const found = {};
    for (const file of drafts.names(this.text.world)) if (this._files.some((one) => one.path === file)) found[file] = drafts.read(this.text.world, file)?.text;
    if (this._isDirty) found[this.file] = this.editor.text;
    else if (this.file && this._base) delete found[this.file];
    return found;
  }

  // -- showing ---------------------------------------------------------------------------------------------

  _say(text, kind, action) {
    this._note.replaceChildren(icon(kind === "disk" ? "sync_problem" : "edit_note"), h("span", {}, text), action ? button(action[0], action[1]) : "");
    this._note.className = `note ${kind}`;
    this._note.hidden = false;
  }

  _draw() {
    this._drawBar();
    this._drawProblems();
    this._drawTree();
  }

  _drawBar() {
    const { canChange } = this.text;
    this._name.textContent = this.file ?? "";
    if (this._isDirty) this._savedFile = null;
    const isSaved = this.file && this._savedFile === this.file; // said of what was saved, not of what was only opened
    const state = !canChange ? ["Read-only", "gray"] : this._isDirty ? ["Not saved", "orange"] : isSaved ? ["Saved", "green"] : ["", ""];
    this._state.hidden = !this.file || !state[0];
    this._state.textContent = state[0];
    this._state.className = `tag ${state[1]}`;
    this._save.disabled = this._revert.disabled = !canChange || !this._isDirty;
    this._format.disabled = !canChange || !/\.ya?ml$/.test(this.file ?? "");
    this._rename.disabled = this._delete.disabled = !canChange || !this.file || this.file === "world.yaml";
    this._undo.disabled = !canChange || !this.text.undo;
    this._redo.disabled = !canChange || !this.text.redo;
    this._undo.title = this.text.undo ? `Undo: ${this.text.undo}` : "Nothing to undo";
    this._redo.title = this.text.redo ? `Redo: ${this.text.redo}` : "Nothing to redo";
  }

  _drawProblems() {
    const own = this._problems.filter((one) => one.file === this.file);
    this.editor.showProblems(own, (one, fix) => this._mend(one, fix));
    const errors = this._problems.filter((one) => one.severity === "error").length;
    const label = this._isChecked === false ? "Checking…" : !this._problems.length ? "No problems" : errors ? plural(errors, "problem") : plural(this._problems.length, "piece of advice").replace("piece of advices", "pieces of advice");
    this._count.replaceChildren(icon(this._isChecked === false ? "hourglass_empty" : errors ? "error" : this._problems.length ? "lightbulb" : "check_circle"), label, icon("expand_more"));
    this._count.className = `problem-head ${errors ? "bad" : ""}`;
    const sorted = [...own, ...this._problems.filter((one) => one.file !== this.file)];
    this._list.replaceChildren(...sorted.slice(0, 200).map((one) => problemRow(one, { open: (each) => this._go(each.file, each.line || 1, each), fix: (each, fix) => this._mend(each, fix) })));
    this._list.hidden = this._isFolded || !sorted.length;
  }

  async _mend(one, fix) {
    if (!this.text.canChange) return toast(this.node, this.data.why);
    if (one.file !== this.file) await this._go(one.file, one.line);
    if (!this.editor.mend(one, fix)) toast(this.node, "The line says something else by now");
    return undefined;
  }

  _fold() {
    this._isFolded = !this._isFolded;
    this._count.setAttribute("aria-expanded", String(!this._isFolded));
    this._drawProblems();
  }

  _drawTree() {
    if (!this._files) return;
    const wanted = this._filter.value.trim().toLowerCase();
    const counts = new Map();
    for (const one of this._problems) if (one.severity === "error") for (let path = one.file; path; path = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "") counts.set(path, (counts.get(path) ?? 0) + 1);
    const rows = [], folders = new Set(), unsaved = new Set(Object.keys(this._unsaved()));
    for (const file of [...this._files].sort((a, b) => Number(a.path.includes("/")) - Number(b.path.includes("/")) || a.path.localeCompare(b.path))) {
      if (wanted && !file.path.toLowerCase().includes(wanted)) continue;
      const parts = file.path.split("/");
      let isShown = true;
      for (let depth = 1; depth < parts.length; depth += 1) {
        const folder = parts.slice(0, depth).join("/");
        if (!folders.has(folder)) {
          folders.add(folder);
          if (isShown) rows.push(this._row(folder, parts[depth - 1], depth - 1, counts.get(folder), { isFolder: true, isOpen: wanted || this._open.has(folder) }));
        }
        isShown &&= Boolean(wanted) || this._open.has(folder);
      }
      if (isShown) rows.push(this._row(file.path, parts.at(-1), parts.length - 1, counts.get(file.path), { isText: file.is_text, isUnsaved: unsaved.has(file.path) }));
    }
    const focused = this.node.getRootNode().activeElement?.dataset?.path;
    this._tree.replaceChildren(...rows);
    if (focused) this._tree.querySelector(`[data-path="${CSS.escape(focused)}"]`)?.focus();
  }

  _row(path, name, depth, count, { isFolder = false, isOpen = false, isText = true, isUnsaved = false } = {}) {
    const isChosen = path === this.file;
    const sign = isFolder ? (isOpen ? "folder_open" : "folder") : /\.ya?ml$/.test(name) ? "description" : /\.md$/.test(name) ? "article" : /\.py$/.test(name) ? "code" : "draft";
    const open = () => { if (isFolder) { if (!this._open.delete(path)) this._open.add(path); this._drawTree(); } else if (isText) this._go(path); };
    return h("li", { role: "treeitem", class: `${isFolder ? "folder" : "leaf"} ${isText ? "" : "no-text"}`, "aria-selected": String(isChosen), "aria-expanded": isFolder ? String(Boolean(isOpen)) : null, "aria-level": depth + 1, tabindex: isChosen || (!this.file && depth === 0) ? "0" : "-1", "data-path": path, style: { paddingLeft: `${8 + depth * 14}px` }, title: path, onclick: open },
      icon(sign), h("span", { class: "path-name" }, name), isUnsaved ? h("i", { class: "unsaved", title: "Not saved", "aria-label": "Not saved" }) : "", count ? h("b", { class: "count-bad", title: `${plural(count, "problem")}: go to the first`, "aria-label": plural(count, "problem"), onclick: (event) => { event.stopPropagation(); this._goToProblem(path); } }, String(count)) : "",
      this.text.canChange && path !== "world.yaml" && (path.includes("/") || !isFolder) ? h("span", { class: "row-acts" }, [["drive_file_rename_outline", "Rename", () => this._renamePath(path)], ["delete", "Delete", () => this._deletePath(path)]].map(([sign, label, work]) => h("button", { type: "button", tabindex: "-1", title: `${label} ${path}`, "aria-label": `${label} ${path}`, onclick: (event) => { event.stopPropagation(); work(); } }, icon(sign)))) : "");
  }

  // The first problem of a file, or of the files in a folder.
  _goToProblem(path) {
    const one = this._problems.find((each) => each.severity === "error" && (each.file === path || each.file.startsWith(`${path}/`)));
    if (one) this._go(one.file, one.line || 1, one);
  }

  _treeKey(event) {
    const rows = [...this._tree.children];
    const at = rows.indexOf(event.composedPath().find((one) => one.role === "treeitem"));
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
    const path = rows[at]?.dataset.path;
    if (to !== undefined) rows[Math.min(Math.max(to, 0), rows.length - 1)]?.focus();
    else if (event.key === "F2" && path && path !== "world.yaml") this._renamePath(path);
    else if (event.key === "Delete" && path && path !== "world.yaml") this._deletePath(path);
    else if (event.key === "Enter" || event.key === " " || event.key === "ArrowRight" || event.key === "ArrowLeft") rows[at]?.click();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

export default paneOf(Files);
