# SPDX-License-Identifier: BSD-3-Clause
# A question of a lesson in PrairieLearn, written by `tessera lesson export --to prairielearn`. Its variants stand at the end: prompts, right
# answers, and wrong ones with a hint each. An answer is read as a lesson's page reads it: numbers with any separators, T4 V3, 7%, shape:stride,
# and numbers with + - * / %.
import html
import json
import re

LONGEST_ANSWER = 1 << 16  # characters
LARGEST_NUMBER = (1 << 53) - 1
LARGEST_IMAGE = 1 << 16  # coordinates of a layout that is compared
DEEPEST = 64  # brackets and signs inside each other
PLACES = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"]
LABELS = {
    "thread and value": {"t": 0, "thr": 0, "thread": 0, "lane": 0, "v": 1, "val": 1, "value": 1},
    "thread": {"t": 0, "thr": 0, "thread": 0, "lane": 0},
    "coordinate": {"row": 0, "r": 0, "column": 1, "col": 1, "c": 1},
}
FILLERS = {"and", "of", "in", "its", "holds", "it", "is"}


class Unread(Exception):
    """What was written is no answer of this kind."""


def whole(number):
    if abs(number) > LARGEST_NUMBER:
        raise Unread("this number is too large")
    return number


def number_in(digits):
    if len(digits.lstrip("-0")) > 16:
        raise Unread("this number is too large")
    return whole(int(digits))


def plain_numbers(text, labels=None):
    """The numbers of a text of nothing but numbers and separators, None for any other. A label gives the number behind it a place."""
    found, place, rest = [], None, text.removesuffix(".")  # the stop of a sentence
    while rest:
        if token := re.match(r"[\s,;()\[\]{}<>=]+", rest) or (labels and re.match(":", rest)):
            pass
        elif token := re.match(r"[A-Za-z][A-Za-z_]*", rest):
            word = token[0].lower()
            if labels and word in labels:
                place = labels[word]
            elif not labels or word not in FILLERS:
                return None
        elif token := re.match(r"_?(-?[0-9]+)", rest):
            behind = rest[token.end() : token.end() + 1] or " "
            if not re.match(r"[\s,;()\[\]{}<>=]", behind) and not (labels and re.match(r"[A-Za-z_]", behind)):
                return None
            found.append((place, number_in(token[1])))
            place = None
        else:
            return None
        rest = rest[token.end() :]
    if not found:
        return None
    if all(place is not None for place, _ in found):
        found.sort(key=lambda each: each[0])
    return [number for _, number in found]


def one_number(text):
    """T4, lane 4 and 7% are one number. A sign of percent with a number behind it is the remainder."""
    numbers = plain_numbers(text.removesuffix(".").strip().removesuffix("%").strip(), LABELS["thread"])
    return numbers[0] if numbers is not None and len(numbers) == 1 else None


class Expression:
    """Numbers, tuples, + - * / % and brackets. A tuple is a list. parse() gives one expression, or (shape, stride)."""

    def __init__(self, text):
        self.tokens = re.findall(r"_?[0-9]+|\S", text)
        self.at = 0
        self.depth = 0

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def take(self, sign):
        if self.peek() != sign:
            return False
        self.at += 1
        return True

    def deeper(self):
        self.depth += 1
        if self.depth > DEEPEST:
            raise Unread("these brackets are too deep")

    def parse(self):
        first = self.sum()
        stride = self.sum() if self.take(":") else None
        while self.take(";"):
            pass
        if self.peek() is not None:
            raise Unread(f'"{self.peek()}" is not understood here')
        return first if stride is None else (first, stride)

    def sum(self):
        left = self.product()
        while self.peek() in ("+", "-"):
            sign = self.tokens[self.at]
            self.at += 1
            left = self.computed(sign, left, self.product())
        return left

    def product(self):
        left = self.unary()
        while self.peek() in ("*", "/", "%"):
            sign = self.tokens[self.at]
            self.at += 1
            left = self.computed(sign, left, self.unary())
        return left

    def computed(self, sign, a, b):
        if isinstance(a, list) or isinstance(b, list):
            raise Unread("tuples are not computed with here")
        if sign in ("/", "%") and (b == 0 or (sign == "%" and (a < 0 or b < 0))):
            raise Unread("this cannot be divided")
        if sign == "/":
            return whole(abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1))
        return whole({"+": a + b, "-": a - b, "*": a * b, "%": a % b if b else 0}[sign])

    def unary(self):
        if self.peek() not in ("-", "+"):
            return self.one()
        self.deeper()
        sign = self.tokens[self.at]
        self.at += 1
        made = self.unary()
        self.depth -= 1
        return self.computed(sign, 0, made) if sign == "-" else made

    def one(self):
        token = self.peek()
        if not self.take("("):
            if token is None:
                raise Unread("something is missing at the end")
            if not re.fullmatch(r"_?[0-9]+", token):
                raise Unread(f'"{token}" is not understood')
            self.at += 1
            return number_in(token.replace("_", ""))
        self.deeper()
        made, comma = [self.sum()], False
        while self.take(","):
            comma = True
            if self.peek() != ")":
                made.append(self.sum())
        if not self.take(")"):
            raise Unread("a ')' is missing")
        self.depth -= 1
        return made if len(made) > 1 or comma else made[0]


