// The second checker of certificates of feature sets: all that docs/certificates.md asks, in exact arithmetic.
//
// Usage: node check_certificate.js FILE. Prints a line a claim; codes as of check_certificate.py: 0, all claims are
// verified; 1, the file does not prove what it says; 2, it cannot be read; 3, it names other claims, or claims
// nothing. It shares nothing with the first checker but that page, so that what one takes for granted the other may
// refuse. In a report of altsel it runs as a worker, and sends nothing anywhere.
"use strict";

class Refuted extends Error {}
class Unreadable extends Error {}
const need = (holds, text) => { if (!holds) throw new Refuted(text); };
const need_list = (value, text) => (need(Array.isArray(value), text), value);
const need_map = (value, text) => (need(value instanceof Map, text), value);

// ---- JSON: integers are BigInt, there are no other numbers, objects are maps, no key stands twice

const SPACE = /[ \t\r\n]*/y, NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y, WORDS = { true: true, false: false, null: null };
const PLAIN = /"([^"\\\u0000-\u001f]*)"/y, ESCAPED = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;

function parsed(text) {
  let at = 0;
  const bad = () => { throw new Unreadable("a line is not JSON"); };
  const taken = (pattern) => { pattern.lastIndex = at; const found = pattern.exec(text); if (found) at = pattern.lastIndex; return found; };
  const sign = () => { taken(SPACE); return text[at]; };
  function string() {
    const plain = taken(PLAIN);
    if (plain) return plain[1];
    const escaped = taken(ESCAPED);
    return escaped ? JSON.parse(escaped[0]) : bad();
  }
  function items(end, item) {
    at += 1;
    if (sign() === end) { at += 1; return; }
    for (;;) {
      item();
      const next = sign();
      at += 1;
      if (next === end) return;
      if (next !== ",") bad();
    }
  }
  function value() {
    const first = sign();
    if (first === '"') return string();
    if (first === "[") { const list = []; items("]", () => list.push(value())); return list; }
    if (first === "{") {
      const map = new Map();
      let twice = false; // said at its end, so that what is no JSON is told first
      items("}", () => {
        if (sign() !== '"') bad();
        const key = string();
        if (sign() !== ":") bad();
        at += 1;
        twice ||= map.has(key);
        map.set(key, value());
      });
      need(!twice, "a key is stated twice");
      return map;
    }
    for (const word in WORDS) if (text.startsWith(word, at)) { at += word.length; return WORDS[word]; }
    const number = taken(NUMBER);
    if (!number) bad();
    need(!number[1] && !number[2], "numbers are integers or texts");
    need(number[0].replace("-", "").length <= 4300, "integers have at most 4,300 digits");
    return BigInt(number[0]);
  }
  const whole = value();
  taken(SPACE);
  return at === text.length ? whole : bad();
}

