// SPDX-License-Identifier: BSD-3-Clause
// What Hopper does beside the threads: boxes of TMA, products of wgmma, and the barriers, groups and fences that order them.
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/checked.hpp"
#include "core/gemm/plan/descriptors.hpp"
#include "core/gemm/plan/register_file.hpp"
#include "core/layout/algebra.hpp"
#include "kernels/codegen/body.hpp"

namespace tessera::emitting {

namespace {

// Of a layout (..) -> element offset in a matrix of rows: the part that changes the row, and the one that changes the column.
struct RowsAndColumns {
  Layout rows, columns;
};
RowsAndColumns split(const Layout& layout, std::int64_t pitch) {
  return {with_strides(layout, [pitch](std::int64_t stride) { return stride / pitch; }),
          with_strides(layout, [pitch](std::int64_t stride) { return stride % pitch; })};
}

}  // namespace

// A number of the partition's thread that the role's first thread is.
std::string Body::of_leader(const plan::Partition& partition, const std::function<std::int64_t(std::int64_t)>& number) const {
  const std::int64_t threads = plain_part(partition.layout)[0].size();
  return of_member([&](std::int64_t member) { return number((role_->first_thread + member * role_->threads) % threads); });
}

// Where a box begins in its matrix: (row, column), as TMA counts.
Body::BoxPlace Body::box_place(const plan::At& at) const {
  const plan::Partition& part = partition(at);
  const plan::Tensor& gmem = tensor(at);
  const plan::MatrixOfRows matrix = plan::matrix_of_rows(gmem).value();
  const std::int64_t pitch = matrix.pitch;
  const Layout plain = plain_part(part.layout);
  const bool a = gmem.operand == Operand::a, c = gmem.operand == Operand::c;
  std::vector<std::string> rows, columns;
  std::vector<std::string>&first_mode = matrix.along_first ? columns : rows, &second_mode = matrix.along_first ? rows : columns;
  const auto tiles = [&](std::uint8_t mode, const char* blk) {
    const std::string tile = tile_variable(at, mode);
    return tile == "0" ? tile : fmt::format("{} * {}", tile, blk);
  };
  first_mode.push_back(tiles(0, a || c ? "BLK_M" : "BLK_N"));
  if (c) second_mode.push_back(tiles(1, "BLK_N"));
  for (const plan::Pick& pick : at.picks) {
    if (pick.mode == "k_tile") second_mode.push_back(fmt::format("{} * BLK_K", in_parentheses(k_tile(pick.at))));
  }
  const bool has_edge = part.coordinates != plan::kNone;
  const Layout places = has_edge ? plain_part(plan_.partitions[part.coordinates].layout) : plain;  // (thr, modes) -> (m, k), or offset
  const auto row_and_column = [&](const Layout& layout) {
    if (!has_edge) return split(layout, pitch);
    const auto row = static_cast<std::uint8_t>(matrix.along_first ? 1 : 0);
    return RowsAndColumns{basis_part(layout, row), basis_part(layout, static_cast<std::uint8_t>(1 - row))};
  };
  const RowsAndColumns first = row_and_column(places[0]);
  rows.push_back(of_leader(part, [&](std::int64_t thr) { return first.rows(thr); }));
  columns.push_back(of_leader(part, [&](std::int64_t thr) { return first.columns(thr); }));
  const Layout modes = places[1];
  for (std::size_t i = 1; i < part.modes.size(); ++i) {
    if (modes[i].size() == 1) continue;
    const RowsAndColumns both = row_and_column(modes[i]);
    rows.push_back(index_expr(both.rows, coordinate(at, part.modes[i])));
    columns.push_back(index_expr(both.columns, coordinate(at, part.modes[i])));
  }
  return {sum(rows), sum(columns)};
}

// The tile of K, counted down in every second tile of C where the loop says so.
std::string Body::k_tile(const plan::Index& at) const {
  const std::string forward = index(at);
  if (!backwards_) return forward;
  const std::string t = index(zigzag_tile_);
  return fmt::format("({} % 2 == 0 ? {} : K_TILES - 1 - {})", in_parentheses(t), forward, in_parentheses(forward));
}

std::string Body::address_of_tensor(const plan::At& at) const {
  const plan::Id id = partition(at).tensor;
  seen_.tensors.insert(id);
  return typed_.contains(id) ? fmt::format("{}({})", needs_("smem_address"), plan_.tensors[id].name) : plan_.tensors[id].name;
}

// The tile of M or N, which is not said where there is one.
std::string Body::tile_variable(const plan::At& at, std::uint8_t mode) const {
  if (has_one_tile_ && constants_.has_one_tile(tensor(at).operand, mode)) return "0";
  return tile_name(tensor(at).operand == Operand::b ? 1 : mode, at.tiles_back > 0);
}

// The address in shared memory at which the role's part of a stage begins: sA + read * (SA_STAGE * 2) + k * 32.
std::string Body::stage_address(const plan::At& at) const {
  const plan::Partition& part = partition(at);
  const plan::Tensor& smem = tensor(at);
  const std::int64_t bytes = bits(smem.type) / 8;
  std::vector<std::string> terms{address_of_tensor(at), stage_offset(at, true)};
  const Layout plain = plain_part(part.layout), threads = plain[0];
  terms.push_back(of_leader(part, [&](std::int64_t thr) { return threads(thr) * bytes; }));
  const Layout modes = plain[1];
  for (std::size_t i = 1; i < part.modes.size(); ++i) {
    if (modes[i].size() == 1) continue;
    terms.push_back(
        index_expr(with_strides(modes[i], [bytes](std::int64_t stride) { return stride * bytes; }), coordinate(at, part.modes[i])));
  }
  return sum(terms);
}

std::string Body::mbarrier(plan::Id id, const plan::Stage& stage, const plan::Index& member) const {
  const plan::Barrier& barrier = plan_.barriers[id];
  seen_.barriers.insert(id);
  const std::string of = index(member), place = stage.back == 0 ? cursor_name(stage.cursor) : "before";
  return sum({barrier.name, of == "0" ? of : fmt::format("{} * {}", in_parentheses(of), 8 * stages_of(plan_.rings, barrier.ring)),
              moving_cursors_.contains(stage.cursor) ? "8 * " + place : "0"});
}

// Named barriers count from 1: 0 is __syncthreads.
std::string Body::named_barrier(plan::Id id, const plan::Index& member) const {
  std::int64_t number = 1;
  for (plan::Id i = 0; i < id; ++i) number += plan_.barriers[i].kind == plan::BarrierKind::named ? plan_.barriers[i].members : 0;
  if (const auto of = this->number(member)) return fmt::format("{}", number + *of);
  return sum({fmt::format("{}", number), index(member)});
}

void Body::operator()(const plan::Wait& wait) {
  const plan::Barrier& barrier = plan_.barriers[wait.barrier];
  switch (barrier.kind) {
    case plan::BarrierKind::cta:
      lines_.add(is_in_branch_ ? fmt::format("{}(0, {});", needs_("named_barrier_sync"), barrier.arrivals) : "__syncthreads();", why_);
      return;
    case plan::BarrierKind::cluster: lines_.add(needs_("cluster_sync") + "();", why_); return;
    case plan::BarrierKind::named:
      lines_.add(fmt::format("{}({}, {});", needs_("named_barrier_sync"), named_barrier(wait.barrier, wait.member), barrier.arrivals),
                 why_);
      return;
    case plan::BarrierKind::mbarrier: break;
  }
  // A stage is empty when its last fill was released: the phase before the one in which it is filled.
  const bool is_empty = plan_.rings[barrier.ring].empty == wait.barrier;
  lines_.add(fmt::format("{}({}, {}_phase{});", needs_("mbarrier_wait"), mbarrier(wait.barrier, wait.stage, wait.member),
                         cursor_name(wait.stage.cursor), is_empty ? " ^ 1" : ""),
             why_);
}

void Body::operator()(const plan::Expect& expect) {
  lines_.add(fmt::format("{}({}, {});", needs_("mbarrier_expect"), mbarrier(expect.barrier, expect.stage, expect.member),
                         to_string(plan_.barriers[expect.barrier].bytes)),
             why_);
}

void Body::operator()(const plan::Arrive& arrive) {
  const plan::Barrier& barrier = plan_.barriers[arrive.barrier];
  if (barrier.kind == plan::BarrierKind::named) {
    lines_.add(fmt::format("{}({}, {});", needs_("named_barrier_arrive"), named_barrier(arrive.barrier, arrive.member), barrier.arrivals),
               why_);
    return;
  }
  const std::string at = mbarrier(arrive.barrier, arrive.stage, arrive.member);
  const std::string thr = thread_of_role();
  const bool in_cluster = arrive.in_whole_cluster;  // a thread for each CTA
  const bool everybody = !in_cluster && arrive.threads == role_->threads && arrive.stage.back == 0;
  if (everybody) return lines_.add(fmt::format("{}({});", needs_("mbarrier_arrive"), at), why_);
  const bool by_one = !in_cluster && arrive.threads == 1;
  lines_.open(by_one
                  ? fmt::format("if ({})", is_first_thread())
                  : fmt::format("if ({} < {})", thr, in_cluster ? std::string("CLUSTER_M * CLUSTER_N") : fmt::format("{}", arrive.threads)),
              why_);
  if (arrive.stage.back > 0) {
    const std::string cursor = cursor_name(arrive.stage.cursor);
    lines_.add(fmt::format("const int before = {0} == 0 ? {1} : {0} - 1;", cursor,
                           to_string(constants_.places(plan_.cursors[arrive.stage.cursor].ring) - 1)));
  }
  lines_.add(in_cluster ? fmt::format("{}({}, {});", needs_("mbarrier_arrive_at"), at, thr)
                        : fmt::format("{}({});", needs_("mbarrier_arrive"), at));
  lines_.close();
}

void Body::operator()(const plan::Fence& fence) {
  switch (fence.kind) {
    case plan::FenceKind::wgmma: lines_.add(needs_("wgmma_fence") + "();", why_); return;
    case plan::FenceKind::proxy_async: lines_.add(needs_("fence_async_proxy") + "();", why_); return;
    case plan::FenceKind::mbarrier_init: break;
  }
  for (plan::Id ring = 0; ring < plan_.rings.size(); ++ring) {
    const std::int64_t places = stages_of(plan_.rings, ring);
    std::vector<std::string> inits;
    for (const plan::Barrier& barrier : plan_.barriers) {
      if (barrier.kind != plan::BarrierKind::mbarrier || barrier.ring != ring) continue;
      for (std::int64_t member = 0; member < barrier.members; ++member)
        inits.push_back(fmt::format("{}({}, {});", needs_("mbarrier_init"),
                                    sum({barrier.name, fmt::format("{}", 8 * places * member), places > 1 ? "8 * stage" : "0"}),
                                    barrier.arrivals));
    }
    if (inits.empty()) continue;
    if (places > 1) lines_.loop("stage", to_string(constants_.places(ring)), true);
    for (const std::string& init : inits) lines_.add(init);
    if (places > 1) lines_.close();
  }
  lines_.add(needs_("fence_mbarrier_init") + "();", why_);
}

void Body::operator()(const plan::SetRegisters& set) {
  const bool raises = set.count > plan::registers_at_entry(plan_.threads);
  lines_.add(fmt::format("{}<{}>();", needs_(raises ? "raise_registers" : "lower_registers"), set.count), why_);
}

void Body::operator()(const plan::Commit& commit) {
  switch (commit.of) {
    case plan::GroupOf::cp_async: lines_.add(needs_("cp_async_commit") + "();", why_); return;
    case plan::GroupOf::wgmma: lines_.add(needs_("wgmma_commit") + "();", why_); return;
    case plan::GroupOf::bulk: lines_.add(needs_("tma_store_commit") + "();", why_); return;
  }
}

void Body::operator()(const plan::WaitGroup& wait) {
  switch (wait.of) {
    case plan::GroupOf::cp_async: lines_.add(fmt::format("{}<{}>();", needs_("cp_async_wait"), to_string(wait.pending)), why_); return;
    case plan::GroupOf::wgmma: lines_.add(fmt::format("{}<{}>();", needs_("wgmma_wait"), to_string(wait.pending)), why_); return;
    case plan::GroupOf::bulk:
      lines_.add(fmt::format("{}<{}>();", needs_(wait.only_read ? "tma_store_wait_read" : "tma_store_wait"), to_string(wait.pending)),
                 why_);
      return;
  }
}

void Body::load_box(const plan::Copy& copy) {
  const BoxPlace from = box_place(copy.from);
  const std::string to = stage_address(copy.to), barrier = mbarrier(copy.barrier, copy.to.stage, copy.member),
                    map = plan_.maps[copy.map].name;
  const std::string dimensions = plan_.is_batched() ? "_3d" : "";
  const std::string place = from.row + (plan_.is_batched() ? ", blockIdx.z" : "");
  if (!copy.multicast) {
    lines_.add(fmt::format("{}({}, &{}, {}, {}, {});", needs_("tma_load" + dimensions), to, map, from.column, place, barrier));
    return;
  }
  // The CTAs with the same rank_m share A, those with the same rank_n share B; rank = rank_m * CLUSTER_N + rank_n.
  const bool a = tensor(copy.to).operand == Operand::a;
  unsigned mask = 0;
  for (std::int64_t i = 0; i < (a ? plan_.cluster_n : plan_.cluster_m); ++i) mask |= 1U << (a ? i : i * plan_.cluster_n);
  const std::string shift = a ? (plan_.cluster_m > 1 ? " << rank_m * CLUSTER_N" : "") : (plan_.cluster_n > 1 ? " << rank_n" : "");
  lines_.add(fmt::format("{}({}, &{}, {}, {}, {}, 0x{:x}{});", needs_("tma_load_multicast" + dimensions), to, map, from.column, place,
                         barrier, mask, shift),
             fmt::format("for the {} CTAs that share it", a ? plan_.cluster_n : plan_.cluster_m));
}

void Body::store_box(const plan::Copy& copy) {
  const BoxPlace to = box_place(copy.to);
  const std::string dimensions = plan_.is_batched() ? "_3d" : "";
  const std::string place = to.row + (plan_.is_batched() ? ", blockIdx.z" : "");
  lines_.add(fmt::format("{}(&{}, {}, {}, {});", needs_("tma_store" + dimensions), plan_.maps[copy.map].name, to.column, place,
                         stage_address(copy.from)));
}

// Where each lane's row begins: (thr, (store)) -> element of the box. A lane gives row lane % 8 of matrix lane / 8 of its warp, whose
// elements the threads 4 (lane % 8) hold first, and matrix i is the values 2 i and 2 i + 1.
Address Body::matrix_rows(std::size_t id) const {
  const plan::Partition& part = plan_.partitions[id];
  const Layout plain = plain_part(part.layout);
  const std::int64_t matrices = uses_[id].stored_by_matrices, values = 2 * matrices;
  const Layout threads = plain[0], held = plain[1];
  const Layout row = composition(threads, Layout::trusted(8, 4)).value(), matrix = composition(held, Layout::trusted(matrices, 2)).value();
  const Layout warp = composition(threads, Layout::trusted(threads.size() / 32, 32)).value();
  const Layout unused = Layout::trusted(4 / matrices, 0);
  const std::int64_t stores = ceil_div(held.size(), values);  // the last may have fewer matrices
  const Layout store = composition(held, Layout::trusted(stores, values)).value();
  const Layout rows = make_layout({of_role(make_layout({row, matrix, unused, warp})), make_layout({store})});
  return {part.name, with_plain_part(part.layout, rows), {{"store", fmt::format("{}", stores), 1}}};
}

void Body::store_matrices(const plan::Copy& copy) {
  const plan::Partition& to = partition(copy.to);
  const std::int64_t matrices = plain_part(to.layout)[1].size() / 2, stores = matrices / copy.matrices,
                     bytes = bits(tensor(copy.to).type) / 8;
  const std::string base = sum({address_of_tensor(copy.to), stage_offset(copy.to, true)});
  const auto store_some = [&](std::int64_t count, const std::string& store, const std::string& first) {
    lines_.add(fmt::format("{}({} + {} * {}, &{}[{}]);", needs_(fmt::format("stmatrix_x{}", count)), base,
                           in_parentheses(matrix_rows(copy.to.partition).at({store})), bytes, array_of(copy.from),
                           fragment_register(copy.from, first)),
               std::exchange(why_, {}));
  };
  if (stores > 1) lines_.loop("store", fmt::format("{}", stores), true);
  if (stores > 0) store_some(copy.matrices, stores > 1 ? "store" : "0", stores > 1 ? fmt::format("store * {}", copy.matrices) : "0");
  if (stores > 1) lines_.close();
  if (const std::int64_t left_over = matrices % copy.matrices; left_over > 0)
    store_some(left_over, fmt::format("{}", stores), fmt::format("{}", stores * copy.matrices));
}

void Body::multiply_by_warpgroup(const plan::Mma& mma) {
  const Layout c = plain_part(partition(mma.c).layout);
  const std::int64_t mma_m = c[1].size(), mma_k = plain_part(partition(mma.a).layout)[1][2].size();
  std::string accumulate;
  bool always = mma.clears.empty();
  for (const plan::Index& clear : mma.clears) {
    const auto known = number(clear);
    if (known == 0) continue;
    if (known) always = true;
    accumulate += fmt::format("{}{} > 0", accumulate.empty() ? "" : " || ", index(clear));
  }
  if (mma_k > 1) accumulate += fmt::format("{}k > 0", accumulate.empty() ? "" : " || ");
  if (accumulate.empty()) accumulate = "0";
  if (always) accumulate = "1";
  int loops = 0;
  if (mma_k > 1) lines_.loop("k", to_string(constants_.extent("MMA_K", mma_k)), true), ++loops;
  const bool picks_m = !mma.c.picks.empty();
  if (mma_m > 1 && !picks_m) lines_.loop("m", to_string(constants_.extent("MMA_M", mma_m)), true), ++loops;
  const auto descriptor = [&](plan::Id id, const plan::At& at) {
    const plan::Descriptor& d = plan_.descriptors[id];
    if (d.mn_major)
      return fmt::format("{}<{}, {}, {}>({})", needs_("smem_descriptor_mn"), d.leading_bytes, d.stride_bytes, d.swizzle_bytes,
                         stage_address(at));
    return fmt::format("{}<{}, {}>({})", needs_("smem_descriptor"), d.stride_bytes, d.swizzle_bytes, stage_address(at));
  };
  lines_.add(fmt::format("{}(&{}[{}], {}, {}, {});", needs_("wgmma"), array_of(mma.c), fragment_register(mma.c, "0"),
                         descriptor(mma.descriptor_a, mma.a), descriptor(mma.descriptor_b, mma.b), accumulate));
  close(loops);
}

}  // namespace tessera::emitting
