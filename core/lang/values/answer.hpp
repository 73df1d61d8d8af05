// SPDX-License-Identifier: BSD-3-Clause
// What `tessera batch` and `tessera eval --json` report about a value, as named fields in order. Writing JSON is the caller's.
//
//   (4,8):(8,1)  ->  kind "layout", value "(4,8):(8,1)", rank 2, depth 1, size 32, cosize 32, image [0, 8, 16, ...]
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/lang/values/value.hpp"

namespace tessera {

struct AnswerField {
  std::string_view name;  // a literal
  std::variant<std::string, std::int64_t, double, bool, std::vector<std::int64_t>, std::vector<std::string>> value;
};

constexpr std::int64_t kLongestImage = 4096;                         // values that are listed as "image"
constexpr std::int64_t kLongestHashedImage = std::int64_t{1} << 21;  // beyond it, neither an image nor its hash: "image_omitted" says why

// clang-format off
// Every answer begins with `kind` and `value`. Further fields:
//   layout, composed_layout   rank, depth, size, cosize (integer strides), image | image_sha256 | image_omitted
//                             (of basis strides, image holds strings such as "(1,0)")
//   tensor                    the same for its layout, with `offset`
//   pointer                   offset
//   thr_mma, thr_copy         thread, and what their tiled object has
//   list                      elements
//   function                  parameters
//   mma_atom                  name, arch, instruction, shape_mnk, thr_id, layout_a/b/c, val_d/a/b/c, ptx, source, registers_d/a/b/c
//   copy_atom                 name, arch, ptx, thr_id, layout_src/dst/ref in bits; with a value type also val_type, val_layout_src/dst/ref
//   tiled_mma                 atom, atom_layout_mnk, permutation_mnk, threads, thr_layout_vmnk, tile_mnk, layout_a_tv, layout_b_tv, layout_c_tv
//   tiled_copy                atom, val_type, threads, tiler_mn, layout_tv, layout_s_tv, layout_d_tv
//   swizzle                   bits, base, shift
//   report                    report (the function), sentence, its facts by their names, notes, columns, cells (row by row, as text)
// A tensor, a layout or a pointer whose elements are known also has element_bits, element_type and memory ("gmem", "smem", "rmem", ...).
// A field that cannot be had for this object is left out and `NAME_refused` says why. A truth value's `value` is a bool, a
// string's is the string, any other's is the text that the language reads.
// clang-format on
std::vector<AnswerField> answer(const Value& value);

}  // namespace tessera
