// SPDX-License-Identifier: BSD-3-Clause
#include "core/render/html/html_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tessera {

namespace {

constexpr std::size_t kLeastCopy = 4;  // shorter ones are written as they are
constexpr std::size_t kBuckets = std::size_t{1} << 12;

// Where these three differences stood last.
std::size_t bucket_of(std::span<const std::int64_t> at) {
  std::uint64_t key = 0;
  for (std::size_t i = 0; i < 3; ++i) key = (key ^ static_cast<std::uint64_t>(at[i])) * 0x9e3779b97f4a7c15U;
  return static_cast<std::size_t>(key >> 52);
}

std::size_t match(std::span<const std::int64_t> all, std::size_t at, std::size_t from) {
  std::size_t length = 0;
  while (at + length < all.size() && all[from + length] == all[at + length]) ++length;
  return length;
}

}  // namespace

std::vector<std::int64_t> pack_column(std::span<const std::int64_t> numbers) {
  std::vector<std::int64_t> differences(numbers.begin(), numbers.end());
  for (std::size_t i = differences.size(); i-- > 1;) differences[i] -= differences[i - 1];
  const std::span<const std::int64_t> all = differences;
  std::vector<std::int64_t> packed;
  std::array<std::size_t, kBuckets> last;
  last.fill(all.size());
  const auto learn = [&](std::size_t at) {
    if (at + 3 <= all.size()) last[bucket_of(all.subspan(at, 3))] = at;
  };
  std::size_t literals = 0, recent = 1;  // how far back the last copy was taken from
  for (std::size_t i = 0; i < all.size();) {
    std::size_t best = 0, back = 0;
    const auto look = [&](std::size_t distance) {
      if (distance == 0 || distance > i) return;
      if (const std::size_t length = match(all, i, i - distance); length > best) best = length, back = distance;
    };
    look(recent);
    look(1);
    if (i + 3 <= all.size()) {
      if (const std::size_t from = last[bucket_of(all.subspan(i, 3))]; from < i) look(i - from);
    }
    if (best < kLeastCopy) {
      learn(i);
      ++literals;
      ++i;
      continue;
    }
    packed.push_back(static_cast<std::int64_t>(literals));
    packed.insert(packed.end(), all.begin() + static_cast<std::ptrdiff_t>(i - literals), all.begin() + static_cast<std::ptrdiff_t>(i));
    packed.push_back(static_cast<std::int64_t>(back));
    packed.push_back(static_cast<std::int64_t>(best));
    for (std::size_t k = 0; k < best; ++k) learn(i + k);
    recent = back;
    literals = 0;
    i += best;
  }
  if (literals > 0) {
    packed.push_back(static_cast<std::int64_t>(literals));
    packed.insert(packed.end(), all.end() - static_cast<std::ptrdiff_t>(literals), all.end());
  }
  return packed;
}

std::vector<std::int64_t> unpack_column(std::span<const std::int64_t> packed) {
  std::vector<std::int64_t> out;
  for (std::size_t i = 0; i < packed.size();) {
    for (std::int64_t n = packed[i++]; n > 0; --n) out.push_back(packed[i++]);
    if (i >= packed.size()) break;
    const auto back = static_cast<std::size_t>(packed[i++]);
    assert(back <= out.size());
    for (std::int64_t n = packed[i++]; n > 0; --n) out.push_back(out[out.size() - back]);
  }
  for (std::size_t i = 1; i < out.size(); ++i) out[i] += out[i - 1];
  return out;
}

void append_column(std::string& out, std::span<const std::int64_t> numbers) {
  out += '[';
  for (const std::int64_t n : pack_column(numbers)) {
    out += fmt::format_int(n).c_str();
    out += ',';
  }
  if (out.back() == ',') out.pop_back();
  out += ']';
}

}  // namespace tessera
