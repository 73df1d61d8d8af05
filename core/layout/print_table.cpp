// SPDX-License-Identifier: BSD-3-Clause
#include "core/layout/print_table.hpp"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/base/budget.hpp"
#include "core/layout/print.hpp"

namespace tessera {

Result<std::string> print_layout(const AnyLayout& layout) {
  const Shape whole = shape(layout);  // (m, n) -> offset
  if (rank(whole) != 2) {
    return Error{ErrorCode::rank_mismatch,
                 fmt::format("print_layout prints a table of two modes, and {} has {}", to_string(layout), rank(whole)),
                 {},
                 rank(whole) > 2 ? std::vector<std::string>{"group its modes first: group_modes(layout, 0, 2)"}
                                 : std::vector<std::string>{"give it a second mode: append(layout, 1:0)"}};
  }
  if (const auto* plain = std::get_if<Layout>(&layout); plain && plain->has_basis())
    return Error{ErrorCode::wrong_type, fmt::format("{} gives coordinates, and print_layout prints numbers", to_string(layout)), {}, {}};
  const std::int64_t rows = size(whole[0]), columns = size(whole[1]);
  const auto width = static_cast<int>(fmt::formatted_size("{}", cosize(layout)));
  const auto what = [&] { return fmt::format("the table of {}", to_string(layout)); };
  TESSERA_CHECK(spend_cells(count_product(rows, columns), what));
  TESSERA_CHECK(fit_bytes(count_product(count_product(rows, columns), 2 * (width + 3)), what));

  std::string line = "    ", out = print(layout, Spelling::cute_print) + "\n    ";
  for (std::int64_t n = 0; n < columns; ++n) {
    out += fmt::format("  {:>{}} ", n, width);
    line += '+' + std::string(static_cast<std::size_t>(width) + 2, '-');
  }
  line += "+\n";
  out += '\n';
  for (std::int64_t m = 0; m < rows; ++m) {
    out += line + fmt::format("{:>2}  ", m);
    for (std::int64_t n = 0; n < columns; ++n) out += fmt::format("| {:>{}} ", evaluate(layout, m, n), width);
    out += "|\n";
    if (late()) return past_deadline(what());
  }
  return out + line;
}

}  // namespace tessera
