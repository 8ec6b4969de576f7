// Sets as columns of dots, one row a feature (UpSet: Lex et al. 2014): what goes together, and at what score.
const UPSET = { row: 18, step: 14, score: 64, most: 400, features: 60 };

function upset() {
  const side = svg("svg", { class: "upset-side", "aria-hidden": "true" }), picture = svg("svg", { role: "img" });
  const scroll = el("div", { class: "upset-scroll", tabindex: "0", role: "region", "aria-label": "Sets as columns of dots" }, picture), note = el("p", { class: "mute" });
  const features = [...used].sort((a, b) => counts[b] - counts[a] || a - b).slice(0, UPSET.features), place = new Map(features.map((j, r) => [j, r]));
  const scores = data.columns[0].values, high = Math.max(...scores), low = Math.min(...scores), from = low >= 0 && (high === low || low < 0.5 * high) ? 0 : low - (high - low) * 0.15;
  const height = UPSET.score + features.length * UPSET.row + 8, Y = (r) => UPSET.score + r * UPSET.row + UPSET.row / 2;
  const names = features.map((j) => shortened(data.names[j], 132)), left = Math.ceil(Math.max(...names.map((name) => widthOf(name, false)), 30)) + 8;
  let rows = [];
  side.setAttribute("width", left + 46);
  side.setAttribute("height", height);
  side.append(svg("text", { x: left + 42, y: 12, "text-anchor": "end" }, number(high, 3)), svg("text", { x: left + 42, y: UPSET.score - 4, "text-anchor": "end" }, number(from, 3)), svg("text", { x: 0, y: 12 }, "score"));
  features.forEach((j, r) => {
    const width = 40 * counts[j] / data.sets.length;
    side.append(svg("text", { x: left - 6, y: Y(r) + 4, "text-anchor": "end" }, names[r]));
    side.append(svg("rect", { class: counts[j] === data.sets.length ? "share always" : "share", x: left + 42 - width, y: Y(r) - 5, width, height: 10 }));
    side.lastChild.append(svg("title", {}, `${fullName(j)}: in ${counts[j]} of ${counted(data.sets.length, "set")}`));
  });
  const X = (c) => c * UPSET.step + UPSET.step / 2;
  function draw() {
    rows = shownSets().slice(0, UPSET.most);
    const width = Math.max(rows.length * UPSET.step, 1), some = { dots: "", lines: "", bars: "", always: "" };
    rows.forEach((i, c) => {
      const at = data.sets[i].map((j) => place.get(j)).filter((r) => r !== undefined).sort((a, b) => a - b);
      for (const r of at) some[counts[features[r]] === data.sets.length && data.sets.length > 1 ? "always" : "dots"] += `M${X(c)} ${Y(r)}h0`;
      if (at.length > 1) some.lines += `M${X(c)} ${Y(at[0])}V${Y(at.at(-1))}`;
      some.bars += `M${X(c)} ${UPSET.score - 4}v${-Math.max(0.5, (UPSET.score - 8) * (scores[i] - from) / (high - from || 1)).toFixed(1)}`;
    });
    picture.setAttribute("width", width);
    picture.setAttribute("height", height);
    picture.setAttribute("aria-label", `${counted(rows.length, "set")} as columns of dots; the table above has the same`);
    picture.replaceChildren(svg("rect", { class: "chosen-column", x: 0, y: 0, width: UPSET.step, height, visibility: "hidden" }));
    features.forEach((_, r) => picture.append(svg("line", { class: "empty", x1: X(0), x2: X(rows.length - 1) + 0.1, y1: Y(r), y2: Y(r) })));
    picture.append(svg("path", { class: "bars", d: some.bars }), svg("path", { class: "lines", d: some.lines }), svg("path", { class: "dots", d: some.dots }), svg("path", { class: "dots always", d: some.always }));
    const more = shownSets().length - rows.length, other = used.length - features.length;
    note.textContent = [more > 0 ? `the first ${rows.length} sets; filter to see others` : "", other > 0 ? `${counted(other, "rarer feature")} left out` : "", from ? `scores from ${number(from, 3)} on` : ""].filter(Boolean).join("; ");
    mark();
  }
  function mark() {
    const c = rows.indexOf(state.picked), column = picture.firstChild;
    column.setAttribute("visibility", c < 0 ? "hidden" : "visible");
    column.setAttribute("x", c * UPSET.step);
  }
  const setAt = (event) => rows[Math.floor((event.clientX - picture.getBoundingClientRect().left) / UPSET.step)];
  picture.addEventListener("click", (event) => { const i = setAt(event); if (i !== undefined) pick(i); });
  picture.addEventListener("pointermove", (event) => { const i = setAt(event); heat(i === undefined ? null : i); });
  picture.addEventListener("pointerleave", () => heat(null));
  on("filter", draw);
  on("pick", mark);
  draw();
  return el("div", {}, el("div", { class: "upset" }, side, scroll), note);
}

function upsetSection() {
  if (data.sets.length < 2) return null;
  return section("upset", "The same sets side by side", el("p", { class: "mute" }, "A column is a set, its dots are its features, its bar is its score. The bars beside the names: in how many sets a feature is."), upset());
}
