// CodeMirror with the studio's colours, the world's problems and completion from the format's schema.

const isSave = (event) => (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "s";

class CodeEditor {
  constructor({ cm, root, change, save, complete, label }) {
    this.cm = cm;
    this._change = change;
    this._outside = cm.Annotation.define();
    this._readOnly = new cm.Compartment();
    this._language = new cm.Compartment();
    const { EditorView, keymap } = cm;
    this.view = new EditorView({ root, extensions: this._extensions = [
      cm.lineNumbers(), cm.foldGutter(), cm.highlightActiveLine(), cm.highlightActiveLineGutter(), cm.drawSelection(), cm.history(), cm.indentOnInput(),
      cm.bracketMatching(), cm.closeBrackets(), cm.highlightSelectionMatches(), cm.lintGutter(), cm.search({ top: true }), cm.indentUnit.of("  "),
      cm.autocompletion({ override: [complete], icons: false, maxRenderedOptions: 80 }),
      cm.syntaxHighlighting(CodeEditor.colours(cm)), CodeEditor.theme(cm), EditorView.lineWrapping,
      EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false", autocorrect: "off" }),
      EditorView.editorAttributes.of({ class: "code" }),
      keymap.of([...cm.closeBracketsKeymap, ...cm.defaultKeymap, ...cm.searchKeymap, ...cm.historyKeymap, ...cm.foldKeymap, ...cm.completionKeymap, ...cm.lintKeymap, cm.indentWithTab]),
      this._language.of([]), this._readOnly.of([]),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) this._change?.(update.transactions.some((one) => one.annotation(this._outside)));
      }),
    ] });
    this.node = this.view.dom;
    this.view.scrollDOM.tabIndex = 0;
    // Streamlit hears c and r; a dialog around the editor wants Escape where nothing here took it.
    this.node.addEventListener("keydown", (event) => {
      if (isSave(event)) return;
      if (event.key !== "Escape" || cm.completionStatus(this.view.state) || cm.searchPanelOpen(this.view.state)) event.stopPropagation();
    });
    this._savesBy(save);
  }

  // Wherever on its page the keyboard is, such as on a problem that a click has just mended.
  _savesBy(save) {
    this._onSave = (event) => {
      if (!isSave(event)) return;
      event.preventDefault();
      save();
    };
    document.addEventListener("keydown", this._onSave);
  }

  static theme(cm) {
    return cm.EditorView.theme({
      "&": { color: "var(--st-text-color)", backgroundColor: "var(--ground)", height: "100%", fontSize: "12.5px" },
      "&.cm-focused": { outline: "none" },
      ".cm-scroller": { fontFamily: "var(--st-code-font)", lineHeight: "1.6", overflow: "auto" },
      ".cm-content": { caretColor: "var(--st-primary-color)", padding: "8px 0" },
      ".cm-cursor": { borderLeftColor: "var(--st-text-color)", borderLeftWidth: "2px" },
      "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "color-mix(in srgb, var(--st-primary-color) 26%, transparent) !important" },
      ".cm-gutters": { backgroundColor: "var(--ground)", color: "var(--soft)", border: "none", paddingLeft: "4px" },
      ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--st-text-color) 4%, transparent)" },
      ".cm-foldPlaceholder": { backgroundColor: "var(--panel)", border: "1px solid var(--line)", color: "var(--soft)", padding: "0 6px" },
      ".cm-foldGutter span": { color: "var(--soft)", opacity: "0.7" },
      ".cm-panels": { backgroundColor: "var(--panel)", color: "var(--st-text-color)" },
      ".cm-panels-top": { borderBottom: "1px solid var(--line)" },
      ".cm-panel.cm-search": { padding: "6px 8px", fontFamily: "var(--st-font)" },
      ".cm-panel.cm-search button[name=close]": { color: "inherit", fontSize: "18px", right: "8px" },
      ".cm-textfield": { backgroundColor: "var(--ground)", border: "1px solid var(--line)", borderRadius: "6px", height: "26px" },
      ".cm-button": { backgroundImage: "none", backgroundColor: "var(--ground)", border: "1px solid var(--line)", borderRadius: "6px", padding: "2px 8px" },
      ".cm-tooltip": { backgroundColor: "var(--ground)", color: "var(--st-text-color)", border: "1px solid var(--line)", borderRadius: "6px", boxShadow: "0 6px 24px rgb(0 0 0 / 18%)", overflow: "hidden" },
      ".cm-tooltip-autocomplete > ul": { fontFamily: "var(--st-code-font)", maxHeight: "260px" },
      ".cm-tooltip-autocomplete > ul > li": { padding: "3px 10px", display: "flex", gap: "14px", justifyContent: "space-between" },
      ".cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--selected)", color: "var(--st-text-color)" },
      ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "700", color: "var(--st-link-color)" },
      ".cm-completionDetail": { fontFamily: "var(--st-font)", fontStyle: "normal", color: "var(--soft)", maxWidth: "34ch", overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" },
      ".cm-completionInfo": { padding: "8px 12px", maxWidth: "320px", fontFamily: "var(--st-font)", fontSize: "13px" },
      ".cm-diagnostic": { padding: "8px 12px", borderLeftWidth: "3px", fontFamily: "var(--st-font)", fontSize: "13px", maxWidth: "56ch", whiteSpace: "pre-wrap" },
      ".cm-diagnosticAction": { backgroundColor: "var(--st-primary-color)", color: "#fff", borderRadius: "6px", padding: "2px 10px", font: "inherit", marginLeft: "0", marginTop: "6px", display: "block" },
      ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy var(--st-red-color) 1.5px", textUnderlineOffset: "3px" },
      ".cm-lintRange-warning": { backgroundImage: "none", textDecoration: "underline wavy var(--st-orange-color) 1.5px", textUnderlineOffset: "3px" },
      ".cm-matchingBracket": { backgroundColor: "color-mix(in srgb, var(--st-primary-color) 20%, transparent) !important" },
      ".cm-selectionMatch": { backgroundColor: "color-mix(in srgb, var(--st-yellow-color) 22%, transparent)" },
      ".cm-marked-entry": { backgroundColor: "color-mix(in srgb, var(--st-primary-color) 6%, transparent)", boxShadow: "inset 2px 0 0 var(--st-primary-color)" },
      ".cm-collapsedLines": { background: "var(--panel)", color: "var(--soft)", fontFamily: "var(--st-font)" },
      ".cm-collapsedLines::before, .cm-collapsedLines::after": { content: "''" },
    });
  }

  static colours(cm) {
    const { tags: t } = cm;
    return cm.HighlightStyle.define([
      { tag: [t.propertyName, t.definition(t.propertyName)], color: "var(--st-blue-text-color)" },
      { tag: [t.string, t.special(t.string)], color: "var(--st-green-text-color)" },
      { tag: [t.number, t.bool, t.null, t.atom], color: "var(--st-violet-text-color)" },
      { tag: [t.comment, t.lineComment], color: "var(--soft)", fontStyle: "italic" },
      { tag: [t.keyword, t.operatorKeyword], color: "var(--st-violet-text-color)" },
      { tag: [t.punctuation, t.separator, t.bracket, t.meta], color: "var(--soft)" },
      { tag: [t.heading], color: "var(--st-blue-text-color)", fontWeight: "700" },
      { tag: [t.link, t.url], color: "var(--st-link-color)" },
      { tag: [t.strong], fontWeight: "700" }, { tag: [t.emphasis], fontStyle: "italic" },
      { tag: [t.invalid], color: "var(--st-red-text-color)" },
    ]);
  }

  get text() { return this.view.state.doc.toString(); }
  focus() { this.view.focus(); }

  // Another file: its own history, its own marks.
  open(text, { language = "", readOnly = false } = {}) {
    const { cm } = this;
    this.view.setState(cm.EditorState.create({ doc: text, extensions: this._extensions }));
    this.view.dispatch({ effects: [this._language.reconfigure(this._languageOf(language)), this._readOnly.reconfigure(this._locked(readOnly))] });
  }

  setReadOnly(readOnly) { this.view.dispatch({ effects: this._readOnly.reconfigure(this._locked(readOnly)) }); }

  _locked(readOnly) { return readOnly ? [this.cm.EditorState.readOnly.of(true)] : []; }

  _languageOf(file) {
    const { cm } = this;
    if (/\.ya?ml$/.test(file)) return cm.yaml();
    if (/\.py$/.test(file)) return cm.python();
    if (/\.md$/.test(file)) {
      this._markdown ??= new cm.Language(cm.defineLanguageFacet(), cm.markdownParser, [], "markdown");
      return this._markdown;
    }
    return [];
  }

  // A text that came from elsewhere, written over the old one change by change: the cursor moves with its words.
  replace(text) {
    const old = this.text;
    if (old === text) return;
    const changes = this.cm.diff(old, text).map(({ fromA, toA, fromB, toB }) => ({ from: fromA, to: toA, insert: text.slice(fromB, toB) }));
    this.view.dispatch({ changes, annotations: this._outside.of(true) });
  }

  showProblems(problems, fix) {
    const { doc } = this.view.state;
    const marks = problems.filter((one) => one.line > 0 && one.line <= doc.lines).map((one) => {
      const line = doc.line(one.line);
      const from = Math.min(line.from + one.column, line.to);
      const to = Math.min(from + Math.max(one.length, 1), line.to);
      return { from, to: Math.max(to, from), severity: one.severity, message: one.message, actions: one.fixes.map((each) => ({ name: each.label, apply: () => fix(one, each) })) };
    });
    this.view.dispatch(this.cm.setDiagnostics(this.view.state, marks));
  }

  // The click that mends: the words of a line that are wrong become those that were meant.
  mend(problem, fix) {
    const { doc } = this.view.state;
    if (problem.line < 1 || problem.line > doc.lines) return false;
    const line = doc.line(problem.line);
    let at = line.text.slice(problem.column, problem.column + fix.found.length) === fix.found ? problem.column : line.text.indexOf(fix.found);
    if (at < 0) return false;
    this.view.dispatch({ changes: { from: line.from + at, to: line.from + at + fix.found.length, insert: fix.wanted } });
    return true;
  }

  goTo(line, column = 0, { focus = true, length = 0 } = {}) {
    const { doc } = this.view.state;
    const row = doc.line(Math.min(Math.max(line, 1), doc.lines));
    const at = Math.min(row.from + column, row.to);
    this.view.dispatch({ selection: { anchor: at, head: Math.min(at + length, row.to) }, effects: this.cm.EditorView.scrollIntoView(at, { y: "center" }) });
    if (focus) this.focus();
  }

  // Lines that belong to what is chosen elsewhere; they are brought into sight.
  mark(from, to) {
    const { cm } = this;
    if (!this._marks) {
      this._setMarks = cm.StateEffect.define();
      const effect = this._setMarks;
      this._marks = cm.StateField.define({
        create: () => cm.Decoration.none,
        update: (marks, transaction) => transaction.effects.reduce((now, one) => (one.is(effect) ? one.value : now), marks.map(transaction.changes)),
        provide: (field) => cm.EditorView.decorations.from(field),
      });
      this._extensions.push(this._marks);
      this.view.dispatch({ effects: cm.StateEffect.appendConfig.of(this._marks) });
    }
    const { doc } = this.view.state;
    const lines = [];
    for (let line = from; line <= Math.min(to, doc.lines); line += 1) lines.push(cm.Decoration.line({ class: "cm-marked-entry" }).range(doc.line(line).from));
    const at = doc.line(Math.min(Math.max(from, 1), doc.lines)).from;
    this.view.dispatch({ effects: [this._setMarks.of(cm.Decoration.set(lines)), cm.EditorView.scrollIntoView(at, { y: "start", yMargin: 40 })] });
  }

  stop() {
    document.removeEventListener("keydown", this._onSave);
    this.view.destroy();
  }
}

