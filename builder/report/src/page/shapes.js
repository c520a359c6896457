// The shapes of the scene: where they are at a time, and the solids of which they consist.
const shapes = {
  frames: new Map((data.scene?.frames ?? []).map((frame) => [frame.name, frame])), poses: new Map(), time: NaN, version: 0,
  number(name, t) { const signal = byName.get(name); return signal ? valueAt(signal, t) : 0; },
  // The coordinates of a frame, whose names are looked up once.
  coordinates(frame, t) {
    frame.signals ??= [frame.r_0, ...frame.T].map((row) => row.map((name) => byName.get(name)));
    return frame.signals.map((row) => row.map((signal) => signal ? valueAt(signal, t) : 0));
  },
  // The position of a frame, and the function that turns its coordinates into those of the world.
  pose(name, t) {
    if (t !== this.time || version !== this.version) { this.poses.clear(); this.time = t; this.version = version; }
    if (!this.poses.has(name)) {
      const [r_0, ...T] = this.coordinates(this.frames.get(name), t);
      const turn = (v) => [0, 1, 2].map((j) => T[0][j] * v[0] + T[1][j] * v[1] + T[2][j] * v[2]);
      this.poses.set(name, { r_0, turn });
    }
    return this.poses.get(name);
  },
  // The ends of a shape in the world.
  ends(shape, t) {
    const { r_0, turn } = this.pose(shape.frame, t), origin = plus(r_0, turn(shape.r_shape));
    if (shape.to) return [origin, this.pose(shape.to, t).r_0];
    if (shape.vector) {
      const vector = shape.vector.map((name) => this.number(name, t));
      const world = shape.resolved === "frame" ? turn(vector) : vector;
      return [origin, plus(origin, world, shape.scale * animation.scale)];
    }
    const { length } = shape, l = typeof length === "string" ? this.number(length, t) : length;
    return [origin, plus(origin, turn(shape.lengthDirection), l)];
  },
  // The axes of a shape: its length, width and height.
  axes(shape, t, [begin, end]) {
    if (!shape.lengthDirection) return along(plus(end, begin, -1));
    const { turn } = this.pose(shape.frame, t), back = typeof shape.length === "string" && this.number(shape.length, t) < 0;
    const [x, y] = [times(back || shape.length < 0 ? -1 : 1, turn(shape.lengthDirection)), turn(shape.widthDirection)];
    return [x, y, cross(x, y)];
  },
  solids(shape, t) {
    const ends = this.ends(shape, t), axes = this.axes(shape, t, ends);
    const long = Math.max(Math.hypot(...plus(ends[1], ends[0], -1)), 1e-9);
    const solid = (form, from, to, width, height = width, more = {}) => ({
      form, axes, origin: plus(ends[0], axes[0], from * long),
      size: [(to - from) * long, Math.abs(width), Math.abs(height)], colour: times(1 / 255, shape.color), ...more,
    });
    const { width, height, extra } = shape;
    switch (shape.shapeType) {
      case "spring": return [solid("coil", 0, 1, width, width, { extra, wire: height / 2 })];
      case "damper": return [solid("cylinder", 0.25, 0.6, width), solid("cylinder", 0, 1, 0.35 * width)];
      case "arrow": return arrow(solid, long, width);
      case "wheel": return wheel(solid, width);
      case "plane": return [
        { ...solid("plane", 0, 1, width), origin: ends[0], alpha: 0.25 },
        { ...solid("grid", 0, 1, width), origin: ends[0], alpha: 0.5 },
      ];
      case "cylinder": return [solid("cylinder", 0, 1, width, height, { extra })];
      default: return [solid(shape.shapeType, 0, 1, width, height)];
    }
  },
};
function arrow(solid, long, width) {
  if (long < 1e-6) return [];
  const head = Math.max(0, 1 - 3 * width / long);
  return [solid("cylinder", 0, head, 0.4 * width), solid("cone", head, 1, width)];
}
// A tyre with a hub and five spokes, of which one is light, so that one sees it turn.
function wheel(solid, width) {
  const spoke = (k) => {
    const hub = solid("box", 0.3, 0.7, 0.1 * width), [x, y, z] = hub.axes;
    const angle = 2 * Math.PI * k / 5, out = plus(times(Math.cos(angle), y), z, Math.sin(angle));
    return {
      ...hub, origin: plus(hub.origin, x, hub.size[0] / 2), axes: [out, x, cross(out, x)],
      size: [0.42 * width, hub.size[0], 0.08 * width], colour: k ? hub.colour : hub.colour.map((c) => 0.4 + 0.6 * c),
    };
  };
  return [solid("cylinder", 0, 1, width, width, { extra: 0.8 }), solid("cylinder", 0, 1, 0.2 * width), ...[0, 1, 2, 3, 4].map(spoke)];
}