const by_code_points = (a, b) => { const [x, y] = [Array.from(a), Array.from(b)]; for (let i = 0; i < x.length && i < y.length; i++) if (x[i] !== y[i]) return x[i].codePointAt(0) - y[i].codePointAt(0); return x.length - y.length; };
const quoted = (text) => JSON.stringify(text).replace(/[\u007f-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);

// Write a value as Python's json.dumps with sorted keys.
function dumped(value) {
  if (typeof value === "string") return quoted(value);
  if (Array.isArray(value)) return `[${value.map(dumped).join(", ")}]`;
  if (value instanceof Map) return `{${[...value.keys()].sort(by_code_points).map((key) => `${quoted(key)}: ${dumped(value.get(key))}`).join(", ")}}`;
  return String(value);
}

// SHA-256 (FIPS 180-4) of a text of ASCII; worker and node have no common synchronous one.
function sha256(text) {
  const primes = [];
  for (let p = 2; primes.length < 64; p++) if (primes.every((q) => p % q)) primes.push(p);
  const part = (x) => ((x - Math.floor(x)) * 2 ** 32) | 0, K = primes.map((p) => part(Math.cbrt(p))), H = Int32Array.from(primes.slice(0, 8), (p) => part(Math.sqrt(p)));
  const size = text.length, bytes = new Uint8Array((((size + 8) >> 6) + 1) << 6), view = new DataView(bytes.buffer), w = new Int32Array(64);
  for (let i = 0; i < size; i++) bytes[i] = text.charCodeAt(i);
  bytes[size] = 128;
  view.setUint32(bytes.length - 8, Math.floor(size / 2 ** 29));
  view.setUint32(bytes.length - 4, (size * 8) >>> 0);
  const turn = (x, r) => (x >>> r) | (x << (32 - r));
  for (let block = 0; block < bytes.length; block += 64) {
    for (let t = 0; t < 16; t++) w[t] = view.getInt32(block + 4 * t);
    for (let t = 16; t < 64; t++) {
      const x = w[t - 15], y = w[t - 2];
      w[t] = w[t - 16] + w[t - 7] + (turn(x, 7) ^ turn(x, 18) ^ (x >>> 3)) + (turn(y, 17) ^ turn(y, 19) ^ (y >>> 10));
    }
    let [a, b, c, d, e, f, g, h] = H;
    for (let t = 0; t < 64; t++) {
      const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[t] + w[t]) | 0;
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((x, i) => { H[i] += x; });
  }
  return Array.from(H, (x) => (x >>> 0).toString(16).padStart(8, "0")).join("");
}

// ---- Numbers: {m, u} is m / 2^u, exactly; lists of them have one unit

const up = (m, by) => m << BigInt(by), sum = (list) => list.reduce((a, b) => a + b, 0n), size_of = (x) => (x < 0n ? -x : x).toString(16).length * 4;
const floor_div = (a, b) => { const q = a / b; return a % b !== 0n && a < 0n !== b < 0n ? q - 1n : q; }, ceil_div = (a, b) => -floor_div(-a, b);
const above = (a, b) => (a.u < b.u ? up(a.m, b.u - a.u) > b.m : a.m > up(b.m, a.u - b.u));
const HEX = /^([+-]?)0x([01])(?:\.([0-9a-f]{0,13}))?p([+-]?[0-9]{1,4})$/;

function number(value) {
  if (value !== null && typeof value === "object" && "m" in value) return value; // it is read already
  if (typeof value === "bigint") return { m: value, u: 0 };
  const found = typeof value === "string" ? HEX.exec(value) : null;
  need(found, "a number is an integer or a hexadecimal float of at most 13 digits");
  const digits = (found[3] || "").replace(/0+$/, ""), m = BigInt(`0x${found[2]}${digits}`), e = Number(found[4]) - 4 * digits.length;
  return { m: up(found[1] === "-" ? -m : m, Math.max(e, 0)), u: m ? Math.max(-e, 0) : 0 };
}
const at_unit = (one, unit) => up(one.m, unit - one.u);

const numbers = (value, n) => {
  need(Array.isArray(value) && (n === undefined || value.length === n), "numbers are a list, one of each feature");
  return value.map(number);
};
const rows_of = (value) => need_list(value, "a table is a list of rows").map((row) => numbers(row));

// Numbers, lists and tables of them, at their common unit.
function scaled(...values) {
  let unit = 0;
  const largest = (one) => (Array.isArray(one) ? one.forEach(largest) : (unit = Math.max(unit, one.u)));
  values.forEach(largest);
  const made = (one) => (Array.isArray(one) ? one.map(made) : at_unit(one, unit));
  return [unit, ...values.map(made)];
}

// The nearest double; and a number, or about a number, as Python writes it.
function float_of({ m, u }) {
  const cut = Math.max(size_of(m) - 64, 0), top = m / up(1n, cut);
  return Number((top << 1n) | (cut && m % up(1n, cut) ? 1n : 0n)) / 2 * 2 ** Math.max(Math.min(cut - u, 900), -1000) * 2 ** Math.min(cut - u + 1000, 0) * 2 ** Math.max(cut - u - 900, 0);
}
function shown(one) {
  let { m, u } = one;
  for (; u > 0 && m % 2n === 0n; u--) m /= 2n;
  const near = m === 0n ? 0 : float_of({ m, u }), exact = Math.abs(near) < 2 ** 1023 && is_double(near, m, u);
  return exact ? about(one) : u ? `${m}/${up(1n, u)}` : String(m);
}
// Whether a double is m / 2^u.
function is_double(x, m, u) {
  if (!Number.isFinite(x)) return false;
  let size = Math.abs(x), e = 0;
  for (; size && !Number.isInteger(size); e++) size *= 2; // exact: a double is an integer times a power of two
  return up(BigInt(size), u) === up(m < 0n ? -m : m, e) && x < 0 === m < 0n;
}
function about(one) {
  const x = float_of(one), size = Math.abs(x);
  need(Number.isFinite(x), "a number that is shown is below 2^1024");
  if (size && (size < 1e-4 || size >= 1e16)) return x.toExponential().replace(/e([+-])([0-9])$/, "e$10$2");
  return Number.isInteger(x) ? `${x}.0` : String(x);
}

// ---- Logarithms and exponentials: intervals, by series of FINE bits

const FINE = 160, UNIT = 90, ONE = up(1n, FINE), SLACK = up(1n, 30), LN2 = (() => {
  const atanh = (x) => { let term = ONE / x, total = 0n; for (let i = 1n; term; i += 2n, term /= x * x) total += term / i; return total; };
  return 18n * atanh(26n) - 2n * atanh(4801n) + 8n * atanh(8749n); // wrong by less than 2^12 units
})();

// exp(r) = e 2^k / ONE, for r of less than 2^12 in units of 2^-FINE: k times LN2 is wrong by less than 2^25 units, and each of the
// 40 terms by two. So e, which is between ONE / 2 and 2 ONE, is wrong by less than 2^27.
function exp_parts(r) {
  const k = floor_div(2n * r + LN2, 2n * LN2), rest = r - k * LN2;
  let e = ONE, term = ONE;
  for (let i = 1n; term > 1n || term < -1n; i++) { term = (term * rest >> BigInt(FINE)) / i; e += term; }
  return [e, k];
}
const moved = (m, by) => (by >= 0n ? m << by : m >> -by);

// exp(m / 2^u) in units of 2^-UNIT: [at least, at most].
function exp_range({ m, u }) {
  const [e, k] = exp_parts(u > FINE ? m >> BigInt(u - FINE) : up(m, FINE - u)), by = k + BigInt(UNIT - FINE);
  return [moved(e - SLACK, by), moved(e + SLACK, by) + 1n];
}

// log(above / below) in units of 2^-UNIT: [at least, at most]. A double y is corrected by log(1 + d) of 1 + d = x / exp(y), to d^3:
// d is less than 2^-40, so the rest less than 1 unit of 2^-FINE; all is wrong by less than SLACK.
function log_range(above, below) {
  const shift = size_of(above) - size_of(below), x = shift > 0 ? up(above, FINE) / up(below, shift) : up(above, FINE - shift) / below;
  const y = BigInt(Math.round(Math.log(Number(x >> BigInt(FINE - 60)) / 2 ** 60) * 2 ** 50)) << BigInt(FINE - 50);
  const [e, k] = exp_parts(-y), d = moved(x * e, k) / ONE - ONE;
  need(d < up(1n, FINE - 40) && -d < up(1n, FINE - 40), "a logarithm is out of reach");
  const d2 = d * d / ONE, log = y + BigInt(shift) * LN2 + d - d2 / 2n + d * d2 / (3n * ONE), cut = BigInt(FINE - UNIT);
  return [(log - SLACK) >> cut, ((log + SLACK) >> cut) + 1n];
}

// ---- Matrices

// Both halves of a lower triangle; without diagonal that is 0.
function symmetric(triangle, n, diagonal, text) {
  need(need_list(triangle, text).length === n && triangle.every((row, i) => need_list(row, text).length === i + diagonal), text);
  return triangle.map((_, i) => Array.from({ length: n }, (__, j) => (i === j ? (diagonal ? triangle[i][i] : 0n) : triangle[Math.max(i, j)][Math.min(i, j)])));
}

// Show that an integer matrix is positive semidefinite: it is LL' and a matrix with a dominant diagonal.
function need_convex(A, text) {
  const n = A.length, largest = A.reduce((top, row, i) => (row[i] > top ? row[i] : top), 0n);
  const half = Math.ceil(Math.max(size_of(largest) - 60, 0) / 2), L = A.map(() => new Float64Array(n));
  const seen = (x) => Number(x >> BigInt(2 * half)), less = 2e-15 * n ** 1.5 * seen(largest);
  for (let j = 0; j < n; j++) for (let i = j; i < n; i++) {
    let value = seen(A[i][j]) - (i === j ? less : 0);
    for (let t = 0; t < j; t++) value -= L[i][t] * L[j][t];
    L[i][j] = i === j ? Math.sqrt(Math.max(value, 0)) : L[j][j] > 0 ? value / L[j][j] : 0;
  }
  const digits = 52 - Math.ceil(size_of(largest >> BigInt(2 * half)) / 2); // of L after the point
  const factor = L.map((row) => Array.from(row, (x) => BigInt(Math.round(x * 2 ** digits)))), rest = A.map(() => new Array(n));
  for (let i = 0; i < n; i++) for (let j = 0; j <= i; j++) {
    let value = 0n;
    for (let t = 0; t <= j; t++) value += factor[i][t] * factor[j][t];
    rest[i][j] = rest[j][i] = up(A[i][j], 2 * digits) - up(value, 2 * half);
  }
  const dominant = (row, i) => row.reduce((left, x, j) => left - (j === i ? -x : x < 0n ? -x : x), 0n) >= 0n;
  need(rest.every(dominant), text);
}

// b'G^-1 b of integers as [numerator, denominator], by Bareiss' elimination of [G b; b' 0].
function quadratic(G, b, set) {
  const k = set.length, M = [...set.map((i) => [...set.map((j) => G[i][j]), b[i]]), [...set.map((i) => b[i]), 0n]];
  let last = 1n;
  for (let t = 0; t < k; t++) {
    need(M[t][t] > 0n, `the products of ${dumped(set.map(BigInt))} are not positive definite`);
    for (let i = t + 1; i <= k; i++) for (let j = i; j <= k; j++) M[i][j] = M[j][i] = (M[i][j] * M[t][t] - M[i][t] * M[t][j]) / last;
    last = M[t][t];
  }
  return [-M[k][k], last];
}

// A point is indices and parts in turn, in units of 2^-50: its parts as a list.
function point_of(data, n, flags) {
  const point = new Array(n).fill(0n), set = set_of(data.filter((_, i) => i % 2 === 0), n), parts = data.filter((_, i) => i % 2);
  need(parts.length === set.length && parts.every((one) => typeof one === "bigint"), "a point is a list of index and part in turn");
  need(!flags || set.every((j) => flags[j] === 0), "a point is of free features");
  parts.forEach((part, i) => { point[Number(data[2 * i])] = part; });
  return point;
}
const HALVES = 50;

function index_of(value, n) {
  need(typeof value === "bigint" && value >= 0n && value < BigInt(n), "features");
  return Number(value);
}
function set_of(value, n) {
  const set = need_list(value, "a set is a list").map((one) => index_of(one, n));
  need(new Set(set).size === set.length, "a set has each feature once");
  return set;
}
const sorted = (set) => [...set].sort((a, b) => a - b);
const vector = (value, n, text) => (need(need_list(value, text).length === n, text), value);

// ---- Criteria. Each has `score` as [numerator, denominator] of sets, or `above(set, level)`, `reaches`; and `linear`, the linear
// bound of a node as {unit, constant, worth, limit}: a set's score is at most the limit if constant and worths sum to at most it.

class Sum {
  constructor(line, n) { [this.unit, this.weights] = scaled(numbers(line.get("weights"), n)); this.exact = true; }
  score(set) { return [sum(set.map((j) => this.weights[j])), up(1n, this.unit)]; }
  linear(node, data, claim) {
    return { unit: this.unit, constant: sum(node.inside.map((j) => this.weights[j])), worth: this.weights, limit: claim.limit };
  }
}

// Sums of pairs of a given size, sum_i a_i - sum_i<j b_ij, bounded by a form.
function pairs_linear(a, b, unit, limit, node, data, state) {
  const form = state.forms.get(data[0]), n = state.n, { inside, size } = node;
  need(form, "a bound of pairs names a form");
  if (!form.S) Object.assign(form, form_of(form.line, n));
  if (form.of !== b || form.size !== size) Object.assign(form, { of: b, size, ...pairs_base(form, a, b, unit, size, n) });
  const z = point_of(data.slice(1), n, node.state);
  inside.forEach((j) => { z[j] = up(1n, HALVES); });
  const parts = z.map((_, j) => j).filter((j) => z[j]), Sz = form.S.map((row) => sum(parts.map((j) => row[j] * z[j])));
  const wide = Math.max(form.base_unit, form.unit + 2 * HALVES), S_up = BigInt(wide - form.unit - HALVES + 1), N_up = BigInt(wide - form.unit), base_up = BigInt(wide - form.base_unit);
  const worth = form.base.map((x, j) => (x << base_up) - (Sz[j] << S_up) - (sum(inside.map((i) => form.N[i][j])) << N_up));
  const twice = sum(inside.map((i) => sum(inside.map((j) => form.N[i][j])))); // N inside is in two worths
  const constant = (sum(parts.map((j) => z[j] * Sz[j])) << BigInt(wide - form.unit - 2 * HALVES)) + sum(inside.map((j) => worth[j])) + (twice << N_up) / 2n;
  return { unit: wide, constant, worth, limit };
}

// What each feature brings by itself: a_i - m_i / 2 - (k - 1) u_i + S_ii.
function pairs_base(form, a, b, unit, size, n) {
  const wide = Math.max(unit, form.unit), b_up = BigInt(wide - unit), f_up = BigInt(wide - form.unit);
  const base = a.map((one, i) => {
    const e = [];
    for (let j = 0; j < n; j++) if (j !== i) e.push((b[i][j] << b_up) - ((2n * form.S[i][j] + form.N[i][j] + form.shares[i] + form.shares[j]) << f_up));
    const least = sum(e.sort(ascending).slice(0, Math.max(size - 1, 0)));
    return 2n * ((one << b_up) + ((form.S[i][i] - BigInt(size - 1) * form.shares[i]) << f_up)) - least;
  });
  return { base, base_unit: wide + 1 };
}
const ascending = (x, y) => (x < y ? -1 : x > y ? 1 : 0);

class Pairs {
  constructor(line, n) {
    [this.unit, this.a, this.b] = scaled(numbers(line.get("single"), n), rows_of(line.get("pairs")));
    this.b = symmetric(this.b, n, 0, "pairs are a lower triangle");
    need(typeof line.get("size") === "bigint", "pairs have a size");
    this.size = line.get("size");
    this.exact = true;
  }
  check(size) { need(this.size === BigInt(size), "pairs are of one size"); }
  score(set) {
    let value = 0n;
    set.forEach((i, s) => { value += this.a[i]; for (let t = 0; t < s; t++) value -= this.b[i][set[t]]; });
    return [value, up(1n, this.unit)];
  }
  linear(node, data, claim, state) { return pairs_linear(this.a, this.b, this.unit, claim.limit, node, data, state); }
}

class Ratio {
  constructor(line, n) {
    [this.unit, this.q] = scaled(numbers(line.get("single"), n));
    [this.pair_unit, this.r] = scaled(rows_of(line.get("pairs")));
    this.r = symmetric(this.r, n, 0, "pairs are a lower triangle");
    need(this.r.every((row) => row.every((x) => x >= 0n)), "pairs of a ratio are at least 0");
  }
  check(size) { need(size > 0, "a ratio is of at least one feature"); }
  look(limit) { need(limit.m >= 0n, "limits of ratios are at least 0"); }
  // N, and N^2 - level^2 D.
  compared(set, level) {
    const N = sum(set.map((j) => this.q[j])), D = up(BigInt(set.length), this.pair_unit) + 2n * sum(set.map((i, s) => sum(set.slice(0, s).map((j) => this.r[i][j]))));
    return [N, up(N * N, 2 * level.u + this.pair_unit) - up(level.m * level.m * D, 2 * this.unit)];
  }
  above(set, level) { need(level.m >= 0n, "limits of ratios are at least 0"); return this.compared(set, level)[1] > 0n; }
  reaches(set, level) { const [N, more] = this.compared(set, level); return N >= 0n && (level.m <= 0n || more >= 0n); }
  linear(node, data, claim, state) {
    need(claim.limit.m >= 0n, "limits of ratios are at least 0");
    if (this.claim !== claim) {
      const { m, u } = claim.limit, wide = 2 * Math.max(this.unit, u) + this.pair_unit, f2 = up(m * m, wide - 2 * u - this.pair_unit), one = BigInt(wide - 2 * this.unit);
      const a = this.q.map((x) => (x * x << one) - up(f2, this.pair_unit));
      this.claim = claim;
      this.at = { a, unit: wide, b: this.q.map((x, i) => this.q.map((y, j) => 2n * (f2 * this.r[i][j] - (x * y << one)))) };
    }
    return pairs_linear(this.at.a, this.at.b, this.at.unit, { m: 0n, u: 0 }, node, data, state);
  }
}

class LeastSquares {
  constructor(line, n) {
    this.owner = line.has("owner") ? need_list(line.get("owner"), "columns have owners").map((value) => index_of(value, n)) : Array.from({ length: n }, (_, j) => j);
    const columns = this.owner.length, [unit, products, along, offset] = scaled(rows_of(line.get("products")), numbers(line.get("along"), columns), number(line.get("offset")));
    Object.assign(this, { unit, b: along, offset, G: symmetric(products, columns, 1, "products are a lower triangle with diagonal"), exact: true });
  }
  // R^2.
  explained(set) {
    const [above_, below] = quadratic(this.G, this.b, [...this.owner.keys()].filter((one) => set.includes(this.owner[one])));
    return [above_ + this.offset * below, up(below, this.unit)];
  }
  score(set) { return this.explained(set); }
  linear(node, data, claim, state) {
    const known = state.diagonals.get(data[0]), n = this.owner.length;
    need(known, "a bound of least squares names a diagonal");
    if (known.of !== this) {
      const values = vector(known.line.get("values"), n, "a diagonal has a value of each column").map(number);
      const unit = Math.max(this.unit, ...values.map((one) => one.u)), finer = BigInt(unit - this.unit), D = values.map((one) => at_unit(one, unit));
      need(D.every((x) => up(x, 40) >= up(1n, unit)), "values of a diagonal are at least 2^-40");
      const A = this.G.map((row, i) => row.map((x, j) => (x << finer) - (i === j ? D[i] : 0n)));
      need_convex(A, `products less the diagonal ${quoted(data[0])} are not positive semidefinite`);
      Object.assign(known, { of: this, D, A, unit, b: this.b.map((x) => x << finer), offset: this.offset << finer });
    }
    const w = point_of(data.slice(1), n), parts = w.map((_, j) => j).filter((j) => w[j]), Aw = known.A.map((row) => sum(parts.map((j) => row[j] * w[j])));
    const worth = new Array(state.n).fill(0n);
    Aw.forEach((x, j) => { const v = up(known.b[j], HALVES) - x; worth[this.owner[j]] += ceil_div(v * v, known.D[j]); });
    const constant = up(known.offset, 2 * HALVES) + sum(parts.map((j) => w[j] * Aw[j])) + sum(node.inside.map((j) => worth[j]));
    return { unit: known.unit + 2 * HALVES, constant, worth, limit: this.limit(claim, node.size) };
  }
  limit(claim, size) { return claim.limit; } // of R^2
}

// C - f u, or C - f log u, of what least squares leave, u = 1 - R^2.
class PenalisedFit extends LeastSquares {
  constructor(line, n) {
    super(line, n);
    Object.assign(this, { exact: false, logarithm: line.get("logarithm"), parts: ["constants", "factors"].map((key) => need_map(line.get(key), "constants and factors are by size")) });
    need(typeof this.logarithm === "boolean", "it goes by a logarithm, or not");
  }
  check(size) { this.parts_of(size); }
  parts_of(size) {
    const [constant, factor] = this.parts.map((part) => number(part.get(String(size))));
    need(factor.m > 0n, "a factor is above 0");
    return [constant, factor];
  }
  // 1 - u of a score: [at least, at most], u being (C - score) / f or its exponential, as [numerator, denominator].
  enclosed(score, size) {
    if (this.last?.score !== score || this.last.size !== size) this.last = { score, size, ends: this.ends(score, size) };
    return this.last.ends;
  }
  ends(score, size) {
    const [constant, factor] = this.parts_of(size), gap = added(constant, negative(score)), over = up(gap.m, factor.u), under = up(factor.m, gap.u);
    if (!this.logarithm) return [[under - over, under], [under - over, under]];
    if (over === 0n) return [[0n, 1n], [0n, 1n]];
    const far = over < 0n ? -over : over, one = up(1n, UNIT);
    need(far <= 1023n * under, "an exponent is out of range");
    const low = exp_range({ m: floor_div(up(far, FINE), under), u: FINE })[0], high = exp_range({ m: ceil_div(up(far, FINE), under), u: FINE })[1];
    return over > 0n ? [[one - high, one], [one - low, one]] : [[low - one, low], [high - one, high]];
  }
  compared(set, share) { const [a, b] = this.explained(set), [c, d] = share; return a * d - c * b; }
  above(set, level) { return this.compared(set, this.enclosed(level, set.length)[0]) > 0n; }
  reaches(set, level) {
    const [a, b] = this.explained(set); // what explains all has no logarithm
    return (!this.logarithm || a < b) && this.compared(set, this.enclosed(level, set.length)[1]) >= 0n;
  }
  look(limit, size) { this.enclosed(limit, size); }
  limit(claim, size) {
    const [over, under] = this.enclosed(claim.limit, size)[0], u = FINE + Math.max(claim.limit.u - FINE, 0) + size_of(under);
    return { m: floor_div(up(over, u), under), u };
  }
}

class Model {
  constructor(line, n) {
    this.logistic = line.get("family") === "logistic";
    need(this.logistic || line.get("family") === "poisson", "a model is logistic or poisson");
    [this.ridge, this.factor, this.saturated] = ["ridge", "factor", "saturated"].map((key) => number(line.get(key)));
    need(this.ridge.m > 0n, "the ridge is above 0");
    need(this.factor.m > 0n, "the factor is above 0");
    this.constants = need_map(line.get("constants"), "constants are by size");
    [this.x_unit, this.x] = scaled(rows_of(line.get("columns")));
    [this.p_unit, this.p] = scaled(numbers(line.get("prices"), n));
    const [[y_unit, y], [o_unit, o], [w_unit, w]] = ["y", "offsets", "weights"].map((key) => scaled(numbers(line.get(key)))), rows = y.length;
    need(o.length === rows && w.length === rows && this.x.every((column) => column.length === rows), "each row has all numbers");
    need(w.every((x) => x > 0n) && y.every((x) => x >= 0n), "weights are above 0, and y at least 0");
    need(!this.logistic || y.every((x) => x === 0n || x === up(1n, y_unit)), "y of a logistic model is 0 or 1");
    Object.assign(this, { o_unit, o, unit: Math.max(60, w_unit + y_unit), rows: [...y.keys()] }); // unit of masses
    this.w = w.map((x) => up(x, this.unit - w_unit));
    this.wy = w.map((x, i) => up(x * y[i], this.unit - w_unit - y_unit));
    this.owner = need_list(line.get("owner"), "columns have owners").map((value) => (value === -1n ? -1 : index_of(value, n)));
    need(this.owner.length === this.x.length, "each column has an owner");
    const floats = (values, unit) => Float64Array.from(values, (m) => float_of({ m, u: unit }));
    this.float = { x: this.x.map((column) => floats(column, this.x_unit)), o: floats(o, o_unit) };
  }
  check(size) { number(this.constants.get(String(size))); }
  // constant - factor * loss of a set at a model, from below, against a level.
  reaches(set, level, model) {
    need_list(model, "a set of a model has its model");
    const [unit, c, ...beta] = scaled(...numbers(model.filter((_, i) => i % 2 === 0))), columns = model.filter((_, i) => i % 2 === 1).map((one) => index_of(one, this.x.length));
    need(columns.length === beta.length && new Set(columns).size === columns.length, "a model is a constant, and a coefficient of each column");
    need(columns.every((one) => this.owner[one] < 0 || set.includes(this.owner[one])), "columns of a model are those of its set");
    const wide = Math.max(this.o_unit, unit + this.x_unit), top = up(1023n, wide);
    let loss = 0n; // times 2^(this.unit + max(UNIT, wide))
    const fine = Math.max(UNIT, wide);
    for (const i of this.rows) {
      const u = up(this.o[i], wide - this.o_unit) + up(up(c, this.x_unit) + sum(columns.map((one, t) => beta[t] * this.x[one][i])), wide - unit - this.x_unit);
      need(u <= top && -u <= top, "predictors are at most 1023");
      loss += this.w[i] * up(this.most(u, wide), fine - UNIT) - up(this.wy[i] * u, fine - wide);
    }
    const square = { m: this.ridge.m * sum(beta.map((x) => x * x)), u: this.ridge.u + 2 * unit + 1 }, prices = { m: sum(set.map((j) => this.p[j])), u: this.p_unit };
    const total = added({ m: loss, u: this.unit + fine }, square, prices, this.saturated);
    const spent = { m: -this.factor.m * total.m, u: this.factor.u + total.u };
    return !above(level, added(number(this.constants.get(String(set.length))), spent));
  }
  // log(1 + exp u) or exp u, at most, in units of 2^-UNIT.
  most(u, unit) {
    if (!this.logistic) return exp_range({ m: u, u: unit })[1];
    const one = up(1n, UNIT), part = log_range(one + exp_range({ m: u < 0n ? u : -u, u: unit })[1], one)[1];
    return part + (u > 0n ? ceil_div(up(u, UNIT), up(1n, unit)) : 0n);
  }
  // Propose masses at some predictors, in floats; shift them until they sum to those of y: those with most room first, by half of it.
  masses(constant, point) {
    const { x, o } = this.float, top = this.logistic ? 30 : 300, c = float_of({ m: constant, u: HALVES });
    const columns = point.map((_, one) => one).filter((one) => point[one]), beta = columns.map((one) => float_of({ m: point[one], u: HALVES }));
    const share = (u) => { const e = Math.exp(Math.max(Math.min(u, top), -300)); return this.logistic ? e / (1 + e) : e; };
    const made = this.w.map((w, i) => {
      const part = share(columns.reduce((u, one, t) => u + beta[t] * x[one][i], o[i] + c)), mass = w * BigInt(Math.round(part * 2 ** 60)) >> 60n;
      return mass > 0n ? mass : 1n;
    });
    const room = made.map((q, i) => (this.logistic && this.w[i] - q < q ? this.w[i] - q : q) / 2n);
    let missing = sum(this.wy) - sum(made);
    for (const i of [...this.rows].sort((a, b) => ascending(room[b], room[a]))) {
      const step = missing > room[i] ? room[i] : missing < -room[i] ? -room[i] : missing;
      made[i] += step;
      missing -= step;
    }
    need(missing === 0n && made.every((q, i) => q > 0n && (!this.logistic || q < this.w[i])), "the masses cannot be balanced");
    return made;
  }
  linear(node, data, claim, state) {
    need(typeof data[0] === "bigint", "a bound of models has a constant");
    const q = this.masses(data[0], point_of(data.slice(1), this.x.length)), g = q.map((one, i) => one - this.wy[i]);
    let h = 0n;
    for (const i of this.rows) {
      const rest = this.w[i] - q[i], first = -q[i] * log_range(q[i], this.w[i])[1];
      h += this.logistic ? first - rest * log_range(rest, this.w[i])[1] : first + up(q[i], UNIT);
    }
    const fine = 2 * UNIT, taken = new Array(state.n).fill(0n), left = up(this.ridge.m, 2 * (this.x_unit + this.unit) + 1), open = (owner) => owner < 0 || node.state[owner] !== 2;
    let shared = 0n;
    this.owner.forEach((owner, one) => {
      if (!open(owner)) return;
      const xg = sum(g.map((x, i) => x * this.x[one][i])), part = ceil_div(up(xg * xg, fine + this.ridge.u), left);
      if (owner < 0) shared += part; else taken[owner] += part;
    });
    const least = added({ m: h, u: this.unit + UNIT }, this.saturated, { m: sum(g.map((x, i) => x * this.o[i])), u: this.unit + this.o_unit }, { m: -shared, u: fine });
    // score <= limit if -loss <= (limit - constant) / factor
    const wide = Math.max(least.u, fine, this.p_unit), worth = taken.map((one, j) => up(one, wide - fine) - up(this.p[j], wide - this.p_unit)), { factor } = this;
    const room = added(claim.limit, negative(number(this.constants.get(String(node.size)))));
    const limit = { m: floor_div(up(room.m, wide + factor.u), up(factor.m, room.u)), u: wide };
    return { unit: wide, constant: -at_unit(least, wide) + sum(node.inside.map((j) => worth[j])), worth, limit };
  }
}

// What stands in a list; a set that is not there has no score, which is null.
class Table {
  constructor(line, n) {
    const sets = need_list(line.get("sets"), "a table has sets").map((one) => String(sorted(set_of(one, n)))), scores = numbers(line.get("scores"));
    need(new Set(sets).size === sets.length, "a table has each set once");
    need(scores.length === sets.length, "a table has a score of each set");
    const [unit, values] = scaled(scores);
    Object.assign(this, { exact: true, known: new Map(sets.map((set, i) => [set, [values[i], up(1n, unit)]])) });
  }
  score(set) { return this.known.get(String(sorted(set))) ?? null; }
  linear() { throw new Refuted("a bound of a table proves nothing"); }
}

const negative = ({ m, u }) => ({ m: -m, u });
function added(...terms) {
  const u = Math.max(...terms.map((one) => one.u));
  return { m: sum(terms.map((one) => at_unit(one, u))), u };
}

const READ = { weights: numbers, single: numbers, along: numbers, prices: numbers, y: numbers, offsets: numbers, pairs: rows_of, products: rows_of, columns: rows_of, offset: number, ridge: number, saturated: number, factor: number, scores: numbers };
const KINDS = { sum: Sum, pairs: Pairs, ratio: Ratio, "least squares": LeastSquares, "penalised fit": PenalisedFit, model: Model, table: Table };
// Whether the score of a set is above a level.
function scores_above(criterion, set, level) {
  need(!(criterion instanceof Model), "sets of models are not looked at one by one");
  if (!criterion.exact) return criterion.above(set, level);
  const score = criterion.score(set);
  return score !== null && up(score[0], level.u) > level.m * score[1];
}
function reaches(criterion, set, level, model) {
  if (!criterion.exact) return criterion.reaches(set, level, model);
  const score = criterion.score(set);
  return score !== null && up(score[0], level.u) >= level.m * score[1];
}
// The largest price of a penalty is one over this, in the unit of what is bounded; null: it is 0.
function least_factor(criterion, size) {
  if (criterion instanceof Ratio || criterion.logarithm) return null;
  return criterion instanceof PenalisedFit ? criterion.parts_of(size)[1] : criterion instanceof Model ? criterion.factor : { m: 1n, u: 0 };
}

// ---- Rows

class Row {
  constructor(line, n) {
    const keys = [...need_map(line.get("features"), "a row has features").keys()], limit = line.get("at most");
    const similar = line.has("similar") ? need_list(line.get("similar"), "similar is a list") : [];
    need(similar.every((one) => Array.isArray(one) && one.length === 2), "each of similar is a set and its loads");
    const sets = similar.map(([set]) => set_of(set, n)), loads = similar.map(([, list], i) => numbers(list, sets[i].length + 1));
    let values, scaled_loads;
    [this.unit, this.limit, scaled_loads, values] = scaled(number(limit), loads, keys.map((key) => number(line.get("features").get(key))));
    this.at = new Array(n).fill(0n);
    keys.forEach((key, i) => { this.at[index_of(integer_of(key), n)] = values[i]; });
    this.similar = sets.map((set, i) => ({ has: new Set(set), loads: scaled_loads[i] }));
    for (const one of this.similar) need(one.loads.every((x, i, all) => i < 2 || x - all[i - 1] >= all[i - 1] - all[i - 2]), "loads are convex");
    this.kept_by = line.has("kept by") ? new Set(need_list(line.get("kept by"), "a row is kept by a list of sets").map((one) => String(sorted(set_of(one, n))))) : null;
    this.empty = keys.length === 0;
  }
  load(set) { return sum(this.similar.map(({ has, loads }) => loads[set.filter((j) => has.has(j)).length])); }
  keeps(set) { return sum(set.map((j) => this.at[j])) + this.load(set) <= this.limit && (this.kept_by === null || this.kept_by.has(String(sorted(set)))); }
}
const integer_of = (text) => { need(/^(0|[1-9][0-9]*)$/.test(text), "sizes and features as keys are texts of integers"); return BigInt(text); };

// Rows at prices, of a node: constant - costs is at least 0 for each set that keeps them. So it is with the row of a penalty, less what
// its price takes off. A load is at least that of the features inside, and what the next one adds for each further one: it is convex.
function priced(prices, node, claim, state, penalty = null) {
  const parts = [...need_map(prices, "prices are by rows")].map(([name, price]) => {
    need(name === penalty || claim.row_names.get(node.size).includes(name), `${quoted(name)} is no row of this size`);
    const y = number(price), row = state.rows.get(name);
    need(y.m >= 0n, "prices are at least 0");
    return { y, row, unit: y.u + row.unit };
  });
  const unit = Math.max(0, ...parts.map((one) => one.unit)), cost = new Array(state.n).fill(0n);
  let constant = 0n;
  for (const { y, row, unit: own } of parts) {
    const price = up(y.m, unit - own);
    constant += price * (row.limit - sum(node.inside.map((j) => row.at[j])));
    node.free.forEach((j) => { if (row.at[j]) cost[j] += price * row.at[j]; });
    for (const { has, loads } of row.similar) {
      const o = node.inside.filter((j) => has.has(j)).length;
      constant -= price * loads[o];
      node.free.forEach((j) => { if (has.has(j)) cost[j] += price * (loads[o + 1] - loads[o]); });
    }
  }
  return { unit, constant, cost };
}
const largest = (values, count) => sum(values.sort((x, y) => ascending(y, x)).slice(0, count));

// ---- Trees

function leaf(line, node, claim, state) {
  need(line.length === 3, "a leaf has a kind, data and prices"); // which are read where they are used
  const [kind, data, prices] = line, { inside, free, size } = node, open = size - inside.length;
  const here = () => dumped(inside.map(BigInt));
  if (open < 0 || open > free.length) return;
  if (kind === "none") {
    const { constant, cost } = priced(prices, node, claim, state);
    need(constant + largest(free.map((j) => -cost[j]), open) < 0n, `the rows do not exclude the sets with ${here()}`);
  } else if (kind === "bound") {
    need(claim.limit !== null, "without a limit there is no bound");
    const within = bound_holds(data, prices, node, claim, state);
    if ((open === 0 || open === free.length) && claim.listed(open ? [...inside, ...free] : inside)) return;
    need(within, `the bound of ${here()} is too weak`);
  } else {
    need(kind === "each", `no node is ${dumped(kind)}`);
    for (const set of chosen(inside, free, open)) {
      if (claim.listed(set) || !claim.rows.get(size).every((row) => row.keeps(set))) continue;
      need(claim.limit !== null && !scores_above(claim.criterion(size), set, claim.less(set)), `${dumped(set.map(BigInt))} keeps all rows, and ${claim.limit === null ? "there is to be no set" : "scores more"}`);
    }
  }
}

// Whether no set of a node scores more than the limit, by a linear bound and rows at prices.
function bound_holds(data, prices, node, claim, state) {
  const { inside, free, size } = node, criterion = claim.criterion(size), penalty = claim.penalty?.get(size).name ?? null;
  const bound = criterion.linear(node, data, claim, state), rows = priced(prices, node, claim, state, penalty), unit = Math.max(bound.unit, rows.unit, bound.limit.u);
  if (penalty !== null && prices.has(penalty)) {
    const y = number(prices.get(penalty)), factor = least_factor(criterion, size);
    need(factor === null ? y.m === 0n : !above({ m: y.m * factor.m, u: y.u + factor.u }, { m: 1n, u: 0 }), "a price of the penalty takes off more than it does");
  }
  const by = BigInt(unit - bound.unit), also = BigInt(unit - rows.unit);
  const top = (bound.constant << by) + (rows.constant << also) + largest(free.map((j) => (bound.worth[j] << by) - (rows.cost[j] << also)), size - inside.length);
  return top <= at_unit(bound.limit, unit);
}

function* chosen(inside, free, open) {
  if (open < 0 || open > free.length) return;
  const at = Array.from({ length: open }, (_, i) => i);
  for (;;) {
    yield [...inside, ...at.map((i) => free[i])].sort((a, b) => a - b);
    let i = open - 1;
    while (i >= 0 && at[i] === free.length - open + i) i -= 1;
    if (i < 0) return;
    at[i] += 1;
    for (let j = i + 1; j < open; j++) at[j] = at[j - 1] + 1;
  }
}

// Walk the tree of one size; return its number of leaves.
function tree(size, claim, lines, state) {
  const { n } = state, flags = new Int8Array(n), path = []; // 0 free, 1 inside, 2 outside
  for (let leaves = 1; ; leaves++) {
    let line = need_list(lines.next(), "a node is a list");
    for (; line[0] === "branch"; line = need_list(lines.next(), "a node is a list")) {
      const j = index_of(line[1], n);
      need(flags[j] === 0, "a feature is branched on once");
      flags[j] = 1;
      path.push(j);
    }
    const inside = path.filter((j) => flags[j] === 1), free = [];
    for (let j = 0; j < n; j++) if (!flags[j]) free.push(j);
    leaf(line, { inside, free, size, state: flags }, claim, state);
    while (path.length && flags[path[path.length - 1]] === 2) flags[path.pop()] = 0;
    if (!path.length) return leaves;
    flags[path[path.length - 1]] = 2;
  }
}

// ---- Claims

function sizes_of(line, state) {
  const rows = need_map(line.get("rows"), "a claim has rows by size"), criteria = need_map(line.get("criteria"), "a claim has criteria by size");
  need(rows.size > 0 && rows.size === criteria.size && [...rows.keys()].every((key) => criteria.has(key)), "each size has rows and a criterion");
  const sizes = [...rows.keys()].map((key) => [key, Number(integer_of(key))]).sort((a, b) => a[1] - b[1]), claim = { sizes: sizes.map((one) => one[1]), rows: new Map(), row_names: new Map(), criteria: new Map() };
  for (const [key, size] of sizes) {
    const names = need_list(rows.get(key), "rows are a list of names"), criterion = state.criteria.get(criteria.get(key));
    need(criterion && names.every((name) => state.rows.has(name)), "a claim names rows and criteria that are stated before");
    need(new Set(names).size === names.length, "each row is named once");
    need(size < 2 ** 31, "sizes are below 2^31");
    claim.row_names.set(size, names);
    claim.rows.set(size, names.map((name) => state.rows.get(name)));
    claim.criteria.set(size, criterion);
  }
  // Numbers of a criterion are looked at where a claim uses them.
  claim.criterion = (size) => {
    const known = claim.criteria.get(size);
    need(known, "a claim names criteria that are stated before");
    const kind = known.line.get("kind");
    need(typeof kind === "string" && Object.hasOwn(KINDS, kind), "no kind of criterion is known by this name");
    known.made ??= new KINDS[kind](known.line, state.n);
    if (known.made.check) known.made.check(size);
    return known.made;
  };
  return claim;
}
// The row of the penalty of each size: loads of at least 0, and nothing else.
function penalty_of(value, claim, keys, state) {
  need(need_map(value, "a penalty is by size").size === keys.size && [...keys.keys()].every((key) => value.has(key)), "each size has a penalty");
  return new Map(claim.sizes.map((size) => {
    const name = value.get(String(size)), row = typeof name === "string" ? state.rows.get(name) : undefined;
    need(row, "a penalty names rows that are stated before");
    need(row.empty && row.limit === 0n && row.kept_by === null, "the row of a penalty has no features, a limit of 0, and is kept by all");
    need(row.similar.every(({ loads }) => loads.every((x) => x >= 0n)), "loads of a penalty are at least 0");
    need(!claim.row_names.get(size).includes(name), "a penalty is none of the rows");
    return [size, { name, row }];
  }));
}
const limit_of = (value) => (value === null ? null : number(value));

function claim_of_sets(line, lines, state) {
  const claim = sizes_of(line, state), of = line.get("of"), known = new Set();
  need(["all", "others", "none"].includes(of), "a claim is of all, of others or of none");
  claim.limit = limit_of(line.get("at most"));
  claim.listed = (set) => of === "others" && known.has(String(sorted(set)));
  claim.penalty = line.has("penalty") ? penalty_of(line.get("penalty"), claim, line.get("rows"), state) : null;
  const more_by = (one, set) => { // a level or limit, and what the penalty takes off the set
    const row = claim.penalty?.get(set.length).row;
    return row ? added(one, { m: row.load(set), u: row.unit }) : one;
  };
  claim.less = (set) => (claim.penalty && least_factor(claim.criterion(set.length), set.length) === null ? claim.limit : more_by(claim.limit, set));
  claim.sets = need_list(line.get("sets"), "a claim has sets").map((told) => {
    const names = set_of(need_map(told, "a set is told with its level").get("set"), state.n), set = sorted(names), level = number(told.get("at least")), size = set.length;
    need(claim.criteria.has(size), "sets have the sizes of the claim");
    need(claim.rows.get(size).every((row) => row.keeps(set)), `${dumped(set.map(BigInt))} does not keep the rows`);
    need(reaches(claim.criterion(size), set, more_by(level, set), told.get("model")), `${dumped(set.map(BigInt))} scores less than told`);
    need(!known.has(String(set)), "a set is listed twice");
    known.add(String(set));
    return { set, names, level, told };
  });
  if (claim.limit !== null && of !== "none") claim.sizes.forEach((size) => { const made = claim.criterion(size); if (made.look) made.look(claim.limit, size); });
  const leaves = of === "none" ? 0 : claim.sizes.reduce((total, size) => total + tree(size, claim, lines, state), 0);
  if (line.has("together")) {
    need(of === "others" && !claim.penalty, "sets together are of a list, without a penalty");
    return together(line, claim, state);
  }
  const scores = claim.penalty ? "scores, less penalties," : "scores";
  const sets = claim.sets, listed = sets.length === 1 ? `${dumped(sets[0].names.map((j) => state.names[j]))} ${scores} at least ${shown(sets[0].level)}` : sets.length ? `${sets.length} sets are listed, with scores` : "";
  if (of === "none") return `${listed ? `${listed}; ` : ""}nothing is said of other sets`;
  const other = of === "others" && sets.length ? "other " : "";
  const which = `set of ${claim.sizes.join(" or ")} of ${state.n} features (rows kept: ${most_rows(claim)})`;
  const told = claim.limit === null ? `there is no ${other}${which}` : `no ${other}${which} ${scores} more than ${shown(claim.limit)}`;
  return `${listed ? `${listed}; ` : ""}${told} (${leaves} leaves)`;
}

const most_rows = (claim) => Math.max(...[...claim.row_names.values()].map((names) => names.length));
// How many features two sorted sets have in common.
function common_of(a, b) {
  let count = 0;
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) count += 1;
    if (a[i] <= b[j]) i += 1; else j += 1;
  }
  return count;
}
const count_of = (value, text) => (need(typeof value === "bigint" && value >= 0n && value < 2n ** 31n, text), Number(value));

