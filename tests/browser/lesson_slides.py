#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The slides of each lesson in Chromium, without a network: on every slide all words and figures are inside, and none lies on another;
keys, the mouse and the address turn slides, and a figure lights up.

    tests/browser/lesson_slides.py build/release/bin/tessera [FOLDER for screenshots]

Ends with 77 where there is no Chromium.
"""
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from lesson_page import Checks  # noqa: E402
from page import Browser, Page, check_quiet, find_chromium  # noqa: E402

LARGEST = 1_500_000  # bytes

# What leaves each slide, and what meets on it, as the browser has laid it out: texts without the white above and below their letters.
FAULTS = """(() => {
  const faults = [], slides = [...document.querySelectorAll('.slide')];
  const before = slides.map((slide) => slide.hidden);
  slides.forEach((slide, n) => {
    slides.forEach((each) => { each.hidden = each !== slide; });
    const room = slide.getBoundingClientRect(), kEdge = 0.5, kBeside = 1.5;  // pixels: a letter may reach out of its width
    const texts = [...slide.querySelectorAll(':scope > svg text')].map((text) => { const box = text.getBoundingClientRect(), cut = 0.14 * box.height;
      return {x0: box.left, x1: box.right, y0: box.top + cut, y1: box.bottom - cut, what: text.textContent}; });
    const figures = [...slide.querySelectorAll('.plate')].map((plate) => { const box = plate.getBoundingClientRect();
      return {x0: box.left, x1: box.right, y0: box.top, y1: box.bottom, what: 'figure'}; });
    const all = texts.concat(figures);
    all.forEach((a, i) => {
      if (a.x0 < room.left - kEdge || a.x1 > room.right + kEdge || a.y0 < room.top - kEdge || a.y1 > room.bottom + kEdge) faults.push(`${n + 1} leaves: ${a.what}`);
      for (const b of all.slice(0, i)) {
        if (Math.min(a.x1, b.x1) - Math.max(a.x0, b.x0) > kBeside && Math.min(a.y1, b.y1) - Math.max(a.y0, b.y0) > kEdge) faults.push(`${n + 1} meet: ${a.what} | ${b.what}`);
      }
    });
    for (const figure of figures) if (figure.x1 - figure.x0 < 40) faults.push(`${n + 1}: a figure of ${figure.x1 - figure.x0} pixels`);
  });
  slides.forEach((slide, i) => { slide.hidden = before[i]; });
  return faults;
})()"""


def check_slides(browser, path, checks, shots):
    page, name = Page(browser, path), os.path.basename(path)
    for width, height in ((1280, 720), (1024, 768), (500, 900)):
        page.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        page.frame()
        checks(f"{name} at {width} x {height}", page.js(FAULTS), [])
        checks(f"{name}: nothing is moved sideways", page.js("document.documentElement.scrollWidth") <= width)
    page.call("Emulation.setDeviceMetricsOverride", width=1280, height=720, deviceScaleFactor=1, mobile=False)
    kinds = page.js("[...document.querySelectorAll('.slide')].map(each => each.dataset.kind)")
    checks("the first one is the title", kinds[0], "title")
    for i, kind in enumerate(kinds):
        if kind == "answer" and kinds[i - 1] not in ("answer", "figure"):
            checks(f"{name}: slide {i + 1} comes behind its question", kinds[i - 1], "question")
    at = "[...document.querySelectorAll('.slide')].findIndex(each => !each.hidden)"
    checks("one is seen", page.js("[...document.querySelectorAll('.slide')].filter(each => !each.hidden).length"), 1)
    for key, wanted in (("ArrowRight", 1), ("PageDown", 2), ("ArrowLeft", 1), ("End", len(kinds) - 1), ("ArrowRight", len(kinds) - 1), ("Home", 0)):
        page.js(f"document.body.dispatchEvent(new KeyboardEvent('keydown', {{key: '{key}', bubbles: true}}))")
        checks(f"{key} turns", page.js(at), wanted)
    page.click((1200, 700))
    checks("a click turns", page.js(at), 1)
    page.click((20, 700))
    checks("and back", page.js(at), 0)
    page.js("location.hash = '#3'")
    page.frame()
    checks("the address turns", page.js(at), 2)
    page.reload()
    checks("and is kept", page.js(at), 2)
    figure = kinds.index("figure")
    page.js(f"location.hash = '#{figure + 1}'")
    page.frame()
    page.shot(shots, name)
    check_quiet(browser, checks)
    if not name.startswith("06"):  # others' first figures have no cell in the middle
        return
    box = page.js("(() => { const b = document.querySelector('.slide:not([hidden]) .panel').getBoundingClientRect(); return [b.left + b.width / 2, b.top + b.height / 2]; })()")
    page.hover(box)
    checks(f"{name}: a cell says what it is", len(page.js("document.getElementById('said').textContent")) > 0)


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
                for aspect in ("16:9", "4:3"):
                    path = os.path.join(folder, f"{lesson}_{aspect.replace(':', 'x')}.html")
                    made = subprocess.run([tessera, "lesson", "export", lesson, "--to", "slides", "--aspect", aspect, "--out", path], capture_output=True, text=True)
                    if "has no md4c" in made.stderr:
                        print("skipped: this build has no md4c")
                        return 77
                    checks(f"{lesson} is written", made.returncode, 0)
                    checks(f"{lesson} is small", os.path.getsize(path) <= LARGEST)
                    check_slides(browser, path, checks, shots)
        finally:
            browser.close()
    print(f"{checks.done} checks, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
