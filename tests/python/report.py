"""Opens reports in headless Chromium and uses them as a reader does: report.py REPORT.html TABLE.csv

The browser is driven through the pipe of its DevTools protocol, which needs no other package.
"""
import base64, csv, json, math, os, pathlib, subprocess, sys, tempfile, time


class Browser:
    def __init__(self, chromium):
        self.profile = tempfile.TemporaryDirectory()
        # The browser reads commands from descriptor 3 and writes answers to descriptor 4.
        commands, self.to = os.pipe()
        self.back, answers = os.pipe()

        def connect():
            high = [os.dup(commands), os.dup(answers)]
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        flags = ["--headless=new", "--no-sandbox", "--remote-debugging-pipe", "--window-size=1200,1000",
                 "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-first-run",
                 "--disable-background-networking", f"--user-data-dir={self.profile.name}"]
        self.process = subprocess.Popen([chromium, *flags], preexec_fn=connect, close_fds=False,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(commands)
        os.close(answers)
        self.number, self.rest, self.problems, self.session, self.loaded = 0, b"", [], None, False
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Log"]:
            self.call(domain + ".enable")

    def message(self):
        while b"\0" not in self.rest:
            part = os.read(self.back, 1 << 20)
            if not part:
                sys.exit("the browser has ended")
            self.rest += part
        text, self.rest = self.rest.split(b"\0", 1)
        message = json.loads(text)
        method, params = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.problems.append(params["exceptionDetails"])
        if method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning", "assert"):
            self.problems.append(params["args"])
        if method == "Log.entryAdded" and params["entry"]["level"] == "error":
            self.problems.append(params["entry"]["text"])
        if method == "Page.loadEventFired":
            self.loaded = True
        return message

    def call(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                assert "error" not in answer, (method, answer)
                return answer["result"]

    def open(self, path):
        self.loaded = False
        self.call("Page.navigate", url=pathlib.Path(path).resolve().as_uri())
        while not self.loaded:
            self.message()

    def get(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, (expression, answer)
        return answer["result"].get("value")

    def mouse(self, kind, x, y, **more):
        more = {"button": "left", "clickCount": 1, **more}
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, x, y, count=1):
        for k in range(1, count + 1):
            self.mouse("mousePressed", x, y, clickCount=k)
            self.mouse("mouseReleased", x, y, clickCount=k)

    def drag(self, begin, end, **more):
        self.mouse("mousePressed", *begin, **more)
        for part in (0.5, 1.0):
            self.mouse("mouseMoved", *(b + part * (e - b) for b, e in zip(begin, end)), **more)
        self.mouse("mouseReleased", *end, **more)

    def place(self, selector):
        """The rectangle of an element, scrolled into view."""
        return self.get(f"""(() => {{ const e = document.querySelector({json.dumps(selector)});
            e.scrollIntoView({{ block: 'center' }}); const r = e.getBoundingClientRect();
            return [r.x, r.y, r.width, r.height]; }})()""")

    def click_on(self, selector):
        x, y, width, height = self.place(selector)
        self.click(x + width / 2, y + height / 2)

    def end(self):
        self.call("Browser.close")
        self.process.wait(20)


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


PIXELS = """(() => {
  const gl = animation.renderer.gl, w = gl.drawingBufferWidth, h = gl.drawingBufferHeight;
  const all = new Uint8Array(4 * w * h);
  gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, all);
  const hue = (c) => { const s = Math.max(...c) || 1; return c.map((x) => x / s); };
  // Light scales a colour, so that the ratios of its parts remain.
  const found = (x, y, reach, colour) => {
    for (let i = -reach; i <= reach; i++) for (let j = -reach; j <= reach; j++) {
      const k = 4 * ((h - 1 - Math.round(y) - j) * w + Math.round(x) + i);
      const pixel = [all[k], all[k + 1], all[k + 2]];
      if (all[k + 3] > 200 && hue(pixel).every((v, n) => Math.abs(v - hue(colour)[n]) < 0.06)) return true;
    }
    return false;
  };
  // Where the shape is according to the table, and not where the page has drawn it.
  return data.scene.shapes.map((shape, index) => {
    const frame = data.scene.frames.find((f) => f.name === shape.frame);
    const value = (name) => valueAt(byName.get(name), clock.time);
    const length = typeof shape.length === "string" ? value(shape.length) : shape.length;
    const p = shape.r_shape.map((r, i) => r + shape.lengthDirection[i] * length / 2);
    const world = [0, 1, 2].map((j) => value(frame.r_0[j]) + [0, 1, 2].reduce((s, i) => s + value(frame.T[i][j]) * p[i], 0));
    const [x, y] = animation.project(world);
    return [shape.component, shape.extra === 0 && found(x, y, 2, shape.color), x, y];
  });
})()"""


def pictures(browser, folder, name):
    browser.place("#stage")
    positions = []
    for part in (0.1, 0.45, 0.9):
        browser.get(f"clock.set(span[0] + {part} * (span[1] - span[0]))")
        seen = browser.get(PIXELS)
        # Shapes may hide each other; most are seen.
        hidden = [shape for shape in seen if not shape[1]]
        print(name, part, "shapes:", len(seen), "not seen:", [shape[0] for shape in hidden])
        assert len(hidden) <= len(seen) // 2, hidden
        positions.append([shape[2:] for shape in seen if shape[1]])
    assert positions[0] != positions[1] != positions[2], "nothing moves"
    screenshot(browser, folder, name + "-animation")
    for view, axis in [("front", [0, 0, 1]), ("side", [1, 0, 0]), ("top", [0, 1, 0])]:
        browser.click_on(f"[data-view={view}]")
        back = browser.get("animation.camera().back")
        assert all(abs(a - b) < 1e-12 for a, b in zip(back, axis)), (view, back)
    x, y, width, height = browser.place("#stage")
    before = browser.get("[animation.yaw, animation.target[0], animation.distance]")
    browser.drag((x + 100, y + 100), (x + 150, y + 120))
    browser.drag((x + 100, y + 100), (x + 150, y + 120), modifiers=8)
    browser.mouse("mouseWheel", x + 100, y + 100, deltaX=0, deltaY=100)
    after = browser.get("[animation.yaw, animation.target[0], animation.distance]")
    assert all(a != b for a, b in zip(before, after)), (before, after)
    browser.click_on("[data-view=fit]")


def diagram(browser, table):
    """Discs are turned by their angles, and clutches show their modes, as the table says."""
    with open(table, newline="") as file:
        rows = list(csv.DictReader(file))
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


def screenshot(browser, folder, name):
    if folder:
        image = browser.call("Page.captureScreenshot", format="png")["data"]
        pathlib.Path(folder, name + ".png").write_bytes(base64.b64decode(image))


def main():
    chromium, animated, page, table, *folder = sys.argv[1:]
    folder = folder[0] if folder else None
    name = pathlib.Path(page).stem
    browser = Browser(chromium)
    try:
        browser.open(page)
        screenshot(browser, folder, name)
        values(browser, table)
        moving = pathlib.Path(table).with_suffix(".moving.csv")
        if moving.exists():
            diagram(browser, moving)
        plots(browser)
        events = times(browser)
        assert browser.get("!document.getElementById('animation').hidden") == (animated == "animated")
        if animated == "animated":
            pictures(browser, folder, name)
        light = browser.get("theme('ground')")
        browser.get("scrollTo(0, 0)")
        dark = [{"name": "prefers-color-scheme", "value": "dark"}]
        browser.call("Emulation.setEmulatedMedia", features=dark)
        assert browser.get("theme('ground')") != light
        screenshot(browser, folder, name + "-dark")
        assert not browser.problems, browser.problems
        print(name, "events:", events)
    finally:
        browser.end()


main()
