// Plots: one panel for the signals of one unit. All panels share the range of time and the cursor.

/** Colours of curves, each with a contrast of at least 3 to its background. */
const CURVES = {
  light: ["#1f5fbf", "#c2410c", "#15803d", "#9333ea", "#b8217a", "#0e7490", "#8a6100", "#4b5563"],
  dark: ["#7db0ff", "#ff9a5c", "#5fd38a", "#c79bff", "#ff8ac6", "#4fd0e6", "#e3bd4a", "#b4bec9"],
};

const MARGIN = { left: 64, right: 12, top: 8, bottom: 26 };

/** Round numbers in a range, about `count` of them. */
function ticks(low, high, count) {
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough) ?? rough;
  const all = [];
  for (let k = Math.ceil(low / step); k * step <= high && all.length < 50; k++) all.push(k * step);
  return all;
}

class Panel {
  /** `view` holds what panels share: the range of time, the cursor, what to do at changes. */
  constructor(unit, displays, view) {
    Object.assign(this, { unit, view, signals: [] });
    this.displays = [{ name: unit, factor: 1, offset: 0 }, ...displays];
    this.display = this.displays[0];
    this.caption = element("figcaption");
    this.canvas = element("canvas", { role: "img", tabindex: "0" });
    this.figure = element("figure", {}, this.caption, this.canvas);
    this.listen();
  }

  shown(value) {
    return this.display.factor * value + this.display.offset;
  }

  /** Pixels of a time and of a value, and the time of a pixel. */
  x(time) {
    const [from, to] = this.view.range;
    return MARGIN.left + (time - from) / (to - from) * this.width;
  }

  y(value) {
    const [low, high] = this.limits;
    return MARGIN.top + (high - this.shown(value)) / (high - low) * this.height;
  }

  timeAt(x) {
    const [from, to] = this.view.range;
    return from + (x - MARGIN.left) / this.width * (to - from);
  }

