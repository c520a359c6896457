"""Makes pictures of the report of a four-bar linkage: pictures.py CHROMIUM REPORT.html REPORT.png FRAMES

FRAMES gets one revolution of the crank: a line with width and height, then the pixels of all frames (RGBA).
"""
import base64, pathlib, sys

from browser import Browser

WIDTH, HEIGHT, COUNT = 480, 300, 40

# The time at which the crank has made a number of revolutions.
WHEN = """((count) => {
  const { time, values } = curve(byName.get("j1.phi")), k = values.findIndex((phi) => phi >= 2 * Math.PI * count);
  const part = (2 * Math.PI * count - values[k - 1]) / (values[k] - values[k - 1]);
  return time[k - 1] + part * (time[k] - time[k - 1]);
})"""

PIXELS = """(() => {
  const picture = document.createElement("canvas");
  [picture.width, picture.height] = [animation.canvas.width, animation.canvas.height];
  const c = picture.getContext("2d");
  c.fillStyle = "#fff"; c.fillRect(0, 0, picture.width, picture.height); c.drawImage(animation.canvas, 0, 0);
  const bytes = c.getImageData(0, 0, picture.width, picture.height).data;
  let text = "";
  for (let k = 0; k < bytes.length; k += 8192) text += String.fromCharCode(...bytes.subarray(k, k + 8192));
  return btoa(text);
})()"""


def main():
    chromium, page, report, frames = sys.argv[1:]
    browser = Browser(chromium)
    try:
        browser.call("Emulation.setDeviceMetricsOverride", width=1200, height=1500, deviceScaleFactor=1, mobile=False)
        browser.open(page)
        browser.get("for (const point of ['b1: end', 'b2: end']) animation.trace(point)")
        begin, end = (browser.get(f"{WHEN}({count})") for count in (1, 2))
        browser.get(f"clock.set({begin + 0.3 * (end - begin)})")
        image = browser.call("Page.captureScreenshot", format="png")["data"]
        pathlib.Path(report).write_bytes(base64.b64decode(image))
        browser.get(f"""(async () => {{ Object.assign(animation.canvas.style, {{ width: "{WIDTH}px", height: "{HEIGHT}px", border: "0" }});
            for (let k = 0; k < 2; k++) await new Promise(requestAnimationFrame);
            animation.fit(); animation.draw(); }})()""")
        with open(frames, "wb") as file:
            file.write(f"{WIDTH} {HEIGHT}\n".encode())
            for k in range(COUNT):
                browser.get(f"clock.set({begin + (end - begin) * k / COUNT})")
                file.write(base64.b64decode(browser.get(PIXELS)))
        assert not browser.problems, browser.problems
    finally:
        browser.end()


main()
