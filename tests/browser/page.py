#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The page of HTML in Chromium, without a network: what the mouse and the keyboard light, what is read aloud, and that a click explains a
cell in the words of `tessera explain-cell`.

  page.py TESSERA TOUR [--shots FOLDER] [--measure]

The browser is driven over a pipe by its own protocol. Ends with 77 where there is no Chromium.
"""
import base64
import fcntl
import json
import math
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time

LARGEST_TOUR, LARGEST_GRID = 300_000, 3_000_000  # bytes


def find_chromium():
    """The program, or None where there is none."""
    return next((found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None)


def check_quiet(browser, checks, passed_over=None):
    """No script complained, and nothing was fetched. Complaints with the words `passed_over` are none."""
    problems = [e for e in browser.events if e["method"] in ("Runtime.exceptionThrown", "Log.entryAdded", "Runtime.consoleAPICalled")
                and not (passed_over and passed_over in json.dumps(e))]
    checks("no complaint", problems, [])
    urls = [e["params"]["request"]["url"] for e in browser.events if e["method"] == "Network.requestWillBeSent"]
    checks("nothing is fetched", [url for url in urls if not url.startswith(("file:", "data:"))], [])


class Browser:
    def __init__(self, program, profile):
        to_read, self.to = os.pipe()
        self.come, from_write = os.pipe()
        spare_in, spare_out = fcntl.fcntl(to_read, fcntl.F_DUPFD, 50), fcntl.fcntl(from_write, fcntl.F_DUPFD, 50)

        def give_pipes():  # the browser reads 3 and writes 4
            os.dup2(spare_in, 3)
            os.dup2(spare_out, 4)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe",
             "--host-resolver-rules=MAP * ~NOTFOUND", "--window-size=1400,1000", "--user-data-dir=" + profile],
            preexec_fn=give_pipes, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.number, self.buffer, self.events = 0, b"", []

    def message(self, seconds=120):
        end = time.time() + seconds
        while b"\0" not in self.buffer:
            if not select.select([self.come], [], [], max(0, end - time.time()))[0]:
                raise TimeoutError("the browser does not answer")
            self.buffer += os.read(self.come, 1 << 20)
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def send(self, method, session=None, **parameters):
        self.number += 1
        request = {"id": self.number, "method": method, "params": parameters}
        if session:
            request["sessionId"] = session
        os.write(self.to, json.dumps(request).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def close(self):
        try:
            self.send("Browser.close")
        finally:
            self.process.wait(30)


class Page:
    def __init__(self, browser, path):
        self.browser = browser
        target = browser.send("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        browser.events.clear()
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.call("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=0, uploadThroughput=0)
        self.call("Page.navigate", url="file://" + path)
        self.wait_for("document.readyState == 'complete' && location.href != 'about:blank'")
        self.frame()

    def wait_for(self, condition):
        while not self.js(condition):
            time.sleep(0.02)

    def reload(self):
        self.js("window.isBefore = true")
        self.call("Page.reload")
        self.wait_for("!window.isBefore && document.readyState == 'complete'")
        self.frame()

    def call(self, method, **parameters):
        return self.browser.send(method, self.session, **parameters)

    def js(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(expression + "\n" + json.dumps(result["exceptionDetails"]))
        return result["result"].get("value")

    def frame(self):
        self.js("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def hover(self, at):
        self.mouse("mouseMoved", *at)
        self.frame()

    def click(self, at):
        self.mouse("mouseMoved", *at)
        self.mouse("mousePressed", *at, button="left", clickCount=1)
        self.mouse("mouseReleased", *at, button="left", clickCount=1)
        self.frame()

    def key(self, key):
        # Enter and Tab act by their codes.
        code = {"Tab": 9, "Enter": 13, "Escape": 27, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}.get(key, 0)
        more = {"windowsVirtualKeyCode": code} if code else {"text": key}
        self.call("Input.dispatchKeyEvent", type="keyDown" if not code else "rawKeyDown", key=key, **more)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)
        self.frame()

    def said(self):
        return self.js("document.getElementById('said').textContent")

    def shot(self, folder, name):
        if folder:
            with open(os.path.join(folder, name + ".png"), "wb") as out:
                out.write(base64.b64decode(self.call("Page.captureScreenshot")["data"]))

    def place(self, figure, panel, row, col):
        """Where in the window the cell with this coordinate is; the figure is scrolled there first."""
        return self.js(f"""(() => {{
          const view = page.views.find((each) => each.figure.name === '{figure}'), of = view.figure;
          let at = null;
          of.eachGrid((p, m, mark, grid) => {{
            if (at || of.panels[p].id !== '{panel}') return;
            for (let i = 0; i < grid.size && !at; ++i) {{
              const subject = grid.subject(i);
              if (subject.row === {row} && subject.col === {col}) at = {{panel: p, mark: m, cell: i}};
            }}
          }});
          const box = of.box(at), room = of.room;
          view.plate.scrollIntoView({{block: 'start'}});
          let r = view.plate.getBoundingClientRect();
          const down = r.top + (box[1] + box[3] / 2 - room[1]) / room[3] * r.height - 300;
          window.scrollBy(0, down);
          r = view.plate.getBoundingClientRect();
          return [r.left + (box[0] + box[2] / 2 - room[0]) / room[2] * r.width, r.top + (box[1] + box[3] / 2 - room[1]) / room[3] * r.height];
        }})()""")

    def lit(self, figure):
        """What is lit in a figure: {"same": ["C 1 1 ...", ...], "mates": [...]}, panel and coordinate of each cell; None: nothing is."""
        return self.js(f"""(() => {{
          const view = page.views.find((each) => each.figure.name === '{figure}'), lit = view.lit();
          if (!lit) return null;
          const words = (at) => view.figure.panels[at.panel].id + ' ' + view.figure.coordinate(view.figure.subjects(at)[0]);
          return {{same: Array.from(new Set(lit.same.map(words))).sort(), mates: Array.from(new Set(lit.mates.map(words))).sort()}};
        }})()""")

    def veil(self, figure, at):
        """How much of a veil the canvas has at a point of the window, 0 to 255; None where nothing is painted at all."""
        return self.js(f"""(() => {{
          const view = page.views.find((each) => each.figure.name === '{figure}'), r = view.plate.getBoundingClientRect();
          const context = view.canvas.getContext('2d'), scale = view.canvas.width / r.width;
          return context.getImageData(Math.round(({at[0]} - r.left) * scale), Math.round(({at[1]} - r.top) * scale), 1, 1).data[3];
        }})()""")


class Checks:
    def __init__(self):
        self.failed = 0

    def __call__(self, what, found, wanted=True):
        if found == wanted:
            return
        self.failed += 1
        print(f"FAILED: {what}\n  found  {found!r}\n  wanted {wanted!r}")


def owners_in(scene, thread):
    """The cells of a scene, as `tessera draw --to json` writes it, that this thread holds: {panel letter: {(row, col): values}}"""
    found = {}
    for panel in scene["panels"]:
        cells = found.setdefault(panel["name"].split(" ")[0], {})
        for mark in panel["marks"]:
            for link in mark.get("links", []):
                if link.get("thread") == thread:
                    cells.setdefault((link["row"], link["col"]), set()).add(link["value"])
    return found


def check_hover(page, tessera, tour, checks, shots):
    scene = json.loads(subprocess.run([tessera, "draw", tour, "--name", "volta_2x2", "--to", "json"], check=True, capture_output=True).stdout)
    at = page.place("volta_2x2", "C", 1, 1)
    page.hover(at)
    owners = owners_in(scene, 1)
    checks("C(1,1) is T1 V1", owners["C"][(1, 1)], {1})
    lit = page.lit("volta_2x2")
    checks("the same is lit", lit["same"], ["C (1,1)"])
    mates = sorted(f"{panel} ({r},{c})" for panel in "ABC" for (r, c) in owners[panel] if (panel, r, c) != ("C", 1, 1))
    checks("all other cells of the thread are lit too", lit["mates"], mates)
    checks("what is read aloud", page.said(), "C (1,1)  T1 V1")
    checks("a lit cell has no veil", page.veil("volta_2x2", at), 0)
    page_unlit = page.place("volta_2x2", "C", 9, 9)
    page.place("volta_2x2", "C", 1, 1)
    page.hover(page.place("volta_2x2", "C", 1, 1))
    checks("another cell has one", page.veil("volta_2x2", page.place("volta_2x2", "C", 9, 9)) > 100)
    page.hover(page.place("volta_2x2", "C", 1, 1))
    page.shot(shots, "hover")
    # Lineage: tCsA is made of volta_2x2, the Ampere atom of nothing that volta is.
    checks("thread 1 is lit in what is made of the same MMA", len(page.lit("volta_1x1")["mates"]) > 0)
    checks("and in no figure of another lineage", page.lit("ampere"), None)
    page.hover([5, 5])
    checks("nothing is read where nothing is", page.said(), "")
    checks("and nothing is lit", page.lit("volta_2x2"), None)


def check_addresses(page, checks):
    """An offset of a layout lights up where another figure of its lineage has the same offset."""
    page.hover(page.place("who_owns", "tile", 2, 3))
    checks("the line names thread, value, offset and bank", page.said().startswith("tile (2,3)  T"))
    checks("... its offset", "offset 19" in page.said())
    checks("the offset in row_major", page.lit("row_major")["same"], ["layout (2,3)"])
    checks("who_owns and what_is_owned name the same cell", "tv (2,3)" in page.lit("what_is_owned")["same"])


def explained(page):
    """The pinned cell's steps as they stand in the table."""
    return page.js("""Array.from(document.querySelectorAll('#explanation tbody tr')).map((row) => {
      const cells = Array.from(row.children), because = cells[3].childNodes[0];
      const bits = row.querySelector('pre');
      return [cells[0].textContent, cells[1].textContent, cells[2].textContent, because ? because.textContent : '',
              bits ? bits.textContent : ''];
    })""")


