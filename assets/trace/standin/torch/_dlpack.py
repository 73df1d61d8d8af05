# SPDX-License-Identifier: BSD-3-Clause
"""A capsule of DLPack, made by hand: the DSL reads shapes, strides and types from it as from any tensor's. Its address is made up."""
from __future__ import annotations

import ctypes
from typing import Any, List, Sequence, Tuple

_CUDA = 2  # DLPack's number of the device


class _ManagedTensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32), ("ndim", ctypes.c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("byte_offset", ctypes.c_uint64), ("manager_ctx", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype = ctypes.py_object
_new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
_kept: List[Tuple[Any, ...]] = []  # what capsules point to lives as long as the program

DEVICE = (_CUDA, 0)


def capsule(address: int, code: int, bits: int, lanes: int, shape: Sequence[int], strides: Sequence[int]) -> Any:
    """Of a tensor in the memory of the first GPU; strides in elements."""
    count = max(len(shape), 1)
    sizes, steps = (ctypes.c_int64 * count)(*shape), (ctypes.c_int64 * count)(*strides)
    made = _ManagedTensor(data=address, device_type=_CUDA, device_id=0, ndim=len(shape), code=code, bits=bits, lanes=lanes,
                          shape=ctypes.cast(sizes, ctypes.POINTER(ctypes.c_int64)),
                          strides=ctypes.cast(steps, ctypes.POINTER(ctypes.c_int64)), byte_offset=0, manager_ctx=None, deleter=None)
    _kept.append((made, sizes, steps))
    return _new_capsule(ctypes.addressof(made), b"dltensor", None)
