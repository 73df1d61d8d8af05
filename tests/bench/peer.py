# SPDX-License-Identifier: BSD-3-Clause
"""The same operations in tensor-layouts (PyPI), timed over the same inputs: prints 'operation rate' lines, or nothing where it is absent."""
import ast
import sys
import time

try:
    import tensor_layouts as peer
except ImportError:
    sys.exit(0)

inputs = []
for line in open(sys.argv[1]):
    a, b, tile = line.split()
    layouts = [peer.Layout(*(ast.literal_eval(part) for part in text.split(":"))) for text in (a, b)]
    inputs.append((layouts[0], layouts[1], int(tile)))

OPERATIONS = {
    "composition": lambda a, b, tile: peer.compose(a, b),
    "complement": lambda a, b, tile: peer.complement(b, peer.size(a)),
    "logical_divide": lambda a, b, tile: peer.logical_divide(a, peer.Layout(tile, 1)),
    "right_inverse": lambda a, b, tile: peer.right_inverse(a),
}
for name, operation in OPERATIONS.items():
    for a, b, tile in inputs[:200]:  # to warm up
        operation(a, b, tile)
    start = time.perf_counter()
    for a, b, tile in inputs:
        operation(a, b, tile)
    print(name, len(inputs) / (time.perf_counter() - start))
