# SPDX-License-Identifier: BSD-3-Clause
"""The file that is written: JSON lines, each in one write, so that what was collected is there when the program dies at once."""
from __future__ import annotations

import hashlib
import json
import os
import re
import time
from typing import Any, Dict, List, Set, Tuple


def one_line(value: Any) -> bytes:
    """JSON in one line of UTF-8. Half a surrogate pair, which UTF-8 cannot hold, is spelled: \\udc80."""
    text = re.sub("[\ud800-\udfff]", lambda half: f"\\\\u{ord(half[0]):04x}", json.dumps(value, ensure_ascii=False))
    return text.encode("utf-8") + b"\n"


def sha256_of(path: str) -> str:
    """Of a file's bytes, in hex; empty where it cannot be read."""
    try:
        with open(path, "rb") as source:
            return hashlib.sha256(source.read()).hexdigest()
    except OSError:
        return ""


def _identity(descriptor: int) -> Tuple[int, int]:
    status = os.fstat(descriptor)
    return status.st_dev, status.st_ino


class TraceFile:
    """Rows are written once each; those beyond `most_rows` are counted. A forked child's are not written: it has the same file.
    `began`: the time.monotonic() from which the trace's seconds are counted."""

    def __init__(self, path: str, by: str, arch: str, most_rows: int, began: float) -> None:
        self._path = os.path.abspath(path)
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND | os.O_CLOEXEC, 0o666)
        self._identity = _identity(self._file)
        self._process = os.getpid()
        self._began = began
        self._most_rows = most_rows
        self._seen: Set[int] = set()
        self.rows = 0
        self.dropped = 0
        self.errors: List[str] = []
        self._write({"tessera_trace": 1, "by": by, "arch": arch})

    def add_file(self, name: str, path: str) -> None:
        """A source, as its person wrote its name. Rows name it by its number, in the order of the calls, from 0."""
        self._write({"file": name, "sha256": sha256_of(path)})

    def add_row(self, row: Dict[str, Any]) -> None:
        """A row, unless the same one was written before."""
        line = one_line(row)
        key = hash(line)
        if key in self._seen:
            return
        self._seen.add(key)
        if self.rows >= self._most_rows:
            self.dropped += 1
            return
        self.rows += 1
        self._write_bytes(line)

    def end(self, guessed: List[str]) -> None:
        """The last line: the trace is whole. `guessed`: what stood in for things that are not here."""
        self._write({"end": True, "rows": self.rows, "dropped": self.dropped, "errors": self.errors, "guessed": guessed,
                     "seconds": round(time.monotonic() - self._began, 2)})

    def is_ours(self) -> bool:
        """Whether this process opened the file; a forked child did not."""
        return os.getpid() == self._process

    def _write(self, value: Any) -> None:
        self._write_bytes(one_line(value))

    def _write_bytes(self, line: bytes) -> None:
        if not self.is_ours():
            return
        try:
            self._check_open()
            while line:
                line = line[os.write(self._file, line):]
        except OSError:
            pass  # a full disk must not fail the program; a trace without an end is known as such

    def _check_open(self) -> None:
        """The program may have closed all descriptors, and got ours for a file of its own."""
        try:
            if _identity(self._file) == self._identity:
                return
        except OSError:
            pass
        self._file = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC)
        self._identity = _identity(self._file)
