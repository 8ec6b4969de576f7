// The certificate: what was verified when the page was written; the second checker verifies it again, here.
async function unpacked(bytes) {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const whole = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(whole).arrayBuffer());
}

const embeddedFile = () => Uint8Array.from(atob(byId("packed").textContent), (c) => c.charCodeAt(0));

// Run the checker beside the page, which stays as it is meanwhile; `told` is called with each line.
function checkAgain(bytes, told) {
  return new Promise((done, failed) => {
    const address = URL.createObjectURL(new Blob([JSON.parse(byId("checker").textContent)], { type: "text/javascript" })), worker = new Worker(address);
    const ended = (end, what) => { worker.terminate(); URL.revokeObjectURL(address); end(what); };
    worker.onmessage = ({ data: answer }) => ("line" in answer ? told(answer.line) : ended(done, answer.code));
    worker.onerror = () => ended(failed, new Error("this browser does not run the checker; the command line does"));
    worker.postMessage(bytes);
  });
}

const mark = (good, text) => el("span", { class: good ? "mark good" : "mark bad" }, `${good ? "✓" : "✗"} ${text}`);

// Check the file again and show the lines as they come; the last must be that of when the page was written.
async function checkedHere(read, output, control) {
  const lines = el("ol", { class: "proofs", tabindex: "0", "aria-label": "Lines of the checker" }), begun = performance.now();
  let last = "", code = 2;
  control.disabled = true;
  output.replaceChildren(el("p", { class: "mute" }, "checking …"), lines);
  const told = (line) => { last = line; lines.append(el("li", {}, isolated(line))); };
  try {
    code = await checkAgain(await unpacked(await read()), told);
  } catch (fault) {
    told(`not readable: ${fault.message}`);
  }
  const good = (code === 0 || code === 3) && last === data.proof.last;
  const text = good ? `verified again in this page, in ${number((performance.now() - begun) / 1000, 2)} s` : code === 1 ? "refuted" : code === 2 ? "not readable" : "this is another certificate";
  output.firstChild.replaceWith(el("p", {}, mark(good, text)));
  control.disabled = false;
  tell(text);
}

function proofSection() {
  const known = data.proof;
  if (!known) return null;
  const output = el("div", { id: "again" }), facts = el("dl", {}), bar = el("div", { class: "bar" });
  for (const [name, value] of [["file", known.file], ["bytes", known.size.toLocaleString("en")], ["SHA-256", known.sha256]]) facts.append(el("dt", {}, name), el("dd", {}, isolated(value)));
  if (known.packed) {
    const again = button("Check again in this page", () => checkedHere(embeddedFile, output, again), { id: "check" });
    bar.append(again, button(`download ${known.file}`, async () => save(known.file, known.file.endsWith(".gz") ? embeddedFile() : await unpacked(embeddedFile()))));
  } else {
    const pick = el("input", { type: "file", id: "check", onchange: () => pick.files.length && checkedHere(async () => new Uint8Array(await pick.files[0].arrayBuffer()), output, pick) });
    bar.append(el("label", { for: "check" }, `Too large to be in this page. Open ${known.file} to check it again: `), pick);
  }
  const numbers = known.numbers ? "The numbers in it are those of this search." : "That the numbers in it are those of the data is found by altsel audit --certificate.";
  return section("proof", "What is proved", el("p", {}, mark(known.verified > 0, known.verified > 0 ? "certificate verified" : "nothing is proved")),
    el("p", { class: "mute" }, `${counted(known.verified, "claim")} proved${known.open ? `, ${known.open} not covered` : ""}, in exact arithmetic, when this page was written. ${numbers}`),
    el("ol", { class: "proofs", tabindex: "0", "aria-label": "Lines of the checker" }, ...known.lines.map((line) => el("li", {}, isolated(line)))), known.more ? el("p", { class: "mute" }, `${known.more} more lines are left out.`) : null, facts,
    el("h3", {}, "Check it again"), el("p", { class: "mute" }, "By a second checker, written from the description of the format, in this browser: nothing leaves it."), bar, output);
}