def leaves(of):
    return [leaf for each in of for leaf in leaves(each)] if isinstance(of, list) else [of]


def size_of(shape):
    made = 1
    for each in leaves(shape):
        made *= each
    return made


def congruent(a, b):
    if not isinstance(a, list) or not isinstance(b, list):
        return not isinstance(a, list) and not isinstance(b, list)
    return len(a) == len(b) and all(map(congruent, a, b))


def tuple_text(of):
    return "(" + ",".join(map(tuple_text, of)) + ")" if isinstance(of, list) else str(of)


def in_profile(numbers, shape):
    """Numbers in the places of a shape: [1,2,3] of (4,(2,4)) is (1,(2,3))."""
    rest = iter(numbers)

    def made(of):
        return [made(each) for each in of] if isinstance(of, list) else next(rest)

    return made(shape)


def offset_at(shape, stride, n):
    """What a layout gives at number n of a mode: colexicographic, as CuTe counts."""
    if not isinstance(shape, list):
        return n * stride
    made = 0
    for i, (mode, step) in enumerate(zip(shape, stride)):
        size = size_of(mode)
        made += offset_at(mode, step, n if i == len(shape) - 1 else n % size)
        n //= size
    return made


def place_of(n, sizes):
    made = []
    for size in sizes:
        made.append(n % size)
        n //= size
    return made


def image_of(shape, stride):
    if not congruent(shape, stride):
        raise Unread("shape and stride are nested differently")
    if any(each < 1 for each in leaves(shape)):
        raise Unread("an extent is at least 1")
    shapes, strides = (shape, stride) if isinstance(shape, list) else ([shape], [stride])
    sizes = [size_of(each) for each in shapes]
    if size_of(shape) > LARGEST_IMAGE:
        raise Unread("this layout is too large to be compared here")
    image = [
        whole(sum(offset_at(mode, step, c) for mode, step, c in zip(shapes, strides, place_of(n, sizes)))) for n in range(size_of(shape))
    ]
    return {"sizes": sizes, "image": image}


def place_word(i):
    return PLACES[i] if i < len(PLACES) else f"{i + 1}th"


def coordinate_of(numbers, shape):
    extents = leaves(shape)
    if len(numbers) != len(extents):
        words = "number" if len(extents) == 1 else "numbers"
        raise Unread(f"a coordinate of {tuple_text(shape)} has {len(extents)} {words}, and this one {len(numbers)}")
    if any(not 0 <= n < extent for n, extent in zip(numbers, extents)):
        raise Unread(f"{tuple_text(in_profile(numbers, shape))} lies outside of {tuple_text(shape)}")
    return numbers


def numbers_in(text, labels=None):
    plain = plain_numbers(text, labels)
    if plain is not None:
        return plain
    made = Expression(text).parse()
    if isinstance(made, tuple):
        raise Unread("numbers are wanted, and this is a layout")
    return leaves(made)


def read(kind, variant, text):
    """An answer in the form of its kind, as the variants have theirs."""
    text = text.strip()
    if len(text) > LONGEST_ANSWER:
        raise Unread(f"an answer has at most {LONGEST_ANSWER} characters")
    if not text:
        raise Unread("there is no answer")
    if kind == "integer":
        plain = one_number(text)
        if plain is not None:
            return [plain]
        made = Expression(text).parse()
        if not isinstance(made, int):
            raise Unread("one number is wanted")
        return [made]
    if kind in ("integers", "order"):
        return numbers_in(text)
    if kind == "coordinate":
        has_rows = isinstance(variant["shape"], list) and len(variant["shape"]) == 2
        return coordinate_of(numbers_in(text, LABELS[kind] if has_rows else None), variant["shape"])
    if kind == "thread and value":
        made = numbers_in(text, LABELS[kind])
        if len(made) != 2:
            raise Unread("a thread and a value is wanted; for example T4 V3")
        return made
    if kind == "layout":
        made = Expression(text).parse()
        if not isinstance(made, tuple):
            raise Unread("a layout, shape:stride, is wanted; for example (4,8):(8,1)")
        return image_of(*made)
    if kind == "cells":
        numbers, rank = numbers_in(text), len(leaves(variant["shape"]))
        if len(numbers) % rank:
            raise Unread(f"cells of {tuple_text(variant['shape'])} have {rank} numbers each, and these are {len(numbers)} numbers")
        cells = [coordinate_of(numbers[i : i + rank], variant["shape"]) for i in range(0, len(numbers), rank)]
        return [list(each) for each in sorted(set(map(tuple, cells)))]
    raise Unread(f"{kind} is not read here")


