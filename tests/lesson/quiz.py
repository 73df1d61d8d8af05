#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The quizzes that `tessera lesson export` writes, run: quiz.py TESSERA

Every question of every lesson that comes with the program is taken through PrairieLearn's phases by its own server.py: the right answer gets
everything, each wrong one its hint, and what is no answer is refused before it is graded. Answers in many spellings get the grade of `tessera lesson
grade`. Of a QTI package the archive is whole, the manifest names what is in it, every choice has one right answer, and every spelling of a text is
right to the program.
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
import zipfile

QTI = "{http://www.imsglobal.org/xsd/ims_qtiasiv1p2}"
NO_ANSWERS = ["", " ", "?", "(" * 100_000, "-" * 60_000 + "1", "9" * 5_000, "1" * 70_000, "<script>", "\u0661", "((1,2),3):4", "__import__('os')", "1/0"]
SPELLINGS = ["26", "1*8 + 2*1 + 16", "_4", "4 3", "T4 V3", "V3 T4", "thread 4, value 3", "(2,6)", "row 2 column 6", "2 6", "22 26 24", "(22,26,24)",
             "((2,4),(2,2)):((8,1),(4,16))", "(4,8):(8,1)", "8", "7/2", "7 % 4", "-3", "(0,0) (1,1)", "1.5", "it is 4", "4;", "7%",
             "7 %", "lane 4", "thread 4", "T4", "V4", "lane 4, value 3", "T4: V3", "26.", "(2,6).", "22 26 24."]
failures = []


def check(words, holds):
    if not holds:
        failures.append(words)
        print("FAILED:", words)


def run(tessera, *words):
    return subprocess.run([tessera, *words], capture_output=True, text=True)


class Question:
    """server.py through PrairieLearn's phases, with what its elements would do."""

    def __init__(self, folder):
        self.module = {}
        exec(compile((folder / "server.py").read_text(), str(folder / "server.py"), "exec"), self.module)
        self.variants = self.module["VARIANTS"]

    def generate(self, seed):
        data = {"params": {}, "correct_answers": {}, "variant_seed": seed}
        self.module["generate"](data)
        return data

    def submit(self, data, text):
        data = json.loads(json.dumps(data))
        data.update(submitted_answers={"answer": text}, format_errors={}, feedback={}, partial_scores={}, score=0)
        self.module["parse"](data)
        if not data["format_errors"]:
            self.module["grade"](data)
        return data


def check_text(tessera, lesson, name, question):
    asked = 0
    for seed, variant in enumerate(question.variants):
        data = question.generate(seed)
        right = question.submit(data, variant["answer"])
        check(f"{lesson} {name} {seed}: the right answer, {variant['answer']}, gets {right['score']}", right["score"] == 1)
        for wrong in variant["wrong"]:
            made = question.submit(data, wrong["answer"])
            check(f"{lesson} {name} {seed}: {wrong['answer']} meets no hint", made["score"] < 1 and wrong["hint"] in made["feedback"]["words"])
        if seed > 0:
            continue
        for text in NO_ANSWERS:
            made = question.submit(data, text)
            check(f"{lesson} {name}: {text[:20]!r} is taken for an answer", made["format_errors"] or made["score"] < 1)
        for text in SPELLINGS + [variant["answer"], variant["answer"].lower(), variant["answer"].replace(",", ", ")]:
            made = question.submit(data, text)
            graded = json.loads(run(tessera, "lesson", "grade", lesson, name, "--seed", str(variant["seed"]), "--json", "--", text).stdout)
            asked += 1
            check(f"{lesson} {name}: {text!r} is {made['score']} {made['format_errors']}, and to the program {graded}",
                  (not made["format_errors"] and made["score"] == 1) == graded["right"] and bool(made["format_errors"]) == (not graded["read"]))
    return asked


