// SPDX-License-Identifier: BSD-3-Clause
#include "core/atom/mma_families.hpp"
namespace tessera {
FoundAtom find_amd_atom(const TemplateName&) { return std::nullopt; }
void list_amd_atoms(std::vector<std::string>&) {}
}  // namespace tessera
