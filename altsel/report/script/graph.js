// All solutions as paths of one graph: zoom, pan, and highlight together with the matrix.
function graph() {
  const all = data.graph, total = data.sets.length;
  const box = el("div", { id: "graph", class: "graph", tabindex: "0", role: "group", "aria-label": "Multiple-solutions graph; arrows move it, plus and minus zoom, 0 shows all of it. Tab goes on to its boxes." });
  const PAD = 24;
  const READABLE = window.innerWidth < 600 ? 0.6 : 0.3;
  const LARGEST = 1.15; // pixels to a unit: small graphs are not blown up
  const full = { x: -PAD, y: -PAD, w: all.width + 2 * PAD + 12 + widthOf(data.target ?? "target", false), h: all.height + 2 * PAD };
  box.style.height = `max(150px, min(${Math.ceil(full.h * LARGEST)}px, 64vh, 560px))`;
  const picture = svg("svg", { role: "presentation" });
  const nodes = new Map(), edges = new Map();
  let view = { ...full };

  for (const [start, end, points] of all.edges) {
    const weight = Math.min(all.nodes[start].through, all.nodes[end].through) / all.solutions;
    const line = svg("path", { d: lineOf(points), class: "edge", "stroke-width": (0.8 + 2.6 * weight).toFixed(2) });
    edges.set(`${start}-${end}`, line);
    picture.append(line);
  }
  for (const [name, one] of Object.entries(all.nodes)) {
    const node = nodeOf(Number(name), one);
    nodes.set(Number(name), node);
    picture.append(node.group);
  }
  box.append(picture);

  function nodeOf(name, one) {
    const group = svg("g", { class: "node", transform: `translate(${one.x} ${one.y})` });
    const always = one.through === all.solutions;
    if (name < 2) {
      group.classList.add("end");
      group.append(svg("circle", { cx: 7, cy: 7, r: 7 }));
      if (name === 1) group.append(svg("text", { x: 20, y: 11 }, data.target ?? "target"));
      return { group, rows: [] };
    }
    group.classList.add(one.text.length > 1 || one.more ? "several" : always ? "always" : "plain");
    group.setAttribute("role", "button");
    group.setAttribute("tabindex", "-1");
    group.setAttribute("aria-pressed", "false");
    group.setAttribute("aria-label", `${one.label}; in ${one.through} of ${counted(total, "set")}`);
    group.append(svg("title", {}, `${one.label}\nin ${one.through} of ${counted(total, "set")}; click: only these`));
    group.append(svg("rect", { class: "frame", width: one.w, height: one.h, rx: 5 }));
    const rows = [];
    let y = 0;
    one.text.forEach((lines, a) => {
      const high = lines.length * 16 + 6;
      const row = svg("g", { class: "alternative" });
      row.append(svg("rect", { class: "ground", x: 1, y: y + 1, width: one.w - 2, height: high - 2, rx: 4 }));
      if (a) row.append(svg("line", { x1: 0, x2: one.w, y1: y, y2: y }));
      lines.forEach((line, k) => row.append(svg("text", { x: 6, y: y + 15 + 16 * k }, line)));
      if (one.text.length > 1) row.addEventListener("click", (event) => { event.stopPropagation(); if (!moved) throughNode(name, a); });
      rows.push(row);
      group.append(row);
      y += high;
    });
    if (one.more) group.append(svg("text", { x: 6, y: y + 13, class: "mute" }, `… ${one.more} more`));
    group.addEventListener("click", () => { if (!moved) throughNode(name, null); });
    const inside = (i) => data.paths[i].some(([n]) => n === name);
    group.addEventListener("pointerenter", () => heat(inside));
    group.addEventListener("pointerleave", () => heat(null));
    group.addEventListener("focus", () => { heat(inside); center(one); });
    group.addEventListener("blur", () => heat(null));
    group.addEventListener("keydown", (event) => walk(event, name));
    return { group, rows };
  }

  // From box to box by the arrows, along the lines or up and down.
  function walk(event, name) {
    if (event.key === "Enter" || event.key === " ") { throughNode(name, null); event.preventDefault(); event.stopPropagation(); return; }
    const on = all.edges.filter(([start, end]) => start === name && end > 1).map(([, end]) => end);
    const back = all.edges.filter(([start, end]) => end === name && start > 1).map(([start]) => start);
    const beside = [...nodes.keys()].filter((n) => n > 1).sort((a, b) => all.nodes[a].y - all.nodes[b].y);
    const at = beside.indexOf(name);
    const goal = { ArrowRight: on[0], ArrowLeft: back[0], ArrowDown: beside[at + 1], ArrowUp: beside[at - 1] };
    if (!(event.key in goal)) return;
    event.preventDefault();
    event.stopPropagation();
    if (goal[event.key] !== undefined) focusNode(goal[event.key]);
  }

  function focusNode(name) {
    for (const [other, node] of nodes) if (other > 1) node.group.setAttribute("tabindex", other === name ? "0" : "-1");
    nodes.get(name).group.focus({ preventScroll: true });
  }
  const firstNode = [...nodes.keys()].find((n) => n > 1);
  if (firstNode !== undefined) nodes.get(firstNode).group.setAttribute("tabindex", "0");

  function show() { picture.setAttribute("viewBox", `${view.x} ${view.y} ${view.w} ${view.h}`); }
  function zoom(by, x = view.x + view.w / 2, y = view.y + view.h / 2) {
    const most = Math.max(full.w, full.h) * 4, factor = Math.max(80 / view.w, Math.min(most / view.w, by));
    view = { x: x - (x - view.x) * factor, y: y - (y - view.y) * factor, w: view.w * factor, h: view.h * factor };
    show();
  }
  function center(one) {
    const apart = one.x < view.x || one.y < view.y || one.x + one.w > view.x + view.w || one.y + one.h > view.y + view.h;
    if (!apart) return;
    view.x = one.x + one.w / 2 - view.w / 2;
    view.y = one.y + one.h / 2 - view.h / 2;
    show();
  }
  function fit() {
    const by = Math.max(1, box.clientWidth / LARGEST / full.w);
    view = { x: full.x + full.w / 2 * (1 - by), y: full.y, w: full.w * by, h: full.h };
    show();
  }
  // All of it, or where that would be too small to read, its beginning.
  function begin() {
    fit();
    if (1 / scale() >= READABLE) return;
    const start = all.nodes[0], w = box.clientWidth / 0.8, h = box.clientHeight / 0.8;
    view = { x: start.x - PAD, y: start.y - h / 2, w, h };
    show();
  }
  // Units of the picture to a pixel: the whole view is in sight.
  const scale = () => Math.max(view.w / picture.clientWidth, view.h / picture.clientHeight);
  function pointOf(event) {
    const at = picture.getBoundingClientRect(), s = scale();
    return [view.x + view.w / 2 + (event.clientX - at.left - at.width / 2) * s, view.y + view.h / 2 + (event.clientY - at.top - at.height / 2) * s];
  }

  let moved = false;
  const fingers = new Map();
  box.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey && !box.contains(document.activeElement)) return; // the page scrolls
    event.preventDefault();
    zoom(event.deltaY > 0 ? 1.18 : 1 / 1.18, ...pointOf(event));
  }, { passive: false });
  box.addEventListener("pointerdown", (event) => { fingers.set(event.pointerId, event); moved = false; });
  window.addEventListener("pointerup", (event) => fingers.delete(event.pointerId));
  window.addEventListener("pointercancel", (event) => fingers.delete(event.pointerId));
  window.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const others = [...fingers.values()].filter((one) => one.pointerId !== event.pointerId);
    const far = Math.hypot(event.clientX - before.clientX, event.clientY - before.clientY);
    if (!moved && far < 4) return;
    moved = true;
    fingers.set(event.pointerId, event);
    if (others.length) {
      const gap = (one) => Math.max(1, Math.hypot(one.clientX - others[0].clientX, one.clientY - others[0].clientY));
      zoom(gap(before) / gap(event), ...pointOf(event));
    } else {
      view.x -= (event.clientX - before.clientX) * scale();
      view.y -= (event.clientY - before.clientY) * scale();
      show();
    }
  });
  box.addEventListener("keydown", (event) => {
    const step = view.w / 12;
    const move = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[event.key];
    if (move) { view.x += move[0]; view.y += move[1]; show(); }
    else if (event.key === "+" || event.key === "=") zoom(1 / 1.3);
    else if (event.key === "-") zoom(1.3);
    else if (event.key === "0") fit();
    else return;
    event.preventDefault();
  });

  function light(chosen, alone) {
    const onNodes = new Set(), onEdges = new Set(), onRows = new Set();
    for (const i of chosen) {
      const path = data.paths[i];
      path.forEach(([n, a], k) => {
        onNodes.add(n);
        onRows.add(`${n}-${a}`);
        if (k) onEdges.add(`${path[k - 1][0]}-${n}`);
      });
    }
    const some = chosen.length > 0, faint = some && alone;
    for (const [n, node] of nodes) {
      node.group.classList.toggle("dim", faint && !onNodes.has(n));
      node.group.classList.toggle("lit", some && onNodes.has(n));
      node.rows.forEach((row, a) => row.classList.toggle("taken", some && node.rows.length > 1 && onRows.has(`${n}-${a}`)));
    }
    for (const [key, line] of edges) {
      line.classList.toggle("dim", faint && !onEdges.has(key));
      line.classList.toggle("lit", some && onEdges.has(key));
    }
  }
  // The hot set or sets; else those that the filters leave; else the picked set.
  function refresh() {
    const left = shownSets();
    if (typeof state.hot === "number") light([state.hot], true);
    else if (state.hot !== null) light(data.sets.map((_, i) => i).filter(isHot), true);
    else if (left.length < total) light(left, true);
    else light(state.picked === null ? [] : [state.picked], false);
  }
  on("hot", refresh);
  on("pick", refresh);
  on("filter", () => {
    for (const [n, node] of nodes) if (n > 1) node.group.setAttribute("aria-pressed", String(Boolean(state.through && state.through[0] === n)));
    refresh();
  });
  // On paper all of it is in sight.
  let kept = view;
  window.addEventListener("beforeprint", () => { kept = view; view = { ...full }; show(); });
  window.addEventListener("afterprint", () => { view = kept; show(); });
  new ResizeObserver((_, self) => {
    const all = full.h * box.clientWidth / full.w; // no empty space above and below where the width decides
    if (box.clientWidth / full.w >= READABLE) box.style.maxHeight = `${Math.max(220, Math.ceil(all))}px`;
    begin();
    self.disconnect();
  }).observe(box);
  refresh();
  const tools = el("div", { class: "bar" }, button("+", () => zoom(1 / 1.3), { "aria-label": "Zoom in" }), button("−", () => zoom(1.3), { "aria-label": "Zoom out" }), button("whole graph", fit, { id: "fit" }),
    el("span", { class: "legend" }, el("span", { class: "key always" }, "in all sets"), el("span", { class: "key several" }, "one of several"), el("span", { class: "key lit" }, "the picked set, or those under the pointer")),
    el("span", { class: "mute" }, `${counted(all.solutions, "solution")}, ${nodes.size - 2} boxes, ${all.edges.length} lines`));
  return el("div", {}, el("p", { class: "mute" }, "Every way from the dot on the left to the target, with one row of each box, is a set. ", el("span", { class: "screen" }, "Drag to move; the wheel zooms once the graph was clicked, or with Ctrl.")), tools, box);
}

function lineOf(points) {
  let path = `M${points[0][0]} ${points[0][1]}`;
  for (let k = 1; k < points.length; k += 1) {
    const [x0, y0] = points[k - 1], [x1, y1] = points[k], bend = (x0 + x1) / 2;
    path += `C${bend} ${y0} ${bend} ${y1} ${x1} ${y1}`;
  }
  return path;
}
