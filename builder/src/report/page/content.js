// The content of the report: signals with their numbers, and how numbers are written.

/** Unpacks all numbers of the page. */
async function unpackedNumbers(text) {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** An array of numbers of 8 or 4 bytes, which are stored by significance. */
function numbersAt(bytes, start, count, width) {
  const plain = new Uint8Array(count * width);
  for (let significance = 0; significance < width; significance++) {
    const from = start + significance * count;
    for (let i = 0; i < count; i++) plain[i * width + significance] = bytes[from + i];
  }
  return width === 8 ? new Float64Array(plain.buffer) : new Float32Array(plain.buffer);
}

/** A recorded variable; its numbers are unpacked when they are first read. */
class Signal {
  constructor(description, bytes) {
    Object.assign(this, description);
    this.source = { bytes, times: description.times, values: description.values };
    this.numbers = null;
  }

  read() {
    const { bytes, times, values } = this.source;
    this.numbers ??= {
      t: numbersAt(bytes, times, this.count, 8), y: numbersAt(bytes, values, this.count, this.width),
    };
    return this.numbers;
  }

  /** The index of the last point that is not after a time. */
  indexAt(time) {
    const { t } = this.read();
    let [low, high] = [0, t.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (t[middle] <= time) low = middle + 1; else high = middle;
    }
    return Math.max(0, low - 1);
  }

  /** The value at a time: on the line between two points, or that of the last point. */
  at(time) {
    const { t, y } = this.read();
    if (!t.length) return NaN;
    const i = this.indexAt(time);
    if (this.discrete || i + 1 >= t.length || time <= t[i]) return y[i];
    return y[i] + (y[i + 1] - y[i]) * (time - t[i]) / (t[i + 1] - t[i]);
  }
}

/** A number with at most six digits. */
function written(value) {
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e6 || size < 1e-4)) return value.toExponential(4).replace(/\.?0+e/, "e");
  return String(Number(value.toPrecision(6)));
}

/** An element with attributes and children. */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}