function family_of(line, m, sizes, state, goes) {
  const family = need_list(line.get("family"), "a claim of sets together has a family").map((one) => sorted(set_of(one, state.n)));
  need(family.length === 0 || family.length === m, "the family has as many sets as are together, or none");
  need(family.every((one) => sizes.includes(one.length)), "sets of the family have the sizes of the claim");
  need(family.every((one, i) => family.slice(0, i).every((other) => goes(one, other))), "two sets of the family share too much");
  return family;
}

// Loads of two sets by their sizes, at one unit; and that unit.
function loads_of(line, sizes) {
  const similar = need_map(line.get("similar"), "loads are by two sizes"), keys = sizes.flatMap((a, i) => sizes.slice(i).map((b) => `${a} ${b}`));
  need(similar.size === keys.length && keys.every((key) => similar.has(key)), "each two sizes have loads, the smaller first");
  const [unit, lists] = scaled(keys.map((key) => numbers(similar.get(key)))), by = new Map(keys.map((key, i) => [key, lists[i]]));
  need(lists.every((list) => list.every((x) => x >= 0n)), "loads are at least 0");
  const of = (a, b) => by.get(a.length < b.length ? `${a.length} ${b.length}` : `${b.length} ${a.length}`)[common_of(a, b)];
  return { unit, of, any: lists.some((list) => list.some((x) => x > 0n)) }; // of two sets that do not go together it is undefined
}

