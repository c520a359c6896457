"""Opens reports in headless Chromium and uses them as a reader does: report.py CHROMIUM still|animated REPORT.html
TABLE.csv POSITIONS.csv [PICTURES]; POSITIONS is the table of the variables that move shapes and the diagram, or -.
"""
import base64, csv, json, math, pathlib, sys, time

from browser import Browser


def values(browser, table):
    with open(table, newline="") as file:
        rows = list(csv.reader(file))
    header, rows = rows[0], [[float(cell) for cell in row] for row in rows[1:]]
    assert len(rows) > 10 and len(header) > 1
    for column, name in enumerate(header[1:], 1):
        expected = [row[column] for row in rows]
        points = browser.get(f"""(() => {{ const c = curve(byName.get({json.dumps(name)}));
            return [[...c.time], [...c.values]]; }})()""")
        if len(points[1]) == 1:
            assert set(expected) == set(points[1]), name
        elif browser.get("data.curves.thinned"):
            # Every point is a row, and the ends and the extreme values are among them.
            curve, table_points = list(zip(*points)), set(zip((row[0] for row in rows), expected))
            assert 1000 < len(curve) < len(rows) and set(curve) <= table_points, name
            assert (curve[0][0], curve[-1][0]) == (rows[0][0], rows[-1][0]), name
            assert (min(points[1]), max(points[1])) == (min(expected), max(expected)), name
        else:
            assert points == [[row[0] for row in rows], expected], name


def plots(browser):
    x, y, width, height = browser.place(".plot canvas")
    whole = browser.get("plots.range")
    span = whole[1] - whole[0]
    inner = width - 82
    browser.drag((x + 70 + 0.25 * inner, y + 80), (x + 70 + 0.75 * inner, y + 80))
    zoomed = browser.get("plots.range")
    assert abs(zoomed[0] - whole[0] - 0.25 * span) < 0.01 * span, zoomed
    assert abs(zoomed[1] - whole[0] - 0.75 * span) < 0.01 * span, zoomed
    browser.drag((x + 70 + 0.5 * inner, y + 80), (x + 70 + 0.6 * inner, y + 80), modifiers=8)
    panned = browser.get("plots.range")
    assert abs(zoomed[0] - panned[0] - 0.05 * span) < 0.01 * span, panned
    browser.click(x + 70 + 0.5 * inner, y + 80)
    cursor = browser.get("clock.time")
    assert abs(cursor - sum(panned) / 2) < 0.01 * span, cursor
    browser.click(x + 70 + 0.5 * inner, y + 80, 2)
    assert browser.get("plots.range") == whole
    browser.mouse("mouseWheel", x + 70 + 0.5 * inner, y + 80, deltaX=0, deltaY=-200)
    wheeled = browser.get("plots.range")
    assert wheeled[1] - wheeled[0] < 0.8 * span, wheeled
    browser.get("plots.zoom(span)")
    # A signal that is switched off has no curve, and has one again when it is switched on.
    count = "plots.all.reduce((n, plot) => n + plot.lines.length, 0)"
    before = browser.get(count)
    browser.click_on("#signals input")
    assert browser.get(count) == before - 1
    browser.click_on("#signals input")
    assert browser.get(count) == before


def times(browser):
    begin, end = browser.get("span")
    browser.get("clock.set(span[0]); document.getElementById('speed').value = '0.05'")
    browser.click_on("#play")
    limit = time.monotonic() + 30
    while browser.get("clock.time") == begin:
        assert browser.get("clock.playing") and time.monotonic() < limit, "it does not play"
    browser.click_on("#play")
    paused = browser.get("clock.time")
    assert not browser.get("clock.playing")
    assert paused == browser.get("new Promise((done) => setTimeout(() => done(clock.time), 200))")
    x, y, width, height = browser.place("#scrub")
    browser.click(x + width / 2, y + height / 2)
    middle = browser.get("clock.time")
    assert abs(middle - (begin + end) / 2) < 0.02 * (end - begin), middle
    browser.get("document.activeElement.blur()")
    browser.call("Input.dispatchKeyEvent", type="keyDown", key="ArrowRight")
    moved = browser.get("clock.time")
    assert abs(moved - middle - (end - begin) / 200) < 1e-9 * (end - begin), (middle, moved)
    events = browser.get("data.events.map((event) => event.time)")
    if events:
        row = len(events) // 2
        browser.click_on(f"#events tbody tr:nth-child({row + 1}) button")
        assert browser.get("clock.time") == events[row]
    return len(events)



