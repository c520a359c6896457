// Meshes: points with normals, and triangles. The length of a mesh is along x from 0 to 1; its width
// and height are along y and z from -0.5 to 0.5.
class Mesh {
  constructor() { this.points = []; this.indices = []; }
  add(point, normal) { this.points.push(...point, ...normal); return this.points.length / 6 - 1; }
  // A triangle, whose outer side is that of the normals.
  triangle(...corners) {
    const part = (i, k) => [0, 1, 2].map((j) => this.points[6 * i + 3 * k + j]);
    const [a, b, c] = corners.map((i) => part(i, 0));
    const away = cross(plus(b, a, -1), plus(c, a, -1));
    const outside = corners.reduce((sum, i) => sum + dot(away, part(i, 1)), 0);
    this.indices.push(...(outside < 0 ? corners.reverse() : corners));
  }
  // A strip of quadrangles between rows of points, [point, normal] each.
  rows(rows) {
    const numbers = rows.map((row) => row.map(([point, normal]) => this.add(point, normal)));
    for (let i = 1; i < rows.length; i++) for (let j = 1; j < rows[i].length; j++) {
      const [a, b, c, d] = [numbers[i - 1][j - 1], numbers[i - 1][j], numbers[i][j - 1], numbers[i][j]];
      this.triangle(a, c, b); this.triangle(b, c, d);
    }
    return this;
  }
}
const circle = (count) => Array.from({ length: count + 1 }, (_, k) => [Math.cos(2 * Math.PI * k / count), Math.sin(2 * Math.PI * k / count)]);
function boxMesh() {
  const mesh = new Mesh();
  for (let axis = 0; axis < 3; axis++) for (const side of [-1, 1]) {
    const corner = (u, v) => {
      const p = [0, 0, 0], n = [0, 0, 0];
      p[axis] = side / 2; p[(axis + 1) % 3] = u / 2; p[(axis + 2) % 3] = v / 2; n[axis] = side;
      return [[p[0] + 0.5, p[1], p[2]], n];
    };
    mesh.rows([[corner(-1, -1), corner(1, -1)], [corner(-1, 1), corner(1, 1)]]);
  }
  return mesh;
}
// A surface of revolution about x: pieces between ends of place, radius and normal (along, away).
function turned(pieces, count = 24) {
  const mesh = new Mesh();
  const row = ([x, r, along, away]) => circle(count).map(([c, s]) => [[x, r * c, r * s], [along, away * c, away * s]]);
  for (const ends of pieces) mesh.rows(ends.map(row));
  return mesh;
}
function cylinderMesh(inner) {
  const r = inner / 2;
  const pieces = [[[0, 0.5, 0, 1], [1, 0.5, 0, 1]], [[0, r, -1, 0], [0, 0.5, -1, 0]], [[1, r, 1, 0], [1, 0.5, 1, 0]]];
  if (r > 0) pieces.push([[0, r, 0, -1], [1, r, 0, -1]]);
  return turned(pieces);
}
const coneMesh = () => turned([[[0, 0.5, 0.4, 0.9], [1, 0, 0.4, 0.9]], [[0, 0, -1, 0], [0, 0.5, -1, 0]]]);
function sphereMesh() {
  const end = (k) => {
    const [c, s] = [Math.cos(Math.PI * k / 12), Math.sin(Math.PI * k / 12)];
    return [0.5 - c / 2, s / 2, -c, s];
  };
  return turned([Array.from({ length: 13 }, (_, k) => end(k))]);
}
// The middle line of a wire that is wound about x, and whose ends are on x. The renderer adds the
// radius of the wire along the normals, so that the wire stays round when the coil stretches.
function coilMesh(windings) {
  const turns = Math.min(Math.max(Math.round(windings) || 5, 1), 60), count = 20 * turns + 8;
  const middle = (u) => {
    const radius = 0.5 * Math.min(1, 12 * u, 12 * (1 - u)), angle = 2 * Math.PI * turns * u;
    return [u, radius * Math.cos(angle), radius * Math.sin(angle)];
  };
  const row = (_, k) => {
    const u = k / count, p = middle(u), d = plus(middle(u + 1e-4), middle(u - 1e-4), -1);
    d[0] *= 4;
    const t = d.map((x) => x / Math.hypot(...d)), angle = 2 * Math.PI * turns * u;
    const away = [0, Math.cos(angle), Math.sin(angle)], n = plus(away, t, -dot(away, t));
    const across = n.map((x) => x / Math.hypot(...n)), other = cross(t, across);
    return circle(8).map(([c, s]) => [p, plus(across.map((x) => c * x), other, s)]);
  };
  return new Mesh().rows(Array.from({ length: count + 1 }, row));
}
const planeMesh = () => new Mesh().rows([-0.5, 0.5].map((x) => [-0.5, 0.5].map((y) => [[x, y, 0], [0, 0, 1]])));
// The lines of a grid: pairs of points.
function gridMesh() {
  const mesh = new Mesh();
  for (let k = -5; k <= 5; k++) for (const line of [[[-0.5, k / 10], [0.5, k / 10]], [[k / 10, -0.5], [k / 10, 0.5]]]) {
    mesh.indices.push(...line.map(([x, y]) => mesh.add([x, y, 0], [0, 0, 1])));
  }
  return mesh;
}
