// SPDX-License-Identifier: BSD-3-Clause
// What the kinds ask of a spec's objects, each refused in the same words whichever kind asks; and how a scene is begun.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagram/parts/figure_spec.hpp"

namespace tessera {

// "Layout", "TiledMma", ... as an error calls it.
std::string_view object_name(const FigureObject& object);
// The i-th object as the layout that it is, or a refusal that says what the figure wants.
Result<AnyLayout> layout_object(const FigureSpec& spec, std::size_t i, std::string_view what);
// The first object as a tiled MMA; an atom becomes the tiled MMA of one atom, as in CuTe.
Result<TiledMma> mma_object(const FigureSpec& spec);
// The names of a shape's modes as modes= has them, else as the object knows them; empty: nothing names them. Refuses another number of
// names.
Result<std::vector<std::string>> named_modes(const FigureSpec& spec, const Shape& shape);
// What stands before the numbers of a mode of this name: T and V of threads and values; empty: nothing.
std::string_view letter_of_mode(std::string_view mode);
// Refuses print_latex and print_svg where CuTe has no such picture.
Status only_own_style(const FigureSpec& spec);
// Starts a scene: style, title and expression.
Scene begin_scene(const FigureSpec& spec);

}  // namespace tessera
