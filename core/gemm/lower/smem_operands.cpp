// SPDX-License-Identifier: BSD-3-Clause
// Operands that wgmma reads in shared memory: rows of 128 bytes along K, or along M or N, as TMA writes them and a descriptor says them.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/atom/instructions/catalog.hpp"
#include "core/base/budget.hpp"
#include "core/base/checked.hpp"
#include "core/gemm/lower/steps.hpp"
#include "core/layout/algebra.hpp"
#include "core/layout/value_table.hpp"

namespace tessera::lowering {

namespace {

using plan::Id;

constexpr std::int64_t kRowBytes = 128;  // of a stage: one swizzle period
constexpr std::int64_t kMostBoxRows = 256;

// What an operand is called, and how the atom wants it.
struct Asked {
  const MmaAtom& atom;
  Operand operand;
  bool a() const { return operand == Operand::a; }
  bool mn_major() const { return a() ? atom.mn_major_a : atom.mn_major_b; }
  const char* mode() const { return a() ? "M" : "N"; }
  const char* contiguous() const { return mn_major() ? mode() : "K"; }
  const char* other() const { return mn_major() ? "K" : mode(); }
};

Status check_map(const GmemTensor& gmem, const Asked& asked) {
  const auto matrix = rows_of(gmem);
  const bool mapped = matrix && may_be_mapped(gmem, *matrix);
  if (mapped && matrix->along_first == asked.mn_major()) return Done{};
  const std::string other = with_other_major(asked.atom, asked.a());
  if (mapped && matrix->along_first && bits(gmem.type) != 16) {
    return refuse(
        ErrorCode::bad_spec,
        fmt::format("{} = {} is contiguous along {}; wgmma reads {} along K only, as {} does: other operands than those of 16 bits "
                    "are never transposed",
                    gmem.name, to_string(gmem.layout), asked.mode(), short_name(gmem.type), asked.atom.name),
        fmt::format("{} left out, with the matrix transposed before, or an atom of f16, of bf16, or of mma.sync", gmem.name));
  }
  if (mapped && !other.empty()) {
    return refuse(ErrorCode::bad_spec,
                  fmt::format("{} = {} is contiguous along {}; TMA needs rows that are contiguous along {}, as {} reads them", gmem.name,
                              to_string(gmem.layout), asked.other(), asked.contiguous(), asked.atom.name),
                  fmt::format("{} left out, or the atom {}", gmem.name, other));
  }
  return refuse(
      ErrorCode::bad_spec,
      fmt::format("{} = {}: TMA needs rows that are contiguous along {} and apart from each other, at a pitch of a multiple of 16 "
                  "bytes below 2^40",
                  gmem.name, to_string(gmem.layout), asked.contiguous()),
      fmt::format("{}{}", with_padded_rows(gmem, asked.mn_major()),
                  matrix && matrix->along_first != asked.mn_major() && !other.empty() ? " or the atom " + other : ""));
}

// The descriptor that says a stage: decoded pointwise, so that it cannot say another layout.
Result<plan::Descriptor> descriptor_of(const SmemTensor& smem, const Asked& asked, Id tensor, std::int64_t blk_mn, std::int64_t blk_k) {
  const std::int64_t bytes = bits(smem.type) / 8, of_row = kRowBytes / bytes;
  plan::Descriptor descriptor{asked.a() ? "dA" : "dB", tensor, plan::kSwizzledRows * kRowBytes, static_cast<int>(kRowBytes)};
  if (asked.mn_major()) descriptor.mn_major = true, descriptor.leading_bytes = blk_k * kRowBytes;
  bool says = asked.mn_major() ? blk_mn % of_row == 0 && blk_k % plan::kSwizzledRows == 0 : blk_k == of_row;
  const ValueTable place(smem.layout);
  for (std::int64_t mn = 0; mn < blk_mn && says; ++mn) {
    if (late()) return past_deadline("lowering: what a descriptor says of shared memory");
    for (std::int64_t k = 0; k < blk_k && says; ++k)
      says = place(mn, k) * bytes == plan::swizzled(descriptor.swizzle_bytes, plan::offset_of(descriptor, smem.type, mn, k));
  }
  if (says) return descriptor;
  const std::int64_t fitting_k = asked.mn_major() ? blk_k : of_row;
  const std::string_view element = cute_name(smem.type);
  return refuse(
      ErrorCode::bad_spec,
      fmt::format("{} = {} is no {}x{} tile of {}rows of {} bytes along {} whose 16-byte units are swizzled by row, which is what the "
                  "descriptor of this schedule says",
                  smem.name, to_string(smem.layout), blk_mn, blk_k, asked.mn_major() ? fmt::format("blocks of {} ", blk_k) : std::string(),
                  kRowBytes, asked.contiguous()),
      asked.mn_major() ? fmt::format("{0} left out, or {0}=tile_to_shape(GMMA::Layout_MN_SW128_Atom<{1}>, ({2},{3}), Step<_2,_1>)",
                                     smem.name, element, blk_mn, blk_k)
                       : fmt::format("{0} left out, or {0}=tile_to_shape(GMMA::Layout_K_SW128_Atom<{1}>, ({2},{3})) with BLK_K {4}",
                                     smem.name, element, blk_mn, fitting_k, fitting_k));
}

// How a tile is cut into boxes: `blocks` of them are loaded by each of `parts` CTAs of the cluster that share the operand.
struct Boxes {
  std::int64_t rows = 0, columns = 0;  // as TMA counts
  std::int64_t blocks = 1, parts = 1;
};

Result<Boxes> boxes_of(const SmemTensor& smem, const Asked& asked, std::int64_t blk_mn, std::int64_t blk_k, std::int64_t parts) {
  const std::int64_t of_row = kRowBytes * 8 / bits(smem.type);
  if (asked.mn_major()) {
    if (blk_mn % (of_row * parts) == 0 && blk_k <= kMostBoxRows) return Boxes{blk_k, of_row, blk_mn / of_row / parts, parts};
    return refuse(
        ErrorCode::bad_spec,
        fmt::format("{} x {} elements of {} in {} parts are no boxes of TMA: along {}, each part has a multiple of {} elements, and "
                    "a box at most {} of K",
                    blk_mn, blk_k, smem.name, parts, asked.mode(), of_row, kMostBoxRows),
        "cta_tiler or cluster");
  }
  // Whole rows: a swizzle goes by the address, so that a part may begin within its eight rows.
  if (blk_mn % plan::kSwizzledRows == 0 && blk_mn % parts == 0 && blk_mn / parts <= kMostBoxRows)
    return Boxes{blk_mn / parts, blk_k, 1, parts};
  return refuse(ErrorCode::bad_spec,
                fmt::format("{} rows of {} in {} parts are no boxes of TMA: {} are a multiple of {}, and each part has as many, at most {}",
                            blk_mn, smem.name, parts, asked.mode(), plan::kSwizzledRows, kMostBoxRows),
                "cta_tiler or cluster");
}

// (1, (box, part)) of K-major tiles, (1, (box, block, part)) of MN-major ones: one thread loads them.
Result<Layout> in_boxes(const Layout& tile, const Boxes& boxes, bool mn_major) {
  const std::int64_t mn = mn_major ? boxes.columns : boxes.rows, k = mn_major ? boxes.rows : boxes.columns;
  TESSERA_TRY(divided, zipped_divide(tile, Tiler(std::vector<Tiler>{mn, k}), Law::checked));  // ((mn, k), (block and part, 1))
  const Layout one = Layout::trusted(1, 0);
  if (!mn_major) return make_layout({one, make_layout({divided[0], divided[1][0]})});
  TESSERA_TRY(blocks, zipped_divide(divided[1][0], Tiler(boxes.blocks), Law::checked));  // (block, part)
  return make_layout({one, make_layout({divided[0], blocks[0], blocks[1]})});
}

}  // namespace

std::optional<plan::MatrixOfRows> rows_of(const GmemTensor& gmem) {
  plan::Tensor tensor;
  tensor.layout = gmem.layout;
  return plan::matrix_of_rows(tensor);
}

bool may_be_mapped(const GmemTensor& gmem, const plan::MatrixOfRows& matrix) {
  constexpr std::int64_t kPitches = std::int64_t{1} << 40;  // bytes: a pitch is less
  const std::int64_t bytes = bits(gmem.type) / 8;
  return matrix.pitch >= matrix.columns && matrix.pitch < kPitches / bytes && matrix.pitch * bytes % 16 == 0;
}

Result<Swizzle> swizzle_of_rows(ValueType type, std::int64_t row_bytes) {
  constexpr std::int64_t kUnitBytes = 16;
  int base = 0, count = 0;
  while (bits(type) << base < kUnitBytes * 8) ++base;
  while (kUnitBytes << count < row_bytes) ++count;
  return Swizzle::make(count, base, 3);
}

Result<AnyLayout> stage_of_rows(ValueType type, bool mn_major, const char* extent, std::int64_t blk_mn, std::int64_t blk_k) {
  const std::int64_t of_row = kRowBytes * 8 / bits(type);
  if (mn_major && blk_mn % of_row != 0) {
    return refuse(ErrorCode::not_divisible,
                  fmt::format("{} is {}; an operand along {} lies in rows of {} elements", extent, blk_mn, extent[4], of_row),
                  fmt::format("cta_tiler with {} a multiple of {}, or an atom that reads it along K", extent, of_row));
  }
  const IntTuple blocks = IntTuple::tuple({of_row, blk_mn / of_row});
  TESSERA_TRY(rows, mn_major
                        ? Layout::make(IntTuple::tuple({blocks, blk_k}), IntTuple::tuple({IntTuple::tuple({1, of_row * blk_k}), of_row}))
                        : Layout::make(IntTuple::tuple({blk_mn, blk_k}), IntTuple::tuple({blk_k, 1})));
  TESSERA_TRY(swizzle, swizzle_of_rows(type, kRowBytes));
  return AnyLayout(ComposedLayout{swizzle, 0, rows});
}

Status lower_smem_operand(Draft& plan, Operand operand) {
  const Asked asked{plan.mma->atom(), operand};
  const bool a = asked.a();
  const GmemTensor& gmem = plan.global[static_cast<std::size_t>(operand)];
  const SmemTensor& smem = plan.shared[static_cast<std::size_t>(operand)];
  const std::int64_t blk_mn = a ? plan.blk_m : plan.blk_n;
  TESSERA_CHECK(check_map(gmem, asked));
  TESSERA_TRY(boxes, boxes_of(smem, asked, blk_mn, plan.blk_k, a ? plan.cluster_n : plan.cluster_m));
  plan::Tensor global{gmem.name, plan::Space::global, operand, gmem.type, gmem.layout, gmem.tiles, gmem.elements};
  plan::Tensor shared{smem.name, plan::Space::shared, operand, smem.type, smem.layout};
  shared.ring = kTileRing, shared.stage_elements = smem.stage_elements, shared.byte_offset = smem.byte_offset;
  plan::OperandPath path;
  path.gmem = append(plan.tensors, std::move(global)), path.smem = append(plan.tensors, std::move(shared));
  TESSERA_TRY(descriptor, descriptor_of(smem, asked, path.smem, blk_mn, plan.blk_k));
  plan.descriptors.push_back(std::move(descriptor));
  const std::string letter = a ? "A" : "B";
  plan.maps.push_back({"m" + letter, path.gmem, boxes.rows, boxes.columns, static_cast<int>(kRowBytes)});
  std::vector<std::string> box{"box", "part"};
  if (asked.mn_major()) box = {"box", "block", "part"};
  TESSERA_TRY(from, in_boxes(gmem.tiles[0], boxes, asked.mn_major()));
  TESSERA_TRY(to, in_boxes(plain_part(smem.layout), boxes, asked.mn_major()));
  Id coordinates = plan::kNone;
  if (plan::has_edge(plan, operand)) {
    TESSERA_TRY(identity, tile_coordinates(plan, operand));
    TESSERA_TRY(of_boxes, in_boxes(identity, boxes, asked.mn_major()));
    coordinates = add_coordinates(plan, operand, "t" + letter + "c" + letter, std::move(of_boxes), box);
  }
  path.tXgX = append(plan.partitions, plan::Partition{"t" + letter + "g" + letter, path.gmem, from, box, coordinates});
  path.tXsX = append(plan.partitions, plan::Partition{"t" + letter + "s" + letter, path.smem, with_plain_part(smem.layout, to), box});
  TESSERA_TRY(values, thread_values(*plan.mma, operand, plain_part(smem.layout)));
  if (a) plan.mma_m = values[1][1].size(), plan.mma_k = values[1][2].size();
  if (!a) plan.mma_n = values[1][1].size();
  const AnyLayout tCsX = with_plain_part(smem.layout, std::move(values));
  plan.consumed[static_cast<std::size_t>(operand)] = tCsX;
  const std::vector<std::string> consumed{"val", a ? "MMA_M" : "MMA_N", "MMA_K"};
  path.partition = append(plan.partitions, plan::Partition{"tCs" + letter, path.smem, tCsX, consumed});
  path.read = path.fragment = path.received = path.partition;
  plan.operands[static_cast<std::size_t>(operand)] = path;
  return Done{};
}

}  // namespace tessera::lowering
