// Sets x features: a grid of which only what is in sight is in the document. Where not all fits, values take a share
// of the width before the features, and the others stand behind them.
const ROW = 24, CELL = 24, SPARE = 3, SHARE = 0.4, GAP = 8;

const ruler = el("canvas").getContext("2d");
function widthOf(text, bold) {
  const style = getComputedStyle(document.body);
  ruler.font = `${bold ? "600 " : ""}${style.fontSize} ${style.fontFamily}`;
  return ruler.measureText(text).width;
}

// Names differ at either end, so they are cut in their middle.
function short(name, longest = 40) {
  const letters = [...(name.length > 500 ? name.slice(0, 250) + name.slice(-250) : name)], end = Math.floor((longest - 1) / 3);
  return letters.length <= longest ? name : `${letters.slice(0, longest - 1 - end).join("")}…${end ? letters.slice(-end).join("") : ""}`;
}

// Names that would be cut to the same text are cut around the place where they begin to differ; at last, numbered.
const cuts = new Map();
function apart(longest) {
  if (cuts.has(longest)) return cuts.get(longest);
  const made = new Map(used.map((j) => [data.names[j], short(data.names[j], longest)]));
  const alike = () => {
    const groups = new Map();
    for (const [name, cut] of made) if (groups.has(cut)) groups.get(cut).push(name); else groups.set(cut, [name]);
    return groups;
  };
  for (let round = 0, left = 1; round < 20 && left; round += 1) {
    left = 0;
    for (const group of alike().values()) {
      if (group.length < 2) continue;
      left += 1;
      const letters = group.map((name) => [...name]);
      let place = 0;
      while (letters.every((one) => place < one.length && one[place] === letters[0][place])) place += 1;
      group.forEach((name, k) => made.set(name, around(letters[k], place, longest)));
    }
  }
  let number = 0;
  for (const group of alike().values()) if (group.length > 1) for (const name of group) made.set(name, `${short(name, longest).slice(0, Math.max(longest - 4, 0))}…${number += 1}`);
  cuts.set(longest, made);
  return made;
}

function around(letters, place, longest) {
  const head = Math.floor(longest / 3), room = longest - head - 1;
  const begin = Math.min(place - Math.floor(longest / 6), letters.length - room), cut = (part, size) => (part.length > size ? `${part.slice(0, size - 1).join("")}…` : part.join(""));
  return begin <= head ? cut(letters, longest) : `${letters.slice(0, head).join("")}…${cut(letters.slice(begin), room)}`;
}

// Cut until it fits a width in pixels.
function shortened(name, width) {
  let longest = Math.min([...name].length, 60), shown = apart(longest).get(name);
  while (longest > 4 && widthOf(shown, false) > width) shown = apart(longest -= 1).get(name);
  return shown;
}

