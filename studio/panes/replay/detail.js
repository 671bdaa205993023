// One step: what was asked and answered, what it changed, what was shown against the ground truth, what it was worth.

const HIGHLIGHTED = 16000;
const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null)\b|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/g;

// JSON with its parts coloured; every part is a text node.
function json(text, part) {
  const shown = text.slice(0, HIGHLIGHTED);
  const parts = [];
  let end = 0;
  for (const match of shown.matchAll(TOKEN)) {
    parts.push(shown.slice(end, match.index));
    const kind = match[2] ? "key" : match[1] ? "text" : match[3] ? "word" : "figure";
    parts.push(h("span", { class: kind }, match[1] ?? match[0]), match[2] ?? "");
    end = match.index + match[0].length;
  }
  return h("pre", { class: "json", tabindex: "0", "data-part": part }, ...parts, shown.slice(end), text.slice(HIGHLIGHTED));
}

function stepView(step, clock) {
  const section = (title, ...inside) => h("section", {}, h("h5", {}, title), ...inside);
  const dot = h("i", { class: `dot ${step.badge.endsWith("error") ? "failed" : step.actor}`, "aria-hidden": "true" });
  const isJson = /^[[{"]/.test(step.result);
  return [
    h("header", {}, h("h3", {}, dot, h("span", {}, step.title), step.badge && h("span", { class: `tag ${step.badge.endsWith("error") ? "red" : step.badge === "outage" ? "orange" : "gray"}` }, step.badge)), h("p", { class: "sub" }, `${clock.short(step.at)} · ${step.subtitle}`)),
    step.thought && section("Reasoning", h("blockquote", { "data-part": "thought" }, step.thought)),
    step.prose && h("div", { class: "said", "data-part": "prose" }, step.prose),
    step.arguments && section("Call", json(step.arguments, "arguments")),
    step.result && section("Result",
      step.fault && h("p", { class: "fault" }, icon("bolt"), `The outage ${step.fault} shaped this answer. The agent cannot see that.`),
      isJson ? json(step.result, "result") : h("pre", { tabindex: "0", class: "wrapped", "data-part": "result" }, step.result),
      step.cut > 0 && h("p", { class: "hint" }, `${step.cut.toLocaleString("en")} more characters are in trajectory.jsonl.`)),
    step.notices.length > 0 && section("Notices", ...step.notices.map((notice) => h("div", { class: "notice" }, icon("notifications"), h("div", {}, h("small", {}, `${clock.time(notice.at)} · ${notice.app} · ${notice.kind}`), h("p", {}, notice.text))))),
  ].filter(Boolean);
}

function changeView(changes, clock) {
  if (!changes.length) return [h("p", { class: "hint" }, "This step changed nothing.")];
  const words = { "+": "made", "~": "changed", "-": "removed" };
  const value = (one, text) => (one.name.endsWith("_us") && /^\d{15,}$/.test(text) ? `${clock.day(+text)} ${clock.seconds(+text)}` : text);
  const field = (one) => h("li", {}, h("span", { class: "name" }, one.name.replace(/_us$/, "").replaceAll("_", " ")),
    h("span", { class: "values" }, one.before !== null && h("del", {}, value(one, one.before) || "empty"), one.after !== null && h("ins", {}, value(one, one.after) || "empty")));
  return changes.map((change) => {
    const fields = change.sign === "~" ? change.fields : change.fields.filter((one) => one.before || one.after);
    return h("div", { class: "change" },
      h("div", { class: "path" }, h("b", { class: `sign ${words[change.sign]}`, title: words[change.sign] }, change.sign), h("code", {}, change.path), change.declared && h("span", { class: "tag gray", title: "As its app declares it; no damage unless a task is strict." }, change.declared)),
      fields.length > 0 && h("ul", {}, fields.map(field)));
  });
}

function sawView(step) {
  if (step.actor !== "agent") return [h("p", { class: "hint" }, "The agent read nothing at this step.")];
  if (!step.saw.length) return [h("p", { class: "hint" }, "Nothing it read is known to differ from the ground truth.")];
  const row = (one) => h("tr", { class: one.differs ? "differs" : "" },
    h("td", {}, h("code", {}, one.what), one.note && h("small", {}, one.note)),
    h("td", {}, one.saw), h("td", {}, one.differs ? h("b", {}, one.truth) : one.truth));
  return [h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, ""), h("th", {}, "Saw"), h("th", {}, "Ground truth"))), h("tbody", {}, step.saw.map(row)))];
}

