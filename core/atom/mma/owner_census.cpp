// SPDX-License-Identifier: BSD-3-Clause
#include "core/atom/mma/owner_census.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace tessera {
namespace {

constexpr std::int64_t kMostValues = std::int64_t{1} << 22;  // of all threads

std::string place(const std::array<std::int64_t, 2>& at) { return fmt::format("({},{})", at[0], at[1]); }

}  // namespace

Result<std::optional<OwnerCensus>> census_of_c(const TiledMma& mma) {
  const std::optional<OwnerCensus> none;
  if (mma.atom().kind == MmaKind::umma) return none;
  const std::int64_t rows = mma.tile_mnk()[0], cols = mma.tile_mnk()[1];
  TESSERA_TRY(tile, Layout::make_compact(IntTuple::tuple({rows, cols})));
  TESSERA_TRY(held, mma.thrfrg(Operand::c, tile, Law::as_cute));  // ((ThrV,(ThrM,ThrN)),(FrgV,Rest)) -> (m, n)
  const Layout& threads = mma.thr_layout_vmnk();                  // (V,M,N,K) -> thread
  if (held.size() > kMostValues || rows * cols > kMostValues) return none;
  const std::int64_t vmn = held[0].size(), values = held[1].size();

  OwnerCensus census;
  census.elements = rows * cols;
  census.partial_sums = threads[3].size();
  std::vector<std::int32_t> holders(static_cast<std::size_t>(census.elements), 0);
  std::vector<std::int64_t> first(static_cast<std::size_t>(census.elements), -1);
  for (std::int64_t t = 0; t < vmn; ++t) {
    for (std::int64_t v = 0; v < values; ++v) {
      const std::int64_t element = held(t, v);
      if (element < 0 || element >= census.elements) {
        ++census.outside;
        continue;
      }
      const auto i = static_cast<std::size_t>(element);
      if (++holders[i] == 1) first[i] = threads(t);
      if (holders[i] == 2 && ++census.shared == 1) {
        census.first_shared = {element % rows, element / rows};
        census.sharing = {first[i], threads(t)};
      }
      census.most = std::max<std::int64_t>(census.most, holders[i]);
    }
  }
  const auto lost = std::find(holders.begin(), holders.end(), 0);
  census.lost = std::count(lost, holders.end(), 0);
  if (lost != holders.end()) census.first_lost = {(lost - holders.begin()) % rows, (lost - holders.begin()) / rows};
  return std::optional(census);
}

std::string describe(const OwnerCensus& census) {
  std::string text;
  const auto add = [&](std::string words) { text += (text.empty() ? "" : "; ") + std::move(words); };
  if (census.shared > 0) {
    const bool same = census.sharing[0] == census.sharing[1];
    add(fmt::format("{} of the {} elements of C are held up to {} times: {} {}", census.shared, census.elements, census.most,
                    same ? fmt::format("thread {} holds", census.sharing[0])
                         : fmt::format("threads {} and {} both hold", census.sharing[0], census.sharing[1]),
                    place(census.first_shared) + (same ? " twice" : "")));
  }
  if (census.lost > 0)
    add(fmt::format("{} of the {} elements of C are held by no thread: {} is the first", census.lost, census.elements,
                    place(census.first_lost)));
  if (census.outside > 0) add(fmt::format("{} values of threads lie beyond C's tile", census.outside));
  return text;
}

}  // namespace tessera
