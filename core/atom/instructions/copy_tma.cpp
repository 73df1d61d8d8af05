// SPDX-License-Identifier: BSD-3-Clause
// Bulk and tensor (TMA) copies: one thread, or a pair of CTAs, names a block of any number of bits.
#include <fmt/format.h>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/atom/instructions/copy_families.hpp"

namespace tessera {
namespace {

constexpr int kLeastBits = 128;  // a bulk copy moves a multiple of 16 bytes

struct TmaRow {
  std::string_view name, ptx;
  CopyKind kind;
  ArchRequirement arch;
  int ctas;         // 2: a pair of CTAs, each of which names its own bits
  bool has_op;      // CuTe also has NAME_OP, the executable form
  bool prefetches;  // and NAME::PREFETCH
};

constexpr ArchRequirement kSm90{90}, kSm100a{100, 'a'};

// Tensor copies exist for one to five dimensions: .1d to .5d stands as .Nd.
constexpr std::array kRows = {
    TmaRow{"SM90_TMA_LOAD", "cp.async.bulk.tensor.Nd.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint", CopyKind::tma,
           kSm90, 1, true, true},
    TmaRow{"SM90_TMA_LOAD_MULTICAST",
           "cp.async.bulk.tensor.Nd.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint", CopyKind::tma,
           kSm90, 1, true, false},
    TmaRow{"SM90_TMA_LOAD_IM2COL", "cp.async.bulk.tensor.Nd.shared::cluster.global.im2col.mbarrier::complete_tx::bytes", CopyKind::tma,
           kSm90, 1, true, true},
    TmaRow{"SM90_TMA_LOAD_IM2COL_MULTICAST",
           "cp.async.bulk.tensor.Nd.shared::cluster.global.im2col.mbarrier::complete_tx::bytes.multicast::cluster", CopyKind::tma, kSm90, 1,
           true, false},
    TmaRow{"SM90_TMA_STORE", "cp.async.bulk.tensor.Nd.global.shared::cta.bulk_group", CopyKind::tma, kSm90, 1, false, false},
    TmaRow{"SM90_TMA_STORE_PTR", "cp.async.bulk.tensor.Nd.global.shared::cta.bulk_group", CopyKind::tma, kSm90, 1, false, false},
    TmaRow{"SM90_TMA_STORE_IM2COL", "cp.async.bulk.tensor.Nd.global.shared::cta.im2col_no_offs.bulk_group", CopyKind::tma, kSm90, 1, false,
           false},
    TmaRow{"SM90_TMA_REDUCE_ADD", "cp.reduce.async.bulk.tensor.Nd.global.shared::cta.add.bulk_group", CopyKind::tma, kSm90, 1, false,
           false},
    TmaRow{"SM90_BULK_COPY_G2S", "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes", CopyKind::bulk, kSm90, 1, false,
           true},
    TmaRow{"SM90_BULK_COPY_S2G", "cp.async.bulk.global.shared::cta.bulk_group", CopyKind::bulk, kSm90, 1, false, false},
    TmaRow{"SM100_TMA_2SM_LOAD", "cp.async.bulk.tensor.Nd.cta_group::2.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint",
           CopyKind::tma, kSm100a, 2, true, false},
    TmaRow{"SM100_TMA_2SM_LOAD_MULTICAST",
           "cp.async.bulk.tensor.Nd.cta_group::2.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint",
           CopyKind::tma, kSm100a, 2, true, false},
    TmaRow{"SM100_TMA_2SM_LOAD_IM2COL", "cp.async.bulk.tensor.Nd.cta_group::2.shared::cluster.global.im2col.mbarrier::complete_tx::bytes",
           CopyKind::tma, kSm100a, 2, true, false},
    TmaRow{"SM100_TMA_2SM_LOAD_IM2COL_MULTICAST",
           "cp.async.bulk.tensor.Nd.cta_group::2.shared::cluster.global.im2col.mbarrier::complete_tx::bytes.multicast::cluster",
           CopyKind::tma, kSm100a, 2, true, false},
    TmaRow{"SM100_TMA_LOAD_2D_GATHER4",
           "cp.async.bulk.tensor.2d.shared::cluster.global.tile::gather4.mbarrier::complete_tx::bytes.L2::cache_hint", CopyKind::tma,
           kSm100a, 1, true, false},
    TmaRow{"SM100_TMA_LOAD_MULTICAST_2D_GATHER4",
           "cp.async.bulk.tensor.2d.shared::cluster.global.tile::gather4.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint",
           CopyKind::tma, kSm100a, 1, true, false},
    TmaRow{"SM100_TMA_STORE_2D_SCATTER4", "cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group", CopyKind::tma, kSm100a, 1,
           false, false},
};

// NAME, NAME_OP, NAME::PREFETCH, NAME_OP::PREFETCH
bool names_row(const TmaRow& row, std::string_view op) {
  if (!take_prefix(op, row.name)) return false;
  const bool executable = row.has_op && take_prefix(op, "_OP");
  if (op == "::PREFETCH") return executable ? row.name == "SM100_TMA_LOAD_2D_GATHER4" : row.prefetches;
  return op.empty();
}

}  // namespace

FoundCopy find_tma_copy(const TemplateName& name, std::optional<int> bits) {
  if (name.op == "SM90_BULK_COPY_AUTO") {
    CopyTraits t = copy_of_threads(name.op, "cp.async.bulk", kSm90, CopyKind::bulk, 1);
    t.layout_src = t.layout_dst = t.layout_ref = table_layout("(1,1):(0,0)");  // the width is decided by the tensors
    return t;
  }
  for (const TmaRow& row : kRows) {
    if (!names_row(row, name.op)) continue;
    const int width = bits.value_or(kLeastBits);
    if (width < 1)
      return Error{
          ErrorCode::unknown_atom, fmt::format("{} needs a number of bits, as in Copy_Traits<{},Int<4096>>", name.op, name.op), {}, {}};
    const std::string full = bits ? fmt::format("Copy_Traits<{},Int<{}>>", name.op, width) : name.op;
    CopyTraits t = copy_of_threads(full, std::string(row.ptx), row.arch, row.kind, row.ctas);
    t.layout_src = same_bits(1, width);
    // A pair of CTAs shares one copy: each CTA names its own half of the bits.
    if (row.ctas == 2) t.layout_src = Layout::trusted(IntTuple::tuple({2, width}), IntTuple::tuple({width, 1}));
    t.layout_dst = t.layout_ref = t.layout_src;
    t.source = fmt::format("CuTe copy_traits_sm{}_tma.hpp (CUTLASS 4.7.0); the number of bits is a template parameter{}", row.arch.sm,
                           bits ? "" : ", here the least, 16 bytes");
    return t;
  }
  return std::nullopt;
}

void list_tma_copies(std::vector<std::string>& names) {
  for (const TmaRow& row : kRows) {
    names.emplace_back(row.name);
    if (row.has_op) names.push_back(fmt::format("{}_OP", row.name));
    if (row.prefetches) names.push_back(fmt::format("{}::PREFETCH", row.name));
  }
  names.emplace_back("SM90_BULK_COPY_AUTO");
}

}  // namespace tessera
