// The page: joins content, plots, animation and controls.

/** Entries of the list of signals that are shown at once; the search finds the others. */
const LISTED = 200;

const find = (id) => document.getElementById(id);

class Page {
  constructor(content, bytes) {
    this.content = content;
    this.signals = new Map(content.signals.map((s) => [s.name, new Signal(s, bytes)]));
    const shown = content.signals.filter((s) => s.shown).slice(0, 12);
    this.plotted = shown.map((s) => this.signals.get(s.name));
    const { t } = content.signals.length ? this.signals.values().next().value.read() : { t: [] };
    this.bounds = [t[0] ?? 0, t[t.length - 1] ?? 1];
    if (this.bounds[1] <= this.bounds[0]) this.bounds[1] = this.bounds[0] + 1;
    this.range = [...this.bounds];
    this.time = this.bounds[0];
    this.panels = [];
    // The many variables that only turn shapes come last in the list.
    this.turns = new Set(content.scene?.frames.flatMap((frame) => frame.T.flat()));
    this.playing = false;
    this.dark = matchMedia("(prefers-color-scheme: dark)");
  }

  colour(signal) {
    const colours = CURVES[this.dark.matches ? "dark" : "light"];
    return colours[Math.max(0, this.plotted.indexOf(signal)) % colours.length];
  }

  // What panels and controls may change.

  seek(time) {
    this.time = Math.min(this.bounds[1], Math.max(this.bounds[0], time));
    this.redraw();
  }

  zoom(at, factor) {
    const [from, to] = this.range.map((t) => at + (t - at) * factor);
    const least = (this.bounds[1] - this.bounds[0]) * 1e-7;
    if (to - from < least) return;
    this.range = [Math.max(this.bounds[0], from), Math.min(this.bounds[1], to)];
    this.redraw();
  }

  pan(by) {
    const least = this.bounds[0] - this.range[0];
    const most = this.bounds[1] - this.range[1];
    const moved = Math.min(most, Math.max(least, by));
    this.range = this.range.map((t) => t + moved);
    this.redraw();
  }

  whole() {
    this.range = [...this.bounds];
    this.redraw();
  }

  /** One panel for each unit; discrete signals have panels of their own. */
  changed() {
    const before = new Map(this.panels.map((panel) => [panel.group, panel.display]));
    const groups = new Map();
    for (const signal of this.plotted) {
      const group = signal.discrete ? ` ${signal.name}` : signal.unit ?? "";
      groups.set(group, [...groups.get(group) ?? [], signal]);
    }
    this.panels = [...groups].map(([group, signals]) => {
      const units = (this.content.units[signals[0].unit] ?? [])
        .map(([name, factor, offset]) => ({ name, factor, offset }));
      const panel = new Panel(signals[0].unit ?? "", units, this);
      const wanted = before.get(group)?.name ?? signals[0].display;
      panel.display = panel.displays.find((d) => d.name === wanted) ?? panel.display;
      return Object.assign(panel, { group, signals });
    });
    this.panels.forEach((panel) => panel.write());
    find("plots").replaceChildren(...this.panels.map((panel) => panel.figure));
    this.redraw();
  }

  /** Draws at the next frame, however many changes come before it. */
  redraw() {
    if (this.waiting) return;
    this.waiting = requestAnimationFrame(() => {
      this.waiting = 0;
      this.panels.forEach((panel) => panel.draw());
      this.stage?.draw(this.time);
      find("scrub").value = this.time;
      find("now").textContent = `${written(this.time)} s`;
    });
  }

