// Draws solids, lines and points with WebGL. A solid is a mesh (form, extra) at an origin with axes and
// a size along each of them; a wire is wound about it (see coilMesh).
const VERTEX = `attribute vec3 point; attribute vec3 normal; uniform mat4 view; uniform mat3 axes;
uniform vec3 origin; uniform vec3 size; uniform float wire; varying vec3 n;
void main() {
  n = axes * (wire > 0.0 ? normal : normal / size);
  gl_Position = view * vec4(axes * (size * point + wire * normal) + origin, 1.0);
  gl_PointSize = 9.0;
}`;
const FRAGMENT = `precision mediump float; uniform vec4 colour; uniform vec3 light; uniform bool lit; varying vec3 n;
void main() {
  float bright = lit ? 0.62 + 0.38 * max(0.0, dot(normalize(n), light)) : 1.0;
  gl_FragColor = vec4(colour.rgb * bright * colour.a, colour.a);
}`;
const MESHES = {
  box: boxMesh, cylinder: cylinderMesh, cone: coneMesh, sphere: sphereMesh, coil: coilMesh, plane: planeMesh, grid: gridMesh,
};
const UNTURNED = [1, 0, 0, 0, 1, 0, 0, 0, 1];
class Renderer {
  constructor(canvas) {
    this.gl = canvas.getContext("webgl", { preserveDrawingBuffer: true, antialias: true });
    if (!this.gl) return;
    const gl = this.gl, program = gl.createProgram();
    for (const [type, text] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
      const shader = gl.createShader(type);
      gl.shaderSource(shader, text); gl.compileShader(shader); gl.attachShader(program, shader);
    }
    gl.linkProgram(program); gl.useProgram(program);
    gl.enable(gl.DEPTH_TEST); gl.enable(gl.BLEND); gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    this.at = (name) => this.places[name] ??= gl.getUniformLocation(program, name);
    this.places = {}; this.meshes = new Map(); this.path = gl.createBuffer();
    this.point = gl.getAttribLocation(program, "point"); this.normal = gl.getAttribLocation(program, "normal");
    gl.enableVertexAttribArray(this.point);
  }
  buffer(target, numbers) {
    const { gl } = this, buffer = gl.createBuffer();
    gl.bindBuffer(target, buffer); gl.bufferData(target, numbers, gl.STATIC_DRAW);
    return buffer;
  }
  mesh(form, extra) {
    const key = form + extra;
    if (!this.meshes.has(key)) {
      const { points, indices } = MESHES[form](extra), { gl } = this;
      this.meshes.set(key, {
        points: this.buffer(gl.ARRAY_BUFFER, new Float32Array(points)),
        indices: this.buffer(gl.ELEMENT_ARRAY_BUFFER, new Uint16Array(indices)), count: indices.length,
      });
    }
    return this.meshes.get(key);
  }
  begin(view, light) {
    const { gl } = this;
    gl.viewport(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight);
    gl.clearColor(0, 0, 0, 0); gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.uniformMatrix4fv(this.at("view"), false, view); gl.uniform3fv(this.at("light"), light);
  }
  // Draws solids; those that one sees through follow after all others. Those of one mesh follow each other.
  solids(solids) {
    const { gl } = this, key = ({ form, extra = 0 }) => form + extra;
    gl.enableVertexAttribArray(this.normal);
    this.bound = null;
    solids.sort((a, b) => key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0);
    for (const solid of solids) if (solid.alpha === undefined) this.solid(solid);
    gl.depthMask(false);
    for (const solid of solids) if (solid.alpha !== undefined) this.solid(solid);
    gl.depthMask(true);
  }
  solid({ form, extra = 0, origin, axes, size, colour, alpha = 1, wire = 0 }) {
    const { gl } = this, mesh = this.mesh(form, extra);
    if (mesh !== this.bound) {
      gl.bindBuffer(gl.ARRAY_BUFFER, mesh.points); gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, mesh.indices);
      gl.vertexAttribPointer(this.point, 3, gl.FLOAT, false, 24, 0);
      gl.vertexAttribPointer(this.normal, 3, gl.FLOAT, false, 24, 12);
      const culled = form !== "plane" && form !== "grid";
      if (culled) gl.enable(gl.CULL_FACE); else gl.disable(gl.CULL_FACE);
      this.bound = mesh;
    }
    gl.uniformMatrix3fv(this.at("axes"), false, axes.flat());
    gl.uniform3fv(this.at("origin"), origin); gl.uniform3fv(this.at("size"), size);
    gl.uniform1f(this.at("wire"), wire); gl.uniform1i(this.at("lit"), alpha === 1);
    gl.uniform4f(this.at("colour"), ...colour, alpha);
    gl.drawElements(form === "grid" ? gl.LINES : gl.TRIANGLES, mesh.count, gl.UNSIGNED_SHORT, 0);
  }
  // Draws a line through points of the world; if it has a single one, a mark that nothing hides.
  line(points, colour, alpha) {
    const { gl } = this, count = points.length / 3;
    gl.disableVertexAttribArray(this.normal); gl.vertexAttrib3f(this.normal, 0, 0, 1);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.path); gl.bufferData(gl.ARRAY_BUFFER, points, gl.DYNAMIC_DRAW);
    gl.vertexAttribPointer(this.point, 3, gl.FLOAT, false, 12, 0);
    gl.uniformMatrix3fv(this.at("axes"), false, UNTURNED);
    gl.uniform3f(this.at("origin"), 0, 0, 0); gl.uniform3f(this.at("size"), 1, 1, 1);
    gl.uniform1f(this.at("wire"), 0); gl.uniform1i(this.at("lit"), 0);
    gl.uniform4f(this.at("colour"), ...colour, alpha);
    if (count > 1) { gl.drawArrays(gl.LINE_STRIP, 0, count); return; }
    gl.disable(gl.DEPTH_TEST); gl.drawArrays(gl.POINTS, 0, count); gl.enable(gl.DEPTH_TEST);
  }
}
