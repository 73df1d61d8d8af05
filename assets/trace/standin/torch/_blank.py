# SPDX-License-Identifier: BSD-3-Clause
"""What answers for a thing that this torch does not have: any attribute, any call. Each call by guess is said in the trace."""
from __future__ import annotations

import types
from typing import Any, Callable, Dict, Iterator, Optional

GUESSED: Dict[str, int] = {}  # name -> calls

# Gives a tensor like the first one among the arguments; set by _tensor.
tensor_like: Callable[[tuple, dict], Optional[Any]] = lambda arguments, named: None


def guess(name: str) -> None:
    GUESSED[name] = GUESSED.get(name, 0) + 1


class Blank:
    """Answers anything, and is false, empty and zero."""

    def __init__(self, name: str) -> None:
        object.__setattr__(self, "_name", name)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return blank(f"{self._name}.{name}")

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        if len(arguments) == 1 and isinstance(arguments[0], types.FunctionType) and not named:
            return arguments[0]  # as a decorator
        guess(self._name)
        like = tensor_like(arguments, named)
        return Blank(self._name + "()") if like is None else like

    def __enter__(self) -> "Blank":
        return self

    def __exit__(self, *error: Any) -> bool:
        return False

    def __iter__(self) -> Iterator[Any]:
        return iter(())

    def __bool__(self) -> bool:
        return False

    def __int__(self) -> int:
        return 0

    __index__ = __len__ = __int__

    def __float__(self) -> float:
        return 0.0

    def __getitem__(self, index: Any) -> "Blank":
        return Blank(self._name + "[]")

    def __setitem__(self, index: Any, value: Any) -> None:
        pass

    def __mro_entries__(self, bases: tuple) -> tuple:
        return (object,)

    def __format__(self, form: str) -> str:
        return "0"

    def __repr__(self) -> str:
        return f"<stand-in for {self._name}>"

    def _operator(self, *other: Any) -> "Blank":
        return self

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __or__ = __ror__ = __and__ = _operator

    def __lt__(self, other: Any) -> bool:
        return False

    __gt__ = __le__ = __ge__ = __lt__


class _BlankType(type):
    """Of stand-ins for classes: isinstance and subclasses work, attributes and instances are Blanks."""

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return blank(f"{cls.__module__}.{cls.__name__}.{name}")

    def __call__(cls, *arguments: Any, **named: Any) -> Any:
        if "_is_standin" in cls.__dict__:
            return Blank(f"{cls.__module__}.{cls.__name__}")(*arguments, **named)
        return super().__call__(*arguments, **named)


def blank(name: str) -> Any:
    """A stand-in of that name: a class where it begins with a capital letter, of errors where it is called one."""
    module, _, last = name.rpartition(".")
    if not last[:1].isupper() or last.isupper():
        return Blank(name)
    if last.endswith(("Error", "Exception", "Warning")):
        return type(last, (RuntimeError,), {"__module__": module})
    return _BlankType(last, (), {"__module__": module, "_is_standin": True})


def module_answer(module: str) -> Callable[[str], Any]:
    """A module's __getattr__."""
    def answer(name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return blank(f"{module}.{name}")
    return answer