  play(playing) {
    this.playing = playing;
    find("play").textContent = playing ? "Pause" : "Play";
    find("play").setAttribute("aria-pressed", playing);
    if (!playing) return;
    if (this.time >= this.bounds[1]) this.time = this.bounds[0];
    let last = performance.now();
    const step = (now) => {
      if (!this.playing) return;
      let time = this.time + Math.max(0, now - last) / 1000 * Number(find("speed").value);
      last = now;
      if (time >= this.bounds[1]) {
        if (!find("loop").checked) this.play(false);
        time = this.playing ? this.bounds[0] : this.bounds[1];
      }
      this.seek(time);
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  // The parts of the page.

  list() {
    const wanted = find("search").value.toLowerCase();
    const matching = [...this.signals.values()].filter((s) => s.name.toLowerCase().includes(wanted))
      .sort((a, b) => b.shown - a.shown || this.turns.has(a.name) - this.turns.has(b.name));
    const items = matching.slice(0, LISTED).map((signal) => {
      const box = element("input", { type: "checkbox" });
      box.checked = this.plotted.includes(signal);
      box.addEventListener("change", () => {
        this.plotted = this.plotted.filter((s) => s !== signal);
        if (box.checked) this.plotted.push(signal);
        this.changed();
      });
      const label = element("label", { title: signal.description ?? "" },
        box, signal.name, element("span", {}, signal.unit ?? ""));
      return element("li", {}, label);
    });
    find("signals").replaceChildren(...items);
    const rest = matching.length - items.length;
    find("more").textContent = rest > 0 ? `and ${rest} more; search to see them` : "";
  }

  tables() {
    const { content } = this;
    find("description").textContent = content.description ?? "";
    const fact = ([name, value]) => element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, value));
    find("facts").tBodies[0].append(...content.facts.map(fact));
    const parameter = ([name, value, unit, text, changed]) => element("tr", {},
      element("td", {}, name), element("td", { class: "number" }, value + (changed ? " (set)" : "")),
      element("td", {}, unit && unit !== "1" ? unit : ""), element("td", {}, text));
    find("parameters").tBodies[0].append(...content.parameters.map(parameter));
    const event = ([time, cause]) => {
      const button = element("button", { type: "button" }, element("span", {}, `${written(time)} s`), cause);
      button.addEventListener("click", () => {
        for (const other of find("events").querySelectorAll("[aria-current]")) other.removeAttribute("aria-current");
        button.setAttribute("aria-current", "true");
        this.play(false);
        this.seek(time);
      });
      return element("li", {}, button);
    };
    find("events").append(...content.events.map(event));
    const rest = content.eventCount - content.events.length;
    find("eventCount").textContent = content.eventCount === 0 ? "No events."
      : rest > 0 ? `and ${rest} later ones` : "";
    find("notes").hidden = content.notes.length === 0;
    find("notes").append(...content.notes.map((note) => element("p", {}, note)));
    const thinned = [...this.signals.values()].some((s) => s.count < content.rows);
    const remarks = [];
    if (thinned) remarks.push(`Curves are thinned for display: of ${content.rows} rows they keep the extremes `
      + "of each column of pixels, and the rows at jumps. The table has all values.");
    if (content.megabytes) remarks.push(`This page is large: its numbers take ${content.megabytes} MB.`);
    find("thinned").textContent = remarks.join(" ");
    find("foot").textContent = content.tool ? `FMU by ${content.tool}` : "";
  }

  animate() {
    const { scene } = this.content;
    if (!scene) return;
    find("animation").hidden = false;
    try {
      this.stage = new Stage(find("stage"), scene, this.signals);
    } catch (error) {
      find("stage").replaceWith(element("p", { class: "quiet" }, `No animation: ${error.message}.`));
      return;
    }
    this.stage.changed = () => this.redraw();
    const [from, to] = this.bounds;
    const fit = () => {
      this.stage.fit(Array.from({ length: 40 }, (_, k) => from + (to - from) * k / 39));
      this.redraw();
    };
    fit();
    find("fit").addEventListener("click", fit);
    for (const button of document.querySelectorAll("[data-view]"))
      button.addEventListener("click", () => this.stage.view(button.dataset.view));
    const frames = [...this.stage.frames].filter(([, frame]) => frame.known).map(([name]) => name);
    find("follow").append(...frames.map((name) => element("option", { value: name }, name)));
    find("follow").addEventListener("change", () => {
      this.stage.followed = find("follow").value;
      this.redraw();
    });
  }

  control() {
    const scrub = find("scrub");
    [scrub.min, scrub.max] = this.bounds;
    scrub.addEventListener("input", () => this.seek(Number(scrub.value)));
    find("play").addEventListener("click", () => this.play(!this.playing));
    find("whole").addEventListener("click", () => this.whole());
    find("search").addEventListener("input", () => this.list());
    addEventListener("resize", () => this.redraw());
    this.dark.addEventListener("change", () => this.changed());
    addEventListener("keydown", (event) => this.key(event));
  }

  /** Keys work wherever no control needs them itself. */
  key(event) {
    if (event.target.matches("input, select, button, textarea") || event.ctrlKey || event.metaKey) return;
    const step = (this.range[1] - this.range[0]) / 100;
    const view = { 0: "iso", 1: "front", 2: "side", 3: "top" }[event.key];
    const actions = {
      " ": () => this.play(!this.playing), Home: () => this.whole(), f: () => find("fit").click(),
      ArrowLeft: () => this.seek(this.time - step), ArrowRight: () => this.seek(this.time + step),
      "+": () => this.zoom(this.time, 0.8), "-": () => this.zoom(this.time, 1.25),
    };
    const action = view && this.stage ? () => this.stage.view(view) : actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }
}

const bytes = await unpackedNumbers(find("numbers").textContent);
const page = new Page(JSON.parse(find("content").textContent), bytes);
page.tables();
page.list();
page.animate();
page.control();
page.changed();
// The one name that others may use: scripts that test the page, or that embed it.
globalThis.couplerReport = page;
