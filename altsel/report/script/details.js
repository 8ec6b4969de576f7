// All that is known of the picked set.
function details() {
  const box = el("section", { id: "details", "aria-label": "The picked set" });
  function refresh() {
    box.replaceChildren();
    const i = state.picked;
    if (i === null) return;
    const features = data.sets[i];
    box.append(el("h2", {}, `Set ${i}`));
    box.append(el("ul", { class: "members" }, ...features.map((j) => el("li", { class: i && !held[0].has(j) ? "new" : "" }, featureName(j)))), pinning(i));
    if (i) box.append(difference(i));
    const facts = el("dl", {});
    for (const one of data.columns) {
      if (one.values[i] === null) continue;
      facts.append(el("dt", { title: one.meaning }, one.name), el("dd", {}, shownAs(one.values[i], one.form), one.name === "proof" ? el("span", { class: "mute" }, ` – ${data.proofs[one.values[i]]}`) : null));
    }
    box.append(facts, ...evidenceOf(i));
  }
  on("pick", () => { refresh(); tell(`set ${state.picked}: ${data.sets[state.picked].map((j) => data.names[j]).join(", ")}`); });
  on("choice", () => { if (document.activeElement !== byId("comment")) refresh(); });
  refresh();
  return box;
}

function difference(i) {
  const gone = data.sets[0].filter((j) => !held[i].has(j)), come = data.sets[i].filter((j) => !held[0].has(j));
  return el("p", { class: "change" }, "against set 0: ", ...(gone.length ? ["without ", ...featureList(gone)] : []), ...(gone.length && come.length ? ["; "] : []), ...(come.length ? ["with ", ...featureList(come)] : []), gone.length || come.length ? "" : "the same features");
}

// Verdicts of tests, steps of a greedy search, comparisons and error bounds, as the JSON holds them.
function evidenceOf(i) {
  if (data.file !== "found.json") return [];
  const found = solutions(), one = found.sets[i], made = [];
  const index = new Map(found.universe.map((name, j) => [name, j]));
  if (one.verdicts.length) {
    const selected = new Set(one.features), rank = (v) => (selected.has(v.feature) ? 0 : 1);
    const verdicts = [...one.verdicts].sort((a, b) => rank(a) - rank(b) || (a.log_p ?? 0) - (b.log_p ?? 0));
    const rows = verdicts.map((v) => [{ f: [index.get(v.feature)] }, v.role, { p: v.log_p }, { f: v.given.map((name) => index.get(name)) }]);
    made.push(el("h3", {}, "What tests found of each feature"), table(["feature", "role", "p", "given"], rows, { label: "What tests found of each feature", page: 12 }));
  }
  if (one.path.length) made.push(el("h3", {}, "Order of selection"), table(["feature", "score"], one.path.map((s) => [{ f: [index.get(s.feature)] }, s.score]), { label: "Order of selection", page: 12 }));
  if (one.comparisons.length) made.push(el("h3", {}, "Tests against set 0"), table(["test", "p", "added loss"], one.comparisons.map((c) => [c.test, c.tested ? c.p : "not tested", c.difference]), { label: "Tests against set 0" }));
  for (const bounds of one.error) made.push(el("p", {}, `best possible classifier: error ${share(bounds.lower)} to ${share(bounds.upper)} (${bounds.corrected ? "corrected for bias" : "plug-in"})`));
  return made;
}