  /** Wheel and drag with Shift or the second button: zoom and pan; click or drag: the cursor. */
  listen() {
    const { canvas, view } = this;
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      view.zoom(this.timeAt(event.offsetX), Math.exp(event.deltaY * 0.002));
    }, { passive: false });
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      this.drag = { x: event.offsetX, pan: event.shiftKey || event.button !== 0 };
      if (!this.drag.pan) view.seek(this.timeAt(event.offsetX));
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!this.drag) return;
      if (this.drag.pan) {
        view.pan(this.timeAt(this.drag.x) - this.timeAt(event.offsetX));
        this.drag.x = event.offsetX;
      } else view.seek(this.timeAt(event.offsetX));
    });
    for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, () => { this.drag = null; });
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("dblclick", () => view.whole());
  }

  /** The caption: names with their values at the cursor, and the choice of the display unit. */
  write() {
    this.values = this.signals.map((signal) => {
      const value = element("b");
      this.caption.append(element("span", {}, this.key(signal), signal.name, " ", value));
      return value;
    });
    const choice = element("select", { "aria-label": "Unit" },
      ...this.displays.map((d) => element("option", {}, d.name)));
    choice.addEventListener("change", () => {
      this.display = this.displays[choice.selectedIndex];
      this.view.changed();
    });
    choice.selectedIndex = this.displays.indexOf(this.display);
    if (this.displays.length > 1) this.caption.append(choice);
    const names = this.signals.map((s) => s.name).join(", ");
    this.canvas.setAttribute("aria-label", `Plot of ${names} over time; arrow keys move the cursor`);
  }

  key(signal) {
    const key = element("i");
    key.style.background = this.view.colour(signal);
    return key;
  }

  /** The range of the values that are in sight, with a little room. */
  fit() {
    let [low, high] = [Infinity, -Infinity];
    for (const signal of this.signals) {
      const { y } = signal.read();
      const [from, to] = this.view.range.map((time) => signal.indexAt(time));
      for (let i = from; i <= Math.min(to + 1, y.length - 1); i++) {
        const value = this.shown(y[i]);
        if (value < low) low = value;
        if (value > high) high = value;
      }
    }
    if (!(low <= high)) [low, high] = [-1, 1];
    const room = (high - low) * 0.06 || Math.abs(high) * 0.1 || 1;
    this.limits = [low - room, high + room];
  }

  draw() {
    const ratio = devicePixelRatio || 1;
    const box = this.canvas.getBoundingClientRect();
    const tall = this.signals.every((s) => s.discrete) ? 120 : 220;
    this.canvas.style.height = `${tall}px`;
    this.canvas.width = Math.round(box.width * ratio);
    this.canvas.height = Math.round(tall * ratio);
    this.width = box.width - MARGIN.left - MARGIN.right;
    this.height = tall - MARGIN.top - MARGIN.bottom;
    const c = this.canvas.getContext("2d");
    c.scale(ratio, ratio);
    this.fit();
    this.axes(c);
    c.save();
    c.beginPath();
    c.rect(MARGIN.left, MARGIN.top - 2, this.width, this.height + 4);
    c.clip();
    for (const signal of this.signals) this.curve(c, signal);
    this.cursor(c);
    c.restore();
    this.signals.forEach((signal, k) => {
      this.values[k].textContent = written(this.shown(signal.at(this.view.time)));
    });
  }

  axes(c) {
    const style = getComputedStyle(document.documentElement);
    const [line, quiet] = ["--line", "--quiet"].map((name) => style.getPropertyValue(name));
    c.font = "11px system-ui, sans-serif";
    c.lineWidth = 1;
    c.strokeStyle = line;
    c.fillStyle = quiet;
    const bottom = MARGIN.top + this.height;
    c.textAlign = "right";
    c.textBaseline = "middle";
    for (const tick of ticks(...this.limits, this.height / 40)) {
      const y = Math.round(this.y((tick - this.display.offset) / this.display.factor)) + 0.5;
      c.beginPath(); c.moveTo(MARGIN.left, y); c.lineTo(MARGIN.left + this.width, y); c.stroke();
      c.fillText(written(tick), MARGIN.left - 8, y);
    }
    c.textBaseline = "top";
    c.textAlign = "center";
    for (const tick of ticks(...this.view.range, this.width / 90)) {
      const x = Math.round(this.x(tick)) + 0.5;
      c.beginPath(); c.moveTo(x, MARGIN.top); c.lineTo(x, bottom); c.stroke();
      if (x < MARGIN.left + this.width - 72) c.fillText(written(tick), x, bottom + 7);
    }
    c.textAlign = "right";
    c.fillText("time in s", MARGIN.left + this.width, bottom + 7);
    c.save();
    c.translate(4, MARGIN.top + this.height / 2);
    c.rotate(-Math.PI / 2);
    c.textAlign = "center";
    c.fillText(this.display.name || "", 0, 0);
    c.restore();
  }

  curve(c, signal) {
    const { t, y } = signal.read();
    const [from, to] = this.view.range.map((time) => signal.indexAt(time));
    c.strokeStyle = this.view.colour(signal);
    c.lineWidth = 1.5;
    c.lineJoin = "round";
    c.beginPath();
    for (let i = Math.max(0, from - 1); i <= Math.min(to + 1, t.length - 1); i++) {
      const [px, py] = [this.x(t[i]), this.y(y[i])];
      if (signal.discrete && i > 0) c.lineTo(px, this.y(y[i - 1]));
      c.lineTo(px, py);
    }
    c.stroke();
  }

  cursor(c) {
    const style = getComputedStyle(document.documentElement);
    const x = this.x(this.view.time);
    c.strokeStyle = style.getPropertyValue("--ink");
    c.lineWidth = 1;
    c.globalAlpha = 0.6;
    c.beginPath(); c.moveTo(x, MARGIN.top); c.lineTo(x, MARGIN.top + this.height); c.stroke();
    c.globalAlpha = 1;
    for (const signal of this.signals) {
      c.fillStyle = this.view.colour(signal);
      c.beginPath();
      c.arc(x, this.y(signal.at(this.view.time)), 3, 0, 2 * Math.PI);
      c.fill();
    }
  }
}
