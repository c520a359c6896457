// The diagram: the parts of its symbols move with the variables that their attributes name.
const diagram = {
  parts: [], version: -1,
  states: new Map([[-1, "slips"], [0, "stuck"], [1, "slips"], [2, "free"]]),
  // The range of a signal's values, of which those that were seen before are known.
  range(signal, { low = Infinity, high = -Infinity, seen = 0 } = {}) {
    const { values } = curve(signal);
    if (values.length < seen) [low, high, seen] = [Infinity, -Infinity, 0];
    for (const v of values.subarray(seen)) if (Number.isFinite(v)) { low = Math.min(low, v); high = Math.max(high, v); }
    const known = { low, high, seen: values.length };
    return low > high ? { ...known, middle: 0, half: 0 } : { ...known, middle: (low + high) / 2, half: (high - low) / 2, most: Math.max(-low, high) };
  },
  measure() {
    this.version = version;
    for (const part of this.parts) part.range = this.range(part.signal, part.range);
    const widest = greatest(this.parts.filter((p) => p.kind === "slide").map((p) => p.range.half), 0);
    this.scale = widest > 0 ? 14 / widest : 0;
  },
  draw() {
    if (this.version !== version) this.measure();
    for (const { kind, part, signal, range } of this.parts) this[kind](part, valueAt(signal, clock.time), range);
  },
  // Positive angles turn counterclockwise.
  turn(part, phi) { if (Number.isFinite(phi)) part.setAttribute("transform", `rotate(${-(phi * 180 / Math.PI) % 360})`); },
  slide(part, s, { middle }) { if (Number.isFinite(s)) part.setAttribute("transform", `translate(${this.scale * (s - middle)} 0)`); },
  stretch(part, s, { middle, half }) {
    if (Number.isFinite(s)) part.setAttribute("transform", `scale(${1 + (half > 0 ? 0.35 * (s - middle) / half : 0)} 1)`);
  },
  force(part, value, { most }) {
    const strength = most > 0 ? value / most : 0;
    part.dataset.sign = Math.abs(strength) < 1e-3 ? "zero" : strength > 0 ? "positive" : "negative";
    part.style.setProperty("--strength", Math.min(1, Math.abs(strength) || 0).toFixed(3));
  },
  mode(part, value) {
    const state = this.states.get(value) ?? "unknown";
    if (part.dataset.state === state) return;
    part.dataset.state = state;
    part.querySelector(".state").textContent = state;
    this.label(part.closest("[data-component]"));
  },
  // The signals of a component, without those of its connectors.
  signals(component) {
    const begin = component.dataset.component + ".";
    return data.signals.filter(({ name }) => name.startsWith(begin) && !name.slice(begin.length).includes("."));
  },
  label(component) {
    const states = [...component.querySelectorAll("[data-state]")].map((part) => part.dataset.state);
    component.setAttribute("aria-label", [component.dataset.component, ...states].join(", "));
  },
  describe(component) {
    const title = component.querySelector("title");
    component.dataset.type ??= title.textContent;
    const values = this.signals(component).slice(0, 12).map((s) => `${s.name} = ${valueText(s)}`);
    title.textContent = [component.dataset.type, ...values].join("\n");
  },
  choose(component) {
    const search = document.getElementById("search"), signals = this.signals(component).slice(0, 6);
    search.value = component.dataset.component + ".";
    const shown = signals.every((signal) => plots.shown.has(signal));
    for (const signal of signals) if (shown) plots.shown.delete(signal); else plots.shown.add(signal);
    plots.list(); plots.arrange();
  },
  start() {
    const svg = document.querySelector("svg.diagram");
    if (!svg) return;
    for (const kind of ["turn", "slide", "stretch", "force", "mode"]) {
      for (const part of svg.querySelectorAll(`[data-${kind}]`)) {
        const signal = byName.get(part.dataset[kind]);
        if (signal) this.parts.push({ kind, part, signal });
      }
    }
    svg.setAttribute("role", "group");
    for (const component of svg.querySelectorAll("[data-component]")) {
      component.setAttribute("role", "button"); component.setAttribute("tabindex", "0");
      this.label(component);
      component.addEventListener("pointerenter", () => this.describe(component));
      component.addEventListener("click", () => this.choose(component));
      component.addEventListener("keydown", (event) => { if (event.key === "Enter") this.choose(component); });
    }
    clock.tell("diagram", () => this.draw());
  },
};
