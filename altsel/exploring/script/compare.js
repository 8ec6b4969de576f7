// Two pinned sets side by side.
function compareSection() {
  const box = el("div", { id: "compare" });
  let of = null;
  async function refresh() {
    if (state.tab !== "compare") return;
    if (state.pins.length < 2) {
      of = null;
      box.replaceChildren(el("p", { class: "mute" }, "Pin two sets: by a click on “set 0”, “set 1”, … in the table, on the front, or on the map."), ...state.pins.map((one) => el("p", {}, "pinned: ", ...featureList(one))));
      return;
    }
    const key = JSON.stringify([state.pins, state.settings.objective, state.settings.measure]);
    if (key === of) return;
    of = key;
    box.replaceChildren(el("p", { class: "mute" }, "Models are fitted and tests made …"));
    const pins = state.pins, quick = await beside({ do: "compare", pinned: pins, tested: false });
    if (of !== key || quick === null) return;
    if (quick.fault) { box.replaceChildren(el("p", { class: "bad" }, quick.fault.message)); return; }
    draw(box, pins, quick.answer, known.rows !== null);
    if (known.rows === null) return;
    const event = await beside({ do: "compare", pinned: pins });
    if (of === key && event && !event.fault) draw(box, pins, event.answer, false);
    else if (of === key && event) box.append(el("p", { class: "bad" }, event.fault.message));
  }
  on("pins", refresh);
  on("tab", refresh);
  on("settled", refresh);
  return box;
}

function draw(box, pins, told, waiting) {
  const column = (title, features, i) => el("div", { class: "column" }, el("h3", {}, title), el("ul", { class: "members" }, ...features.map((j) => el("li", { class: told.both.includes(j) ? "" : "new" }, featureName(j)))), el("p", {}, `score ${number(told.scores[i], 4)}`), button("unpin", () => pin(features), { "data-key": `unpin ${i}` }));
  box.replaceChildren(el("div", { class: "columns" }, column("first set", pins[0], 0), column("second set", pins[1], 1)), el("p", {}, `They differ by ${number(told.dissimilarity, 3)} (${state.settings.dissimilarity}).`));
  if (told.gone.length && told.come.length && told.alike) box.append(el("h3", {}, "Swapped features, and how much each tells of another (association, 0 to 1)"), alikeTable(told));
  if (waiting) box.append(el("p", { class: "mute" }, "Models are fitted and tests made …"));
  const judged = told.performance;
  if (judged) {
    const all = [...judged.sets, judged.all, judged.none], ends = all.flatMap((e) => [e.value, e.low ?? e.value, e.high ?? e.value]).filter((v) => v !== null);
    const scale = [Math.min(...ends), Math.max(...ends)];
    const line = (name, e) => el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, intervalOf(e, scale)), el("td", { class: "number" }, estimateText(e)));
    box.append(el("h3", {}, "How well models predict by them"), el("p", { class: "mute" }, `${judged.scoring}; ${judged.models}`), el("table", { class: "plain" }, el("tbody", {}, line("first set", judged.sets[0]), line("second set", judged.sets[1]), line("all features", judged.all), line("no features", judged.none))), el("p", {}, `second less first: ${estimateText(judged.difference)}`));
  }
  const tests = told.equivalence;
  if (tests) box.append(el("h3", {}, "Equivalent?"), el("p", {}, el("strong", { class: tests.equivalent ? "good" : "open" }, tests.words)), el("ul", {}, ...tests.tests.map((one) => el("li", {}, `${one.name}: p ${one.p === null ? "not tested" : number(one.p, 3)}`))), el("p", { class: "mute" }, `level ${tests.alpha}; the rows that were searched`));
}

function alikeTable(told) {
  const body = told.gone.map((j, i) => el("tr", {}, el("th", { scope: "row" }, featureName(j)), ...told.alike[i].map((v) => { const cell = el("td", { class: "number alike" }, number(v, 2)); cell.style.setProperty("--much", String(Math.max(0, Math.min(1, v ?? 0)))); return cell; })));
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Swapped features" }, el("table", { class: "plain" }, el("thead", {}, el("tr", {}, el("th", {}, "out \\ in"), ...told.come.map((j) => el("th", { scope: "col" }, featureName(j, 18))))), el("tbody", {}, ...body)));
}

function estimateText(e) {
  if (!e) return "not known";
  return e.low === null || e.high === null ? number(e.value, 3) : `${number(e.value, 3)} [${number(e.low, 3)}, ${number(e.high, 3)}]`;
}

function intervalOf(e, [low, high]) {
  const W = 180, X = (v) => 6 + ((W - 12) * (v - low)) / (high - low || 1), picture = svg("svg", { viewBox: `0 0 ${W} 16`, class: "interval", "aria-hidden": "true" });
  if (e.low !== null && e.high !== null) picture.append(svg("line", { x1: X(e.low), x2: X(e.high), y1: 8, y2: 8 }));
  picture.append(svg("circle", { cx: X(e.value), cy: 8, r: 4 }));
  return picture;
}
