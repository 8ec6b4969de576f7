// Features and values as this page shows them.
const byId = (id) => document.getElementById(id);
function featureName(j) {
  const others = data.members[j];
  const shown = el("span", { class: "name", title: fullName(j) }, isolated(data.names[j]));
  if (others) shown.append(el("span", { class: "mute" }, " or ", ...joined(others.slice(0, 3).map(isolated)), others.length > 3 ? ` and ${others.length - 3} more` : ""));
  return shown;
}

function fullName(j) {
  const others = data.members[j];
  return data.names[j] + (others ? ` (or ${others.join(", ")})` : "");
}

const featureList = (features) =>
  features.length ? joined(features.map((f) => (typeof f === "number" ? featureName(f) : isolated(f)))) : [el("span", { class: "mute" }, "nothing")];

function shownAs(value, form, places = 6) {
  if (value === null || value === undefined) return "";
  if (form === "p") return number(value, 2);
  return form === "share" ? share(value) : typeof value === "number" ? number(value, places) : String(value);
}
