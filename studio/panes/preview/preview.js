// The company at a moment: the calendar above, a surface below, and beside it what is true.

const SCRUB_MS = 120;
const SEARCH_MS = 120;
const TELL_MS = 200;
const PATIENCE_MS = 350;

const KINDS = {
  mail: { search: "Search messages", list: "Messages", one: "message" },
  chat: { search: "Search messages", list: "Messages", one: "message" },
  issues: { search: "Search issues", list: "Issues", one: "issue" },
  code: { search: "Search code", list: "Code", one: "entry" },
  docs: { search: "Search documents", list: "Documents", one: "document" },
  calendar: { search: "Search events", list: "Events", one: "event" },
  customers: { search: "Search customers", list: "Customers", one: "entry" },
};

const COUNT_MS = 3000, COUNT_TRIES = 40; // everyday life of a large company is counted in a minute or two

class Preview {
  constructor(component) {
    this.names = new Names([]);
    this.truth = null;
    this.place = {};
    this.item = {};
    this.q = "";
    this._broken = new Set();
    this._turn = new Turn();
    this._readTurn = new Turn();
    this._refreshSoon = later(SCRUB_MS, () => this.refresh());
    this._address = new Address("preview");
    this._back = ({ state }) => { if (state?.brownout && this.clock) this._jump(state.brownout); };
    window.addEventListener("popstate", this._back);
    this._tellSoon = later(TELL_MS, () => this._tell());
    this._searchSoon = later(SEARCH_MS, () => this._searched());
    this._countSoon = later(COUNT_MS, (tries) => this._showCounted(tries));
    this._make();
    component.parentElement.append(this.node);
    this._room = new Room(this._body, 320);
  }

  _make() {
    const open = (to) => this.open(to);
    const marks = (path) => this._mark(path);
    const clock = () => this.clock;
    const say = (text) => {
      this.names.inOption = true;
      const said = prose(text, this.names, open);
      this.names.inOption = false;
      return said;
    };
    this.scrubber = new Scrubber({ move: (at) => this._moved(at), copy: () => this._copy(), isBusy: () => this.isBusy });
    this.reading = new ReadingPane({ open, clock, marks, names: () => this.names, close: () => this._close() });
    const choose = (line) => this._choose(line.id);
    const fetchMore = (cursor, signal, until) => this._lines(cursor, signal, until);
    this.list = new List({ label: "Messages", fetchMore, choose, clock, marks });
    this.feed = new Feed({ fetchMore, choose, clock, marks, say });
    this.weekView = new WeekView({ fetchWeek: (signal) => this._fetchWeek(signal), choose, turn: (day) => this._turnTo(day), marks });
    this._tabs = h("div", { class: "tabs", role: "tablist", "aria-label": "Surface", onkeydown: (event) => this._tabKey(event) });
    this._note = h("div", { class: "surface-note", role: "status" });
    this._places = h("nav", { class: "places", "aria-label": "Places" });
    this._pick = h("select", { class: "place-pick", "aria-label": "Place", onchange: () => this._goPlace(this._pick.value) });
    this._search = h("input", { type: "search", "aria-label": "Search messages", oninput: () => this._searchSoon(), onkeydown: (event) => this._searchKey(event), autocomplete: "off", spellcheck: "false" });
    this._count = h("span", { class: "count", role: "status" });
    this._middle = h("div", { class: "middle" }, h("div", { class: "find" }, this._pick, this.weekView.nav, this._search, this._count), this.list.node);
    this._truth = h("aside", { class: "truth", "aria-label": "Ground truth", hidden: true });
    this._progress = h("div", { class: "progress", role: "status", hidden: true });
    this._body = h("div", { class: "card body alone", role: "tabpanel" }, skeleton(7), this._progress);
    this._strip = h("section", { class: "broken-strip", role: "status", "aria-label": "What does not work now", hidden: true });
    this.node = h("div", { class: "pane", onkeydown: (event) => this._key(event) }, this.scrubber.node, h("div", { class: "tab-row" }, this._tabs, this._note), this._strip, this._body);
    this._hits = new Hits(this._body, () => this.q);
  }

  stop() {
    this._keep();
    window.removeEventListener("popstate", this._back);
    for (const one of [this._room, this.scrubber, this._hits, this.list, this.feed, this.weekView, this._turn, this._readTurn, this._refreshSoon, this._tellSoon, this._countSoon, this._address]) one.stop();
  }

  // -- what Python says ------------------------------------------------------------------------------------

