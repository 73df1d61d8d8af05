# SPDX-License-Identifier: BSD-3-Clause
"""As much of the CuTe DSL as a test of `tessera trace` needs: classes of the DSL's names that print what they were made of."""
import os

from . import cute, utils

__version__ = "0.0-fake"


def compile_for(arch: str) -> None:
    """Refuses every other architecture, in the DSL's words."""
    if os.environ.get("CUTE_DSL_ARCH") != arch:
        raise RuntimeError(f"expects arch to be {arch}, but got {os.environ.get('CUTE_DSL_ARCH')}")
