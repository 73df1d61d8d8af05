// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/tensors.hpp"

#include <algorithm>

namespace tessera {
namespace {

constexpr std::string_view kParts[] = {"append",         "append_ones",  "coalesce",     "composition", "domain_offset", "filter",
                                       "flat_divide",    "flatten",      "get",          "group",       "local_tile",    "local_partition",
                                       "logical_divide", "partition_A",  "partition_B",  "partition_C", "partition_D",   "partition_S",
                                       "prepend",        "prepend_ones", "select",       "slice",       "slice_",        "slice_and_offset",
                                       "take",           "thrfrg_A",     "thrfrg_B",     "thrfrg_C",    "tidfrg_D",      "tidfrg_S",
                                       "tiled_divide",   "unflatten",    "zipped_divide"};

bool is_tensor(const Value& value) {
  return std::holds_alternative<Layout>(value.any) || std::holds_alternative<ComposedLayout>(value.any) ||
         std::holds_alternative<LayoutAndOffset>(value.any);
}

// An argument that is a number, or the name of an element type as its width.
std::int64_t width_argument(const Call& call, std::size_t i) {
  if (!call.has(i)) return 0;
  if (const auto type = as_value_type(*call[i].value)) return bits(*type);
  const auto number = as_integer(*call[i].value);
  return number ? *number : 0;
}

}  // namespace

bool gives_part_of_tensor(std::string_view function) {
  return std::find(std::begin(kParts), std::end(kParts), function) != std::end(kParts);
}

std::int64_t element_bits_of(const Call& call, const Value& made) {
  constexpr std::int64_t kWidest = 4096;
  if (!is_tensor(made)) return 0;
  std::int64_t width = 0;
  for (std::size_t i = 0; i < call.parameters.size() && width == 0; ++i) {
    if (call.has(i)) width = call[i].value->element_bits;
  }
  if (width == 0) return 0;
  if (gives_part_of_tensor(call.function()) || call.function() == "tile_to_shape") return width;
  const std::int64_t n = width_argument(call, 1);
  if (call.function() == "upcast" && n >= 1 && n <= kWidest) return width * n <= kWidest ? width * n : 0;
  if (call.function() == "downcast" && n >= 1) return width % n == 0 ? width / n : 0;
  // Of recast_layout the last width in C++'s order, the first in the DSL's.
  if (call.function() == "recast_layout")
    return std::min(kWidest, is_tensor(*call[0].value) ? width_argument(call, 2) : width_argument(call, 0));
  return 0;
}

}  // namespace tessera
