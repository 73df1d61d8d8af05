# SPDX-License-Identifier: BSD-3-Clause
"""An object's kind and the fields of its row. Objects that are not the DSL's own are asked nothing: a property could run the user's code.

The DSL's types tell most, and reading them adds nothing to the kernel that is being traced, as reading an object's layout would."""
from __future__ import annotations

import sys
from typing import Any, Callable, Dict, List, Optional, Tuple

from . import operations, prints

Fields = Dict[str, Any]
LONGEST_TEXT = 4000  # characters
_DEEPEST = 8         # tuples in each other

# Most particular first: (kind, module, class).
_CLASSES = (
    ("tensor", "cutlass.cute", "Tensor"), ("thr_mma", "cutlass.cute.atom", "ThrMma"), ("tiled_mma", "cutlass.cute.atom", "TiledMma"),
    ("mma_atom", "cutlass.cute.atom", "MmaAtom"), ("thr_copy", "cutlass.cute.atom", "ThrCopy"),
    ("tiled_copy", "cutlass.cute.atom", "TiledCopy"), ("copy_atom", "cutlass.cute.atom", "CopyAtom"),
    ("composed", "cutlass.cute", "ComposedLayout"), ("layout", "cutlass.cute", "Layout"),
    ("pointer", "cutlass.cute.typing", "Pointer"), ("swizzle", "cutlass.cute.core", "Swizzle"),
    ("other", "cutlass.cute", "TensorSSA"), ("other", "cutlass.cute.atom", "Op"),
)


def static_text(value: Any, depth: int = 0) -> Optional[str]:
    """A static integer or a tuple of them as CuTe prints it, None as _; nothing for another value: (128, (4, None)) -> "(128,(4,_))"."""
    if type(value) is int:
        return str(value)
    if value is None and depth > 0:
        return "_"
    if type(value) is not tuple or not value or depth > _DEEPEST:
        return None
    parts = [static_text(each, depth + 1) for each in value]
    return None if None in parts else "(" + ",".join(map(str, parts)) + ")"


def type_text(value: Any) -> str:
    """The print of an object's type in the DSL's intermediate representation; empty where it has none."""
    for path in (("_trait", "value", "type"), ("type",)):
        found = value
        try:
            for name in path:
                found = getattr(found, name)
            return str(found)
        except Exception:  # the DSL's objects refuse in many ways
            continue
    return ""


def _atom_type(value: Any) -> Any:
    return value._trait.value.type


def _type_name(value: Any) -> Optional[str]:
    """The DSL's name of a tensor's or a copy's element type: "Float16"."""
    for name in ("element_type", "value_type", "dtype"):
        try:
            found = getattr(value, name)
        except Exception:
            continue
        if isinstance(found, type):
            return found.__name__
    return None


def _layout(value: Any) -> Fields:
    text = type_text(value)
    return {"layout": prints.layout(prints.quoted(text) if '"' in text else str(value))}


def _swizzle(value: Any) -> Fields:
    return {"layout": prints.layout(str(value))}


def _tensor(value: Any) -> Fields:
    fields = prints.tensor(type_text(value)) or prints.tensor(str(value))
    if fields is None:
        return {"error": f"its print is of no known form: {str(value)[:200]}"}
    name = _type_name(value)
    if name is not None and fields.get("space") != "coord":
        fields["type"] = prints.cute_type(name)
    return fields


def _pointer(value: Any) -> Fields:
    text = type_text(value)
    fields = prints.pointer(text[len("!cute."):] if text.startswith("!cute.ptr<") else str(value))
    name = _type_name(value)
    return {"space": fields["space"], "type": prints.cute_type(name) if name else fields["type"]}


def _take(fields: Fields, name: str, read: Callable[[], Any]) -> None:
    """Adds what `read` gives, and says under "error" why it gives nothing."""
    try:
        found = read()
    except Exception as error:
        fields.setdefault("error", f"{name}: {type(error).__name__}: {error}"[:300])
        return
    if found:
        fields[name] = found


def _thread(value: Any) -> str:
    index = value.thr_idx
    return str(index) if type(index) is int else "?"