  async change({ data }) {
    const before = this.data ?? {};
    this.data = data;
    if (before.person !== data.person && this.place.calendar === this._ownCalendar) delete this.place.calendar; // they look at their own
    this._room.settle();
    if (before.package !== data.package) return this._begin();
    if (!this.clock) return undefined;
    if (before.start.rev !== data.start.rev) this._jump(data.start);
    else if (before.person !== data.person) this.refresh();
    else if (before.truth !== data.truth) this._showTruth();
    this._tellSoon(); // the script may have written an older address
    return undefined;
  }

  async _begin() {
    this.clock = null;
    try {
      const calendar = await this._ask("calendar", {});
      this.clock = new Clock(calendar.zone);
      this.scrubber.show(calendar, this.clock);
      if (!calendar.is_whole) this._countSoon(COUNT_TRIES);
    } catch (error) {
      this._body.replaceChildren(problem(error, () => this._begin()));
      return;
    }
    const { start, world } = this.data;
    this._jump({ ...start, ...(start.given ? {} : this._address.kept(world)) });
  }

  // Everyday life is counted while somebody looks already: its bars come as soon as it is.
  async _showCounted(tries) {
    const calendar = await this._ask("calendar", {}).catch(() => null);
    if (calendar?.is_whole) this.scrubber.count(calendar);
    else if (tries > 1) this._countSoon(tries - 1);
  }

  _jump({ at, surface, place, item, week, q }) {
    this.scrubber.set(at);
    this.surface = surface;
    if (place) this.place[surface] = place;
    this.item = item ? { [surface]: item } : {};
    this.week = week ?? "";
    this.q = q ?? "";
    this._search.value = this.q;
    if (surface === "chat" && item) this.place.chat = item.slice(0, item.lastIndexOf("/"));
    this.refresh({ until: item });
  }

  _ask(route, parameters, options = {}) {
    const { token, world, package: digest, viewer, person } = this.data;
    return ask(token, `worlds/${encodeURIComponent(world)}/${route}`, { viewer, package: digest, as: person, at: this.scrubber.at || undefined, ...parameters }, options);
  }

  // -- showing ---------------------------------------------------------------------------------------------

  // Everything anew, for this moment and these eyes.
  async refresh({ until = "" } = {}) {
    const signal = this._turn.next();
    this.isBusy = true;
    this._drawTabs();
    const impatient = setTimeout(() => this._wait(null), PATIENCE_MS);
    try {
      const moment = await this._ask("moment", {}, { signal, waiting: (share) => this._wait(share) });
      this._progress.hidden = true;
      this._standsAt = this._moment;
      this._brokenNow = moment.broken;
      this._broken = new Set(moment.broken.map((one) => one.product));
      this.scrubber.setNow(moment.outages);
      this.scrubber.setFired(moment.fired);
      this.names = new Names(moment.names);
      if (this.data.truth) await this._readTruth(signal);
      await this._showSurface(signal, until, this._shown === `${this.surface} ${this.place[this.surface]}`);
      this._shown = `${this.surface} ${this.place[this.surface]}`;
    } catch (error) {
      if (isStopped(error)) return;
      this._progress.hidden = true;
      this._fill([problem(error, () => this.refresh({ until }))]);
    } finally {
      clearTimeout(impatient);
      if (!signal.aborted) {
        this.isBusy = false;
        this._progress.hidden = true; // it may have come while the surface was read
      }
    }
    this._tellSoon();
  }

  // Which moment is looked at, through whose eyes.
  get _moment() { return `${this.data.package} ${this.data.person} ${this.scrubber.at}`; }

  _wait(share) {
    this._progress.hidden = false;
    const bar = share === null ? h("b", { class: "unknown" }) : h("b", { style: { width: `${Math.round(share * 100)}%` } });
    this._progress.replaceChildren(h("span", {}, `Simulating up to ${this.clock.short(this.scrubber.at)} …`), h("i", {}, bar));
  }

  async _showSurface(signal, until = "", keep = false) {
    const tab = this.data.tabs.find((one) => one.surface === this.surface);
    this._drawTabs();
    if (this.surface === "status") return this._showStatus(signal);
    if (!tab?.product) {
      this._fill([nothing("extension_off", `${this.data.company} has no ${tab.label.toLowerCase()} here`, `This world uses ${this.data.products.join(", ")}. An author adds an app under “apps” in world.yaml.`)]);
      return undefined;
    }
    const kind = KINDS[this.surface];
    this._search.setAttribute("aria-label", kind.search);
    this._search.placeholder = `${kind.search}  ( / )`;
    this.list.node.setAttribute("aria-label", kind.list);
    this._lay();
    this._fill([this._places, this._middle, this.reading.node]);
    const item = this.item[this.surface];
    if (!item) this.reading.clear();
    await this._showPlaces(signal);
    const isChat = this.surface === "chat";
    const loading = this._shownList.load(isChat ? until : (item ?? ""), { keep });
    if (item) this._read(item);
    await loading;
    if (isChat && item) this.feed.select(item);
    this._drawCount();
    return undefined;
  }

