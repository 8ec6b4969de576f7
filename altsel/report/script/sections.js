// The parts of the page, in their order; what is not known has none.
function section(id, title, ...content) {
  return el("section", { id, "aria-labelledby": `${id}-title` }, el("h2", { id: `${id}-title` }, title), ...content);
}

function setsSection() {
  if (!data.sets.length) return section("sets", "Sets and features", el("p", {}, "No set was found."));
  const help = el("details", { class: "help" }, el("summary", {}, "How to use it"), el("p", {}, "Click a feature: only sets with it, without it, either again. Click another head to sort, a row to see all of a set and its way through the graph. By keyboard: arrows, Page up and down, Home, End; Enter does what a click does. Numbers for which there is no room stand to the right of the features."));
  const legend = el("span", { class: "legend" }, el("span", { class: "key in" }, "in the set"), el("span", { class: "key all" }, "in all sets"));
  const heads = shownColumns.slice(1).map((c) => el("li", {}, `${data.columns[c].name}: ${data.columns[c].meaning}`)), same = data.columns.filter((_, c) => !shownColumns.includes(c));
  const alike = same.length ? el("p", { class: "mute", id: "alike" }, "The same for all sets: ", same.map((one) => `${one.name} ${shownAs(one.values[0], one.form)}`).join("; "), ".") : null;
  help.append(el("ul", {}, ...heads));
  return section("sets", "Sets and features", toolbar(), el("div", { class: "beside" }, el("div", {}, matrix(), alike, el("div", { class: "bar" }, legend, help)), details()));
}

function groupsSection() {
  const rows = Object.entries(data.members).map(([j, others]) => [{ f: [Number(j)] }, { key: others.join(", "), names: true, node: () => el("span", {}, ...joined(others.map(isolated))) }, { key: counts[j], node: () => String(counts[j]) }]);
  if (!rows.length) return null;
  return section("groups", "Names of one feature", el("p", { class: "mute" }, "Columns that tell the same go as one feature; any of its names may be used instead."), table(["feature", "or", "sets"], rows, { label: "Names of one feature", filter: rows.length > 20 }));
}

function graphSection() {
  return data.graph && section("msg", "All sets as paths of one graph", graph());
}

function substitutionsSection() {
  const { rows, more, note } = data.substitutions;
  const told = note && data.sets.length > 1 ? el("p", { class: "mute" }, note) : null;
  if (!rows.length) return told && section("substitutions", "What replaces what", told);
  const losses = rows.some((row) => row[4] !== null || row[5] !== null);
  const cut = (row) => [{ f: row[0] }, row[1].length ? { f: row[1] } : "", { f: row[2] }, row[3], ...(losses ? [row[4], row[5]] : [])];
  return section("substitutions", "What replaces what", el("p", { class: "mute" }, "For every set with a feature, the sets without it that differ least say what enters for it, and what leaves along with it."), told,
    table(["feature", "along with", "replaced by", "pairs of sets", ...(losses ? ["added loss", "p"] : [])], rows.map(cut), { label: "What replaces what", page: 12, filter: rows.length > 12 }),
    more ? el("p", { class: "mute" }, `${more} rarer ways are left out; altsel.substitutions tells all.`) : null);
}

