# SPDX-License-Identifier: BSD-3-Clause
"""Stands in for a GPU: CUDA's functions answer, kernels are traced and then neither compiled nor run."""
from __future__ import annotations

import os
import re
import sys
from typing import Any, Iterator, List

_SHARED_MEMORY = 232448  # bytes a block may have
_CUDA_VERSION = 13000
# What programs of several GPUs ask of their environment; a person's own values stay.
_ENVIRONMENT = {"RANK": "0", "LOCAL_RANK": "0", "WORLD_SIZE": "2", "LOCAL_WORLD_SIZE": "2", "MASTER_ADDR": "localhost", "MASTER_PORT": "1"}
KERNELS: List[str] = []  # functions that would have been compiled


def guess_arch(text: str) -> str:
    """The architecture that a source is for, by the words in it and in its path."""
    if re.search(r"sm_?120|geforce", text):
        return "sm_120a"
    if re.search(r"sm_?103", text):
        return "sm_103a"
    if re.search(r"tcgen05|sm_?100|[Bb]lackwell", text):
        return "sm_100a"
    if re.search(r"warpgroup|wgmma|/hopper/|sm_?90|CopyBulkTensor", text):
        return "sm_90a"
    return "sm_80"


def capability(arch: str) -> List[int]:
    """"sm_90a" -> [9, 0]."""
    found = re.match(r"sm_(\d+)(\d)", arch)
    return [int(found[1]), int(found[2])] if found else [9, 0]


def set_environment(arch: str, text: str) -> List[str]:
    """Before the DSL is imported. `text` is the program's; what was made up for it, in words."""
    os.environ["CUTE_DSL_ARCH"] = arch
    os.environ.setdefault("CUTE_DSL_DISABLE_FILE_CACHING", "1")
    os.environ["CUTE_DSL_FILTER_STACKTRACE"] = "0"
    if not re.search(r"RANK|WORLD_SIZE|torch\.distributed|torchrun", text):
        return []
    missing = {name: value for name, value in _ENVIRONMENT.items() if name not in os.environ}
    os.environ.update(missing)
    return [f"{name}={value}" for name, value in missing.items()]


class Inert:
    """What compiling gives: may be called, and runs nothing."""

    def __call__(self, *arguments: Any, **named: Any) -> None:
        return None

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _InertPart()

    def to(self, *_: Any) -> "Inert":
        return self

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> Iterator[Any]:
        return iter(())


class _InertPart(Inert):
    """What compiled code says of itself: nothing and zero, however it is asked."""

    def __int__(self) -> int:
        return 0

    __index__ = __int__

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return _InertPart()


def _no_compile(self: Any, module: Any, module_hash: Any, function_name: Any, *_: Any, **__: Any) -> Inert:
    KERNELS.append(str(function_name))
    return Inert()


def _replace_compiling(of: type) -> None:
    if "compile_and_cache" in of.__dict__:
        of.compile_and_cache = _no_compile  # type: ignore[attr-defined]
    for each in of.__subclasses__():
        _replace_compiling(each)


class _Cuda:
    """Answers for cuda.bindings: every function succeeds."""

    def __init__(self, arch: str, multiprocessors: int) -> None:
        self._capability = capability(arch)
        self._multiprocessors = multiprocessors

    def _value(self, function: str, arguments: tuple) -> int:
        if "Version" in function:
            return _CUDA_VERSION
        if "Count" in function:
            return 1
        if "Attribute" not in function:
            return 0
        name = str(getattr(arguments[0] if arguments else "", "name", "")).upper()
        for part, value in (("CAPABILITY_MAJOR", self._capability[0]), ("CAPABILITY_MINOR", self._capability[1]),
                            ("MULTIPROCESSOR_COUNT", self._multiprocessors), ("SHARED", _SHARED_MEMORY)):
            if part in name:
                return value
        return 1

    def replace(self, module: Any, success: Any) -> None:
        for name in dir(module):
            if re.match(r"(cu|cuda)[A-Z]\w*$", name) and callable(getattr(module, name)) and not isinstance(getattr(module, name), type):
                setattr(module, name, lambda *arguments, _name=name, **__: (success, self._value(_name, arguments)))


def _replace_benchmarks(multiprocessors: int) -> None:
    for name in ("cutlass.cute.testing", "cutlass.testing"):
        try:
            module: Any = __import__(name, fromlist=["benchmark"])
        except ImportError:
            continue
        module.benchmark = module._benchmark_for_autotune = lambda *_, **__: 1.0  # microseconds
        if hasattr(module, "convert"):
            module.convert = lambda *_, **__: None
    hardware = getattr(sys.modules.get("cutlass.utils"), "HardwareInfo", None)
    if hardware is not None:
        hardware.__init__ = lambda self, device_id=0: setattr(self, "device_id", device_id)
        hardware.get_max_active_clusters = lambda self, cluster_size, *_, **__: multiprocessors // cluster_size
        hardware.get_device_multiprocessor_count = lambda self: multiprocessors
        hardware.get_l2_cache_size_in_bytes = lambda self: 50 << 20


def stand_in(arch: str) -> None:
    """After the DSL and torch's stand-in were imported. Parts of the DSL that this one does not have are passed over."""
    multiprocessors = 148 if capability(arch)[0] >= 10 else 132
    modules = sys.modules.get("torch._modules")
    if modules is not None:
        modules.CAPABILITY[:] = capability(arch)  # type: ignore[attr-defined]
        modules.MULTIPROCESSORS[:] = [multiprocessors]  # type: ignore[attr-defined]
    try:
        from cuda.bindings import driver, runtime
        cuda = _Cuda(arch, multiprocessors)
        cuda.replace(driver, driver.CUresult.CUDA_SUCCESS)
        cuda.replace(runtime, runtime.cudaError_t.cudaSuccess)
    except (ImportError, AttributeError):
        pass
    try:
        from cutlass.base_dsl.dsl import BaseDSL
        _replace_compiling(BaseDSL)
    except (ImportError, AttributeError):
        pass
    try:
        from cuda import pathfinder
        pathfinder.load_nvidia_dynamic_lib = lambda name: Inert()
    except ImportError:
        pass
    _replace_benchmarks(multiprocessors)
