// The animation: where shapes are at a time, and the camera.
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const plus = (a, b, k = 1) => [a[0] + k * b[0], a[1] + k * b[1], a[2] + k * b[2]];
const animation = {
  yaw: 0.6, pitch: 0.4, distance: 3, target: [0, 0, 0], solids: [],
  frames: new Map((data.scene?.frames ?? []).map((frame) => [frame.name, frame])),
  number(name, t) { const signal = byName.get(name); return signal ? valueAt(signal, t) : 0; },
  // A shape at a time: its origin, its axes (length, width, height) and sizes, in the world.
  solid(shape, t) {
    const frame = this.frames.get(shape.frame);
    const T = frame.T.map((row) => row.map((name) => this.number(name, t)));
    const turn = (v) => [0, 1, 2].map((j) => T[0][j] * v[0] + T[1][j] * v[1] + T[2][j] * v[2]);
    const origin = plus(frame.r_0.map((name) => this.number(name, t)), turn(shape.r_shape));
    let length = typeof shape.length === "string" ? this.number(shape.length, t) : shape.length;
    let [along, across] = [turn(shape.lengthDirection), turn(shape.widthDirection)];
    if (length < 0) { length = -length; along = along.map((x) => -x); }
    return {
      form: shape.shapeType, extra: shape.shapeType === "cylinder" ? shape.extra : 0, origin,
      axes: [along, across, cross(along, across)],
      size: [Math.max(length, 1e-9), Math.abs(shape.width), Math.abs(shape.height)],
      colour: shape.color.map((c) => c / 255),
    };
  },
  // The axes of the world: x red, y green, z blue.
  world() {
    const { axisLength, axisDiameter } = data.scene.world;
    const unit = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
    return unit.map((x, i) => ({
      form: "cylinder", extra: 0, origin: [0, 0, 0], axes: [x, unit[(i + 1) % 3], unit[(i + 2) % 3]],
      size: [axisLength, axisDiameter, axisDiameter], colour: [[0.8, 0.2, 0.2], [0.2, 0.6, 0.2], [0.25, 0.4, 0.85]][i],
    }));
  },
  // The axes of the camera: right, up, and towards the viewer.
  camera() {
    const [cy, sy, cp, sp] = [Math.cos(this.yaw), Math.sin(this.yaw), Math.cos(this.pitch), Math.sin(this.pitch)];
    const back = [sy * cp, sp, cy * cp], right = [cy, 0, -sy];
    return { right, up: cross(back, right), back, eye: plus(this.target, back, this.distance) };
  },
  matrix() {
    const { right, up, back, eye } = this.camera();
    const aspect = this.canvas.clientWidth / this.canvas.clientHeight, f = 1 / Math.tan(0.35);
    const near = this.distance / 100, far = this.distance * 100;
    const [a, b] = [(far + near) / (near - far), 2 * far * near / (near - far)];
    const rows = [[...right, -dot(right, eye)], [...up, -dot(up, eye)], [...back, -dot(back, eye)]];
    const columns = [];
    for (let k = 0; k < 4; k++) {
      columns.push(f / aspect * rows[0][k], f * rows[1][k], a * rows[2][k] + (k === 3 ? b : 0), -rows[2][k]);
    }
    return columns;
  },
  // The pixel of the canvas at which a point of the world is, in CSS pixels from its corner.
  project(p) {
    const m = this.matrix();
    const [x, y, , w] = [0, 1, 2, 3].map((i) => m[i] * p[0] + m[4 + i] * p[1] + m[8 + i] * p[2] + m[12 + i]);
    return [(x / w + 1) / 2 * this.canvas.clientWidth, (1 - y / w) / 2 * this.canvas.clientHeight];
  },
  centre({ origin, axes, size }) { return plus(origin, axes[0], size[0] / 2); },
  fit() {
    const points = [], [low, high] = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]];
    for (let k = 0; k <= 20; k++) {
      const t = span[0] + (span[1] - span[0]) * k / 20;
      for (const solid of data.scene.shapes.map((shape) => this.solid(shape, t)).concat(this.world())) {
        const { origin, axes, size } = solid, wide = Math.max(size[1], size[2]) / 2;
        for (const p of [origin, plus(origin, axes[0], size[0])]) for (let i = 0; i < 3; i++) {
          low[i] = Math.min(low[i], p[i]); high[i] = Math.max(high[i], p[i]);
          if (i === 0) points.push([p, wide]);
        }
      }
    }
    this.target = low.map((x, i) => (x + high[i]) / 2);
    const reach = ([p, wide]) => Math.hypot(...plus(p, this.target, -1)) + wide;
    const radius = Math.max(...points.map(reach)) || 1;
    const aspect = Math.min(1, this.canvas.clientWidth / this.canvas.clientHeight);
    this.distance = radius / Math.sin(0.35) / aspect;
  },
  view(name) {
    const turns = { front: [0, 0], side: [Math.PI / 2, 0], top: [0, Math.PI / 2] };
    if (turns[name]) [this.yaw, this.pitch] = turns[name]; else this.fit();
    this.draw();
  },
  draw() {
    const ratio = devicePixelRatio || 1, { canvas } = this;
    const [w, h] = [canvas.clientWidth * ratio, canvas.clientHeight * ratio].map(Math.round);
    if (canvas.width !== w || canvas.height !== h) { canvas.width = w; canvas.height = h; }
    this.solids = data.scene.shapes.map((shape) => this.solid(shape, clock.time));
    const { right, up, back } = this.camera();
    const light = plus(plus(back.map((x) => 0.8 * x), up, 0.5), right, 0.33);
    this.renderer.draw(this.solids.concat(this.world()), this.matrix(), light);
  },
  start() {
    this.canvas = document.getElementById("stage");
    document.getElementById("animation").hidden = false;
    this.renderer = new Renderer(this.canvas);
    if (!this.renderer.gl) {
      this.canvas.replaceWith(element("p", "This browser draws no 3-D pictures (WebGL is switched off)."));
      return;
    }
    this.fit(); this.listen(); this.draw();
    clock.listeners.push(() => this.draw());
    addEventListener("resize", () => this.draw());
    for (const button of document.querySelectorAll("[data-view]")) {
      button.addEventListener("click", () => this.view(button.dataset.view));
    }
  },
  listen() {
    const { canvas } = this;
    let last = null;
    canvas.addEventListener("pointerdown", (event) => { last = event; canvas.setPointerCapture(event.pointerId); });
    canvas.addEventListener("pointerup", () => { last = null; });
    canvas.addEventListener("pointermove", (event) => {
      if (!last) return;
      const [dx, dy] = [event.clientX - last.clientX, event.clientY - last.clientY];
      last = event;
      if (event.shiftKey) {
        const { right, up } = this.camera(), k = 0.73 * this.distance / canvas.clientHeight;
        this.target = plus(plus(this.target, right, -k * dx), up, k * dy);
      } else {
        this.yaw -= dx * 0.01;
        this.pitch = Math.min(Math.max(this.pitch + dy * 0.01, -Math.PI / 2), Math.PI / 2);
      }
      this.draw();
    });
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.distance *= Math.exp(event.deltaY * 0.001);
      this.draw();
    }, { passive: false });
  },
};
