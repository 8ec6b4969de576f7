// Pictures of numbers: a front as a staircase, scores with their intervals, shares as bars.
function frontChart() {
  const front = data.front, points = front.points, W = 560, H = 300, m = { l: 64, r: 62, t: 16, b: 46 };
  const xs = points.map((p) => p.x), ys = points.map((p) => p.y);
  const span = (list) => { const [a, b] = [Math.min(...list), Math.max(...list)]; const pad = (b - a || Math.abs(a) || 1) * 0.07; return [a - pad, b + pad]; };
  const [x0, x1] = points.length > 1 ? span(xs) : [-0.05, 1.05], [y0, y1] = span(ys); // of one point nothing but 0 to 1 is known
  const X = (v) => m.l + (W - m.l - m.r) * (v - x0) / (x1 - x0), Y = (v) => H - m.b - (H - m.t - m.b) * (v - y0) / (y1 - y0);
  const picture = svg("svg", { viewBox: `0 0 ${W} ${H}`, class: "chart", role: "group", "aria-label": "Quality over dissimilarity" });
  for (const v of ticks(x0, x1)) picture.append(svg("line", { class: "rule", x1: X(v), x2: X(v), y1: m.t, y2: H - m.b }), svg("text", { x: X(v), y: H - m.b + 16, "text-anchor": "middle" }, number(v, 3)));
  const best = Math.max(...ys);
  for (const v of ticks(y0, y1)) {
    picture.append(svg("line", { class: "rule", x1: m.l, x2: W - m.r, y1: Y(v), y2: Y(v) }), svg("text", { x: m.l - 6, y: Y(v) + 4, "text-anchor": "end" }, number(v, 4)));
    if (best && v <= best) picture.append(svg("text", { x: W - m.r + 6, y: Y(v) + 4 }, share((best - v) / Math.abs(best))));
  }
  picture.append(svg("path", { class: "stairs", d: points.map((p, i) => (i ? `V${Y(p.y)}H${X(p.x)}` : `M${X(p.x)} ${Y(p.y)}`)).join("") }));
  points.forEach((p, i) => {
    const text = `dissimilarity ${number(p.x, 4)}, quality ${number(p.y)}, ${share(p.lost)} lost, ${p.proved ? "proved" : "not proved"}`;
    const known = p.known.find((k) => k !== null);
    const dot = svg("circle", { class: p.proved ? "point" : "point open", cx: X(p.x), cy: Y(p.y), r: 6, tabindex: "0", role: known === undefined ? "img" : "button", "aria-label": `point ${i}: ${text}` });
    dot.append(svg("title", {}, text));
    const go = () => { if (known !== undefined) pick(known); };
    dot.addEventListener("click", go);
    dot.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") { go(); event.preventDefault(); } });
    dot.addEventListener("pointerenter", () => heat((k) => p.known.includes(k)));
    dot.addEventListener("pointerleave", () => heat(null));
    picture.append(dot);
  });
  picture.append(svg("text", { x: (m.l + W - m.r) / 2, y: H - 8, "text-anchor": "middle" }, `dissimilarity (${front.measure})`), svg("text", { x: m.l, y: 11 }, "quality"), svg("text", { x: W - 4, y: 11, "text-anchor": "end" }, "lost"));
  return picture;
}

function ticks(low, high) {
  const raw = (high - low) / 5, power = 10 ** Math.floor(Math.log10(raw)), step = [1, 2, 5, 10].map((s) => s * power).find((s) => s >= raw);
  const made = [];
  for (let k = Math.ceil(low / step); k * step <= high; k += 1) made.push(+(k * step).toPrecision(12));
  return made;
}

// The scale of the sets: what is far from them, as models of all features may be, is cut and has an arrow.
function clipped(known, all) {
  const sets = [...known.sets.flatMap((s) => [s.score, s.nested]), known.forest && known.forest.score].filter(Boolean), ends = sets.flatMap((e) => [e.low ?? e.value, e.high ?? e.value]);
  const values = sets.map((e) => e.value), low = Math.min(...values), high = Math.max(...values), halves = sets.map((e) => ((e.high ?? e.value) - (e.low ?? e.value)) / 2).sort((a, b) => a - b);
  const room = Math.max(high - low, 2 * halves[halves.length >> 1], 1e-9);
  const least = Math.max(Math.min(...all), low - 2 * room), most = Math.min(Math.max(...all), high + 2 * room);
  return [Math.min(least, Math.max(Math.min(...ends), low - 2 * room)), Math.max(most, Math.min(Math.max(...ends), high + 2 * room))];
}

