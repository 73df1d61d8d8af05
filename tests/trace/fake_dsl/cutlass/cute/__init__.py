# SPDX-License-Identifier: BSD-3-Clause
"""Objects that print their text."""


class _Printed:
    def __init__(self, text: str) -> None:
        self.text = text

    def __str__(self) -> str:
        return self.text


class Layout(_Printed):
    pass


class ComposedLayout(_Printed):
    pass


class Tensor(_Printed):
    pass


class Broken(Layout):
    """Cannot be printed."""

    def __str__(self) -> str:
        raise RuntimeError("no print")
