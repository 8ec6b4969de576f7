// What can be set of the question besides rules.
function controls() {
  const box = el("section", { id: "controls", "aria-label": "The question" });
  const field = (label, ...inputs) => el("label", { class: "field" }, el("span", { class: "label" }, label), ...inputs);
  const select = (key, options) => {
    const made = el("select", { "data-key": key }, ...options.map(([value, text]) => el("option", { value }, text)));
    return made;
  };
  const slider = (key, attributes, told, patch) => {
    const range = el("input", { type: "range", "data-key": key, ...attributes }), value = el("output", {});
    let timer = 0;
    const set = () => { clearTimeout(timer); change(patch(+range.value), `${told.label}: ${told.text(+range.value)}`, key); };
    range.addEventListener("input", () => { value.textContent = told.text(+range.value); clearTimeout(timer); timer = setTimeout(set, 60); });
    range.addEventListener("change", set);
    const show = (v) => { if (root.activeElement !== range || +range.value !== v) range.value = String(v); value.textContent = told.text(v); range.setAttribute("aria-valuetext", told.text(v)); };
    return { node: field(told.label, el("span", { class: "sliding" }, range, value)), show, range };
  };

  const objective = select("objective", known.objectives.map((one) => [one.name, one.name === "given" ? known.criterion : one.name]));
  const measure = select("measure", [["", "as usual"], ...known.measures.map((name) => [name, name])]);
  objective.addEventListener("change", () => {
    const chosen = known.objectives.find((one) => one.name === objective.value);
    change({ objective: objective.value, ...(chosen.measured ? {} : { measure: null }) }, `criterion: ${objective.value}`);
  });
  measure.addEventListener("change", () => change({ measure: measure.value || null }, `measure: ${measure.value || "as usual"}`));

  const most = Math.max(1, Math.min(known.names.length, 30));
  const size = slider("k", { min: 1, max: most, step: 1 }, { label: "features in a set", text: (v) => String(v) }, (v) => ({ smallest: v, largest: Math.max(v, state.settings.smallest === state.settings.largest ? v : state.settings.largest) }));
  const largest = el("input", { type: "number", min: 1, max: known.names.length, step: 1, "data-key": "largest", inputmode: "numeric" });
  largest.addEventListener("change", () => { const v = Math.max(state.settings.smallest, Math.min(known.names.length, Math.round(+largest.value) || 1)); change({ largest: v }, `up to ${v} features`); largest.value = String(state.settings.largest); });
  const sets = slider("alternatives", { min: 0, max: Math.min(known.most_sets, 30), step: 1 }, { label: "alternatives", text: (v) => String(v) }, (v) => ({ alternatives: v }));
  const tau = slider("tau", { min: 0, max: 1, step: 0.05 }, { label: "how different (τ)", text: (v) => String(v) }, (v) => ({ tau: v }));
  const loss = slider("loss", { min: 0, max: 0.3, step: 0.005 }, { label: "near-optimal: may lose", text: share }, (v) => ({ loss: v }));
  const kind = select("dissimilarity", [["dice", "Dice"], ["jaccard", "Jaccard"]]);
  kind.addEventListener("change", () => change({ dissimilarity: kind.value }, `difference: ${kind.value}`));
  const limit = el("input", { type: "number", min: 1, max: 3600, step: 1, "data-key": "time", inputmode: "numeric" });
  limit.addEventListener("change", () => { const v = Math.max(1, Math.min(3600, +limit.value || 30)); change({ time_limit: v }, `at most ${v} s`); limit.value = String(state.settings.time_limit); });

  box.append(field("criterion", objective), ...(known.measures.length ? [field("measure", measure)] : []), size.node, field("up to", largest), sets.node, tau.node, field("difference", kind), loss.node, field("seconds at most", limit));
  function refresh() {
    const now = state.settings, chosen = known.objectives.find((one) => one.name === now.objective);
    objective.value = now.objective;
    measure.value = now.measure || "";
    measure.disabled = !chosen.measured;
    measure.options[0] && (measure.options[0].textContent = chosen.measured ? `as usual${chosen.measure && chosen.measure !== "default" ? ` (${chosen.measure})` : ""}` : "none: fits models");
    size.range.max = String(Math.max(most, now.smallest));
    size.show(now.smallest);
    largest.value = String(now.largest);
    sets.range.max = String(Math.max(Math.min(known.most_sets, 30), now.alternatives));
    sets.show(now.alternatives);
    tau.show(now.tau);
    loss.show(now.loss);
    kind.value = now.dissimilarity;
    limit.value = String(now.time_limit);
  }
  on("settings", refresh);
  refresh();
  return box;
}

// Undo, redo, and the way here.
function history() {
  const undo = button("↶ undo", () => goTo(state.at - 1), { "data-key": "undo", title: "Undo (Ctrl+Z)" });
  const redo = button("↷ redo", () => goTo(state.at + 1), { "data-key": "redo", title: "Redo (Ctrl+Shift+Z)" });
  const steps = el("select", { "aria-label": "History", "data-key": "history" });
  steps.addEventListener("change", () => goTo(+steps.value));
  function refresh() {
    undo.disabled = state.at <= 0;
    redo.disabled = state.at >= state.steps.length - 1;
    steps.replaceChildren(...state.steps.map((one, i) => el("option", { value: String(i) }, `${i + 1}. ${short(one.words, 60)}`)));
    steps.value = String(state.at);
  }
  on("settings", refresh);
  refresh();
  return el("span", { class: "history" }, undo, redo, steps);
}
