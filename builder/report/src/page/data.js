"use strict";
// The data of the report: decoded curves, and their values between rows.
const data = JSON.parse(document.getElementById("data").textContent);
function doubles(text) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  return Float64Array.from({ length: bytes.length / 8 }, (_, i) => view.getFloat64(8 * i, true));
}
const lists = data.curves.times.map(doubles);
const decoded = [];
// Increases when rows are added or removed: what was computed from the curves is then out of date.
let version = 0;
function curve(signal) {
  return decoded[signal.curve] ??= data.live ? growing.curve(signal.curve) : stored(data.curves.curves[signal.curve]);
}
function stored(curve) { return { time: lists[curve.times], values: doubles(curve.values) }; }
// The curves of a simulation that goes on: a column of times, and one of values for each signal.
const growing = {
  rows: 0, columns: [], time: null,
  clear() {
    this.rows = 0; this.time = null; decoded.length = 0; version += 1;
    this.columns = Array.from({ length: data.signals.length + 1 }, () => new Float64Array(1024));
  },
  curve(index) {
    const column = (k) => this.columns[k].subarray(0, this.rows);
    return { time: this.time ??= column(0), values: column(index + 1) };
  },
  // Adds rows; if they become too many, the first half is forgotten.
  append(time, rows) {
    if ((this.rows + time.length) * this.columns.length > data.live.most_values && this.rows > 1) {
      const half = this.rows >> 1;
      for (const column of this.columns) column.copyWithin(0, half, this.rows);
      this.rows -= half;
    }
    const needed = this.rows + time.length;
    if (needed > this.columns[0].length) {
      this.columns = this.columns.map((old) => {
        const larger = new Float64Array(2 * needed);
        larger.set(old);
        return larger;
      });
    }
    time.forEach((t, i) => {
      this.columns[0][this.rows] = t;
      // JSON has no numbers that are not finite.
      rows[i].forEach((value, k) => { this.columns[k + 1][this.rows] = value ?? NaN; });
      this.rows += 1;
    });
    decoded.length = 0; this.time = null; version += 1;
    if (this.rows) [span[0], span[1]] = [this.columns[0][0], this.columns[0][this.rows - 1]];
  },
};
const byName = new Map(data.signals.map((signal) => [signal.name, signal]));
const span = lists.length && lists[0].length ? [lists[0][0], lists[0].at(-1)] : data.live ? [data.live.start, data.live.stop] : [0, 1];
if (data.live) growing.clear();
// The number of rows at or before a time. Curves with common times ask for it one after the other.
const last = { time: null, t: NaN, length: 0, rows: 0 };
function rowsUntil(time, t) {
  if (time === last.time && t === last.t && time.length === last.length) return last.rows;
  Object.assign(last, { time, t, length: time.length, rows: rowsOf(time, t) });
  return last.rows;
}
function rowsOf(time, t) {
  let [low, high] = [0, time.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (time[middle] <= t) low = middle + 1; else high = middle;
  }
  return low;
}
// The value at a time: that after an event there; between rows it is linear, or held if discrete.
function valueAt(signal, t) {
  const { time, values } = curve(signal);
  if (values.length < 2) return values[0];
  const next = rowsUntil(time, t);
  if (next === 0) return values[0];
  const row = next - 1;
  if (signal.discrete || next === time.length || time[row] === t) return values[row];
  const part = (t - time[row]) / (time[next] - time[row]);
  return values[row] + part * (values[next] - values[row]);
}
function digits(value, count = 6) {
  if (!Number.isFinite(value)) return String(value);
  return String(Number(value.toPrecision(count)));
}
function element(tag, text, attributes = {}) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}
// Fills an element, and finds the greatest of numbers: a call has no room for arguments as many as data.
function fillWith(parent, children) {
  parent.replaceChildren();
  for (const child of children) parent.append(child);
}
const greatest = (numbers, least = -Infinity) => numbers.reduce((most, number) => Math.max(most, number), least);
// The parts of the page run apart from each other: one that fails is told, and leaves the others.
const parts = {
  failed: new Set(),
  run(name, work) {
    if (this.failed.has(name)) return;
    try {
      work();
    } catch (problem) {
      this.failed.add(name);
      console.error(problem);
      document.getElementById("remarks").append(element("li", `The ${name} failed: ${problem.message}.`));
    }
  },
};
const theme = (name) => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
// The size of an element in CSS pixels. To ask the browser in each frame would cost a layout of the page.
const sizes = new Map();
const watcher = new ResizeObserver((entries) => {
  const changed = entries.filter(({ target }) => String(sizes.get(target)) !== String(measured(target)));
  for (const { target } of changed) sizes.set(target, measured(target));
  if (changed.length) clock.set(clock.time);
});
const measured = (one) => [one.clientWidth, one.clientHeight];
function sizeOf(one) {
  if (!sizes.has(one)) { sizes.set(one, measured(one)); watcher.observe(one); }
  return sizes.get(one);
}
function forget(one) { sizes.delete(one); watcher.unobserve(one); }
