"""Measures how long the page of a report works for a frame of its animation: frames.py CHROMIUM REPORT.html"""
import sys

from browser import Browser

COUNT = 200

# As while it plays, when the numbers of the list are not written for each frame.
FRAMES = """clock.playing = true;
  for (let k = 0; k < %d; k++) clock.set(span[0] + (span[1] - span[0]) * k / %d);""" % (COUNT, COUNT)


def main():
    chromium, page, *_ = sys.argv[1:]
    browser = Browser(chromium)
    try:
        browser.open(page)
        browser.get(FRAMES)
        # The time of its thread on the processor, which other processes do not lengthen. How
        # long the browser and the graphics processor take for a picture is another matter.
        browser.call("Performance.enable", timeDomain="threadTicks")
        worked = lambda: {m["name"]: m["value"] for m in browser.call("Performance.getMetrics")["metrics"]}["TaskDuration"]
        begin = worked()
        browser.get(FRAMES)
        time = (worked() - begin) / COUNT * 1000
        print(f"{browser.get('data.scene.shapes.length')} shapes: {time:.1f} ms for a frame")
        assert 0.01 < time < 1000 / 60, time
        assert not browser.problems, browser.problems
    finally:
        browser.end()


main()
