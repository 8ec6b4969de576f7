// How the answer stands: what is proved, how long it took, how far it is; and why there is none.
function statusLine() {
  const line = el("div", { id: "status" });
  const stop = button("stop", () => { if (state.asking) host.stop(state.asking.ticket); }, { id: "stop", "data-key": "stop" });
  let timer = 0;
  function refresh() {
    clearInterval(timer);
    const now = state.answer, asking = state.asking;
    stop.hidden = !asking;
    line.replaceChildren();
    if (state.fault) { line.append(el("span", { class: "bad", role: "alert" }, state.fault.message)); return; }
    if (asking) { timer = setInterval(running, 200); running(); return; }
    if (!now) return;
    const proved = now.sets.filter((one) => one.proof === "optimal").length;
    const words = now.sets.length === 0 ? "no set" : proved === now.sets.length ? `${counted(now.sets.length, "set")}, ${now.sets.length === 1 ? "proved optimal" : "all proved optimal"}` : `${counted(now.sets.length, "set")}, ${proved} proved optimal`;
    line.append(el("strong", { class: proved === now.sets.length && now.stop !== "interrupt" && now.stop !== "time" ? "good" : "open" }, words), ` – ${now.ended}; ${seconds(now.took)}`);
    tell(line.textContent);
  }
  // What is known while an answer is under way; nothing moves in the first moments, as most are there by then.
  function running() {
    const asking = state.asking;
    if (!asking) return;
    const passed = (performance.now() - asking.began) / 1000, said = asking.said;
    if (passed < 0.3) return;
    const here = state.of && keyOf(state.of) === keyOf(asking.settings) && state.answer ? `${counted(state.answer.sets.length, "set")} until now; ` : "";
    const gap = said && said.bound !== undefined && said.best ? ` gap ${share(Math.max(0, said.bound - said.best) / Math.abs(said.best))};` : "";
    line.replaceChildren(el("span", { class: "open" }, `${here}searching, ${seconds(passed)};${gap} `), el("span", { class: "mute" }, said ? said.message : ""));
  }
  on("asking", refresh);
  on("answer", refresh);
  return el("div", { class: "status" }, line, stop);
}

const seconds = (value) => (value === null || value === undefined ? "" : value < 1 ? `${Math.round(1000 * value)} ms` : `${number(value, 3)} s`);

// Fewer sets than were wanted: why, and what would do, each by one click.
function whySection() {
  const box = el("section", { id: "why", "aria-label": "Why there is no further set", hidden: true });
  async function refresh() {
    const now = state.answer;
    box.hidden = true;
    if (!now || now.stop !== "infeasible") return;
    box.hidden = false;
    box.replaceChildren(el("p", { class: "mute" }, "Why is there no further set? …"));
    for (const repairs of [false, true]) { // the conflict is there sooner than what would do
      const event = await beside({ do: "why", repairs });
      if (event === null || state.answer.stop !== "infeasible") return;
      if (event.fault) { box.replaceChildren(el("p", { class: "bad" }, event.fault.message)); return; }
      keepingFocus(() => explained(event.answer, now.rules || [], repairs));
      if (!event.answer.conflict.length) break;
    }
    changed("why");
  }
  function explained(why, parts, sought) {
    box.replaceChildren(el("h2", {}, why.conflict.length ? `There is ${why.what}` : "It was not found out why there is no further set"));
    if (why.conflict.length) {
      box.append(el("p", {}, why.conflict.length === 1 ? "This condition alone cannot hold:" : `These conditions cannot hold together${why.irreducible ? ", and each of them is needed for the conflict" : ""}:`));
      box.append(el("ul", {}, ...why.conflict.map((one) => {
        const part = one.rule === null ? null : parts[one.rule];
        return el("li", {}, isolated(part ? wordsOf(part.key, ruleAt(part)) : one.words), part ? button("leave it out", () => dropRule(part.key, part.place, wordsOf(part.key, ruleAt(part))), { "data-key": `leave ${part.key} ${part.place}` }) : null);
      })));
    }
    if (why.repairs.length) box.append(el("p", {}, "Proved to help: ", ...why.repairs.map((one) => button(one.words, () => repair(one), { class: "repair", "data-key": `repair ${one.name}` }))));
    else if (why.conflict.length) box.append(el("p", { class: "mute" }, sought ? "No other size, difference or number of alternatives was found that would do." : "Looking for what would do …"));
  }
  on("settled", refresh);
  on("settings", () => { box.hidden = true; });
  return box;
}

function ruleAt(part) {
  const value = state.settings.rules[part.key];
  return Array.isArray(value) ? value[part.place] : value;
}

function repair(one) {
  if (one.name === "k") change({ smallest: one.value, largest: one.value }, one.words);
  else if (one.name === "tau") change({ tau: one.value }, one.words);
  else change({ alternatives: one.value }, one.words);
}