// What a listed set scores at most, as [numerator, denominator].
function score_from_above({ set, told }, claim, state) {
  const size = set.length, criterion = claim.criterion(size);
  need(told.has("no more than"), "sets together have a level that they score at most");
  const level = number(told.get("no more than")), alone = { ...claim, limit: level }, flags = new Int8Array(state.n).fill(2);
  set.forEach((j) => { flags[j] = 1; });
  const holds = told.has("by") ? bound_holds(told.get("by"), new Map(), { inside: set, free: [], size, state: flags }, alone, state) : !scores_above(criterion, set, level);
  need(holds, `${dumped(set.map(BigInt))} may score more than its level`);
  return [level.m, up(1n, level.u)];
}

// Of all listed sets no m that go together have a total above the limit; nor have any with a set that is not listed.
function together(line, claim, state) {
  const m = count_of(line.get("together"), "a number of sets"), total = line.get("total"), limit = limit_of(line.get("at most together")), most = limit_of(line.get("at most similar"));
  need(m >= 1 && m * state.n <= 1e7, "too many sets together, or none");
  need((limit === null) === (claim.limit === null), "both limits are null, or none is");
  need(total === "sum" || total === "min", "sets together have a sum or a min");
  need(most === null || most.m >= 0n, "what sets have in common loads at least 0");
  const loads = loads_of(line, claim.sizes), known = new Set(claim.sets.map((one) => String(one.set))), unit = Math.max(loads.unit, most ? most.u : 0, limit ? limit.u : 0, FINE);
  const load_of = (a, b) => { const load = loads.of(a, b); return load === undefined ? undefined : up(load, unit - loads.unit); };
  const family = family_of(line, m, claim.sizes, state, (a, b) => loads.of(a, b) !== undefined), budget = most && at_unit(most, unit), bar = limit && at_unit(limit, unit);
  need(family.every((one) => known.has(String(one))), "sets of the family are listed");
  need(most === null || family.length === 0 || sum(family.flatMap((one, i) => family.slice(0, i).map((other) => load_of(one, other)))) <= budget, "sets of the family are too similar");
  // Scores, from above also as integers: what these do not decide is decided by fractions.
  const sets = claim.sets.map((one) => {
    const score = limit === null ? null : score_from_above(one, claim, state);
    return { set: one.set, score, top: score && ceil_div(up(score[0], unit), score[1]) };
  });
  if (limit !== null) {
    let best = [claim.limit.m, up(1n, claim.limit.u)];
    const floor = best;
    for (const { score } of sets) if (score[0] * best[1] > best[0] * score[1]) best = score;
    need(!more(total === "min" ? floor : plus(floor, [best[0] * BigInt(m - 1), best[1]]), limit), "with a set that is not listed the total may be more");
    sets.sort((a, b) => ascending(b.top, a.top));
  }
  const is_better = (taken, off) => {
    if (limit === null) return true;
    const over = added(limit, { m: off, u: unit });
    return total === "min" ? taken.every((one) => more(one.score, over)) : more(taken.reduce((all, one) => plus(all, one.score), [0n, 1n]), over);
  };
  const taken = [];
  // Candidates, from the best, each with its loads with those taken: no set that may follow is better, and loads only grow.
  (function further(candidates, begun, load) {
    const left = BigInt(m - taken.length);
    for (let c = 0; c < candidates.length; c++) {
      const [one, add] = candidates[c], now = load + add, off = most === null ? now : 0n;
      if (most !== null && now > budget) continue;
      if (limit !== null) {
        const top = total === "min" ? one.top : begun + left * one.top;
        if (top - (most === null ? load : 0n) <= bar) return;
        if (top - off <= bar) continue;
      }
      taken.push(one);
      if (taken.length === m) need(!is_better(taken, off), `${dumped(taken.map(({ set }) => set.map(BigInt)))} ${limit === null ? "go together" : "are better together"}`);
      else {
        const next = [];
        for (let d = c; d < candidates.length; d++) { // the same set may follow, where it goes with itself
          const load_with = load_of(one.set, candidates[d][0].set);
          if (load_with !== undefined) next.push([candidates[d][0], candidates[d][1] + load_with]);
        }
        further(next, limit === null ? 0n : begun + one.top, now);
      }
      taken.pop();
    }
  })(sets.map((one) => [one, 0n]), 0n, 0n);
  const ending = limit === null ? "exist" : `have a ${total}${most === null && loads.any ? " less penalties" : ""} above ${shown(limit)}`;
  return `no ${m} sets of ${claim.sizes.join(" or ")} (rows kept: ${most_rows(claim)}), as different as is said, ${ending} (${claim.sets.length} sets are listed)`;
}
const plus = (a, b) => (a[1] === b[1] ? [a[0] + b[0], a[1]] : [a[0] * b[1] + b[0] * a[1], a[1] * b[1]]);
const more = (a, limit) => up(a[0], limit.u) > limit.m * a[1];

