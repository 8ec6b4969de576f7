// The columns themselves: how relevant they are, how the classes spread over them, how they go together.
function relevanceSection() {
  const known = data.table && data.table.relevances;
  if (!known) return null;
  const largest = Math.max(...known.rows.map((row) => row[1]), known.noise || 0) || 1;
  const rows = known.rows.map(([j, value]) => [{ f: [j] }, { key: value, node: () => relevanceBar(value / largest, known.noise === null ? null : known.noise / largest, j) }, { key: value, node: () => number(value, 2) }, { key: counts[j], node: () => (counts[j] ? String(counts[j]) : "–") }]);
  const weak = known.noise === null ? [] : known.rows.filter(([j, value]) => counts[j] && value <= known.noise).map(([j]) => j);
  const told = known.noise === null ? "" : ` The mark: the most that any column reaches where the target is dealt to the rows at random, ${known.targets} times; below it, a column alone may tell nothing.`;
  return section("relevance", "How much each column alone tells of the target", el("p", { class: "mute" }, `Association, a squared correlation of any shape: 0 nothing, 1 all.${told}`),
    weak.length ? el("p", {}, "In sets, yet alone no more than chance: ", ...featureList(weak), ".") : null,
    table(["column", "association", "value", "in sets"], rows, { label: "Relevance of columns", page: 15 }), el("div", { class: "bar" }, el("span", { class: "legend" }, el("span", { class: "key in" }, "in some sets"), el("span", { class: "key all" }, "in all"), el("span", { class: "key none" }, "in none"))));
}

function relevanceBar(share, noise, j) {
  const kind = !counts[j] ? "none" : counts[j] === data.sets.length && data.sets.length > 1 ? "all" : "in";
  const inner = el("span", { class: `filled ${kind}` }), track = el("span", { class: "track wide", "aria-hidden": "true" }, inner);
  inner.style.width = `${100 * Math.max(0, share)}%`;
  if (noise !== null) { const tick = el("span", { class: "tick" }); tick.style.left = `${100 * Math.min(1, Math.max(0, noise))}%`; track.append(tick); }
  return track;
}

const FIRST = 8; // pictures at once
function spreadSection() {
  const known = data.table;
  if (!known) return null;
  const cards = el("div", { class: "spread" }), bar = el("div", { class: "bar" }), by = new Map(known.spread.map((one) => [one.feature, one]));
  let all = false;
  const groups = el("span", { class: "legend" }, ...known.groups.map((name, g) => el("span", { class: `key group${g}` }, isolated(name))));
  function refresh() {
    const first = state.picked === null ? [] : data.sets[state.picked].filter((j) => by.has(j)), inside = new Set(first);
    const order = [...first, ...known.spread.map((one) => one.feature).filter((j) => !inside.has(j))], shown = all ? order : order.slice(0, Math.max(FIRST, first.length));
    cards.replaceChildren(...shown.map((j) => spreadCard(by.get(j), known.groups, inside.has(j))));
    bar.replaceChildren(...(order.length > shown.length ? [button(`show all ${order.length}`, () => { all = true; refresh(); })] : []));
  }
  on("pick", refresh);
  refresh();
  const thirds = data.table.groups.some((name) => name.startsWith("lowest third")) ? "the thirds of the target" : "the classes";
  return section("spread", "How the chosen columns look", el("p", { class: "mute" }, `One shape for each of ${thirds}: where it is high, many of its rows have that value; the line in it is the median. Bars: share of the class with that value. The columns of the picked set come first.`), groups, cards, bar);
}

function spreadCard(one, groups, inside) {
  const made = el("figure", { class: inside ? "picked" : "" }, el("figcaption", {}, featureName(one.feature)));
  made.append(one.levels ? levels(one, groups) : violins(one, groups));
  if (one.more) made.append(el("p", { class: "mute" }, `${counted(one.more, "rarer value")} left out`));
  return made;
}

