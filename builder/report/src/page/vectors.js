// Vectors of three numbers.
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const plus = (a, b, k = 1) => [a[0] + k * b[0], a[1] + k * b[1], a[2] + k * b[2]];
const times = (k, a) => [k * a[0], k * a[1], k * a[2]];
const unit = (a) => times(1 / (Math.hypot(...a) || 1), a);
// Axes whose first is the direction of a vector.
function along(a) {
  const x = unit(a), y = unit(cross(Math.abs(x[1]) < 0.9 ? [0, 1, 0] : [1, 0, 0], x));
  return [x, y, cross(x, y)];
}
