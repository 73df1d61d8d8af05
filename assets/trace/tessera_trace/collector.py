# SPDX-License-Identifier: BSD-3-Clause
"""Watches the variables of functions while they run, and writes a row for each object of the DSL that a name gets.

After each line of a watched source the local variables, and the attributes of `self`, are held against what they were. What is new belongs
to the statement that was just executed. Nothing is asked of the program's own objects: their dictionaries are read as they lie there."""
from __future__ import annotations

import sys
from types import CodeType, FrameType
from typing import Any, Callable, Dict, List, Optional, Tuple

from .kinds import Kinds
from .places import Places
from .trace_file import TraceFile

_NOTHING = object()
_MOST_ITEMS = 16  # of a tuple or a list whose items get rows
_DEEPEST = 2      # containers in each other
_NO_FUNCTIONS = ("<listcomp>", "<genexpr>", "<dictcomp>", "<setcomp>", "<lambda>")


def dictionary_of(value: Any) -> Optional[Dict[str, Any]]:
    """An object's attributes as they lie in memory; nothing where it has none. Runs nothing of the object's class."""
    try:
        found = object.__getattribute__(value, "__dict__")
    except Exception:
        return None
    return found if type(found) is dict else None


def _class_dictionary(of: type) -> Any:
    return type.__dict__["__dict__"].__get__(of)


def _parts(name: str, value: Any) -> List[Tuple[str, Any]]:
    """The named parts of a tuple, a list, a named tuple or an object of a data class."""
    of = type(value)
    if of is tuple or of is list:
        return [(f"{name}[{i}]", each) for i, each in enumerate(value)] if len(value) <= _MOST_ITEMS else []
    attributes = _class_dictionary(of)
    if tuple in of.__bases__ and type(attributes.get("_fields")) is tuple:
        return [(f"{name}.{field}", each) for field, each in zip(attributes["_fields"], tuple.__iter__(value))]
    if type(attributes.get("__dataclass_fields__")) is dict:
        own = dictionary_of(value) or {}
        return [(f"{name}.{field}", own[field]) for field in attributes["__dataclass_fields__"] if field in own]
    return []


class _Seen:
    """The values that an object's names had when they were last looked at. Holds them, so that no other object gets their id."""

    def __init__(self, owner: Any) -> None:
        self.owner = owner
        self.values: Dict[str, Any] = {}
        self.line = 0

    def changes(self, now: Dict[str, Any]) -> List[Tuple[str, Any]]:
        changed = [(name, value) for name, value in list(now.items()) if self.values.get(name, _NOTHING) is not value]
        self.values.update(changed)
        return changed


class Collector:
    """Collects from the sources of `places`: a code's file name -> (the source's number in the trace, its places)."""

    def __init__(self, trace: TraceFile, kinds: Kinds, find: Callable[[str], Optional[Tuple[int, Places]]]) -> None:
        self._trace = trace
        self._kinds = kinds
        self._find = find  # of a code's file name
        self._files: Dict[str, Optional[Tuple[int, Places]]] = {}
        self._frames: Dict[int, _Seen] = {}
        self._objects: Dict[int, _Seen] = {}
        self._busy = False

    def start(self) -> None:
        sys.settrace(self._enter)

    def stop(self) -> None:
        sys.settrace(None)

    def _source(self, code: CodeType) -> Optional[Tuple[int, Places]]:
        name = code.co_filename
        if name not in self._files:
            self._files[name] = self._find(name)
        return self._files[name]

    def _enter(self, frame: FrameType, event: str, argument: Any) -> Any:
        if self._busy or frame.f_code.co_name in _NO_FUNCTIONS or self._source(frame.f_code) is None:
            return None
        self._frames[id(frame)] = seen = _Seen(frame)
        seen.line = frame.f_lineno
        return self._step

    def _step(self, frame: FrameType, event: str, argument: Any) -> Any:
        if self._busy or event not in ("line", "return"):
            return self._step
        seen = self._frames.get(id(frame))
        if seen is None or seen.owner is not frame:  # a generator that goes on
            seen = self._frames[id(frame)] = _Seen(frame)
            seen.line = frame.f_lineno
        self._busy = True
        try:
            self._look(frame, seen)
        finally:
            self._busy = False
        seen.line = frame.f_lineno
        if event == "return":
            self._frames.pop(id(frame), None)
        return self._step

    def _look(self, frame: FrameType, seen: _Seen) -> None:
        code = frame.f_code
        now = dict(frame.f_locals)
        for name in code.co_freevars:  # variables of the function around it
            now.pop(name, None)
        for name, value in seen.changes(now):
            self._named(name, value, seen.line, code)
        me = now.get("self")
        attributes = dictionary_of(me)
        if attributes is None:
            return
        of_object = self._objects.get(id(me))
        if of_object is None:
            of_object = self._objects[id(me)] = _Seen(me)
        for name, value in of_object.changes(attributes):
            if type(name) is str:
                self._named("self." + name, value, seen.line, code)

    def _named(self, name: str, value: Any, line: int, code: CodeType) -> None:
        number, places = self._source(code) or (0, Places(""))
        place = places.of(name, line)
        if place[1] == 0 and not name.startswith("self."):
            return  # the source does not bind it: the DSL's own variable, in what it makes of loops and branches
        row: Dict[str, Any] = {"line": place[0], "column": place[1]}
        if number:
            row["of"] = number
        function = places.function(place[0])
        if function:
            row["in"] = function
        # The attributes of self have rows of their own.
        self._add(name, value, row, _DEEPEST if name == "self" else 0)

    def _add(self, name: str, value: Any, row: Dict[str, Any], depth: int) -> None:
        fields = self._kinds.row_fields(value)
        if fields is not None and row["column"] == 0 and fields["kind"] in ("int", "tuple"):
            return  # a number that the source does not name
        if fields is not None:
            self._trace.add_row({"name": name, **row, **fields})
        elif depth < _DEEPEST:
            for part, each in _parts(name, value):
                self._add(part, each, row, depth + 1)
