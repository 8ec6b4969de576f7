// The question, where it came from, and what is known of it. Whoever shows something listens.
const byId = (id) => root.getElementById(id);
let known = null; // what the session says at its start
let data = null; // names for elements that show features
const state = { settings: null, steps: [], at: -1, answer: null, of: null, asking: null, fault: null, relevances: null, relevancesOf: null, pins: [], picked: 0, tab: "sets", marked: new Set() };
const listeners = {};
const on = (what, action) => (listeners[what] ||= []).push(action);
const changed = (what) => (listeners[what] || []).forEach((action) => action());

const keyOf = (settings) => JSON.stringify(settings);
const same = (a, b) => a.length === b.length && a.every((x, i) => x === b[i]);

// Change the question; `words` say how, for the history. Steps of one slider are one step.
function change(patch, words, slider = null) {
  const next = { ...state.settings, ...patch };
  if (keyOf(next) === keyOf(state.settings)) return;
  const last = state.steps[state.at];
  if (slider && last && last.slider === slider && state.at === state.steps.length - 1) Object.assign(last, { settings: next, words });
  else {
    state.steps = state.steps.slice(0, state.at + 1).concat({ settings: next, words, slider });
    state.at = state.steps.length - 1;
  }
  state.settings = next;
  changed("settings");
}

function goTo(step) {
  if (step < 0 || step >= state.steps.length || step === state.at) return;
  state.at = step;
  state.settings = state.steps[step].settings;
  state.steps.forEach((one) => { one.slider = null; });
  changed("settings");
}

// Rules are those of a file of rules: lists by key.
function withRules(edit) {
  const rules = structuredClone(state.settings.rules);
  edit(rules);
  for (const [key, value] of Object.entries(rules)) if (Array.isArray(value) && !value.length) delete rules[key];
  return { rules };
}

const listed = (key) => state.settings.rules[key] || [];
const isListed = (key, j) => listed(key).some((name) => numbersOf(name).includes(j));

// Places of the feature that goes by a name, which may be that of a copy.
const placesOf = new Map();
const numbersOf = (name) => (placesOf.has(name) ? [placesOf.get(name)] : []);

function setRule(j, key) {
  const name = known.names[j], other = key === "require" ? "forbid" : "require", had = isListed(key, j);
  const without = (list) => (list || []).filter((one) => !numbersOf(one).includes(j));
  change(withRules((rules) => {
    rules[key] = without(rules[key]);
    rules[other] = without(rules[other]);
    if (!had) rules[key].push(name);
  }), had ? `free ${known.shown[j]}` : `${key === "require" ? "must" : "must not"}: ${known.shown[j]}`);
}