def layout_difference(variant, given, wanted):
    modes = variant.get("modes", [])
    if len(given["sizes"]) != len(wanted["sizes"]):
        words = "mode" if len(given["sizes"]) == 1 else "modes"
        return f"it has {len(given['sizes'])} {words}; {len(wanted['sizes'])} are wanted" + (f": ({', '.join(modes)})" if modes else "")
    for i, (a, b) in enumerate(zip(given["sizes"], wanted["sizes"])):
        if a != b:
            return f"its {modes[i] if i < len(modes) else place_word(i)} mode has {a} elements; {b} are wanted"
    for n, (a, b) in enumerate(zip(given["image"], wanted["image"])):
        if a != b:
            place = place_of(n, given["sizes"])
            named = ", ".join(f"{mode} {c}" for mode, c in zip(modes, place))
            return f"at {named if len(place) == len(modes) else tuple_text(place if len(place) > 1 else place[0])} it gives {a}; {b} is wanted"
    return ""


def difference(kind, variant, given, wanted):
    """Where two answers part first, in words; empty where they are the same."""
    if kind == "layout":
        return layout_difference(variant, given, wanted)
    if given == wanted:
        return ""
    if kind == "integer":
        return f"{given[0]} is not it"
    if kind == "coordinate":
        return f"{tuple_text(in_profile(given, variant['shape']))} is not it"
    if kind == "thread and value":
        right = ": the thread is right" if given[0] == wanted[0] else ": the value is right" if given[1] == wanted[1] else ""
        return f"T{given[0]} V{given[1]} is not it{right}"
    if kind == "cells":
        for cells, others, words in ((given, wanted, "is none of them"), (wanted, given, "is missing")):
            for cell in cells:
                if cell not in others:
                    return f"{tuple_text(in_profile(cell, variant['shape']))} {words}"
    if len(given) != len(wanted):
        are = "number is" if len(wanted) == 1 else "numbers are"
        return f"{len(wanted)} {are} wanted, and there {'is' if len(given) == 1 else 'are'} {len(given)}"
    i = next(i for i, (a, b) in enumerate(zip(given, wanted)) if a != b)
    if kind == "order":
        return f"{given[i]} is not in the {place_word(i)} place"
    return f"the {place_word(i)} number is not {given[i]}"


def share(kind, given, wanted):
    """What a wrong answer is worth: of a thread and a value the half that is right, of integers the places that are, of cells those that are
    right less those that are not; else nothing."""
    if kind in ("thread and value", "integers") and len(given) == len(wanted):
        return sum(a == b for a, b in zip(given, wanted)) / len(wanted)
    if kind == "cells":
        right = sum(each in wanted for each in given)
        return max(0, 2 * right - len(given)) / len(wanted)
    return 0


def variant_of(data):
    return VARIANTS[data["params"]["variant"] % len(VARIANTS)]


def generate(data):
    number = int(data["variant_seed"]) % len(VARIANTS)
    variant = VARIANTS[number]
    data["params"].update(variant=number, prompt=variant["prompt_html"])
    if "choices" in variant:
        data["params"]["choices"] = variant["choices"]
    elif "blocks" in variant:
        data["params"]["blocks"] = variant["blocks"]
    else:
        data["correct_answers"]["answer"] = variant["answer"]


def parse(data):
    variant = variant_of(data)
    if "choices" in variant or "blocks" in variant or data["format_errors"].get("answer"):
        return
    try:
        read(KIND, variant, data["submitted_answers"].get("answer") or "")
    except Unread as error:
        data["format_errors"]["answer"] = f"This cannot be read: {error}."


def plain_text(inner_html):
    return html.unescape(re.sub(r"<[^>]*>", "", inner_html)).strip()


def grade(data):
    variant = variant_of(data)
    if "choices" in variant:
        return  # the element has the hints
    if "blocks" in variant:
        order = [plain_text(each["inner_html"] or "") for each in data["submitted_answers"].get("answer") or []]
        data["feedback"]["words"] = next((each["hint"] for each in variant["wrong"] if each["order"] == order), "")
        return
    given = read(KIND, variant, data["submitted_answers"]["answer"])
    words = difference(KIND, variant, given, variant["want"])
    hint = next((each["hint"] for each in variant["wrong"] if not difference(KIND, variant, given, each["want"])), "") if words else ""
    score = share(KIND, given, variant["want"]) if words else 1
    data["partial_scores"]["answer"] = {"score": score, "weight": 1}
    data["score"] = score
    data["feedback"]["words"] = " ".join(filter(None, [f"Not yet: {words}.", hint])) if words else "Right."


def test(data):
    """What PrairieLearn's own test submits: answers of which the score is known."""
    variant = variant_of(data)
    if "choices" in variant or "blocks" in variant:
        return
    if data["test_type"] == "invalid":
        data["raw_submitted_answers"]["answer"] = "?"
        data["format_errors"]["answer"] = 'This cannot be read: "?" is not understood.'
        return
    is_right = data["test_type"] == "correct"
    text, score = variant["answer"], 1
    if not is_right:
        text = variant["wrong"][0]["answer"] if variant["wrong"] else "1:0" if KIND == "layout" else variant["answer"] + "+1"
        score = share(KIND, read(KIND, variant, text), variant["want"])
    data["raw_submitted_answers"]["answer"] = text
    data["partial_scores"]["answer"] = {"score": score, "weight": 1}
    data["score"] = score


