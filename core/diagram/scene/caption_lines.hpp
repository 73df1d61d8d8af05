// SPDX-License-Identifier: BSD-3-Clause
// Private to core/diagram and core/render: where words beside a picture begin, and how they break into lines.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagram/scene/scene.hpp"

namespace tessera {

// Of an element that several read.
inline constexpr std::string_view kFirstReader = "a cell has its first reader's colour";
// How the line below a picture begins that says what lines between cells mean, and how its second half begins.
inline constexpr std::string_view kGreyLine = "grey line: ", kStrongLine = "strong line: ";

// Where the leftmost frame begins, or the first panel's heading: titles, captions and notes stand flush with it, and row numbers hang to
// its left.
float left_edge(const Scene& scene);

// Breaks after spaces where it can, else after commas, so that no line is longer than `width` characters, at least 1; at most `most` lines.
std::vector<std::string> wrap(std::string_view text, std::size_t width, std::size_t most);

// The same of prose: whole clauses in a line where that takes no more lines, and no word alone in the last one.
std::vector<std::string> wrap_words(std::string_view text, std::size_t width, std::size_t most);

// "T0-3, T16-19"
std::string ranges_of(std::span<const std::int64_t> ascending, std::string_view before = "T");

}  // namespace tessera
