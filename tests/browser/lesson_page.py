#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The page of each lesson in Chromium, without a network: it is gone through as a student does, answer by answer.

    tests/browser/lesson_page.py build/release/bin/tessera [FOLDER for screenshots]

Ends with 77 where there is no Chromium.
"""
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from page import Browser, Page, check_quiet, find_chromium  # noqa: E402

LARGEST = 1_000_000  # bytes

# Writes an answer where the question has a place for it, as input does; true where there is one.
FILL = """(id, answer) => {
  const ask = document.getElementById('ask-' + id), text = ask.querySelector('input[type=text], textarea');
  const list = ask.querySelector('.order'), radio = [...ask.querySelectorAll('input[type=radio]')].find((each) => each.value === answer);
  if (text) { text.value = answer; text.dispatchEvent(new Event('input')); return true; }
  if (radio) { radio.checked = true; return true; }
  if (list) { for (const c of answer.match(/[a-z]/g)) list.append(list.querySelector(`[data-letter="${c}"]`)); return true; }
  return false;
}"""

# Contrast (WCAG 2) of every text on the screen with what is behind it; those below 4.5 by their words. Figures keep their own paper.
CONTRAST = """(() => {
  const rgb = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = (color) => { const [r, g, b] = color.map((v) => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const behind = (element) => { for (let at = element; at; at = at.parentElement) { const made = rgb(getComputedStyle(at).backgroundColor);
    if (made.length < 4 || made[3] === 1) return made.slice(0, 3); } return [255, 255, 255]; };
  const low = [];
  for (const element of document.querySelectorAll('body *')) {
    if (element.closest('.plate, script, style') || element.getClientRects().length === 0) continue;
    const words = [...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.textContent.trim()).join('') || (element.matches('[type=text], textarea') && element.value);
    if (!words) continue;
    const a = light(rgb(getComputedStyle(element).color).slice(0, 3)), b = light(behind(element));
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < 4.5) low.push(`${contrast.toFixed(2)} ${element.tagName} ${words}`);
  }
  return low;
})()"""


class Checks:
    def __init__(self):
        self.failed = self.done = 0

    def __call__(self, what, is_so, wanted=True):
        self.done += 1
        if is_so != wanted:
            self.failed += 1
            print(f"not so: {what}: {is_so!r}, wanted {wanted!r}")


class Lesson:
    def __init__(self, browser, path, checks, seed=0):
        self.page, self.checks = Page(browser, path + ("" if seed is None else f"#seed={seed}")), checks
        self.data = json.loads(self.page.js("document.getElementById('lesson').textContent"))
        self.asks = {ask["id"]: ask for ask in self.data["asks"]}

    def shown(self):
        """The questions that are seen now."""
        return self.page.js("[...document.querySelectorAll('.ask')].filter(each => each.getClientRects().length).map(each => each.dataset.ask)")

    def said(self, ask):
        return self.page.js(f"document.querySelector('#ask-{ask} .said').textContent")

    def press(self, ask, button):
        self.page.js(f"document.querySelector('#ask-{ask} .{button}').click()")
        self.page.frame()

    def answer(self, ask, text):
        self.checks(f"{ask} takes {text}", self.page.js(f"({FILL})({json.dumps(ask)}, {json.dumps(text)})"))
        self.press(ask, "answer")
        return self.said(ask)

    def next(self):
        self.page.js("document.querySelector('#walk button.main').click()")
        self.page.frame()

    def at(self):
        return self.page.js("[...document.querySelectorAll('.screen')].findIndex(each => !each.hidden)")

    def log(self):
        return self.page.js("JSON.parse(localStorage.getItem(Object.keys(localStorage)[0])).log")

    def screen_is_fit(self, what):
        for scheme in ("light", "dark"):
            self.page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
            self.page.frame()
            self.checks(f"{what}: contrast, {scheme}", self.page.js(CONTRAST), [])
        for width in (1280, 400):
            self.page.call("Emulation.setDeviceMetricsOverride", width=width, height=800, deviceScaleFactor=1, mobile=False)
            self.page.frame()
            self.checks(f"{what}: fits {width} pixels", self.page.js("document.documentElement.scrollWidth") <= width)


def go_through(browser, path, checks, tessera):
    """Every question: wrong answers with their hints, then the right one; what stands below is not seen before."""
    lesson = Lesson(browser, path, checks, seed=4)
    page, answered = lesson.page, 0
    last = page.js("document.querySelectorAll('.screen').length") - 1
    first_gate = next(ask["id"] for ask in lesson.data["asks"] if ask["gates"])
    for screen in range(last + 1):
        checks("the screen", lesson.at(), screen)
        done = set()
        while todo := [ask for ask in lesson.shown() if ask not in done]:
            ask = todo[0]
            data = lesson.asks[ask]
            seed = data["seeds"][4 % len(data["seeds"])]
            if data["gates"] and screen < last:
                lesson.next()
                checks(f"{ask} closes the way", lesson.at(), screen)
            waiting = page.js("document.querySelectorAll('.block[hidden]').length")
            for wrong in seed["wrong"] if data["graded"] and data["kind"] in ("integer", "integers") else ():
                words = lesson.answer(ask, " ".join(map(str, wrong["want"])))
                checks(f"{ask} has its hint", words.startswith("Not yet: ") and words.endswith(wrong["hint"].replace("`", "")))
                checks(f"{ask} stays closed", page.js("document.querySelectorAll('.block[hidden]').length"), waiting)
            words = lesson.answer(ask, seed["answer"])
            checks(f"{ask} is answered", words.startswith("Right." if data["graded"] else "Kept in your worklog, and not graded here. "))
            if not data["graded"]:
                note = page.js(f"document.querySelector('#ask-{ask} .note').textContent")
                checks(f"{ask} says that it is not graded here, and by what", note.startswith("This page cannot grade ") and "tessera lesson regrade" in note)
                checks(f"{ask} is kept", (lesson.log()[-1]["right"], lesson.log()[-1]["answer"].strip()), (None, seed["answer"].strip()))
            done.add(ask)
            answered += 1
        lesson.screen_is_fit(f"{os.path.basename(path)} screen {screen}")
        lesson.next()
    checks("all questions were asked", answered, len(lesson.asks))
    checks("nothing waits", page.js("document.querySelectorAll('.block[hidden]').length"), 0)
    log = lesson.log()
    checks("every answer is written down", sum(1 for each in log if each["right"] is not False), answered)
    checks("with question, seed, text and time", all({"lesson", "question", "hash", "seed", "answer", "right", "at"} <= set(each) for each in log))
    with open(path + ".jsonl", "w") as out:
        out.writelines(json.dumps(each) + "\n" for each in log)
    graded = subprocess.run([tessera, "lesson", "regrade", lesson.data["file"], path + ".jsonl", "--json"], capture_output=True, text=True)
    checks("the program reads the worklog", graded.returncode, 0)
    again = json.loads(graded.stdout)
    checks("and grades it alike", [each["remark"] for each in again["answers"] if each["remark"]], [])
    checks("with every question right once", again["right"], answered)
    checks("the script came to its end", page.js("document.getElementById('unread')"), None)
    check_quiet(browser, checks)
    page.reload()
    checks("a reader who comes back is where they were", lesson.at(), last)
    page.js("localStorage.clear()")
    return first_gate


def check_ways(browser, path, checks, shots, tessera):
    """Lesson 6: show me, another one, painting by keyboard and mouse, the slider, a file of the worklog."""
    lesson = Lesson(browser, path, checks)
    page = lesson.page
    page.shot(shots, "closed")
    seeds = lesson.asks["how_many"]["seeds"]
    prompt = "document.querySelector('#ask-how_many .prompt').textContent"
    checks("the first draw", page.js(prompt), seeds[0]["prompt"])
    lesson.press("how_many", "again")
    checks("another one", page.js(prompt), seeds[1]["prompt"])
    checks("the answer to the draw before is none", lesson.answer("how_many", "xyzzy").startswith("This cannot be read: "))
    lesson.press("how_many", "give-up")
    checks("shown", lesson.said("how_many"), f"It is {seeds[1]['answer']}.")
    checks("is written down as given up", {key: lesson.log()[-1].get(key) for key in ("seed", "answer", "right", "given_up")},
           {"seed": 1, "answer": "", "right": False, "given_up": True})
    for ask in ("number", "cell"):
        lesson.next()
        lesson.answer(ask, lesson.asks[ask]["seeds"][0]["answer"])
    cells = [f"({r},{c})" for r, c in lesson.asks["be_a_thread"]["seeds"][0]["want"]]
    page.js("document.querySelector('#ask-be_a_thread [data-cell=\"(0,0)\"]').focus()")
    page.key("ArrowDown")
    page.key("ArrowRight")
    checks("arrows move", page.js("document.activeElement.dataset.cell"), "(1,1)")
    page.key("Enter")
    page.call("Input.dispatchKeyEvent", type="char", key="Enter", text="\r")
    page.frame()
    value = "document.querySelector('#ask-be_a_thread input').value"
    checks("a key paints", page.js(value), "(1,1)")
    page.call("Input.dispatchKeyEvent", type="char", key="Enter", text="\r")
    page.js(f"({FILL})('be_a_thread', '')")
    page.js("document.querySelector('#ask-be_a_thread .cells').scrollIntoView({block: 'center'})")
    for cell in cells:
        page.click(page.js(f"(() => {{ const r = document.querySelector('#ask-be_a_thread [data-cell=\"{cell}\"]').getBoundingClientRect();"
                           " return [r.left + r.width / 2, r.top + r.height / 2]; })()"))
    checks("the mouse paints", page.js(value), " ".join(cells))
    lesson.press("be_a_thread", "answer")
    checks("painted cells are the answer", lesson.said("be_a_thread"), "Right.")
    checks("its figure is seen now", page.js("document.querySelector('[data-figure=\"0\"] .plate').getBoundingClientRect().height") > 100)
    page.shot(shots, "answered")
    for ask in lesson.data["asks"]:  # up to the slider
        if page.js("document.querySelector('.vary').getClientRects().length"):
            break
        for each in lesson.shown():
            if not lesson.said(each):
                lesson.press(each, "give-up")
        lesson.next()
    page.js("(() => { const s = document.querySelector('.slider input'); s.value = 0; s.dispatchEvent(new Event('input')); })()")
    checks("the slider shows one figure", page.js("[...document.querySelectorAll('.vary .slot')].map(each => each.hidden)"), [False, True, True])
    page.js("document.querySelector('.vary .answer').click()")
    said = "document.querySelector('.vary .said').textContent"
    checks("a wrong set is not right", page.js(said).startswith("Not yet: look at s = "))
    page.js("document.querySelector('.holds input[value=\"4\"]').checked = true; document.querySelector('.vary .answer').click()")
    checks("the right one is", page.js(said), "Right: it holds for 4.")
    slid = [each for each in lesson.log() if "vary" in each]
    checks("both are in the worklog", [(each["vary"], each["answer"], each["right"]) for each in slid], [(1, "none", False), (1, "4", True)])
    blob = page.js("""(() => { let kept; const before = URL.createObjectURL; URL.createObjectURL = (of) => { kept = of; return before(of); };
      document.getElementById('download').click(); URL.createObjectURL = before; return kept.text(); })()""")
    lines = [json.loads(line) for line in blob.splitlines()]
    checks("the worklog is lines of JSON", lines, lesson.log())
    with open(path + ".slid.jsonl", "w") as out:
        out.write(blob.replace('"answer":"none","right":false', '"answer":"none","right":true'))
    graded = subprocess.run([tessera, "lesson", "regrade", lesson.data["file"], path + ".slid.jsonl", "--json"], capture_output=True, text=True)
    again = [each for each in json.loads(graded.stdout)["answers"] if each["question"] == "vary 1"]
    checks("the program grades the slider again", [(each["right"], each["remark"]) for each in again], [(False, "the log says right"), (True, "")])
    page.reload()
    checks("what was set is there again", page.js("[...document.querySelectorAll('.holds input')].filter(each => each.checked).map(each => each.value)"), ["4"])
    page.js("localStorage.clear()")


def check_seeds(browser, path, checks, tessera):
    """A reader begins with a draw that is theirs and stays, a class with the one that its teacher names."""
    starts, seeds = set(), []
    for _ in range(12):
        page = Lesson(browser, path, checks, seed=None).page
        start = "JSON.parse(localStorage.getItem(Object.keys(localStorage)[0])).start"
        prompt = "document.querySelector('#ask-how_many .prompt').textContent"
        begun, words = page.js(start), page.js(prompt)
        page.reload()
        checks("the draw stays", (page.js(start), page.js(prompt)), (begun, words))
        starts.add(begun)
        page.js("localStorage.clear()")
    checks("readers begin with different draws", len(starts) > 1)
    checks("which the page has", all(0 <= each < 20 for each in starts))
    fixed = path.replace(".html", ".fixed.html")
    subprocess.run([tessera, "lesson", "export", "06_tv", "--seed", "70", "--seeds", "3", "--out", fixed], capture_output=True, check=True)
    lesson = Lesson(browser, fixed, checks, seed=None)
    checks("the teacher's seed", [each["seed"] for each in lesson.asks["how_many"]["seeds"]], [70, 71, 72])
    checks("is what everybody begins with", lesson.page.js(prompt), lesson.asks["how_many"]["seeds"][0]["prompt"])
    lesson.page.js("localStorage.clear()")
    lesson = Lesson(browser, fixed, checks, seed=72)
    checks("an address names another", lesson.page.js(prompt), lesson.asks["how_many"]["seeds"][2]["prompt"])
    lesson.page.js("localStorage.clear()")


def check_schemes(browser, path, checks, shots):
    """Figures are dark where the reader's scheme is, and say the same."""
    page = Lesson(browser, path, checks).page
    paper = "[...document.querySelectorAll('.plate svg > rect')].map(each => each.getAttribute('fill'))"
    words = "[...document.querySelectorAll('.plate svg text')].map(each => each.textContent).join(' ')"
    light, said = page.js(paper), page.js(words)
    checks("light figures", set(light), {"#ffffff"})
    page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    page.frame()
    dark = page.js(paper)
    checks("none stays white in the dark", [each for each in dark if int(each[1:3], 16) > 64], [])
    checks("with the same words", page.js(words), said)
    page.js("document.querySelectorAll('.block, .screen').forEach(each => { each.hidden = false; })")
    page.js("document.querySelector('.plate').scrollIntoView()")
    page.shot(shots, "dark")
    page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "light"}])
    page.frame()
    checks("and light again", page.js(paper), light)
    page.js("localStorage.clear()")


