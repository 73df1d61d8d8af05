# SPDX-License-Identifier: BSD-3-Clause
"""Where a Python source gives a name its value: the line, and the column of the name (in bytes of UTF-8, from 1)."""
from __future__ import annotations

import ast
from typing import Any, Dict, Iterator, List, Optional, Tuple

Place = Tuple[int, int]  # line and column; column 0 where the name does not stand in the line
_WHOLE_BODY = 1 << 30    # lines: a parameter gives way to every statement that has its name


def _names(target: ast.expr) -> Iterator[Tuple[str, ast.expr]]:
    """The names of an assignment's target: of `a, self.b = ...` "a" and "self.b"."""
    if isinstance(target, ast.Name):
        yield target.id, target
    elif isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == "self":
        yield "self." + target.attr, target
    elif isinstance(target, (ast.Tuple, ast.List)):
        for each in target.elts:
            yield from _names(each)
    elif isinstance(target, ast.Starred):
        yield from _names(target.value)


def _places(targets: List[ast.expr]) -> Dict[str, Place]:
    return {name: (at.lineno, at.col_offset + 1) for target in targets for name, at in _names(target)}


class Places:
    """The places of the names of one source. An unreadable source has none."""

    def __init__(self, source: str) -> None:
        self._of_line: Dict[int, List[Tuple[int, Dict[str, Place]]]] = {}  # line -> (length of what binds, its names)
        self._of_name: Dict[str, List[Place]] = {}
        self._functions: List[Tuple[int, int, str]] = []  # first and last line, name; outer ones first
        self._classes: List[Tuple[int, int, str]] = []    # the same
        try:
            tree = ast.parse(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError):  # the last two: too deep for the parser
            return
        for node in ast.walk(tree):
            self._add_node(node)
        self._add_definitions(tree, "")
        for bound in self._of_line.values():
            bound.sort(key=lambda each: each[0])
        for places in self._of_name.values():
            places.sort()

    def _add_node(self, node: ast.AST) -> None:
        if isinstance(node, ast.Assign):
            self._add(node.lineno, node.end_lineno or node.lineno, _places(node.targets))
        elif isinstance(node, (ast.AnnAssign, ast.AugAssign, ast.NamedExpr)):
            self._add(node.lineno, node.end_lineno or node.lineno, _places([node.target]))
        elif isinstance(node, (ast.For, ast.AsyncFor)):
            self._add(node.lineno, node.body[0].lineno, _places([node.target]))
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            self._add(node.lineno, node.body[0].lineno, _places([each.optional_vars for each in node.items if each.optional_vars]))
        elif type(node).__name__ in ("MatchAs", "MatchStar") and getattr(node, "name", None):  # of Python 3.10
            capture: Any = node
            column = capture.end_col_offset - len(capture.name.encode()) + 1
            self._add(capture.lineno, capture.end_lineno, {capture.name: (capture.end_lineno, column)})
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs, node.args.vararg, node.args.kwarg]
            names = {each.arg: (each.lineno, each.col_offset + 1) for each in arguments if each is not None}
            self._add(first, node.body[0].lineno, names, _WHOLE_BODY)

    def _add_definitions(self, around: ast.AST, prefix: str) -> None:
        for node in ast.iter_child_nodes(around):
            if not isinstance(node, (ast.stmt, ast.excepthandler, getattr(ast, "match_case", ast.stmt))):
                continue  # an expression can be too deep to walk
            name = prefix
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                name = f"{prefix}.{node.name}" if prefix else node.name
                spans = self._classes if isinstance(node, ast.ClassDef) else self._functions
                spans.append((node.lineno, node.end_lineno or node.lineno, name))
            if isinstance(node, ast.ClassDef):
                self._add_fields(node)
            self._add_definitions(node, name)

    def _add_fields(self, node: ast.ClassDef) -> None:
        """The fields of a data class are attributes of its objects."""
        for each in node.body:
            if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
                place = (each.target.lineno, each.target.col_offset + 1)
                self._of_name.setdefault("self." + each.target.id, []).append(place)

    def function(self, line: int) -> str:
        """The innermost function that the line stands in, with the classes and functions around it: "Gemm.kernel"; empty outside."""
        inside = [name for first, last, name in self._functions if first <= line <= last]
        return inside[-1] if inside else ""

    def _add(self, first: int, last: int, names: Dict[str, Place], length: int = 0) -> None:
        for line in range(first, last + 1):
            self._of_line.setdefault(line, []).append((length or last - first, names))
        for name, place in names.items():
            self._of_name.setdefault(name, []).append(place)

    def of(self, name: str, line: int) -> Place:
        """Where `name` got the value that it has after `line` was executed: in the innermost statement there that binds it, else where the
        source binds it otherwise, else the line alone."""
        for _, names in self._of_line.get(line, []):
            if name in names:
                return names[name]
        return self._elsewhere(name, line) or (line, 0)

    def _elsewhere(self, name: str, line: int) -> Optional[Place]:
        """Before the line, in the function, for an attribute in the class; an attribute may also be bound further down in it."""
        places = self._of_name.get(name, [])
        is_attribute = name.startswith("self.")
        around = [each for each in (self._classes if is_attribute else self._functions) if each[0] <= line <= each[1]]
        for first, last, _ in reversed(around):
            inside = [place for place in places if first <= place[0] <= last]
            before = [place for place in inside if place[0] <= line]
            if before or (inside and is_attribute):
                return before[-1] if before else inside[0]
        before = [place for place in places if place[0] <= line]
        return before[-1] if before else None
