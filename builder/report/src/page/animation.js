// The animation: what the camera sees of the shapes, points that one follows, and their traces.
const TRACE = [0.84, 0, 0.56], MARKED = [1, 0.55, 0], TRACE_POINTS = 2000;
const AXES = [["x", [1, 0, 0], [0.8, 0.2, 0.2]], ["y", [0, 1, 0], [0.2, 0.6, 0.2]], ["z", [0, 0, 1], [0.25, 0.4, 0.85]]];
const animation = {
  scale: 1, followed: null, last: null, traces: new Map(), points: new Map(),
  // The axes of the world.
  world() {
    const { axisLength, axisDiameter } = data.scene.world;
    return AXES.map(([, x, colour], i) => ({
      form: "cylinder", origin: [0, 0, 0], axes: [x, AXES[(i + 1) % 3][1], AXES[(i + 2) % 3][1]],
      size: [axisLength, axisDiameter, axisDiameter], colour,
    }));
  },
  aspect() { const [width, height] = sizeOf(this.canvas); return width / height || 1; },
  // The pixel of the canvas at which a point of the world is, in CSS pixels from its corner.
  project(p) {
    const m = this.camera.matrix(this.aspect()), [width, height] = sizeOf(this.canvas);
    const [x, y, , w] = [0, 1, 2, 3].map((i) => m[i] * p[0] + m[4 + i] * p[1] + m[8 + i] * p[2] + m[12 + i]);
    return [(x / w + 1) / 2 * width, (1 - y / w) / 2 * height];
  },
  fit() {
    const points = [], add = ({ origin, axes, size }) => {
      const wide = Math.max(size[1], size[2]) / 2;
      points.push([origin, wide], [plus(origin, axes[0], size[0]), wide]);
    };
    const bodies = data.scene.shapes.filter((shape) => !["plane", "arrow"].includes(shape.shapeType));
    for (let k = 0; k <= 20; k++) {
      const t = span[0] + (span[1] - span[0]) * k / 20;
      for (const shape of bodies) shapes.solids(shape, t).forEach(add);
    }
    this.world().forEach(add);
    this.camera.fit(points, this.aspect());
  },
  view(name) {
    const turns = { front: [0, 0], side: [Math.PI / 2, 0], top: [0, Math.PI / 2] };
    if (turns[name]) [this.camera.yaw, this.camera.pitch] = turns[name];
    if (name === "fit" || !this.followed) this.fit();
    this.draw();
  },
  // Names of points, and where they are at a time: frames, and the middles and the ends of shapes.
  name() {
    for (const { name } of data.scene.frames) this.points.set(name, (t) => shapes.pose(name, t).r_0);
    for (const shape of data.scene.shapes) {
      const part = (k) => (t) => { const [a, b] = shapes.ends(shape, t); return plus(a, plus(b, a, -1), k); };
      if (shape.shapeType === "arrow" || this.points.has(shape.component)) continue;
      this.points.set(shape.component, part(0.5));
      this.points.set(shape.component + ": end", part(1));
    }
  },
  follow(name) {
    this.followed = this.points.get(name) ?? null;
    this.last = this.followed?.(clock.time) ?? null;
    if (this.last) this.camera.target = this.last;
    this.draw();
  },
  trace(name) {
    if (this.traces.has(name)) this.traces.delete(name); else this.traces.set(name, { version: -1, at: -Infinity });
    const chip = (traced) => {
      const button = element("button", traced + " \u00d7", { "aria-label": `Remove the trace of ${traced}` });
      button.addEventListener("click", () => this.trace(traced));
      return button;
    };
    fillWith(document.getElementById("traces"), [...this.traces.keys()].map(chip));
    this.draw();
  },
  // The path of a point during the whole time: its points, three numbers each, at regular times.
  path(name) {
    const kept = this.traces.get(name), now = performance.now();
    // While rows are added, the path need not be new in each frame.
    if (kept.version !== version && now - kept.at > 200) {
      Object.assign(kept, { version, at: now, span: [...span] });
      const [begin, end] = kept.span;
      kept.points = new Float32Array(3 * (TRACE_POINTS + 1));
      for (let k = 0; k <= TRACE_POINTS; k++) kept.points.set(this.points.get(name)(begin + (end - begin) * k / TRACE_POINTS), 3 * k);
    }
    return kept;
  },
  draw() {
    const ratio = devicePixelRatio || 1, { canvas, camera, renderer } = this, t = clock.time;
    const [width, height] = sizeOf(canvas), [w, h] = [width * ratio, height * ratio].map(Math.round);
    if (canvas.width !== w || canvas.height !== h) { canvas.width = w; canvas.height = h; }
    if (this.followed) {
      const now = this.followed(t);
      camera.target = plus(camera.target, plus(now, this.last, -1));
      this.last = now;
    }
    const { right, up, back } = camera.axes();
    renderer.begin(camera.matrix(this.aspect()), plus(plus(times(0.8, back), up, 0.5), right, 0.33));
    renderer.solids(data.scene.shapes.flatMap((shape) => shapes.solids(shape, t)).concat(this.world()));
    for (const name of this.traces.keys()) {
      const { points, span: [begin, end] } = this.path(name);
      const done = Math.min(Math.floor(TRACE_POINTS * (t - begin) / (end - begin)), TRACE_POINTS);
      renderer.line(points, TRACE, 0.3);
      if (done > 0) renderer.line(points.subarray(0, 3 * (done + 1)), TRACE, 1);
      renderer.line(new Float32Array(this.points.get(name)(t)), MARKED, 1);
    }
    AXES.forEach(([name, axis], i) => {
      const [x, y] = this.project(times(1.08 * data.scene.world.axisLength, axis)), label = this.labels[i];
      label.style.transform = `translate(${x}px, ${y}px) translate(-50%, -50%)`;
      label.hidden = !(x > 0 && y > 0 && x < width && y < height);
    });
  },
  start() {
    const id = (name) => document.getElementById(name);
    this.canvas = id("stage");
    id("animation").hidden = false;
    this.renderer = new Renderer(this.canvas);
    if (!this.renderer.gl) {
      id("frame").replaceChildren(element("p", "This browser draws no 3-D pictures (WebGL is switched off)."));
      return;
    }
    this.camera = new Camera(data.scene.world.up ?? [0, 1, 0]);
    if (data.scene.world.normal) this.camera.face(data.scene.world.normal);
    this.labels = AXES.map(([name]) => element("span", name, { class: "axis", "aria-hidden": "true" }));
    for (const label of this.labels) id("frame").append(label);
    this.name(); this.fit(); this.listen(); this.draw();
    clock.tell("animation", () => this.draw());
  },
  listen() {
    const id = (name) => document.getElementById(name), names = [...this.points.keys()];
    for (const button of document.querySelectorAll("[data-view]")) {
      button.addEventListener("click", () => this.view(button.dataset.view));
    }
    for (const list of [id("follow"), id("trace")]) for (const name of names) list.append(element("option", name));
    id("follow").addEventListener("change", (event) => this.follow(event.target.value));
    id("trace").addEventListener("change", (event) => { this.trace(event.target.value); event.target.selectedIndex = 0; });
    id("forces").hidden = !data.scene.shapes.some((shape) => shape.shapeType === "arrow");
    id("scale").addEventListener("input", (event) => { this.scale = 10 ** Number(event.target.value); this.draw(); });
    this.listenToPointer();
    this.canvas.addEventListener("keydown", (event) => {
      const turns = { ArrowLeft: [0.1, 0], ArrowRight: [-0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] };
      const zooms = { "+": 0.9, "=": 0.9, "-": 1 / 0.9 };
      if (turns[event.key]) this.camera.turn(...turns[event.key]);
      else if (zooms[event.key]) this.camera.distance *= zooms[event.key];
      else return;
      event.preventDefault(); event.stopPropagation();
      this.draw();
    });
  },
  listenToPointer() {
    const { canvas } = this;
    let last = null;
    canvas.addEventListener("pointerdown", (event) => { last = event; canvas.setPointerCapture(event.pointerId); });
    for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, () => { last = null; });
    canvas.addEventListener("pointermove", (event) => {
      if (!last) return;
      const [dx, dy] = [event.clientX - last.clientX, event.clientY - last.clientY];
      last = event;
      if (event.shiftKey) this.camera.shift(dx, dy, sizeOf(canvas)[1]); else this.camera.turn(-0.01 * dx, 0.01 * dy);
      this.draw();
    });
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.camera.distance *= Math.exp(event.deltaY * 0.001);
      this.draw();
    }, { passive: false });
  },
};
