// The animation: draws the shapes of the scene with WebGL where the signals say they are.

const VERTEX = `
attribute vec3 place, normal;
uniform mat4 model, camera;
varying vec3 n;
void main() {
  n = mat3(model) * normal;
  gl_Position = camera * model * vec4(place, 1.0);
}`;

// Light from the camera's side and from above; never dark, so that colours remain recognisable.
const FRAGMENT = `
precision mediump float;
uniform vec3 colour, light;
varying vec3 n;
void main() {
  float d = dot(normalize(n), light);
  gl_FragColor = vec4(colour * (0.72 + 0.28 * d), 1.0);
}`;

/** Triangles of a closed form, 1 long from the origin along x and 1 wide along y and z. */
class Form {
  constructor() {
    this.data = [];
  }

  /** A quadrilateral; each corner has a place and a normal. */
  quad(a, b, c, d) {
    for (const corner of [a, b, c, a, c, d]) this.data.push(...corner[0], ...corner[1]);
  }

  static box() {
    const form = new Form();
    for (const axis of [0, 1, 2]) for (const side of [-1, 1]) {
      const normal = [0, 0, 0];
      normal[axis] = side;
      const corner = (u, v) => {
        const p = [0, 0, 0];
        p[axis] = side / 2;
        p[(axis + 1) % 3] = u / 2;
        p[(axis + 2) % 3] = v / 2;
        return [[p[0] + 0.5, p[1], p[2]], normal];
      };
      form.quad(corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1));
    }
    return form;
  }

  /** A cylinder, or a pipe with a ratio of inner to outer diameter. */
  static cylinder(inner = 0, parts = 40) {
    const form = new Form();
    const at = (k) => [Math.cos(2 * Math.PI * k / parts), Math.sin(2 * Math.PI * k / parts)];
    const point = (x, r, [c, s]) => [x, r * c, r * s];
    for (let k = 0; k < parts; k++) {
      const [p, q] = [at(k), at(k + 1)];
      for (const [r, out] of inner > 0 ? [[0.5, 1], [inner / 2, -1]] : [[0.5, 1]]) {
        const normal = ([c, s]) => [0, out * c, out * s];
        form.quad([point(0, r, p), normal(p)], [point(1, r, p), normal(p)],
          [point(1, r, q), normal(q)], [point(0, r, q), normal(q)]);
      }
      for (const x of [0, 1]) {
        const normal = [2 * x - 1, 0, 0];
        form.quad([point(x, inner / 2, p), normal], [point(x, 0.5, p), normal],
          [point(x, 0.5, q), normal], [point(x, inner / 2, q), normal]);
      }
    }
    return form;
  }

  static sphere(parts = 28) {
    const form = new Form();
    const corner = (i, k) => {
      const [a, b] = [Math.PI * i / (parts / 2), 2 * Math.PI * k / parts];
      const n = [-Math.cos(a), Math.sin(a) * Math.cos(b), Math.sin(a) * Math.sin(b)];
      return [[n[0] / 2 + 0.5, n[1] / 2, n[2] / 2], n];
    };
    for (let i = 0; i < parts / 2; i++) for (let k = 0; k < parts; k++)
      form.quad(corner(i, k), corner(i, k + 1), corner(i + 1, k + 1), corner(i + 1, k));
    return form;
  }
}

/** Directions from the target to the camera, with what is upwards. */
const VIEWS = {
  iso: { turn: 0.65, lift: 0.42 }, front: { turn: Math.PI / 2, lift: 0 },
  side: { turn: 0, lift: 0 }, top: { turn: Math.PI / 2, lift: Math.PI / 2 - 1e-4 },
};
const ANGLE = 0.6;