def steps_of(cell):
    return [[s["name"], s["from"], s["to"], s["rule"], "\n".join(s["bits"]["lines"]) if "bits" in s else ""] for s in cell["steps"]]


def check_click(page, tessera, tour, checks, shots):
    page.click(page.place("swizzled_a", "swizzled", 5, 8))
    wanted = json.loads(subprocess.run([tessera, "explain-cell", "swizzled_a", "--file", tour, "--at", "(5,8)", "--json"], check=True,
                                       capture_output=True).stdout)
    checks("the click explains in the program's words", explained(page), steps_of(wanted))
    checks("there is a swizzle with its bits", any(step[4].startswith("in ") for step in explained(page)))
    checks("what is read aloud of the click", page.said().startswith("pinned: swizzled_a (5,8)"))
    page.hover([5, 5])
    checks("it stays lit when the mouse leaves", "swizzled (5,8)" in page.lit("swizzled_a")["same"])
    page.click(page.place("tensor_gemm", "sA", 1, 9))
    alike = explained(page)
    page.click(page.place("tensor_gemm", "sA-opened", 1, 9))
    checks("the enlarged cell is explained alike", explained(page), alike)
    page.click(page.place("tensor_gemm", "sA", 17, 9))
    wanted = json.loads(subprocess.run([tessera, "explain-cell", "tensor_gemm", "--file", tour, "--at", "sA(17,9)", "--json"], check=True,
                                       capture_output=True).stdout)
    checks("the chain goes on to bank, thread and instruction", [step[0] for step in explained(page)],
           ["index", "swizzle", "byte", "chunk", "bank", "thread", "lane", "instruction"])
    checks("in the program's words", explained(page), steps_of(wanted))
    page.shot(shots, "click")
    page.click(page.place("tensor_gemm", "sA", 17, 9))
    checks("a second click lets it go", page.js("document.getElementById('explanation').hidden"))


