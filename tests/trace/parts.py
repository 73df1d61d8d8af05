# SPDX-License-Identifier: BSD-3-Clause
"""The tracer's parts that need no DSL: what prints are taken apart into, where names stand, what the file holds.

parts.py: ends with 0, or with the first thing that is not as it should be."""
import dataclasses
import enum
import json
import os
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../assets/trace"))
from tessera_trace import kinds, operations, prints  # noqa: E402
from tessera_trace.device import capability, guess_arch  # noqa: E402
from tessera_trace.places import Places  # noqa: E402
from tessera_trace.program import error_words, sources_of  # noqa: E402
from tessera_trace.trace_file import TraceFile  # noqa: E402


def check(found, wanted) -> None:
    if found != wanted:
        raise SystemExit(f"{sys._getframe(1).f_code.co_name}, line {sys._getframe(1).f_lineno}: {found!r}, not {wanted!r}")


def prints_of_tensors() -> None:
    for text, wanted in (
            ('!cute.memref<f16, rmem, align<32>, "(4,2):(1,4)">', {"layout": "(4,2):(1,4)", "type": "half_t", "space": "rmem"}),
            ('!cute.memref<bf16, smem, align<128>, S<3,4,3>, "(8,64):(64,1)">',
             {"layout": "(8,64):(64,1)", "type": "bfloat16_t", "space": "smem", "swizzle": "Sw<3,4,3>"}),
            ('!cute.memref<f8E4M3FN, smem, "S<2,4,3> o 0 o (8,64):(64,1)">',
             {"layout": "Sw<2,4,3> o 0 o (8,64):(64,1)", "type": "float_e4m3_t", "space": "smem"}),
            ('!cute.coord_tensor<"(0,?{div=8})", "(8,4):(1@0,1@1)">',
             {"layout": "(8,4):(1@0,1@1)", "space": "coord", "base": "(0,?{div=8})"}),
            ('!cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,4):(0,2)">', {"layout": "(1,4):(0,2)", "space": "none"}),
            ("tensor<ptr<f32, gmem, align<16>> o (?,?{i64 div=8}):(1,?)>",
             {"layout": "(?,?{i64 div=8}):(1,?)", "type": "float", "space": "gmem"}),
            ("tensor<(0, 0) o (8,4):(1@0,1@1)>", {"layout": "(8,4):(1@0,1@1)", "space": "coord", "base": "(0,0)"}),
            ("Tensor<0x00007f0000000000@gmem o (?):(1)>", {"layout": "(?):(1)", "space": "gmem"}),
            ("FakeTensor<Int32, (8, 4), (4, 1)>", {"layout": "(8,4):(4,1)", "space": "gmem", "type": "int32_t"}),
            ("!cute.something", None), ("tensor<>", None), ("", None), ("Tensor<0x0>", None)):
        check(prints.tensor(text), wanted)


def prints_of_layouts() -> None:
    check(prints.layout("S<3,4,3> o 0 o S<1,2,3> o 0 o (8,64):(64,1)"), "Sw<3,4,3> o 0 o Sw<1,2,3> o 0 o (8,64):(64,1)")
    check(prints.layout("(8, 64):(64, 1)"), "(8,64):(64,1)")
    check(prints.tiler("[32:1;_;16:1]"), "(32,_,16)")
    check(prints.tiler("(32:1, (4,8):(8,1))"), "(32,(4,8):(8,1))")
    check(prints.tiler("[128:1;1:0;10:1]"), "(128,1,10)")
    check(prints.quoted('!cute.layout<"(8,4):(4,1)">'), "(8,4):(4,1)")
    tiled_mma = '!cute.tiled_mma<x, atom_layout_MNK = <"(2,1,1):(1,0,0)">, permutation_MNK = <"[_;_;_]">>'
    check(prints.attribute(tiled_mma, "permutation_MNK"), "[_;_;_]")
    check(prints.attribute("!cute.tiled_mma<x>", "permutation_MNK"), "")
    check([prints.cute_type(name) for name in ("Float4E2M1FN", "Uint8", "i64", "Boolean", "Other")],
          ["float_e2m1_t", "uint8_t", "int64_t", "bool", "Other"])


def static_values() -> None:
    deep = (1,)
    for _ in range(100000):
        deep = (deep,)
    for value, wanted in ((128, "128"), ((128, (4, None)), "(128,(4,_))"), ((), None), (None, None), (True, None), ((1, True), None),
                          ((1, 2.5), None), ([1, 2], None), (deep, None)):
        check(kinds.static_text(value), wanted)


class Major(enum.Enum):
    K = 1


@dataclasses.dataclass(frozen=True)
class MmaOp:
    ab_dtype: type
    shape_mnk: tuple
    major: Major
    unpack_bits: object = None