class Stage {
  constructor(canvas, scene, signals) {
    this.canvas = canvas;
    this.gl = canvas.getContext("webgl", { antialias: true, preserveDrawingBuffer: true });
    if (!this.gl) throw new Error("this browser has no WebGL");
    this.forms = new Map();
    this.start();
    this.frames = new Map(scene.frames.map((frame) => {
      const r = frame.r_0.map((name) => signals.get(name));
      const t = frame.T.flat().map((name) => signals.get(name));
      return [frame.name, { r, t, known: [...r, ...t].every(Boolean) }];
    }));
    const known = (shape) => this.frames.get(shape.frame)?.known
      && (typeof shape.length === "number" || signals.has(shape.length));
    this.shapes = scene.shapes.filter(known).map((shape) => ({
      ...shape,
      size: typeof shape.length === "number" ? () => shape.length : (t) => signals.get(shape.length).at(t),
      height_direction: cross(shape.lengthDirection, shape.widthDirection),
    }));
    this.missing = scene.shapes.length - this.shapes.length;
    this.axes = scene.world;
    // What is upwards; y is the vertical of the world, as in Modelica.
    this.camera = { ...VIEWS.iso, target: [0, 0, 0], distance: 3 };
    this.followed = "";
    this.listen();
  }

  start() {
    const { gl } = this;
    const program = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    gl.useProgram(program);
    gl.enable(gl.DEPTH_TEST);
    const place = (name) => gl.getUniformLocation(program, name);
    this.uniforms = Object.fromEntries(["model", "camera", "colour", "light"].map((n) => [n, place(n)]));
    this.attributes = ["place", "normal"].map((name) => gl.getAttribLocation(program, name));
  }

