# SPDX-License-Identifier: BSD-3-Clause
"""torch's modules, and those of other packages that need a GPU or stand beside it: each answers anything, and some answer well."""
from __future__ import annotations

import functools
import importlib.abc
import importlib.machinery
import os
import sys
import types
from typing import Any, Callable, Dict

from . import _make
from ._blank import Blank, module_answer
from ._tensor import Tensor, shape_of
from ._types import DTYPES, device

# Set by who runs the program, before it does.
CAPABILITY = [9, 0]
MULTIPROCESSORS = [132]
_MEMORY = 80 << 30            # bytes
_SHARED_MEMORY = 232448       # bytes
_OF_OTHERS = ("triton", "tvm_ffi", "nvshmem")  # packages


class Nothing:
    """A context, a decorator and a stream: does nothing."""
    cuda_stream = 0
    cuda_event = 1

    def __init__(self, *_: Any, **__: Any) -> None:
        self.device = device("cuda")

    def __enter__(self) -> "Nothing":
        return self

    def __exit__(self, *error: Any) -> bool:
        return False

    def __call__(self, function: Any) -> Any:
        return function

    def _pass(self, *_: Any, **__: Any) -> None:
        return None

    record = synchronize = wait = wait_stream = wait_event = record_event = _pass

    def elapsed_time(self, *_: Any) -> float:
        return 1.0  # milliseconds

    def query(self) -> bool:
        return True


class Module:
    """torch.nn.Module, for what only keeps its parameters."""

    def __init__(self, *_: Any, **__: Any) -> None:
        pass

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self.forward(*arguments, **named)  # type: ignore[attr-defined]

    def to(self, *_: Any, **__: Any) -> "Module":
        return self

    cuda = eval = train = to


def _nothing(*_: Any, **__: Any) -> None:
    return None


def _world() -> int:
    return int(os.environ.get("WORLD_SIZE", "1"))


def _properties(*_: Any) -> Any:
    return types.SimpleNamespace(multi_processor_count=MULTIPROCESSORS[0], major=CAPABILITY[0], minor=CAPABILITY[1], name="stand-in GPU",
                                 L2_cache_size=50 << 20, total_memory=_MEMORY, shared_memory_per_block_optin=_SHARED_MEMORY,
                                 max_threads_per_multi_processor=2048, warp_size=32)


def _cuda(module: Any) -> None:
    module.is_available = lambda: True
    module.device_count = lambda: 1
    module.current_device = lambda: 0
    module.get_device_capability = lambda *_: tuple(CAPABILITY)
    module.get_device_properties = _properties
    module.get_device_name = lambda *_: "stand-in GPU"
    module.mem_get_info = lambda *_: (_MEMORY, _MEMORY)
    module.synchronize = module.set_device = module.empty_cache = module.init = _nothing
    module.Stream = module.stream = module.Event = Nothing
    module.current_stream = module.default_stream = lambda *_: Nothing()
    module.device = device
    module.OutOfMemoryError = type("OutOfMemoryError", (RuntimeError,), {})


def _distributed(module: Any) -> None:
    module.get_rank = lambda *_: 0
    module.get_world_size = lambda *_: _world()
    module.is_initialized = module.is_available = lambda: True


class _Handle(Blank):
    """Of symmetric memory, as the first process has it."""
    rank = 0
    multicast_ptr = 0x7E00_0000_0000

    def __init__(self) -> None:
        super().__init__("torch.distributed._symmetric_memory.handle")
        ranks = _world()
        object.__setattr__(self, "world_size", ranks)
        for name in ("buffer_ptrs", "signal_pad_ptrs"):
            object.__setattr__(self, name, [0x7D00_0000_0000 + (i << 32) for i in range(ranks)])

    def get_buffer(self, rank: int, sizes: Any, dtype: Any, *_: Any) -> Tensor:
        return Tensor(sizes, dtype, "cuda")

    get_remote_tensor = get_buffer

    def get_signal_pad(self, *_: Any, **__: Any) -> Tensor:
        return Tensor((1024,), DTYPES["int32"], "cuda")


def _symmetric_memory(module: Any) -> None:
    module.empty = _make.empty
    module.is_nvshmem_available = lambda: False
    module.rendezvous = lambda *_, **__: _Handle()


def _testing(module: Any) -> None:
    module.assert_close = module.assert_allclose = _nothing


def _nn(module: Any) -> None:
    module.Module = Module
    module.Parameter = lambda data=None, *_, **__: data


def _c10d(module: Any) -> None:
    module._SymmetricMemory = type("_SymmetricMemory", (), {"has_multicast_support": staticmethod(lambda *_: True)})


def _tvm_ffi(module: Any) -> None:
    module.from_dlpack = lambda tensor, *_, **__: tensor
    module.__version__ = "0.1.0"


def _nvshmem(module: Any) -> None:
    module.tensor = module.array = lambda sizes, dtype=None, **_: Tensor(shape_of((sizes,)), dtype, "cuda")
    module.get_peer_tensor = module.get_multicast_tensor = lambda *arguments, **_: next(
        (each for each in arguments if isinstance(each, Tensor)), Blank("nvshmem.core.tensor"))
    module.free_tensor = _nothing


def _autograd(module: Any) -> None:
    class Function:
        """Runs its forward, and keeps nothing for a backward."""

        @classmethod
        def apply(cls, *arguments: Any) -> Any:
            return cls.forward(Blank("torch.autograd.Function.ctx"), *arguments)  # type: ignore[attr-defined]
    module.Function = Function


class _CustomOperation:
    """A function that torch was to know: is called as it is."""

    def __init__(self, function: Any) -> None:
        self._function = function
        functools.update_wrapper(self, function)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self._function(*arguments, **named)

    def _registered(self, *functions: Any, **_: Any) -> Any:
        return functions[0] if functions and callable(functions[0]) else lambda function: function

    register_fake = register_kernel = register_autograd = register_vmap = register_torch_dispatch = _registered


def _library(module: Any) -> None:
    def custom_op(name: str, function: Any = None, **_: Any) -> Any:
        return _CustomOperation if function is None else _CustomOperation(function)
    module.custom_op = custom_op
    module.register_fake = module.register_kernel = module.register_autograd = lambda *_, **__: lambda function: function


_FILL: Dict[str, Callable[[Any], None]] = {
    "torch.cuda": _cuda, "torch.distributed": _distributed, "torch.distributed._symmetric_memory": _symmetric_memory,
    "torch.testing": _testing, "torch.nn": _nn, "torch._C._distributed_c10d": _c10d, "torch.autograd": _autograd, "tvm_ffi": _tvm_ffi,
    "nvshmem.core": _nvshmem, "torch.library": _library,
}


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds every module below torch, and those of the packages that are stood in for."""

    def find_spec(self, name: str, path: Any, target: Any = None) -> Any:
        if name.startswith("torch.") or name.split(".")[0] in _OF_OTHERS or name == "cuda.core" or name.startswith("cuda.core."):
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec: Any) -> Any:
        return None

    def exec_module(self, module: Any) -> None:
        module.__getattr__ = module_answer(module.__name__)
        module.__path__ = []
        module.__file__ = f"<stand-in for {module.__name__}>"
        _FILL.get(module.__name__, _nothing)(module)


def install() -> None:
    # Before the path's: these packages may be there, and cannot do without a GPU. torch's own modules are found before.
    sys.meta_path.insert(0, Finder())
