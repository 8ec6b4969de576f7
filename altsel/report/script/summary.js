// What the page says on top, in words: the rows, the result, and a card for each question a reader has.
const KNOWN = { good: ["✓", "yes"], mixed: ["◐", "in part"], bad: ["✗", "no"], open: ["○", "not looked at"] };

const NAMED_AT_MOST = 12; // features in a sentence
const named = (features) => [...featureList(features.slice(0, NAMED_AT_MOST)), features.length > NAMED_AT_MOST ? ` and ${features.length - NAMED_AT_MOST} more` : ""];
const sentence = (parts) => el("span", {}, ...parts.flatMap((part) => (Array.isArray(part) ? named(part) : [part])), " ");

function checkCard({ question, known, text }) {
  const [sign, word] = KNOWN[known];
  return el("li", { class: `card ${known}` }, el("h3", {}, question, el("span", { class: "answer" }, `${sign} ${word}`)), el("p", {}, isolated(text)));
}

function summarySection() {
  const told = data.summary, open = told.checks.filter((one) => one.known === "open");
  const rest = open.length ? el("p", { class: "mute" }, "○ Not looked at for this page: ", open.map((one) => one.text).join(" ")) : null;
  return section("summary", "In short", el("p", { class: "result" }, ...told.result.map(sentence)), el("p", {}, el("strong", {}, "Rows. "), ...told.data.map(sentence)),
    el("ul", { class: "cards" }, ...told.checks.filter((one) => one.known !== "open").map(checkCard)), rest);
}