def table(path):
    """The columns of a table by name, the time first."""
    with open(path, newline="") as file:
        header, *rows = csv.reader(file)
    return dict(zip(header, zip(*([float(cell) for cell in row] for row in rows))))


def by_keys(browser):
    """Everything has a name for screen readers, and keys do what the pointer does."""
    nodes = browser.call("Accessibility.getFullAXTree")["nodes"]
    roles = ["button", "slider", "checkbox", "combobox", "searchbox", "img", "table", "canvas"]
    named = [node for node in nodes if not node["ignored"] and node["role"]["value"] in roles]
    nameless = [node for node in named if not node.get("name", {}).get("value") and node["role"]["value"] != "table"]
    assert len(named) > 10 and not nameless, nameless
    browser.get("document.querySelector('.plot canvas').focus()")
    whole = browser.get("plots.range")
    browser.press("+")
    closer = browser.get("plots.range")
    assert closer[1] - closer[0] < 0.8 * (whole[1] - whole[0]), closer
    browser.press("-")
    browser.press("Home")
    assert browser.get("plots.range") == whole
    browser.get("document.activeElement.blur(); clock.play(false)")
    browser.press(" ")
    assert browser.get("clock.playing")
    browser.press(" ")
    assert not browser.get("clock.playing")


def hover(browser, columns):
    """The values below the pointer are those of the table."""
    x, y, width, height = browser.place(".plot canvas")
    before = browser.get("document.querySelector('.plot canvas').toDataURL()")
    browser.mouse("mouseMoved", x + 70 + 0.4 * (width - 82), y + 60, button="none")
    t, name, text = browser.get("""(() => { const { plot, time } = plots.hover, { signal } = plot.lines[0];
        return [time, signal.name, valueText(signal, time)]; })()""")
    begin, end = browser.get("plots.range")
    assert abs(t - begin - 0.4 * (end - begin)) < 0.01 * (end - begin), t
    rows = list(zip(columns["time"], columns[name]))
    near = [v for k, (s, v) in enumerate(rows) if rows[max(k - 1, 0)][0] <= t <= rows[min(k + 1, len(rows) - 1)][0]]
    value = float(text.split()[0]) if text[0] in "-0123456789" else None
    slack = 1e-5 * max(map(abs, near)) + 0.01 * (max(columns[name]) - min(columns[name]))
    assert value is None or min(near) - slack <= value <= max(near) + slack, (t, text, near)
    assert browser.get("document.querySelector('.plot canvas').toDataURL()") != before
    browser.mouse("mouseMoved", x + 5, y - 30, button="none")
    assert browser.get("plots.hover") is None


LUMINANCE = """(() => {
  const parts = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = (c) => { const [r, g, b] = c.slice(0, 3).map((x) => x / 255).map((x) => x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const contrast = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
  const ground = (e) => { for (; e; e = e.parentElement) { const c = parts(getComputedStyle(e).backgroundColor); if (c.length < 4 || c[3] > 0) return c; } return [255, 255, 255]; };
  const texts = [...document.querySelectorAll("body *")].filter((e) => e.checkVisibility() && [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim()));
  const poor = texts.map((e) => [e.tagName, e.textContent.slice(0, 30), contrast(parts(getComputedStyle(e).color), ground(e))]).filter((x) => x[2] < 4.5);
  const hex = (c) => [1, 3, 5].map((i) => parseInt(c.slice(i, i + 2), 16));
  const body = ground(document.body);
  const curves = [...plots.shown].map((s) => [plots.colour(s), contrast(hex(plots.colour(s)), body)]).filter((x) => x[1] < 3);
  return { count: texts.length, poor, curves };
})()"""


