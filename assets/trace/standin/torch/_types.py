# SPDX-License-Identifier: BSD-3-Clause
"""Element types, shapes and devices."""
from __future__ import annotations

import math
from typing import Any, Dict, Optional

_int = int


class dtype:
    """An element type, with the code that DLPack has for it. `bits` are of one of `lanes` elements that are stored together."""

    def __init__(self, name: str, code: int, bits: int, lanes: int = 1, is_float: bool = False, signed: bool = True) -> None:
        self.name, self.code, self.bits, self.lanes = name, code, bits, lanes
        self.is_floating_point, self.is_signed, self.is_complex = is_float, signed, False
        self.itemsize = max(1, bits * lanes // 8)  # bytes

    def __repr__(self) -> str:
        return "torch." + self.name

    def __reduce__(self) -> str:
        return self.name


def _table() -> Dict[str, dtype]:
    names: Dict[str, dtype] = {}
    for bits in (8, 16, 32, 64):
        names[f"int{bits}"] = dtype(f"int{bits}", 0, bits)
        names[f"uint{bits}"] = dtype(f"uint{bits}", 1, bits, signed=False)
    for name, code, bits in (("float16", 2, 16), ("float32", 2, 32), ("float64", 2, 64), ("bfloat16", 4, 16), ("float8_e3m4", 7, 8),
                             ("float8_e4m3", 8, 8), ("float8_e4m3b11fnuz", 9, 8), ("float8_e4m3fn", 10, 8), ("float8_e4m3fnuz", 11, 8),
                             ("float8_e5m2", 12, 8), ("float8_e5m2fnuz", 13, 8), ("float8_e8m0fnu", 14, 8)):
        names[name] = dtype(name, code, bits, is_float=True)
    names["float4_e2m1fn_x2"] = dtype("float4_e2m1fn_x2", 17, 4, lanes=2, is_float=True)
    names["bool"] = dtype("bool", 6, 8, signed=False)
    for other, name in (("short", "int16"), ("int", "int32"), ("long", "int64"), ("half", "float16"), ("float", "float32"),
                        ("double", "float64")):
        names[other] = names[name]
    return names


DTYPES = _table()  # by all their names


class Size(tuple):
    """A shape."""

    def numel(self) -> int:
        return math.prod(self)


class device:
    """A device. "cuda" alone is the first one."""

    def __init__(self, kind: Any = "cpu", index: Optional[int] = None) -> None:
        if isinstance(kind, device):
            kind, index = kind.type, kind.index
        elif isinstance(kind, _int):
            kind, index = "cuda", kind
        kind = str(kind)
        if ":" in kind:
            kind, number = kind.split(":", 1)
            index = _int(number)
        self.type = kind
        self.index = 0 if index is None and kind == "cuda" else index

    def __eq__(self, other: object) -> bool:
        return str(self) == str(other) or self.type == str(other)

    def __hash__(self) -> int:
        return hash(self.type)

    def __repr__(self) -> str:
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __enter__(self) -> "device":
        return self

    def __exit__(self, *error: Any) -> bool:
        return False


class iinfo:
    """The limits of an integer type."""

    def __init__(self, of: dtype) -> None:
        self.bits = of.bits
        self.max = 2 ** (of.bits - of.is_signed) - 1
        self.min = -(2 ** (of.bits - 1)) if of.is_signed else 0


class finfo:
    """The limits of a floating-point type, by its bits alone."""

    def __init__(self, of: Optional[dtype] = None) -> None:
        of = of or DTYPES["float32"]
        self.bits = of.bits
        self.max, self.eps, self.tiny = {64: (1.79e308, 2.2e-16, 2.2e-308), 16: (65504.0, 9.8e-4, 6.1e-5), 8: (448.0, 0.125, 0.015625),
                                         4: (6.0, 0.5, 1.0)}.get(of.bits, (3.4028234663852886e38, 1.1920929e-07, 1.1754944e-38))
        if of.name == "bfloat16":
            self.max, self.eps, self.tiny = 3.3895313892515355e38, 0.0078125, 1.1754943508222875e-38
        self.min = -self.max
        self.smallest_normal = self.tiny
