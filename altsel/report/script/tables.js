// Plain tables: sorted by a click on a head, a page of rows at a time.
function cellOf(value) {
  if (value === null || value === undefined) return el("td", {});
  if (typeof value === "number") return el("td", { class: "number" }, number(value, 3));
  if (typeof value === "string") return el("td", {}, isolated(value));
  if (value.node) return el("td", { class: value.names ? "names" : "plain" }, value.node());
  if (value.f) return el("td", { class: "names" }, ...featureList(value.f));
  return el("td", { class: "number" }, "p" in value ? pOf(value.p) : share(value.share));
}

function keyOf(value) {
  if (value === null || value === undefined) return null;
  if (typeof value !== "object") return value;
  if (value.f) return value.f.map((j) => data.names[j] ?? j).join(", ");
  return value.key ?? value.p ?? value.share ?? null;
}

function table(head, rows, { label, page = 20, filter = false } = {}) {
  let shown = page, sorted = null, down = false, text = "";
  const body = el("tbody"), more = el("div", { class: "bar" });
  const heads = head.map((name, c) => {
    const turnedBy = button(name, () => { [sorted, down] = [c, sorted === c && !down]; refresh(); });
    return el("th", { scope: "col", "aria-sort": "none" }, turnedBy);
  });
  function kept() {
    const words = (row) => row.map((v) => (v && v.f ? v.f.map((j) => (typeof j === "number" ? fullName(j) : j)).join(" ") : typeof v === "string" ? v : "")).join(" ").toLowerCase();
    const left = text ? rows.filter((row) => words(row).includes(text)) : rows.slice();
    if (sorted === null) return left;
    const compare = new Intl.Collator(undefined, { numeric: true }).compare;
    return left.sort((a, b) => {
      const [x, y] = [keyOf(a[sorted]), keyOf(b[sorted])];
      if (x === null || y === null) return (x === null) - (y === null);
      return (typeof x === "number" && typeof y === "number" ? x - y : compare(String(x), String(y))) * (down ? -1 : 1);
    });
  }
  function refresh() {
    const left = kept();
    heads.forEach((th, c) => th.setAttribute("aria-sort", c !== sorted ? "none" : down ? "descending" : "ascending"));
    body.replaceChildren(...left.slice(0, shown).map((row) => el("tr", row.on || {}, ...row.map(cellOf))));
    more.replaceChildren();
    if (left.length > shown) more.append(el("span", { class: "mute" }, `${shown} of ${left.length}`), button("show more", () => { shown += 200; refresh(); }));
  }
  const made = el("div", { class: "tabled" });
  if (filter) {
    const find = el("input", { type: "search", placeholder: "find a feature", "aria-label": `Find a feature: ${label}` });
    find.addEventListener("input", () => { text = find.value.trim().toLowerCase(); refresh(); tell(counted(kept().length, "row")); });
    made.append(el("div", { class: "bar" }, find));
  }
  made.append(el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label }, el("table", {}, el("thead", {}, el("tr", {}, ...heads)), body)), more);
  refresh();
  return made;
}
