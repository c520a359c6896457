// Vectors of three numbers, and matrices of 4 x 4 numbers, column after column as WebGL wants them.

const minus = (a, b) => a.map((v, i) => v - b[i]);
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) =>
  [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a) => a.map((v) => v / (Math.hypot(...a) || 1));

/** The matrix with three axes and an origin as columns. */
const placed = (x, y, z, o) => [...x, 0, ...y, 0, ...z, 0, ...o, 1];

function product(a, b) {
  const c = new Array(16).fill(0);
  for (let column = 0; column < 4; column++)
    for (let row = 0; row < 4; row++)
      for (let k = 0; k < 4; k++) c[column * 4 + row] += a[k * 4 + row] * b[column * 4 + k];
  return c;
}

/** From the world to a camera that looks from `eye` at `target`. */
function lookingAt(eye, target, up) {
  const z = unit(minus(eye, target));
  const x = unit(cross(up, z));
  const y = cross(z, x);
  return [x[0], y[0], z[0], 0, x[1], y[1], z[1], 0, x[2], y[2], z[2], 0,
    -dot(x, eye), -dot(y, eye), -dot(z, eye), 1];
}

function perspective(angle, aspect, near, far) {
  const f = 1 / Math.tan(angle / 2);
  const d = near - far;
  return [f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / d, -1, 0, 0, 2 * far * near / d, 0];
}
