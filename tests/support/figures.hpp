// SPDX-License-Identifier: BSD-3-Clause
// The objects that figures are tested with, and a way to make them in one line.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/atom/instructions/catalog.hpp"
#include "core/diagram/kinds/figures.hpp"
#include "core/diagram/scene/palette.hpp"

namespace tessera::testing {

inline IntTuple tup(std::vector<IntTuple> modes) { return IntTuple::tuple(std::move(modes)); }
inline Layout lay(IntTuple shape, IntTuple stride) { return Layout::make(std::move(shape), std::move(stride)).value(); }
inline Layout compact(IntTuple shape) { return Layout::make_compact(std::move(shape)).value(); }

inline TiledMma tiled(std::string_view atom, Layout atoms, Tiler permutation = Underscore{}) {
  return TiledMma::make(find_mma_atom(atom).value(), std::move(atoms), std::move(permutation)).value();
}
inline CopyAtom copy_atom(std::string_view name, ValueType type) { return CopyAtom::make(find_copy_atom(name).value(), type).value(); }
inline Tiler tiler(std::vector<Tiler> modes) { return Tiler(std::move(modes)); }

// (thr, val) -> (m, n) of a 4x8 tile: eight threads with 1x2 values, twice along n.
inline Layout seed_tv() { return lay(tup({tup({2, 4}), tup({2, 2})}), tup({tup({8, 1}), tup({4, 16})})); }

inline FigureSpec figure(FigureObject object, FigureStyle style = FigureStyle::tessera, std::string kind = {}) {
  FigureSpec spec;
  spec.kind = std::move(kind);
  spec.objects = {std::move(object)};
  spec.style = style;
  return spec;
}

// The picture, or the test ends with the refusal's words.
inline Scene drawn(const FigureSpec& spec) {
  Result<Scene> scene = make_figure(spec);
  if (!scene) throw std::runtime_error(describe(scene.error()));
  return std::move(*scene);
}
// Why there is none; where there is one the test ends.
inline Error refusal(const FigureSpec& spec) {
  const Result<Scene> scene = make_figure(spec);
  if (scene) throw std::runtime_error("it is drawn, and was to be refused");
  return scene.error();
}

// The cell of panel p with this coordinate.
inline std::optional<CellView> find_cell(const Scene& scene, std::size_t p, int row, int col) {
  std::optional<CellView> found;
  each_cell(scene, p, [&](const CellView& cell) {
    const std::optional<Subject> subject = subject_of(scene, cell.id);
    if (subject && subject->row == row && subject->col == col && !found) found = cell;
  });
  return found;
}

// What it stands for.
inline Subject subject_at(const Scene& scene, std::size_t p, int row, int col) {
  return subject_of(scene, find_cell(scene, p, row, col).value().id).value();
}

// The texts of a panel's labels of a role, with lines that were broken at a space put together again.
inline std::vector<std::string> texts_of(const Scene& scene, const Panel& panel, LabelRole role) {
  std::vector<std::string> texts;
  for (const Mark& mark : panel.marks) {
    const auto* label = std::get_if<Label>(&mark);
    if (label == nullptr || label->role != role) continue;
    if (texts.empty() || !texts.back().ends_with(' ')) texts.emplace_back();
    texts.back() += scene.text_of(label->text);
  }
  return texts;
}
inline std::vector<std::string> texts_of(const Scene& scene, LabelRole role) {
  std::vector<std::string> texts;
  for (const Panel& panel : scene.panels) {
    for (std::string& text : texts_of(scene, panel, role)) texts.push_back(std::move(text));
  }
  return texts;
}

// The cells of panel p, in order.
inline std::vector<CellView> cells_of(const Scene& scene, std::size_t p) {
  std::vector<CellView> cells;
  each_cell(scene, p, [&](const CellView& cell) { cells.push_back(cell); });
  return cells;
}

inline std::vector<Arrow> arrows_of(const Scene& scene) {
  std::vector<Arrow> found;
  for (const Panel& panel : scene.panels) {
    for (const Mark& mark : panel.marks) {
      if (const auto* arrow = std::get_if<Arrow>(&mark)) found.push_back(*arrow);
    }
  }
  return found;
}

// The number of the panel with this identity.
inline std::size_t panel_named(const Scene& scene, std::string_view id) {
  for (std::size_t p = 0; p < scene.panels.size(); ++p) {
    if (scene.panels[p].id == id) return p;
  }
  throw std::runtime_error("no such panel");
}

}  // namespace tessera::testing
