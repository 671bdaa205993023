// What may stand where the cursor is: words of the format's schema, names of the world.

// The path of the cursor's line by its indentation, and whether a word or a value is being typed.
function cursorPlace(doc, position) {
  const line = doc.lineAt(position);
  const before = line.text.slice(0, position - line.from);
  const path = [];
  let limit = before.length - before.trimStart().length;
  let rest = before.trimStart();
  let isItem = false;
  while (rest.startsWith("- ") || rest === "-") {
    rest = rest.slice(2);
    limit += 2;
    isItem = true;
  }
  let column = isItem ? limit - 2 : limit;
  if (isItem) path.unshift(0);
  let itemAt = isItem ? column : -1;
  for (let number = line.number - 1; number > 0 && column > 0; number -= 1) {
    const { text } = doc.line(number);
    if (!text.trim() || text.trim().startsWith("#")) continue;
    const indent = text.length - text.trimStart().length;
    let body = text.trimStart(), at = indent;
    const dashes = [];
    while (body.startsWith("- ")) { dashes.push(at); body = body.slice(2); at += 2; }
    const key = body.match(/^(["']?)([^"':{}[\]]+)\1\s*:(\s|$)/)?.[2];
    if (dashes.length && dashes.at(-1) < column && at <= column + 2 && itemAt !== dashes.at(-1)) {
      if (key !== undefined && at < column) path.unshift(key.trim());
      path.unshift(0);
      column = itemAt = dashes[0];
      continue;
    }
    const isAbove = at < column || (at === column && itemAt === column && itemAt >= 0);
    if (key !== undefined && isAbove && !dashes.length) {
      path.unshift(key.trim());
      column = at;
      itemAt = -1;
    }
  }
  return inner(rest, path, before);
}

// Inside brackets and braces of one line.
function inner(rest, path, before) {
  const opened = [];
  let word = "", quote = "";
  const steps = [];
  for (const letter of rest) {
    if (quote) { if (letter === quote) quote = ""; word += letter; continue; }
    if ((letter === '"' || letter === "'") && !word.trim()) { quote = letter; word += letter; continue; }
    if (letter === "{" || letter === "[") { opened.push(letter); steps.push(word.trim().replace(/:$/, "").replace(/^["']|["']$/g, "")); word = ""; continue; }
    if (letter === "}" || letter === "]") { opened.pop(); steps.pop(); word = ""; continue; }
    if (letter === ",") { word = ""; continue; }
    word += letter;
  }
  for (const [at, step] of steps.entries()) {
    if (step) path.push(step);
    else if (opened[at - 1] === "[") path.push(0);
  }
  const isList = opened.at(-1) === "[";
  if (isList) path.push(0);
  const colon = quote ? -1 : word.search(/:\s/);
  const typed = colon < 0 ? word.trimStart() : word.slice(colon + 1).trimStart();
  if (colon >= 0) path.push(word.slice(0, colon).trim().replace(/^["']|["']$/g, ""));
  return { path, isValue: colon >= 0 || isList, typed: typed.replace(/^["']/, ""), from: before.length - typed.replace(/^["']/, "").length, isOpen: Boolean(quote) };
}

function completer({ schemas, names, file }) {
  return (context) => {
    const root = schemas()?.[patternOf(file(), Object.keys(schemas() ?? {})) ?? ""];
    if (!root) return null;
    const place = cursorPlace(context.state.doc, context.pos);
    if (!place.typed && !context.explicit && !place.isValue) return null;
    const found = place.isValue ? values(root, place.path, names()) : keys(root, place.path);
    if (!found.length) return null;
    const line = context.state.doc.lineAt(context.pos);
    return { from: line.from + place.from, options: found, validFor: /^[\w#@./:-]*$/ };
  };
}

function keys(root, path) {
  const part = schemaAt(root, path);
  if (!part) return [];
  const found = [];
  for (const one of options(root, part)) {
    for (const [word, about] of Object.entries(one.properties ?? {})) {
      const said = resolved(root, about);
      const isRequired = (one.required ?? []).includes(word);
      found.push({ label: word, apply: `${word}: `, detail: isRequired ? "required" : "", info: said.description ?? undefined, boost: isRequired ? 5 : 0 });
    }
  }
  return found;
}

function values(root, path, names) {
  const isItem = path.at(-1) === 0;
  const part = schemaAt(root, path) ?? {};
  const above = isItem ? schemaAt(root, path.slice(0, -1)) ?? {} : part;
  const kinds = part["x-refers"] ?? above["x-refers"];
  const found = kinds ? named(kinds, names) : [];
  for (const one of options(root, part)) {
    for (const value of one.enum ?? one.examples ?? (one.const !== undefined ? [one.const] : [])) found.push({ label: String(value), boost: 5 });
    if (one.type === "boolean") found.push({ label: "true" }, { label: "false" });
  }
  return found;
}

const named = (kinds, names) => kinds.flatMap((kind) => Object.entries(names[kind] ?? {}).map(([name, what]) => ({ label: name, detail: what || kind, apply: name.startsWith("#") ? `"${name}"` : name })));
