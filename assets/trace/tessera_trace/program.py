# SPDX-License-Identifier: BSD-3-Clause
"""Runs the program as Python would, and ends the trace with what it ran into."""
from __future__ import annotations

import argparse
import os
import re
import resource
import runpy
import sys
import time
import traceback
from typing import Any, Dict, List, Optional, Tuple

from . import device
from .collector import Collector
from .kinds import Kinds
from .places import Places
from .trace_file import TraceFile, one_line

_LONGEST_ERROR = 600  # characters
_MISSING_DSL = 3      # exit code


class Source:
    """A file that rows are of: its name as its person wrote it, and where it is."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.path = os.path.realpath(name)
        self._places: Optional[Places] = None

    def text(self) -> str:
        try:
            with open(self.path, encoding="utf-8", errors="replace") as file:
                return file.read()
        except OSError:
            return ""

    def places(self) -> Places:
        if self._places is None:
            self._places = Places(self.text())
        return self._places


def sources_of(names: List[str]) -> List[Source]:
    """The named files; of a folder all files of Python in it and below, in the order of their names."""
    found: List[Source] = []
    for name in names:
        if not os.path.isdir(name):
            found.append(Source(name))
            continue
        for folder, folders, files in os.walk(name):
            folders.sort()
            found += [Source(os.path.join(folder, file)) for file in sorted(files) if file.endswith(".py")]
    unique: Dict[str, Source] = {}
    for source in found:
        unique.setdefault(source.path, source)
    return list(unique.values())


def error_words(error: BaseException, sources: List[Source]) -> str:
    """"TypeError: ... at line 12": the line is the last one that was reached in a watched source."""
    words = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    words = re.sub(r"\s+", " ", words).strip()[:_LONGEST_ERROR]
    frames = traceback.extract_tb(error.__traceback__)
    paths = [source.path for source in sources]
    mine = [frame for frame in frames if os.path.realpath(frame.filename) in paths]
    name = type(error).__name__
    if isinstance(error, SyntaxError) and error.lineno and os.path.realpath(error.filename or "") in paths:
        return f"{name}: {words}"
    at = f" at line {mine[-1].lineno}" if mine else ""
    if mine and len(paths) > 1:
        at += f" of {os.path.basename(mine[-1].filename)}"
    if frames and (not mine or frames[-1] is not mine[-1]):
        at += f" (in {os.path.basename(frames[-1].filename)}, line {frames[-1].lineno})"
    return f"{name}{': ' if words else ''}{words}{at}"


def exit_words(leaving: SystemExit) -> Optional[str]:
    """Nothing where the program left as one that is done."""
    if leaving.code in (None, 0):
        return None
    return f"SystemExit: {str(leaving.code)[:_LONGEST_ERROR]}"


class Reports:
    """Lines of JSON to who started this process, on what was its stdout. The program's own output goes to stderr."""

    def __init__(self) -> None:
        sys.stdout.flush()
        self._to = os.dup(1)
        os.dup2(2, 1)
        null = os.open(os.devnull, os.O_RDONLY)
        os.dup2(null, 0)
        os.close(null)

    def say(self, **what: Any) -> None:
        try:
            os.write(self._to, one_line(what))
        except OSError:
            pass  # who started it has gone

    def hand_back(self) -> None:
        """stdout is again what it was, for a program that takes this one's place."""
        os.dup2(self._to, 1)


def limit_memory(size: int) -> None:
    """Of the address space, in bytes; 0: none. A limit that is lower already stays."""
    if size <= 0:
        return
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    if most == resource.RLIM_INFINITY or most > size:
        resource.setrlimit(resource.RLIMIT_AS, (size, size))


def import_dsl(standin: str) -> Tuple[Any, Optional[str]]:
    """The DSL, and why it could not be imported. torch is the stand-in from here on."""
    sys.path.insert(1, standin)
    try:
        import torch  # noqa: F401
        import cutlass
        import cutlass.cute  # noqa: F401
        import cutlass.utils  # noqa: F401
    except ImportError as error:
        return None, f"{type(error).__name__}: {error}"
    return cutlass, None


def run_program(target: argparse.Namespace, sources: List[Source], collector: Collector) -> Optional[BaseException]:
    """Runs it as __main__, with its arguments; what it raised."""
    sys.argv = [target.module or target.file, *target.arguments]
    try:
        collector.start()
        if target.module:
            runpy.run_module(target.module, run_name="__main__", alter_sys=True)
        else:
            runpy.run_path(target.file, run_name="__main__")
    except BaseException as error:  # all that a program can raise
        return error
    finally:
        collector.stop()
    return None


def trace(target: argparse.Namespace, reports: Reports) -> int:
    """The exit code: 0, or 3 where there is no DSL. What the program ran into stands in the trace."""
    began = time.monotonic()
    sources = sources_of(target.of or ([target.file] if target.file else []))
    text = "\n".join(source.path + "\n" + source.text() for source in sources)
    arch = target.arch or device.guess_arch(text)
    made_up = device.set_environment(arch, text) + ([] if target.arch else [f"the architecture {arch}"])
    sys.path[0] = os.getcwd() if target.module else os.path.dirname(os.path.realpath(target.file))
    cutlass, missing = import_dsl(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "standin"))
    sys.dont_write_bytecode = target.keeps_no_bytecode
    if missing is not None:
        reports.say(missing=missing)
        return _MISSING_DSL
    device.stand_in(arch)
    limit_memory(target.limit_bytes)
    written = TraceFile(target.out, f"nvidia-cutlass-dsl {getattr(cutlass, '__version__', '?')}", arch, target.rows, began)
    numbers = {source.path: number for number, source in enumerate(sources)}
    for source in sources:
        written.add_file(source.name, source.path)

    def find(name: str) -> Optional[Tuple[int, Places]]:
        number = numbers.get(os.path.realpath(name))
        return None if number is None else (number, sources[number].places())

    folder = os.getcwd()
    reports.say(arch=arch)
    error = run_program(target, sources, Collector(written, Kinds(), find))
    if not written.is_ours():
        os._exit(0)  # a forked child that came back
    again = re.search(r"expects arch to be (sm_\w+)", str(error)) if error is not None and not target.arch else None
    if again is not None:
        reports.say(again=again[1])
        reports.hand_back()
        os.chdir(folder)  # the arguments may name files in it
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:2], "--arch", again[1], *sys.orig_argv[2:]])
    words = exit_words(error) if isinstance(error, SystemExit) else error_words(error, sources) if error is not None else None
    if words is not None:
        written.errors.append(words)
    blank: Any = sys.modules.get("torch._blank")
    calls = getattr(blank, "GUESSED", {})
    written.end(made_up + [name if times == 1 else f"{name} ({times} calls)" for name, times in sorted(calls.items())])
    reports.say(done=True)
    return 0


def main(arguments: List[str], keeps_no_bytecode: bool) -> int:
    """`keeps_no_bytecode`: as the program has it of sys.dont_write_bytecode."""
    parser = argparse.ArgumentParser(prog="trace")
    parser.add_argument("--out", required=True)
    parser.add_argument("--arch", default="")
    parser.add_argument("--rows", type=int, default=10000)
    parser.add_argument("--limit-bytes", type=int, default=0)
    parser.add_argument("--of", action="append")
    parser.add_argument("--module", default="")
    parser.add_argument("--file", default="")
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    target = parser.parse_args(arguments)
    target.keeps_no_bytecode = keeps_no_bytecode
    if target.arguments[:1] == ["--"]:
        target.arguments = target.arguments[1:]
    return trace(target, Reports())