def looks(browser, folder, name):
    """Contrast in both themes (AA of WCAG 2.2: 4.5 for texts, 3 for curves), and the page on paper."""
    light = browser.get("theme('ground')")
    for theme in ["light", "dark"]:
        browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])
        seen = browser.get(LUMINANCE)
        assert seen["count"] > 20 and not seen["poor"] and not seen["curves"], (theme, seen)
        browser.get("scrollTo(0, 0)")
        browser.screenshot(folder, f"{name}-{theme}")
    assert browser.get("theme('ground')") != light
    browser.call("Emulation.setEmulatedMedia", media="print", features=[])
    assert not browser.get("document.getElementById('player').checkVisibility()")
    assert browser.get("document.querySelector('.plot canvas').checkVisibility()")
    assert browser.get("[...document.querySelectorAll('.scroll')].every((e) => e.scrollHeight <= e.clientHeight + 1)")
    paper = base64.b64decode(browser.call("Page.printToPDF", printBackground=True)["data"])
    assert paper.startswith(b"%PDF") and len(paper) > 10000
    browser.call("Emulation.setEmulatedMedia", media="", features=[])


def diagram(browser, positions):
    """Discs are turned by their angles, and clutches show their modes, as the table says."""
    columns = table(positions)
    rows = [dict(zip(columns, values)) for values in zip(*columns.values())]
    discs = browser.get("[...document.querySelectorAll('[data-turn]')].map((e) => e.dataset.turn)")
    clutches = browser.get("[...document.querySelectorAll('[data-mode]')].map((e) => e.dataset.mode)")
    assert len(discs) > 3 and len(clutches) > 0, (discs, clutches)
    seen = set()
    for part in (0.2, 0.5, 0.9):
        row = rows[int(part * len(rows))]
        browser.get(f"clock.set({row['time']})")
        # Positive angles turn counterclockwise, and the y axis of a picture points downwards.
        angles = browser.get("""[...document.querySelectorAll('[data-turn]')].map((e) => {
            const m = e.getCTM(); return Math.atan2(-m.b, m.a); })""")
        for name, angle in zip(discs, angles):
            expected = float(row[name])
            assert abs(math.remainder(angle - expected, 2 * math.pi)) < 1e-4, (name, row["time"], angle, expected)
        states = browser.get("[...document.querySelectorAll('[data-mode] .state')].map((e) => e.textContent)")
        words = {-1: "slips", 0: "stuck", 1: "slips", 2: "free"}
        assert states == [words[int(float(row[name]))] for name in clutches], (row["time"], states)
        labels = browser.get("[...document.querySelectorAll('[aria-label]')].map((e) => e.getAttribute('aria-label'))")
        for name, state in zip(clutches, states):
            assert f"{name.removesuffix('.mode')}, {state}" in labels, (name, labels)
        seen.update(states)
    assert len(seen) > 1, seen
    # A click switches the signals of a component on, and another one switches them off.
    name = clutches[0].removesuffix(".mode")
    count = f"[...plots.shown].filter((s) => s.name.startsWith('{name}.')).length"
    assert browser.get(count) == 0
    browser.click_on(f"[data-component='{name}']")
    assert browser.get(count) > 1 and browser.get("document.getElementById('search').value") == name + "."
    browser.click_on(f"[data-component='{name}']")
    assert browser.get(count) == 0
    browser.get("document.getElementById('search').value = ''; plots.list()")