function importanceSection() {
  const known = data.importance;
  if (!known) return null;
  const ends = known.rows.flatMap((row) => row[3].flatMap((r) => [r.least ?? 0, r.most ?? 0]));
  const largest = Math.max(known.tolerance ?? 0, ...ends), shares = known.rows.some((row) => row[4]), again = known.rows.some((row) => row[5] !== null);
  const text = (r) => ({ key: r.least, node: () => el("span", {}, r.text) });
  const rows = known.rows.map((row) => [{ f: row[0] }, row[1], { share: row[2] }, { key: row[3][0].least, node: () => losses(row[3], largest, known.tolerance) }, text(row[3][0]), ...(shares ? [row[4]] : []), text(row[3][1]), ...(again ? [{ share: row[5] }] : [])]);
  const legend = el("span", { class: "legend" }, el("span", { class: "key in" }, "without it"), el("span", { class: "key lit" }, "with it"));
  const notes = known.notes.join("; ");
  return section("importance", "Which features the good sets need", el("p", {}, known.title), notes ? el("p", { class: "mute" }, notes) : null,
    table(["feature", "class", "share of sets", "losses", "lost without", ...(shares ? ["share lost"] : []), "lost with", ...(again ? ["same class"] : [])], rows, { label: "Importance of features", page: 15, filter: rows.length > 15 }),
    el("div", { class: "bar" }, legend), el("p", { class: "mute" }, `${known.said}. Dotted: the loss that the list tolerates; an arrow: as much or more.`));
}

function cardsSection() {
  if (!data.cards.length) return null;
  const risks = (card) => card.totals.map((row) => [row[0], { share: row[1] }, row[2], { share: row[3] }]);
  const parts = data.cards.flatMap((card, i) => [el("h3", {}, data.cards.length > 1 ? `card ${i}: ` : "", isolated(card.title)),
    card.points.length ? table(["feature", "points"], card.points.map(([name, points]) => [{ key: name, node: () => isolated(name) }, { key: points, node: () => el("span", {}, points > 0 ? `+${points}` : String(points)) }]), { label: `Points of card ${i}` }) : null,
    table(["total", "risk", "rows", "observed"], risks(card), { label: `Risks of card ${i}`, page: 30 }), el("p", { class: "mute" }, [card.said, ...card.notes].join("; "))]);
  return section("cards", "Score cards: points to add up", ...parts);
}

function frontSection() {
  const front = data.front;
  if (!front) return null;
  const rows = front.points.map((p, i) => {
    const row = [{ key: p.x, node: () => number(p.x, 4) }, p.y, { share: p.lost }, { key: i, names: true, node: () => el("span", {}, ...joined(p.sets.map((s, k) => (p.known[k] === null ? el("span", {}, ...featureList(s)) : button(`set ${p.known[k]}`, () => pick(p.known[k])))), " | ")) }, p.proved ? "proved" : "open"];
    return row;
  });
  const from = front.reference.length ? el("p", { class: "mute" }, "dissimilarity from ", ...joined(front.reference.map((s) => el("span", {}, ...featureList(s))), " | ")) : null;
  return section("front", "What difference costs", el("p", { class: "mute" }, front.quality, front.proved ? "; proved: no point is missing" : `; stop: ${front.stop}`), from, front.points.length ? frontChart() : el("p", {}, "The front has no point."), table(["dissimilarity", "quality", "quality lost", "sets", "proof"], rows, { label: "Points of the front" }));
}

function taxonomySection() {
  const known = data.taxonomy;
  if (!known) return null;
  const tested = known.rows.some((row) => row[5] !== null);
  const rows = known.rows.map((row) => [{ f: row[0] }, row[1], row[2], { share: row[3] }, row[4] + (row[7] ? ", which err here" : ""), ...(tested ? [{ p: row[5] }, row[5] === null ? "" : row[6] === null ? "all others" : { f: row[6] }] : [])]);
  const order = ["indispensable", "replaceable", "not decided", "redundant", "irrelevant", "in no solution", "forbidden", "required"];
  rows.sort((a, b) => order.indexOf(a[1]) - order.indexOf(b[1]));
  const totals = order.map((kind) => [kind, rows.filter((row) => row[1] === kind).length]).filter(([, n]) => n).map(([kind, n]) => `${n} ${kind}`).join(", ");
  return section("taxonomy", "What each feature is to the target", el("p", {}, totals), ...known.notes.map((note) => el("p", { class: "mute" }, note)),
    table(["feature", "class", "relevance", "share of sets", "rests on", ...(tested ? ["p", "given"] : [])], rows, { label: "What each feature is", page: 15, filter: rows.length > 15 }), tested ? el("p", { class: "mute" }, `level ${known.alpha}; p corrected: ${known.correction}`) : null);
}

