// SPDX-License-Identifier: BSD-3-Clause
// Private to core/diagram: what the steps of a cell and the search for it share.
#pragma once

#include <string>

#include "core/layout/int_tuple.hpp"

namespace tessera {

// A coordinate of the shape's own profile, of one that may be coarser.
Coord congruent_to(const Coord& coord, const Shape& shape);

// For a refusal, an example: "the last one is (7,3), mode by mode (7,(1,1)); or one number from 0 to 31".
std::string example_of(const Shape& shape);

}  // namespace tessera
