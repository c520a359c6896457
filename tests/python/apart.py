"""Opens a page of thousands of shapes, and lets its parts fail one after the other: apart.py CHROMIUM REPORT.html"""
import sys

from browser import Browser


def main():
    chromium, page, *_ = sys.argv[1:]
    browser = Browser(chromium)
    try:
        browser.open(page)
        assert browser.get("[animation.camera.target.every(Number.isFinite), data.scene.shapes.length]") == [True, 3000]
        assert browser.get("[...parts.failed]") == [] and not browser.problems, browser.problems
        browser.get("window.drawn = []; diagram.draw = () => drawn.push('diagram'); clock.tell('diagram', diagram.draw)")
        for part in ["animation", "plots"]:
            browser.get(f"{part}.draw = () => {{ drawn.push('{part}'); throw new Error('no {part}'); }}")
        browser.get("clock.set(0.5); clock.set(0.75)")
        # A part that has failed does not run again.
        assert sorted(browser.get("drawn")) == ["animation", "diagram", "diagram", "plots"]
        assert browser.get("document.getElementById('now').textContent") == "0.7500 s"
        told = browser.get("[...document.querySelectorAll('#remarks li')].map((e) => e.textContent)")
        assert sorted(told) == ["The animation failed: no animation.", "The plots failed: no plots."], told
        assert len(browser.problems) == 2, browser.problems
    finally:
        browser.end()


main()
