// A form from the format's schema: every word of an entry, what it means, and what is wrong with it at the word itself.

const LONG = new Set(["story", "says", "prompt", "text", "hard_because", "terms", "does", "asks", "was"]);

const FOLDED = 3; // groups from which on each is folded
const MORE = " +"; // what stands in the field of a list or of names that takes one more
const NOT_WRITTEN = "This was typed before and is not written: the page was left before the field was.";

// What a group says in a few words: `4h, calls 80`, or the names in it.
function brief(value) {
  if (Array.isArray(value)) return value.length === 1 ? "one" : `${value.length}`;
  const parts = Object.entries(value ?? {}).map(([word, one]) => (one && typeof one === "object" ? (Array.isArray(one) ? word : Object.keys(one).length > 1 ? `${word} (${Object.keys(one).length})` : word) : `${word} ${one}`));
  return parts.join(", ");
}

class Form {
  constructor({ edit, names, fix }) {
    this._edit = edit;
    this._names = names;
    this._fix = fix;
    this.node = h("div", { class: "form", tabindex: "0", role: "group", "aria-label": "Fields", oninput: (event) => this._note(event), onfocusout: (event) => this._leave(event) });
    this._open = new Set();
    this._typed = new Map();
    this._sent = new Set();
  }

  // Shows an entry. What was typed and is not written stays in its field until it is mended, written or taken back, also where the page
  // was left meanwhile: `keeping` keeps it, by the ids of fields.
  show({ root, schema, path, value, canChange, problems, keeping, required = true }) {
    const isOther = keeping.name !== this._keeping?.name;
    this._keeping = keeping;
    if (isOther) {
      this._open.clear();
      this._typed = new Map(keeping.all());
      for (const [id, one] of this._typed) if (!one.wrong.length && !id.endsWith(MORE)) this._keep(id, one.value, [{ message: NOT_WRITTEN, fixes: [] }]);
    }
    this._isLong = Object.values(value ?? {}).filter((one) => one && typeof one === "object" && !(Array.isArray(one) && one.every((each) => typeof each === "string"))).length >= FOLDED;
    Object.assign(this, { root, path, canChange, problems, _value: value });
    const focus = this.node.getRootNode().activeElement;
    const held = this.node.contains(focus) ? focus.closest?.("[data-field]")?.dataset.field : null;
    const start = focus?.selectionStart;
    const scroll = this.node.scrollTop;
    this._isDrawing = true; // what goes from the page is not left by somebody
    this.node.replaceChildren(...this._fields(schema, path, value ?? {}, { isTop: true }));
    this._isDrawing = false;
    this.node.scrollTop = scroll;
    if (held) {
      const again = this.node.querySelector(`[data-field="${CSS.escape(held)}"] input, [data-field="${CSS.escape(held)}"] textarea, [data-field="${CSS.escape(held)}"] select, [data-field="${CSS.escape(held)}"] button`);
      again?.focus({ preventScroll: true });
      try { if (start !== undefined && start !== null) again?.setSelectionRange(start, start); } catch { /* no text field */ }
    }
  }

  _fields(schema, path, value, { isTop = false } = {}) {
    const one = this._objectOf(schema) ?? {};
    const properties = { ...(one.properties ?? {}) };
    const modes = properties.mode?.["x-modes"];
    const shown = [], rest = [];
    for (const [word, about] of Object.entries(properties)) {
      const part = resolved(this.root, about);
      const isSet = value && word in value;
      if (part["x-setting"] && !isSet && modes && !(modes[value.mode] ?? []).includes(word)) continue;
      const isRequired = (one.required ?? []).includes(word);
      const isPlain = this._isPlain(part) && !part["x-verb"] && !part["x-grader"];
      const isOpened = this._open.has(JSON.stringify([...path, word]));
      if (isSet || isRequired || (isTop && isPlain) || isOpened || part["x-setting"]) shown.push(this._field(word, part, [...path, word], value?.[word], { isRequired, isSet }));
      else rest.push([word, part]);
    }
    for (const word of Object.keys(value ?? {})) if (!(word in properties) && typeof one.additionalProperties === "object") shown.push(this._field(word, resolved(this.root, one.additionalProperties), [...path, word], value[word], { isSet: true }));
    const add = rest.length && this.canChange ? h("div", { class: "more" }, h("span", { class: "soft" }, "Add"), rest.map(([word, part]) => button(words(word), () => { this._open.add(JSON.stringify([...path, word])); this._again(); }, { name: "add", kind: "small", title: part.description ?? "" }))) : "";
    return [...shown, add];
  }