// The sum of m sets, bounded by how many of them each feature is in.
function claim_of_price(line, state) {
  const claim = sizes_of(line, state), [size] = claim.sizes, limit = limit_of(line.get("at most")), y = number(line.get("price")), rows = claim.rows.get(size);
  need(claim.sizes.length === 1 && claim.criteria.get(size), "a price is of one size, and a criterion stated before");
  const criterion = limit === null ? null : claim.criterion(size);
  need(limit === null || criterion instanceof Sum, "a limit is that of sums");
  const m = count_of(line.get("together"), "a number of sets"), common = count_of(line.get("common"), "a number of features"), family = family_of(line, m, claim.sizes, state, (a, b) => common_of(a, b) <= common);
  need(m >= 1 && y.m >= 0n, "a price is at least 0");
  need(!line.has("penalty"), "a claim with a price has no penalty");
  need(family.every((one) => rows.every((row) => row.keeps(one))), "sets of the family keep the rows");
  const weights = limit === null ? new Array(state.n).fill(0n) : criterion.weights, own = limit === null ? 0 : criterion.unit;
  const unit = Math.max(y.u, own, limit === null ? 0 : limit.u), price = at_unit(y, unit), values = [], free = weights.map((_, j) => j);
  const paid = priced(line.has("prices") ? line.get("prices") : new Map(), { inside: [], free, size }, claim, state);
  need(m * state.n <= 1e7, "too many sets together");
  weights.forEach((one, j) => { for (let c = 0; c < m; c++) values.push(up(up(one, unit - own) - BigInt(c) * price, paid.unit) - up(paid.cost[j], unit)); });
  const pairs = BigInt(m) * BigInt(m - 1) / 2n, fine = unit + paid.unit, most = largest(values, m * size) + up(price * BigInt(common) * pairs, paid.unit) + up(BigInt(m) * paid.constant, unit);
  const what = `${m} sets of ${size} (rows kept: ${rows.length}), of which two share at most ${common} features`;
  if (limit === null) {
    need(most < 0n && family.length === 0, "there may be such sets");
    return `there are no ${what}`;
  }
  need(most <= at_unit(limit, fine), "the bound by counts is too weak");
  return `no ${what}, have a sum above ${shown(limit)}`;
}

