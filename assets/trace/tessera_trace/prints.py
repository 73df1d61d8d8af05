# SPDX-License-Identifier: BSD-3-Clause
"""What the DSL prints of its objects and types, taken apart into text as CuTe prints it. Knows nothing but text."""
from __future__ import annotations

import re
from typing import Dict, List, Optional

# The types' names in CuTe C++, by the DSL's and by its intermediate representation's.
CUTE_TYPES: Dict[str, str] = {
    "Float16": "half_t", "f16": "half_t", "BFloat16": "bfloat16_t", "bf16": "bfloat16_t", "Float32": "float", "f32": "float",
    "TFloat32": "tfloat32_t", "tf32": "tfloat32_t", "Float64": "double", "f64": "double", "Float8E4M3FN": "float_e4m3_t",
    "f8E4M3FN": "float_e4m3_t", "Float8E4M3": "float_e4m3_t", "f8E4M3": "float_e4m3_t", "Float8E5M2": "float_e5m2_t",
    "f8E5M2": "float_e5m2_t", "Float8E8M0FNU": "float_ue8m0_t", "f8E8M0FNU": "float_ue8m0_t", "Float6E3M2FN": "float_e3m2_t",
    "f6E3M2FN": "float_e3m2_t", "Float6E2M3FN": "float_e2m3_t", "f6E2M3FN": "float_e2m3_t", "Float4E2M1FN": "float_e2m1_t",
    "f4E2M1FN": "float_e2m1_t", "Boolean": "bool", "i1": "bool",
}
for _bits in (4, 8, 16, 32, 64):
    CUTE_TYPES[f"Int{_bits}"] = CUTE_TYPES[f"i{_bits}"] = CUTE_TYPES[f"si{_bits}"] = f"int{_bits}_t"
    CUTE_TYPES[f"Uint{_bits}"] = CUTE_TYPES[f"ui{_bits}"] = f"uint{_bits}_t"

SPACES = ("gmem", "smem", "rmem", "tmem")

_OPENING, _CLOSING = "<([{", ">)]}"


def cute_type(name: str) -> str:
    """The type's name in CuTe C++; as it is where CuTe has no name for it."""
    return CUTE_TYPES.get(name, name)


def split_outside(text: str, separator: str) -> List[str]:
    """The parts of `text` between separators that stand in no bracket and no quote, without blanks around them."""
    parts, depth, begin, quoted, i = [], 0, 0, False, 0
    while i < len(text):
        if text[i] == '"':
            quoted = not quoted
        elif quoted:
            pass
        elif text[i] in _OPENING:
            depth += 1
        elif text[i] in _CLOSING:
            depth -= 1
        elif depth == 0 and text.startswith(separator, i):
            parts.append(text[begin:i].strip())
            i += len(separator)
            begin = i
            continue
        i += 1
    return parts + [text[begin:].strip()]


def inside(text: str, prefix: str) -> Optional[str]:
    """What stands between the angle brackets behind `prefix`: inside("tensor<a o b>", "tensor") is "a o b"."""
    return text[len(prefix) + 1:-1] if text.startswith(prefix + "<") and text.endswith(">") else None


def layout(text: str) -> str:
    """A layout as CuTe prints it: swizzles are Sw<...>, and blanks stand around "o" only."""
    parts = [re.sub(r"^S<", "Sw<", part) for part in split_outside(text.strip().strip('"'), " o ")]
    return " o ".join(re.sub(r",\s+", ",", part) for part in parts)


def tiler(text: str) -> str:
    """A tiler or a permutation, whose n:1 are written n, and 1:0 is 1: "[32:1;_;1:0]" -> "(32,_,1)"."""
    text = text.strip().strip('"')
    parts = split_outside(text[1:-1], ";" if text.startswith("[") else ",")
    return "(" + ",".join(re.sub(r"^(\d+):1$|^(1):0$", r"\1\2", part).replace(" ", "") for part in parts) + ")"


def pointer(text: str) -> Dict[str, str]:
    """The fields of "ptr<f16, smem, align<128>, S<3,4,3>>" or of what stands between the brackets."""
    body = inside(text, "ptr")
    parts = split_outside(text if body is None else body, ",")
    fields = {"type": cute_type(parts[0]), "space": "none"}
    for part in parts[1:]:
        if part in SPACES:
            fields["space"] = part
        elif re.match(r"S<\d", part):
            fields["swizzle"] = layout(part)
    return fields


def tensor(text: str) -> Optional[Dict[str, str]]:
    """The fields of a tensor's print or type; nothing where the text is of another form.

    !cute.memref<f16, rmem, align<32>, "(4,2):(1,4)">     !cute.coord_tensor<"(0,0)", "(8,4):(1@0,1@1)">
    tensor<ptr<f16, gmem> o (8,4):(4,1)>                  tensor<(0,0) o (8,4):(1@0,1@1)>
    Tensor<0x00007f0000000000@gmem o (?):(1)>             FakeTensor<Float16, (8, 4), (4, 1)>
    """
    body = inside(text, "!cute.memref")
    if body is not None:
        parts = split_outside(body, ",")
        return {"layout": layout(parts[-1]), **pointer(", ".join(parts[:-1]))}
    body = inside(text, "!cute.coord_tensor")
    if body is not None:
        base, of_layout = split_outside(body, ",")
        return {"layout": layout(of_layout), "space": "coord", "base": base.strip('"').replace(" ", "")}
    body = inside(text, "FakeTensor")
    if body is not None:
        parts = split_outside(body, ",")
        return {"layout": layout(":".join(parts[1:])).replace(" ", ""), "space": "gmem", "type": cute_type(parts[0])}
    if text.startswith("!"):  # a view of a descriptor, for one
        return {"layout": layout(quoted(text)), "space": "none"} if '"' in text else None
    body = inside(text, "tensor") or inside(text, "Tensor")
    if body is None:
        return None
    iterator, *rest = split_outside(body, " o ")
    if not rest:
        return None
    fields = {"layout": layout(" o ".join(rest)), "space": "none"}
    if iterator.startswith("ptr<"):
        fields.update(pointer(iterator))
    elif iterator.startswith("("):
        fields.update(space="coord", base=iterator.replace(" ", ""))
    elif "@" in iterator:
        fields["space"] = iterator.rsplit("@", 1)[1] if iterator.rsplit("@", 1)[1] in SPACES else "none"
    return fields


def quoted(text: str) -> str:
    """The last quoted part of a type's print: quoted('!cute.layout<"(8,4):(4,1)">') is "(8,4):(4,1)"; the text itself where none is."""
    found = re.findall(r'"([^"]*)"', text)
    return found[-1] if found else text


def attribute(text: str, name: str) -> str:
    """A named attribute of a type's print: 'atom_layout_MNK = <"(2,1,1):(1,0,0)">'; empty where it has none of that name."""
    found = re.search(rf'\b{name} = <"([^"]*)">', text)
    return found[1] if found else ""
