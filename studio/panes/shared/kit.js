// What every pane uses: making nodes, asking the studio's routes, writing times and people.
// World text is hostile: it reaches the page as text nodes only. Nothing here parses HTML.

function h(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "style") Object.assign(node.style, value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

const icon = (name) => h("span", { class: "icon", "aria-hidden": "true" }, name);
const tag = ({ label, tone }) => h("span", { class: `tag ${tone}` }, label);

// Pixels that a text takes in the font of a node, with this size and weight: `600 13px`.
const measuring = document.createElement("canvas").getContext("2d");
function textWidth(node, text, size) {
  measuring.font = `${size} ${getComputedStyle(node).fontFamily || "sans-serif"}`;
  return Math.ceil(measuring.measureText(text).width);
}

const plural = (count, word) => `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;

// -- the studio's routes -----------------------------------------------------------------------------------

class Refusal extends Error {}

// Somebody who stopped the studio still has its pages: they say so, and what is typed in them stays.
async function reach(path, options) {
  try {
    return await fetch(path, options);
  } catch (error) {
    if (isStopped(error)) throw error;
    throw new Refusal("The studio does not answer. Start it again with brownout studio; what is typed here stays.");
  }
}

// What a route answered. An answer that was stopped halfway is no answer.
async function bodyOf(answer) {
  try {
    return await answer.json();
  } catch (error) {
    if (isStopped(error)) throw error;
    throw new Refusal("the studio gave no answer");
  }
}

// Asks a route. While the answer is still being made, asks again and tells `waiting` how far it is and what is done.
async function ask(token, path, parameters, { signal, waiting } = {}) {
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== undefined && value !== ""));
  for (;;) {
    const answer = await reach(`/api/${path}?${query}`, { headers: { "X-Studio-Token": token }, signal });
    const body = await bodyOf(answer);
    if (answer.status === 202) {
      waiting?.(body.progress, body.doing);
      continue;
    }
    if (!answer.ok) throw Object.assign(new Refusal(body.error), { details: body.details });
    return body;
  }
}

// Sends something to a route that changes what is on disk, or reads a text that is not there yet.
class Changed extends Error {}

async function send(token, path, document, { signal } = {}) {
  const answer = await reach(`/api/${path}`, {
    method: "POST", headers: { "X-Studio-Token": token, "Content-Type": "application/json" }, body: JSON.stringify(document), signal,
  });
  const body = await bodyOf(answer);
  if (answer.status === 409) throw Object.assign(new Changed(body.error), body);
  if (!answer.ok) throw Object.assign(new Refusal(body.error), { details: body.details });
  return body;
}

const isStopped = (error) => error.name === "AbortError";

// -- times -------------------------------------------------------------------------------------------------

const SECOND = 1e6, MINUTE = 60 * SECOND, HOUR = 60 * MINUTE, DAY = 24 * HOUR;

// World time is microseconds since the epoch; it is written in the world's zone.
class Clock {
  constructor(zone) {
    const make = (options) => new Intl.DateTimeFormat("en-GB", { timeZone: zone, ...options });
    this._full = make({ weekday: "short", day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", timeZoneName: "short" });
    this._short = make({ day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
    this._day = make({ day: "numeric", month: "short" });
    this._weekday = make({ weekday: "long", day: "numeric", month: "long" });
    this._time = make({ hour: "2-digit", minute: "2-digit" });
    this._seconds = make({ hour: "2-digit", minute: "2-digit", second: "2-digit" });
    this._link = make({ year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", second: "2-digit" });
  }
  full(at) { return this._full.format(at / 1000); }
  short(at) { return this._short.format(at / 1000).replace(",", ""); }
  day(at) { return this._day.format(at / 1000); }
  weekday(at) { return this._weekday.format(at / 1000); }
  time(at) { return this._time.format(at / 1000); }
  span(from, to) { return `${this.short(from)}–${this.day(from) === this.day(to) ? this.time(to) : this.short(to)}`; }
  seconds(at) { return this._seconds.format(at / 1000); }
  // As links spell it: 2026-03-24T11:40, with seconds where there are any.
  link(at) {
    const part = Object.fromEntries(this._link.formatToParts(at / 1000).map(({ type, value }) => [type, value]));
    const seconds = part.second === "00" ? "" : `:${part.second}`;
    return `${part.year}-${part.month}-${part.day}T${part.hour}:${part.minute}${seconds}`;
  }
}

function spanText(micros) {
  const minutes = Math.round(micros / MINUTE);
  if (minutes < 1) return `${Math.round(micros / SECOND)} s`;
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 ? `${hours} h ${minutes % 60} min` : `${hours} h`;
  return `${Math.round(hours / 24)} days`;
}

// -- people ------------------------------------------------------------------------------------------------

const FACES = ["#0B7285", "#087F5B", "#9C36B5", "#A61E4D", "#495057", "#1864AB", "#3B5BDB"];

function avatar(name, size = "") {
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + letter.codePointAt(0)) >>> 0;
  const words = name.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  const letters = ((words[0]?.[0] ?? "?") + (words.length > 1 ? words.at(-1)[0] : "")).toUpperCase();
  const isNobody = name === "Unassigned";
  return h("span", { class: `avatar ${size} ${isNobody ? "nobody" : ""}`, "aria-hidden": "true", style: isNobody ? {} : { background: FACES[sum % FACES.length] } }, isNobody ? icon("person") : letters);
}

// -- small machines ----------------------------------------------------------------------------------------

const NOTE_MS = 2000;

function later(wait, work) {
  let timer = 0;
  const run = (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => work(...given), wait);
  };
  run.stop = () => clearTimeout(timer);
  return run;
}

// One job at a time: starting the next stops the one before.
class Turn {
  next() {
    this._stop?.abort();
    this._stop = new AbortController();
    return this._stop.signal;
  }
  stop() { this._stop?.abort(); }
}

// Whether a key goes to something that takes letters; a box to tick takes none.
const isTyping = (event) => event.composedPath()[0]?.matches?.("input:not([type='checkbox'], [type='radio'], [type='range'], [type='button']), textarea, select") || Boolean(event.composedPath()[0]?.isContentEditable);

function nothing(iconName, title, text = "") {
  return h("div", { class: "nothing" }, icon(iconName), h("strong", {}, title), text && h("span", {}, text));
}

function skeleton(rows) {
  return h("div", { class: "skeleton", "aria-hidden": "true" }, Array.from({ length: rows }, () => h("div", {}, h("i"), h("span", {}, h("b"), h("b")))));
}

function problem(error, retry) {
  const again = retry && h("button", { type: "button", class: "quiet", onclick: retry }, "Try again");
  const details = error.details && h("details", { class: "trace" }, h("summary", {}, "Details, for a report of this"), h("pre", { tabindex: "0" }, error.details));
  return h("div", { class: "nothing", role: "alert" }, icon("error"), h("strong", {}, error.message), again, details);
}

// What a pane writes into the page's address, so that it can be copied and reloaded. Streamlit is not told of it, because whatever it is
// told runs the page's script. The place is noted for Home a little later, and kept for whoever comes back to the page in this tab.
class Address {
  constructor(page) {
    this._page = page;
    this._noteSoon = later(NOTE_MS, (token, query) => send(token, "place", { page, query }).catch(() => {}));
  }

  // With `isNew` the browser's way back leads to where the pane stood before; `kept` is what it then gets.
  write(token, place, kept = null, isNew = false) {
    if (!location.pathname.endsWith(`/${this._page}`)) return;
    const query = new URLSearchParams(location.search);
    for (const [name, value] of Object.entries(place)) {
      if (value === "") query.delete(name);
      else query.set(name, value);
    }
    const state = { ...history.state, brownout: kept };
    if (isNew && `?${query}` !== location.search) history.pushState(state, "", `?${query}`);
    else history.replaceState(state, "", `?${query}`);
    this._noteSoon(token, Object.fromEntries(query));
  }

  keep(of, place) { sessionStorage.setItem(`brownout ${this._page} ${of}`, JSON.stringify(place)); }

  kept(of) { return JSON.parse(sessionStorage.getItem(`brownout ${this._page} ${of}`) ?? "null"); }

  stop() { this._noteSoon.stop(); }
}

// Keeps a part of the page as high as what is left below it, also where something above it comes, grows or goes.
class Room {
  constructor(node, least) {
    this._fit = () => {
      const scrolled = document.querySelector("[data-testid=stMain]")?.scrollTop ?? 0;
      const top = node.getBoundingClientRect().top + scrolled;
      const height = `${Math.max(least, window.innerHeight - top - 20)}px`;
      if (top && node.style.height !== height) node.style.height = height;
    };
    this._sized = new ResizeObserver(() => this._fit());
    window.addEventListener("resize", this._fit);
  }
  settle() {
    this.rest();
    const page = document.querySelector("[data-testid=stMainBlockContainer] [data-testid=stVerticalBlock]");
    if (page && page !== this._page) this._sized.observe((this._page = page));
    this._timers = [0, 200, 700, 1500].map((wait) => setTimeout(this._fit, wait));
  }
  rest() { this._timers?.forEach(clearTimeout); }
  stop() {
    this.rest();
    this._sized.disconnect();
    window.removeEventListener("resize", this._fit);
  }
}

// Marks the words that are searched for wherever they stand below a node, without touching the text.
class Hits {
  constructor(root, query) {
    this._root = root;
    this._query = query;
    this._name = "brownout-hits";
    this._soon = later(60, () => this._mark());
    this._watch = new MutationObserver(() => this._soon());
    if (globalThis.Highlight && CSS.highlights) this._watch.observe(root, { childList: true, subtree: true, characterData: true });
  }

  _mark() {
    const words = this._query().toLowerCase().split(/\s+/).map((word) => word.replace(/^["(]+|[")]+$/g, "")).filter((word) => word.length > 1 && !word.includes(":"));
    const ranges = [];
    const texts = words.length ? document.createTreeWalker(this._root, NodeFilter.SHOW_TEXT) : null;
    while (texts?.nextNode() && ranges.length < 500) {
      const low = texts.currentNode.data.toLowerCase();
      if (low.length !== texts.currentNode.data.length) continue;
      for (const word of words) {
        for (let at = low.indexOf(word); at >= 0; at = low.indexOf(word, at + word.length)) {
          const range = new Range();
          range.setStart(texts.currentNode, at);
          range.setEnd(texts.currentNode, at + word.length);
          ranges.push(range);
        }
      }
    }
    if (ranges.length) CSS.highlights.set(this._name, new Highlight(...ranges));
    else CSS.highlights.delete(this._name);
  }

  stop() {
    this._watch.disconnect();
    this._soon.stop();
    globalThis.CSS?.highlights?.delete(this._name);
  }
}

// -- what is not saved -------------------------------------------------------------------------------------

// What was typed and is kept nowhere else yet, by what it belongs to (a world, a run) and its name there. It lies in the tab's session
// storage, so that it outlives a reload, and every page knows of it, so that nobody builds without it unawares.
class Typed {
  constructor(kind) { this._kind = kind; }
  _start(of) { return `brownout-${this._kind} ${encodeURIComponent(of)} `; }
  keep(of, name, what) { this._write(of, name, JSON.stringify(what)); }
  forget(of, name) { this._write(of, name, null); }
  _write(of, name, said) {
    const key = this._start(of) + name;
    try {
      if (sessionStorage.getItem(key) === said) return;
      if (said === null) sessionStorage.removeItem(key);
      else sessionStorage.setItem(key, said);
      tellUnsaved();
    } catch { /* no room: the text is still where it was typed */ }
  }
  read(of, name) {
    try { return JSON.parse(sessionStorage.getItem(this._start(of) + name)); } catch { return null; }
  }
  names(of) {
    try { return Object.keys(sessionStorage).filter((key) => key.startsWith(this._start(of))).map((key) => key.slice(this._start(of).length)).sort(); } catch { return []; }
  }
}

// Of files of a world: what each says, and what it was made of (`{text, base, was}`).
const drafts = new Typed("draft");
// Of fields of a world's forms, by `people.yaml#ida.hours`: what stands in one, what is wrong with it (nothing while it is typed), and where
// its form is (`{value, wrong, page, item}`).
const fields = new Typed("field");
// Of a run: notes that its annotator has not left yet.
const notes = new Typed("note");

// Hears of what is not saved (`brownout-unsaved`), that somebody saved it from elsewhere on the page (`brownout-saved`), or wants to see the
// fields that were refused (`brownout-show-refused`).
const tellUnsaved = () => window.dispatchEvent(new CustomEvent("brownout-unsaved"));

// -- focus -------------------------------------------------------------------------------------------------

// What has the keyboard, also within a pane.
function focusedNow() {
  let node = document.activeElement;
  while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
  return node === document.body ? null : node;
}

const STOPS = "a[href], button, input, select, textarea, summary, [tabindex]";
const canFocus = (node) => !node.disabled && node.tabIndex >= 0 && node.getClientRects().length > 0;
const nameOf = (node) => [node.tagName, node.getAttribute("role"), node.dataset.id ?? node.closest("[data-field]")?.dataset.field, node.getAttribute("aria-label") ?? (node.id || (node.textContent ?? "").slice(0, 80))].join(" ");
const FOCUS_MS = 1200;

// Where what has the keyboard is drawn anew, or goes, the keyboard goes to what took its place: the same thing, else what is next to it.
// Without this it would be nowhere, and whoever works by keys would begin again at the top of the page.
class FocusKeeper {
  constructor(root) {
    this._root = root;
    this._note = (event) => this._remember(event.composedPath()[0]);
    this._look = new MutationObserver((changes) => this._check(changes));
    this._give = later(FOCUS_MS, () => this._fallBack());
    this._drop = (event) => { if (!/^(Shift|Control|Alt|Meta|Enter| )$/.test(event.key)) this._forget(); };
    this._leave = () => { this._isLost = true; this._forget(); };
    root.addEventListener("focusin", this._note);
    document.addEventListener("keydown", this._drop, true);
    document.addEventListener("pointerdown", this._leave, true);
    this._look.observe(root, { childList: true, subtree: true, attributes: true, attributeFilter: ["hidden", "disabled"] });
  }

  _remember(node) {
    this._give.stop();
    this._held = node;
    this._isLost = false;
    this._name = nameOf(node);
    this._number = this._same().indexOf(node);
    this._above = [];
    for (let one = node.parentNode; one && one !== this._root; one = one.parentNode) this._above.push(one);
    this._index = this._stops(this._root).indexOf(node);
  }

  _forget() {
    if (!this._isLost) return;
    this._isLost = false;
    this._held = null;
    this._give.stop();
  }

  _stops(within) { return [...within.querySelectorAll(STOPS)].filter(canFocus); }
  _same() { return this._stops(this._root).filter((node) => nameOf(node) === this._name); }

  _check(changes) {
    if (!this._held) return undefined;
    if (!this._isLost) {
      if (focusedNow()) return undefined;
      if (this._held.isConnected && canFocus(this._held)) {
        const isMoved = changes.some((change) => [...change.removedNodes].some((node) => node.contains(this._held)));
        return isMoved ? this._held.focus({ preventScroll: true }) : undefined;
      }
      this._isLost = true;
      this._give();
    }
    if (focusedNow()) return this._forget();
    const same = this._same();
    return same.length ? (same[this._number] ?? same[0]).focus({ preventScroll: true }) : undefined;
  }

  _fallBack() {
    if (!this._isLost || focusedNow()) return this._forget();
    const place = this._above.find((one) => one.isConnected && this._stops(one).length);
    const stops = this._stops(this._root);
    return (place && !place.classList?.contains("pane") ? this._stops(place)[0] : stops[Math.min(Math.max(this._index, 0), stops.length - 1)])?.focus({ preventScroll: true });
  }

  stop() {
    this._look.disconnect();
    this._give.stop();
    this._root.removeEventListener("focusin", this._note);
    document.removeEventListener("keydown", this._drop, true);
    document.removeEventListener("pointerdown", this._leave, true);
  }
}

// Whether something was clicked that may lead to another page, which is not here yet: a link, or a button of the page, which only its script
// knows to lead anywhere. A call that goes out meanwhile names the page that is being left, and its answer would bring that page back.
const leaving = { from: "", to: null, isAsked: false, until: 0 };
const LEAVING_MS = 15_000;
const answered = new MutationObserver(([{ target }]) => {
  if (target.dataset.testScriptState === "notRunning") leaving.isAsked = false;
});
document.addEventListener("click", (event) => {
  const path = event.composedPath();
  const link = path.find((node) => node instanceof HTMLAnchorElement && node.href);
  const now = { from: location.pathname, until: Date.now() + LEAVING_MS };
  const app = path.some((node) => node.dataset?.testid === "stButton") && document.querySelector("[data-testid=stApp]");
  if (app) {
    answered.observe(app, { attributeFilter: ["data-test-script-state"] });
    Object.assign(leaving, now, { isAsked: true });
  }
  if (!link || link.target === "_blank" || link.origin !== location.origin || event.ctrlKey || event.metaKey || event.shiftKey) return;
  Object.assign(leaving, now, { to: link.pathname });
}, true);
const isLeaving = () =>
  leaving.from === location.pathname && Date.now() < leaving.until && (leaving.isAsked || (leaving.to !== null && leaving.to !== location.pathname));
const arrive = () => { if (location.pathname !== leaving.from) Object.assign(leaving, { to: null, isAsked: false }); };

// What a pane tells its page: held back while that is being left, the last of each name, and dropped with the pane.
class Told {
  constructor() { this._held = new Map(); }

  through(tell) {
    return (name, value) => {
      if (!isLeaving() && !this._held.size) return tell(name, value);
      this._held.delete(name);
      this._held.set(name, () => tell(name, value));
      this._timer ??= setInterval(() => this._release(), 50);
      return undefined;
    };
  }

  _release() {
    if (isLeaving()) return;
    const held = [...this._held.values()];
    this.stop();
    for (const tell of held) tell();
  }

  stop() {
    clearInterval(this._timer);
    this._timer = undefined;
    this._held.clear();
  }
}

// A pane is made once for its place on the page and told of every change after that.
function paneOf(Pane) {
  const panes = new WeakMap();
  const style = new CSSStyleSheet();
  style.replaceSync(SHEET);
  return (component) => {
    let pane = panes.get(component.parentElement);
    if (!pane) {
      const root = component.parentElement.getRootNode();
      root.adoptedStyleSheets = [...root.adoptedStyleSheets, style];
      panes.set(component.parentElement, (pane = new Pane(component)));
      pane.focusKeeper = new FocusKeeper(component.parentElement);
      pane.told = new Told();
    }
    const { setStateValue, setTriggerValue } = component;
    arrive();
    pane.change({ ...component, setStateValue: pane.told.through(setStateValue), setTriggerValue: pane.told.through(setTriggerValue) });
    return () => {
      pane.told.stop();
      pane.focusKeeper.stop();
      pane.stop();
    };
  };
}