// The sets are all minimal ones with a feature of each group: each minimal one is grown, by a feature of a group without one.
function claim_of_family(line, state) {
  const read = (key) => need_list(line.get(key), `a family has ${key}`).map((one) => sorted(set_of(one, state.n))), sets = read("sets"), groups = read("each has one of"), known = new Set(sets.map(String));
  need(known.size === sets.length, "a set is listed twice");
  const own = (set) => { const counts = new Map(set.map((j) => [j, 0])); groups.forEach((group) => { const both = group.filter((j) => counts.has(j)); if (both.length === 1) counts.set(both[0], 1); }); return [...counts.values()].every(Boolean); };
  for (const set of sets) need(groups.every((group) => group.some((j) => set.includes(j))) && own(set), `${dumped(set.map(BigInt))} is no minimal set with a feature of each`);
  const outside = new Uint8Array(state.n);
  (function grown(set) {
    let open = null;
    for (const group of groups) if (!group.some((j) => set.includes(j))) {
      const left = group.filter((j) => !outside[j]);
      if (open === null || left.length < open.length) open = left;
    }
    if (open === null) { need(known.has(String(sorted(set))), `${dumped(set.map(BigInt))} has a feature of each, and none of the sets is it`); return; }
    open.forEach((j, i) => {
      const next = [...set, j];
      if (own(next)) grown(next);
      outside[j] = 1;
      if (i === open.length - 1) open.forEach((one) => { outside[one] = 0; });
    });
  })([]);
  return `the ${sets.length} sets are all minimal ones with a feature of each of ${groups.length} others`;
}

