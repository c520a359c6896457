// A plot on a canvas: the curves of signals with one unit, over a range of time.
const LEFT = 70, RIGHT = 12, TOP = 22, BOTTOM = 30;
function ticks(from, to, count) {
  const raw = (to - from) / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= raw) ?? raw;
  const found = [];
  for (let i = Math.ceil(from / step); i * step <= to && found.length < 50; i++) found.push(i * step);
  return found;
}
class Plot {
  constructor(canvas, unit, lines) {
    Object.assign(this, { canvas, unit, lines });
  }
  x(t) { return LEFT + (t - this.range[0]) / (this.range[1] - this.range[0]) * (this.width - LEFT - RIGHT); }
  y(v) { return this.height - BOTTOM - (v - this.low) / (this.high - this.low) * (this.height - TOP - BOTTOM); }
  time(x) { return this.range[0] + (x - LEFT) / (this.width - LEFT - RIGHT) * (this.range[1] - this.range[0]); }
  // The points of a line in the range, with one on either side of it.
  *points({ signal, scale }) {
    const { time, values } = curve(signal);
    if (values.length < 2) {
      for (const t of this.range) yield [t, scale(values[0])];
      return;
    }
    const first = Math.max(0, rowsUntil(time, this.range[0]) - 2);
    const last = Math.min(time.length - 1, rowsUntil(time, this.range[1]));
    for (let i = first; i <= last; i++) {
      if (signal.discrete && i > first) yield [time[i], scale(values[i - 1])];
      yield [time[i], scale(values[i])];
    }
  }
  fitValues() {
    let [low, high] = [Infinity, -Infinity];
    for (const line of this.lines) {
      for (const [t, v] of this.points(line)) {
        if (!Number.isFinite(v) || t < this.range[0] || t > this.range[1]) continue;
        low = Math.min(low, v); high = Math.max(high, v);
      }
      for (const t of this.range) {
        const v = line.scale(valueAt(line.signal, t));
        if (Number.isFinite(v)) { low = Math.min(low, v); high = Math.max(high, v); }
      }
    }
    if (low > high) [low, high] = [0, 1];
    const least = 1e-9 * Math.max(Math.abs(low), Math.abs(high)) || 1;
    const margin = Math.max(0.06 * (high - low), least);
    [this.low, this.high] = [low - margin, high + margin];
  }
  draw(range, cursor, selection) {
    this.range = range;
    const ratio = devicePixelRatio || 1;
    const { width, height } = this.canvas.getBoundingClientRect();
    Object.assign(this, { width, height });
    this.canvas.width = width * ratio; this.canvas.height = height * ratio;
    const c = this.canvas.getContext("2d");
    c.scale(ratio, ratio);
    c.font = "12px system-ui, sans-serif";
    this.fitValues();
    this.axes(c);
    c.save();
    c.beginPath(); c.rect(LEFT, TOP, width - LEFT - RIGHT, height - TOP - BOTTOM); c.clip();
    for (const line of this.lines) {
      c.strokeStyle = line.colour; c.lineWidth = 1.5; c.lineJoin = "round"; c.beginPath();
      let down = false;
      for (const [t, v] of this.points(line)) {
        if (!Number.isFinite(v)) { down = false; continue; }
        if (down) c.lineTo(this.x(t), this.y(v)); else c.moveTo(this.x(t), this.y(v));
        down = true;
      }
      c.stroke();
    }
    if (selection) {
      c.globalAlpha = 0.2; c.fillStyle = theme("accent");
      c.fillRect(Math.min(...selection), TOP, Math.abs(selection[1] - selection[0]), height);
      c.globalAlpha = 1;
    }
    c.strokeStyle = theme("ink"); c.lineWidth = 1;
    c.beginPath(); c.moveTo(this.x(cursor), TOP); c.lineTo(this.x(cursor), height); c.stroke();
    c.restore();
  }
  axes(c) {
    c.lineWidth = 1; c.strokeStyle = theme("line"); c.fillStyle = theme("faint");
    c.textAlign = "right"; c.textBaseline = "middle";
    for (const v of ticks(this.low, this.high, 5)) {
      const y = Math.round(this.y(v)) + 0.5;
      c.beginPath(); c.moveTo(LEFT, y); c.lineTo(this.width - RIGHT, y); c.stroke();
      c.fillText(digits(v, 4), LEFT - 8, y);
    }
    c.textAlign = "center"; c.textBaseline = "top";
    for (const t of ticks(this.range[0], this.range[1], 8)) {
      const x = Math.round(this.x(t)) + 0.5;
      c.beginPath(); c.moveTo(x, TOP); c.lineTo(x, this.height - BOTTOM); c.stroke();
      c.fillText(digits(t, 6), x, this.height - BOTTOM + 6);
    }
    c.textAlign = "left"; c.fillText(this.unit ? "in " + this.unit : "without unit", LEFT, 4);
    c.textAlign = "right"; c.fillText("time in s", this.width - RIGHT, 4);
  }
}