  _again() { this._redraw?.(); }

  _objectOf(schema) { return options(this.root, schema).find((one) => one.properties || typeof one.additionalProperties === "object") ?? null; }

  _isPlain(part) {
    const kinds = options(this.root, part);
    if (kinds.some((one) => one.enum || ["string", "integer", "number", "boolean"].includes(one.type) || (Array.isArray(one.type) && !one.type.includes("object")))) return true;
    return kinds.some((one) => one.type === "array" && this._isWords(one));
  }

  _isWords(one) { return options(this.root, one.items ?? {}).every((item) => item.type === "string" || item.enum); }

  _field(word, part, path, value, { isRequired = false, isSet = false } = {}) {
    const id = path.join(".");
    const wrong = this._typed.get(id)?.wrong ?? this.problems(path);
    const control = this._control(part, path, this._typed.has(id) ? this._typed.get(id).value : value, id);
    const isGroup = control.classList?.contains("group");
    const clear = isSet && !isRequired && this.canChange ? button("", () => this._commit(path, undefined), { name: "close", title: `Remove ${words(word).toLowerCase()}`, kind: "plain small" }) : "";
    if (isGroup && this._isFolded(path)) return this._fold(word, part, path, value, { isRequired, wrong, control, id });
    const label = h(isGroup ? "div" : "label", { class: "label", for: isGroup ? null : `f-${id}` }, h("b", {}, words(word)), isRequired ? h("i", { class: "must", title: "Required" }, "required") : "", clear);
    return h("div", { class: `field ${isGroup ? "wide" : ""} ${wrong.length ? "wrong" : ""}`, "data-field": id }, label, part.description ? h("p", { class: "help" }, part.description.replaceAll("`", "")) : "", control, this._errors(wrong, path, id));
  }

  // Where an entry has several groups of words, each is folded behind what it says; what is wrong is open.
  _isFolded(path) { return this._isLong && path.length === this.path.length + 1; }

  _fold(word, part, path, value, { isRequired, wrong, control, id }) {
    const key = `fold ${id}`;
    const isWrong = wrong.length > 0 || this.problems(path).length > 0 || [...this._typed.keys()].some((each) => each.startsWith(`${id}.`)) || control.querySelector(".field.wrong") !== null;
    const head = h("summary", {}, h("b", {}, words(word)), isRequired ? h("i", { class: "must" }, "required") : "", h("span", { class: "soft brief" }, brief(value)));
    const details = h("details", { open: isWrong || this._open.has(key), ontoggle: () => (details.open ? this._open.add(key) : this._open.delete(key)) }, head, part.description ? h("p", { class: "help" }, part.description.replaceAll("`", "")) : "", control);
    return h("div", { class: `field wide folded-field ${wrong.length ? "wrong" : ""}`, "data-field": id }, details, this._errors(wrong, path, id));
  }