function matrix() {
  const longest = Math.max(...used.map((j) => widthOf(short(fullName(j)), false)), 0);
  const headHeight = Math.ceil(Math.min(170, Math.max(72, longest + 14)));
  const box = el("div", { id: "matrix", class: "grid", role: "grid", tabindex: "0", "aria-label": "Sets and features", "aria-multiselectable": "false" });
  const canvas = el("div", { class: "canvas", role: "presentation" });
  const head = el("div", { class: "row head", role: "row", "aria-rowindex": "1" });
  head.style.height = `${headHeight}px`;
  canvas.append(head);
  box.append(canvas);

  const values = [{ title: "set", meaning: "number of the set, in the order of the search", column: null },
    ...shownColumns.map((column) => ({ title: data.columns[column].name, meaning: data.columns[column].meaning, column }))];
  for (const one of values) {
    const texts = one.column === null ? [String(data.sets.length)] : data.columns[one.column].values.map((v) => shownAs(v, data.columns[one.column].form, digits[one.column]));
    const words = one.title.split(" "); // heads wrap, and the arrow follows the last word
    one.width = Math.ceil(Math.min(150, Math.max(widthOf(words.at(-1), true) + 12, ...words.map((w) => widthOf(w, true)), ...texts.map((t) => widthOf(t, false)))) + (one.column !== null && data.columns[one.column].form === "verdict" ? 31 : 15));
  }
  const frozen = Math.min(2, values.length);
  const widthOfValues = (from, to) => values.slice(from, to).reduce((sum, one) => sum + one.width, 0);
  const frozenWidth = widthOfValues(0, frozen);

  let rows = [], features = [], placeOf = new Map(), drawn = new Map(), heads = new Map(), spareRows = [], active = { r: 0, c: 0 }, waiting = false, before = values.length;

  // Columns: values before the features, features, the other values.
  const valueAt = (c) => (c < before ? c : c < before + features.length ? null : c - features.length);
  const columnOf = (v) => (v < before ? v : v + features.length);
  const start = () => widthOfValues(0, before); // of the features
  const left = (c) => {
    const v = valueAt(c);
    if (v === null) return start() + (c - before) * CELL;
    return v < before ? widthOfValues(0, v) : start() + features.length * CELL + GAP + widthOfValues(before, v);
  };
  const width = (c) => (valueAt(c) === null ? CELL : values[valueAt(c)].width);
  const lastColumn = () => values.length + features.length - 1;
  const whole = () => widthOfValues(0, values.length) + features.length * CELL + GAP;

  function thatFit() {
    if (!box.clientWidth || whole() <= box.clientWidth) return values.length;
    let fit = frozen;
    while (fit < values.length && widthOfValues(0, fit + 1) <= SHARE * box.clientWidth) fit += 1;
    return fit;
  }

  const empty = el("div", { role: "gridcell" }); // features that a set lacks have a cell while they are active

  function valueCells(parent, role, fill) {
    const fixed = el("div", { class: "fixed", role: "presentation" });
    fixed.style.width = `${frozenWidth}px`;
    parent.append(fixed);
    return values.map((one, c) => {
      const cell = el("div", { class: "value", role });
      cell.style.width = `${one.width}px`;
      fill(cell, one, c);
      (c < frozen ? fixed : parent).append(cell);
      return cell;
    });
  }

  function placeValues(cells) {
    cells.forEach((cell, v) => {
      cell.column = columnOf(v);
      cell.style.left = `${left(cell.column)}px`;
      cell.setAttribute("aria-colindex", String(cell.column + 1));
    });
  }

  const headValues = valueCells(head, "columnheader", (cell, one) => {
    cell.title = `${one.meaning}; click to sort`;
    cell.append(el("span", {}, one.title), el("span", { class: "arrow", "aria-hidden": "true" }));
  });

  function newRow() {
    const node = el("div", { class: "row", role: "row" });
    const row = { node, set: null, at: null, features: new Map(), spare: [] };
    row.values = valueCells(node, "gridcell", () => {});
    row.track = el("div", { class: "track-of-cells", role: "presentation" });
    node.append(row.track);
    return row;
  }

  function layout() {
    rows = shownSets();
    features = shownFeatures();
    placeOf = new Map(features.map((j, c) => [j, c]));
    active = { r: Math.min(active.r, rows.length), c: Math.min(active.c, lastColumn()) };
    canvas.style.width = `${whole() + GAP}px`;
    canvas.style.height = `${headHeight + rows.length * ROW}px`;
    box.setAttribute("aria-rowcount", String(rows.length + 1));
    box.setAttribute("aria-colcount", String(lastColumn() + 1));
    before = thatFit();
    placeValues(headValues);
    for (const row of drawn.values()) { row.node.remove(); spareRows.push(row); }
    drawn = new Map();
    for (const cell of heads.values()) cell.remove();
    heads = new Map();
    for (const [c, cell] of headValues.entries()) {
      const mine = values[c].column === state.sort && (c > 0 || state.down);
      cell.setAttribute("aria-sort", mine ? (state.down ? "descending" : "ascending") : "none");
      cell.lastChild.textContent = mine ? (state.down ? " ▼" : " ▲") : "";
    }
    paint();
  }

  function paint() {
    waiting = false;
    const first = Math.max(0, Math.floor(box.scrollTop / ROW) - SPARE);
    const last = Math.min(rows.length, Math.ceil((box.scrollTop + box.clientHeight - headHeight) / ROW) + SPARE);
    const from = Math.max(0, Math.floor((box.scrollLeft + frozenWidth - start()) / CELL) - SPARE);
    const to = Math.min(features.length, Math.ceil((box.scrollLeft + box.clientWidth - start()) / CELL) + SPARE);
    paintHead(from, to);
    for (const [r, row] of drawn) if (r < first || r >= last) { row.node.remove(); drawn.delete(r); spareRows.push(row); }
    for (let r = first; r < last; r += 1) paintRow(r, from, to);
    markActive();
  }

  function paintHead(from, to) {
    for (const [c, cell] of heads) if (c < from || c >= to) { cell.remove(); heads.delete(c); }
    for (let c = from; c < to; c += 1) {
      if (heads.has(c)) continue;
      const j = features[c], wanted = state.want.get(j);
      const told = wanted === undefined ? "" : wanted ? ", required" : ", ruled out";
      const cell = el("div", { class: `feature${wanted === undefined ? "" : wanted ? " with" : " without"}`, role: "columnheader", "aria-colindex": String(before + c + 1),
        "aria-label": `${fullName(j)}, in ${counts[j]} of ${counted(data.sets.length, "set")}${told}`, title: `${fullName(j)}\nin ${counts[j]} of ${counted(data.sets.length, "set")}; click: with it, without it, either` });
      cell.append(el("span", { class: "turned" }, isolated(shortened(data.names[j], headHeight - 14 - (data.members[j] ? 30 : 0))), data.members[j] ? el("span", { class: "more" }, ` +${data.members[j].length}`) : ""));
      cell.style.left = `${left(before + c)}px`;
      cell.column = before + c;
      heads.set(c, cell);
      head.append(cell);
    }
  }

  function paintRow(r, from, to) {
    let row = drawn.get(r);
    if (!row) {
      row = spareRows.pop() || newRow();
      drawn.set(r, row);
      fillRow(row, r);
      canvas.append(row.node);
    }
    for (const [c, cell] of row.features) if (c < from || c >= to) { cell.remove(); row.features.delete(c); row.spare.push(cell); }
    for (const j of data.sets[row.set]) {
      const c = placeOf.get(j);
      if (c === undefined || c < from || c >= to || row.features.has(c)) continue;
      const cell = row.spare.pop() || el("div", { role: "gridcell" });
      fillCell(cell, row.set, c);
      row.features.set(c, cell);
      row.node.append(cell);
    }
  }

  function fillRow(row, r) {
    const i = rows[r];
    row.set = i;
    row.node.set = i;
    placeValues(row.values);
    row.track.style.left = `${start()}px`;
    row.track.style.width = `${features.length * CELL}px`;
    row.node.style.top = `${headHeight + r * ROW}px`;
    row.node.setAttribute("aria-rowindex", String(r + 2));
    row.values.forEach((cell, c) => {
      const one = values[c].column === null ? null : data.columns[values[c].column];
      cell.textContent = one ? shownAs(one.values[i], one.form, digits[values[c].column]) : String(i);
      cell.className = `value${one && (one.form === "text" || one.form === "verdict") ? " words" : ""}${one && one.form === "verdict" && one.values[i] ? ` verdict ${one.values[i]}` : ""}`;
    });
    for (const cell of row.features.values()) { cell.remove(); row.spare.push(cell); }
    row.features.clear();
    mark(row);
  }

  function fillCell(cell, i, c) {
    const j = features[c], inside = held[i].has(j);
    cell.className = inside ? (counts[j] === data.sets.length && data.sets.length > 1 ? "in all" : "in") : "out";
    cell.setAttribute("aria-label", `${data.names[j]}: ${inside ? "in" : "not in"} set ${i}`);
    cell.setAttribute("aria-colindex", String(before + c + 1));
    cell.style.left = `${left(before + c)}px`;
    cell.column = before + c;
  }

  function mark(row) {
    row.node.classList.toggle("picked", row.set === state.picked);
    row.node.setAttribute("aria-selected", String(row.set === state.picked));
    row.node.classList.toggle("pinned", choice.has(row.set));
    row.node.classList.toggle("hot", state.hot !== null && isHot(row.set));
  }

  function cellAt(r, c) {
    const v = valueAt(c), row = drawn.get(r - 1);
    if (r === 0) return v === null ? heads.get(c - before) : headValues[v];
    if (!row || v !== null) return row && row.values[v];
    if (row.features.has(c - before)) return row.features.get(c - before);
    fillCell(empty, row.set, c - before);
    row.node.append(empty);
    return empty;
  }

  function markActive() {
    const last = byId("active-cell");
    empty.remove();
    const now = cellAt(active.r, active.c);
    if (last && last !== now) last.removeAttribute("id");
    if (now) now.id = "active-cell";
    if (now) box.setAttribute("aria-activedescendant", "active-cell");
    else box.removeAttribute("aria-activedescendant");
  }

  function reveal() {
    const { r, c } = active;
    const space = box.clientHeight - headHeight;
    if (r > 0 && (r - 1) * ROW < box.scrollTop) box.scrollTop = (r - 1) * ROW;
    if (r > 0 && r * ROW > box.scrollTop + space) box.scrollTop = r * ROW - space;
    if (c >= frozen && left(c) < box.scrollLeft + frozenWidth) box.scrollLeft = left(c) - frozenWidth;
    if (c >= frozen && left(c) + width(c) > box.scrollLeft + box.clientWidth) box.scrollLeft = left(c) + width(c) - box.clientWidth;
    paint();
  }

  function act(r, c) {
    if (r === 0 && valueAt(c) !== null) sortBy(values[valueAt(c)].column);
    else if (r === 0) turn(features[c - before]);
    else pick(rows[r - 1]);
  }

  function place(event) {
    const cell = event.target.closest("[aria-colindex]");
    const row = event.target.closest(".row");
    if (!row || (row === head && !cell)) return null;
    const past = Math.floor((event.clientX - canvas.getBoundingClientRect().left - start()) / CELL);
    const c = cell ? cell.column : before + Math.max(0, Math.min(features.length - 1, past));
    return { r: row === head ? 0 : Number(row.getAttribute("aria-rowindex")) - 1, c };
  }

  box.addEventListener("click", (event) => {
    const at = place(event);
    if (!at) return;
    active = at;
    act(at.r, at.c);
    markActive();
  });
  box.addEventListener("keydown", (event) => {
    const page = Math.max(1, Math.floor((box.clientHeight - headHeight) / ROW) - 1);
    const lastRow = rows.length;
    const far = event.ctrlKey || event.metaKey;
    const moves = {
      ArrowUp: [far ? 0 : active.r - 1, active.c], ArrowDown: [far ? lastRow : active.r + 1, active.c],
      ArrowLeft: [active.r, active.c - 1], ArrowRight: [active.r, active.c + 1],
      PageUp: [active.r - page, active.c], PageDown: [active.r + page, active.c],
      Home: [far ? 0 : active.r, 0], End: [far ? lastRow : active.r, lastColumn()],
    };
    if (event.key === "Enter" || event.key === " ") act(active.r, active.c);
    else if (event.key === "p" && !far && active.r > 0) pin(rows[active.r - 1]);
    else if (moves[event.key]) {
      const [r, c] = moves[event.key];
      active = { r: Math.max(0, Math.min(lastRow, r)), c: Math.max(0, Math.min(lastColumn(), c)) };
      heat(active.r > 0 ? rows[active.r - 1] : null);
      reveal();
    } else return;
    event.preventDefault();
  });
  box.addEventListener("pointerover", (event) => {
    const row = event.target.closest(".row");
    heat(row && row !== head ? row.set : null);
  });
  box.addEventListener("pointerleave", () => heat(null));
  box.addEventListener("blur", () => heat(null));
  box.addEventListener("scroll", () => {
    if (!waiting) { waiting = true; requestAnimationFrame(paint); }
  });
  new ResizeObserver(() => (thatFit() === before ? paint() : layout())).observe(box);
  on("filter", layout);
  on("pick", () => drawn.forEach(mark));
  on("choice", () => drawn.forEach(mark));
  on("hot", () => drawn.forEach(mark));
  layout();
  return box;
}

