"""Compares where a page draws each kind of shape with where it is: shapes.py CHROMIUM REPORT.html [PICTURES]

The shapes of the page are those of the test that calls this script. The camera looks along -z from far away.
"""
import math, sys

from browser import Browser

# The rectangle of the pixels with the hue of a colour, and their number.
EXTENT = """(([r, g, b]) => {
  const gl = animation.renderer.gl, w = gl.drawingBufferWidth, h = gl.drawingBufferHeight, seen = new Uint8Array(4 * w * h);
  gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, seen);
  const hue = (c) => { const s = Math.max(...c) || 1; return c.map((x) => x / s); }, wanted = hue([r, g, b]);
  let [left, right, top, bottom, count] = [Infinity, -Infinity, Infinity, -Infinity, 0];
  for (let k = 0; k < w * h; k++) {
    const pixel = hue([...seen.subarray(4 * k, 4 * k + 3)]);
    if (seen[4 * k + 3] < 40 || pixel.some((x, n) => Math.abs(x - wanted[n]) > 0.04)) continue;
    const [x, y] = [k % w, h - 1 - Math.floor(k / w)];
    left = Math.min(left, x); right = Math.max(right, x + 1); top = Math.min(top, y); bottom = Math.max(bottom, y + 1); count++;
  }
  return [left, right, top, bottom, count];
})"""


def turned(t, points):
    """Points of the plane of the picture, turned about z."""
    s, c = math.sin(t), math.cos(t)
    return [(c * x - s * y, s * x + c * y) for x, y in points]


def expected(k, t):
    """The rectangle of a shape in the world, relative to its frame."""
    corners = [(x, y) for x in (-0.25, 0.25) for y in (0, 1)]
    if k in (0, 1):
        points = turned(t, corners)
    elif k in (2, 8):
        # A ball is an ellipsoid in its box.
        width, length = (0.25, 0.5) if k == 2 else (0.05, 0.05)
        angles = (2 * math.pi * i / 90 for i in range(90))
        points = turned(t, [(width * math.cos(a), length + length * math.sin(a)) for a in angles])
    elif k == 3:
        points = [(-0.25, -0.25), (0.25, 0.25)]
    elif k == 4:
        points = turned(t, [(x, y - 0.5) for x, y in corners])
    elif k == 5:
        points = [(-0.05, 0), (0.05, 0.5 * (1 + t))]
    elif k == 6:
        points = [(0, -0.27), (2, 0.27)]
    else:
        points = [(0, -0.1), (2, 0.1)]
    xs, ys = zip(*points)
    return min(xs), max(xs), min(ys), max(ys)


def main():
    chromium, page, *folder = sys.argv[1:]
    browser = Browser(chromium)
    try:
        browser.open(page)
        browser.place("#stage")
        faces(browser)
        browser.get("Object.assign(animation.camera, { yaw: 0, pitch: 0, target: [8, 0, 0], distance: 20 })")
        width, height = browser.get("[animation.canvas.clientWidth, animation.canvas.clientHeight]")
        scale = height / 2 / math.tan(0.35) / 20
        colours = browser.get("data.scene.shapes.map((shape) => shape.color)")
        pictures = set()
        for t in (0.0, 0.5, 1.0):
            browser.get(f"clock.set({t})")
            for k, colour in enumerate(colours):
                left, right, top, bottom, count = browser.get(f"{EXTENT}({colour})")
                x0, x1, y0, y1 = expected(k, t)
                x, y = 2 * k, 0.5 * math.sin(t)
                found = ((left - width / 2) / scale + 8 - x, (right - width / 2) / scale + 8 - x,
                         (height / 2 - bottom) / scale - y, (height / 2 - top) / scale - y)
                # Two pixels, and what is nearer than the target looks larger.
                slack = [2.5 / scale + 0.03 * (abs(v) + abs(x - 8)) for v in (x0, x1, y0, y1)]
                close = all(abs(a - b) < s for a, b, s in zip(found, (x0, x1, y0, y1), slack))
                assert count > 4 and close, (k, t, found, (x0, x1, y0, y1), slack, count)
                if k == 3:
                    pictures.add(tuple(browser.get(f"(() => {{ {SPOKES} }})()")))
        assert len(pictures) == 3, "one does not see that the wheel turns"
        browser.screenshot(folder[0] if folder else None, "shapes")
        print(len(colours), "kinds of shapes at 3 times")
        assert not browser.problems, browser.problems
    finally:
        browser.end()


def faces(browser):
    """Planar mechanisms are seen at right angles to their plane, from the front, the right or above."""
    for up, normal, back in (
        ([0, 1, 0], [0, 0, 1], [0, 0, 1]), ([0, 1, 0], [0, 0, -1], [0, 0, 1]), ([0, 1, 0], [-1, 0, 0], [1, 0, 0]),
        ([0, 1, 0], [0, -1, 0], [0, 1, 0]), ([0, 0, 1], [0, 1, 0], [0, -1, 0]), ([0, 1, 0], [0, 0.6, -0.8], [0, -0.6, 0.8]),
    ):
        seen = browser.get(f"(() => {{ const camera = new Camera({up}); camera.face({normal}); return camera.axes().back; }})()")
        assert all(abs(a - b) < 1e-12 for a, b in zip(seen, back)), (up, normal, seen)


# The pixels of the wheel.
SPOKES = """
  const gl = animation.renderer.gl, h = gl.drawingBufferHeight, seen = new Uint8Array(4 * 60 * 60);
  const [x, y] = animation.project(shapes.ends(data.scene.shapes[3], clock.time)[0]).map(Math.round);
  gl.readPixels(x - 30, h - y - 30, 60, 60, gl.RGBA, gl.UNSIGNED_BYTE, seen);
  return [...seen];"""

main()
