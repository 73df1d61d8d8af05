# SPDX-License-Identifier: BSD-3-Clause
"""A tensor without elements: shape, strides, type and device. Of its values only those are known that were written as constants or lists,
as host code asks for them to choose sizes."""
from __future__ import annotations

import itertools
import math
import operator
from typing import Any, Callable, Iterator, List, Optional, Sequence, Tuple

from . import _blank, _dlpack
from ._blank import guess
from ._types import DTYPES, Size, device as Device, dtype as Dtype

_int, _float, _bool, _max, _min = int, float, bool, max, min  # methods below have these names
_PAGE = 4096  # bytes between two tensors' made-up addresses, at least
_next_address = [0x7F00_0000_0000]


def strides_of(shape: Sequence[int]) -> Tuple[int, ...]:
    """Of a contiguous tensor, the last mode fastest."""
    strides, step = [], 1
    for size in reversed(shape):
        strides.append(step)
        step *= _max(size, 1)
    return tuple(reversed(strides))


def shape_of(arguments: tuple) -> Size:
    """From sizes one by one, or in a tuple or a list."""
    if len(arguments) == 1 and isinstance(arguments[0], (tuple, list)):
        arguments = tuple(arguments[0])
    return Size(_int(size) for size in arguments)


def _flat(data: Any) -> List[Any]:
    return [each for item in data for each in _flat(item)] if isinstance(data, (list, tuple)) else [data]


def _number(value: Any) -> Any:
    return value if isinstance(value, (_int, _float)) else None


class ValuesIndices(tuple):
    """What max, sort and topk give."""
    values = property(lambda self: self[0])
    indices = property(lambda self: self[1])