  /** The form of a shape on the graphics card, made when it is first needed. */
  form(kind, inner) {
    const key = kind === "cylinder" ? kind + inner : kind;
    if (!this.forms.has(key)) {
      const { gl } = this;
      const made = kind === "cylinder" ? Form.cylinder(inner) : Form[kind === "sphere" ? "sphere" : "box"]();
      const buffer = gl.createBuffer();
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(made.data), gl.STATIC_DRAW);
      this.forms.set(key, { buffer, count: made.data.length / 6 });
    }
    return this.forms.get(key);
  }

  /** Position of a frame and the transposed rotation: `p_world = r + T' p`. */
  pose(name, time) {
    const { r, t } = this.frames.get(name);
    const m = t.map((signal) => signal.at(time));
    const turned = (p) => [0, 1, 2].map((j) => m[j] * p[0] + m[3 + j] * p[1] + m[6 + j] * p[2]);
    return { r: r.map((signal) => signal.at(time)), turned };
  }

  /** The matrix of a shape at a time. */
  matrix(shape, time) {
    const { r, turned } = this.pose(shape.frame, time);
    const scaled = (direction, size) => turned(direction).map((v) => v * size);
    const origin = turned(shape.r_shape).map((v, i) => v + r[i]);
    return placed(scaled(shape.lengthDirection, shape.size(time)), scaled(shape.widthDirection, shape.width),
      scaled(shape.height_direction, shape.height), origin);
  }

  /** Chooses target and distance such that the whole motion is in sight. */
  fit(times) {
    let [low, high] = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]];
    for (const time of times) for (const shape of this.shapes) {
      const m = this.matrix(shape, time);
      for (const x of [0, 1]) for (let i = 0; i < 3; i++) {
        const [v, room] = [m[12 + i] + x * m[i], (Math.abs(m[4 + i]) + Math.abs(m[8 + i])) / 2];
        low[i] = Math.min(low[i], v - room);
        high[i] = Math.max(high[i], v + room);
      }
    }
    if (!(low[0] <= high[0])) return;
    this.camera.target = low.map((v, i) => (v + high[i]) / 2);
    const aspect = Math.min(1, this.canvas.clientWidth / this.canvas.clientHeight || 1);
    this.camera.distance = 0.55 * Math.hypot(...minus(high, low)) / Math.tan(ANGLE / 2) / aspect;
  }

  turn(turn, lift) {
    const most = Math.PI / 2 - 1e-4;
    this.camera.turn += turn;
    this.camera.lift = Math.max(-most, Math.min(most, this.camera.lift + lift));
    this.changed?.();
  }

  zoom(factor) {
    this.camera.distance *= factor;
    this.changed?.();
  }

  /** Moves the target by pixels. */
  move(dx, dy) {
    const { turn, lift, distance } = this.camera;
    const scale = 2 * distance * Math.tan(ANGLE / 2) / this.canvas.clientHeight;
    const back = [Math.cos(turn) * Math.cos(lift), Math.sin(lift), Math.sin(turn) * Math.cos(lift)];
    const right = unit(cross([0, 1, 0], back));
    const up = cross(back, right);
    this.camera.target = this.camera.target.map((v, i) => v + scale * (dy * up[i] - dx * right[i]));
    this.changed?.();
  }

  view(name) {
    Object.assign(this.camera, VIEWS[name]);
    this.changed?.();
  }

  listen() {
    const { canvas } = this;
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      this.held = { x: event.clientX, y: event.clientY, moves: event.shiftKey || event.button !== 0 };
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!this.held) return;
      const [dx, dy] = [event.clientX - this.held.x, event.clientY - this.held.y];
      Object.assign(this.held, { x: event.clientX, y: event.clientY });
      if (this.held.moves) this.move(dx, dy); else this.turn(dx * 0.008, dy * 0.008);
    });
    for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, () => { this.held = null; });
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(Math.exp(event.deltaY * 0.0015));
    }, { passive: false });
    canvas.addEventListener("keydown", (event) => {
      const turns = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] };
      const factor = { "+": 0.9, "-": 1 / 0.9 }[event.key];
      if (turns[event.key]) this.turn(...turns[event.key]); else if (factor) this.zoom(factor); else return;
      event.preventDefault();
      event.stopPropagation();
    });
  }

  /** The matrix of the camera at a time, and the direction from which light comes. */
  seen(time) {
    const { turn, lift, distance, target } = this.camera;
    const at = this.followed ? this.pose(this.followed, time).r : target;
    const back = [Math.cos(turn) * Math.cos(lift), Math.sin(lift), Math.sin(turn) * Math.cos(lift)];
    const eye = at.map((v, i) => v + distance * back[i]);
    const lens = perspective(ANGLE, this.canvas.width / this.canvas.height, distance / 100, distance * 20);
    return { matrix: product(lens, lookingAt(eye, at, [0, 1, 0])), light: unit([back[0], back[1] + 0.8, back[2]]) };
  }

  draw(time) {
    const { gl, canvas } = this;
    const ratio = devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight].map((v) => Math.round(v * ratio));
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    gl.viewport(0, 0, width, height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    const { matrix, light } = this.seen(time);
    gl.uniformMatrix4fv(this.uniforms.camera, false, matrix);
    gl.uniform3fv(this.uniforms.light, light);
    for (const shape of this.shapes)
      this.solid(this.form(shape.shapeType, shape.extra), this.matrix(shape, time), shape.color);
    const { axisLength: l, axisDiameter: d } = this.axes;
    const axes = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
    axes.forEach((axis, k) => {
      const [y, z] = [axes[(k + 1) % 3], axes[(k + 2) % 3]].map((v) => v.map((c) => c * d));
      const colour = [0, 0, 0].map((_, i) => (i === k ? 200 : 60));
      this.solid(this.form("cylinder", 0), placed(axis.map((c) => c * l), y, z, [0, 0, 0]), colour);
    });
  }

  solid({ buffer, count }, model, colour) {
    const { gl } = this;
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    this.attributes.forEach((attribute, k) => {
      gl.enableVertexAttribArray(attribute);
      gl.vertexAttribPointer(attribute, 3, gl.FLOAT, false, 24, k * 12);
    });
    gl.uniformMatrix4fv(this.uniforms.model, false, model);
    gl.uniform3fv(this.uniforms.colour, colour.map((c) => c / 255));
    gl.drawArrays(gl.TRIANGLES, 0, count);
  }
}
