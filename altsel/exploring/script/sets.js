// The sets: features as rows, sets as columns; a click on a feature changes the question.
const PAGE = 40, MORE = 200;

function setsSection() {
  const find = el("input", { type: "search", placeholder: "find a feature", "aria-label": "Find a feature", "data-key": "find" });
  const order = el("select", { "aria-label": "Order of the features", "data-key": "order" }, el("option", { value: "sets" }, "those in sets first"), el("option", { value: "relevance" }, "by relevance"), el("option", { value: "data" }, "as in the data"), el("option", { value: "name" }, "by name"));
  const told = el("span", { class: "mute", id: "shown" });
  const head = el("thead", {}), body = el("tbody", {});
  const table = el("table", { class: "matrix" }, el("caption", { class: "unseen" }, "Features and the sets that have them"), head, body);
  const more = el("div", { class: "bar" });
  let shown = PAGE, priced = false;
  find.addEventListener("input", () => { shown = PAGE; refresh(); });
  order.addEventListener("change", refresh);

  function refresh() {
    if (!known || state.tab !== "sets") return;
    keepingFocus(() => {
      const sets = state.answer ? state.answer.sets : [], inSets = new Map();
      sets.forEach((one, i) => one.features.forEach((j) => inSets.set(j, (inSets.get(j) || []).concat(i))));
      const rows = ordered(order.value, inSets, find.value.trim().toLowerCase());
      const marking = byId("more-rules") && byId("more-rules").open;
      priced = budget() !== null;
      table.classList.toggle("stale", state.fault !== null);
      head.replaceChildren(...headRows(sets, marking, priced));
      body.replaceChildren(...rows.slice(0, shown).map((j) => row(j, sets, inSets.get(j) || [], { marking, priced })));
      told.textContent = rows.length > shown ? `${shown} of ${counted(rows.length, "feature")}` : counted(rows.length, "feature");
      more.replaceChildren();
      if (rows.length > shown) more.append(button("show more features", () => { shown += MORE; refresh(); }, { "data-key": "more features" }));
    });
  }
  // A click shows at once what it means; the table is built anew when it is answered.
  function pressed() {
    if ((budget() !== null) !== priced) { refresh(); return; }
    for (const one of built.values()) if (one.row.isConnected) one.press();
  }
  let waiting = false;
  const soon = () => { if (!waiting) { waiting = true; requestAnimationFrame(() => { waiting = false; refresh(); }); } };
  on("relevances", () => { built.clear(); soon(); });
  on("settings", pressed);
  for (const what of ["answer", "fault", "marked", "pins", "tab"]) on(what, soon);
  const legend = el("p", { class: "legend" }, el("span", { class: "key in" }, "in set 0"), el("span", { class: "key new" }, "comes in"), el("span", { class: "key all" }, "in all sets"), el("span", { class: "key level" }, "relevance that noise reaches"));
  return el("div", { id: "sets" }, el("div", { class: "bar" }, find, order, told), el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Sets and features" }, table), legend, more);
}

function ordered(order, inSets, text) {
  const all = known.names.map((_, j) => j).filter((j) => !text || fullName(j).toLowerCase().includes(text));
  const relevance = (j) => relevanceOf(j) ?? 0, first = (j) => (inSets.has(j) ? 2 : isListed("require", j) || isListed("forbid", j) || state.marked.has(j) ? 1 : 0);
  const compare = new Intl.Collator(undefined, { numeric: true }).compare;
  if (order === "sets") all.sort((a, b) => first(b) - first(a) || (first(a) === 2 ? inSets.get(b).length - inSets.get(a).length : 0) || relevance(b) - relevance(a) || a - b);
  if (order === "relevance") all.sort((a, b) => relevance(b) - relevance(a) || a - b);
  if (order === "name") all.sort((a, b) => compare(known.shown[a], known.shown[b]));
  return all;
}

function headRows(sets, marking, priced) {
  const best = sets.length ? sets[0].score : null;
  const left = (text) => el("th", { scope: "row", class: "first" }, text);
  const between = () => [el("td", { class: "plain" }), el("td", {}), ...(priced ? [el("td", {})] : []), ...(marking ? [el("td", {})] : [])];
  const names = el("tr", {}, el("th", { scope: "col", class: "first" }, "feature"), el("th", { scope: "col" }, "relevance"), el("th", { scope: "col" }, "rule"), ...(priced ? [el("th", { scope: "col" }, "price")] : []), ...(marking ? [el("th", { scope: "col" }, "mark")] : []),
    ...sets.map((one, i) => el("th", { scope: "col", class: "set" }, button("", () => pin(one.features), { "aria-label": `set ${i}`, class: "pin", "aria-pressed": String(isPinned(one.features)), "data-key": `pin ${i}`, title: `pin set ${i}, to compare two` }, el("span", { class: "wide" }, "set "), String(i)))));
  const line = (title, cell) => el("tr", { class: "facts" }, left(title), ...between(), ...sets.map((one) => el("td", { class: "number" }, ...[].concat(cell(one)))));
  const rows = [names, line("score", (one) => number(one.score, 3)), line("of best", (one) => (best ? share(one.score / best) : "")), line("proof", (one) => proofMark(one))];
  if (sets.some((one) => one.holdout !== null)) rows.push(line("on rows kept apart", (one) => number(one.holdout, 3)));
  if (sets.some((one) => one.cost.length)) rows.push(line("cost", (one) => number(one.cost[0], 4)));
  return rows;
}

function proofMark(one) {
  if (one.proof === "optimal") return el("span", { class: "good", title: "proved: no better set that keeps the rules and differs enough from those before" }, "✓", el("span", { class: "unseen" }, " proved optimal"));
  const gap = one.gap === null ? "no bound" : `gap ${share(one.gap)}`;
  return el("span", { class: "open", title: one.bound === null ? "nothing is proved of it" : `no set scores more than ${number(one.bound)}` }, gap);
}

// What stands in a row whatever the sets are, built once.
const built = new Map();

function partsOf(j) {
  if (built.has(j)) return built.get(j);
  const name = known.shown[j];
  const toggle = (key, text, sign, title) => button("", () => setRule(j, key), { class: `toggle ${key}`, "aria-label": `${title}: ${name}`, title, "data-key": `${key} ${j}` }, el("span", { class: "wide" }, text), el("span", { class: "narrow" }, sign));
  const must = toggle("require", "must", "✓", "must be in every set"), not = toggle("forbid", "not", "✕", "must be in no set");
  const one = { row: el("tr", {}), cells: [el("th", { scope: "row", class: "first" }, featureName(j)), el("td", { class: "plain" }, relevanceBar(j, mostRelevant())), el("td", { class: "plain" }, must, not)] };
  one.press = () => {
    for (const [key, at] of [["require", must], ["forbid", not]]) at.setAttribute("aria-pressed", String(isListed(key, j)));
    one.row.classList.toggle("mustnot", isListed("forbid", j));
    one.row.classList.toggle("must", isListed("require", j));
  };
  built.set(j, one);
  return one;
}

function row(j, sets, inside, { marking, priced }) {
  const one = partsOf(j), cells = [...one.cells], name = known.shown[j];
  if (priced) {
    const price = el("input", { type: "number", min: 0, step: "any", class: "price", value: priceOf(j) ?? "", "aria-label": `Price of ${name}`, placeholder: String(budget().other ?? 0), "data-key": `price ${j}`, inputmode: "decimal" });
    price.addEventListener("change", () => setPrice(j, price.value));
    cells.push(el("td", {}, price));
  }
  if (marking) {
    const mark = el("input", { type: "checkbox", checked: state.marked.has(j), "aria-label": `Mark ${name}`, "data-key": `mark ${j}` });
    mark.addEventListener("change", () => { if (mark.checked) state.marked.add(j); else state.marked.delete(j); changed("marked"); });
    cells.push(el("td", {}, mark));
  }
  const first = sets.length && sets[0].features.includes(j);
  sets.forEach((_, i) => {
    const has = inside.includes(i);
    const kind = has ? (inside.length === sets.length && sets.length > 1 ? "all" : first || !i ? "in" : "in new") : "out";
    cells.push(el("td", { class: `cell ${kind}` }, has ? el("span", { class: "dot", title: `in set ${i}` }, el("span", { class: "unseen" }, "in")) : null));
  });
  one.row.replaceChildren(...cells);
  one.row.classList.toggle("used", inside.length > 0);
  one.press();
  return one.row;
}

// At most two sets are pinned: the last ones.
const isPinned = (features) => state.pins.some((one) => same(one, features));

function pin(features) {
  state.pins = isPinned(features) ? state.pins.filter((one) => !same(one, features)) : state.pins.concat([features]).slice(-2);
  changed("pins");
  tell(`${counted(state.pins.length, "set")} pinned`);
}