  // What the middle shows: a channel's messages, a week, or a list.
  get _shownList() {
    if (this.surface === "chat") return this.feed;
    return this.surface === "calendar" && !this.q ? this.weekView : this.list;
  }

  _lay() {
    const shown = this._shownList;
    this.weekView.nav.hidden = shown !== this.weekView;
    this._middle.replaceChildren(this._middle.firstChild, shown === this.feed ? shown.whole : shown.node);
  }

  _fill(children) {
    this._body.className = `card body ${this.surface} ${this.item[this.surface] ? "with-item" : ""} ${this.data.truth ? "with-truth" : ""} ${children.length === 1 ? "alone" : ""}`;
    this._truth.hidden = !this.data.truth;
    this._body.replaceChildren(...children, this._truth, this._progress);
    this._drawStrip();
  }

  // What holds the product that is looked at, and what an agent gets of it now: the pane itself shows what is in it. When it will end is
  // ground truth.
  _drawStrip() {
    const product = this.data.tabs.find((one) => one.surface === this.surface)?.product;
    const held = this.surface === "status" ? [] : (this._brokenNow ?? []).filter((one) => one.product === product);
    if (this._strip.hidden !== !held.length) this._room.settle();
    this._strip.hidden = !held.length;
    this._strip.replaceChildren(...held.map((one) => h("div", { class: "broken" },
      h("div", { class: "broken-head" }, icon("bolt"), h("b", {}, `${one.label} ${this.data.truth ? this.clock.span(one.since, one.until) : `since ${this.clock.short(one.since)}`}.`), one.scope && h("span", {}, `${one.scope}.`),
        h("span", { class: "soft" }, one.answers.length ? "What an agent gets now:" : "It does not meet whom you view as. You see what is in it.")),
      one.answers.map((answer) => answer.body
        ? h("details", {}, h("summary", {}, h("span", {}, `${answer.who}:`), h("code", {}, answer.what)), h("pre", {}, answer.body))
        : h("div", { class: "broken-line" }, h("span", {}, `${answer.who}:`), h("span", {}, answer.what))))));
  }

  async _showPlaces(signal) {
    const places = await this._placesOf(this.surface, signal);
    if (this.place[this.surface] === undefined || !places.some((place) => place.id === this.place[this.surface])) this.place[this.surface] = places[0]?.id ?? "";
    const current = this.place[this.surface];
    if (this.surface === "calendar") this._ownCalendar = places[0]?.id;
    const groups = groupBy(places);
    this._places.replaceChildren(...[...groups].map(([group, inside]) => h("section", {}, h("h5", {}, group), inside.map((place) => this._placeButton(place, current)))));
    this._pick.replaceChildren(...[...groups].map(([group, inside]) => h("optgroup", { label: group }, inside.map((place) => h("option", { value: place.id, selected: place.id === current }, place.fresh ? `${place.label} (${place.fresh})` : place.label)))));
    const place = places.find((one) => one.id === current);
    this._note.replaceChildren(...(place && ["chat", "calendar"].includes(this.surface) ? [h("b", {}, place.label), place.about && h("span", {}, place.about)].filter(Boolean) : []));
  }

  _placeButton(place, current) {
    const title = [place.about || place.label, place.fresh && `${place.fresh} ${place.why_fresh}`].filter(Boolean).join("\n");
    return h("button", { type: "button", title, class: place.fresh ? "fresh" : "", "aria-current": place.id === current ? "true" : null, onclick: () => this._goPlace(place.id) },
      place.id.startsWith("@") && this.surface === "chat" ? avatar(place.label, "tiny") : "", h("span", {}, place.label), place.fresh > 0 && h("small", { "aria-label": `${place.fresh} new` }, String(place.fresh)));
  }

  // Where things are on a surface; they are asked for once for a moment and a pair of eyes.
  async _placesOf(surface, signal) {
    if (this._placesSeen !== this._moment) [this._placesSeen, this._placesKnown] = [this._moment, new Map()];
    const known = this._placesKnown;
    if (!known.has(surface)) known.set(surface, await this._ask("places", { surface }, { signal }));
    return known.get(surface);
  }

