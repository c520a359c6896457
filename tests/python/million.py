"""Opens the report of a million rows in headless Chromium: million.py CHROMIUM REPORT.html [PICTURES]"""
import sys, time

from browser import Browser


def main():
    chromium, page, *folder = sys.argv[1:]
    browser = Browser(chromium)
    try:
        begin = time.monotonic()
        browser.open(page)
        # The next frame follows when the curves are drawn.
        browser.get("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
        print(f"opened in {time.monotonic() - begin:.2f} s")
        assert browser.get("data.curves.rows") == 1_000_000 and browser.get("data.signals.length") == 50
        assert browser.get("plots.all.reduce((n, plot) => n + plot.lines.length, 0)") == 10
        browser.screenshot(folder[0] if folder else None, "million")
        assert not browser.problems, browser.problems
    finally:
        browser.end()


main()