// Criteria whose reasons a person folded or unfolded; they stay so from step to step.
const unfolded = new Map();

// `ask(criterion)` gives the buttons of a verdict; null where nobody annotates.
function rewardView(grade, note, ask = null) {
  if (!grade) return [h("p", { class: "hint" }, note || "Not graded.")];
  const line = (one) => {
    const share = one.gate ? (one.passed ? 1 : 0) : one.worth ? one.counted / one.worth : 0;
    const value = one.gate ? (one.passed ? "passed" : "failed") : one.penalty && !one.passed ? "none lost" : `${one.counted} / ${one.worth}`;
    const isOpen = unfolded.get(one.criterion) ?? (!one.passed && !one.penalty);
    const row = h("summary", { class: `line ${one.passed ? "passed" : ""} ${one.gate ? "gate" : ""} ${one.penalty ? "penalty" : ""}`, onclick: () => unfolded.set(one.criterion, !isOpen) },
      h("span", { class: "name" }, icon(one.gate ? "security" : one.passed ? "check_circle" : "radio_button_unchecked"), one.criterion),
      h("span", { class: "bar", "aria-hidden": "true" }, h("i", { style: { width: `${share * 100}%` } })), h("span", { class: "value" }, value));
    const evidence = (one.evidence ?? []).filter((each) => !one.reason.includes(each));
    const parts = (one.lines ?? []).map((part) => h("li", {}, icon(part.passed ? "check_circle" : "radio_button_unchecked"), h("b", {}, ` ${part.line} ${part.earned} / ${part.worth} `), part.reason,
      part.verdicts.length > 1 && ` (${part.verdicts.filter((each) => each === part.passed).length} of ${part.verdicts.length} verdicts)`, part.quote && h("q", {}, part.quote)));
    const why = h("div", { class: "why" }, h("p", {}, one.reason), ask && (one.models?.length || one.answered_by) && ask(one.criterion), parts.length > 0 && h("ul", {}, parts), evidence.length > 0 && h("ul", {}, evidence.map((each) => h("li", {}, each))));
    return h("details", { open: isOpen }, row, why);
  };
  const total = grade.reward === null ? "null" : grade.reward.toFixed(2);
  return [
    ...grade.ledger.map(line),
    ...(grade.left_out ?? []).map((one) => h("p", { class: "hint" }, icon("visibility_off"), ` ${one.criterion} is left out (${one.worth} points): ${one.why}`, ask && one.because === "unread" && ask(one.criterion))),
    ...(grade.models ?? []).map((one) => h("p", { class: "hint" }, `${one.prompt} · ${one.model} (${one.by}): ${plural(one.answers, "answer")}${one.input_tokens === null ? "" : `, ${one.input_tokens} + ${one.output_tokens} tokens`}${one.cost_usd === null ? "" : `, $${one.cost_usd.toFixed(4)}`}`)),
    h("div", { class: "line total" }, h("span", { class: "name" }, "Total"), h("span", { class: "points" }, grade.reward === null ? "" : `${grade.points} of ${grade.possible} points`), h("span", { class: "value" }, total)),
    grade.answered_by && h("p", { class: "hint" }, icon("how_to_reg"), ` With answers of ${grade.answered_by.join(", ")}. As it was graded: ${grade.before === null ? "no reward" : grade.before.toFixed(2)}.`),
    grade.failure && h("p", { class: "fault" }, icon("error"), grade.failure),
    note && h("p", { class: "hint" }, note),
  ].filter(Boolean);
}
