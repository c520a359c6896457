// All plots, one for each unit; the list of signals; zoom and cursor.
const LIGHT = ["#1f6fb4", "#c1520b", "#2b8a3e", "#c92a2a", "#7048b8", "#8a5a32", "#b02a80", "#5f6672", "#7a7d00", "#0b7f8a"];
const DARK = ["#6db3f2", "#f5a05a", "#6fcf83", "#f58080", "#b99af0", "#cfa27c", "#ee8fce", "#b7bdc7", "#d3d65a", "#5fd0dc"];
const MOST_LISTED = 300;
const plots = {
  shown: new Set(), range: [...span], all: [], selection: null, hover: null, display: false,
  written: 0, placed: new Set((data.scene?.frames ?? []).flatMap((frame) => [frame.r_0, frame.T].flat(2))),
  scale(signal) {
    const unit = this.display && signal.display;
    return unit ? (v) => unit.factor * v + unit.offset : (v) => v;
  },
  unit(signal) { return this.display && signal.display ? signal.display.name : signal.unit; },
  colour(signal) {
    const dark = matchMedia("(prefers-color-scheme: dark)").matches && !matchMedia("print").matches;
    return (dark ? DARK : LIGHT)[[...this.shown].indexOf(signal) % LIGHT.length];
  },
  // Makes the canvases for the signals that are shown.
  arrange() {
    const box = document.getElementById("plots");
    for (const plot of this.all) forget(plot.canvas);
    box.replaceChildren();
    const groups = new Map();
    for (const signal of this.shown) {
      const unit = this.unit(signal);
      const key = signal.boolean ? "Boolean" : signal.discrete ? "discrete " + unit : unit;
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push({ signal, scale: this.scale(signal), colour: this.colour(signal) });
    }
    this.all = [...groups.values()].map((lines) => {
      const names = lines.map((line) => line.signal.name).join(", ");
      const holder = element("div", undefined, { class: "plot" });
      const canvas = element("canvas", undefined, { role: "img", "aria-label": "Curves of " + names, tabindex: "0" });
      holder.append(canvas); box.append(holder);
      const plot = new Plot(canvas, this.unit(lines[0].signal), lines);
      listen(plot);
      return plot;
    });
    this.draw();
  },
  draw() {
    for (const plot of this.all) plot.draw(this.range, clock.time, this.selection, this.hover);
    // While time runs, nobody reads numbers that change faster.
    if (clock.playing && performance.now() - this.written < 100) return;
    this.written = performance.now();
    for (const cell of document.querySelectorAll("#signals .value")) {
      cell.textContent = valueText(byName.get(cell.dataset.name));
    }
  },
  zoom(range) {
    let [from, to] = range;
    const least = 1e-9 * (span[1] - span[0]);
    if (!(to - from > least)) return;
    from = Math.max(from, span[0]); to = Math.min(to, span[1]);
    if (to > from) { this.range = [from, to]; this.draw(); }
  },
  pan(shift) {
    const width = this.range[1] - this.range[0];
    const from = Math.min(Math.max(this.range[0] + shift, span[0]), span[1] - width);
    this.zoom([from, from + width]);
  },
  list() {
    const wanted = document.getElementById("search").value.toLowerCase();
    const found = data.signals.filter((s) => (s.name + " " + s.description).toLowerCase().includes(wanted));
    // What is shown is first, and what only places shapes is last.
    const rank = (s) => this.shown.has(s) ? 0 : this.placed.has(s.name) ? 2 : 1;
    found.sort((a, b) => rank(a) - rank(b));
    fillWith(document.getElementById("signals"), found.slice(0, MOST_LISTED).map(row));
    const more = found.length - MOST_LISTED;
    document.getElementById("more").textContent = more > 0 ? `and ${more} more: search for them` : "";
  },
};
function valueText(signal, t = clock.time) {
  const value = valueAt(signal, t);
  const item = signal.items.find(([number]) => number === value);
  return item ? item[1] : digits(plots.scale(signal)(value)) + (plots.unit(signal) ? " " + plots.unit(signal) : "");
}
function row(signal) {
  const item = element("li");
  const label = element("label", undefined, { title: signal.description });
  const box = element("input", undefined, { type: "checkbox" });
  box.checked = plots.shown.has(signal);
  const swatch = element("span", undefined, { class: "swatch" });
  if (box.checked) swatch.style.background = plots.colour(signal);
  const value = element("span", valueText(signal), { class: "value", "data-name": signal.name });
  label.append(box, swatch, element("span", signal.name, { class: "name" }), value);
  box.addEventListener("change", () => {
    if (box.checked) plots.shown.add(signal); else plots.shown.delete(signal);
    plots.arrange();
    for (const other of document.querySelectorAll("#signals li")) {
      const known = byName.get(other.querySelector(".value").dataset.name);
      other.querySelector(".swatch").style.background = plots.shown.has(known) ? plots.colour(known) : "";
    }
  });
  item.append(label);
  return item;
}
// Zoom by drag, wheel and keys, pan by shift and drag, cursor by a click, values below the pointer.
function listen(plot) {
  const { canvas } = plot;
  const at = (event) => event.clientX - canvas.getBoundingClientRect().left;
  let begin = null;
  canvas.addEventListener("pointerdown", (event) => {
    begin = { x: at(event), last: at(event), pans: event.shiftKey || event.button === 1 };
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    const x = at(event);
    if (!begin) {
      const t = plot.time(x);
      plots.hover = t >= plots.range[0] && t <= plots.range[1] ? { plot, time: t } : null;
      plots.draw();
      return;
    }
    plots.hover = null;
    if (begin.pans) { plots.pan(plot.time(begin.last) - plot.time(x)); begin.last = x; }
    else { plots.selection = [begin.x, x]; plots.draw(); }
  });
  canvas.addEventListener("pointerleave", () => { plots.hover = null; plots.draw(); });
  canvas.addEventListener("pointercancel", () => { begin = null; plots.selection = null; plots.draw(); });
  canvas.addEventListener("pointerup", (event) => {
    if (!begin) return;
    const [from, to] = [begin.x, at(event)].sort((a, b) => a - b);
    const { pans } = begin;
    begin = null; plots.selection = null;
    if (to - from < 4) clock.set(plot.time(to));
    else if (!pans) plots.zoom([plot.time(from), plot.time(to)]);
    plots.draw();
  });
  const scale = (factor, t) => plots.zoom(plots.range.map((end) => t + factor * (end - t)));
  canvas.addEventListener("dblclick", () => plots.zoom(span));
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    scale(Math.exp(event.deltaY * 0.002), plot.time(at(event)));
  }, { passive: false });
  canvas.addEventListener("keydown", (event) => {
    if (event.key === "+" || event.key === "=") scale(0.7, clock.time);
    else if (event.key === "-") scale(1 / 0.7, clock.time);
    else if (event.key === "Home") plots.zoom(span);
    else return;
    event.preventDefault();
  });
}