def check_explanations(page, tessera, checks, calls, names):
    """The script's steps against the program's, at cells of each panel: [[figure, panel id, coordinate, steps], ...]"""
    found = page.js("""(() => {
      const all = [];
      for (const view of page.views) {
        view.figure.eachGrid((p, m, mark, grid) => {
          for (let i = 0; i < grid.size; i += Math.max(1, Math.floor(grid.size / 3) - 1)) {
            const at = {panel: p, mark: m, cell: i}, cell = explainAt(view.figure, at);
            if (cell) all.push([view.figure.name, view.figure.panels[p].id, cell.coordinate, cell]);
          }
        });
      }
      return all;
    })()""")
    count = 0
    for figure, panel, coordinate, cell in found:
        if panel == "plain":  # beside a swizzle; the expression's own cells are the swizzled ones
            continue
        panel = panel.replace("-opened", "")
        place = coordinate if panel.startswith("layout") or panel == "swizzled" else panel + coordinate
        program = subprocess.run([tessera, "explain-cell", *calls(figure), "--at", place, "--json"], capture_output=True)
        wanted = json.loads(program.stdout)
        ours = [[s["name"], s["from"], s["to"], s["rule"], "\n".join(s.get("bits", []))] for s in cell["steps"]]
        theirs = steps_of(wanted) if "steps" in wanted else wanted
        if panel == "tv" or figure == "one_thread":  # the owner is one of several, which a coordinate alone does not tell
            ours, theirs = ([s for s in steps if s[0] not in ("thread", "lane", "instruction")] for steps in (ours, theirs))
        checks(f"{figure} {place}", ours, theirs)
        checks(f"{figure} {place}: offset and notes", [cell["offset"], cell["notes"]], [wanted.get("offset"), wanted.get("notes")])
        count += 1
    checks("figures whose cells were compared", sorted({each[0] for each in found}), sorted(names))
    return count