class Scene:
    """Where the shapes are according to a table, and where a camera sees them: computed apart from the page."""

    def __init__(self, browser, positions):
        self.browser, self.columns = browser, table(positions)
        self.scene = browser.get("data.scene")
        self.frames = {frame["name"]: frame for frame in self.scene["frames"]}

    def value(self, name, row):
        return self.columns[name][row]

    def frame(self, name, row, p=(0, 0, 0)):
        frame = self.frames[name]
        return [self.value(frame["r_0"][j], row) + sum(self.value(frame["T"][i][j], row) * p[i] for i in range(3))
                for j in range(3)]

    def point(self, name, row):
        """A point that the page offers: a frame, or the middle or the end of a shape."""
        if name in self.frames:
            return self.frame(name, row)
        component, _, end = name.partition(": ")
        shape = next(s for s in self.scene["shapes"] if s["component"] == component and s["shapeType"] != "arrow")
        return self.inside(shape, row, 1 if end else 0.5)

    def inside(self, shape, row, part):
        start = self.frame(shape["frame"], row, shape["r_shape"])
        if shape.get("to"):
            end = self.frame(shape["to"], row)
            return [a + part * (b - a) for a, b in zip(start, end)]
        length = shape["length"] if isinstance(shape["length"], float | int) else self.value(shape["length"], row)
        away = [r + part * length * d for r, d in zip(shape["r_shape"], shape["lengthDirection"])]
        return self.frame(shape["frame"], row, away)

    def pixel(self, world):
        """The pinhole camera: a sphere of directions around the target, with the pole upwards."""
        yaw, pitch, distance, *target = self.browser.get(
            "[animation.camera.yaw, animation.camera.pitch, animation.camera.distance, ...animation.camera.target]")
        width, height = self.browser.get("[animation.canvas.clientWidth, animation.canvas.clientHeight]")
        x, y, z = self.axes()
        rel = [a - b for a, b in zip(world, target)]
        local = [sum(a * b for a, b in zip(axis, rel)) for axis in (x, y, z)]
        # About the upward direction, then about that to the right.
        local[0], local[2] = (local[0] * math.cos(yaw) - local[2] * math.sin(yaw),
                              local[0] * math.sin(yaw) + local[2] * math.cos(yaw))
        local[1], local[2] = (local[1] * math.cos(pitch) - local[2] * math.sin(pitch),
                              local[1] * math.sin(pitch) + local[2] * math.cos(pitch))
        scale = height / 2 / math.tan(0.35) / (distance - local[2])
        return [width / 2 + scale * local[0], height / 2 - scale * local[1]]

    def axes(self):
        """The axes at yaw and pitch 0: to the right, upwards, to the viewer."""
        up = self.scene["world"].get("up", [0, 1, 0])
        assert up in ([0, 1, 0], [0, 0, 1]), up
        return ([1, 0, 0], up, [0, 0, 1] if up == [0, 1, 0] else [0, -1, 0])


MARK = """(([x, y]) => {
  const gl = animation.renderer.gl, h = gl.drawingBufferHeight, n = 41, seen = new Uint8Array(4 * n * n);
  const [left, low] = [Math.round(x) - 20, h - 1 - Math.round(y) - 20];
  gl.readPixels(left, low, n, n, gl.RGBA, gl.UNSIGNED_BYTE, seen);
  const found = [];
  for (let j = 0; j < n; j++) for (let i = 0; i < n; i++) {
    const [r, g, b] = seen.subarray(4 * (j * n + i));
    if (MARKED.every((c, k) => Math.abs(255 * c - [r, g, b][k]) < 3)) found.push([left + i + 0.5, h - low - j - 0.5]);
  }
  const mean = (k) => found.reduce((sum, p) => sum + p[k], 0) / found.length;
  return [found.length, mean(0), mean(1)];
})"""

HUE = """(([x, y], colour) => {
  const gl = animation.renderer.gl, h = gl.drawingBufferHeight, seen = new Uint8Array(100);
  gl.readPixels(Math.round(x) - 2, h - 1 - Math.round(y) - 2, 5, 5, gl.RGBA, gl.UNSIGNED_BYTE, seen);
  const hue = (c) => { const s = Math.max(...c) || 1; return c.map((v) => v / s); };
  for (let k = 0; k < 100; k += 4) {
    const pixel = [...seen.subarray(k, k + 3)];
    if (seen[k + 3] > 200 && hue(pixel).every((v, n) => Math.abs(v - hue(colour)[n]) < 0.06)) return true;
  }
  return false;
})"""


