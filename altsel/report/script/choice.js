// What a reader chooses: pinned sets and a comment on each, kept in this page until they are saved.
const choice = new Map((JSON.parse(byId("choice").textContent) || []).map((one) => [one.set, one.comment]));
let unsaved = false;

function chosen() {
  const names = data.file === "found.json" ? (i) => solutions().sets[i].features : (i) => data.sets[i].map((j) => data.names[j]);
  return [...choice.keys()].sort((a, b) => a - b).map((i) => ({ set: i, features: names(i), score: data.columns[0].values[i], comment: choice.get(i) }));
}

function pin(i) {
  if (choice.has(i)) choice.delete(i);
  else choice.set(i, "");
  unsaved = true;
  tell(`set ${i} ${choice.has(i) ? "pinned" : "no longer pinned"}`);
  if (state.pinned && !choice.size) state.pinned = false;
  changed("choice");
  changed("filter");
}

function comment(i, text) {
  if (!choice.has(i)) { choice.set(i, ""); changed("choice"); }
  choice.set(i, text);
  unsaved = true;
}

// This page as it was written, with the choice in it: its script and style stay the same letter by letter.
function copyOfPage() {
  const copy = document.documentElement.cloneNode(true), part = (id) => copy.querySelector(`#${id}`);
  copy.removeAttribute("data-ready");
  for (const id of ["head", "main", "told"]) part(id).replaceChildren();
  part("choice").textContent = JSON.stringify(chosen().map(({ set, comment }) => ({ set, comment }))).replace(/[<>&\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return `<!DOCTYPE html>\n${copy.outerHTML}\n`;
}

function save(name, text, type) {
  const link = el("a", { download: name, href: URL.createObjectURL(new Blob([text], { type })) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

function saveChoice() {
  const about = { title: data.title, target: data.target, criterion: data.criterion, altsel: data.version, sets: chosen() };
  save("choice.json", JSON.stringify(about, null, 2), "application/json");
  unsaved = false;
  changed("choice");
}

function choiceSection() {
  if (!data.sets.length) return null;
  const list = el("div", { class: "chosen" }), note = el("span", { class: "mute", id: "saved" });
  const bar = el("div", { class: "bar screen" }, button("save as JSON", saveChoice, { id: "save-choice" }),
    button("save a copy of this page", () => { save("report-with-choice.html", copyOfPage(), "text/html"); unsaved = false; changed("choice"); }, { id: "save-page" }), note);
  function refresh() {
    bar.hidden = !choice.size;
    note.textContent = unsaved ? "not saved yet: closing the page forgets it" : "";
    list.replaceChildren(...(choice.size ? [el("ul", {}, ...chosen().map(one))] : [el("p", { class: "mute" }, "Nothing is pinned. Pick a set in the table, then ", el("strong", {}, "pin"), " it: pinned sets, with your comments, are listed here and can be saved.")]));
  }
  const one = ({ set, comment }) => el("li", {}, button(`set ${set}`, () => pick(set), { "aria-label": `Show set ${set}` }), " ", ...featureList(data.sets[set]), comment ? el("p", { class: "comment" }, isolated(comment)) : null);
  on("choice", refresh);
  refresh();
  window.addEventListener("beforeunload", (event) => { if (unsaved) event.preventDefault(); });
  return section("choice-of-sets", "Your choice", list, bar);
}

// Pin and comment, beside all else that is known of the picked set.
function pinning(i) {
  const held = choice.has(i), text = el("textarea", { class: "comment", id: "comment", rows: "2", "aria-label": `Comment on set ${i}`, placeholder: "a comment, saved with your choice" });
  text.value = choice.get(i) || "";
  text.addEventListener("input", () => comment(i, text.value));
  text.addEventListener("change", () => changed("choice"));
  return el("div", { class: "pinning screen" }, button(held ? "★ pinned" : "☆ pin", () => pin(i), { id: "pin", "aria-pressed": String(held) }), text);
}
