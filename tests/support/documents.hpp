// SPDX-License-Identifier: BSD-3-Clause
// Texts of many lines that are read as documents, as snippets and by the command line.
#pragma once

#include <string_view>

namespace tessera::test {

inline constexpr std::string_view kTextsOfManyLines[] = {
    "let a = (4,8):(8,1)\nlet b = composition(a, (2,4):(1,2))\nsize(b)\n",
    "auto sA = make_layout(make_shape(Int<64>{}, Int<8>{}), GenRowMajor{});\nauto n = size(sA);\nprint(n);\n",
    "sA = cute.make_layout((64, 8), stride=(8, 1))  # rows\nn = cute.size(sA)\nprint(n)\n",
    "using L = Layout<Shape<_4,_8>, Stride<_8,_1>>;\nL{}\nstatic_assert(size(L{}) == 32);\n",
    "template <int N> using Tile = Layout<Shape<Int<N>>>;\nauto t = Tile<8>{};\n",
    "let tile(m, n) = (m,n):(n,1)\nlet a = tile(4, 8)\nassert size(a) == 32\nassert size(a) == 33\n",
    "let a, b = (3, (4,5))\nauto [x, y] = make_tuple(a, b);\nlet c = (a,b,x,y)\n",
    "param pad = 0..8\nparam rows = 4 in 1..16\nlet a = (rows,8):(8+pad,1)\n",
    "let a = 4\nlet a = 5\nlet b = a\n",
    "x = 4\nx = x + 1\nlet y = x\n",
    "let a = (4,0):(1,4)\nlet b = a\nlet c = 3\n",
    "let a = later\nlet later = 3\n",
    "auto sA = make_layout(make_shape(bM, bK));\nlet n = size(sA)\nlet f = layout_figure(sA)\n",
    "# comment\n#include <cute/tensor.hpp>\nusing namespace cute;\nint x = 3;\nfor (int i = 0; i < 4; ++i) { x += i; }\nauto y = x;\n",
    "import cutlass\n\ndef f(x):\n  return x\n\na = (1, 2)\nassert a[0] == 1\n",
    "let 4 = 3\nlet c = \nlet d\nlet e = ((4\nlet g = 1\n",
    "let size = 3\nlet s = size\n",
    "let f(x) = f(x)\nlet a = f(3)\n",
    "let mine = gemm(m=8, n=8, k=4, mma=SM70_8x8x4_F32F16F16F32_NT)\n",
    "let call = make_layout(make_shape(_4{}, Int<8>{}));\nlet pasted = auto x = make_layout(8);\n",
    "let a = 512 // 8\nauto b = 512; // 8\nlet c = (4,8):(8,1) // rows\n",
};

}  // namespace tessera::test
