// Put the page together.
const NAMED = {
  study: "The study", summary: "In short", sets: "Sets", "choice-of-sets": "Your choice", upset: "Side by side", relevance: "Relevance", pairs: "Pairs of columns", spread: "Columns by class", equivalence: "As good?", performance: "Models", stability: "Stability", importance: "What is needed",
  substitutions: "What replaces what", front: "Price of difference", msg: "Graph", cards: "Score cards", taxonomy: "Features", sides: "Causes and effects", groups: "Copies", certificate: "Other sets", proof: "Certificate", discarded: "Not returned", request: "The request",
};

// In a frame of another page an address such as #sets would be of that page.
function within(event, part) {
  if (window.location.protocol !== "about:") return;
  event.preventDefault();
  part.scrollIntoView();
}

function heading() {
  const about = [isolated(data.criterion), ...(data.target === null || data.names_target ? [] : [data.proofs.tested ? "; target " : " with ", isolated(data.target)]), data.search ? `; ${data.search}` : ""];
  return [el("h1", { title: data.title }, isolated(data.title)), el("p", { class: "mute" }, ...about), el("p", { class: "mute" }, `Written ${data.date ? `${data.date} ` : ""}by altsel ${data.version}.`)];
}

// On paper all sets in sight are listed, as a window scrolls and paper does not.
function printed() {
  const rows = shownSets().map((i) => el("tr", {}, el("td", { class: "number" }, String(i)), el("td", { class: "number" }, number(data.columns[0].values[i])), el("td", {}, ...featureList(data.sets[i]))));
  const filters = [...byId("chips").children].filter((one) => one.id !== "clear").map((one) => one.textContent.replace(/ ×$/, ""));
  const caption = el("caption", {}, byId("shown").textContent + (filters.length ? `: ${filters.join("; ")}` : ""));
  byId("printed").replaceChildren(el("table", {}, caption, el("thead", {}, el("tr", {}, el("th", {}, "set"), el("th", {}, "score"), el("th", {}, "features"))), el("tbody", {}, ...rows)));
}

byId("head").append(...heading());
const parts = [studySection(), summarySection(), setsSection(), choiceSection(), upsetSection(), relevanceSection(), pairsSection(), spreadSection(), equivalenceSection(), performanceSection(), stabilitySection(), importanceSection(), substitutionsSection(), frontSection(), graphSection(), cardsSection(), taxonomySection(), sidesSection(), groupsSection(), certificateSection(), proofSection(), discardedSection(), requestSection()].filter(Boolean);
byId("head").append(el("nav", { "aria-label": "Parts of this page" }, ...parts.map((one) => el("a", { href: `#${one.id}`, onclick: (event) => within(event, one) }, NAMED[one.id]))));
byId("main").replaceChildren(...parts);
byId("sets").append(el("div", { id: "printed" }));
changed("filter"); // now that it is known how wide the matrix may be
window.addEventListener("beforeprint", printed);
document.documentElement.dataset.ready = "yes";
