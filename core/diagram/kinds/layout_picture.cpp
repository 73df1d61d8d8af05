// SPDX-License-Identifier: BSD-3-Clause
// What is drawn of a layout: its offsets by coordinate, its panels, and what stands in a cell.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/budget.hpp"
#include "core/diagram/kinds/layout_parts.hpp"
#include "core/diagram/parts/reading_aids.hpp"
#include "core/layout/algebra.hpp"
#include "core/layout/composed_algebra.hpp"

namespace tessera {

namespace {

constexpr std::int64_t kMostPanels = 256;

// Are the values coordinates? With basis strides, also behind an offset.
bool gives_coordinates(const AnyLayout& layout) {
  const auto* composed = std::get_if<ComposedLayout>(&layout);
  const Layout* inner = composed ? inner_layout(*composed) : std::get_if<Layout>(&layout);
  return inner != nullptr && inner->has_basis();
}

// What a cell's number is called: as it was said; else of threads and values whose data are not known, no offset.
std::string number_word(const FigureSpec& spec, const std::vector<std::string>& modes) {
  if (!spec.number.empty()) return spec.number;
  const bool owners = std::any_of(modes.begin(), modes.end(), [](const std::string& mode) { return !letter_of_mode(mode).empty(); });
  return owners && !spec.is_part ? "number" : "offset";
}

}  // namespace

std::string name_of(const AnyLayout& layout) {
  const auto* composed = std::get_if<ComposedLayout>(&layout);
  const auto* outer = composed ? std::get_if<Swizzle>(&composed->outer) : nullptr;
  const Layout* inner = composed ? inner_layout(*composed) : nullptr;
  if (!outer || outer->bits() != 0 || !inner || inner->has_basis()) return to_string(layout);
  return fmt::format("{} + {}", to_string(composed->offset), to_string(*inner));
}

Result<LayoutPicture> read_layout(const FigureSpec& spec) {
  LayoutPicture picture;
  TESSERA_TRY(layout, layout_object(spec, 0, "a layout"));
  TESSERA_TRY(labels, choice(spec, "labels", kLayoutLabelChoices));
  TESSERA_TRY(color, color_choice(spec, kLayoutColorChoices));
  picture.labels = labels;
  picture.color = color;
  TESSERA_TRY(modes, named_modes(spec, shape(layout)));
  picture.number = number_word(spec, modes);
  picture.modes = std::move(modes);
  picture.thread = spec.thread;
  picture.verb = spec.verb;
  picture.name = spec.name;
  picture.is_part = spec.is_part;
  picture.nested = parameter(spec, "nested") == "yes";
  TESSERA_TRY(width, element_bits(spec));
  picture.bits = width;
  const Shape& s = shape(layout);
  const std::int64_t cells = size(layout);
  TESSERA_CHECK(take_cells(cells, cells, to_string(layout)));
  picture.rows = size(s[0]);
  picture.cols = s.rank() > 1 ? size(s[1]) : 1;
  picture.panels = cells / (picture.rows * picture.cols);
  if (picture.panels > kMostPanels) {
    return Error{ErrorCode::limit,
                 fmt::format("{} has {} panels beyond its first two modes, and a figure has at most {}", to_string(layout), picture.panels,
                             kMostPanels),
                 {},
                 {"slice it: slice((_,_,0), layout)"}};
  }
  if (!gives_coordinates(layout)) {
    if (const auto* plain = std::get_if<Layout>(&layout)) picture.offsets = image(*plain);
    picture.offsets.resize(static_cast<std::size_t>(cells));
    for (std::int64_t i = 0; !std::holds_alternative<Layout>(layout) && i < cells && !late(); ++i)
      picture.offsets[static_cast<std::size_t>(i)] = evaluate(layout, i);
    const auto [least, most] = std::minmax_element(picture.offsets.begin(), picture.offsets.end());
    picture.least = *least;
    picture.most = *most;
    picture.ramp = spec.ramp.value_or(std::pair{*least, *most});
  }
  picture.layout = std::move(layout);
  return picture;
}

std::string cell_label(const LayoutPicture& p, std::int64_t i, std::int64_t row, std::int64_t col, const std::string& rest) {
  if (p.labels == "none") return {};
  if (p.labels == "index") return std::to_string(i);
  if (p.labels == "hier_coordinate") return to_string(idx2crd(i, shape(p.layout)));
  if (p.labels == "coordinate") {
    if (shape(p.layout).rank() == 1) return std::to_string(i);
    return fmt::format("{},{}{}{}", row, col, rest.empty() ? "" : ",", rest);
  }
  if (p.offsets.empty()) {
    const Result<IntTuple> value = evaluate(p.layout, Coord(i));
    return value ? to_string(*value) : std::string("?");
  }
  return std::to_string(p.offsets[static_cast<std::size_t>(i)]);
}

}  // namespace tessera