// ---- The file

class Lines {
  constructor(text) { Object.assign(this, { text, at: 0, number: 0 }); }
  next() {
    const line = this.more();
    need(line !== undefined, "the file ends within a claim");
    return line;
  }
  more() {
    while (this.at < this.text.length) {
      const end = this.text.indexOf("\n", this.at), line = this.text.slice(this.at, end < 0 ? undefined : end);
      this.at = end < 0 ? this.text.length : end + 1;
      this.number += 1;
      if (/[^ \t\r]/.test(line)) return parsed(line);
    }
    return undefined;
  }
}

function stated(state, kind, name, made) {
  need(typeof name === "string" && !state[kind].has(name), "names of what is stated are texts, and stand once");
  state[kind].set(name, made());
}

function form_of(line, n) {
  const unit = line.get("unit"), text = "a form is of integers", integers = (list) => list.every((x) => typeof x === "bigint");
  need(typeof unit === "bigint" && unit > -1000n && unit < 1000n, "a form has a unit");
  const S = symmetric(line.get("convex"), n, 1, text), N = symmetric(line.get("rest"), n, 0, text), shares = vector(line.get("shares"), n, text);
  need(integers(shares) && S.every(integers) && N.every(integers), text);
  need(N.every((row) => row.every((x) => x >= 0n)), "the rest of a form is at least 0");
  need_convex(S, `the form ${dumped(line.get("form"))} is not positive semidefinite`);
  const whole = (list) => (unit < 0n ? list.map((x) => x << -unit) : list); // units are 1 or finer
  return { unit: Math.max(Number(unit), 0), S: S.map(whole), N: N.map(whole), shares: whole(shares) };
}