function sidesSection() {
  const known = data.sides;
  if (!known) return null;
  const several = data.sets.length > 1;
  const rows = known.rows.map((row) => [...(several ? [{ key: row[0], node: () => button(`set ${row[0]}`, () => pick(row[0])) }] : []), { f: row[1] }, row[2], row[3], row[4]]);
  const more = known.more ? el("p", { class: "mute" }, `${counted(known.more, "further set")} left out; ${data.file} has all.`) : null;
  return section("sides", "Causes and effects", el("p", { class: "mute" }, `Hypotheses: a side rests on many tests, all of which must be right, and on independence being separation in the graph of causes${known.hidden ? "; common causes that are no columns were allowed for" : ", without hidden common causes"}. What no test says is not told.`),
    table([...(several ? ["set"] : []), "feature", "to the target", "p", "why"], rows, { label: "On which side of the target members are", page: 15, filter: rows.length > 15 }), more);
}

function discardedSection() {
  if (!data.discarded.length) return null;
  return section("discarded", "Sets found and not returned", table(["features", "why", "added loss", "p"], data.discarded.map((row) => [{ f: row[0] }, row[1], row[2], row[3]]), { label: "Sets found and not returned", page: 12 }));
}

function certificateSection() {
  const known = data.certificate;
  if (!known) return null;
  const rows = known.rows.map((row) => [{ f: row[0] }, row[1], row[2].length ? { f: row[2] } : "", row[3] === null ? null : { p: row[3] }, { f: row[4] }]);
  const more = known.more ? el("p", { class: "mute" }, `${counted(known.more, "larger removal")} left out; ${data.file} has all.`) : null;
  return section("certificate", "What is proved of other sets", ...known.lines.map((line) => el("p", {}, line)), el("p", { class: "mute" }, "Without the features of a failed removal no blanket is left, so each blanket has one of them. p: of the removed feature that tells most given all others."),
    rows.length ? table(["removed", "confirmed by", "tells most", "p", "what is left"], rows, { label: "Failed removals", page: 12, filter: rows.length > 12 }) : null, more);
}

function studySection() {
  const known = data.study;
  if (!known) return null;
  const rows = known.tried.map((row, i) => [row[0] + (i === known.best ? " (best)" : ""), row[1], row[2], { key: row[3], node: () => bar(row[3]) }]).sort((a, b) => a[2] - b[2]);
  const taus = known.taus.map((row) => [row[0], row[1], row[2]]);
  return section("study", "What the study shows", el("ul", {}, ...known.claims.map((claim) => el("li", {}, isolated(claim)))),
    known.looked.length ? el("details", { class: "help" }, el("summary", {}, `Of the table: ${counted(known.looked.length, "finding")}`), el("ul", {}, ...known.looked.map((one) => el("li", {}, isolated(one))))) : null,
    el("h3", {}, "Configurations"), el("p", { class: "mute" }, `${known.loss} out of fold, not corrected for the choice; chosen: share of the bootstrap resamples in which a configuration has the least loss.`),
    table(["configuration", "features", "loss", "chosen"], rows, { label: "Configurations", page: 12 }),
    taus.length ? el("h3", {}, "How different alternatives are") : null,
    taus.length ? table(["least dissimilarity (Dice)", "added loss", "standard error"], taus, { label: "What each tau costs out of fold" }) : null);
}