def check_rows(browser, path, checks, shots):
    """Lesson 2: rows moved by their buttons and by the mouse, and an answer that the page cannot evaluate."""
    lesson = Lesson(browser, path, checks)
    page = lesson.page
    while "smallest" not in lesson.shown():
        for ask in lesson.shown():
            if not lesson.said(ask):
                lesson.press(ask, "give-up")
        if "smallest" not in lesson.shown():
            lesson.next()
    rows = "[...document.querySelectorAll('#ask-smallest .order li')].map(each => each.dataset.letter).join('')"
    begun = page.js(rows)
    page.js("document.querySelector('#ask-smallest .order li .down').click()")
    checks("a row moves down", page.js(rows), begun[1] + begun[0] + begun[2:])
    checks("and keeps the focus", page.js("document.activeElement.closest('li').dataset.letter"), begun[0])
    page.js("document.activeElement.closest('li').querySelector('.up').click()")
    checks("and up", page.js(rows), begun)
    page.js("document.querySelector('#ask-smallest .order').scrollIntoView({block: 'center'})")
    place = """(i, part) => { const b = document.querySelectorAll('#ask-smallest .order li')[i].querySelector(part).getBoundingClientRect();
      return [b.left + b.width / 2, b.top + b.height / 2]; }"""
    start, end = page.js(f"({place})(0, 'span')"), page.js(f"({place})(1, 'span')")
    page.mouse("mousePressed", *start, button="left", buttons=1, clickCount=1)
    for x, y in ((start[0], start[1] + 8), (end[0], end[1] + 3)):
        page.mouse("mouseMoved", x, y, button="left", buttons=1)
    page.mouse("mouseReleased", *end, button="left", clickCount=1)
    page.frame()
    checks("the mouse drags a row", page.js(rows), begun[1] + begun[0] + begun[2:])
    start, end = page.js(f"({place})(1, '.grip')"), page.js(f"({place})(0, '.grip')")
    page.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": start[0], "y": start[1]}])
    for y in (start[1] - 12, end[1] - 4):
        page.call("Input.dispatchTouchEvent", type="touchMove", touchPoints=[{"x": start[0], "y": y}])
    page.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
    page.frame()
    checks("a finger drags it back", page.js(rows), begun)
    page.shot(shots, "order")
    seed = lesson.asks["smallest"]["seeds"][0]
    checks("the right order", lesson.answer("smallest", seed["answer"]), "Right.")
    while "padded_rows" not in lesson.shown():
        lesson.next()
        for ask in lesson.shown():
            if ask != "padded_rows" and not lesson.said(ask):
                lesson.press(ask, "give-up")
    lesson.press("padded_rows", "answer")
    checks("what is given is no answer", lesson.said("padded_rows"), "There is no answer yet.")
    lesson.answer("padded_rows", "let A = 1")
    checks("the page does not grade it", {key: lesson.log()[-1].get(key) for key in ("answer", "right")}, {"answer": "let A = 1", "right": None})
    note = "document.querySelector('#ask-padded_rows .note').textContent"
    checks("and says who does", "tessera lesson regrade 02_layout lesson_2_worklog.jsonl" in page.js(note))
    told = lesson.said("padded_rows")
    page.reload()
    checks("what was compared is there again", (lesson.said("padded_rows"), told.startswith("Kept in your worklog, and not graded here.")), (told, True))
    page.shot(shots, "binding")
    for kept in ('{"log": 1}', '{"log": [null], "done": {}, "seed": {}, "screen": 0}', "xyzzy",
                 '{"log": [], "done": {}, "seed": {"smallest": "x"}, "screen": -7}'):
        page.js(f"for (const key of Object.keys(localStorage)) localStorage.setItem(key, {json.dumps(kept)})")
        page.reload()
        checks(f"kept {kept} is no harm", lesson.at(), 0)
    page.js("localStorage.clear()")