def check_all_offsets(page, checks):
    """Every cell's chain comes to the offset that its column says."""
    wrong = page.js("""(() => {
      const wrong = [];
      let cells = 0;
      for (const view of page.views) {
        view.figure.eachGrid((p, m, mark, grid) => {
          for (let i = 0; grid.address && i < grid.size; ++i) {
            const cell = explainAt(view.figure, {panel: p, mark: m, cell: i});
            if (!cell) continue;
            ++cells;
            const bank = cell.steps.find((step) => step.name === 'bank'), of = grid.subject(i);
            if (cell.offset !== grid.address[i] || (bank && of.bank >= 0 && bank.to !== 'bank ' + of.bank)) wrong.push([view.figure.name, p, i]);
          }
        });
      }
      return [cells, wrong.slice(0, 5)];
    })()""")
    checks("offsets and banks of all cells", wrong[1], [])
    return wrong[0]


def check_keyboard(page, checks, shots):
    page.key("Tab")
    checks("Tab goes to the first panel", page.js("document.activeElement.getAttribute('aria-roledescription')"), "panel")
    checks("which says what it is", page.js("document.activeElement.getAttribute('aria-label')").startswith("row_major: "))
    checks("and its first cell is read", page.said().startswith("row_major (0,0)  offset 0"))
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp", "ArrowDown"):
        page.key(key)
    checks("arrows move", page.said().startswith("row_major (1,1)  offset 9"))
    page.key("Enter")
    checks("Enter explains", page.js("document.querySelector('#explanation h2').textContent").startswith("row_major (1,1)"))
    page.key("?")
    checks("? shows the keys", page.js("document.getElementById('help').hidden"), False)
    page.shot(shots, "help")
    page.key("Escape")
    checks("Esc lets go", [page.js("document.getElementById('help').hidden"), page.js("document.getElementById('explanation').hidden"),
                           page.lit("row_major")], [True, True, None])
    page.key("Tab")
    checks("Tab goes on to the next panel", page.js("document.activeElement.getAttribute('aria-label')").startswith("column_major: "))
    checks("all panels have a name and a role", page.js(
        "Array.from(document.querySelectorAll('.panel')).every((p) => p.getAttribute('role') && p.getAttribute('aria-label').length > 10)"))
    checks("the line is read when it changes", page.js("document.getElementById('said').getAttribute('aria-live')"), "polite")
    # From C's left edge on to A, which lies there.
    page.js("""(() => {
      const view = page.views.find((each) => each.figure.name === 'volta_2x2');
      view.plate.querySelector('.panel[data-panel="' + view.figure.panels.findIndex((p) => p.id === 'C') + '"]').focus();
    })()""")
    page.key("ArrowLeft")
    checks("at an edge the arrow goes on in the panel beside", page.said().startswith("A (0,3)"))
    page.key("Escape")


def check_steps(page, tessera, checks, shots):
    checks("there are steps", page.js("page.views[0].figure.steps.length"), 16)
    page.js("window.scrollTo(0, 0)")
    page.key("]")
    page.key("]")
    words = page.js("document.querySelector('.steps output').textContent")
    checks("the second step says what it is", words.startswith("Step 2 of 16, k = 1"))
    lit = page.lit("figure")
    checks("it lights a column of A and a row of B", lit["mates"],
           sorted([f"A ({m},1)" for m in range(16)] + [f"B ({n},1)" for n in range(8)]))
    page.shot(shots, "step")
    page.key("[")
    checks("one back", page.js("page.views[0].step"), 1)
    page.key("[")
    checks("and the whole picture", page.lit("figure"), None)
    page.js("document.querySelectorAll('.steps button')[1].click()")
    checks("the buttons do it too", page.js("page.views[0].step"), 1)


