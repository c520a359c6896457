"""Opens the page of fmu view in headless Chromium and uses it as a reader does: view.py CHROMIUM ADDRESS FOLDER

The model has the input tau, the parameter body.m, the output w and a scene; its stop time is 5 s. FOLDER is that of the
temporary files of fmu view, by which its processes are known.
"""
import json, pathlib, sys

from browser import Browser


def sessions(folder):
    """How many sessions run."""
    def runs(process):
        try:
            environment, command = (process / "environ").read_bytes(), (process / "cmdline").read_bytes()
        except OSError:
            return False
        return folder.encode() in environment and b"run-session" in command
    return sum(map(runs, pathlib.Path("/proc").glob("[0-9]*")))


def wait_for_sessions(browser, folder, count):
    """Waits until this many sessions run."""
    for _ in range(500):
        if sessions(folder) == count:
            return
        browser.get("new Promise((done) => setTimeout(done, 20))")
    assert sessions(folder) == count, sessions(folder)


# The number of pixels of the animation that show something.
SEEN = """(() => {
  const gl = animation.renderer.gl, [w, h] = [gl.drawingBufferWidth, gl.drawingBufferHeight], all = new Uint8Array(4 * w * h);
  gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, all);
  return all.reduce((count, value, k) => count + (k % 4 === 3 && value > 200), 0);
})()"""

LAST = "curve(byName.get('tau')).values.at(-1)"


def controls(browser):
    """Every control has a name, and those of the input have the unit and a range."""
    fields = browser.get("""[...document.querySelectorAll('#live input, #live select')].map((e) =>
        e.getAttribute('aria-label') ?? e.labels[0]?.textContent ?? '')""")
    assert len(fields) > 4 and all(fields), fields
    slider = "document.querySelector('#live input[type=range]')"
    assert browser.get(slider + ".getAttribute('aria-label')") == "tau in N.m"
    assert browser.get(f"[{slider}.min, {slider}.max, {slider}.value]") == ["-1", "1", "0"]


def plays_and_follows(browser):
    browser.wait("!live.over && growing.rows === 1")
    assert browser.get("[clock.time, span[1], plots.range[1]]") == [0, 0, 5]
    # The first row is seen before anything is clicked.
    assert browser.get("animation.camera.target.every(Number.isFinite)") and browser.get(SEEN) > 100
    browser.click_on("#play")
    browser.wait("clock.time > 0.3")
    # The server is never far ahead of the clock.
    time, reached, rows = browser.get("[clock.time, span[1], growing.rows]")
    assert reached < time + 0.4, (time, reached)
    assert rows > 20, rows
    assert browser.get(LAST) == 0
    browser.get("document.querySelector('#live input[type=range]').focus()")
    for _ in range(3):
        browser.press("ArrowRight", 39)
    value = float(browser.get("document.querySelector('#live input[type=range]').value"))
    assert value > 0, value
    # The value is that of the FMU's answer, which has it as a signal.
    browser.wait(f"{LAST} === {value}")
    assert float(browser.get("document.querySelector('#live input[type=number]').value")) == value
    before = browser.get("growing.rows")
    browser.wait(f"growing.rows > {before} + 20")
    browser.click_on("#play")
    browser.wait("!live.busy")
    return value


def remembers(browser, value):
    """The past is still there, and play goes on from it to the end and further."""
    end = browser.get("span[1]")
    assert browser.get("[valueAt(byName.get('tau'), 0), valueAt(byName.get('tau'), span[1])]") == [0, value]
    w = browser.get("[...curve(byName.get('w')).values]")
    assert len(set(w)) > 20
    x, y, width, height = browser.place("#scrub")
    browser.click(x + width / 2, y + height / 2)
    assert abs(browser.get("clock.time") - end / 2) < 0.1 * end
    poses = []
    for part in (0.2, 0.9):
        browser.get(f"clock.set({part} * span[1])")
        poses.append(browser.get("""JSON.stringify(data.scene.shapes
            .flatMap((shape) => shapes.solids(shape, clock.time)).map((solid) => [solid.origin, solid.axes]))"""))
    assert poses[0] != poses[1], "the animation does not follow"
    browser.get("clock.set(0.9 * span[1])")
    browser.click_on("#play")
    browser.wait(f"span[1] > {end} + 0.2")
    browser.click_on("#play")
    browser.wait("!live.busy")
    # Rows that are known are not asked for again.
    time = browser.get("[...curve(byName.get('w')).time]")
    assert time == sorted(time)
    return [time, browser.get("[...curve(byName.get('w')).values]")]