  async _showStatus(signal) {
    this._note.replaceChildren();
    const status = await this._ask("status", {}, { signal });
    this._fill([statusView(status, this.clock, (at) => { this.scrubber.set(at); this._moved(at); }, this.data.truth)]);
  }

  async _lines(cursor, signal, until) {
    const page = await this._ask("lines", { surface: this.surface, place: this.place[this.surface], q: this.q, cursor, until: this.q ? "" : until }, { signal });
    page.miss = page.lines.length ? "" : this.q;
    queueMicrotask(() => this._drawCount());
    return page;
  }

  async _fetchWeek(signal) {
    const week = await this._ask("week", { place: this.place.calendar, week: this.week }, { signal });
    queueMicrotask(() => this._drawCount());
    return week;
  }

  async _read(item) {
    const signal = this._readTurn.next();
    const surface = this.surface;
    this.reading.wait();
    try {
      const reading = await this._ask("reading", { surface, item }, { signal });
      if (surface !== this.surface || this.item[surface] !== item) return;
      this.reading.show(reading);
      await this._follow(reading, signal);
    } catch (error) {
      if (isStopped(error)) return;
      if (surface === "chat") this._try(() => this.feed.load()); // there is nothing to stand at
      await this._failOrAhead(error, surface, item, signal);
    }
  }

  // What cannot be read now may only be not written yet: the end of the calendar knows.
  async _failOrAhead(error, surface, item, signal) {
    const { last } = this.scrubber.calendar, now = this.scrubber.at;
    const ahead = now < last ? await this._ask("reading", { surface, item, at: last, viewer: `${this.data.viewer}-ahead` }, { signal }).catch(() => null) : null;
    if (signal.aborted) return;
    if (!ahead || ahead.written <= now) { this.reading.fail(error); return; }
    const at = Math.min(last, Math.ceil((ahead.written + SECOND) / SECOND) * SECOND); // products round their times
    this.reading.tellAhead(ahead, () => { this.scrubber.set(at); this._moved(at); });
  }

  // The list goes to where the thing that is read is, as after a link to another repository.
  async _follow({ places }, signal) {
    const { surface } = this, item = this.item[surface];
    if (!places.length || places.includes(this.place[surface])) return;
    const known = await this._placesOf(surface, signal);
    const place = places.find((one) => known.some(({ id }) => id === one));
    if (place === undefined || surface !== this.surface || this.item[surface] !== item) return;
    this.place[surface] = place;
    this.q = this._search.value = "";
    await this._showPlaces(signal);
    await this._shownList.load(item);
    this._tellSoon();
  }

  _drawTabs() {
    const tabs = this.data.tabs.map((tab) => h("button", { type: "button", role: "tab", "aria-selected": String(tab.surface === this.surface), tabindex: tab.surface === this.surface ? "0" : "-1", class: tab.product ? "" : "missing", onclick: () => this._goSurface(tab.surface) }, tab.label, this._broken.has(tab.product) && h("i", { class: "dot red", title: `${tab.product} is not well at this moment; you see what is in it` })));
    const focused = this._tabs.contains(this.node.getRootNode().activeElement);
    this._tabs.replaceChildren(...tabs);
    const now = tabs.find((one) => one.getAttribute("aria-selected") === "true");
    if (now && this._tabs.scrollWidth > this._tabs.clientWidth) this._tabs.scrollLeft = now.offsetLeft - this._tabs.offsetLeft - 40;
    if (focused) this._tabs.querySelector("[aria-selected=true]")?.focus();
  }

  _drawCount() {
    const count = this._shownList.count;
    const kind = KINDS[this.surface];
    this._count.textContent = count && kind ? `${count} ${count === "1" ? kind.one : kind.one === "entry" ? "entries" : `${kind.one}s`}` : "";
  }

  // -- the ground truth ------------------------------------------------------------------------------------

  async _showTruth() {
    if (this._standsAt !== this._moment) return this.refresh();
    const signal = this._turn.next();
    try {
      if (this.data.truth) await this._readTruth(signal);
      else this.truth = null;
    } catch (error) {
      if (!isStopped(error)) this._truth.replaceChildren(problem(error));
      return undefined;
    }
    this._truth.hidden = !this.data.truth;
    this._drawStrip();
    this._body.classList.toggle("with-truth", this.data.truth);
    if (this.surface === "status") await this._showStatus(signal);
    this.list.redraw();
    this.feed.redraw();
    this.weekView.redraw();
    if (this.item[this.surface]) this._read(this.item[this.surface]);
    return undefined;
  }

