# SPDX-License-Identifier: BSD-3-Clause
"""Counts the names that Python files bind, by Python's own ast, and asks `tessera explain --json` what became of each.

accounts.py TESSERA FILE ...     every name of an assignment has an entry at its line, or this fails and names those that have none"""
import ast, collections, json, os, subprocess, sys, tempfile, time

# What people write, in ways that readers lose: the text of a file is part of the check.
SAMPLE = '''"""A docstring with auto x; and a fence
```python
inside = 1
```
"""
import math as m, os
from typing import (Dict as D,
                    List)
namespace: str = "a"
default = {"k": [1, 2]}
a, _, (b, *c) = 1, 2, (3, 4, 5)
(
    first,
    second,
) = unknown.function(a)
x = [1, 2]
x[0], y = 4, 5
z: D[str, List[int]] = {}
o = torch.matmul(a, b)
def f(self, s: int = 3) -> int:
    g = ((s // 2), 4)
    t = "an open ( bracket"
    if s: u = 3
    for i, (j, k) in enumerate(x):
        w = i + j
        w += 1
    return g
class C:
    field: int = 3
    other = cute.make_layout((8, 4),
                             stride=(4, 1))
'''


def bound_names(source):
    """[(line, name)] of assignments, in any block."""
    found = []
    for node in ast.walk(ast.parse(source)):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, (ast.AugAssign, ast.AnnAssign)) else []
        if isinstance(node, ast.AnnAssign) and node.value is None:
            continue
        for target in targets:
            found += [(node.lineno, each.id) for each in ast.walk(target) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)]
    return found


def main():
    tessera, files = sys.argv[1], sys.argv[2:]
    names = missing = 0
    longest = 0.0
    with tempfile.TemporaryDirectory() as folder:
        sample = os.path.join(folder, 'sample.py')
        open(sample, 'w').write(SAMPLE)
        for file in [sample] + files:
            began = time.monotonic()
            ran = subprocess.run([tessera, 'explain', file, '--json'], capture_output=True, text=True)
            longest = max(longest, time.monotonic() - began)
            entries = collections.defaultdict(set)
            for entry in json.loads(ran.stdout)['account']:
                entries[entry['line']] |= set(entry.get('names', []))
            for line, name in bound_names(open(file).read()):
                names += 1
                if name != '_' and name not in entries[line]:
                    missing += 1
                    print(f'{os.path.basename(file)}:{line}: {name} is not accounted for')
    print(f'{len(files) + 1} files, {names} names, {missing} not accounted for; {longest:.2f} s for the slowest file')
    return 1 if missing or not names else 0


sys.exit(main())