function performanceSection() {
  const known = data.performance;
  if (!known) return null;
  const all = [...known.sets.flatMap((s) => [s.score, s.nested]), known.forest && known.forest.score, known.all, known.none].filter(Boolean).flatMap((e) => [e.value, e.low ?? e.value, e.high ?? e.value]).concat(known.null || []);
  const scale = clipped(known, all), lines = { all: known.all.value, none: known.none.value, null: known.null };
  const ends = known.holdout > 0, compared = [...known.sets, known.forest].some((s) => s && s.difference) || known.differences.all;
  const nested = known.sets.some((s) => s.nested), nulls = known.sets.some((s) => s.null !== null);
  const row = (name, score, one) => [name, { key: score.value, node: () => interval(score, scale, lines, one && one.nested) }, { key: score.value, node: () => estimated(score, ends) },
    ...(compared ? [one && one.difference ? { key: one.difference.value, node: () => estimated(one.difference, ends) } : null, ...known.tests.map((_, t) => (one && one.p.length ? one.p[t] : null))] : []),
    ...(nested ? [one && one.nested ? { key: one.nested.value, node: () => estimated(one.nested) } : null, one ? one.bias : null] : []), ...(nulls ? [one ? one.null : null] : [])];
  const setButton = (i) => ({ key: i, node: () => button(`set ${i}`, () => pick(i)) });
  const other = (name, of) => row(name, known[of], { difference: known.differences[of], p: [], nested: null, bias: null, null: null });
  const rows = [other("all features", "all"), other("no features", "none"), ...(known.forest ? [row("ten most important to a forest", known.forest.score, known.forest)] : []), ...known.sets.map((s, i) => row(setButton(i), s.score, s))];
  const head = ["", known.scoring, "", ...(compared ? ["against set 0", ...known.tests.map((t) => `p, ${t}`)] : []), ...(nested ? ["searched again", "bias"] : []), ...(nulls ? ["p, null"] : [])];
  head[0] = "by"; head[2] = "value";
  return section("performance", "How well models predict by the sets", el("p", { class: "mute" }, `${known.scoring}, ${known.models}; intervals: ${number(100 * known.confidence)} %, ${known.intervals}. Dashed: all features; dotted: none${known.null ? `; grey: the best of ${known.permutations} permuted targets` : ""}${nested ? "; the lower dot: searched again in every fold" : ""}.`),
    table(head, rows, { label: "Performance", page: 22 }));
}

function stabilitySection() {
  const known = data.stability;
  if (!known) return null;
  const rows = known.features.map(([f, first, some]) => [{ f }, { key: first, node: () => bar(first) }, { key: some, node: () => bar(some) }]).sort((a, b) => b[2].key - a[2].key);
  const facts = el("dl", {});
  for (const [name, estimate] of Object.entries(known.measures)) facts.append(el("dt", {}, name), el("dd", {}, estimate ? estimated(estimate) : "not defined"));
  return section("stability", "What stays when the search is repeated", el("p", { class: "mute" }, `${counted(known.resamples, "resample")} of ${known.rows} rows (${known.scheme})`), facts, table(["feature", "in the first set", "in any set"], rows, { label: "Stability", page: 20, filter: rows.length > 20 }));
}

function requestSection() {
  const facts = el("dl", { class: "asked" });
  for (const [key, value] of data.asked) facts.append(el("dt", {}, isolated(key)), el("dd", {}, isolated(value)));
  if (data.seed !== null) facts.append(el("dt", {}, "seed"), el("dd", {}, String(data.seed)));
  facts.append(el("dt", {}, "versions"), el("dd", {}, Object.entries(data.versions).map(([k, v]) => `${k} ${v}`).join(", ") || data.version));
  const saved = button(`download ${data.file}`, () => save(data.file, byId("found").textContent, "application/json"), { id: "save" });
  return section("request", "What was requested, and how to check it", data.command ? el("pre", {}, data.command) : null, el("p", { class: "mute" }, `Stop: ${data.stop} – ${data.ended}.${data.cost ? ` ${data.cost}.` : ""}`), el("details", { class: "help" }, el("summary", {}, "The request word by word"), facts), el("h3", {}, "Check the answer without trusting how it was found"), el("p", {}, saved), el("pre", { id: "audit" }, data.audit.replace("FILE", data.file)));
}