// Another's change and one's own put together, where they are in different lines; null where they meet.
function mergedTexts(cm, base, mine, theirs) {
  const own = cm.diff(base, mine), others = cm.diff(base, theirs);
  const start = (at) => base.lastIndexOf("\n", at - 1), end = (at) => (base.indexOf("\n", at) + 1 || base.length + 1) - 1;
  if (own.some((a) => others.some((b) => start(a.fromA) < end(b.toA) && start(b.fromA) < end(a.toA)))) return null;
  let text = mine;
  for (const change of [...others].reverse()) {
    const shift = own.filter((one) => one.toA <= change.fromA).reduce((sum, one) => sum + (one.toB - one.fromB) - (one.toA - one.fromA), 0);
    text = text.slice(0, change.fromA + shift) + theirs.slice(change.fromB, change.toB) + text.slice(change.toA + shift);
  }
  return text;
}

// Both texts beside each other; says which is to be kept.
async function askWhichText(cm, file, mine, theirs) {
  const place = h("div", { class: "merge" });
  let view = null;
  const make = () => {
    const shared = [CodeEditor.theme(cm), cm.syntaxHighlighting(CodeEditor.colours(cm)), cm.yaml(), cm.lineNumbers(), cm.EditorView.lineWrapping, cm.EditorView.editorAttributes.of({ class: "code" })];
    view = new cm.MergeView({
      a: { doc: theirs, extensions: [...shared, cm.EditorState.readOnly.of(true)] }, b: { doc: mine, extensions: shared },
      parent: place, root: place.getRootNode(), revertControls: "a-to-b", collapseUnchanged: { margin: 3, minSize: 6 },
    });
  };
  const asked = dialog("This file changed", [
    h("p", {}, h("code", {}, file), " was changed on disk while you were typing. Nothing of yours is lost: choose what it is to say."),
    h("div", { class: "merge-heads" }, h("strong", {}, "On disk"), h("strong", {}, "Yours")), place,
  ], [["Take theirs", "theirs", ""], ["Keep mine", "mine", ""], ["Use merged", "merged", "primary"]], { wide: true });
  make();
  const answer = await asked;
  const merged = view.b.state.doc.toString();
  view.destroy();
  return answer === null ? null : { theirs, mine, merged }[answer];
}