def check_prairielearn(tessera, lesson, home):
    made = run(tessera, "lesson", "export", lesson, "--to", "prairielearn", "--out", str(home / lesson), "--seeds", "12")
    check(f"{lesson}: {made.stderr}", made.returncode == 0)
    uuids, asked = set(), 0
    for info in sorted((home / lesson).glob("*/info.json")):
        name, question = info.parent.name, Question(info.parent)
        uuids.add(json.loads(info.read_text())["uuid"])
        seeds = {question.generate(seed)["params"]["variant"] for seed in range(100)}
        check(f"{lesson} {name}: seeds reach {len(seeds)} of {len(question.variants)} variants", len(seeds) == len(question.variants))
        first = question.variants[0]
        if "choices" in first:
            for variant in question.variants:
                check(f"{lesson} {name}: not one right option", [each["correct"] for each in variant["choices"]].count("true") == 1)
        elif "blocks" in first:
            for seed, variant in enumerate(question.variants):
                for wrong in variant["wrong"]:
                    blocks = [{"inner_html": each} for each in wrong["order"]]
                    made = question.submit(question.generate(seed), blocks)
                    check(f"{lesson} {name}: {wrong['order']} meets no hint", made["feedback"]["words"] == wrong["hint"])
        else:
            asked += check_text(tessera, lesson, name, question)
    check(f"{lesson}: two questions have one UUID", len(uuids) == len(list((home / lesson).glob("*/info.json"))))
    return len(uuids), asked


def check_qti(tessera, lesson, home):
    path = home / f"{lesson}.zip"
    made = run(tessera, "lesson", "export", lesson, "--to", "qti", "--out", str(path), "--seeds", "12")
    check(f"{lesson}: {made.stderr}", made.returncode == 0)
    spellings = 0
    with zipfile.ZipFile(path) as package:
        check(f"{lesson}: the archive is broken", package.testzip() is None)
        names = set(package.namelist())
        manifest = ET.fromstring(package.read("imsmanifest.xml"))
        hrefs = {each.get("href") for each in manifest.iter() if each.get("href")}
        check(f"{lesson}: the manifest names {hrefs ^ names}", hrefs == names - {"imsmanifest.xml"})
        banks, drawn = set(), set()
        for name in sorted(hrefs):
            root = ET.fromstring(package.read(name))
            drawn |= {each.text for each in root.iter(QTI + "sourcebank_ref")}
            banks |= {each.get("ident") for each in root.iter(QTI + "objectbank")}
            for item in root.iter(QTI + "item"):
                conditions = [each for each in item.iter(QTI + "respcondition") if each.find(QTI + "setvar") is not None]
                check(f"{lesson} {item.get('ident')}: not one right answer", len(conditions) == 1)
                linked = {each.get("linkrefid") for each in item.iter(QTI + "displayfeedback")}
                check(f"{lesson} {item.get('ident')}: hints", linked == {each.get("ident") for each in item.iter(QTI + "itemfeedback")})
                if item.find(f".//{QTI}response_str") is None:
                    continue
                question, seed = item.get("title").split(": ")[1], item.get("ident").rsplit("_s", 1)[1]
                if seed not in ("0", "1"):
                    continue
                for text in [each.text for each in item.iter(QTI + "varequal")]:
                    graded = run(tessera, "lesson", "grade", lesson, question, "--seed", seed, "--", text)
                    spellings += 1
                    check(f"{lesson} {question} {seed}: {text!r} is no right answer: {graded.stdout}", graded.returncode == 0)
        check(f"{lesson}: the quiz draws from {drawn ^ banks}", drawn == banks)
    return spellings


def main():
    tessera = sys.argv[1]
    lessons = [each["name"] for each in json.loads(run(tessera, "lesson", "list", "--json").stdout)]
    questions = asked = spellings = 0
    with tempfile.TemporaryDirectory() as home:
        for lesson in lessons:
            more, answers = check_prairielearn(tessera, lesson, pathlib.Path(home))
            questions, asked = questions + more, asked + answers
            spellings += check_qti(tessera, lesson, pathlib.Path(home))
    print(f"{len(lessons)} lessons, {questions} questions, {asked} answers beside the program's, {spellings} spellings, {len(failures)} failures")
    check("nothing was asked", len(lessons) > 0 and questions > 0 and asked > 0 and spellings > 0)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