def check_timeline(page, checks):
    count = page.js("page.views[0].figure.steps.length")
    checks("a timeline has steps", count > 3)
    shown = "Array.from(document.querySelectorAll('[data-mark]')).filter((e) => e.style.display !== 'none').length"
    whole = page.js(shown)
    page.key("]")
    first = page.js(shown)
    page.js(f"page.views[0].go({count})")
    checks("its marks come one after the other", first < page.js(shown) <= whole)
    page.key("Escape")
    page.js("document.querySelector('.panel').focus()")
    bars = [page.said()]
    for _ in range(3):
        page.key("ArrowRight")
        bars.append(page.said())
    checks("arrows go from bar to bar", len(set(bars)), 4)
    missed = page.js("""(() => {
      const figure = page.figures[0];
      let missed = 0;
      figure.panels.forEach((panel, p) => panel.marks.forEach((mark, m) => {
        if ((mark[0] !== 'a' && mark[0] !== 'l') || !mark[7]) return;
        const at = figure.pick((mark[1] + mark[3]) / 2, (mark[2] + mark[4]) / 2);
        if (!at || figure.words(at) === '') ++missed;
      }));
      return missed;
    })()""")
    checks("lines that stand for something are found too", missed, 0)
    checks("each of which says what it is", min(len(words) for words in bars) > 10)


def check_fonts(page, checks):
    """The page carries its fonts: loaded, and as wide as the files of assets/fonts say, in type sizes."""
    width = "(() => { const c = document.createElement('canvas').getContext('2d'); c.font = '%s'; return c.measureText('%s').width })()"
    checks("the fonts in use are loaded", page.js("[...document.fonts].every(face => face.status !== 'error')"))
    for face, sign, wanted in (("400 100px Inter", "0", 62.5), ("400 100px Inter", "\u00d7", 65.91), ("400 100px Inter", "W", 94.89),
                               ("600 100px Inter", "0", 66.69), ("400 100px JetBrains Mono", "W", 60)):
        page.js(f"document.fonts.load('{face}').then(() => 0)")
        checks(f"{sign} in {face} is {wanted} wide", abs(page.js(width % (face, sign)) - wanted) < 0.1)


