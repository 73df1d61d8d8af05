// SPDX-License-Identifier: BSD-3-Clause
// The families of copy atoms, for the catalogue. Private to core/atom.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/atom/instructions/atom_text.hpp"
#include "core/atom/instructions/copy_atom.hpp"

namespace tessera {

using FoundCopy = std::optional<Result<CopyTraits>>;

// Any spelling: UniversalCopy<uint128_t>, Copy_Traits<SM90_TMA_LOAD,Int<4096>>, Copy_Atom<SM75_U32x4_LDSM_N,half_t>.
FoundCopy find_copy_traits(std::string_view name);
void list_copy_traits(std::vector<std::string>& names);

FoundCopy find_tmem_copy(const TemplateName& name);  // SM100 tcgen05.ld, .st and .cp
void list_tmem_copies(std::vector<std::string>& names);
FoundCopy find_tma_copy(const TemplateName& name, std::optional<int> bits);  // SM90 and SM100 bulk and tensor copies
void list_tma_copies(std::vector<std::string>& names);

// The fields that all copies of `threads` threads share.
CopyTraits copy_of_threads(std::string name, std::string ptx, ArchRequirement arch, CopyKind kind, int threads);
// (1,bits):(0,1), or (2,bits):(0,1) ..: every thread names the same bits.
Layout same_bits(std::int64_t threads, std::int64_t bits);

}  // namespace tessera
