"""Measures how long the page of a report works for a frame of its animation: frames.py CHROMIUM REPORT.html"""
import sys

from browser import Browser

FRAMES = """(async () => {
  const times = [];
  // As while it plays, when the numbers of the list are not written for each frame.
  clock.playing = true;
  for (let k = 0; k < 120; k++) {
    await new Promise(requestAnimationFrame);
    const begin = performance.now();
    clock.set(span[0] + (span[1] - span[0]) * k / 120);
    times.push(performance.now() - begin);
  }
  return times.sort((a, b) => a - b);
})()"""


def main():
    chromium, page, *_ = sys.argv[1:]
    browser = Browser(chromium)
    try:
        browser.open(page)
        times = browser.get(FRAMES)
        count = browser.get("data.scene.shapes.length")
        print(f"{count} shapes: {times[30]:.1f} ms of a frame, at most {times[-1]:.1f} ms")
        # What the page does itself: how long the picture takes depends on the graphics processor. Other
        # processes may hold up some of the frames.
        assert times[30] < 1000 / 60, times
        assert not browser.problems, browser.problems
    finally:
        browser.end()


main()
