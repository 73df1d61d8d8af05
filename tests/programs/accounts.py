# SPDX-License-Identifier: BSD-3-Clause
"""Counts the names that files bind, apart from Tessera: Python's by its own ast, C++'s by a splitter that was written for this (cpp_names.py).
Then it asks `tessera explain --json` what became of each.

accounts.py TESSERA FILE ...     every name of an assignment has an entry at its line, or this fails and names those that have none"""
import ast, collections, json, os, subprocess, sys, tempfile, time

import cpp_names

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


# The same of C++.
CPP_SAMPLE = r'''#include <x>
namespace alias = other::place;
template <class A,  ///< A<B>
          int N = (4 > 3)>
struct Traits {
  static constexpr int kM = 64, kN{32};
  using Layout = decltype(make_layout(Shape<Int<kM>, _8>{}));
 public:
  Traits(int n) : a_{n}, b_(n) { c_ = n; }
  bool operator==(const Traits& o) const { bool same = a_ == o.a_; return same; }
};
__global__ __launch_bounds__(128) void
// a comment
kernel(float* p, int index = 0)  // another
{
  extern __shared__ __align__(1024) char raw[];
  auto [m, n] = shape(x);
  const int zk = z << k, yk = y < k ? 3 : 4;
  for (int i = 0; i < 4; ++i) { int inner = i; sum += inner; }
  if (m > 3) from = 1; else { to = 2; }
  auto f = [&](int q) { int inside = q; return inside; };
  const char* text = R"(a " ( b)";
  p->field = 3;
#if X
  int branch = 1;
#else
  int other = 2;
#endif
#if 0
  int never = 1;
#endif
  float last = 0.f;
}
'''


def names_of_python(source):
    """[(first line, last line, name)] of assignments, in any block."""
    found = []
    for node in ast.walk(ast.parse(source)):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, (ast.AugAssign, ast.AnnAssign)) else []
        if isinstance(node, ast.AnnAssign) and node.value is None:
            continue
        for target in targets:
            found += [(node.lineno, node.lineno, each.id) for each in ast.walk(target) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)]
    return found


def main():
    tessera, files = sys.argv[1], sys.argv[2:]
    names = missing = 0
    longest = 0.0
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (('sample.py', SAMPLE), ('sample.cu', CPP_SAMPLE)):
            with open(os.path.join(folder, name), 'w') as sample:
                sample.write(text)
            files.append(sample.name)
        for file in files:
            began = time.monotonic()
            ran = subprocess.run([tessera, 'explain', file, '--json'], capture_output=True, text=True)
            longest = max(longest, time.monotonic() - began)
            entries = collections.defaultdict(set)
            for entry in json.loads(ran.stdout)['account']:
                entries[entry['line']] |= set(entry.get('names', []))
            text = open(file, errors='replace').read()
            for first, last, name in names_of_python(text) if file.endswith('.py') else cpp_names.names_of(text):
                names += 1
                if name != '_' and not any(name in entries[line] for line in range(first - 1, last + 1)):
                    missing += 1
                    print(f'{os.path.basename(file)}:{first}: {name} is not accounted for')
    print(f'{len(files)} files, {names} names, {missing} not accounted for; {longest:.2f} s for the slowest file')
    return 1 if missing or not names else 0


sys.exit(main())
