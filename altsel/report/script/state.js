// What is shown: filters, order and the picked set. Whoever shows it listens.
const data = JSON.parse(byId("data").textContent);
const held = data.sets.map((features) => new Set(features));
const counts = new Array(data.names.length).fill(0);
for (const features of data.sets) for (const j of features) counts[j] += 1;
const used = counts.flatMap((count, j) => (count ? [j] : []));

// Numbers that are the same for all sets are said once; the score stays. The others have three digits, more where sets would look alike.
const shownColumns = data.columns.flatMap((one, c) => (c === 0 || data.sets.length < 2 || new Set(one.values).size > 1 ? [c] : []));
const digits = data.columns.map((one) => {
  const distinct = [...new Set(one.values.filter((value) => typeof value === "number"))];
  return [3, 4, 5].find((d) => 2 * new Set(distinct.map((value) => number(value, d))).size >= distinct.length) || 6;
});

let whole = null;
// The solutions as JSON, read only when something of them is shown.
function solutions() {
  whole = whole || JSON.parse(byId("found").textContent);
  return whole;
}

const state = { want: new Map(), text: "", order: "share", sort: null, down: false, through: null, picked: data.sets.length ? 0 : null, hot: null, pinned: false };
const listeners = { filter: [], pick: [], hot: [], choice: [] };
const on = (what, action) => listeners[what].push(action);
const changed = (what) => listeners[what].forEach((action) => action());

function passes(i) {
  if (!state.through) return true;
  const [node, alternative] = state.through;
  return data.paths[i].some(([n, a]) => n === node && (alternative === null || a === alternative));
}

function kept(i) {
  if (state.pinned && !choice.has(i)) return false;
  for (const [j, wanted] of state.want) if (held[i].has(j) !== wanted) return false;
  return passes(i);
}

function shownSets() {
  const rows = data.sets.map((_, i) => i).filter(kept);
  if (state.sort === null) return state.down ? rows.reverse() : rows;
  const values = data.columns[state.sort].values;
  const sign = state.down ? -1 : 1;
  return rows.sort((a, b) => {
    const [x, y] = [values[a], values[b]];
    if (x === y) return a - b;
    if (x === null) return 1;
    if (y === null) return -1;
    return (x < y ? -1 : 1) * sign;
  });
}

function matches(j) {
  if (!state.text) return true;
  return [data.names[j], ...(data.members[j] || [])].some((name) => name.toLowerCase().includes(state.text));
}

function shownFeatures() {
  const columns = used.filter((j) => matches(j) || state.want.has(j));
  const compare = new Intl.Collator(undefined, { numeric: true }).compare;
  if (state.order === "share") columns.sort((a, b) => counts[b] - counts[a] || a - b);
  if (state.order === "name") columns.sort((a, b) => compare(data.names[a], data.names[b]));
  return columns;
}

// With a feature, without it, either.
function turn(j) {
  if (!state.want.has(j)) state.want.set(j, true);
  else if (state.want.get(j)) state.want.set(j, false);
  else state.want.delete(j);
  changed("filter");
}

function sortBy(column) {
  const first = column !== null && data.columns[column].form !== "text"; // numbers: the largest first
  if (state.sort !== column) [state.sort, state.down] = [column, first];
  else if (state.down === first) state.down = !first;
  else [state.sort, state.down] = [null, false];
  changed("filter");
}

function throughNode(node, alternative) {
  const same = state.through && state.through[0] === node && state.through[1] === alternative;
  state.through = same ? null : [node, alternative];
  changed("filter");
}

function clearFilters() {
  state.want.clear();
  state.through = null;
  state.text = "";
  state.pinned = false;
  changed("filter");
}

function pick(i) {
  state.picked = i;
  changed("pick");
}

// One set, or a predicate of sets, that the pointer or the focus is on; null for none.
function heat(what) {
  if (state.hot === what) return;
  state.hot = what;
  changed("hot");
}

const isHot = (i) => (typeof state.hot === "function" ? state.hot(i) : state.hot === i);
