// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/builtins/cutlass_words.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

namespace tessera {

Result<bool> is_second_word(const Call& call, std::size_t i, std::string_view first, std::string_view second) {
  TESSERA_TRY(word, argument<std::string>(call, i));
  for (const std::string_view own : {first, second}) {
    if (word == own || word.ends_with(fmt::format("::{}", own))) return own == second;
  }
  return argument_error(call, call.names[i], call[i],
                        {ErrorCode::unknown_name, fmt::format("\"{}\" is neither {} nor {}", word, first, second), {}, {}});
}

Result<bool> is_mn_major(const Call& call, std::size_t i) { return is_second_word(call, i, "K", "MN"); }
Result<bool> is_column_major(const Call& call, std::size_t i) { return is_second_word(call, i, "ROW_MAJOR", "COL_MAJOR"); }

Result<Value> mma_major_mode(const Call& call) {
  TESSERA_TRY(column_major, is_column_major(call, 0));
  return Value{std::string(column_major ? "MN" : "K")};
}

Status check_tile(const Call& call, std::size_t i, const IntTuple& tile, std::size_t modes) {
  if (tile.rank() == modes) return Done{};
  return argument_error(
      call, call.names[i], call[i],
      {ErrorCode::rank_mismatch, fmt::format("a tile of {} modes is wanted, but this is {}", modes, to_string(tile)), {}, {}});
}

std::int64_t extent_of(const Tiler& mode) {
  if (const auto* layout = std::get_if<Layout>(&mode.value)) return layout->size();
  const auto* number = std::get_if<TileSize>(&mode.value);
  return number ? number->value : 1;
}

Result<std::vector<Tiler>> epilogue_modes(const Call& call, std::size_t i) {
  TESSERA_TRY(tile, argument<Tiler>(call, i));
  auto* modes = std::get_if<std::vector<Tiler>>(&tile.value);
  if (modes != nullptr && modes->size() == 2) return std::move(*modes);
  return Error{
      ErrorCode::rank_mismatch, fmt::format("an epilogue's tile (M,N) has two modes, but this is {}", to_string(tile)), call[i].span, {}};
}

Result<std::vector<std::string>> arguments_of_type(const Call& call, std::size_t i, std::string_view type) {
  TESSERA_TRY(text, argument<std::string>(call, i));
  std::vector<std::string> made;
  std::string_view rest = text;
  if (!rest.starts_with(type) || !rest.substr(type.size()).starts_with('<') || !rest.ends_with('>')) return made;
  rest = rest.substr(type.size() + 1, rest.size() - type.size() - 2);
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    made.emplace_back(rest.substr(0, comma));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return made;
}

}  // namespace tessera
