# SPDX-License-Identifier: BSD-3-Clause
"""torch's functions that make tensors, or one of several."""
from __future__ import annotations

from typing import Any, Sequence

from ._tensor import Tensor, broadcast, shape_of
from ._types import DTYPES


def empty(*sizes: Any, dtype: Any = None, device: Any = None, **named: Any) -> Tensor:
    return Tensor(shape_of(sizes or (named.get("size", ()),)), dtype, device)


rand = randn = empty


def _filled(value: int) -> Any:
    def make(*sizes: Any, dtype: Any = None, device: Any = None, **named: Any) -> Tensor:
        return empty(*sizes, dtype=dtype, device=device, **named).fill_(value)
    return make


zeros, ones = _filled(0), _filled(1)


def full(size: Any, fill_value: Any = 0, *, dtype: Any = None, device: Any = None, **_: Any) -> Tensor:
    return Tensor(shape_of((size,)), dtype or (DTYPES["int64"] if isinstance(fill_value, int) else None), device).fill_(fill_value)


def randint(*arguments: Any, dtype: Any = None, device: Any = None, **named: Any) -> Tensor:
    """One lawful draw: every element is the largest that may be."""
    size = named.get("size") or next(each for each in arguments if isinstance(each, (tuple, list)))
    bounds = [each for each in arguments if isinstance(each, int)] + [named[name] for name in ("low", "high") if name in named]
    made = Tensor(shape_of((size,)), dtype or DTYPES["int64"], device)
    return made.fill_(bounds[-1] - 1) if bounds else made


def arange(*bounds: Any, dtype: Any = None, device: Any = None, **_: Any) -> Tensor:
    values = list(range(*[int(each) for each in bounds]))
    return Tensor((len(values),), dtype or DTYPES["int64"], device, data=values)


def randperm(n: int, dtype: Any = None, device: Any = None, **_: Any) -> Tensor:
    return arange(n, dtype=dtype, device=device)


def linspace(start: Any, end: Any, steps: int, dtype: Any = None, device: Any = None, **_: Any) -> Tensor:
    return Tensor((steps,), dtype, device)


def empty_strided(size: Sequence[int], stride: Sequence[int], *, dtype: Any = None, device: Any = None, **_: Any) -> Tensor:
    return Tensor(size, dtype, device, stride)


def normal(*_: Any, size: Sequence[int] = (), dtype: Any = None, device: Any = None, **__: Any) -> Tensor:
    return Tensor(size, dtype, device)


def eye(n: int, m: Any = None, *, dtype: Any = None, device: Any = None, **_: Any) -> Tensor:
    return Tensor((n, n if m is None else m), dtype, device)


def empty_like(like: Tensor, *_: Any, dtype: Any = None, device: Any = None, **__: Any) -> Tensor:
    made = like._like(dtype=dtype, device=device)
    made._fill = None
    return made


rand_like = randn_like = randint_like = empty_like


def zeros_like(like: Tensor, **named: Any) -> Tensor:
    return empty_like(like, **named).fill_(0)


def ones_like(like: Tensor, **named: Any) -> Tensor:
    return empty_like(like, **named).fill_(1)


def full_like(like: Tensor, fill_value: Any, **named: Any) -> Tensor:
    return empty_like(like, **named).fill_(fill_value)


def tensor(data: Any, dtype: Any = None, device: Any = None, **_: Any) -> Tensor:
    if isinstance(data, Tensor):
        return data._like(dtype=dtype, device=device, data=data._data)
    if hasattr(data, "__array_interface__"):  # numpy's
        data = data.tolist()
    shape, inner = [], data
    while isinstance(inner, (list, tuple)):
        shape.append(len(inner))
        inner = inner[0] if inner else 0
    return Tensor(shape, dtype or DTYPES["bool" if inner is True or inner is False else "int64" if isinstance(inner, int) else "float32"],
                  device, data=data)


as_tensor = asarray = from_numpy = tensor


def from_dlpack(other: Any) -> Any:
    return other


def frombuffer(buffer: Any, *, dtype: Any = None, count: int = -1, **_: Any) -> Tensor:
    return Tensor((len(buffer) if count < 0 else count,), dtype)


def cat(tensors: Any, dim: int = 0, **_: Any) -> Tensor:
    tensors = list(tensors)
    shape = list(tensors[0].shape)
    shape[dim] = sum(each.shape[dim] for each in tensors)
    return tensors[0]._like(shape)


concat = cat


def stack(tensors: Any, dim: int = 0, **_: Any) -> Tensor:
    tensors = list(tensors)
    shape = list(tensors[0].shape)
    shape.insert(dim % (len(shape) + 1), len(tensors))
    return tensors[0]._like(shape)


def einsum(equation: str, *operands: Any) -> Tensor:
    tensors = operands[0] if len(operands) == 1 and isinstance(operands[0], (list, tuple)) else operands
    inputs, _, output = equation.replace(" ", "").partition("->")
    sizes = {}
    for letters, each in zip(inputs.split(","), tensors):
        sizes.update(zip(letters, each.shape))
    return tensors[0]._like([sizes.get(letter, 1) for letter in output])


def matmul(first: Tensor, second: Tensor, **_: Any) -> Tensor:
    return first @ second


mm = bmm = matmul


def where(condition: Tensor, first: Any = None, second: Any = None) -> Tensor:
    return broadcast(first, condition) if isinstance(first, Tensor) else condition._like()


def is_tensor(value: Any) -> bool:
    return isinstance(value, Tensor)


def allclose(*_: Any, **__: Any) -> bool:
    return True  # there are no results to hold against each other


equal = allclose