def _mma(value: Any) -> Fields:
    fields: Fields = {}
    _take(fields, "atom", lambda: operations.operation_text(value.op))
    _take(fields, "shape_mnk", lambda: prints.tiler(prints.quoted(str(_atom_type(value).shape_mnk))))
    for operand in "abc":
        _take(fields, f"{operand}_tv", lambda: prints.layout(prints.quoted(str(getattr(_atom_type(value), f"layout_{operand}_tv")))))
    return fields


def _tiled_mma(value: Any) -> Fields:
    fields = _mma(value)
    text = type_text(value)
    _take(fields, "atom_layout", lambda: prints.attribute(text, "atom_layout_MNK"))
    _take(fields, "permutation", lambda: prints.tiler(prints.attribute(text, "permutation_MNK") or "(_,_,_)"))
    _take(fields, "thr_layout_vmnk", lambda: prints.quoted(str(_atom_type(value).thr_layout_vmnk)))
    return fields


def _copy(value: Any) -> Fields:
    fields: Fields = {}
    name = _type_name(value)
    _take(fields, "atom", lambda: operations.copy_text(value.op, name, type_text(value)))
    _take(fields, "src_tv", lambda: prints.layout(prints.quoted(str(_atom_type(value).layout_src_tv))))
    _take(fields, "dst_tv", lambda: prints.layout(prints.quoted(str(_atom_type(value).layout_dst_tv))))
    _take(fields, "type", lambda: name and prints.cute_type(name))
    return fields


def _tiled_copy(value: Any) -> Fields:
    fields = _copy(value)
    text = type_text(value)
    _take(fields, "tiler", lambda: prints.tiler(prints.attribute(text, "tiler_mn")))
    _take(fields, "layout_tv", lambda: prints.layout(prints.attribute(text, "layout_copy_tv")))
    return fields


def _of_thread(describe: Callable[[Any], Fields]) -> Callable[[Any], Fields]:
    def fields_of(value: Any) -> Fields:
        fields = describe(value)
        _take(fields, "thr", lambda: _thread(value))
        return fields
    return fields_of


_DESCRIBE: Dict[str, Callable[[Any], Fields]] = {
    "tensor": _tensor, "thr_mma": _of_thread(_tiled_mma), "tiled_mma": _tiled_mma, "mma_atom": _mma, "thr_copy": _of_thread(_tiled_copy),
    "tiled_copy": _tiled_copy, "copy_atom": _copy, "composed": _layout, "layout": _layout, "pointer": _pointer, "swizzle": _swizzle,
    "other": lambda value: {"text": str(value)[:LONGEST_TEXT]},
}


class Kinds:
    """Tells the kinds of objects. Made after the DSL was imported."""

    def __init__(self) -> None:
        self._classes: List[Tuple[str, type]] = []
        for kind, module, name in _CLASSES:
            found = getattr(sys.modules.get(module), name, None)
            if isinstance(found, type):
                self._classes.append((kind, found))
        self._of_type: Dict[int, Tuple[Optional[str], type]] = {}  # by the type's id; holds the type, so that no other gets its id

    def kind_of(self, value: Any) -> Optional[str]:
        """The kind of an object of the DSL, and nothing for any other object."""
        known = self._of_type.get(id(type(value)))
        if known is None:
            known = self._of_type[id(type(value))] = (self._kind_of_type(type(value)), type(value))
        return known[0]

    def _kind_of_type(self, of: type) -> Optional[str]:
        bases = type.__dict__["__mro__"].__get__(of)
        module = type.__dict__["__dict__"].__get__(of).get("__module__")
        if not isinstance(module, str) or module.split(".")[0] != "cutlass":
            return None  # a class of the user's, though it may have one of the DSL's as a base
        for kind, base in self._classes:
            if any(each is base for each in bases):
                return kind
        return None

    def row_fields(self, value: Any) -> Optional[Fields]:
        """"kind" and its fields, for what a row can tell of; nothing for any other object."""
        kind = self.kind_of(value)
        if kind is None:
            text = static_text(value)
            return None if text is None else {"kind": "int" if type(value) is int else "tuple", "value": text}
        try:
            return {"kind": kind, **_DESCRIBE[kind](value)}
        except Exception as error:
            return {"kind": kind, "error": f"{type(error).__name__}: {error}"[:300]}