def main():
    tessera, shots = os.path.abspath(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else ""
    chromium = find_chromium()
    if not chromium:
        print("skipped: no Chromium here")
        return 77
    checks = Checks()
    with tempfile.TemporaryDirectory() as folder:
        browser = Browser(chromium, os.path.join(folder, "profile"))
        try:
            listed = subprocess.run([tessera, "lesson", "list", "--json"], capture_output=True, text=True)
            for lesson in (each["name"] for each in json.loads(listed.stdout)):
                path = os.path.join(folder, lesson + ".html")
                made = subprocess.run([tessera, "lesson", "export", lesson, "--out", path], capture_output=True, text=True)
                if "has no md4c" in made.stderr:
                    print("skipped: this build has no md4c")
                    return 77
                checks(f"{lesson} is written", made.returncode, 0)
                checks(f"{lesson} is small", os.path.getsize(path) <= LARGEST)
                Page(browser, path)  # the first one finds a cold browser
                opened = Page(browser, path).js("performance.getEntriesByType('navigation')[0].loadEventEnd") / 1000
                go_through(browser, path, checks, tessera)
                print(f"{lesson}: {os.path.getsize(path)} bytes, open in {opened:.2f} s")
            check_ways(browser, os.path.join(folder, "06_tv.html"), checks, shots, tessera)
            check_seeds(browser, os.path.join(folder, "06_tv.html"), checks, tessera)
            check_schemes(browser, os.path.join(folder, "06_tv.html"), checks, shots)
            check_rows(browser, os.path.join(folder, "02_layout.html"), checks, shots)
        finally:
            browser.close()
    print(f"{checks.done} checks, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
