// SPDX-License-Identifier: BSD-3-Clause
// Lineage: which bindings of a document a binding is made of, by the names that stand in it.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "core/lang/document/document.hpp"

namespace tessera {

// The bindings before `end` that the expression needs, in their order: by name, and again by the names in those. One too many does no harm.
std::vector<std::size_t> needed_bindings(const Document& document, std::size_t end, std::string_view expression);

// Does one of the two need the other, or do both need a third? Then a thread or an address of one means something in the other. By their
// numbers in the document.
bool related(const Document& document, std::size_t a, std::size_t b);

}  // namespace tessera
