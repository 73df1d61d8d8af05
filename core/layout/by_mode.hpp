// SPDX-License-Identifier: BSD-3-Clause
// by_mode: an operation applied mode by mode, with a profile or tiler that names how deep. Internal to core/layout.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/layout/layout.hpp"

namespace tessera {

enum class Rest { kept, dropped };  // the modes of the layout beyond the guide's rank

Error too_many_modes(std::string_view operation, std::size_t guide_rank, const Layout& layout);

// guide: anything with rank and [] (IntTuple, std::vector<Tiler>); f(mode layout, guide mode) -> Result<Layout>
template <class Guide, class F>
Result<Layout> by_mode(std::string_view operation, const Layout& layout, const Guide& guide, std::size_t guide_rank, Rest rest, F&& f) {
  if (guide_rank > layout.rank()) return too_many_modes(operation, guide_rank, layout);
  std::vector<Layout> modes;
  modes.reserve(layout.rank());
  for (std::size_t i = 0; i < guide_rank; ++i) {
    TESSERA_TRY(mode, Result<Layout>(f(layout[i], guide[i])));
    modes.push_back(std::move(mode));
  }
  if (rest == Rest::kept) {
    for (std::size_t i = guide_rank; i < layout.rank(); ++i) modes.push_back(layout[i]);
  }
  return checked_make_layout(std::move(modes));
}

template <class F>
Result<Layout> by_mode(std::string_view operation, const Layout& layout, const IntTuple& guide, Rest rest, F&& f) {
  return by_mode(operation, layout, guide, guide.rank(), rest, std::forward<F>(f));
}

}  // namespace tessera