def check_page(page, checks):
    check_quiet(page.browser, checks, "getImageData")  # which the checks themselves ask for often
    checks("the paper is light", page.js("getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)")
    page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    checks("or dark, as the reader likes it", page.js("getComputedStyle(document.body).backgroundColor"), "rgb(21, 24, 30)")
    page.call("Emulation.setEmulatedMedia", media="print", features=[])
    checks("the line is not printed", page.js("getComputedStyle(document.getElementById('dock')).display"), "none")
    checks("the picture is", page.js("document.querySelector('.plate svg').getBoundingClientRect().height") > 100)
    page.call("Emulation.setEmulatedMedia", media="", features=[])


def measure(page):
    """Frames a second while the mouse moves over the only figure, and how long painting takes."""
    box = page.js("(() => { const r = page.views[0].plate.getBoundingClientRect(); return [r.left, r.top, r.width]; })()")
    page.js("""window.times = []; window.painted = [];
      const paint = FigureView.prototype.paint;
      FigureView.prototype.paint = function() { const t = performance.now(); paint.call(this); painted.push(performance.now() - t); };
      (function each(t) { times.push(t); requestAnimationFrame(each); })(performance.now()); 0""")
    for i in range(900):
        page.mouse("mouseMoved", box[0] + box[2] * (0.5 + 0.4 * math.sin(i / 40)), box[1] + 300 * (1.2 + math.cos(i / 23)))
    times, painted = sorted(page.js("times.slice(1).map((t, i) => t - times[i])")), sorted(page.js("painted"))
    total = sum(times)
    print(f"frames: {len(times)} in {total / 1000:.1f} s, {1000 * len(times) / total:.1f} a second; median {times[len(times) // 2]:.1f} ms, "
          f"95% {times[len(times) * 95 // 100]:.1f} ms; painting {len(painted)}, median {painted[len(painted) // 2]:.2f} ms, "
          f"largest {painted[-1]:.2f} ms")


def check_diagram(page, checks, shots):
    """A leaf lights its arrow and its factor, and in the layout's grid what it walks."""
    at = page.js("""(() => {
      const view = page.views.find((each) => each.figure.name === 'arrows'), room = view.figure.room;
      view.plate.scrollIntoView({block: 'center'});
      const r = view.plate.getBoundingClientRect();
      let mark = null;
      for (const panel of view.figure.panels) mark = mark || panel.marks.find((each) => each[0] === 'c' && each[6] === '4:8');
      return [r.left + (mark[1] + mark[3] / 2 - room[0]) / room[2] * r.width, r.top + (mark[2] + mark[4] / 2 - room[1]) / room[3] * r.height];
    })()""")
    page.hover(at)
    checks("the leaf says what it walks", page.said(), "4:8 walks the factor 4 of memory, in 3 steps of 8")
    checks("leaf, arrow and factor are lit", page.js("""page.views.find((each) => each.figure.name === 'arrows').lit().same
      .map((at) => page.views.find((each) => each.figure.name === 'arrows').figure.mark(at)[0]).sort()"""), ["a", "c", "c"])
    checks("and the cells of the layout that it walks", page.lit("grid")["same"], [f"layout ({row},0)" for row in range(4)])
    page.shot(shots, "diagram")


def main():
    chromium = find_chromium()
    if not chromium:
        print("skipped: no Chromium here")
        return 77
    tessera, tour = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    shots = os.path.abspath(sys.argv[sys.argv.index("--shots") + 1]) if "--shots" in sys.argv else None
    checks = Checks()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        def draw(name, *arguments):
            path = os.path.join(folder, name)
            subprocess.run([tessera, "draw", *arguments, "--to", "html", "--out", path], check=True, capture_output=True)
            return path

        def lines_of(path, text):
            with open(path, "w", encoding="utf-8") as out:
                out.write(text)
            return path

        tour_page = draw("tour.html", tour)
        checks("the tour's figures are small", os.path.getsize(tour_page) <= LARGEST_TOUR)
        grid_page = draw("grid.html", "layout_figure(Sw<3,4,3> o 0 o (256,256):(256,1))")
        checks("a large grid is", os.path.getsize(grid_page) <= LARGEST_GRID)
        others = lines_of(os.path.join(folder, "others.tess"), """
let chain = Sw<2,0,-3> o 5 o (4,4):(4,1) o 1 o Sw<1,0,1> o 0 o 16:1
let small = make_tensor(make_smem_ptr<int4_t>(0), Sw<2,4,3> o 0 o (8,(4,8)):(32,(1,4)))
let far = make_tensor(make_gmem_ptr<float>(0), (6,(2,2),3):(1,(8,32),100))
let places = make_identity_layout((3,5))
let line = 40:3
let copy = make_tiled_copy(Copy_Atom<SM75_U32x4_LDSM_N, half_t>, (16,2):(1,16), (1,8))
let wgmma = SM90_64x16x16_F32F16F16_SS<GMMA::Major::K,GMMA::Major::K>
let numbers = layout_figure(((2,4),(2,2)):((8,1),(4,16)), modes="thread, value")
""")
        names = ["chain", "small", "far", "places", "line", "copy", "wgmma", "numbers"]
        browser = Browser(chromium, os.path.join(folder, "profile"))
        try:
            page = Page(browser, tour_page)
            check_hover(page, tessera, tour, checks, shots)
            check_addresses(page, checks)
            check_click(page, tessera, tour, checks, shots)
            check_fonts(page, checks)
            check_page(page, checks)
            check_keyboard(Page(browser, tour_page), checks, shots)
            page = Page(browser, tour_page)
            cells = check_all_offsets(page, checks)
            compared = check_explanations(page, tessera, checks, lambda figure: [figure, "--file", tour],
                                          page.js("page.figures.map((figure) => figure.name)"))
            checks("there are many cells", cells > 50_000)
            page = Page(browser, draw("others.html", others))
            cells += check_all_offsets(page, checks)
            compared += check_explanations(page, tessera, checks, lambda figure: [figure, "--file", others], names)
            check_steps(Page(browser, draw("steps.html", "SM80_16x8x16_F32F16F16F32_TN", "--set", "steps=k")), tessera, checks, shots)
            both = lines_of(os.path.join(folder, "both.tess"),
                            "let rows = (4,8):(8,1)\nlet grid = layout_figure(rows)\nlet arrows = diagram_figure(rows)\n")
            check_diagram(Page(browser, draw("both.html", both)), checks, shots)
            check_timeline(Page(browser, draw("time.html", "timeline_figure(tensor_gemm)", "--file", tour)), checks)
            page = Page(browser, grid_page)
            page.hover(page.place("figure", "layout", 100, 200))
            checks("a cell of a large grid is read", page.said().startswith("figure (100,200)  offset "))
            if "--measure" in sys.argv:
                measure(page)
        finally:
            browser.close()
    print(f"{cells} offsets and {compared} explanations were compared; {checks.failed} checks failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