// Check a text line by line; `say` is called with what was shown. Return the exit code; throw Refuted or Unreadable.
function check(text, say) {
  const lines = new Lines(text), head = need_map(lines.next(), "the first line states the format");
  need(head.get("format") === "certificate of feature sets" && head.get("version") === 1n, "it is no certificate of version 1");
  const names = need_list(head.get("features"), "features are a list"), state = { names, n: names.length, criteria: new Map(), rows: new Map(), forms: new Map(), diagonals: new Map() };
  need(names.length > 0 && names.every((name) => typeof name === "string") && new Set(names).size === names.length, "names of features are texts, and stand once");
  let question = null, verified = 0, open = 0, digest = [dumped(names)];
  for (let line = lines.more(); line !== undefined; line = lines.more()) {
    need_map(line, "a line that states something is an object");
    need(["claim", "not covered", "question", "criterion", "row", "form", "diagonal"].filter((key) => line.has(key)).length === 1, "a line states one thing that is known");
    if (line.has("claim") || line.has("not covered")) {
      need(typeof (line.has("claim") ? line.get("claim") : line.get("not covered")) === "string", "titles are texts");
      need(question !== null, "the question stands before claims");
      if (line.has("not covered")) { open += 1; say(`not covered: ${dumped(line.get("not covered"))}`); continue; }
      const title = dumped(line.get("claim")), told = line.has("each has one of") ? claim_of_family(line, state) : line.has("price") ? claim_of_price(line, state) : claim_of_sets(line, lines, state);
      verified += 1;
      say(`verified: ${title}: ${told}`);
      continue;
    }
    if (line.has("criterion") || line.has("row")) {
      need(question === null, "the question ends with its digest");
      digest.push(dumped(line));
      if (line.has("row")) stated(state, "rows", line.get("row"), () => new Row(line, state.n));
      else {
        for (const key in READ) if (line.has(key)) line.set(key, READ[key](line.get(key)));
        stated(state, "criteria", line.get("criterion"), () => ({ line, made: null }));
      }
    } else if (line.has("question")) {
      question = sha256(digest.sort().join("\n"));
      need(line.get("question") === question, "the digest is another");
    } else if (line.has("form")) stated(state, "forms", line.get("form"), () => ({ line }));
    else stated(state, "diagonals", line.get("diagonal"), () => ({ line }));
  }
  need(question !== null, "there is no digest of a question");
  say(`question ${question}: ${verified} verified, ${open} not covered`);
  return open || !verified ? 3 : 0;
}

// The same, with faults as a last line.
function told(bytes, say) {
  let text = null;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return check(text, say);
  } catch (fault) { // whatever a file makes of this program, it proves nothing
    const unreadable = text === null || fault instanceof Unreadable;
    say(`${unreadable ? "not readable" : "refuted"}: ${fault.message}`);
    return unreadable ? 2 : 1;
  }
}

function main(files) {
  if (files.length !== 1) { console.error("usage: node check_certificate.js FILE"); return 2; }
  try {
    const bytes = require("node:fs").readFileSync(files[0]);
    return told(/\.gz$/.test(files[0]) ? require("node:zlib").gunzipSync(bytes) : bytes, (line) => console.log(line));
  } catch (fault) {
    console.log(`not readable: ${fault.message}`);
    return 2;
  }
}

if (typeof module !== "undefined" && typeof require !== "undefined") {
  module.exports = { check, told };
  if (require.main === module) process.exitCode = main(process.argv.slice(2));
} else if (typeof WorkerGlobalScope !== "undefined") {
  self.onmessage = (message) => self.postMessage({ code: told(message.data, (line) => self.postMessage({ line })) });
} else throw new Error("this is a CommonJS script: name it check_certificate.cjs where modules are the default");
