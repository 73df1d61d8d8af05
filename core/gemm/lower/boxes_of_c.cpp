// SPDX-License-Identifier: BSD-3-Clause
// C of wgmma in boxes of shared memory: each thread writes its sums there, and one thread stores a box by TMA.
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/budget.hpp"
#include "core/gemm/device_model.hpp"
#include "core/gemm/lower/steps.hpp"
#include "core/gemm/plan/alignment.hpp"
#include "core/gemm/plan/register_file.hpp"
#include "core/layout/algebra.hpp"
#include "core/layout/value_table.hpp"

namespace tessera::lowering {

namespace {

using plan::Id;
using plan::kNone;
using plan::kWarpgroup;

constexpr std::int64_t kUnitBytes = 16;  // what stmatrix writes of a row, and what a swizzle moves

// Boxes hold what stmatrix or pairs of neighbours can be.
Status check_type(const GemmSpec& spec) {
  const ValueType c = spec.type_c;
  if (c != ValueType::f16 && c != ValueType::bf16 && c != ValueType::f32 && c != ValueType::i32) {
    return refuse(ErrorCode::bad_spec, fmt::format("boxes of C hold f16, bf16, f32 or s32; type_c is {}", short_name(c)),
                  "type_c=bf16 or type_c=f32");
  }
  if (spec.overlap == Overlap::deferred && (bits(c) != 16 || spec.beta != 0.0)) {
    return refuse(ErrorCode::bad_spec,
                  bits(c) != 16 ? fmt::format("overlap=deferred holds a tile in half the registers of its sums, in 16 bits; {} has {}",
                                              short_name(c), bits(c))
                                : fmt::format("beta is {}; overlap=deferred rounds a tile before its boxes of C are there", spec.beta),
                  "overlap=none, or skewed or ping_pong");
  }
  return Done{};
}

// The boxes that fill a tile's width and whose writes meet no bank twice, widest first. Rows of 128 bytes are swizzled as those of A and B
// are, and are the only ones where they fill the width. Of 16 bits there are swizzled rows of 64 and 32 bytes too. Rows that are an odd
// number of 8 columns need no swizzle: eight rows of 16 bytes, or four of 32, then lie in different banks.
std::vector<BoxOfC> boxes_of_width(ValueType type, std::int64_t blk_n) {
  constexpr std::int64_t kMostColumns = 256;  // of a box of TMA
  constexpr int kSwizzles[] = {128, 64, 32};
  const std::int64_t bytes = bits(type) / 8;
  std::vector<BoxOfC> boxes;
  for (const int swizzle : kSwizzles) {
    if (blk_n % (swizzle / bytes) == 0 && (swizzle == 128 || bytes == 2)) boxes.push_back({swizzle / bytes, swizzle});
    if (swizzle == 128 && !boxes.empty()) return boxes;
  }
  for (std::int64_t columns = 8; columns <= std::min(blk_n, kMostColumns); columns += 16) {
    if (blk_n % columns == 0) boxes.push_back({columns, 0});
  }
  std::sort(boxes.begin(), boxes.end(), [](const BoxOfC& a, const BoxOfC& b) { return a.columns > b.columns; });
  return boxes;
}

std::int64_t bytes_of(const BoxOfC& box, ValueType type) { return kBoxRows * box.columns * bits(type) / 8; }

// Behind the stages of A and B, with the mbarriers of both rings.
bool fits(const Draft& plan, const BoxOfC& box, std::int64_t consumers) {
  const std::int64_t barriers = 2 * plan.rings[kTileRing].stages + box.places * consumers;
  const std::int64_t bytes = round_up(plan.smem_bytes, kSmemAlignment) + box.places * consumers * bytes_of(box, plan.global[kC].type);
  return bytes + round_up(8 * barriers, kUnitBytes) <= smem_bytes_per_block(plan.mma->atom().arch.sm).value_or(bytes);
}

// A box's elements, (m, n) -> place, or what threads have of them.
AnyLayout in_box(const BoxOfC& box, ValueType type, Layout plain) {
  if (box.swizzle_bytes == 0) return plain;
  return ComposedLayout{swizzle_of_rows(type, box.swizzle_bytes).value(), 0, std::move(plain)};
}

// TMA writes rows of C that are contiguous along N, at a pitch of whole 16 bytes.
Status check_map(const GmemTensor& gmem) {
  const auto matrix = rows_of(gmem);
  if (matrix && !matrix->along_first && may_be_mapped(gmem, *matrix)) return Done{};
  return refuse(
      ErrorCode::bad_spec,
      fmt::format("{} = {}: TMA needs rows that are contiguous along their second mode, at a pitch of a multiple of 16 bytes below 2^40",
                  gmem.name, to_string(gmem.layout)),
      with_padded_rows(gmem, false) + ", or store=\"direct\"");
}

// (thr, (val, box, MMA_M)): a warpgroup's accumulators of 8 columns follow each other.
Layout with_boxes(const Layout& thr_values, std::int64_t columns) {
  const Layout values = thr_values[1];
  const IntTuple eights = values[0].stride()[2];  // from 8 columns to the next
  const IntTuple boxes =
      eights.is_basis() ? IntTuple::basis(eights.value() * (columns / 8), eights.path()) : eights.value() * (columns / 8);
  const Layout per_box =
      Layout::trusted(IntTuple::tuple({2, 2, columns / 8}), IntTuple::tuple({values[0].stride()[0], values[0].stride()[1], eights}));
  return make_layout({thr_values[0], make_layout({per_box, Layout::trusted(values[0].size() / (columns / 2), boxes), values[1]})});
}

// TMA stores: (thr, (element, box, MMA_M)) -> element of `tile`, of each warpgroup's first thread; 64 rows below are `down`, or a
// coordinate.
Result<Layout> boxes_of_warpgroups(const Draft& plan, const Layout& tile, std::int64_t warpgroups, std::int64_t columns) {
  TESSERA_TRY(cut, zipped_divide(tile, Tiler(std::vector<Tiler>{kBoxRows, columns}), Law::checked));  // ((64,columns),(rows / 64, box))
  const auto down = [&](std::int64_t times) {
    if (tile.has_basis()) return IntTuple::basis(kBoxRows * times, BasisPath{1, {0}});
    return IntTuple(cut[1][0].size() > 1 ? cut[1][0](1, 0) * times : 0);
  };
  const Layout thr = Layout::trusted(IntTuple::tuple({kWarpgroup, warpgroups}), IntTuple::tuple({0, down(1)}));
  return make_layout({thr, make_layout({cut[0], cut[1][1], Layout::trusted(plan.mma_m, down(warpgroups))})});
}

// The maps of C. Where its rows end inside a unit of 16 bytes, TMA stores what the units before it have, and threads the elements that are
// left over: each its sums of a box, tLgC (thr, (val, box, MMA_M)).
Status add_maps(const GemmSpec& spec, Draft& plan, const Layout& tCgC) {
  const std::int64_t columns = plan.box_of_c.columns;
  const plan::Id gC = plan.path(Operand::c).gmem;
  const std::int64_t unit = plan::kStoredUnit * 8 / bits(plan.global[kC].type), left_over = plan.n % unit;
  const plan::TensorMap whole{"mC", gC, kBoxRows, columns, plan.box_of_c.swizzle_bytes};
  const bool of_any_size = plan.extents == Extents::arguments, splits = left_over != 0 || of_any_size;
  if (of_any_size && plan.n < unit) {
    return refuse(
        ErrorCode::bad_spec,
        fmt::format("n is {}: with extents=arguments C leaves by a tensor map in units of 16 bytes, {} elements of {}, of which a "
                    "map has at least one",
                    plan.n, unit, short_name(plan.global[kC].type)),
        fmt::format("n={}, or extents=\"literals\"", unit));
  }
  if (!splits || spec.beta != 0.0) plan.load_map = append(plan.maps, whole);
  if (!splits) plan.store_map = plan.load_map;
  if (!splits) return Done{};
  if (plan.n > left_over) {
    plan.store_map = append(plan.maps, whole);
    plan::TensorMap& units = plan.maps.back();
    units.left_over = left_over;
    if (plan.load_map != kNone) units.name = "mD";
  }
  TESSERA_TRY(identity, tile_coordinates(plan, Operand::c));
  TESSERA_TRY(of_threads, thread_values(*plan.mma, Operand::c, identity));
  const std::vector<std::string> modes{"val", "box", "MMA_M"};
  const Id coordinates = add_coordinates(plan, Operand::c, "tLcC", with_boxes(of_threads, columns), modes);
  plan.left_over = append(plan.partitions, plan::Partition{"tLgC", gC, with_boxes(tCgC, columns), modes, coordinates});
  return Done{};
}

// C in boxes, and the barrier at which the threads of a consumer meet around each of them.
Status add_boxes(const GemmSpec& spec, Draft& plan, std::int64_t warpgroups, std::int64_t consumers, std::int64_t& smem_bytes) {
  TESSERA_CHECK(check_map(plan.global[kC]));
  const ValueType type = plan.global[kC].type;
  const BoxOfC& asked = plan.box_of_c;
  const std::int64_t columns = asked.columns, box_elements = kBoxRows * columns, box_bytes = bytes_of(asked, type);
  TESSERA_TRY(tCgC, thread_values(*plan.mma, Operand::c, plan.global[kC].tiles[0]));  // (thr, ((2,2,N/8), MMA_M, MMA_N))
  plan.tCgC = tCgC;
  plan.fragment[kC] = Layout::make_compact(tCgC[1].shape()).value();
  plan::OperandPath path;
  path.gmem = append(plan.tensors, plan::Tensor{"gC", plan::Space::global, Operand::c, plan.global[kC].type, plan.global[kC].layout,
                                                plan.global[kC].tiles, plan.global[kC].elements});
  plan::Tensor rC{"rC", plan::Space::registers, Operand::c, plan.mma->atom().val_c, plan.fragment[kC]};
  rC.elements = plan.fragment[kC].cosize();
  path.rmem = append(plan.tensors, std::move(rC));
  Id sums = kNone, stored = kNone;  // coordinates of each thread's sums, and of the boxes
  if (plan::has_edge(plan, Operand::c)) {
    TESSERA_TRY(identity, tile_coordinates(plan, Operand::c));
    TESSERA_TRY(of_threads, thread_values(*plan.mma, Operand::c, identity));
    sums = add_coordinates(plan, Operand::c, "tCcC", std::move(of_threads), {"val", "MMA_M", "MMA_N"});
    TESSERA_TRY(of_boxes, boxes_of_warpgroups(plan, identity, warpgroups, columns));
    stored = add_coordinates(plan, Operand::c, "tDcC", std::move(of_boxes), {"element", "box", "MMA_M"});
  }
  path.partition = append(plan.partitions, plan::Partition{"tCgC", path.gmem, tCgC, {"val", "MMA_M", "MMA_N"}, sums});
  path.fragment = append(plan.partitions, plan::Partition{"tCrC", path.rmem, plan.fragment[kC], {"val", "MMA_M", "MMA_N"}});
  const Layout boxes = with_boxes(make_layout({Layout::trusted(1, 0), plan.fragment[kC]}), columns)[1];  // (val, box, MMA_M) -> accumulator
  path.read = append(plan.partitions, plan::Partition{"tDrC", path.rmem, boxes, {"val", "box", "MMA_M"}});
  const bool deferred = spec.overlap == Overlap::deferred;
  const Layout held =
      deferred ? Layout::make_compact(make_layout({boxes[0], boxes[1]}).shape()).value() : Layout::make_compact(boxes[0].shape()).value();
  plan::Tensor rD{"rD", plan::Space::registers, Operand::c, plan.global[kC].type, held};
  rD.elements = held.size();
  const Id registers = append(plan.tensors, std::move(rD));
  const Layout one_mode = deferred ? held : make_layout({held});
  path.received = append(
      plan.partitions,
      plan::Partition{"tDrD", registers, one_mode, deferred ? std::vector<std::string>{"val", "box"} : std::vector<std::string>{"val"}});
  TESSERA_TRY(leaving, boxes_of_warpgroups(plan, plan.global[kC].tiles[0], warpgroups, columns));
  path.tXgX = append(plan.partitions, plan::Partition{"tDgC", path.gmem, std::move(leaving), {"element", "box", "MMA_M"}, stored});
  plan.operands[static_cast<std::size_t>(Operand::c)] = path;
  TESSERA_CHECK(add_maps(spec, plan, tCgC));
  TESSERA_TRY(plain, Layout::make(IntTuple::tuple({kBoxRows, columns}), IntTuple::tuple({columns, 1})));  // (m, n) -> element
  TESSERA_TRY(one_box,
              composition(plan.mma->atom().layout_c, Tiler(std::vector<Tiler>{Underscore{}, columns / 2})));  // (thr, val) -> m + 64 n
  TESSERA_TRY(written, composition(plain, one_box));
  smem_bytes = round_up(smem_bytes, kSmemAlignment);
  const Layout next = Layout::trusted(consumers, box_elements);  // a consumer's box lies behind the one of the consumer before it
  plan::Tensor sC{"sC", plan::Space::shared, Operand::c, plan.global[kC].type,
                  in_box(asked, type, make_layout({plain[0], make_layout({plain[1], next})}))};  // (m, (n, consumer))
  sC.ring = append(plan.rings, plan::Ring{"box", asked.places, kNone, kNone});
  sC.stage_elements = consumers * box_elements, sC.byte_offset = smem_bytes;
  smem_bytes += asked.places * consumers * box_bytes;
  if (spec.beta != 0.0)
    plan.rings[sC.ring].full =
        append(plan.barriers, plan::Barrier{"c_full", plan::BarrierKind::mbarrier, 1, plan::Num(box_bytes), sC.ring, 0, consumers});
  const Id tensor = append(plan.tensors, std::move(sC));
  const Layout threads = make_layout({written[0], next}), any_thread = make_layout({Layout::trusted(kWarpgroup, 0), next});
  plan.written = append(plan.partitions,
                        plan::Partition{"tDsC", tensor, in_box(asked, type, make_layout({threads, make_layout({written[1]})})), {"val"}});
  plan.leaving = append(plan.partitions,
                        plan::Partition{"tDsD", tensor, in_box(asked, type, make_layout({any_thread, make_layout({plain})})), {"element"}});
  plan.box = append(plan.cursors, plan::Cursor{"box", plan.tensors[tensor].ring});
  return Done{};
}

// Law of the boxes: what a thread writes into a box leaves to the element of C that its accumulator is the sum of.
Status check_boxes(const Draft& plan, std::int64_t warpgroups) {
  const plan::OperandPath& c = plan.operands[static_cast<std::size_t>(Operand::c)];
  const AnyLayout& sums = plan.partitions[c.partition].layout;  // (thr, ((2,2,N/8), MMA_M, 1)) -> element of the tile
  const ValueTable sum(sums), stores(plan.partitions[c.tXgX].layout), owner(plan.mma->atom().layout_c);  // (thr, val) -> m + 64 n
  const std::int64_t columns = plan.box_of_c.columns, values = columns / 2;                              // of a thread in a box
  const std::int64_t boxes = plan.blk_n / columns, elements = kBoxRows * columns;
  for (std::int64_t thr = 0; thr < warpgroups * kWarpgroup; ++thr) {
    for (std::int64_t half = 0; half < plan.mma_m; ++half) {
      for (std::int64_t v = 0; v < boxes * values; ++v) {
        if (late()) return past_deadline("lowering: the boxes of C");
        const std::int64_t place = owner(thr % kWarpgroup, v % values);
        const std::int64_t left = stores(thr, place + elements * (v / values + boxes * half));
        if (sum(thr, v + boxes * values * half) == left) continue;
        return refuse(ErrorCode::bad_spec,
                      fmt::format("thread {}'s value {} would leave in a box to another element of C under the permutation {}", thr, v,
                                  to_string(plan.mma->permutation_mnk())),
                      "make_tiled_mma without a permutation");
      }
    }
  }
  return Done{};
}

}  // namespace

Result<BoxOfC> box_of_c(const GemmSpec& spec, const Draft& plan, std::int64_t consumers) {
  TESSERA_CHECK(check_type(spec));
  const std::vector<BoxOfC> boxes = boxes_of_width(spec.type_c, plan.blk_n);  // widest first
  const std::int64_t most = plan.blk_n / boxes.back().columns;
  const bool is_asked = spec.store_boxes != GemmSpec().store_boxes;
  if (spec.store_boxes < 1 || (is_asked && spec.store_boxes > most)) {
    return refuse(
        ErrorCode::bad_spec,
        fmt::format("store_boxes is {}; a warpgroup has 1 to {} boxes of {} columns", spec.store_boxes, most, boxes.back().columns),
        fmt::format("store_boxes={}", std::clamp<std::int64_t>(spec.store_boxes, 1, most)));
  }
  const auto with_places = [](BoxOfC box, std::int64_t places) {
    box.places = places;
    return box;
  };
  const auto usual = [&](const BoxOfC& box) { return std::min(spec.store_boxes, plan.blk_n / box.columns); };
  for (const BoxOfC& box : boxes) {
    if (boxes.size() == 1 || (is_asked && plan.blk_n / box.columns < spec.store_boxes)) continue;
    for (std::int64_t places = usual(box); places >= (is_asked ? spec.store_boxes : 1); --places) {
      if (fits(plan, with_places(box, places), consumers)) return with_places(box, places);
    }
  }
  return with_places(boxes.back(), usual(boxes.back()));
}

Status lower_boxes_of_c(const GemmSpec& spec, Draft& plan, std::int64_t warpgroups, std::int64_t consumers, std::int64_t& smem_bytes) {
  TESSERA_CHECK(add_boxes(spec, plan, warpgroups, consumers, smem_bytes));
  return check_boxes(plan, warpgroups);
}

}  // namespace tessera::lowering
