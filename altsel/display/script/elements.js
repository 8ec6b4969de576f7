// Elements and numbers as text, of reports and of the explorer. Names reach a page by textContent and attributes only.
const SVG = "http://www.w3.org/2000/svg";

function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "class") made.className = value;
    else if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

function svg(tag, attributes = {}, text) {
  const made = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

// A name keeps its direction to itself.
const isolated = (text) => el("bdi", {}, text);

function joined(nodes, between = ", ") {
  return nodes.flatMap((node, i) => (i ? [between, node] : [node]));
}

function number(value, digits = 6) {
  if (value === null || value === undefined) return "";
  if (value === 0 || Number.isInteger(value)) return String(value);
  const size = Math.abs(value);
  return size >= 1e-3 && size < 1e7 ? String(+value.toPrecision(digits)) : value.toExponential(2);
}

function share(value) {
  if (value === null || value === undefined) return "";
  if (value === 0) return "0 %";
  return value < 1 ? `${+(100 * value).toPrecision(2)} %` : `${Math.round(100 * value)} %`;
}

// A p-value of which only the natural logarithm is a float.
function pOf(logP) {
  if (logP === null || logP === undefined) return "not tested";
  if (logP > -600) return number(Math.exp(logP), 2);
  const exponent = Math.floor(logP / Math.LN10);
  return `${(10 ** (logP / Math.LN10 - exponent)).toFixed(1)}e${exponent}`;
}

const counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

function button(text, action, attributes = {}, ...children) {
  return el("button", { type: "button", onclick: action, ...attributes }, text, ...children);
}

let telling = 0;
// Tell a screen reader what changed, once typing or clicking pauses.
function tell(text) {
  clearTimeout(telling);
  telling = setTimeout(() => { byId("told").textContent = text; }, 150);
}
