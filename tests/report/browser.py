"""Drives a headless Chromium over the DevTools protocol, through pipes: keys are those of a user."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time


class Browser:
    """One page. Collects what the browser complains about in `problems`."""

    def __init__(self, program, deadline=60):
        self.deadline = time.monotonic() + deadline
        self.problems = []
        self.requests = []
        self._count = 0
        self._received = b""
        self._home = tempfile.mkdtemp(prefix="aiwc_browser_")
        to_child, self._write = os.pipe()
        self._read, from_child = os.pipe()

        def connect():  # the browser reads descriptor 3 and writes descriptor 4
            first, second = os.dup(to_child), os.dup(from_child)
            os.dup2(first, 3)
            os.dup2(second, 4)

        self._process = subprocess.Popen(
            [program, "--headless=new", "--remote-debugging-pipe", "--disable-gpu", "--hide-scrollbars",
             "--no-first-run", "--disable-dev-shm-usage", f"--user-data-dir={self._home}",
             *(["--no-sandbox"] if os.geteuid() == 0 else []), "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            close_fds=False, preexec_fn=connect, env={**os.environ, "HOME": self._home})
        os.close(to_child)
        os.close(from_child)
        self._session = None
        pages = [t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page"]
        self._session = self.call("Target.attachToTarget", targetId=pages[0]["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def close(self):
        self._process.kill()
        self._process.wait()
        os.close(self._read)
        os.close(self._write)
        shutil.rmtree(self._home, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _message(self):
        while b"\0" not in self._received:
            left = self.deadline - time.monotonic()
            if left <= 0 or not select.select([self._read], [], [], left)[0]:
                raise TimeoutError("the browser does not answer")
            data = os.read(self._read, 1 << 20)
            if not data:
                raise EOFError("the browser ended")
            self._received += data
        text, self._received = self._received.split(b"\0", 1)
        message = json.loads(text)
        method, parameters = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.problems.append(json.dumps(parameters["exceptionDetails"])[:400])
        elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            self.problems.append(parameters["entry"]["text"])
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
            self.problems.append(json.dumps(parameters["args"])[:400])
        elif method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])
        return message

    def call(self, method, **parameters):
        self._count += 1
        request = {"id": self._count, "method": method, "params": parameters}
        if self._session:
            request["sessionId"] = self._session
        os.write(self._write, json.dumps(request).encode() + b"\0")
        while True:
            message = self._message()
            if message.get("id") == self._count:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]

    def open(self, file, fragment=""):
        """Waits until the page is there; returns the milliseconds that it took."""
        self.call("Page.navigate", url="about:blank")
        start = time.monotonic()
        self.call("Page.navigate", url=f"file://{os.path.abspath(file)}#{fragment}")
        while not self.value("document.readyState === 'complete' && location.protocol === 'file:'"):
            time.sleep(0.01)
        return 1000 * (time.monotonic() - start)

    def visit(self, fragment):
        """Follows a link within the page, which must have another fragment now."""
        self.value("new Promise((done) => { addEventListener('hashchange', () => done(true), { once: true }); "
                   f"location.hash = {json.dumps(fragment)}; }})")

    def value(self, expression):
        """Of a JavaScript expression."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {json.dumps(answer['exceptionDetails'])[:400]}")
        return answer["result"].get("value")

    def key(self, name, code=None):
        """Presses and releases a key."""
        codes = {"Tab": 9, "Enter": 13, " ": 32, "ArrowRight": 39, "ArrowLeft": 37, "ArrowDown": 40}
        text = {"text": "\r"} if name == "Enter" else {"text": name} if len(name) == 1 else {}
        common = {"key": name, "code": code or name, "windowsVirtualKeyCode": codes.get(name, ord(name[0].upper()))}
        self.call("Input.dispatchKeyEvent", type="keyDown", **common, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def size(self, width, height=900):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def media(self, medium="screen", scheme="light"):
        self.call("Emulation.setEmulatedMedia", media=medium,
                  features=[{"name": "prefers-color-scheme", "value": scheme}])

    def picture(self, file, clip=None):
        """Of the whole page, or of a rectangle {x, y, width, height}."""
        if clip is None:
            box = self.call("Page.getLayoutMetrics")["cssContentSize"]
            clip = {"x": 0, "y": 0, "width": box["width"], "height": box["height"]}
        shot = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip={**clip, "scale": 1})
        with open(file, "wb") as out:
            out.write(base64.b64decode(shot["data"]))

    def pdf(self):
        return base64.b64decode(self.call("Page.printToPDF", printBackground=True)["data"])
