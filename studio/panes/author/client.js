// A world's text as the panes see it: what is on disk, what may be written, what is wrong.

const LOOK_MS = 4000;

class WorldText {
  constructor() {
    this.problems = [];
    this.undo = this.redo = "";
    this.canChange = false;
    this._listeners = new Set();
  }

  set({ token, world }) {
    this.token = token;
    this.world = world;
  }

  get path() { return `author/${encodeURIComponent(this.world)}`; }
  get(route, query = {}, options) { return ask(this.token, `${this.path}/${route}`, query, options); }

  async post(route, document, options) {
    const told = await send(this.token, `${this.path}/${route}`, document, options);
    this.take(told);
    return told;
  }

  // What every answer says of how the world stands.
  take(told) {
    if (!told || told.stamp === undefined) return;
    const before = this.stamp;
    Object.assign(this, { problems: told.problems, undo: told.undo, redo: told.redo, canChange: told.can_change, stamp: told.stamp });
    for (const hear of this._listeners) hear(before !== undefined && before !== told.stamp);
  }

  listen(hear) { this._listeners.add(hear); }

  // Looks now and then whether somebody else has changed the folder.
  watch(changed) {
    this._timer = setInterval(async () => {
      if (document.hidden || !this.world || this.stamp === undefined) return;
      try {
        const told = await this.get("state");
        if (told.stamp !== this.stamp) {
          this.take(told);
          changed();
        }
      } catch { /* the studio was stopped; the next look tells */ }
    }, LOOK_MS);
  }

  stop() { clearInterval(this._timer); }

  async schema() {
    this._schema ??= ask(this.token, "schema", {}).catch((error) => { this._schema = null; throw error; });
    return (await this._schema).files;
  }
}

function patternOf(file, patterns) {
  const parts = file.split("/");
  return patterns.find((pattern) => {
    const wanted = pattern.split("/");
    return wanted.length === parts.length && wanted.every((one, at) => one === parts[at] || one === "*" || (one === "*.yaml" && parts[at].endsWith(".yaml")));
  });
}

// A part of a schema with what it refers to in its place.
function resolved(root, part) {
  for (let depth = 0; part && depth < 12; depth += 1) {
    if (part.$ref) part = { ...root.$defs[part.$ref.split("/").at(-1)], ...Object.fromEntries(Object.entries(part).filter(([key]) => key !== "$ref")) };
    else if (part.allOf?.length === 1) part = { ...part.allOf[0], ...part, allOf: undefined };
    else break;
  }
  if (part?.patternProperties) return { ...part, additionalProperties: Object.values(part.patternProperties)[0], patternProperties: undefined };
  return part ?? {};
}

// The choices of a part that may be several things.
function options(root, part) {
  const one = resolved(root, part);
  return one.anyOf ? one.anyOf.map((each) => resolved(root, each)) : [one];
}

// What a schema says of what stands below a step.
function below(root, part, step) {
  for (const one of options(root, part)) {
    if (typeof step === "number" && one.items) return resolved(root, one.items);
    if (one.properties?.[step]) return resolved(root, one.properties[step]);
    if (typeof step !== "number" && one.additionalProperties && one.additionalProperties !== true) return resolved(root, one.additionalProperties);
  }
  return null;
}

function schemaAt(root, path) {
  let part = root;
  for (const step of path) {
    part = below(root, part, step);
    if (!part) return null;
  }
  return part;
}

// The line, from 1, where the entry of a path begins in a text, as far as it is written in lines.
function lineOf(text, path) {
  const lines = text.split("\n");
  let from = 0, indent = -1, found = 0;
  for (const step of path) {
    let at = -1, seen = -1;
    for (let number = from; number < lines.length; number += 1) {
      const line = lines[number];
      if (!line.trim() || line.trim().startsWith("#")) continue;
      const column = line.length - line.trimStart().length;
      if (number > from && column <= indent && !(typeof step === "number" && column === indent && line.trimStart().startsWith("-"))) break;
      if (typeof step === "number") {
        if (line.trimStart().startsWith("- ")) seen += 1;
        if (seen === step) { at = number; break; }
      } else if (new RegExp(`^\\s*(- )?["']?${step.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}["']?\\s*:`).test(line)) { at = number; break; }
    }
    if (at < 0) return found || 1;
    found = at + 1;
    indent = lines[at].length - lines[at].trimStart().length;
    from = at + (typeof step === "number" ? 0 : 1);
    if (typeof step !== "number" && from >= lines.length) return found;
  }
  return found || 1;
}

// The last line of the entry that begins in a line.
function lastLineOf(text, line) {
  const lines = text.split("\n");
  const indent = lines[line - 1].length - lines[line - 1].trimStart().length;
  let last = line;
  for (let number = line; number < lines.length; number += 1) {
    const row = lines[number];
    if (row.trim() && !row.trim().startsWith("#") && row.length - row.trimStart().length <= indent) break;
    if (row.trim()) last = number + 1;
  }
  return last;
}