// One interval on a common scale, with the lines of all features and of none.
function interval(estimate, scale, lines, nested) {
  const W = 220, X = (v) => Math.min(W - 6, Math.max(6, 6 + (W - 12) * (v - scale[0]) / (scale[1] - scale[0] || 1))), outside = (v) => v < scale[0] || v > scale[1];
  const picture = svg("svg", { viewBox: `0 0 ${W} 20`, class: "interval", "aria-hidden": "true" });
  if (lines.null) picture.append(svg("rect", { class: "null", x: X(lines.null[0]), y: 0, width: Math.max(1, X(lines.null[1]) - X(lines.null[0])), height: 20 }));
  if (lines.all !== undefined && !outside(lines.all)) picture.append(svg("line", { class: "all", x1: X(lines.all), x2: X(lines.all), y1: 0, y2: 20 }));
  if (lines.none !== undefined && !outside(lines.none)) picture.append(svg("line", { class: "none", x1: X(lines.none), x2: X(lines.none), y1: 0, y2: 20 }));
  const draw = (one, y, kind) => {
    if (!one) return;
    if (one.low !== null && one.high !== null) picture.append(svg("line", { class: kind, x1: X(one.low), x2: X(one.high), y1: y, y2: y }));
    for (const [end, sign] of [[one.low, -1], [one.high, 1]]) if (end !== null && outside(end)) picture.append(svg("path", { class: kind, d: `M${X(end)} ${y - 4}l${sign * 6} 4l${-sign * 6} 4Z` }));
    if (!outside(one.value)) picture.append(svg("circle", { class: kind, cx: X(one.value), cy: y, r: 4 }));
  };
  draw(estimate, nested ? 6 : 10, "score");
  draw(nested, 14, "nested");
  return picture;
}

// Losses of the sets without a feature, and of those with it: from the least, a dot, to the largest; an arrow where more is not known.
function losses(pair, largest, tolerance) {
  const W = 220, X = (v) => 6 + (W - 26) * v / (largest || 1);
  const picture = svg("svg", { viewBox: `0 0 ${W} 20`, class: "interval", "aria-hidden": "true" });
  if (tolerance !== null) picture.append(svg("line", { class: "none", x1: X(tolerance), x2: X(tolerance), y1: 0, y2: 20 }));
  pair.forEach((one, i) => {
    const kind = i ? "nested" : "score", y = i ? 14 : 6;
    if (one.least === null) return;
    const open = ["more than", "at least"].includes(one.known);
    picture.append(svg("line", { class: kind, x1: X(one.least), x2: open ? W - 4 : X(one.most ?? one.least), y1: y, y2: y }));
    if (open) picture.append(svg("path", { class: kind, d: `M${W - 8} ${y - 3}L${W - 3} ${y}L${W - 8} ${y + 3}Z` }));
    else picture.append(svg("circle", { class: kind, cx: X(one.least), cy: y, r: 3 }));
  });
  return picture;
}

// With as many decimals as two digits of the interval have.
function estimated(one, ends = false) {
  if (!one) return "";
  if (ends && one.high !== null) return `${number(one.value, 3)} [${number(one.low, 3)}, ${number(one.high, 3)}]`;
  const half = one.high === null ? 0 : one.high - one.value;
  if (!(half > 0)) return number(one.value, 4);
  const decimals = Math.min(12, Math.max(0, 1 - Math.floor(Math.log10(half))));
  return `${one.value.toFixed(decimals)} ± ${half.toFixed(decimals)}`;
}

function bar(value) {
  const inner = el("span", { class: "filled" });
  inner.style.width = `${100 * value}%`;
  return el("span", { class: "share" }, el("span", { class: "track", "aria-hidden": "true" }, inner), share(value));
}