function violins(one, groups) {
  const W = 220, H = 30, picture = svg("svg", { viewBox: `0 0 ${W} ${groups.length * H + 18}`, role: "img" });
  const X = (v) => 4 + (W - 8) * Math.min(1, Math.max(0, (v - one.low) / (one.high - one.low || 1)));
  picture.setAttribute("aria-label", `${data.names[one.feature]}: ${groups.map((name, g) => `${name}: median ${number(one.medians[g], 3)}`).join("; ")}`);
  one.shares.forEach((bins, g) => {
    const shares = bins.map((s, b) => ((bins[b - 1] ?? s) + 2 * s + (bins[b + 1] ?? s)) / 4); // smoothed
    const middle = g * H + H / 2, at = shares.map((s, b) => [4 + (W - 8) * (b + 0.5) / shares.length, s * (H - 4) / 200]);
    const line = (sign) => at.map(([x, h]) => `${x.toFixed(1)} ${(middle + sign * h).toFixed(1)}`);
    picture.append(svg("path", { class: `group${g}`, d: `M${[`4 ${middle}`, ...line(-1), `${W - 4} ${middle}`, ...line(1).reverse()].join("L")}Z` }));
    if (one.medians[g] !== null) picture.append(svg("line", { class: "median", x1: X(one.medians[g]), x2: X(one.medians[g]), y1: middle - 9, y2: middle + 9 }));
  });
  picture.append(svg("text", { x: 4, y: groups.length * H + 13 }, number(one.low, 3)), svg("text", { x: W - 4, y: groups.length * H + 13, "text-anchor": "end" }, number(one.high, 3)));
  return picture;
}

function levels(one, groups) {
  const W = 220, thick = groups.length > 3 ? 5 : 8, step = groups.length * thick + 8, label = 74;
  const picture = svg("svg", { viewBox: `0 0 ${W} ${one.levels.length * step + 2}`, role: "img" });
  picture.setAttribute("aria-label", `${data.names[one.feature]}: ${one.levels.map((name, l) => `${name}: ${groups.map((group, g) => `${group} ${share(one.shares[g][l])}`).join(", ")}`).join("; ")}`);
  one.levels.forEach((name, l) => {
    picture.append(svg("text", { x: label - 5, y: l * step + step / 2 + 3, "text-anchor": "end" }, short(name, 11)));
    groups.forEach((_, g) => picture.append(svg("rect", { class: `group${g}`, x: label, y: l * step + 4 + g * thick, width: Math.max(0.5, (W - label - 34) * one.shares[g][l]), height: thick - 1 })));
    groups.forEach((_, g) => { if (thick > 5) picture.append(svg("text", { class: "small", x: label + (W - label - 34) * one.shares[g][l] + 3, y: l * step + 4 + g * thick + thick - 1 }, share(one.shares[g][l]))); });
  });
  return picture;
}

function pairsSection() {
  const known = data.table && data.table.pairs;
  if (!known) return null;
  const { features, values } = known, size = 18, names = features.map((j) => shortened(data.names[j], 132));
  const left = Math.ceil(Math.max(...names.map((name) => widthOf(name, false)))) + 8, W = left + features.length * size, H = left + features.length * size;
  const picture = svg("svg", { viewBox: `0 0 ${W} ${H}`, width: W, height: H, class: "pairs", role: "img" });
  const strongest = values.flatMap((row, i) => row.slice(0, i).map((value, k) => [value, k, i])).sort((a, b) => b[0] - a[0]).slice(0, 8);
  picture.setAttribute("aria-label", `Association of ${counted(features.length, "feature")}; the strongest pairs are listed beside it`);
  features.forEach((_, i) => {
    picture.append(svg("text", { x: left - 6, y: left + i * size + 14, "text-anchor": "end" }, names[i]));
    picture.append(svg("text", { transform: `translate(${left + i * size + 14} ${left - 6}) rotate(-90)` }, names[i]));
    features.forEach((__, k) => {
      const cell = svg("rect", { class: i === k ? "pair self" : "pair", x: left + k * size, y: left + i * size, width: size - 1, height: size - 1 });
      if (i !== k) cell.style.fillOpacity = Math.sqrt(values[i][k]).toFixed(3); // as a correlation
      cell.append(svg("title", {}, `${data.names[features[i]]}, ${data.names[features[k]]}: ${number(values[i][k], 2)}`));
      picture.append(cell);
    });
  });
  const list = table(["two columns", "association"], strongest.map(([value, i, k]) => [{ f: [features[i], features[k]] }, { key: value, node: () => number(value, 2) }]), { label: "The strongest pairs" });
  return section("pairs", "Which of them go together", el("p", { class: "mute" }, "Columns that tell much of each other can often replace each other. The stronger the colour, the more (association: 0 nothing, 1 all)."), el("div", { class: "paired" }, el("div", { class: "scroll tall", tabindex: "0", role: "region", "aria-label": "Map of associations" }, picture), list));
}
