// SPDX-License-Identifier: BSD-3-Clause
// Tiler: from a shape, and as text.
#include "core/layout/tiler.hpp"

#include <string>
#include <variant>
#include <vector>

namespace tessera {

Tiler::Tiler(const Tiler& other) = default;
Tiler::Tiler(Tiler&& other) noexcept = default;
Tiler& Tiler::operator=(const Tiler& other) = default;
Tiler& Tiler::operator=(Tiler&& other) noexcept = default;
Tiler::~Tiler() = default;

Tiler to_tiler(const IntTuple& shape) {
  if (shape.is_underscore()) return Underscore{};
  if (!shape.is_tuple()) return TileSize{shape.value(), shape.mark()};
  std::vector<Tiler> modes;
  modes.reserve(shape.rank());
  for (const IntTuple& mode : shape.modes()) modes.push_back(to_tiler(mode));
  return modes;
}

namespace {

struct Text {
  std::string operator()(const Layout& layout) const { return to_string(layout); }
  std::string operator()(const ComposedLayout& layout) const { return to_string(layout); }
  std::string operator()(TileSize n) const { return std::to_string(n.value); }
  std::string operator()(Underscore) const { return "_"; }
  std::string operator()(const std::vector<Tiler>& modes) const {
    std::string out = "(";
    for (const Tiler& mode : modes) {
      if (out.size() > 1) out += ',';
      out += to_string(mode);
    }
    return out + ')';
  }
};

}  // namespace

std::string to_string(const Tiler& tiler) { return std::visit(Text{}, tiler.value); }

}  // namespace tessera