const words = (name) => name.replace(/[-_]/g, " ").replace(/^./, (letter) => letter.toUpperCase());

function button(label, work, { name = "", kind = "", title = "", disabled = false } = {}) {
  return h("button", { type: "button", class: `act ${kind}`, title: title || null, "aria-label": label ? null : title, disabled, onclick: work }, name && icon(name), label);
}

// What a typed time means: `A Thursday, 14:00 in Europe/Berlin.`; empty where it is none.
function momentText(typed, zone) {
  const [, day, clock] = /^\s*(\d{4}-\d{2}-\d{2})(?:[ T]([01]\d|2[0-3]):([0-5]\d))?\s*$/.exec(typed) ? /^\s*(\S{10})(?:[ T](\d\d:\d\d))?/.exec(typed) : [];
  const at = day ? new Date(`${day}T00:00:00Z`) : null;
  if (!at || Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== day) return "";
  return `A ${at.toLocaleDateString("en", { weekday: "long", timeZone: "UTC" })}, ${clock ?? "00:00"}${zone ? ` in ${zone}` : ""}.`;
}

const OFFERED = 200;
let combos = 0;

// A field with suggestions: it looks like a choice, opens like one, and takes other text all the same. `named` gives pairs of a name and
// what it stands for; what is picked is a change like any other.
// `zone` is the company's where a time can be typed: a valid one is told its weekday.
function combo(named, attributes = {}, { zone = "" } = {}) {
  const id = `combo-${(combos += 1)}`;
  let at = -1, isNarrowed = false;
  const list = h("div", { class: "combo-list", id, role: "listbox", popover: "manual", "aria-label": "Suggestions" });
  const isOpen = () => input.getAttribute("aria-expanded") === "true";
  const close = () => {
    if (!isOpen()) return;
    list.hidePopover();
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  };
  const pick = (name) => {
    close();
    input.value = name;
    input.dispatchEvent(new Event("input", { bubbles: true }));
    input.dispatchEvent(new Event("change", { bubbles: true }));
  };
  const draw = () => {
    const wanted = isNarrowed ? input.value.trim().toLowerCase() : "";
    const found = named().filter(([name, what]) => !wanted || `${name} ${what}`.toLowerCase().includes(wanted));
    const rows = found.slice(0, OFFERED).map(([name, what], number) => h("div", { class: "combo-option", role: "option", id: `${id}-${number}`, "aria-selected": String(name === input.value), onpointerdown: (event) => { event.preventDefault(); pick(name); } }, h("b", {}, name), what && what !== name ? h("span", {}, what) : ""));
    list.replaceChildren(...rows, found.length > OFFERED ? h("div", { class: "soft combo-note" }, `and ${(found.length - OFFERED).toLocaleString("en")} more: type to narrow`) : "", found.length ? "" : h("div", { class: "soft combo-note" }, momentText(input.value, zone) || "Nothing there is called so"));
    at = -1;
    go(isNarrowed && rows.length ? 0 : rows.findIndex((row) => row.getAttribute("aria-selected") === "true"));
  };
  const go = (to) => {
    const rows = list.querySelectorAll(".combo-option");
    rows[at]?.classList.remove("at");
    at = rows.length && to >= 0 ? to % rows.length : -1;
    rows[at]?.classList.add("at");
    rows[at]?.scrollIntoView({ block: "nearest" });
    if (at < 0) input.removeAttribute("aria-activedescendant");
    else input.setAttribute("aria-activedescendant", rows[at].id);
  };
  const open = () => {
    if (input.disabled) return;
    if (!isOpen()) {
      list.showPopover(); // above dialogs, and never cut off by what scrolls
      input.setAttribute("aria-expanded", "true");
    }
    const box = input.getBoundingClientRect(), below = window.innerHeight - box.bottom;
    Object.assign(list.style, { left: `${box.left}px`, minWidth: `${box.width}px`, maxHeight: `${Math.min(280, Math.max(below, box.top) - 12)}px`, top: below > 180 || below > box.top ? `${box.bottom + 3}px` : "auto", bottom: below > 180 || below > box.top ? "auto" : `${window.innerHeight - box.top + 3}px` });
    draw();
  };
  const input = h("input", { type: "text", role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": id, autocomplete: "off", spellcheck: "false", ...attributes,
    onpointerdown: () => { if (isOpen()) close(); else { isNarrowed = false; open(); } },
    oninput: (event) => { if (event.isTrusted) { isNarrowed = true; open(); } attributes.oninput?.(event); },
    onblur: close,
    onkeydown: (event) => {
      if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        event.preventDefault();
        if (!isOpen()) { isNarrowed = false; open(); }
        const count = list.querySelectorAll(".combo-option").length;
        if (count) go(event.key === "ArrowDown" ? at + 1 : (at <= 0 ? count : at) - 1);
      } else if (event.key === "Escape" && isOpen()) { event.stopPropagation(); event.preventDefault(); close(); return; }
      else if (event.key === "Enter" && isOpen() && at >= 0) { event.preventDefault(); event.stopPropagation(); pick(list.querySelectorAll(".combo-option")[at].querySelector("b").textContent); return; }
      attributes.onkeydown?.(event);
    },
  });
  return { input, node: h("div", { class: "combo" }, input, h("span", { class: "combo-mark", "aria-hidden": "true" }, icon("expand_more")), list) };
}

