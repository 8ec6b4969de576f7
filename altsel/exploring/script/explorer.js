// Put the explorer together, in an element of the root.
const TABS = [["sets", "Sets", setsSection], ["compare", "Compare", compareSection], ["front", "Front", frontSection], ["near", "Near-optimal", nearSection], ["copy", "Copy and save", copySection]];

function showTab(name) {
  state.tab = name;
  for (const [key] of TABS) {
    byId(`tab-${key}`).setAttribute("aria-selected", String(key === name));
    byId(`tab-${key}`).tabIndex = key === name ? 0 : -1;
    byId(`panel-${key}`).hidden = key !== name;
  }
  changed("tab");
}

function tabs() {
  const list = el("div", { class: "tabs", role: "tablist", "aria-label": "Views" });
  const panels = TABS.map(([key, title, make], i) => {
    const tab = button(title, () => showTab(key), { role: "tab", id: `tab-${key}`, "aria-controls": `panel-${key}`, "data-key": `tab ${key}` });
    tab.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const next = TABS[(i + step + TABS.length) % TABS.length][0];
      showTab(next);
      byId(`tab-${next}`).focus();
      event.preventDefault();
    });
    list.append(tab);
    return el("div", { role: "tabpanel", id: `panel-${key}`, "aria-labelledby": `tab-${key}`, hidden: true }, make());
  });
  on("pins", () => { byId("tab-compare").textContent = state.pins.length ? `Compare (${state.pins.length})` : "Compare"; });
  return [list, ...panels];
}

function heading() {
  const facts = [known.rows === null ? null : counted(known.rows, "row"), counted(known.names.length, "feature"), known.dropped ? `${counted(known.dropped, "row")} dropped for missing values` : null, known.held ? `${counted(known.held, "row")} kept apart` : null, known.constant.length ? `${counted(known.constant.length, "constant column")} left out` : null].filter(Boolean);
  return el("header", {}, el("h1", {}, known.target === null ? "Feature sets" : "Feature sets for ", known.target === null ? null : isolated(short(known.target, 60))), el("p", { class: "mute" }, facts.join(", ")));
}

async function begin() {
  const box = byId("explorer");
  box.replaceChildren(el("p", { class: "mute" }, "starting …"));
  const event = await send({ do: "start", settings: {} });
  if (event.fault) { box.replaceChildren(el("p", { class: "bad", role: "alert" }, event.fault.message)); box.dataset.ready = "no"; return; }
  known = event.answer;
  known.names.forEach((name, j) => placesOf.set(name, j));
  for (const [j, others] of Object.entries(known.aliases)) others.forEach((name) => placesOf.set(name, +j));
  state.settings = known.settings;
  state.steps = [{ settings: known.settings, words: "the beginning", slider: null }];
  state.at = 0;
  box.replaceChildren(heading(), el("div", { class: "layout" }, controls(), el("main", { id: "main" }, el("div", { class: "bar top" }, history(), statusLine()), rulesSection(), whySection(), ...tabs())), el("div", { id: "told", class: "unseen", role: "status", "aria-live": "polite" }));
  on("settings", refresh);
  on("answer", () => { box.dataset.shown = String(+(box.dataset.shown || 0) + 1); });
  on("settled", () => { refreshRelevances(); requestAnimationFrame(() => { box.dataset.settled = String(+(box.dataset.settled || 0) + 1); }); });
  box.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" || ["text", "search", "number"].includes(event.target.type)) return;
    goTo(state.at + (event.shiftKey ? 1 : -1));
    event.preventDefault();
  });
  showTab("sets");
  await refresh();
  send({ do: "warm" });
  box.dataset.ready = "yes";
}

begin();
