// Which products and services work, what their pages admit, and the outages of the calendar.

const PHASES = { Now: "red", Ahead: "gray", Over: "gray", Waiting: "violet" };

const TONES = { critical: "red", high: "red", warning: "orange" };

function statusView(status, clock, go) {
  const state = (one) => one.is_own ? one.about : one.outage ? `since ${clock.short(one.since)}, until ${clock.short(one.until)}` : "works";
  const page = (one) => one.is_own ? h("span", {}, one.page) : [h("span", {}, "Its status page says"), h("span", { class: `word ${one.page_tone}` }, one.page)];
  const service = (one) => h("div", { class: `service ${one.tone}` },
    h("div", { class: "top" }, h("i", { class: `dot ${one.tone}`, "aria-hidden": "true" }), h("b", {}, one.title), tag({ label: one.truly, tone: one.tone })),
    h("div", { class: "under" }, state(one)),
    h("div", { class: "page" }, page(one)));
  const group = (title, services) => services.length ? [h("h4", {}, title), h("div", { class: "services" }, services.map(service))] : [];
  const alert = (one) => h("li", {}, tag({ label: one.severity, tone: TONES[one.severity] ?? "orange" }), h("b", {}, one.service), h("span", { class: "what" }, one.summary), h("span", { class: "word" }, one.assigned ? `${one.status}, with ${one.assigned}` : one.status), h("time", {}, clock.short(one.at)));
  const when = (outage) => outage.start === null ? `when ${outage.when}` : clock.short(outage.start);
  const row = (outage) => h("tr", { class: outage.phase === "Now" ? "now" : "" },
    h("td", {}, tag({ label: outage.phase, tone: PHASES[outage.phase] })),
    h("td", {}, outage.start === null ? h("b", {}, outage.name) : h("a", { href: "#", class: "link", title: "Go to its beginning", onclick: (event) => { event.preventDefault(); go(outage.start); } }, outage.name)),
    h("td", {}, `${outage.target} ${outage.mode}`),
    h("td", { class: "time" }, when(outage)),
    h("td", { class: "time" }, outage.until === null ? "" : spanText(outage.until - outage.start)),
    h("td", {}, outage.announced === null ? (outage.start === null ? "" : "never") : clock.short(outage.announced)));
  const planned = status.outages.length
    ? h("table", {}, h("thead", {}, h("tr", {}, ["", "Outage", "What", "Begins", "Lasts", "Announced"].map((label) => h("th", {}, label)))), h("tbody", {}, status.outages.map(row)))
    : nothing("cloud_done", "No outages", "Nothing on this world's calendar breaks.");
  return h("div", { class: "status-view" },
    group("Products and vendors", status.services.filter((one) => !one.is_own)),
    group("Our services", status.services.filter((one) => one.is_own)),
    status.alerts.length ? [h("h4", {}, "Open alerts"), h("ul", { class: "links alerts" }, status.alerts.map(alert))] : [],
    h("h4", {}, "Outages"), planned);
}
