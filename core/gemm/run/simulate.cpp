// SPDX-License-Identifier: BSD-3-Clause
// A simulation: what it needs is bounded, then cluster after cluster goes through the machine, and every element of C is asked for.
#include "core/gemm/run/simulate.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/budget.hpp"
#include "core/base/checked.hpp"
#include "core/gemm/plan/edges.hpp"
#include "core/gemm/refuse.hpp"
#include "core/gemm/run/machine.hpp"
#include "core/gemm/run/numerics.hpp"
#include "core/layout/value_table.hpp"

namespace tessera {

namespace {

Status check_buffer(const char* name, std::size_t have, std::int64_t need) {
  if (static_cast<std::int64_t>(have) == need) return Done{};
  return refuse(ErrorCode::bad_spec, fmt::format("the values of {} are {} elements; the plan needs {}", name, have, need), {});
}

// Memory of a simulation beside its inputs: C, the tables of addresses, shared memory with its marks, and the trace.
std::int64_t bytes_of(const GemmPlan& plan) {
  constexpr std::int64_t kNumber = 8, kMarks = 3 * static_cast<std::int64_t>(sizeof(machine::Mark)) + 2 * kNumber;
  std::int64_t shared = 0;  // elements
  for (const plan::Tensor& tensor : plan.tensors)
    shared = count_sum(shared, count_product(stages_of(plan.rings, tensor.ring), tensor.stage_elements));
  std::int64_t copied = 0;  // by each thread, in every partition
  for (const plan::Partition& partition : plan.partitions) copied = count_sum(copied, size(partition.layout));
  const std::int64_t trace = count_product(copied, static_cast<std::int64_t>(sizeof(Access)) / 32);
  const std::int64_t c = plan.mma ? plan.gmem(Operand::c).elements : 0;
  return count_sum(count_sum(machine::Addresses::bytes(plan), trace),
                   count_sum(count_product(c, kNumber + 1), count_product(shared, kMarks)));
}

std::vector<std::int64_t> matrix_elements(const Layout& layout) {  // thread * values + value
  const ValueTable element(layout);
  std::vector<std::int64_t> elements;
  elements.reserve(static_cast<std::size_t>(layout.size()));
  for (std::int64_t thread = 0; thread < element.size(0); ++thread) {
    for (std::int64_t value = 0; value < element.size(1); ++value) elements.push_back(element(thread, value));
  }
  return elements;
}

machine::AtomShape atom_shape(const MmaAtom& atom) {
  machine::AtomShape shape;
  shape.m = size(atom.shape_mnk[0]), shape.n = size(atom.shape_mnk[1]), shape.k = size(atom.shape_mnk[2]);
  shape.sign = product_sign(atom);
  shape.a = matrix_elements(atom.layout_a), shape.b = matrix_elements(atom.layout_b), shape.c = matrix_elements(atom.layout_c);
  shape.a_values = atom.layout_a[1].size(), shape.b_values = atom.layout_b[1].size(), shape.c_values = atom.layout_c[1].size();
  return shape;
}

// The atoms whose threads a role holds, which are counted modulo those of the tiled MMA.
std::vector<machine::AtomOfRole> atoms_of(const TiledMma& mma, const plan::Member& role) {
  const Layout& threads = mma.thr_layout_vmnk();  // (V,M,N,K) -> thread
  const std::int64_t of_atom = threads[0].size(), all = ceil_div(threads.cosize(), 32) * 32;
  std::vector<machine::AtomOfRole> atoms;
  for (std::int64_t atom = 0; atom < threads.size() / of_atom; ++atom) {
    machine::AtomOfRole of;
    const auto of_role = [&](std::int64_t thread) {  // the first thread from the role's first on that is this one
      return role.first_thread + (thread - role.first_thread % all + all) % all;
    };
    for (std::int64_t t = 0; t < of_atom; ++t) of.threads.push_back(of_role(threads(t + atom * of_atom)));
    const auto inside = [&](std::int64_t thread) { return thread < role.first_thread + role.threads; };
    if (std::all_of(of.threads.begin(), of.threads.end(), inside)) atoms.push_back(std::move(of));
  }
  return atoms;
}

// Every element of the tiles that these CTAs compute was stored.
Status check_stored(const GemmPlan& plan, const std::vector<std::uint8_t>& stored, std::int64_t ctas) {
  const std::int64_t cluster = plan.cluster_size(), clusters = plan.grid / cluster;
  const std::int64_t tiles = plan.m_tiles * plan.n_tiles / cluster, tile_elements = plan.blk_m * plan.blk_n;
  const ValueTable place_of(plan.gmem(Operand::c).tiles);  // (element, tile) -> offset
  for (std::int64_t cta = 0; cta < ctas && !late(); ++cta) {
    const std::int64_t rank = cta % cluster;
    for (std::int64_t tile = cta / cluster; tile < tiles; tile += clusters) {
      const auto [m_tile, n_tile] = plan::tile_of_raster(plan, tile, rank);
      for (std::int64_t i = 0; i < tile_elements; ++i) {
        const std::int64_t m = m_tile * plan.blk_m + i % plan.blk_m, n = n_tile * plan.blk_n + i / plan.blk_m;
        if (m >= plan.m || n >= plan.n) continue;
        if (stored[static_cast<std::size_t>(place_of(i, m_tile + n_tile * plan.m_tiles))] > 0) continue;
        return refuse(ErrorCode::bad_spec,
                      fmt::format("element ({},{}) of {} is never stored: CTA {} ends its tile ({},{}) without it", m, n,
                                  plan.gmem(Operand::c).name, cta, m_tile, n_tile),
                      {});
      }
    }
  }
  return Done{};
}

std::int64_t threads_of_cta(const GemmPlan& plan) {
  std::int64_t threads = plan.threads;
  for (const plan::Role& role : plan.roles) threads = std::max(threads, role.last_thread() + 1);
  return threads;
}

Status check_roles(const GemmPlan& plan) {
  if (plan.roles.empty()) return refuse(ErrorCode::bad_spec, "the plan has no roles, so that nobody computes", {});
  for (const plan::Role& a : plan.roles) {
    for (const plan::Role& b : plan.roles) {
      if (&a == &b || a.last_thread() < b.first_thread || b.last_thread() < a.first_thread) continue;
      return refuse(ErrorCode::bad_spec,
                    fmt::format("{} has threads {} to {}, {} {} to {}: a thread has one role", a.name, a.first_thread, a.last_thread(),
                                b.name, b.first_thread, b.last_thread()),
                    {});
    }
  }
  return Done{};
}

// One product of a batch, whose matrices are all that the input has.
Result<Simulation> simulate_product(const GemmPlan& plan, const SimulationInput& input, const SimulationOptions& options) {
  const std::int64_t cluster = plan.cluster_size();
  const std::int64_t ctas = options.ctas < 0 ? plan.grid : std::min(plan.grid, ceil_div(options.ctas, cluster) * cluster);
  const auto macs = static_cast<__int128>(plan.m_tiles * plan.blk_m) * (plan.n_tiles * plan.blk_n) * (plan.k_tiles * plan.blk_k);
  if (options.values && plan.mma && macs * ctas / std::max<std::int64_t>(plan.grid, 1) > kMostSimulatedMacs) {
    return refuse(ErrorCode::limit,
                  fmt::format("{} x {} x {} are more multiplications than the limit of the simulation, {}", plan.m, plan.n, plan.k,
                              kMostSimulatedMacs),
                  fmt::format("a smaller problem of the same tiles, such as m={} n={} k={}", plan.blk_m, plan.blk_n, 2 * plan.blk_k));
  }
  TESSERA_CHECK(check_roles(plan));
  const auto what = [&] { return fmt::format("the simulation of {} x {} x {}", plan.m, plan.n, plan.k); };
  TESSERA_CHECK(fit_bytes(bytes_of(plan), what));
  Simulation result;
  if (options.values) result.c = input.c;  // rounded where it is read; in the end every element was stored
  machine::Addresses addresses(plan);
  machine::AtomShape atom;
  const std::vector<plan::Member> members = plan.members();
  std::vector<std::vector<machine::AtomOfRole>> atoms(members.size());
  std::vector<std::uint8_t> stored(result.c.size(), 0), owns(32, 0);
  if (plan.mma) {
    atom = atom_shape(plan.mma->atom());
    for (std::size_t i = 0; i < atoms.size(); ++i) atoms[i] = atoms_of(*plan.mma, members[i]);
    owns.assign(static_cast<std::size_t>(ceil_div(plan.mma->thr_layout_vmnk().cosize(), 32) * 32), 0);
    for (const std::int64_t thread : plan.mma->thread_ids()) owns[static_cast<std::size_t>(thread)] = 1;
  }
  TESSERA_CHECK(check_time(what));  // the tables end early when the time is over
  machine::Shared shared{plan, input, options, addresses, atom, members, atoms, owns, threads_of_cta(plan), stored, result};
  for (std::int64_t cta = 0; cta < ctas; cta += cluster) TESSERA_CHECK(machine::Machine(shared, cta).run());
  TESSERA_CHECK(check_time(what));
  if (!plan.mma) return result;
  if (options.values) TESSERA_CHECK(check_stored(plan, stored, ctas));
  const std::int64_t tiles_of_first = std::max<std::int64_t>(1, ceil_div(plan.m_tiles * plan.n_tiles, plan.grid));
  result.mma_instructions /= tiles_of_first * plan.k_tiles;
  return result;
}

}  // namespace

Result<Simulation> simulate(const GemmPlan& plan, const SimulationInput& input, const SimulationOptions& options) {
  if (options.values && plan.mma) {
    TESSERA_CHECK(check_buffer("A", input.a.size(), plan.buffer_elements(Operand::a)));
    TESSERA_CHECK(check_buffer("B", input.b.size(), plan.buffer_elements(Operand::b)));
    TESSERA_CHECK(check_buffer("C", input.c.size(), plan.buffer_elements(Operand::c)));
  }
  if (plan.batch == 1 || !options.values) return simulate_product(plan, input, options);
  SimulationInput all = input;  // C as the products before have left it
  Simulation first;
  for (std::int64_t product = 0; product < plan.batch; ++product) {
    const auto matrix_of = [&](const std::vector<double>& values, Operand operand) {
      const auto begin = values.begin() + product * plan.gmem(operand).batch_elements;
      return std::vector<double>(begin, begin + plan.gmem(operand).elements);
    };
    SimulationOptions asked = options;
    if (product > 0) asked.trace = asked.timeline = false;
    TESSERA_TRY(one,
                simulate_product(plan, {matrix_of(all.a, Operand::a), matrix_of(all.b, Operand::b), matrix_of(all.c, Operand::c)}, asked));
    std::copy(one.c.begin(), one.c.end(), all.c.begin() + product * plan.gmem(Operand::c).batch_elements);
    if (product == 0) first = std::move(one);
  }
  first.c = std::move(all.c);
  return first;
}

}  // namespace tessera
