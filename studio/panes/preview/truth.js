// The ground truth beside the surfaces: what holds now, who knows it, what states it and what has gone stale.

function truthView(truth, clock, open) {
  if (!truth.slots.length) return nothing("fact_check", "No facts yet", "Nothing that a storyline knows has come to be by now.");
  const knower = (one) => h("span", { class: "knower", title: `${one.name}, since ${clock.short(one.since)}` }, avatar(one.name, "tiny"));
  const known = (fact) => fact.known_by.length
    ? h("div", { class: "known" }, h("span", {}, "Known by"), h("span", { class: "faces" }, fact.known_by.slice(0, 9).map(knower), fact.known_by.length > 9 && h("small", {}, `+${fact.known_by.length - 9}`)))
    : h("div", { class: "known" }, h("span", {}, "Nobody knows it"));
  const place = (one) => {
    const go = (event) => { event.preventDefault(); open({ surface: one.leads_to.surface, item: one.leads_to.item }); };
    const label = one.leads_to ? h("a", { href: "#", class: "link", onclick: go }, one.label) : h("code", {}, one.label);
    return h("li", { class: one.is_stale ? "stale" : "" }, icon(one.is_stale ? "history_toggle_off" : "check_circle"), label, h("span", {}, `${one.who}, ${clock.short(one.at)}`));
  };
  const value = (fact) => h("div", { class: `fact ${fact.holds ? "" : "past"}` },
    h("div", { class: "value" }, h("b", {}, fact.value), tag(fact.holds ? { label: "true now", tone: "green" } : { label: `until ${clock.short(fact.until)}`, tone: "orange" })),
    fact.says && h("p", {}, fact.says), known(fact),
    fact.stated_in.length ? h("ul", {}, fact.stated_in.map(place)) : h("div", { class: "known" }, h("span", {}, "Nothing states it")));
  return h("div", { class: "slots" }, truth.slots.map((slot) => h("section", {}, h("h5", {}, slot.name), slot.values.map(value))));
}
