// How each set does beside set 0, one column a set, one row a test: colours with signs and words.
const VERDICT = { equal: "=", better: "▲", worse: "▼", different: "≠" };

// Ascending numbers, runs joined.
function runs(list) {
  const made = [];
  for (const i of list) if (made.length && made.at(-1)[1] === i - 1) made.at(-1)[1] = i; else made.push([i, i]);
  return made.map(([a, b]) => (b - a > 1 ? `${a}–${b}` : b > a ? `${a}, ${b}` : String(a))).join(", ");
}

function equivalenceSection() {
  const known = data.equivalence;
  if (!known) return null;
  const of = (row) => row[row.length - 2], rows = known.rows.map((row) => [`${row[0]}, ${row[1]}`, ...row.slice(2, -3).map((p) => (p === null ? "not tested" : p)), row[row.length - 3], of(row), row[row.length - 1]]);
  const told = Object.keys(VERDICT).map((one) => [one, known.rows.filter((row) => of(row) === one).map((row) => row[1])]).filter(([, sets]) => sets.length);
  const cell = (sign, kind, title) => el("td", { class: `tile ${kind}`, title, "aria-label": title }, sign);
  const tests = known.tests.map((test, t) => el("tr", {}, el("th", { scope: "row" }, isolated(test)), ...known.rows.map((row, k) => {
    const holds = known.holds[k][t], p = row[2 + t];
    return cell(holds === null ? "?" : holds ? "=" : "≠", holds === null ? "" : holds ? "equal" : "different", `set ${row[1]}: ${p === null ? "not tested" : `p ${number(p, 2)}`}`);
  })));
  const head = el("tr", {}, el("th", { scope: "col" }, "set"), ...known.rows.map((row) => el("th", { scope: "col" }, button(String(row[1]), () => pick(row[1]), { "aria-label": `Show set ${row[1]}` }))));
  const verdicts = el("tr", {}, el("th", { scope: "row" }, "beside set 0"), ...known.rows.map((row) => cell(VERDICT[of(row)], of(row), `set ${row[1]}: ${of(row)}`)));
  const part = known.compared < data.sets.length ? ` Compared were the first ${known.compared} of ${data.sets.length} sets.` : "";
  return section("equivalence", "Which sets are as good as set 0", el("ul", { class: "verdicts" }, ...told.map(([one, sets]) => el("li", {}, el("span", { class: `tile ${one}`, "aria-hidden": "true" }, VERDICT[one]), ` ${one}: ${counted(sets.length, "set")} (${runs(sets)})`))),
    el("p", { class: "mute" }, `${known.meaning}.${part}`),
    el("div", { class: "scroll tiles", tabindex: "0", role: "region", "aria-label": "Verdicts by set and test" }, el("table", {}, el("thead", {}, head), el("tbody", {}, verdicts, ...tests))),
    el("details", { class: "help" }, el("summary", {}, "p and loss of each pair"), el("p", { class: "mute" }, `p${known.corrected ? " by Holm's correction" : ""}, level ${known.alpha}; added loss: of its models less that of set 0's, below 0 it predicts better.`), table(["sets", ...known.tests, "added loss", "beside set 0", "equivalent"], rows, { label: "Tests of equivalence", page: 12 })));
}
