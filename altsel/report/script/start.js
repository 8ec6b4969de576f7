// Put the page together.
function heading() {
  const always = used.filter((j) => counts[j] === data.sets.length).length;
  const best = data.columns[0].values.length ? Math.max(...data.columns[0].values) : null;
  const proved = data.columns.find((one) => one.name === "proof").values.filter((p) => p === "optimal").length;
  const facts = el("ul", { class: "facts" });
  const fact = (text, title) => facts.append(el("li", title ? { title } : {}, text));
  fact(counted(data.sets.length, "set"));
  fact(`${used.length} of ${counted(data.names.length, "feature")} used${data.sets.length > 1 ? `, ${always} in all sets` : ""}`);
  if (best !== null) fact(`largest score ${number(best)}`);
  if (proved) fact(proved === data.sets.length ? "all proved optimal" : `${proved} proved optimal`, data.proofs.optimal);
  if (data.proof && data.proof.verified) facts.append(el("li", { title: data.proof.last }, mark(true, "certificate verified")));
  fact(`stop: ${data.stop} – ${data.ended}`);
  fact(data.cost);
  return [el("h1", { title: data.title }, isolated(data.title)), el("p", { class: "mute" }, isolated(data.criterion), ...(data.target === null || data.names_target ? [] : [data.proofs.tested ? "; target " : " with ", isolated(data.target)]), data.search ? `; ${data.search}` : ""), facts];
}

// On paper all sets in sight are listed, as a window scrolls and paper does not.
function printed() {
  const rows = shownSets().map((i) => el("tr", {}, el("td", { class: "number" }, String(i)), el("td", { class: "number" }, number(data.columns[0].values[i])), el("td", {}, ...featureList(data.sets[i]))));
  const filters = [...byId("chips").children].filter((one) => one.id !== "clear").map((one) => one.textContent.replace(/ ×$/, ""));
  const caption = el("caption", {}, byId("shown").textContent + (filters.length ? `: ${filters.join("; ")}` : ""));
  byId("printed").replaceChildren(el("table", {}, caption, el("thead", {}, el("tr", {}, el("th", {}, "set"), el("th", {}, "score"), el("th", {}, "features"))), el("tbody", {}, ...rows)));
}

byId("head").append(...heading());
const parts = [setsSection(), graphSection(), importanceSection(), cardsSection(), substitutionsSection(), frontSection(), performanceSection(), stabilitySection(), equivalenceSection(), taxonomySection(), groupsSection(), certificateSection(), proofSection(), discardedSection(), requestSection()].filter(Boolean);
byId("head").append(el("nav", { "aria-label": "Parts of this page" }, ...parts.map((one) => el("a", { href: `#${one.id}` }, one.firstChild.textContent))));
byId("main").replaceChildren(...parts);
parts[0].append(el("div", { id: "printed" }));
changed("filter"); // now that it is known how wide the matrix may be
window.addEventListener("beforeprint", printed);
document.documentElement.dataset.ready = "yes";