def animation(browser, positions, folder, name):
    browser.place("#stage")
    scene = Scene(browser, positions)
    points = browser.get("[...animation.points.keys()]")
    chosen = points[::max(1, len(points) // 6)]
    last, moved, hidden, count = {}, 0, 0, 0
    times = scene.columns["time"]
    for part in (0.1, 0.45, 0.9):
        row = max(k for k, t in enumerate(times) if t <= times[0] + part * (times[-1] - times[0]))
        browser.get(f"clock.set({times[row]})")
        for point in chosen:
            browser.get(f"animation.trace({json.dumps(point)})")
            pixel = scene.pixel(scene.point(point, row))
            found, x, y = browser.get(f"{MARK}({pixel})")
            browser.get(f"animation.trace({json.dumps(point)})")
            assert found >= 30 and math.hypot(x - pixel[0], y - pixel[1]) <= 2, (point, times[row], pixel, found, x, y)
            moved += math.hypot(*(a - b for a, b in zip(pixel, last.get(point, pixel)))) > 1
            last[point] = pixel
        # The colours of the shapes are where the shapes are, unless others hide them.
        for shape in scene.scene["shapes"]:
            if shape["shapeType"] in ("box", "cylinder", "sphere") and not shape["extra"]:
                count += 1
                hidden += not browser.get(f"{HUE}({scene.pixel(scene.inside(shape, row, 0.5))}, {shape['color']})")
    print(name, "marks:", 3 * len(chosen), "moved:", moved, "shapes:", count, "hidden:", hidden)
    assert moved > 0 and hidden <= count / 2
    browser.get(f"animation.trace({json.dumps(chosen[-1])})")
    browser.screenshot(folder, name + "-animation")
    buttons(browser)
    follows(browser, scene, points[-1])


def buttons(browser):
    for view, yaw, pitch in [("front", 0, 0), ("side", math.pi / 2, 0), ("top", 0, math.pi / 2)]:
        browser.click_on(f"[data-view={view}]")
        assert browser.get("[animation.camera.yaw, animation.camera.pitch]") == [yaw, pitch], view
    state = "[animation.camera.yaw, animation.camera.target[0], animation.camera.distance]"
    browser.get("Object.assign(animation.camera, { yaw: 0.3, pitch: 0.2 })")
    x, y, width, height = browser.place("#stage")
    before = browser.get(state)
    browser.drag((x + 100, y + 100), (x + 150, y + 120))
    browser.drag((x + 100, y + 100), (x + 150, y + 120), modifiers=8)
    browser.mouse("mouseWheel", x + 100, y + 100, deltaX=0, deltaY=100)
    after = browser.get(state)
    assert all(a != b for a, b in zip(before, after)), (before, after)
    browser.get("animation.canvas.focus()")
    browser.press("ArrowLeft")
    browser.press("+")
    keyed = browser.get(state)
    assert abs(keyed[0] - after[0] - 0.1) < 1e-12 and keyed[2] < after[2], (after, keyed)
    browser.click_on("[data-view=fit]")
    browser.get("document.activeElement.blur()")


def follows(browser, scene, point):
    """A point that is followed stays where it is in the picture."""
    choose = "(() => { const s = document.getElementById('follow'); s.value = %s; s.dispatchEvent(new Event('change')); })()"
    browser.get(choose % json.dumps(point))
    width, height = browser.get("[animation.canvas.clientWidth, animation.canvas.clientHeight]")
    for row in (0, len(scene.columns["time"]) // 3):
        browser.get(f"clock.set({scene.columns['time'][row]})")
        # At a time with two rows, the page shows the second one.
        row = max(k for k, t in enumerate(scene.columns["time"]) if t <= scene.columns["time"][row])
        x, y = scene.pixel(scene.point(point, row))
        assert math.hypot(x - width / 2, y - height / 2) < 0.5, (point, x, y)
    browser.get(choose % '""')
    browser.click_on("[data-view=fit]")


def main():
    chromium, kind, page, rows, positions, *folder = sys.argv[1:]
    folder, name = folder[0] if folder else None, pathlib.Path(page).stem
    browser = Browser(chromium)
    try:
        browser.open(page)
        browser.screenshot(folder, name)
        values(browser, rows)
        if browser.get("Boolean(document.querySelector('svg.diagram [data-mode]'))"):
            diagram(browser, positions)
        plots(browser)
        hover(browser, table(rows))
        events = times(browser)
        by_keys(browser)
        assert browser.get("!document.getElementById('animation').hidden") == (kind == "animated")
        if kind == "animated":
            animation(browser, positions, folder, name)
        looks(browser, folder, name)
        assert not browser.problems, browser.problems
        print(name, "events:", events)
    finally:
        browser.end()


main()
