# SPDX-License-Identifier: BSD-3-Clause
"""A torch without elements and without CUDA, for `tessera trace`. Tensors know their shapes, strides, types and devices, and hand them to
the DSL by DLPack. Functions that it does not know give a tensor like their first one, and are remembered (_blank.GUESSED)."""
from __future__ import annotations

import math as _math
import re as _re
import sys as _sys
from typing import Any as _Any

from . import _modules
from ._blank import Blank, blank as _blank_of
from ._make import *  # noqa: F401,F403
from ._make import empty as _empty
from ._modules import Nothing as _Nothing
from ._tensor import Tensor
from ._types import DTYPES as _DTYPES, Size, device, dtype, finfo, iinfo

__version__ = "2.9.0+standin"
inf, nan, pi = float("inf"), float("nan"), _math.pi
strided = Tensor.layout
no_grad = inference_mode = enable_grad = set_grad_enabled = _Nothing
Stream = Event = _Nothing
FloatTensor = IntTensor = LongTensor = HalfTensor = Tensor
OutOfMemoryError = type("OutOfMemoryError", (RuntimeError,), {})


class _Named(Blank):
    """A name of torch that is not known: of a tensor it is called as the tensor's method, and it may be a module."""

    def __init__(self, name: str) -> None:
        super().__init__("torch." + name)
        object.__setattr__(self, "_method", name)

    def __call__(self, *arguments: _Any, **named: _Any) -> _Any:
        if arguments and isinstance(arguments[0], Tensor):
            return getattr(arguments[0], self._method)(*arguments[1:], **named)
        return super().__call__(*arguments, **named)


class Generator(Blank):
    """Of random numbers, of which there are none."""

    def __init__(self, *_: _Any, **__: _Any) -> None:
        super().__init__("torch.Generator")


def manual_seed(*_: _Any) -> Generator:
    return Generator()


def compile(function: _Any = None, **_: _Any) -> _Any:
    return function if function is not None else lambda inner: inner


def set_default_device(*_: _Any) -> None:
    return None


set_default_dtype = set_printoptions = set_float32_matmul_precision = set_default_device


def get_default_dtype() -> dtype:
    return _DTYPES["float32"]


def __getattr__(name: str) -> _Any:
    # Types that this torch does not have are missed, as a torch of another version would miss them.
    if name.startswith("__") or _re.match(r"(tfloat|float|bfloat|int|uint|boolean|complex)\d*(e\d|$|_)", name):
        raise AttributeError(f"module 'torch' has no attribute '{name}'")
    return _blank_of("torch." + name) if name[:1].isupper() else _Named(name)


for _class in (Tensor, dtype, device, Size):  # adapters of other packages know them by these names
    _class.__module__ = "torch"
_modules.install()
import torch._C  # noqa: E402
import torch._C._distributed_c10d  # noqa: E402
import torch.autograd  # noqa: E402
import torch.cuda  # noqa: E402
import torch.distributed  # noqa: E402
import torch.library  # noqa: E402
import torch.nn  # noqa: E402
import torch.nn.functional  # noqa: E402
import torch.testing  # noqa: E402

globals().update(_DTYPES)
