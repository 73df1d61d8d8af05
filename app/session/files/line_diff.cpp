// SPDX-License-Identifier: BSD-3-Clause
// A longest common subsequence of lines, by the table of its lengths.
#include "app/session/files/line_diff.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {
namespace {

constexpr std::size_t kLargestTable = std::size_t{1} << 22;  // entries

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t newline = text.find('\n');
    const std::size_t length = newline == std::string_view::npos ? text.size() : newline + 1;
    lines.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return lines;
}

}  // namespace

std::vector<DiffLine> line_diff(std::string_view from, std::string_view to) {
  const std::vector<std::string_view> a = lines_of(from), b = lines_of(to);
  std::size_t begin = 0, a_end = a.size(), b_end = b.size();
  while (begin < a_end && begin < b_end && a[begin] == b[begin]) ++begin;
  while (a_end > begin && b_end > begin && a[a_end - 1] == b[b_end - 1]) --a_end, --b_end;

  const std::size_t rows = a_end - begin, columns = b_end - begin, width = columns + 1;
  const bool small = rows == 0 || columns <= kLargestTable / rows;
  std::vector<std::uint32_t> common(small ? (rows + 1) * width : 0);  // (i, j) -> length of the common part of a[i..] and b[j..]
  for (std::size_t i = small ? rows : 0; i-- > 0;) {
    for (std::size_t j = columns; j-- > 0;) {
      common[i * width + j] = a[begin + i] == b[begin + j] ? common[(i + 1) * width + j + 1] + 1
                                                           : std::max(common[(i + 1) * width + j], common[i * width + j + 1]);
    }
  }
  std::vector<DiffLine> diff;
  const auto add = [&](DiffLine::Kind kind, std::string_view line) { diff.push_back({kind, std::string(line)}); };
  for (std::size_t i = 0; i < begin; ++i) add(DiffLine::Kind::same, a[i]);
  std::size_t i = 0, j = 0;
  while (i < rows || j < columns) {
    if (small && i < rows && j < columns && a[begin + i] == b[begin + j]) {
      add(DiffLine::Kind::same, a[begin + i]);
      ++i, ++j;
    } else if (i < rows && (j == columns || !small || common[(i + 1) * width + j] >= common[i * width + j + 1])) {
      add(DiffLine::Kind::removed, a[begin + i++]);
    } else {
      add(DiffLine::Kind::added, b[begin + j++]);
    }
  }
  for (std::size_t k = a_end; k < a.size(); ++k) add(DiffLine::Kind::same, a[k]);
  return diff;
}

}  // namespace tessera