class OlderOp(MmaOp):
    def __init__(self, *arguments):
        super().__init__(*arguments)


MmaOp.__module__ = OlderOp.__module__ = "cutlass.cute.nvgpu.warp.mma"
Major.__module__ = "cutlass.cute.nvgpu.common"


def calls_of_operations() -> None:
    wanted = "cute.nvgpu.warp.MmaOp(cutlass.int, (16, 8), cute.nvgpu.Major.K)"
    check(operations.operation_text(MmaOp(int, (16, 8), Major.K)), wanted)
    check(operations.operation_text(OlderOp(int, (16, 8), Major.K)), wanted)
    check(operations.operation_text(MmaOp(int, (16, 8), Major.K, 4)), wanted[:-1] + ", 4)")
    check(operations.operation_text(MmaOp(int, (16, object()), Major.K)), None)
    check(operations.copy_text(MmaOp(int, (1,), Major.K), "Float16", "!x.copy<f16, cache = always, 128 b>"),
          "cute.make_copy_atom(cute.nvgpu.warp.MmaOp(cutlass.int, (1,), cute.nvgpu.Major.K), cutlass.Float16, num_bits_per_copy=128)")


SOURCE = """\
class A:
    x: int
    def __init__(self, a,
                 b=1):
        self.y = a
        self.y, (c, [d]) = f(
            a), g()
    def g(self):
        c = 1
        return [c for c in self.y]
class B:
    def h(self):
        return self.y
    def i(self):
        self.z = self.y = 2
def j(größe, ä): b = größe; é = b; return é
"""


def places_of_names() -> None:
    places = Places(SOURCE)
    for name, line, wanted in (("self.y", 5, (5, 9)), ("self.y", 7, (6, 9)), ("c", 7, (6, 18)), ("d", 6, (6, 22)), ("b", 3, (4, 18)),
                               ("self.x", 8, (2, 5)),      # a data class's field
                               ("self.y", 13, (15, 18)),   # its own class, though further down
                               ("c", 9, (9, 9)), ("a", 9, (3, 24)), ("q", 9, (9, 0)), ("self.x", 13, (2, 5)),
                               ("é", 16, (16, 34))):       # bytes
        check(places.of(name, line), wanted)
    check([places.function(line) for line in (1, 4, 10, 16)], ["", "A.__init__", "A.g", "j"])
    if sys.version_info >= (3, 10):
        places = Places("match a:\n    case (B() as one, [*two]) | {'k': one}: pass\n    case three: pass\n")
        check([places.of("one", 2), places.of("two", 2), places.of("three", 3)], [(2, 18), (2, 25), (3, 10)])
    for source in ("def f(:", "\0", "(" * 100000, "x = " + "-" * 50000 + "1"):
        check(Places(source).of("x", 1)[0], 1)


def files_of_traces() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a.trace")
        trace = TraceFile(path, "by", "sm_80", 2, time.monotonic())
        trace.add_file("none.py", "/no/such/file")
        for name in ("a", "a", "\udc80", "c", "c", "d"):
            trace.add_row({"name": name})
        with open(path, encoding="utf-8") as file:  # before its end
            check([json.loads(line).get("name") for line in file], [None, None, "a", "\\udc80"])
        trace.end(["x"])
        with open(path, encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
        check(lines[1], {"file": "none.py", "sha256": ""})
        check({key: lines[-1][key] for key in ("end", "rows", "dropped", "errors", "guessed")},
              {"end": True, "rows": 2, "dropped": 2, "errors": [], "guessed": ["x"]})
        for name in ("b.py", "a.py", "a.txt"):
            open(os.path.join(folder, name), "w").close()
        check([os.path.basename(source.path) for source in sources_of([folder, os.path.join(folder, "a.py")])], ["a.py", "b.py"])


def architectures() -> None:
    check([guess_arch(text) for text in ("geforce", "SM103 sm_103", "tcgen05.mma", "warpgroup.MmaF16BF16Op", "print()")],
          ["sm_120a", "sm_103a", "sm_100a", "sm_90a", "sm_80"])
    check([capability(arch) for arch in ("sm_90a", "sm_120a", "sm_80", "gfx90a")], [[9, 0], [12, 0], [8, 0], [9, 0]])


def words_of_errors() -> None:
    try:
        raise ValueError("\x1b[31mred\x1b[0m\n  and " + "x" * 1000)
    except ValueError as error:
        words = error_words(error, sources_of([__file__]))
    check(words.startswith("ValueError: red and xxx"), True)
    check(" at line " in words and len(words) < 700 and "\x1b" not in words, True)


if __name__ == "__main__":
    for test in (prints_of_tensors, prints_of_layouts, static_values, calls_of_operations, places_of_names, files_of_traces, architectures,
                 words_of_errors):
        test()