// What can be set, and what is in force.
function toolbar() {
  const find = el("input", { id: "find", type: "search", placeholder: "find a feature", "aria-label": "Find a feature", "aria-controls": "matrix" });
  find.addEventListener("input", () => { state.text = find.value.trim().toLowerCase(); changed("filter"); });
  const order = el("select", { id: "order", "aria-label": "Order of the features" },
    el("option", { value: "share" }, "by number of sets"), el("option", { value: "data" }, "as in the data"), el("option", { value: "name" }, "by name"));
  order.addEventListener("change", () => { state.order = order.value; changed("filter"); });
  const sort = el("select", { id: "sort", "aria-label": "Order of the sets" }, el("option", { value: "" }, "as found"), ...shownColumns.map((c) => el("option", { value: String(c) }, `by ${data.columns[c].name}`)));
  sort.addEventListener("change", () => { state.sort = null; state.down = false; if (sort.value) sortBy(Number(sort.value)); else changed("filter"); });
  const pinned = el("input", { id: "only-pinned", type: "checkbox", "aria-label": "Only pinned sets" }), only = el("label", {}, pinned, " only pinned");
  pinned.addEventListener("change", () => { state.pinned = pinned.checked; changed("filter"); });
  const chips = el("span", { id: "chips", class: "chips" });
  const shown = el("span", { id: "shown", class: "mute" });
  function refresh() {
    const now = shownSets().length;
    if (find.value.trim().toLowerCase() !== state.text) find.value = state.text;
    sort.value = state.sort === null ? "" : String(state.sort);
    pinned.checked = state.pinned;
    only.hidden = !choice.size;
    const columns = state.text ? `, ${shownFeatures().length} of ${counted(used.length, "feature")}` : "";
    shown.textContent = `${now} of ${counted(data.sets.length, "set")}${columns}`;
    chips.replaceChildren();
    for (const [j, wanted] of state.want) {
      const word = wanted ? "with" : "without";
      chips.append(button("", () => { state.want.delete(j); changed("filter"); }, { class: `chip ${word}`, "aria-label": `Remove the filter: ${word} ${data.names[j]}` }));
      chips.lastChild.append(`${word} `, isolated(data.names[j]), " ×");
    }
    if (state.through) chips.append(button(`through one box of the graph ×`, () => { state.through = null; changed("filter"); }, { class: "chip", "aria-label": "Remove the filter: through one box of the graph" }));
    if (chips.childElementCount > 1) chips.append(button("all sets", clearFilters, { id: "clear" }));
    tell(shown.textContent);
  }
  on("filter", refresh);
  refresh();
  return el("div", { class: "bar" }, find, el("label", {}, "features ", order), el("label", {}, "sets ", sort), only, shown, chips);
}
