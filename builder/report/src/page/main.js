// Fills the page and connects its parts.
function line(texts) {
  const made = element("tr");
  for (const text of texts) made.append(element("td", text));
  return made;
}
function eventLine({ time, cause }) {
  const made = line(["", cause]);
  const button = element("button", digits(time, 9), { "aria-label": `Move the cursor to ${digits(time, 9)} s` });
  button.addEventListener("click", () => { clock.play(false); clock.set(time); });
  made.cells[0].append(button);
  return made;
}
function fill() {
  const id = (name) => document.getElementById(name);
  id("title").textContent = data.title;
  id("description").textContent = data.description;
  fillWith(id("remarks"), data.remarks.map((remark) => element("li", remark)));
  fillWith(id("summary"), data.summary.map(({ heading, facts }) => {
    const part = element("div"), table = element("table");
    for (const [name, value] of facts) {
      const line = element("tr");
      line.append(element("th", name, { scope: "row" }), element("td", value));
      table.append(line);
    }
    part.append(element("h3", heading), table);
    return part;
  }));
  fillWith(id("parameters").tBodies[0], data.parameters.map((p) => line([p.name, p.value, p.unit, p.description])));
  fillWith(id("events").tBodies[0], data.events.map(eventLine));
  if (!data.events.length && !data.live) id("events").tBodies[0].append(line(["none", ""]));
  const { rows, thinned } = data.curves;
  id("rows").textContent = thinned
    ? `The curves are thinned for display: of ${rows} rows they keep the least and the greatest value of each interval, and the rows at events.`
    : `All ${rows} rows are shown.`;
  id("units").hidden = !data.signals.some((signal) => signal.display);
}
function connect() {
  const id = (name) => document.getElementById(name);
  const scrub = id("scrub");
  [scrub.min, scrub.max] = span;
  scrub.addEventListener("input", () => { clock.play(false); clock.set(Number(scrub.value)); });
  id("play").addEventListener("click", () => clock.play(!clock.playing));
  id("search").addEventListener("input", () => plots.list());
  id("display").addEventListener("change", (event) => {
    plots.display = event.target.checked;
    plots.arrange(); plots.list();
  });
  clock.tell("clock", (time) => {
    scrub.value = time;
    id("now").textContent = time.toFixed(4) + " s";
  });
  clock.tell("plots", () => plots.draw());
  // On paper, the colours are those of the light theme.
  for (const change of ["beforeprint", "afterprint"]) addEventListener(change, () => plots.arrange());
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { plots.arrange(); plots.list(); });
  document.addEventListener("keydown", (event) => {
    if (event.target.closest("button, select, input")) return;
    const step = (span[1] - span[0]) / (event.shiftKey ? 20 : 200);
    if (event.key === " ") clock.play(!clock.playing);
    else if (event.key === "ArrowRight") clock.set(clock.time + step);
    else if (event.key === "ArrowLeft") clock.set(clock.time - step);
    else return;
    event.preventDefault();
  });
}
for (const signal of data.signals) if (signal.shown && plots.shown.size < 10) plots.shown.add(signal);
fill();
connect();
parts.run("plots", () => { plots.list(); plots.arrange(); });
if (data.scene) parts.run("animation", () => animation.start());
parts.run("diagram", () => diagram.start());
clock.set(span[0]);