def type_into(browser, name, text):
    """Types a value into the field of a variable."""
    place = f"live.fields.get({json.dumps(name)})[0]"
    browser.get(f"{place}.closest('details') && ({place}.closest('details').open = true); {place}.focus(); {place}.select?.()")
    browser.call("Input.insertText", text=text)
    browser.press("Tab", 9)


def refuses(browser):
    """A value that is not possible is told in one sentence, at its field too, and changes nothing."""
    rows = browser.get("growing.rows")
    browser.get("live.fields.get('body.m')[0].removeAttribute('min')")
    type_into(browser, "body.m", "-1")
    sentence = "Swing: body.m = -1 kg: must be positive or zero"
    browser.wait(f"document.getElementById('message').textContent === {json.dumps(sentence)}")
    assert browser.get("live.fields.get('body.m')[0].getAttribute('aria-invalid')") == "true"
    assert browser.get("growing.rows") == rows
    # The browser tells the status of the answer.
    problem = browser.problems.pop()
    assert "422" in problem, problem
    # Every name arrives at the server, whatever it means to the page's language.
    browser.get("live.change('__proto__', '1')")
    browser.wait("document.getElementById('message').textContent.includes('__proto__')")
    browser.get("live.changed.delete('__proto__')")
    browser.problems.pop()
    type_into(browser, "body.m", "2")
    browser.wait("live.fields.get('body.m')[0].getAttribute('aria-invalid') === 'false'")
    browser.wait(f"growing.rows === {rows} + 1")


def starts_again(browser, value):
    """Restart begins with the present values; it pauses at the stop time, and goes on if it is told to."""
    browser.click_on("#restart")
    browser.wait("!live.over && growing.rows === 1")
    assert browser.get(f"[clock.time, clock.playing, {LAST}]") == [0, False, value]
    assert browser.get("document.getElementById('message').textContent") == ""
    browser.get("document.getElementById('speed').value = '10'")
    browser.click_on("#play")
    browser.wait("clock.time > 4 && !clock.playing")
    assert 5 <= browser.get("clock.time") < 5.011, browser.get("clock.time")
    browser.click_on("#play")
    browser.wait("clock.time > 5.5")
    browser.click_on("#play")
    browser.wait("!live.busy")


def main():
    chromium, address, folder, *pictures = sys.argv[1:]
    browser = Browser(chromium)
    try:
        browser.open(address)
        controls(browser)
        value = plays_and_follows(browser)
        browser.screenshot(pictures[0] if pictures else None, "view")
        first = remembers(browser, value)
        wait_for_sessions(browser, folder, 1)
        # Another tab has its own simulation, with the values at first.
        second, first_tab = browser.tab()
        browser.open(address)
        browser.wait("!live.over && growing.rows === 1")
        assert browser.get(LAST) == 0
        browser.click_on("#play")
        browser.wait("clock.time > 0.2")
        assert set(browser.get("[...curve(byName.get('tau')).values]")) == {0}
        wait_for_sessions(browser, folder, 2)
        second_target = browser.target
        browser.session = first_tab
        browser.call("Page.bringToFront")
        rows = browser.get("[[...curve(byName.get('w')).time], [...curve(byName.get('w')).values]]")
        assert rows == first
        refuses(browser)
        starts_again(browser, value)
        assert browser.get("document.getElementById('animation').hidden") is False
        # A tab that is closed ends its session.
        browser.call("Target.closeTarget", targetId=second_target)
        wait_for_sessions(browser, folder, 1)
        assert not browser.problems, browser.problems
    finally:
        browser.end()


main()
