// The question as code, and answers as files.
function copySection() {
  const box = el("div", { id: "copy" });
  async function refresh() {
    if (state.tab !== "copy") return;
    const event = await beside({ do: "copy" });
    if (event === null || state.tab !== "copy") return;
    if (event.fault) { box.replaceChildren(el("p", { class: "bad" }, event.fault.message)); return; }
    const told = event.answer;
    const part = (title, text, key) => (text ? [el("h3", {}, title, " ", button("copy", (click) => copyText(text, click.target), { "data-key": `copy ${key}` })), el("pre", { id: `text-${key}`, tabindex: "0" }, text)] : []);
    const save = (form, text) => button(text, () => saveFile(form), { "data-key": `save ${form}` });
    box.replaceChildren(...part("As Python", told.python, "python"), ...part("As a command", told.command, "command"), ...(told.command ? [] : [el("p", { class: "mute" }, "There is no command: the rows are a variable of yours, and no file.")]), ...part("Rules as a file, rules.toml", told.rules, "rules"),
      el("h3", {}, "Save"), el("div", { class: "bar" }, save("json", "sets (JSON)"), save("near", "near-optimal sets (JSON)"), save("rules", "rules (TOML)"), save("report", "report (HTML)"), save("certificate", "certificate of the sets")), el("p", { id: "saved", class: "mute", role: "status" }));
  }
  on("tab", refresh);
  on("settings", refresh);
  return box;
}

async function copyText(text, by) {
  try {
    await navigator.clipboard.writeText(text);
    by.textContent = "copied";
  } catch {
    by.textContent = "select it below";
  }
  setTimeout(() => { by.textContent = "copy"; }, 1500);
}

async function saveFile(form) {
  const told = byId("saved");
  told.textContent = "…";
  const event = await send({ do: "save", form });
  if (event.fault) { told.textContent = event.fault.message; return; }
  const link = el("a", { download: event.answer.name, href: URL.createObjectURL(new Blob([event.answer.text], { type: event.answer.type })) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  told.textContent = `saved: ${event.answer.name}`;
}
