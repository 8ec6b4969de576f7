// The exact front as a staircase that one can walk along.
function frontSection() {
  const box = el("div", { id: "front" });
  let of = null;
  async function refresh() {
    if (state.tab !== "front") return;
    const now = state.settings, key = JSON.stringify([now.objective, now.measure, now.smallest, now.largest, now.rules, now.dissimilarity]);
    if (key === of) return;
    of = key;
    box.replaceChildren(el("p", { class: "mute" }, "The front is searched …"));
    const event = await beside({ do: "front" });
    if (of !== key) return;
    if (event === null) { of = null; return; }
    if (event.fault) { of = null; box.replaceChildren(el("p", { class: "bad" }, event.fault.message)); return; }
    drawFront(box, event.answer, event.seconds);
  }
  on("tab", refresh);
  on("settled", refresh);
  return box;
}

const span = (list) => { const [a, b] = [Math.min(...list), Math.max(...list)], pad = (b - a || Math.abs(a) || 1) * 0.07; return [a - pad, b + pad]; };

function marksOf(low, high) {
  const raw = (high - low) / 5, power = 10 ** Math.floor(Math.log10(raw)), step = [1, 2, 5, 10].map((s) => s * power).find((s) => s >= raw), made = [];
  for (let k = Math.ceil(low / step); k * step <= high; k += 1) made.push(+(k * step).toPrecision(12));
  return made;
}

// Axes of a chart: places of values, and the chart with its rules.
function axes(xs, ys, { x, y, label }) {
  const W = 560, H = 300, m = { l: 58, r: 18, t: 18, b: 42 }, [x0, x1] = span(xs), [y0, y1] = span(ys);
  const X = (v) => m.l + ((W - m.l - m.r) * (v - x0)) / (x1 - x0), Y = (v) => H - m.b - ((H - m.t - m.b) * (v - y0)) / (y1 - y0);
  const picture = svg("svg", { viewBox: `0 0 ${W} ${H}`, class: "chart", role: "group", "aria-label": label });
  for (const v of marksOf(x0, x1)) picture.append(svg("line", { class: "rule", x1: X(v), x2: X(v), y1: m.t, y2: H - m.b }), svg("text", { class: "mark-of", x: X(v), y: H - m.b + 16, "text-anchor": "middle" }, number(v, 3)));
  for (const v of marksOf(y0, y1)) picture.append(svg("line", { class: "rule", x1: m.l, x2: W - m.r, y1: Y(v), y2: Y(v) }), svg("text", { class: "mark-of", x: m.l - 6, y: Y(v) + 4, "text-anchor": "end" }, number(v, 4)));
  picture.append(svg("text", { x: (m.l + W - m.r) / 2, y: H - 8, "text-anchor": "middle" }, x), svg("text", { x: m.l, y: 12 }, y));
  return { picture, X, Y };
}

function drawFront(box, front, took) {
  const points = front.points;
  if (!points.length) { box.replaceChildren(el("p", {}, `There is no point: ${front.ended}.`)); return; }
  const { picture, X, Y } = axes(points.map((p) => p.dissimilarity), points.map((p) => p.quality), { x: `dissimilarity from the best set (${front.measure})`, y: "score", label: "Score over dissimilarity" });
  picture.append(svg("path", { class: "stairs", d: points.map((p, i) => (i ? `V${Y(p.quality)}H${X(p.dissimilarity)}` : `M${X(p.dissimilarity)} ${Y(p.quality)}`)).join("") }));
  const dots = points.map((p, i) => { const dot = svg("circle", { class: p.proved ? "point" : "point open", cx: X(p.dissimilarity), cy: Y(p.quality), r: 6 }); dot.addEventListener("click", () => at(i)); picture.append(dot); return dot; });
  const walk = el("input", { type: "range", min: 0, max: points.length - 1, step: 1, "aria-label": "Point of the front", "data-key": "walk" }), shown = el("div", { class: "picked" });
  function at(i) {
    const p = points[i], best = points[0].set.features;
    walk.value = String(i);
    dots.forEach((dot, k) => dot.classList.toggle("here", k === i));
    const text = `differs by ${number(p.dissimilarity, 3)}, score ${number(p.quality, 4)}, ${share(p.lost)} lost, ${p.proved ? "proved" : "not proved"}`;
    walk.setAttribute("aria-valuetext", text);
    shown.replaceChildren(el("p", {}, text), el("ul", { class: "members" }, ...p.set.features.map((j) => el("li", { class: best.includes(j) ? "" : "new" }, featureName(j)))), button("pin it", () => pin(p.set.features), { "data-key": "pin point" }), button(`search alternatives by τ = ${number(p.dissimilarity, 3)}`, () => { change({ tau: +p.dissimilarity.toPrecision(12) }, `τ of the front: ${number(p.dissimilarity, 3)}`); showTab("sets"); }, { "data-key": "use tau" }));
  }
  walk.addEventListener("input", () => at(+walk.value));
  box.replaceChildren(el("p", {}, el("strong", { class: front.proved ? "good" : "open" }, `${counted(points.length, "point")}, ${front.proved ? "proved complete" : front.ended}`), `; ${seconds(took)}`), el("div", { class: "beside" }, el("div", { class: "drawn" }, picture, el("label", { class: "field" }, el("span", { class: "label" }, "along the front"), walk)), shown));
  at(Math.min(1, points.length - 1));
}
