// SPDX-License-Identifier: BSD-3-Clause
// Private to the figures of numbers: the column that is asked for, and lists of names between semicolons.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/diagram/figures.hpp"

namespace tessera {

// Of column=, else the first whose numbers are not the same everywhere. Refuses names that there are not, with the nearest.
Result<const NumberTable::Column*> column_of(const FigureSpec& spec, const NumberTable& table);
const NumberTable::Column* column_named(const NumberTable& table, std::string_view name);  // null: there is none

// "before; after"
std::vector<std::string> between_semicolons(std::string_view text);

}  // namespace tessera
