// Features by name, cut in the middle where they are long, and their relevance as bars.
function short(name, longest = 34) {
  if (!name.trim()) return `"${name}"`;
  const letters = [...(name.length > 500 ? name.slice(0, 250) + name.slice(-250) : name)], end = Math.floor((longest - 1) / 3);
  return letters.length <= longest ? name : `${letters.slice(0, longest - 1 - end).join("")}…${letters.slice(-end).join("")}`;
}

function fullName(j) {
  const others = known.members[j];
  return known.shown[j] + (others ? ` (or ${others.join(", ")})` : "");
}

function featureName(j, longest = 34) {
  const others = known.members[j];
  const made = el("span", { class: "name", title: fullName(j) }, isolated(short(known.shown[j], longest)));
  if (others) made.append(el("span", { class: "mute" }, ` +${others.length}`));
  return made;
}

const featureList = (features) => (features.length ? joined(features.map((j) => featureName(j))) : [el("span", { class: "mute" }, "nothing")]);

const relevanceOf = (j) => (state.relevances && state.relevances.values ? state.relevances.values[j] : null);

// A bar on the scale of all features; the line is what permuted targets reach.
function relevanceBar(j, most) {
  const value = relevanceOf(j), noise = state.relevances && state.relevances.noise, W = 72;
  if (value === null) return el("span", { class: "mute" }, "–");
  const picture = svg("svg", { viewBox: `0 0 ${W} 12`, preserveAspectRatio: "none", class: "bar-of", role: "img", "aria-label": `relevance ${number(value, 3)}${noise === null ? "" : value > noise ? ", above noise" : ", no more than noise"}` });
  picture.append(svg("title", {}, `relevance ${number(value, 3)}${noise === null ? "" : `; noise reaches ${number(noise, 3)}`}`));
  const X = (v) => Math.max(0, Math.min(W, (W * v) / most));
  picture.append(svg("rect", { class: "track", x: 0, y: 3, width: W, height: 6, rx: 2 }));
  picture.append(svg("rect", { class: noise !== null && value <= noise ? "value noise" : "value", x: 0, y: 3, width: X(value), height: 6, rx: 2 }));
  if (noise !== null) picture.append(svg("line", { class: "level", x1: X(noise), x2: X(noise), y1: 0, y2: 12 }));
  return picture;
}

const mostRelevant = () => Math.max(...((state.relevances && state.relevances.values) || [0]).map((v) => v ?? 0), (state.relevances && state.relevances.noise) || 0, 1e-12);

// Build a part anew, and leave the focus where it was.
function keepingFocus(rebuild) {
  const key = root.activeElement && root.activeElement.dataset ? root.activeElement.dataset.key : null;
  rebuild();
  if (!key) return;
  const again = [...root.querySelectorAll("[data-key]")].find((one) => one.dataset.key === key);
  if (again && again !== root.activeElement) again.focus({ preventScroll: true });
}