  _errors(wrong, path, id) {
    if (!wrong.length) return "";
    const typed = this._typed.get(id);
    return h("div", { class: "field-error", role: "alert" }, wrong.slice(0, 3).map((one) => h("p", {}, icon("error"), h("span", {}, one.message.replace(/^[\w.#-]+: /, "")),
      one.fixes.map((each) => button(each.label, () => (typed ? this._commit(path, mendedValue(typed.value, each)) : this._fix(one, each)), { kind: "fix", name: "build" })))),
      typed ? h("div", { class: "row" }, wrong.some((one) => one.message === NOT_WRITTEN) ? button("Write it", () => this._write(id), { kind: "small" }) : button("Write it anyway", () => this._commit(path, typed.value, true), { kind: "small" }), button("Take it back", () => { this._forget(id); this._again(); }, { kind: "small plain" })) : "");
  }

  // -- what is changed -------------------------------------------------------------------------------------

  // A field is kept as it is typed, for the page may be gone before it is left.
  _note(event) {
    const { typed } = event.target.dataset;
    if (!typed || event.target.disabled) return;
    const { value } = event.target;
    if (typed.endsWith(MORE) && !value.trim()) this._forget(typed);
    else this._keep(typed, value, []);
  }

  // A field that was drawn anew while somebody typed in it has changed for them, but not for the browser.
  _leave(event) {
    const { typed } = event.target.dataset;
    const kept = typed && !this._isDrawing && this._typed.get(typed);
    if (kept && !kept.wrong.length && !this._sent.has(typed)) event.target.dispatchEvent(new Event("change", { bubbles: true }));
  }

  _write(id) {
    this.node.querySelector(`[data-typed="${CSS.escape(id)}"]`)?.dispatchEvent(new Event("change", { bubbles: true }));
  }

  // By the time an answer comes, another entry may be shown: `keeping` is of the one that was asked for.
  _keep(id, value, wrong, keeping = this._keeping) {
    if (keeping.name === this._keeping.name) this._typed.set(id, { value, wrong });
    keeping.keep(id, { value, wrong });
  }

  _forget(id, keeping = this._keeping) {
    if (keeping.name === this._keeping.name) this._typed.delete(id);
    keeping.forget(id);
  }

  async _commit(path, value, anyway = false) {
    const id = path.join("."), keeping = this._keeping;
    this._sent.add(id);
    const operation = value === undefined ? { op: "remove", path } : { op: "set", path, value };
    try {
      const told = await this._edit([operation], { label: `${value === undefined ? "Remove" : "Change"} ${path.slice(-2).join(" ")}`, anyway });
      if (told.refused.length) this._keep(id, value, told.refused, keeping);
      else this._forget(id, keeping);
    } catch (error) {
      this._keep(id, value, [{ message: error.message, fixes: [] }], keeping);
    }
    this._sent.delete(id);
    this._again();
  }

  _take(path, value) {
    const id = path.join("."), wasRefused = this._typed.get(id)?.wrong.length > 0;
    const old = path.slice(this.path.length).reduce((part, step) => part?.[step], this._value) ?? undefined;
    if (JSON.stringify(value) === JSON.stringify(old) || (value === "" && old === undefined)) {
      this._forget(id);
      if (wasRefused) this._again();
      return;
    }
    this._commit(path, value === "" ? undefined : value);
  }

  // -- controls --------------------------------------------------------------------------------------------

  _control(part, path, value, id) {
    const kinds = options(this.root, part);
    const refers = part["x-refers"];
    const choice = kinds.find((one) => one.enum);
    if (choice && !Array.isArray(value)) return this._choice(choice.enum, path, value, part.default, id);
    if (kinds.some((one) => one.type === "boolean") && typeof value !== "string") return this._toggle(path, value ?? part.default ?? false, id);
    const list = kinds.find((one) => one.type === "array");
    if (Array.isArray(value) ? value.every((one) => typeof one === "string") && (!list || this._isWords(list) || part["x-refers"] || !list.items) && !this._isLines(list) : list && value === undefined && this._isWords(list)) return this._chips(path, value ?? [], refers, list, id);
    if (Array.isArray(value) || (list && value === undefined)) return this._list(list ?? {}, path, value ?? []);
    if (value && typeof value === "object") return this._group(this._objectOf(part) ? part : {}, path, value);
    const plain = kinds.find((one) => one.type === "string" || one.type === "integer" || one.type === "number" || Array.isArray(one.type));
    if (!plain && this._objectOf(part)) return this._group(part, path, {});
    return this._input(plain ?? {}, path, value, part, id);
  }

  _isLines(list) { return Boolean(list && options(this.root, list.items ?? {}).some((one) => one["x-kind"] === "line")); }

  _choice(values, path, value, usual, id) {
    const now = value ?? usual;
    if (values.length <= 4) {
      const buttons = values.map((one) => h("button", { type: "button", role: "radio", class: "segment", "aria-checked": String(one === now), disabled: !this.canChange, onclick: () => this._take(path, one) }, String(one) || "none"));
      return h("div", { class: "segments", role: "radiogroup", id: `f-${id}` }, buttons);
    }
    const select = h("select", { id: `f-${id}`, disabled: !this.canChange, onchange: () => this._take(path, select.value) }, values.map((one) => h("option", { value: one, selected: one === now }, String(one))));
    return select;
  }

  _toggle(path, value, id) {
    return h("button", { type: "button", role: "switch", class: "switch", id: `f-${id}`, "aria-checked": String(Boolean(value)), disabled: !this.canChange, onclick: () => this._take(path, !value) }, h("i"), h("span", {}, value ? "Yes" : "No"));
  }

  _input(plain, path, value, part, id) {
    const word = String(path.at(-1));
    const text = value === undefined || value === null ? "" : String(value);
    const usual = part.default;
    const hint = { duration: "2h30m", share: "60%", hours: "09:00-17:30" }[plain["x-kind"] ?? part["x-kind"]] ?? (usual !== undefined && usual !== null && typeof usual !== "object" ? String(usual) : part.examples?.[0] ?? "");
    const isNumber = plain.type === "integer" || plain.type === "number";
    const read = (typed) => (isNumber && typed.trim() !== "" && !Number.isNaN(Number(typed)) ? Number(typed) : typed);
    const commit = (event) => this._take(path, read(event.target.value));
    if (LONG.has(word) || text.includes("\n") || text.length > 70) {
      const area = h("textarea", { id: `f-${id}`, "data-typed": id, rows: Math.min(14, Math.max(2, Math.ceil(text.length / 58), text.split("\n").length)), disabled: !this.canChange, spellcheck: "true", onchange: commit });
      area.value = text;
      return area;
    }
    const kinds = part["x-refers"];
    const named = kinds ? kinds.flatMap((kind) => Object.entries(this._names()[kind] ?? {})) : (part.examples ?? []).map((one) => [one, ""]);
    const attributes = { id: `f-${id}`, "data-typed": id, inputmode: isNumber ? "numeric" : null, placeholder: hint || null, disabled: !this.canChange, onchange: commit, onkeydown: (event) => { if (event.key === "Enter") event.target.blur(); } };
    if (!kinds && !part.examples) {
      const input = h("input", { type: "text", autocomplete: "off", spellcheck: "false", ...attributes });
      input.value = text;
      return input;
    }
    const { input, node } = combo(() => named, attributes);
    input.value = text;
    const meant = kinds && named.find(([name, what]) => name === text && what)?.[1];
    node.classList.add("named");
    if (meant) input.after(h("span", { class: "meant", title: meant }, meant));
    return node;
  }

  _chips(path, value, refers, list, id) {
    const given = options(this.root, list?.items ?? {}).flatMap((one) => one.enum ?? []);
    const kinds = refers ?? [];
    const named = [...given.map((one) => [one, ""]), ...kinds.flatMap((kind) => Object.entries(this._names()[kind] ?? {}))];
    const put = (next) => { this._forget(id + MORE); this._commit(path, next.length ? next : undefined); };
    const input = h("input", { id: `f-${id}`, "data-typed": id + MORE, type: "text", placeholder: value.length ? "" : "Add…", list: `l-${id}`, autocomplete: "off", disabled: !this.canChange, onkeydown: (event) => {
      if (event.key === "Backspace" && !input.value && value.length) put(value.slice(0, -1));
      if (event.key === "Enter" && input.value.trim()) { event.preventDefault(); put([...value, input.value.trim()]); }
    }, onchange: () => input.value.trim() && put([...value, input.value.trim()]) });
    input.value = this._typed.get(id + MORE)?.value ?? "";
    return h("div", { class: "chips" }, value.map((one, at) => h("span", { class: "chip", title: named.find(([name]) => name === one)?.[1] ?? "" }, h("span", {}, one), this.canChange ? h("button", { type: "button", "aria-label": `Remove ${one}`, onclick: () => put(value.filter((_, number) => number !== at)) }, icon("close")) : "")), input,
      h("datalist", { id: `l-${id}` }, named.filter(([name]) => !value.includes(name)).slice(0, 700).map(([name, what]) => h("option", { value: name }, what))));
  }

  // Items one below the other: lines of a talk, contacts, days off.
  _list(list, path, value) {
    const item = list.items ?? {};
    const asText = (one) => (typeof one === "string" ? one : null);
    const rows = value.map((one, at) => {
      const inner = [...path, at];
      const body = asText(one) !== null ? this._text(inner, one) : this._group(item, inner, one, { isBare: true });
      return h("div", { class: "item" }, body, this.canChange ? button("", () => this._commit(path, value.length > 1 ? value.filter((_, number) => number !== at) : undefined), { name: "delete", title: "Remove", kind: "plain small" }) : "");
    });
    const fresh = this._fresh(item);
    return h("div", { class: "group list" }, rows, this.canChange ? button("Add", () => this._commit(path, [...value, fresh]), { name: "add", kind: "small" }) : "");
  }

  _fresh(item) {
    const kinds = options(this.root, item);
    if (kinds.some((one) => one["x-kind"] === "line")) return `${Object.keys(this._names().person ?? { somebody: 1 })[0]}: …`;
    const object = kinds.find((one) => one.properties);
    if (object && !kinds.some((one) => one.type === "string")) return Object.fromEntries((object.required ?? Object.keys(object.properties).slice(0, 1)).map((word) => [word, "…"]));
    return "…";
  }

  _text(path, value) {
    const id = path.join("."), typed = this._typed.get(id), text = typed?.value ?? value;
    const area = h("textarea", { "data-typed": id, rows: Math.min(8, Math.max(1, Math.ceil(text.length / 58), text.split("\n").length)), disabled: !this.canChange, "aria-label": path.slice(-2).join(" "), onchange: () => this._take(path, area.value) });
    area.value = text;
    return h("div", { class: "text", "data-field": id }, area, this._errors(typed?.wrong ?? [], path, id));
  }

  _group(part, path, value, { isBare = false } = {}) {
    const object = this._objectOf(part);
    if (object?.properties && Object.keys(object.properties).length) return h("div", { class: `group ${isBare ? "bare" : ""}` }, this._fields(part, path, value));
    const inner = object && typeof object.additionalProperties === "object" ? object.additionalProperties : null;
    const rows = Object.entries(value).map(([name, one]) => h("div", { class: "entry" }, h("div", { class: "entry-head" }, h("code", {}, name), this.canChange ? button("", () => this._commit([...path, name], undefined), { name: "delete", title: `Remove ${name}`, kind: "plain small" }) : ""), this._entry(inner, [...path, name], one)));
    const typed = path.join(".") + MORE;
    const input = h("input", { type: "text", "data-typed": typed, placeholder: "Name", "aria-label": `New entry of ${path.at(-1)}`, onkeydown: (event) => event.key === "Enter" && add() });
    input.value = this._typed.get(typed)?.value ?? "";
    const add = () => {
      if (!input.value.trim()) return;
      this._forget(typed);
      this._commit([...path, input.value.trim()], this._first(inner));
    };
    return h("div", { class: "group map" }, rows, this.canChange ? h("div", { class: "row" }, input, button("Add", add, { name: "add", kind: "small" })) : "");
  }

  _entry(inner, path, value) {
    const part = inner ? resolved(this.root, inner) : {};
    const id = path.join(".");
    const wrong = this._typed.get(id)?.wrong ?? [];
    const now = this._typed.has(id) ? this._typed.get(id).value : value;
    const control = this._control(now === null ? { type: "string" } : part, path, now, id);
    const field = control.matches("input, textarea, select") ? control : control.classList.contains("group") ? null : control.querySelector("input, textarea, select");
    field?.setAttribute("aria-label", path.slice(-2).join(" "));
    return h("div", { "data-field": id }, control, this._errors(wrong, path, id));
  }

  _first(inner) {
    const kinds = inner ? options(this.root, inner) : [];
    const object = kinds.find((one) => one.properties);
    if (object) return Object.fromEntries((object.required ?? []).map((word) => [word, resolved(this.root, object.properties[word] ?? {}).enum?.[0] ?? "…"]));
    return kinds.some((one) => one.type === "array") ? ["…"] : kinds.some((one) => one.type === "boolean") ? false : "";
  }
}

function mendedValue(value, fix) {
  if (Array.isArray(value)) return value.map((one) => (one === fix.found ? fix.wanted : one));
  return typeof value === "string" ? value.replace(fix.found, fix.wanted) : value;
}
