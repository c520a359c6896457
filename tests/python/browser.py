"""Headless Chromium, which is driven through the pipe of its DevTools protocol and needs no other package."""
import base64, json, os, pathlib, signal, subprocess, sys, tempfile, time


class Browser:
    def __init__(self, chromium):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
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
                                        start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(commands)
        os.close(answers)
        self.number, self.rest, self.problems, self.session, self.loaded = 0, b"", [], None, False
        self.tab()

    def tab(self):
        """Opens a tab, which commands concern from here on; returns it and the one before."""
        before, self.session = self.session, None
        self.target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=self.target, flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Log"]:
            self.call(domain + ".enable")
        return self.session, before

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

    def open(self, page):
        """Opens a file, or the page at an address."""
        self.loaded = False
        url = page if page.startswith("http://") else pathlib.Path(page).resolve().as_uri()
        self.call("Page.navigate", url=url)
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

    def press(self, key, code=0):
        """Presses a key; one that does not write has a code."""
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code)

    def wait(self, expression, seconds=60):
        """Waits until an expression is true."""
        limit = time.monotonic() + seconds
        while not self.get(expression):
            assert time.monotonic() < limit, expression
            time.sleep(0.02)

    def screenshot(self, folder, name):
        """A picture of the page, if there is a folder for it."""
        if folder:
            image = self.call("Page.captureScreenshot", format="png")["data"]
            pathlib.Path(folder, name + ".png").write_bytes(base64.b64decode(image))

    def end(self):
        """Ends the browser with its processes. It is not asked to, because it may need minutes to obey on a busy
        machine, and its profile is thrown away."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
