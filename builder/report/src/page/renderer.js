// Draws boxes, cylinders and spheres with WebGL. A mesh has points and normals; its length is along
// x from 0 to 1, its width and height are along y and z from -0.5 to 0.5.
const VERTEX = `attribute vec3 point; attribute vec3 normal; uniform mat4 view; uniform mat3 axes;
uniform vec3 origin; uniform vec3 size; varying vec3 n;
void main() { n = axes * (normal / size); gl_Position = view * vec4(axes * (size * point) + origin, 1.0); }`;
const FRAGMENT = `precision mediump float; uniform vec3 colour; uniform vec3 light; varying vec3 n;
void main() { vec3 m = normalize(n); gl_FragColor = vec4(colour * (0.62 + 0.38 * max(0.0, dot(m, light))), 1.0); }`;
function boxMesh() {
  const mesh = [];
  for (let axis = 0; axis < 3; axis++) for (const side of [-1, 1]) {
    const corner = (u, v) => {
      const p = [0, 0, 0], n = [0, 0, 0];
      p[axis] = side / 2; p[(axis + 1) % 3] = u / 2; p[(axis + 2) % 3] = v / 2; n[axis] = side;
      return [p[0] + 0.5, p[1], p[2], ...n];
    };
    for (const [u, v] of [[-1, -1], [1, -1], [1, 1], [-1, -1], [1, 1], [-1, 1]]) mesh.push(...corner(u, v));
  }
  return mesh;
}
// A surface of revolution about x: pairs of ends, each with place, radius and normal (along, away).
function turned(pieces, count = 32) {
  const mesh = [];
  const vertex = ([x, r, along, away], angle) => {
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    return [x, r * c, r * s, along, away * c, away * s];
  };
  for (const [a, b] of pieces) for (let i = 0; i < count; i++) {
    const [p, q] = [i, i + 1].map((k) => 2 * Math.PI * k / count);
    for (const [end, angle] of [[a, p], [b, p], [b, q], [a, p], [b, q], [a, q]]) mesh.push(...vertex(end, angle));
  }
  return mesh;
}
function cylinderMesh(inner) {
  const r = inner / 2;
  const pieces = [[[0, 0.5, 0, 1], [1, 0.5, 0, 1]], [[0, r, -1, 0], [0, 0.5, -1, 0]], [[1, r, 1, 0], [1, 0.5, 1, 0]]];
  if (r > 0) pieces.push([[0, r, 0, -1], [1, r, 0, -1]]);
  return turned(pieces);
}
function sphereMesh() {
  const end = (k) => {
    const [c, s] = [Math.cos(Math.PI * k / 16), Math.sin(Math.PI * k / 16)];
    return [0.5 - c / 2, s / 2, -c, s];
  };
  return turned(Array.from({ length: 16 }, (_, k) => [end(k), end(k + 1)]));
}
class Renderer {
  constructor(canvas) {
    this.gl = canvas.getContext("webgl", { preserveDrawingBuffer: true, antialias: true });
    if (!this.gl) return;
    const gl = this.gl, program = gl.createProgram();
    for (const [type, text] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
      const shader = gl.createShader(type);
      gl.shaderSource(shader, text); gl.compileShader(shader); gl.attachShader(program, shader);
    }
    gl.linkProgram(program); gl.useProgram(program); gl.enable(gl.DEPTH_TEST);
    this.at = (name) => this.places[name] ??= gl.getUniformLocation(program, name);
    this.places = {}; this.meshes = new Map();
    for (const name of ["point", "normal"]) gl.enableVertexAttribArray(this[name] = gl.getAttribLocation(program, name));
  }
  mesh(form, extra) {
    const key = form + extra;
    if (!this.meshes.has(key)) {
      const points = form === "box" ? boxMesh() : form === "sphere" ? sphereMesh() : cylinderMesh(extra);
      const gl = this.gl, buffer = gl.createBuffer();
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(points), gl.STATIC_DRAW);
      this.meshes.set(key, { buffer, count: points.length / 6 });
    }
    return this.meshes.get(key);
  }
  draw(solids, view, light) {
    const { gl } = this;
    gl.viewport(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight);
    gl.clearColor(0, 0, 0, 0); gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.uniformMatrix4fv(this.at("view"), false, view);
    gl.uniform3fv(this.at("light"), light);
    for (const { form, extra, origin, axes, size, colour } of solids) {
      const { buffer, count } = this.mesh(form, extra);
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.vertexAttribPointer(this.point, 3, gl.FLOAT, false, 24, 0);
      gl.vertexAttribPointer(this.normal, 3, gl.FLOAT, false, 24, 12);
      gl.uniformMatrix3fv(this.at("axes"), false, axes.flat());
      gl.uniform3fv(this.at("origin"), origin); gl.uniform3fv(this.at("size"), size);
      gl.uniform3fv(this.at("colour"), colour);
      gl.drawArrays(gl.TRIANGLES, 0, count);
    }
  }
}
