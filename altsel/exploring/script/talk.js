// Questions to the session: one about sets at a time, and what is superseded is stopped.
const PATIENCE = 90; // milliseconds in which most answers are whole
let tickets = 0;
const newTicket = () => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}-${tickets += 1}`;

async function send(message, said = () => {}, ticket = newTicket()) {
  try {
    return await host.ask({ ...message, settings: message.settings || state.settings }, ticket, said);
  } catch (fault) {
    return { fault: { kind: "host", message: String(fault.message || fault) } };
  }
}

// Ask for the sets of the question as it is now.
async function refresh() {
  if (state.asking) {
    if (keyOf(state.asking.settings) !== keyOf(state.settings)) host.stop(state.asking.ticket);
    return;
  }
  const asking = { settings: state.settings, ticket: newTicket(), began: performance.now(), said: null, partial: null };
  const current = () => keyOf(asking.settings) === keyOf(state.settings);
  function partly() { // what there is of an answer that takes longer
    if (state.asking !== asking || !current()) return;
    show(asking.partial, asking);
    changed("asking");
    asking.partial = null;
  }
  state.asking = asking;
  changed("asking");
  const event = await send({ do: "sets", settings: asking.settings }, (said) => {
    if (!current()) return;
    if (!said.sets) { asking.said = said; changed("asking"); return; }
    if (asking.partial === null) setTimeout(partly, Math.max(0, PATIENCE - (performance.now() - asking.began)));
    asking.partial = said;
  }, asking.ticket);
  state.asking = null;
  if (!current()) { refresh(); return; }
  if (event.fault) { [state.fault, state.of] = [event.fault, asking.settings]; changed("fault"); }
  else show({ ...event.answer, took: event.seconds }, asking);
  changed("asking");
  changed("settled");
}

function show(answer, asking) {
  state.fault = null;
  state.answer = { ...answer, waited: (performance.now() - asking.began) / 1000 };
  state.of = asking.settings;
  if (state.picked >= answer.sets.length) state.picked = 0;
  changed("answer");
}

// Ask for something beside the sets; null if it was of another question by then, which stops it.
const besides = new Set();

async function beside(message, said) {
  const key = keyOf(state.settings), ticket = newTicket();
  besides.add(ticket);
  const event = await send(message, said, ticket);
  besides.delete(ticket);
  return key === keyOf(state.settings) ? event : null;
}

on("settings", () => besides.forEach((ticket) => host.stop(ticket)));

async function refreshRelevances() {
  const { objective, measure, seed } = state.settings, key = JSON.stringify([objective, measure, seed]);
  if (state.relevancesOf === key) return;
  state.relevancesOf = key;
  const event = await send({ do: "relevances" });
  if (state.relevancesOf !== key) return;
  if (event.fault) { state.relevancesOf = null; return; }
  state.relevances = event.answer;
  changed("relevances");
}
