// All sets within the loss, as a map; and in how many of them each feature is.
function nearSection() {
  const box = el("div", { id: "near" });
  let of = null;
  async function refresh() {
    if (state.tab !== "near") return;
    const now = state.settings, key = JSON.stringify([now.objective, now.measure, now.smallest, now.largest, now.rules, now.loss]);
    if (key === of) return;
    of = key;
    box.replaceChildren(el("p", { class: "mute" }, "All sets within the loss are listed …"));
    const event = await beside({ do: "near" });
    if (of !== key) return;
    if (event === null) { of = null; return; }
    if (event.fault) { of = null; box.replaceChildren(el("p", { class: "bad" }, event.fault.message)); return; }
    drawNear(box, event.answer, event.seconds);
  }
  on("tab", refresh);
  on("settled", refresh);
  return box;
}

function drawNear(box, near, took) {
  if (!near.sets.length) { box.replaceChildren(el("p", {}, `There is no set: ${near.ended}.`)); return; }
  const held = near.sets.some((one) => one.holdout !== null);
  const by = held ? el("select", { "aria-label": "Colour", "data-key": "colour" }, el("option", { value: "score" }, "colour: score"), el("option", { value: "holdout" }, "colour: score on rows kept apart")) : null;
  const [xs, ys] = spread(near.points), shown = el("div", { class: "picked" }), drawn = el("div", { class: "drawn" });
  const walk = el("input", { type: "range", min: 0, max: near.sets.length - 1, step: 1, value: 0, "aria-label": "Set of the map", "data-key": "set of map" });
  let dots = [];
  function paint() {
    const { picture, X, Y } = axes(xs, ys, { x: "sets that share more features are nearer", y: "", label: "Map of near-optimal sets" });
    picture.querySelectorAll(".rule, .mark-of").forEach((one) => one.remove()); // places mean nothing by themselves
    const values = near.sets.map((one) => (by && by.value === "holdout" ? one.holdout : one.score)), [low, high] = [Math.min(...values), Math.max(...values)];
    dots = near.sets.map((one, i) => { const dot = svg("circle", { class: "place", cx: X(xs[i]), cy: Y(ys[i]), r: i ? 6 : 8 }); dot.style.setProperty("--good", String(high > low ? (values[i] - low) / (high - low) : 1)); dot.append(svg("title", {}, `set ${i}: ${number(values[i], 4)}`)); dot.addEventListener("click", () => at(i)); return dot; });
    [...dots].reverse().forEach((dot) => picture.append(dot));
    drawn.replaceChildren(...(by ? [by] : []), picture, el("p", { class: "scale" }, `${number(low, 4)} `, el("span", { class: "ramp", "aria-hidden": "true" }), ` ${number(high, 4)}`), el("label", { class: "field" }, el("span", { class: "label" }, "one set after another"), walk));
    at(+walk.value);
  }
  function at(i) {
    const one = near.sets[i], best = near.sets[0].features;
    walk.value = String(i);
    walk.setAttribute("aria-valuetext", `set ${i} of ${near.sets.length}`);
    dots.forEach((dot, k) => dot.classList.toggle("here", k === i));
    shown.replaceChildren(el("p", {}, `set ${i}: score ${number(one.score, 4)}, ${share(best ? 1 - one.score / near.sets[0].score : null)} lost${one.holdout === null ? "" : `; on rows kept apart ${number(one.holdout, 3)}`}`), el("ul", { class: "members" }, ...one.features.map((j) => el("li", { class: best.includes(j) ? "" : "new" }, featureName(j)))), button("pin it", () => pin(one.features), { "data-key": "pin of map" }));
  }
  walk.addEventListener("input", () => at(+walk.value));
  if (by) by.addEventListener("change", paint);
  const rows = near.features.slice().sort((a, b) => b.share - a.share || a.feature - b.feature).map((one) => el("tr", {}, el("th", { scope: "row", class: "first" }, featureName(one.feature)), el("td", {}, `${one.class}${one.ruled ? " (by a rule)" : ""}`), el("td", { class: "plain" }, shareBar(one.share)), el("td", { class: "number" }, one.without === null ? "" : one.without)));
  const all = near.stop === "exhausted";
  box.replaceChildren(el("p", {}, el("strong", { class: all && near.proved ? "good" : "open" }, all ? `These are all ${counted(near.sets.length, "set")} that lose at most ${share(state.settings.loss)}` : `${counted(near.sets.length, "set")}: ${near.ended}`), `; ${seconds(took)}`), el("div", { class: "beside" }, drawn, shown), el("h3", {}, "In how many of them each feature is"), el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Features of the near-optimal sets" }, el("table", { class: "plain" }, el("thead", {}, el("tr", {}, el("th", { scope: "col", class: "first" }, "feature"), el("th", { scope: "col" }, "class"), el("th", { scope: "col" }, "share of the sets"), el("th", { scope: "col" }, "lost without it"))), el("tbody", {}, ...rows))), el("p", { class: "mute" }, `${counted(near.never, "feature")} in none of them${all ? "" : ", of those found"}.`));
  paint();
}

// Sets at the same place stand around it.
function spread(points) {
  const counts = new Map(), width = Math.max(...points.map((p) => p[0])) - Math.min(...points.map((p) => p[0])) || 1;
  const moved = points.map(([x, y]) => {
    const key = `${x.toFixed(3)} ${y.toFixed(3)}`, k = counts.get(key) || 0, far = 0.013 * width * Math.sqrt(k);
    counts.set(key, k + 1);
    return [x + far * Math.cos(2.4 * k), y + far * Math.sin(2.4 * k)];
  });
  return [moved.map((p) => p[0]), moved.map((p) => p[1])];
}

function shareBar(value) {
  const filled = el("span", { class: "filled" });
  filled.style.width = `${100 * value}%`;
  return el("span", { class: "share" }, el("span", { class: "track", "aria-hidden": "true" }, filled), share(value));
}
