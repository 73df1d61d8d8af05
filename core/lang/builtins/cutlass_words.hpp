// SPDX-License-Identifier: BSD-3-Clause
// What the builtins of CUTLASS's helpers read alike: words of two, tiles, and types of C++ whose functions are called.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/lang/builtins/call.hpp"

namespace tessera {

// A word of two, alone or behind its enumeration's name: true for the second.
Result<bool> is_second_word(const Call& call, std::size_t i, std::string_view first, std::string_view second);
// OperandMajorMode.K and MN.
Result<bool> is_mn_major(const Call& call, std::size_t i);
// LayoutEnum.ROW_MAJOR and COL_MAJOR: whether the first mode, M or N, is the contiguous one.
Result<bool> is_column_major(const Call& call, std::size_t i);
// LayoutEnum's methods: K of ROW_MAJOR and MN of COL_MAJOR; whether it is COL_MAJOR, or ROW_MAJOR.
Result<Value> mma_major_mode(const Call& call);
template <bool ColumnMajor>
Result<Value> has_order(const Call& call) {
  TESSERA_TRY(is, is_column_major(call, 0));
  return Value{is == ColumnMajor};
}

// Refuses a tile of another rank than `modes`.
Status check_tile(const Call& call, std::size_t i, const IntTuple& tile, std::size_t modes);

// How many elements a mode of an epilogue's tile has: a number of them side by side, or a layout of them.
std::int64_t extent_of(const Tiler& mode);
// The two modes of an epilogue's tile (M,N).
Result<std::vector<Tiler>> epilogue_modes(const Call& call, std::size_t i);

// The template arguments of a type of C++ that is its own spelling here: {"16"} of argument i, "Sm1xxBlockScaledConfig<16>". Refuses
// what is no such type; empty: it is another.
Result<std::vector<std::string>> arguments_of_type(const Call& call, std::size_t i, std::string_view type);

}  // namespace tessera
