// The host of a notebook: a model that carries messages to the kernel; a root of its own keeps styles apart.
export default {
  render({ model, el: place }) {
    const outer = document.createElement("div"), shadow = outer.attachShadow({ mode: "open" });
    const look = document.createElement("style"), box = document.createElement("div"), waiting = new Map();
    look.textContent = STYLE;
    box.id = "explorer";
    box.className = "explorer";
    shadow.append(look, box);
    place.append(outer);
    const receive = ({ ticket, event }) => {
      const one = waiting.get(ticket);
      if (!one) return;
      if (event.said) one.said(event.said);
      else { waiting.delete(ticket); one.resolve(event); }
    };
    model.on("msg:custom", receive);
    explorer(shadow, {
      ask: (message, ticket, said) => new Promise((resolve) => { waiting.set(ticket, { resolve, said }); model.send({ ticket, message }); }),
      stop: (ticket) => model.send({ stop: ticket }),
    });
    return () => model.off("msg:custom", receive);
  },
};
