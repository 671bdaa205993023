// Which products and services work, what their pages admit, and the outages of the calendar.

const PHASES = { Now: "red", Ahead: "gray", Over: "gray", Waiting: "violet" };

function statusView(status, clock, go) {
  const service = (one) => h("div", { class: `service ${one.tone}` },
    h("div", { class: "top" }, h("i", { class: `dot ${one.tone}`, "aria-hidden": "true" }), h("b", {}, one.title), tag({ label: one.truly, tone: one.tone })),
    h("div", { class: "under" }, one.outage ? `since ${clock.short(one.since)}, until ${clock.short(one.until)}` : "works"),
    h("div", { class: "page" }, h("span", {}, "Its status page says"), h("span", { class: `word ${one.page_tone}` }, one.page)));
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
  return h("div", { class: "status" }, h("h4", {}, "Products and services"), h("div", { class: "services" }, status.services.map(service)), h("h4", {}, "Outages"), planned);
}
