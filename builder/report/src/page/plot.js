// A plot on a canvas: the curves of signals with one unit, over a range of time.
const LEFT = 70, RIGHT = 12, TOP = 22, BOTTOM = 30, FONT = "12px system-ui, sans-serif";
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
    Object.assign(this, { canvas, unit, lines, bands: lines.every(({ signal }) => signal.boolean) });
    [this.ground, this.ink, this.faint, this.line, this.accent] = ["ground", "ink", "faint", "line", "accent"].map(theme);
  }
  x(t) { return LEFT + (t - this.range[0]) / (this.range[1] - this.range[0]) * (this.width - LEFT - RIGHT); }
  y(v) { return this.height - BOTTOM - (v - this.low) / (this.high - this.low) * (this.height - TOP - BOTTOM); }
  time(x) { return this.range[0] + (x - LEFT) / (this.width - LEFT - RIGHT) * (this.range[1] - this.range[0]); }
  // Adds the points of a line in the range, with one on either side of it.
  points({ signal, scale }, add) {
    const { time, values } = curve(signal);
    if (values.length < 2) {
      for (const t of this.range) add(t, scale(values[0]));
      return;
    }
    const first = Math.max(0, rowsUntil(time, this.range[0]) - 2);
    const last = Math.min(time.length - 1, rowsUntil(time, this.range[1]));
    // Of more points than pixels, the least and the greatest of each half of a pixel are enough.
    const group = Math.floor((last - first) / (2 * this.width));
    for (let i = first; i <= last; i++) {
      if (group > 2 && i + group < last) {
        let [low, high] = [i, i];
        for (let k = i; k < i + group; k++) {
          if (values[k] < values[low] || isNaN(values[low])) low = k;
          if (values[k] > values[high] || isNaN(values[high])) high = k;
        }
        for (const k of [i, Math.min(low, high), Math.max(low, high)]) add(time[k], scale(values[k]));
        i += group - 1;
        continue;
      }
      if (signal.discrete && i > first) add(time[i], scale(values[i - 1]));
      add(time[i], scale(values[i]));
    }
  }
  fitValues() {
    if (this.bands) { [this.low, this.high] = [0, this.lines.length]; return; }
    let [low, high] = [Infinity, -Infinity];
    for (const { signal, scale } of this.lines) {
      const { time, values } = curve(signal), end = rowsUntil(time, this.range[1]);
      const fit = (value) => {
        const v = scale(value);
        if (Number.isFinite(v)) { low = Math.min(low, v); high = Math.max(high, v); }
      };
      for (const t of this.range) fit(valueAt(signal, t));
      for (let i = values.length < 2 ? end : Math.max(0, rowsUntil(time, this.range[0]) - 1); i < end; i++) {
        if (time[i] >= this.range[0]) fit(values[i]);
      }
    }
    if (low > high) [low, high] = [0, 1];
    const least = 1e-9 * Math.max(Math.abs(low), Math.abs(high)) || 1;
    const margin = Math.max(0.06 * (high - low), least);
    [this.low, this.high] = [low - margin, high + margin];
  }
  // Draws the curves, unless they are drawn already, and over them what moves.
  draw(range, cursor, selection, hover) {
    const ratio = devicePixelRatio || 1, [width, height] = sizeOf(this.canvas);
    const state = [...range, width, height, ratio, version].join();
    if (state !== this.state) {
      Object.assign(this, { state, range: [...range], width, height, picture: document.createElement("canvas") });
      for (const canvas of [this.canvas, this.picture]) { canvas.width = width * ratio; canvas.height = height * ratio; }
      this.curves(this.picture.getContext("2d"), ratio);
    }
    const c = this.canvas.getContext("2d");
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.clearRect(0, 0, this.canvas.width, this.canvas.height);
    if (this.picture.width && this.picture.height) c.drawImage(this.picture, 0, 0);
    c.scale(ratio, ratio);
    c.font = FONT;
    if (selection) {
      c.globalAlpha = 0.2; c.fillStyle = this.accent;
      c.fillRect(Math.min(selection[0], selection[1]), TOP, Math.abs(selection[1] - selection[0]), height - TOP - BOTTOM);
      c.globalAlpha = 1;
    }
    c.strokeStyle = this.ink; c.lineWidth = 1;
    this.upright(c, cursor);
    if (hover) {
      c.setLineDash([3, 3]); this.upright(c, hover.time); c.setLineDash([]);
      if (hover.plot === this) this.readout(c, hover.time);
    }
  }
  upright(c, t) {
    const x = this.x(t);
    if (x < LEFT || x > this.width - RIGHT) return;
    c.beginPath(); c.moveTo(x, TOP); c.lineTo(x, this.height - BOTTOM); c.stroke();
  }
  // The values of all curves at a time, beside the pointer.
  readout(c, t) {
    const texts = [[`time = ${digits(t)} s`, this.faint]];
    for (const { signal, colour } of this.lines) texts.push([`${signal.name} = ${valueText(signal, t)}`, colour]);
    const width = greatest(texts.map(([text]) => c.measureText(text).width)) + 16, height = 17 * texts.length + 8;
    const x = this.x(t) + 10 + width > this.width ? this.x(t) - 10 - width : this.x(t) + 10;
    c.fillStyle = this.ground; c.strokeStyle = this.line;
    c.beginPath(); c.roundRect(x, TOP + 6, width, height, 4); c.fill(); c.stroke();
    c.textAlign = "left"; c.textBaseline = "top";
    texts.forEach(([text, colour], i) => { c.fillStyle = colour; c.fillText(text, x + 8, TOP + 12 + 17 * i); });
  }
  curves(c, ratio) {
    c.scale(ratio, ratio);
    c.font = FONT;
    this.fitValues();
    this.axes(c);
    c.beginPath(); c.rect(LEFT, TOP, this.width - LEFT - RIGHT, this.height - TOP - BOTTOM); c.clip();
    if (this.bands) this.lines.forEach((line, i) => this.band(c, line, this.lines.length - 1 - i));
    for (const line of this.bands ? [] : this.lines) {
      c.strokeStyle = line.colour; c.lineWidth = 1.5; c.lineJoin = "bevel"; c.beginPath();
      let down = false;
      this.points(line, (t, v) => {
        const draws = Number.isFinite(v);
        if (draws && down) c.lineTo(this.x(t), this.y(v)); else if (draws) c.moveTo(this.x(t), this.y(v));
        down = draws;
      });
      c.stroke();
    }
  }
  // A band above a line: it is filled where the signal is true.
  band(c, line, row) {
    const [top, bottom] = [this.y(row + 0.8), this.y(row + 0.2)];
    c.strokeStyle = c.fillStyle = line.colour; c.lineWidth = 1;
    c.beginPath(); c.moveTo(this.x(this.range[0]), bottom); c.lineTo(this.x(this.range[1]), bottom); c.stroke();
    let from = null;
    this.points(line, (t, v) => {
      if (v > 0.5) { from ??= t; return; }
      if (from !== null) c.fillRect(this.x(from), top, Math.max(this.x(t) - this.x(from), 0.5), bottom - top);
      from = null;
    });
    if (from !== null) c.fillRect(this.x(from), top, this.x(this.range[1]) - this.x(from), bottom - top);
  }
  axes(c) {
    c.lineWidth = 1; c.strokeStyle = this.line; c.fillStyle = this.faint;
    c.textAlign = "right"; c.textBaseline = "middle";
    for (const v of this.bands ? [] : ticks(this.low, this.high, 5)) {
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
    c.textAlign = "left"; c.fillText(this.bands ? "filled while true" : this.unit ? "in " + this.unit : "without unit", LEFT, 4);
    c.textAlign = "right"; c.fillText("time in s", this.width - RIGHT, 4);
  }
}
