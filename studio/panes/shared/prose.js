// Text of the world as people see it: paragraphs, lists, code, and names that lead somewhere.

const escaped = (words) => words.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

// Finds the names of a moment in texts. Longer names win over shorter ones.
class Names {
  constructor(names) {
    this._known = new Map(names.map((name) => [`${name.kind} ${name.text.toLowerCase()}`, name]));
    const of = (kind) => names.filter((name) => name.kind === kind).map((name) => escaped(name.text)).sort((a, b) => b.length - a.length);
    const parts = [];
    if (of("title").length) parts.push(`(?<title>${of("title").join("|")})`);
    if (of("repo").length) {
      parts.push(`(?<repo>${of("repo").join("|")})#(?<number>\\d+)`, "(?:PR|pull request) ?#?(?<pull>\\d+)\\b", "(?<![\\w&/])#(?<bare>\\d+)\\b");
      parts.push("(?:(?<![\\w/.-])|(?<=/commit/))(?<sha>(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\\d)[0-9a-f]{7,40})\\b");
    }
    if (of("project").length) parts.push(`\\b(?<issue>(?:${of("project").join("|")})-\\d+)\\b`);
    if (of("channel").length) parts.push(`(?<channel>${of("channel").join("|")})(?![\\w-])`);
    this.here = "";
    this.inOption = false; // a row of a list is one stop of the keyboard; its links have theirs where it is read
    this._repos = names.filter((name) => name.kind === "repo");
    this._pattern = parts.length ? new RegExp(parts.join("|"), "g") : null;
  }

  // The pieces of a text: strings, and {text, to} where a name was found.
  pieces(text) {
    if (!this._pattern) return [text];
    const found = [];
    let end = 0;
    for (const match of text.matchAll(this._pattern)) {
      const to = this._to(match.groups);
      if (!to || (to.item && to.item === this.here)) continue;
      found.push(text.slice(end, match.index), { text: match[0], to });
      end = match.index + match[0].length;
    }
    found.push(text.slice(end));
    return found.filter((piece) => piece !== "");
  }

  _to({ title, repo, number, pull, bare, sha, issue, channel }) {
    if (title) return this._known.get(`title ${title.toLowerCase()}`);
    if (issue) return { surface: "issues", item: issue };
    if (channel) return this._known.get(`channel ${channel.toLowerCase()}`);
    const home = (repo ? this._known.get(`repo ${repo.toLowerCase()}`) : this._repos[0])?.place;
    if (number ?? pull ?? bare) return { surface: "code", item: `${home}#${number ?? pull ?? bare}` };
    return sha ? { surface: "code", item: `${home}@${sha}` } : null;
  }
}

const MENTION = /((?<![\w.])@[\p{L}][\p{L}\p{N}._-]*(?: \p{Lu}[\p{L}-]+)?)/u;
const WRAPPED = 56;
const INLINE = /(`[^`\n]+`|\*\*[^*\n]+\*\*|(?<![\w*])\*[^*\s][^*\n]*\*(?![\w*]))/;

// A line of text: code, strong words, mentions, and links that call `open`.
function inline(text, names, open) {
  return text.split(INLINE).filter(Boolean).map((part) => {
    if (part.length > 2 && part.startsWith("`") && part.endsWith("`")) return h("code", {}, ...linked(part.slice(1, -1), names, open, false));
    if (part.length > 4 && part.startsWith("**") && part.endsWith("**")) return h("strong", {}, ...linked(part.slice(2, -2), names, open, true));
    if (part.length > 2 && part.startsWith("*") && part.endsWith("*")) return h("em", {}, ...linked(part.slice(1, -1), names, open, true));
    return linked(part, names, open, true);
  }).flat();
}

function linked(text, names, open, mentions) {
  return names.pieces(text).map((piece) => {
    if (typeof piece !== "string") {
      const go = (event) => { event.preventDefault(); event.stopPropagation(); open(piece.to); };
      return names.inOption ? h("span", { role: "link", class: "link", onclick: go }, piece.text) : h("a", { href: "#", class: "link", onclick: go }, piece.text);
    }
    if (!mentions) return piece;
    return piece.split(MENTION).map((part, at) => (at % 2 ? h("span", { class: "mention" }, part) : part));
  }).flat();
}

// Lines that were only broken to fit a width, put together again.
function unwrapped(lines) {
  const whole = [];
  let isWrapped = false;
  for (const line of lines) {
    if (isWrapped) whole[whole.length - 1] += ` ${line.trim()}`;
    else whole.push(line);
    isWrapped = line.length >= WRAPPED;
  }
  return whole;
}

// A text of many lines: fenced code, headings, lists, quotes, paragraphs.
function prose(text, names, open) {
  const whole = h("div", { class: "prose" });
  let paragraph = [];
  let list = null;
  const flush = () => {
    if (paragraph.length) whole.append(h("p", {}, ...unwrapped(paragraph).flatMap((line, at) => (at ? [h("br"), ...inline(line, names, open)] : inline(line, names, open)))));
    paragraph = [];
    list = null;
  };
  const lines = text.replace(/\r/g, "").split("\n");
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at];
    if (/^\s*```/.test(line)) {
      flush();
      const code = [];
      for (at += 1; at < lines.length && !/^\s*```/.test(lines[at]); at += 1) code.push(lines[at]);
      whole.append(h("pre", { tabindex: "0" }, code.join("\n")));
    } else if (/^#{1,6}\s/.test(line)) {
      flush();
      whole.append(h("h4", {}, ...inline(line.replace(/^#+\s+/, ""), names, open)));
    } else if (/^\s*([-*•]|\d+[.)])\s+/.test(line)) {
      const kind = /^\s*\d/.test(line) ? "ol" : "ul";
      if (!list || list.localName !== kind) {
        flush();
        whole.append((list = h(kind)));
      }
      list.append(h("li", {}, ...inline(line.replace(/^\s*([-*•]|\d+[.)])\s+/, ""), names, open)));
    } else if (/^>\s?/.test(line)) {
      flush();
      whole.append(h("blockquote", {}, ...inline(line.replace(/^>\s?/, ""), names, open)));
    } else if (!line.trim()) {
      flush();
    } else if (list && /^\s/.test(line)) {
      list.lastChild.append(" ", ...inline(line.trim(), names, open));
    } else {
      if (list) flush();
      paragraph.push(line);
    }
  }
  flush();
  return whole;
}