const isOpenSelect = (node) => { try { return node.matches("select:open"); } catch { return node.tagName === "SELECT"; } };

// Whether Enter means a dialog's main button: not where it has a meaning of its own, as on another button, in a text of several lines, in
// a search, or in a list that is open.
function entersDialog(event) {
  const node = event.composedPath()[0];
  if (event.key !== "Enter" || event.defaultPrevented || event.isComposing || event.shiftKey || event.altKey) return false;
  if (event.ctrlKey || event.metaKey) return true;
  return !node.isContentEditable && !node.closest("a, button, summary, textarea, [contenteditable], [type=search]") && !isOpenSelect(node);
}

// A dialog inside the pane; resolves when it is closed. Enter presses its main button, the primary one, where it has one; Escape closes it;
// the keyboard goes back to where it was.
function dialog(title, body, buttons, { wide = false } = {}) {
  return new Promise((done) => {
    const before = focusedNow();
    let isAsking = false;
    const close = (value) => { back.remove(); document.removeEventListener("keydown", escape, true); before?.focus?.(); done(value); };
    const acts = buttons.map(([label, value, kind, check]) => button(label, async () => {
      if (isAsking) return;
      isAsking = true;
      try {
        const answer = check ? await check() : value;
        if (answer !== undefined) close(answer);
        else [...box.querySelectorAll(".field-error")].find((one) => one.textContent)?.scrollIntoView({ block: "nearest" }); // what is wrong is in sight
      } finally { isAsking = false; }
    }, { kind }));
    const main = acts[buttons.findIndex(([, , kind]) => kind.startsWith("primary"))];
    const box = h("div", { class: `dialog ${wide ? "wide" : ""}`, role: "dialog", "aria-modal": "true", "aria-label": title, tabindex: "-1" },
      h("header", {}, h("h3", {}, title), button("", () => close(null), { name: "close", title: "Close", kind: "plain" })),
      h("div", { class: "dialog-body" }, body),
      h("footer", {}, acts));
    const back = h("div", { class: "backdrop", popover: "manual", onkeydown: (event) => {
      event.stopPropagation();
      if (event.key === "Escape") close(null);
      if (main && entersDialog(event)) { event.preventDefault(); main.click(); }
      if (event.key !== "Tab") return;
      const stops = [...box.querySelectorAll("button, input, select, textarea, [tabindex='0']")].filter((one) => !one.disabled);
      const at = stops.indexOf(event.composedPath()[0]);
      if (at === (event.shiftKey ? 0 : stops.length - 1)) { event.preventDefault(); stops.at(event.shiftKey ? -1 : 0)?.focus(); }
    }, onpointerdown: (event) => event.target === back && close(null) }, box);
    const escape = (event) => { if (event.key === "Escape" && !focusedNow()) close(null); }; // the keyboard is nowhere, as after a field went
    document.addEventListener("keydown", escape, true);
    dialog.host.append(back);
    back.showPopover?.(); // above the sidebar, which lies beside the pane's own layers
    (box.querySelector("input, textarea, select, footer button") ?? box.querySelector("button")).focus();
  });
}

// A sentence at the foot of the pane that goes by itself.
function toast(host, text, action) {
  host.querySelector(".toast")?.remove();
  const node = h("div", { class: "toast", role: "status" }, h("span", {}, text), action && button(action[0], () => { node.remove(); action[1](); }, { kind: "plain" }));
  host.append(node);
  setTimeout(() => node.remove(), 6000);
}

const SIGNS = { error: "error", warning: "warning" };

// Without `open` it is only told, and is no button.
function problemRow(problem, { open = null, fix } = {}) {
  const where = problem.line ? `${problem.file}:${problem.line}` : problem.file;
  return h("li", { class: `problem ${problem.severity}` },
    h(open ? "button" : "div", { type: open && "button", class: "go", onclick: open && (() => open(problem)) }, icon(SIGNS[problem.severity]), h("span", { class: "what" }, problem.message), h("span", { class: "where" }, where)),
    problem.fixes.map((one) => button(one.label, () => fix(problem, one), { name: "build", kind: "fix" })));
}
