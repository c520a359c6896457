// The camera: it looks from a distance at a target; yaw turns it about the direction upwards, and
// pitch lifts it.
const HALF_ANGLE = 0.35;
class Camera {
  constructor(up) {
    this.up = unit(up);
    const level = Math.abs(this.up[0]) > 0.9 ? [0, 1, 0] : [1, 0, 0];
    this.right = unit(plus(level, this.up, -dot(level, this.up)));
    this.back = cross(this.right, this.up);
    Object.assign(this, { yaw: 0.6, pitch: 0.4, distance: 3, target: [0, 0, 0] });
  }
  // The directions to the right and upwards in the picture and towards the viewer, and the viewer.
  axes() {
    const [cy, sy, cp, sp] = [Math.cos(this.yaw), Math.sin(this.yaw), Math.cos(this.pitch), Math.sin(this.pitch)];
    const level = plus(times(sy, this.right), this.back, cy), right = plus(times(cy, this.right), this.back, -sy);
    const back = plus(times(cp, level), this.up, sp);
    return { right, up: cross(back, right), back, eye: plus(this.target, back, this.distance) };
  }
  matrix(aspect) {
    const { right, up, back, eye } = this.axes(), f = 1 / Math.tan(HALF_ANGLE);
    const near = this.distance / 100, far = this.distance * 100;
    const [a, b] = [(far + near) / (near - far), 2 * far * near / (near - far)];
    const rows = [[...right, -dot(right, eye)], [...up, -dot(up, eye)], [...back, -dot(back, eye)]];
    return [0, 1, 2, 3].flatMap((k) => [f / aspect * rows[0][k], f * rows[1][k], a * rows[2][k] + (k === 3 ? b : 0), -rows[2][k]]);
  }
  // Points, each with a radius, fill the picture as it is turned now.
  fit(points, aspect) {
    const { right, up, back } = this.axes(), axes = [right, up, back];
    const seen = points.map(([p, radius]) => [axes.map((axis) => dot(axis, p)), radius]);
    const ends = [0, 1, 2].map((i) => seen.reduce(([low, high], [p]) => [Math.min(low, p[i]), Math.max(high, p[i])], [Infinity, -Infinity]));
    const middle = ends.map(([low, high]) => (low + high) / 2), f = Math.tan(HALF_ANGLE);
    this.target = axes.reduce((sum, axis, i) => plus(sum, axis, middle[i]), [0, 0, 0]);
    const needed = ([p, radius]) => p[2] - middle[2] + Math.max(
      (Math.abs(p[0] - middle[0]) + radius) / (f * aspect), (Math.abs(p[1] - middle[1]) + radius) / f);
    this.distance = 1.05 * greatest(seen.map(needed)) || 1;
  }
  // Looks at a plane with a normal, from the front, from the right or from above.
  face(normal) {
    const n = unit(normal), [right, up, back] = [this.right, this.up, this.back].map((axis) => dot(axis, n));
    const small = 1e-6, side = [back, right, up].find((part) => Math.abs(part) > small) < 0 ? -1 : 1;
    const level = Math.hypot(right, back) > small;
    this.yaw = level ? Math.atan2(side * right, side * back) : 0;
    this.pitch = Math.asin(Math.min(Math.max(side * up, -1), 1));
  }
  turn(yaw, pitch) {
    this.yaw += yaw;
    this.pitch = Math.min(Math.max(this.pitch + pitch, -Math.PI / 2), Math.PI / 2);
  }
  // Moves the target by pixels of a picture of a height.
  shift(dx, dy, height) {
    const { right, up } = this.axes(), k = 2 * Math.tan(HALF_ANGLE) * this.distance / height;
    this.target = plus(plus(this.target, right, -k * dx), up, k * dy);
  }
}