  async _readTruth(signal) {
    this.truth = await this._ask("truth", {}, { signal });
    this._truth.replaceChildren(h("h4", {}, "Ground truth"), h("p", { class: "hint" }, "What is so at this moment. No agent can see it."), truthView(this.truth, this.clock, (to) => this.open(to)));
  }

  _mark(path) {
    if (!this.truth || !path) return null;
    if (this.truth.stale[path]) return { label: "stale", tone: "orange", title: `Stale: ${this.truth.stale[path]}` };
    if (this.truth.states[path]) return { label: "states a fact", tone: "green", title: `States ${this.truth.states[path]}` };
    return null;
  }

  // -- moving ----------------------------------------------------------------------------------------------

  // Go to what a link names.
  open({ surface, place, item }) {
    this._tell();
    this.reading.follow();
    this._isNewPlace = true;
    this.surface = surface;
    this.q = this._search.value = "";
    if (place) this.place[surface] = place;
    if (item) this.item[surface] = item;
    if (surface === "chat" && item) this.place.chat = item.slice(0, item.lastIndexOf("/"));
    this._go(surface === "chat" ? item : "");
  }

  // Shows the surface anew; at a moment that is still being simulated, everything.
  _go(until = "") {
    if (this._standsAt !== this._moment) return this.refresh({ until });
    return this._try(() => this._showSurface(this._turn.next(), until));
  }

  async _try(work) {
    try {
      await work();
    } catch (error) {
      if (!isStopped(error)) this._fill([problem(error, () => this.refresh())]);
    }
    this._tellSoon();
  }

  _goSurface(surface) {
    this.surface = surface;
    this.q = this._search.value = "";
    this._go();
  }

  _goPlace(place) {
    this.place[this.surface] = place;
    delete this.item[this.surface];
    this.q = this._search.value = "";
    this._go();
  }

  _choose(item) {
    this.item[this.surface] = item;
    this._body.classList.add("with-item");
    this._read(item);
    this._tellSoon();
  }

  _close() {
    delete this.item[this.surface];
    this._body.classList.remove("with-item");
    this.reading.clear();
    this.list.select("");
    this.feed.select("");
    this.weekView.select("");
    this._tellSoon();
  }

  // Another week than that of the world's time; none of its own follows it.
  _turnTo(day) {
    this.week = day;
    this._try(() => this.weekView.load(this.item.calendar ?? "", { keep: true }));
  }

  _moved(at) {
    this.week = "";
    this._refreshSoon(at);
    this._tellSoon();
  }

  _searched() {
    this.q = this._search.value.trim();
    this._lay();
    this._try(() => this._shownList.load(this.surface === "chat" ? "" : (this.item[this.surface] ?? "")));
  }

  // -- links -----------------------------------------------------------------------------------------------

  _link() {
    const { surface, q } = this;
    const week = surface === "calendar" ? this.week : "";
    return { at: this.clock.link(this.scrubber.at), surface, place: this.place[surface] ?? "", item: this.item[surface] ?? "", week, q };
  }

  _tell() {
    if (!this.clock) return;
    this._keep();
    this._address.write(this.data.token, this._link(), { ...this._link(), at: this.scrubber.at }, this._isNewPlace);
    this._isNewPlace = false;
  }

  _keep() {
    if (this.clock) this._address.keep(this.data.world, { ...this._link(), at: this.scrubber.at });
  }

  async _copy() {
    const link = { world: this.data.world, as: this.data.person, ...this._link() };
    const query = new URLSearchParams(Object.entries(link).filter(([, value]) => value));
    this._tell();
    try {
      await navigator.clipboard.writeText(`${location.origin}${location.pathname}?${query}`);
      return true;
    } catch {
      return false;
    }
  }

  // -- keys ------------------------------------------------------------------------------------------------

  _key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && isTyping(event)) this._shownList.node.focus();
    else if (event.key === "/" && !isTyping(event)) {
      event.preventDefault();
      this._search.focus();
    } else if ((event.key === "j" || event.key === "k") && !isTyping(event)) {
      this._shownList._key(event);
    }
    if (event.key.length === 1) event.stopPropagation();
  }

  _searchKey(event) {
    if (event.key !== "ArrowDown" && event.key !== "Enter") return;
    event.preventDefault();
    this._shownList.node.focus();
  }

  _tabKey(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const tabs = this.data.tabs.map((tab) => tab.surface);
    this._goSurface(tabs[(tabs.indexOf(this.surface) + step + tabs.length) % tabs.length]);
  }
}

function groupBy(places) {
  const groups = new Map();
  for (const place of places) groups.set(place.group, [...(groups.get(place.group) ?? []), place]);
  return groups;
}

export default paneOf(Preview);
