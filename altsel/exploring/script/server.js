// The host of a browser: a server on this machine, which knows its page by a token in the address.
const stored = () => { try { return sessionStorage.getItem("altsel") || ""; } catch { return ""; } };
const token = location.hash.slice(1) || stored();
try { sessionStorage.setItem("altsel", token); } catch { /* then the address keeps it */ }
if (location.hash) window.history.replaceState(null, "", location.pathname);

const post = (path, body) => fetch(path, { method: "POST", cache: "no-store", credentials: "omit", headers: { "Content-Type": "application/json", Authorization: `Bearer ${token}` }, body: JSON.stringify(body) });

async function ask(message, ticket, said) {
  let response;
  try {
    response = await post("/answer", { ticket, message });
  } catch {
    throw new Error("the explorer has ended: start it again, altsel explore");
  }
  if (!response.ok) throw new Error((await response.text()).trim());
  const reader = response.body.getReader(), decoder = new TextDecoder();
  let text = "", last = null;
  for (;;) {
    const { done, value } = await reader.read();
    text += done ? decoder.decode() : decoder.decode(value, { stream: true });
    const lines = text.split("\n");
    text = lines.pop();
    for (const line of lines.filter(Boolean)) {
      last = JSON.parse(line);
      if (last.said) said(last.said);
    }
    if (done) break;
  }
  if (!last || last.said) throw new Error("the explorer has ended: start it again, altsel explore");
  return last;
}

setInterval(() => { if (!document.hidden) post("/here", {}).catch(() => {}); }, 60000);
explorer(document, { ask, stop: (ticket) => post("/stop", { ticket }).catch(() => {}) });
