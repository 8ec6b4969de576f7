// Rules as chips, and forms for those that are more than one feature.
const WORDS = { at_most: "at most", at_least: "at least", exactly: "exactly", all_or_none: "all or none of", mutually_exclusive: "at most one of", in_at_most: "in at most so many sets" };

function chips() {
  const box = el("div", { id: "chips", role: "list", "aria-label": "Rules" });
  function refresh() {
    keepingFocus(() => {
      box.replaceChildren();
      for (const words of known.kept_rules) box.append(el("span", { class: "chip kept", role: "listitem" }, isolated(words)));
      for (const [key, value] of Object.entries(state.settings.rules)) {
        const entries = Array.isArray(value) ? value : [value];
        entries.forEach((entry, place) => box.append(el("span", { role: "listitem" }, chip(key, place, entry))));
      }
      if (!box.childElementCount) box.append(el("span", { class: "mute", role: "listitem" }, "no rules: click must or must not beside a feature"));
    });
  }
  on("settings", refresh);
  refresh();
  return box;
}

function chip(key, place, entry) {
  const words = wordsOf(key, entry), kind = key === "require" ? "must" : key === "forbid" ? "mustnot" : "";
  return el("button", { type: "button", class: `chip ${kind}`, "data-key": `chip ${key} ${place}`, "aria-label": `Leave out the rule: ${words}`, title: words, onclick: () => dropRule(key, place, words) }, isolated(short(words, 60)), " ×");
}

const shownName = (name) => (numbersOf(name).length ? known.shown[numbersOf(name)[0]] : name);
const few = (names) => names.slice(0, 4).map(shownName).join(", ") + (names.length > 4 ? ` and ${names.length - 4} more` : "");

function wordsOf(key, entry) {
  if (key === "require") return `must: ${shownName(entry)}`;
  if (key === "forbid") return `must not: ${shownName(entry)}`;
  if (key === "budget") return `budget of ${entry.limit} (${counted(Object.values(entry.cost || {}).filter((cost) => cost !== entry.other).length, "price")})`;
  if (key === "proxy_limit") return `dependence of at most ${entry.limit}`;
  if (key === "minimum_quality") return `score of at least ${entry}`;
  if (key === "implies") return `${shownName(entry.if)} brings ${few(entry.then)}`;
  if (Array.isArray(entry)) return `${WORDS[key]} ${few(entry)}`;
  if (key === "in_at_most") return `${few(entry.of)} in at most ${counted(entry.number, "set")}`;
  return `${WORDS[key]} ${entry.number} of ${few(entry.of)}`;
}

function dropRule(key, place, words) {
  change(withRules((rules) => { if (Array.isArray(rules[key])) rules[key].splice(place, 1); else delete rules[key]; }), `without: ${words}`);
}

// A group is made of the features that are marked in the table.
function groupForm() {
  const kind = el("select", { "aria-label": "Kind of rule", "data-key": "group kind" }, ...Object.entries(WORDS).map(([key, words]) => el("option", { value: key }, words)));
  const count = el("input", { type: "number", min: 0, value: 1, step: 1, "aria-label": "How many", "data-key": "group number", inputmode: "numeric" });
  const told = el("span", { class: "mute" });
  const add = button("add the rule", () => {
    const names = [...state.marked].sort((a, b) => a - b).map((j) => known.names[j]), key = kind.value, plain = key === "all_or_none" || key === "mutually_exclusive";
    const entry = plain ? names : { number: Math.max(0, Math.round(+count.value)), of: names };
    state.marked.clear();
    change(withRules((rules) => { rules[key] = [...(rules[key] || []), entry]; }), wordsOf(key, entry));
    changed("marked");
  }, { "data-key": "group add" });
  const clear = button("unmark all", () => { state.marked.clear(); changed("marked"); }, { "data-key": "group clear" });
  const refresh = () => {
    count.hidden = kind.value === "all_or_none" || kind.value === "mutually_exclusive";
    told.textContent = state.marked.size ? `${counted(state.marked.size, "feature")} marked` : "mark features in the table";
    add.disabled = clear.disabled = !state.marked.size;
  };
  kind.addEventListener("change", refresh);
  on("marked", refresh);
  refresh();
  return el("div", { class: "form" }, el("span", { class: "label" }, "group"), kind, count, told, add, clear);
}

// One budget, whose prices are typed in the table.
function budgetForm() {
  const limit = el("input", { type: "number", min: 0, step: "any", "aria-label": "Budget", placeholder: "none", "data-key": "budget limit", inputmode: "decimal" });
  const other = el("input", { type: "number", min: 0, step: "any", "aria-label": "Cost of features without a price", "data-key": "budget other", inputmode: "decimal" });
  const set = () => {
    if (limit.value === "") { if (budget()) dropRule("budget", 0, "budget"); return; }
    const now = budget() || { cost: {}, other: 1 };
    const next = priced({ ...now, limit: +limit.value, other: other.value === "" ? 0 : +other.value });
    change(withRules((rules) => { rules.budget = [next, ...(rules.budget || []).slice(1)]; }), `budget ${limit.value}`, "budget");
  };
  limit.addEventListener("change", set);
  other.addEventListener("change", () => { if (budget()) set(); });
  const refresh = () => {
    const now = budget();
    limit.value = now ? String(now.limit) : "";
    other.value = now ? String(now.other ?? 0) : "1";
  };
  on("settings", refresh);
  refresh();
  return el("div", { class: "form" }, el("label", {}, el("span", { class: "label" }, "budget"), limit), el("label", {}, el("span", { class: "label" }, "others cost"), other), el("span", { class: "mute" }, "prices: in the table, once there is a budget"));
}

// A budget needs a price: that of the first feature, if there is none but what all others cost.
function priced(one) {
  const own = Object.entries(one.cost || {}).filter(([, cost]) => cost !== one.other);
  return { ...one, cost: Object.fromEntries(own.length ? own : [[known.names[0], one.other]]) };
}

const budget = () => (state.settings.rules.budget || [])[0] || null;

function priceOf(j) {
  const now = budget(), name = known.names[j];
  return now && Object.hasOwn(now.cost || {}, name) && now.cost[name] !== now.other ? now.cost[name] : null;
}

function setPrice(j, text) {
  const name = known.names[j];
  change(withRules((rules) => {
    const cost = Object.entries(rules.budget[0].cost || {}).filter(([one]) => one !== name);
    if (text !== "") cost.push([name, +text]);
    rules.budget[0] = priced({ ...rules.budget[0], cost: Object.fromEntries(cost) });
  }), text === "" ? `no price: ${known.shown[j]}` : `${known.shown[j]} costs ${text}`);
}

function qualityForm() {
  const least = el("input", { type: "number", step: "any", "aria-label": "Least score", placeholder: "none", "data-key": "quality", inputmode: "decimal" });
  least.addEventListener("change", () => change(withRules((rules) => { if (least.value === "") delete rules.minimum_quality; else rules.minimum_quality = +least.value; }), least.value === "" ? "no least score" : `score of at least ${least.value}`));
  const refresh = () => { least.value = state.settings.rules.minimum_quality === undefined ? "" : String(state.settings.rules.minimum_quality); };
  on("settings", refresh);
  refresh();
  return el("div", { class: "form" }, el("label", {}, el("span", { class: "label" }, "least score"), least));
}

function rulesSection() {
  const more = el("details", { id: "more-rules" }, el("summary", { "data-key": "more rules" }, "budget, groups, least score"), budgetForm(), groupForm(), qualityForm());
  more.addEventListener("toggle", () => changed("marked"));
  return el("section", { id: "rules", "aria-label": "Rules" }, chips(), more);
}