class Tensor:
    """`_data`: the values as nested lists, where they are known; `_fill`: the one value that all elements have; `_handed`:
    a kernel may have written it."""
    is_nested = is_sparse = requires_grad = is_leaf = is_meta = is_quantized = False
    is_cuda = True
    grad = grad_fn = None
    layout = _blank.Blank("torch.strided")

    def __init__(self, shape: Sequence[int] = (), dtype: Optional[Dtype] = None, device: Any = None,
                 stride: Optional[Sequence[int]] = None, data: Any = None, fill: Any = None) -> None:
        self.shape = Size(shape)
        self.dtype = dtype or DTYPES["float32"]
        self.device = Device(device or "cpu")
        self._strides = strides_of(self.shape) if stride is None else tuple(stride)
        self._data, self._fill = data, fill
        self._address: Optional[int] = None
        self._handed = False

    def _like(self, shape: Optional[Sequence[int]] = None, stride: Optional[Sequence[int]] = None, dtype: Optional[Dtype] = None,
              device: Any = None, data: Any = None) -> "Tensor":
        if shape is None:
            shape, stride = self.shape, self._strides if stride is None else stride
        made = Tensor(shape, dtype or self.dtype, device or self.device, stride, data, self._fill)
        made._handed = self._handed
        return made

    # ---- what it is

    def __dlpack_device__(self) -> Tuple[int, int]:
        return _dlpack.DEVICE

    def __dlpack__(self, stream: Any = None, **named: Any) -> Any:
        return _dlpack.capsule(self.data_ptr(), self.dtype.code, self.dtype.bits, self.dtype.lanes, self.shape, self._strides)

    def data_ptr(self) -> int:
        self._handed = True
        if self._address is None:
            self._address = _next_address[0]
            _next_address[0] += (self.numel() * self.dtype.itemsize // _PAGE + 2) * _PAGE
        return self._address

    def numel(self) -> int:
        return math.prod(self.shape)

    nelement = numel

    def element_size(self) -> int:
        return self.dtype.itemsize

    def dim(self) -> int:
        return len(self.shape)

    ndim = property(dim)
    itemsize = property(element_size)
    nbytes = property(lambda self: self.numel() * self.dtype.itemsize)
    data = property(lambda self: self)
    T = property(lambda self: self.permute(*reversed(range(self.ndim))))
    mT = property(lambda self: self.transpose(-1, -2))

    def size(self, mode: Optional[int] = None) -> Any:
        return self.shape if mode is None else self.shape[mode]

    def stride(self, mode: Optional[int] = None) -> Any:
        return self._strides if mode is None else self._strides[mode]

    def dim_order(self) -> Tuple[int, ...]:
        return tuple(sorted(range(self.ndim), key=lambda i: (-self._strides[i], i)))

    def is_contiguous(self, *_: Any, **__: Any) -> bool:
        return self._strides == strides_of(self.shape)

    def storage_offset(self) -> int:
        return 0

    def __len__(self) -> int:
        return self.shape[0] if self.shape else 0

    def __iter__(self) -> Iterator["Tensor"]:
        return iter(self[i] for i in range(len(self)))

    def __hash__(self) -> int:
        return id(self)

    def __repr__(self) -> str:
        return f"<stand-in tensor {tuple(self.shape)}:{self._strides} {self.dtype} {self.device}>"

    # ---- other shapes and types of the same elements

    def permute(self, *modes: Any) -> "Tensor":
        order = modes[0] if len(modes) == 1 and isinstance(modes[0], (tuple, list)) else modes
        return self._like([self.shape[i] for i in order], [self._strides[i] for i in order])

    def transpose(self, first: int, second: int) -> "Tensor":
        order = list(range(self.ndim))
        order[first], order[second] = order[second], order[first]
        return self.permute(*order)

    swapaxes = transpose

    def t(self) -> "Tensor":
        return self.transpose(0, 1) if self.ndim > 1 else self

    def contiguous(self, *_: Any, **__: Any) -> "Tensor":
        return self if self.is_contiguous() else self._like(self.shape)

    def to(self, *arguments: Any, dtype: Optional[Dtype] = None, device: Any = None, **_: Any) -> "Tensor":
        for each in arguments:
            if isinstance(each, Dtype):
                dtype = each
            elif isinstance(each, (str, Device, _int)) and not isinstance(each, _bool):
                device = each
            elif isinstance(each, Tensor):
                dtype, device = each.dtype, each.device
        if dtype is None and device is None:
            return self
        return self._like(dtype=dtype, device=device, data=self._data)

    type = to

    def cuda(self, *_: Any, **__: Any) -> "Tensor":
        return self.to(device="cuda")

    def cpu(self, *_: Any, **__: Any) -> "Tensor":
        return self.to(device="cpu")

    def clone(self, *_: Any, **__: Any) -> "Tensor":
        return self._like(data=self._data)

    detach = clone

    def requires_grad_(self, *_: Any) -> "Tensor":
        return self

    def float(self) -> "Tensor":
        return self.to(DTYPES["float32"])

    def half(self) -> "Tensor":
        return self.to(DTYPES["float16"])

    def bfloat16(self) -> "Tensor":
        return self.to(DTYPES["bfloat16"])

    def int(self) -> "Tensor":
        return self.to(DTYPES["int32"])

    def long(self) -> "Tensor":
        return self.to(DTYPES["int64"])

    def bool(self) -> "Tensor":
        return self.to(DTYPES["bool"])

    def double(self) -> "Tensor":
        return self.to(DTYPES["float64"])

    def view(self, *sizes: Any, **named: Any) -> "Tensor":
        dtype = named.get("dtype") or (sizes[0] if sizes and isinstance(sizes[0], Dtype) else None)
        if dtype is not None:
            return self._recast(dtype)
        shape = list(shape_of(sizes))
        if -1 in shape:
            known = math.prod(size for size in shape if size != -1)
            shape[shape.index(-1)] = self.numel() // _max(known, 1)
        return self._like(shape)

    reshape = view

    def _recast(self, dtype: Dtype) -> "Tensor":
        mine, its = self.dtype.itemsize, dtype.itemsize
        if mine == its or not self.shape:
            return self._like(dtype=dtype)
        fastest = self._strides.index(1) if 1 in self._strides else self.ndim - 1
        shape = [size * mine // its if i == fastest else size for i, size in enumerate(self.shape)]
        return self._like(shape, [step if i == fastest else step * mine // its for i, step in enumerate(self._strides)], dtype=dtype)

    def view_as(self, other: "Tensor") -> "Tensor":
        return self._like(other.shape)

    reshape_as = view_as

    def flatten(self, start_dim: int = 0, end_dim: int = -1) -> "Tensor":
        end = end_dim % _max(self.ndim, 1)
        return self._like([*self.shape[:start_dim], math.prod(self.shape[start_dim:end + 1]), *self.shape[end + 1:]])

    def unflatten(self, dim: int, sizes: Sequence[int]) -> "Tensor":
        dim %= self.ndim
        return self._like([*self.shape[:dim], *sizes, *self.shape[dim + 1:]])

    def unsqueeze(self, dim: int) -> "Tensor":
        dim %= self.ndim + 1
        shape, strides = list(self.shape), list(self._strides)
        strides.insert(dim, shape[dim] * strides[dim] if dim < len(shape) else 1)
        shape.insert(dim, 1)
        return self._like(shape, strides)

    def squeeze(self, dim: Optional[int] = None) -> "Tensor":
        kept = [i for i in range(self.ndim) if self.shape[i] != 1 or (dim is not None and i != dim % self.ndim)]
        return self._like([self.shape[i] for i in kept], [self._strides[i] for i in kept])

    def expand(self, *sizes: Any) -> "Tensor":
        wanted = list(shape_of(sizes))
        new = len(wanted) - self.ndim
        old, steps = [1] * new + list(self.shape), [0] * new + list(self._strides)
        shape = [old[i] if size == -1 else size for i, size in enumerate(wanted)]
        return self._like(shape, [0 if old[i] == 1 and shape[i] != 1 else steps[i] for i in range(len(shape))])

    def expand_as(self, other: "Tensor") -> "Tensor":
        return self.expand(*other.shape)

    def repeat(self, *counts: Any) -> "Tensor":
        times = list(shape_of(counts))
        old = [1] * (len(times) - self.ndim) + list(self.shape)
        return self._like([size * count for size, count in zip(old, times)])

    def repeat_interleave(self, repeats: Any, dim: Optional[int] = None, **_: Any) -> "Tensor":
        shape = [self.numel()] if dim is None else list(self.shape)
        if isinstance(repeats, _int):
            shape[dim or 0] *= repeats
        return self._like(shape)

    def as_strided(self, size: Sequence[int], stride: Sequence[int], *_: Any) -> "Tensor":
        return self._like(size, stride)

    def set_(self, *_: Any) -> "Tensor":
        return self

    def select(self, dim: int, index: Any) -> "Tensor":
        return self[tuple(index if i == dim % self.ndim else slice(None) for i in range(self.ndim))]

    def narrow(self, dim: int, start: int, length: int) -> "Tensor":
        return self[tuple(slice(start, start + length) if i == dim % self.ndim else slice(None) for i in range(self.ndim))]

    def split(self, size: Any, dim: int = 0) -> Tuple["Tensor", ...]:
        whole = self.shape[dim]
        sizes = size if isinstance(size, (tuple, list)) else [_min(size, whole - at) for at in range(0, whole, size)]
        starts = [sum(sizes[:i]) for i in range(len(sizes))]
        return tuple(self.narrow(dim, start, length) for start, length in zip(starts, sizes))

    def chunk(self, chunks: int, dim: int = 0) -> Tuple["Tensor", ...]:
        return self.split(-(-self.shape[dim] // chunks), dim)

    def unbind(self, dim: int = 0) -> Tuple["Tensor", ...]:
        return tuple(self.select(dim, i) for i in range(self.shape[dim]))

    def __getitem__(self, index: Any) -> "Tensor":
        index = index if isinstance(index, tuple) else (index,)
        if isinstance(self._data, (list, tuple)) and len(index) == 1 and isinstance(index[0], _int):
            return self._like(self.shape[1:], self._strides[1:], data=self._data[index[0]])
        shape: List[int] = []
        strides: List[int] = []
        mode = 0
        named = sum(1 for each in index if each is not None and each is not Ellipsis)
        for each in index:
            if each is None:
                shape.append(1)
                strides.append(0)
                continue
            if each is Ellipsis:
                end = mode + self.ndim - named
                shape += self.shape[mode:end]
                strides += self._strides[mode:end]
                mode = end
                continue
            if isinstance(each, slice):
                start, stop, step = each.indices(self.shape[mode])
                shape.append(_max(0, (stop - start + step - 1) // step))
                strides.append(self._strides[mode] * step)
            elif isinstance(each, Tensor) and each.ndim:
                shape += each.shape
                strides += each._strides
            elif isinstance(each, list):
                shape.append(len(each))
                strides.append(1)
            mode += 1
        return self._like([*shape, *self.shape[mode:]], [*strides, *self._strides[mode:]])

    # ---- values

    def __setitem__(self, index: Any, value: Any) -> None:
        self._data = self._fill = None

    def item(self) -> Any:
        value = self._data
        while isinstance(value, (list, tuple)) and value:
            value = value[0]
        if isinstance(value, (_int, _float)):
            return value
        return 0 if self._fill is None else self._fill

    def tolist(self) -> Any:
        if self._data is not None:
            return self._data

        def filled(shape: Sequence[int]) -> Any:
            return (self._fill or 0) if not shape else [filled(shape[1:]) for _ in range(shape[0])]
        return filled(self.shape)

    def numpy(self, *_: Any, **__: Any) -> "Tensor":
        return self

    def __int__(self) -> int:
        return _int(self.item())

    __index__ = __int__

    def __float__(self) -> float:
        return _float(self.item())

    def __bool__(self) -> bool:
        return self._data is not False  # checks of results pass: there are none

    def __format__(self, form: str) -> str:
        return format(_float(self.item()), form) if form else repr(self)

    def isnan(self) -> "Tensor":
        return self._like(dtype=DTYPES["bool"], data=False)

    isinf = isnan

    def _truth(self, *_: Any, **__: Any) -> "Tensor":
        return self._like([], dtype=DTYPES["bool"], data=self._data)

    any = all = _truth

    def count_nonzero(self, *_: Any, **__: Any) -> "Tensor":
        return self._like([], dtype=DTYPES["int64"], data=0)

    def is_floating_point(self) -> _bool:
        return self.dtype.is_floating_point

    def _same_shape(self, *_: Any, **__: Any) -> "Tensor":
        made = self._like()
        made._fill = None
        return made

    abs = exp = exp2 = log = log2 = sqrt = rsqrt = clamp = softmax = masked_fill = tril = triu = nan_to_num = relu = sigmoid = tanh = neg \
        = round = floor = ceil = square = reciprocal = flip = roll = scatter = where = _same_shape

    def fill_(self, value: Any) -> "Tensor":
        self._data, self._fill = None, _number(value)
        return self

    def zero_(self) -> "Tensor":
        return self.fill_(0)

    def copy_(self, other: Any, *_: Any, **__: Any) -> "Tensor":
        self._data = other._data if isinstance(other, Tensor) and other.shape == self.shape else None
        self._fill = other._fill if isinstance(other, Tensor) else None
        return self

    # ---- arithmetic: shapes, and constants

    def _binary(self, other: Any = None, *_: Any, **__: Any) -> "Tensor":
        return broadcast(self, other)

    __pow__ = __rpow__ = __iadd__ = __imul__ = __isub__ = __itruediv__ = _binary
    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = _binary
    __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = __divmod__ = _binary
    maximum = minimum = _binary

    # There are no results to check. What a check hopes for is true: a == b and a < b, and neither a != b nor a > b.
    def _hoped(self, other: Any) -> "Tensor":
        return broadcast(self, other)._like(dtype=DTYPES["bool"], data=True)

    def _not_hoped(self, other: Any) -> "Tensor":
        return broadcast(self, other)._like(dtype=DTYPES["bool"], data=False)

    __eq__ = __lt__ = __le__ = eq = lt = le = _hoped  # type: ignore[assignment]
    __ne__ = __gt__ = __ge__ = ne = gt = ge = _not_hoped  # type: ignore[assignment]

    def __neg__(self) -> "Tensor":
        return self._like()

    __invert__ = __abs__ = __neg__

    def __matmul__(self, other: "Tensor") -> "Tensor":
        return self._like([*self.shape[:-1], other.shape[-1]])

    matmul = mm = bmm = __matmul__

    def _reduce(self, dim: Any = None, keepdim: bool = False, **_: Any) -> "Tensor":
        if dim is None:
            return self._like([])
        modes = [each % self.ndim for each in (dim if isinstance(dim, (tuple, list)) else [dim])]
        return self._like([1 if i in modes else size for i, size in enumerate(self.shape) if keepdim or i not in modes])

    mean = amax = amin = _reduce

    def sum(self, dim: Any = None, keepdim: bool = False, **_: Any) -> "Tensor":
        made = self._reduce(dim, keepdim)
        if self._fill is not None:
            made._fill = self._fill * (self.numel() // _max(made.numel(), 1))
        elif dim is None and self._data is not None:
            made._data = sum(_flat(self._data))
        return made

    def _reduce_unknown(self, dim: Any = None, keepdim: bool = False, **_: Any) -> "Tensor":
        made = self._reduce(dim, keepdim)
        made._fill = None
        return made

    prod = norm = logsumexp = std = var = nansum = _reduce_unknown

    def cumsum(self, dim: int = 0, **named: Any) -> "Tensor":
        made = self._same_shape()
        if named.get("dtype") is not None:
            made = made.to(named["dtype"])
        if self.ndim == 1 and self._data is not None:
            made._data = list(itertools.accumulate(self._data))
        return made

    def argmax(self, dim: Any = None, keepdim: bool = False) -> "Tensor":
        return self._reduce(dim, keepdim).long()

    argmin = argmax

    def _extreme(self, pick: Callable[[Any], Any], dim: Any, keepdim: bool) -> Any:
        if dim is None:
            return self._like([], data=None if self._data is None else pick(_flat(self._data)))
        if isinstance(dim, Tensor):
            return broadcast(self, dim)
        values = self._reduce(dim, keepdim)
        return ValuesIndices((values, values.long()))

    def max(self, dim: Any = None, keepdim: bool = False, **_: Any) -> Any:
        return self._extreme(_max, dim, keepdim)

    def min(self, dim: Any = None, keepdim: bool = False, **_: Any) -> Any:
        return self._extreme(_min, dim, keepdim)

    def topk(self, k: int, dim: int = -1, *_: Any, **__: Any) -> ValuesIndices:
        values = self.narrow(dim, 0, k).contiguous()
        return ValuesIndices((values, values.long()))

    def sort(self, *_: Any, **__: Any) -> ValuesIndices:
        return ValuesIndices((self._like(), self._like().long()))

    def gather(self, dim: int, index: "Tensor", **_: Any) -> "Tensor":
        return self._like(index.shape)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)

        def method(*arguments: Any, **named: Any) -> "Tensor":
            if name.endswith("_"):  # changes its elements
                self._data = self._fill = None
                return self
            guess("Tensor." + name)
            return self._like()
        return method


def broadcast(first: Tensor, second: Any) -> Tensor:
    """The shape of an operation on both."""
    made = first._like()
    if isinstance(second, Tensor):
        rank = _max(first.ndim, second.ndim)
        mine, its = ([1] * (rank - each.ndim) + list(each.shape) for each in (first, second))
        shape = [other if size == 1 else size for size, other in zip(mine, its)]
        if shape != list(first.shape):
            made = first._like(shape)
    made._fill = None
    made._handed = first._handed or isinstance(second, Tensor) and second._handed
    return made


def _arithmetic(compute: Callable[[Any, Any], Any], swapped: bool) -> Callable[[Tensor, Any], Tensor]:
    """A constant tensor stays one: torch.ones(b) * n."""
    def operation(self: Tensor, other: Any) -> Tensor:
        made = broadcast(self, other)
        mine, its = self._fill, other._fill if isinstance(other, Tensor) else _number(other)
        if mine is not None and its is not None and not made._handed:
            try:
                made._fill = compute(its, mine) if swapped else compute(mine, its)
            except ArithmeticError:
                pass
        return made
    return operation


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod"):
    setattr(Tensor, f"__{_name}__", _arithmetic(getattr(operator, _name), False))
    setattr(Tensor, f"__r{_name}__", _arithmetic(getattr(operator, _name), True))


def _tensor_like(arguments: tuple, named: dict) -> Optional[Tensor]:
    return next((each._like() for each in (*arguments, *named.values()) if isinstance(each, Tensor)), None)


_blank.tensor_like = _tensor_like
