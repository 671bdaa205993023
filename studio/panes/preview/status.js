// Which products and services work, what their pages admit, and the outages of the calendar. Nobody in the company knows
// when trouble will end or what is still to come: that is shown with the ground truth alone.

const PHASES = { Now: "red", Ahead: "gray", Over: "gray", Waiting: "violet" };

const TONES = { critical: "red", high: "red", warning: "orange" };

function statusView(status, clock, go, isTrue) {
  const state = (one) => one.is_own ? one.about : one.outage ? `since ${clock.short(one.since)}${isTrue ? `, until ${clock.short(one.until)}` : ""}` : "works";
  const page = (one) => one.is_own ? h("span", {}, one.page) : [h("span", {}, "Its status page says"), h("span", { class: `word ${one.page_tone}` }, one.page)];
  const service = (one) => h("div", { class: `service ${one.tone}` },
    h("div", { class: "top" }, h("i", { class: `dot ${one.tone}`, "aria-hidden": "true" }), h("b", {}, one.title), tag({ label: one.truly, tone: one.tone })),
    h("div", { class: "under" }, state(one)),
    h("div", { class: "page" }, page(one)));
  const group = (title, services) => services.length ? [h("h4", {}, title), h("div", { class: "services" }, services.map(service))] : [];
  const alert = (one) => h("li", {}, tag({ label: one.severity, tone: TONES[one.severity] ?? "orange" }), h("b", {}, one.service), h("span", { class: "what" }, one.summary), h("span", { class: "word" }, one.assigned ? `${one.status}, with ${one.assigned}` : one.status), h("time", {}, clock.short(one.at)));
  const incident = (one) => h("li", {}, tag({ label: one.severity, tone: TONES[one.severity] ?? "orange" }), h("b", {}, one.services), h("span", { class: "what" }, one.about ? `${one.title} (${one.about})` : one.title), h("span", { class: "word" }, `${one.status}; public: ${one.public}${one.next_update === null ? "" : `; next update ${clock.short(one.next_update)}`}`), h("time", {}, clock.short(one.at)));
  const when = (outage) => outage.start === null ? `when ${outage.when}` : clock.short(outage.start);
  const row = (outage) => h("tr", { class: outage.phase === "Now" ? "now" : "" },
    h("td", {}, tag({ label: outage.phase, tone: PHASES[outage.phase] })),
    h("td", {}, outage.start === null ? h("b", {}, outage.name) : h("a", { href: "#", class: "link", title: "Go to its beginning", onclick: (event) => { event.preventDefault(); go(outage.start); } }, outage.name)),
    h("td", {}, `${outage.target} ${outage.mode}`),
    h("td", { class: "time" }, when(outage)),
    h("td", { class: "time" }, outage.until === null || !(isTrue || outage.phase === "Over") ? "" : spanText(outage.until - outage.start)),
    h("td", {}, announced(outage)));
  const announced = (outage) => outage.announced === null ? (outage.start === null ? "" : "never") : isTrue || outage.announced <= status.now ? clock.short(outage.announced) : "not yet";
  const known = status.outages.filter((outage) => isTrue || outage.phase === "Now" || outage.phase === "Over");
  const ahead = status.outages.length - known.length;
  const planned = known.length
    ? h("table", {}, h("thead", {}, h("tr", {}, ["", "Outage", "What", "Begins", "Lasts", "Announced"].map((label) => h("th", {}, label)))), h("tbody", {}, known.map(row)))
    : ahead ? "" : nothing("cloud_done", "No outages", "Nothing on this world's calendar breaks.");
  return h("div", { class: "status-view" },
    group("Products and vendors", status.services.filter((one) => !one.is_own)),
    group("Our services", status.services.filter((one) => one.is_own)),
    status.incidents.length ? [h("h4", {}, "Open incidents"), h("ul", { class: "links alerts" }, status.incidents.map(incident))] : [],
    status.alerts.length ? [h("h4", {}, "Open alerts"), h("ul", { class: "links alerts" }, status.alerts.map(alert))] : [],
    h("h4", {}, "Outages"), planned,
    ahead ? h("p", { class: "hint" }, `${ahead} more on the calendar; nobody in the company knows of ${ahead === 1 ? "it" : "them"} yet. Ground truth shows ${ahead === 1 ? "it" : "them"}.`) : "");
}
