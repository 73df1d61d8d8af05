# SPDX-License-Identifier: BSD-3-Clause
"""An instruction of the DSL written as the call that makes it, by which Tessera knows it.

    warp.MmaF16BF16Op with its fields   ->  cute.nvgpu.warp.MmaF16BF16Op(cutlass.Float16, cutlass.Float32, (16, 8, 16))
    a copy of 128 bits of half_t        ->  cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), cutlass.Float16, num_bits_per_copy=128)
"""
from __future__ import annotations

import enum
import inspect
import re
from typing import Any, List, Optional

# Parameters of a constructor whose field has another name.
_FIELDS = {"instruction_shape": "shape_mnk", "ab_dtype": "a_dtype", "sf_type": "sf_dtype", "abacc_dtype": "a_dtype"}
# Parameters that say nothing where they have this value.
_UNSAID = {"unpack_bits": None}
_MODULES = ("warp", "warpgroup", "tcgen05", "cpasync")
_COPY_BITS = re.compile(r"[, <](\d+) b\b")


def class_text(kind: type) -> str:
    """A class of cute.nvgpu as a source calls it: "cute.nvgpu.warp.MmaF16BF16Op"."""
    module = [part for part in kind.__module__.split(".") if part in _MODULES]
    return ".".join(["cute", "nvgpu", *module, kind.__qualname__])


def argument_text(value: Any) -> Optional[str]:
    """An argument as a source writes it; nothing where it has no such text."""
    if isinstance(value, enum.Enum):
        return f"{class_text(type(value))}.{value.name}"
    if value is None or isinstance(value, (bool, int)):
        return str(value)
    if isinstance(value, tuple):
        parts = [argument_text(each) for each in value]
        return None if None in parts else "(" + ", ".join(map(str, parts)) + ("," if len(parts) == 1 else "") + ")"
    if isinstance(value, type):
        return f"cutlass.{value.__name__}"
    name = getattr(value, "name", None)  # an enumeration of the intermediate representation
    return f"{class_text(type(value))}.{name}" if isinstance(name, str) else None


def _constructor(kind: type) -> Optional[type]:
    """The class that names its parameters: older names of operations pass theirs on to the newer one."""
    for each in kind.__mro__:
        parameters = inspect.signature(each).parameters.values()
        if all(parameter.kind == parameter.POSITIONAL_OR_KEYWORD for parameter in parameters):
            return each
    return None


def operation_text(operation: Any) -> Optional[str]:
    """The call that makes an operation; nothing where one of its parameters is not known."""
    fields = object.__getattribute__(operation, "__dict__")
    kind = _constructor(type(operation))
    if kind is None:
        return None
    arguments: List[str] = []
    for name in inspect.signature(kind).parameters:
        field = name if name in fields else _FIELDS.get(name, name)
        if field not in fields:
            return None
        if name in _UNSAID and fields[field] is _UNSAID[name]:
            continue
        text = argument_text(fields[field])
        if text is None:
            return None
        arguments.append(text)
    return f"{class_text(kind)}({', '.join(arguments)})"


def copy_text(operation: Any, value_type: Optional[str], atom_type: str) -> Optional[str]:
    """The call that makes a copy atom of `value_type`, a type's name in the DSL; `atom_type` is the print of the atom's type."""
    call = operation_text(operation)
    if call is None or value_type is None:
        return None
    bits = _COPY_BITS.search(atom_type)
    return f"cute.make_copy_atom({call}, cutlass.{value_type}{f', num_bits_per_copy={bits[1]}' if bits else ''})"
