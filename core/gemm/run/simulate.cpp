// SPDX-License-Identifier: BSD-3-Clause
// The simulated CTA: shared memory, every thread's registers, and the plan's steps in the kernel's order. Instructions do what the
// hardware does (ldmatrix gathers rows by lane, mma combines the registers of its threads), so a wrong layout gives a wrong C.
#include "core/gemm/run/simulate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "core/base/budget.hpp"
#include "core/gemm/refuse.hpp"
#include "core/gemm/run/numerics.hpp"

namespace tessera {

namespace {

constexpr double kUnwritten = std::numeric_limits<double>::quiet_NaN();
constexpr int kWarp = 32;

// layout(row, col) for all rows and cols, row-major: evaluated once, used for every CTA and k-tile.
struct Table {
  std::int64_t columns = 0;
  std::vector<std::int64_t> entry;
  std::int64_t operator()(std::int64_t row, std::int64_t column) const { return entry[static_cast<std::size_t>(row * columns + column)]; }
};

Table tabulate(const AnyLayout& layout) {
  const Layout& plain = plain_part(layout);
  const std::int64_t rows = plain[0].size();
  Table table{plain[1].size(), {}};
  table.entry.reserve(static_cast<std::size_t>(rows * table.columns));
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t column = 0; column < table.columns && !late(); ++column) table.entry.push_back(evaluate(layout, row, column));
  }
  return table;
}

// (thr, (vec, store)) -> element of the tile of gC
Table tabulate_stores(const GemmPlan& plan) {
  Table table{plan.store_order.size(), {}};
  for (std::int64_t thr = 0; thr < plan.tCgC[0].size(); ++thr) {
    for (std::int64_t i = 0; i < table.columns && !late(); ++i) table.entry.push_back(plan.tCgC(thr, plan.store_order(i)));
  }
  return table;
}

// (thr, val) of an operand -> element of the atom's matrix, one row a logical thread.
struct AtomTables {
  Table a, b, c;
};

// One operand's way from global memory to registers.
struct OperandPath {
  const GmemTensor& gmem;
  const SmemTensor& smem;
  const GmemToSmemStep& g2s;
  const SmemToRmemStep& s2r;
  Table from, to;                              // (thr, (vec, copy)) of step 1
  Table address;                               // (thr, (val, copy, MMA_K)) of step 2
  std::vector<std::int64_t> rmem;              // (val, copy, MMA_K) -> register element
  std::vector<double> tile;                    // one stage of shared memory
  std::vector<std::vector<double>> registers;  // of each thread
  const std::vector<double>& source;
};

OperandPath make_path(const GemmPlan& plan, Operand operand, const std::vector<double>& source) {
  const bool a = operand == Operand::a;
  const SmemToRmemStep& s2r = a ? plan.s2r_a : plan.s2r_b;
  const GmemToSmemStep& g2s = a ? plan.g2s_a : plan.g2s_b;
  const SmemTensor& smem = a ? plan.sA : plan.sB;
  const std::int64_t elements = (a ? plan.tCrA : plan.tCrB).cosize();
  return OperandPath{a ? plan.gA : plan.gB,
                     smem,
                     g2s,
                     s2r,
                     tabulate(g2s.gmem),
                     tabulate(g2s.smem),
                     tabulate(s2r.smem),
                     image(s2r.rmem),
                     std::vector<double>(static_cast<std::size_t>(smem.stage_elements), kUnwritten),
                     std::vector<std::vector<double>>(static_cast<std::size_t>(plan.threads),
                                                      std::vector<double>(static_cast<std::size_t>(elements), kUnwritten)),
                     source};
}

class Cta {
 public:
  Cta(const GemmPlan& plan, const SimulationInput& input, Simulation& result)
      : plan_(plan),
        a_(make_path(plan, Operand::a, input.a)),
        b_(make_path(plan, Operand::b, input.b)),
        store_(tabulate_stores(plan)),
        order_(image(plan.store_order)),
        accumulators_(static_cast<std::size_t>(plan.threads), std::vector<double>(static_cast<std::size_t>(plan.tCrC.size()))),
        result_(result) {
    const MmaAtom& atom = plan.mma->atom();
    atom_ = {tabulate(atom.layout_a), tabulate(atom.layout_b), tabulate(atom.layout_c)};
    owners_ = plan.mma->thread_ids();
    const Shape& shape = atom.shape_mnk;
    m_ = size(shape[0]), n_ = size(shape[1]), k_ = size(shape[2]);
  }

  void run(std::int64_t m_tile, std::int64_t n_tile, bool traced) {
    for (auto& thread : accumulators_) std::fill(thread.begin(), thread.end(), 0.0);
    for (std::int64_t k_tile = 0; k_tile < plan_.k_tiles && !late(); ++k_tile) {
      const bool trace = traced && k_tile == 0;
      copy_to_smem(a_, a_.gmem.tiles(0, m_tile + k_tile * plan_.m_tiles), trace, Access::Step::g2s_read_a, Access::Step::g2s_write_a);
      copy_to_smem(b_, b_.gmem.tiles(0, n_tile + k_tile * plan_.n_tiles), trace, Access::Step::g2s_read_b, Access::Step::g2s_write_b);
      for (std::int64_t k = 0; k < plan_.mma_k && !late(); ++k) {
        copy_to_registers(a_, k);
        copy_to_registers(b_, k);
        multiply(k, trace);
      }
      if (trace) {
        record_reads(a_, Access::Step::s2r_a);
        record_reads(b_, Access::Step::s2r_b);
      }
    }
    store(plan_.gC.tiles(0, m_tile + n_tile * plan_.m_tiles), traced);
  }

 private:
  void copy_to_smem(OperandPath& path, std::int64_t tile_offset, bool trace, Access::Step read, Access::Step write) {
    std::fill(path.tile.begin(), path.tile.end(), kUnwritten);
    for (std::int64_t thr = 0; thr < path.g2s.threads; ++thr) {
      for (std::int64_t i = 0; i < path.from.columns; ++i) {
        const double value = path.source[static_cast<std::size_t>(tile_offset + path.from(thr, i))];
        path.tile[static_cast<std::size_t>(path.to(thr, i))] = round_to(path.gmem.type, value);
      }
    }
    if (!trace) return;
    record(read, path.from, path.g2s.threads, path.g2s.vector, path.g2s.copies, tile_offset, path.gmem.type, 0);
    record(write, path.to, path.g2s.threads, path.g2s.vector, path.g2s.copies, 0, path.smem.type, 0);
  }

  // All loads of k-block k.
  void copy_to_registers(OperandPath& path, std::int64_t k) {
    const std::int64_t copies = path.s2r.rmem[1].size();
    for (std::int64_t copy = k * copies; copy < (k + 1) * copies; ++copy) {
      if (path.s2r.instruction != SmemToRmem::load) {
        for (std::int64_t warp = 0; warp < plan_.threads / kWarp; ++warp) load_matrices(path, warp, copy);
        continue;
      }
      for (std::int64_t thr = 0; thr < plan_.threads; ++thr) {
        for (std::int64_t v = 0; v < path.s2r.values; ++v) {
          const std::int64_t i = copy * path.s2r.values + v;
          path.registers[static_cast<std::size_t>(thr)][static_cast<std::size_t>(path.rmem[static_cast<std::size_t>(i)])] =
              path.tile[static_cast<std::size_t>(path.address(thr, i))];
        }
      }
    }
  }

  void record_reads(const OperandPath& path, Access::Step step) {
    record(step, path.address, plan_.threads, path.s2r.vector, path.address.columns / path.s2r.vector, 0, path.smem.type,
           path.s2r.matrices);
  }

  // PTX ISA, ldmatrix: lane 8 i + r names row r of matrix i; lane t receives elements (t / 4, 2 (t % 4) + {0, 1}) of each matrix,
  // or their transposes.
  void load_matrices(OperandPath& path, std::int64_t warp, std::int64_t copy) {
    const bool transposed = path.s2r.instruction == SmemToRmem::ldmatrix_trans;
    for (std::int64_t lane = 0; lane < kWarp; ++lane) {
      for (std::int64_t matrix = 0; matrix < path.s2r.matrices; ++matrix) {
        for (std::int64_t j = 0; j < 2; ++j) {
          const std::int64_t row = transposed ? 2 * (lane % 4) + j : lane / 4, column = transposed ? lane / 4 : 2 * (lane % 4) + j;
          const std::int64_t from = path.address(warp * kWarp + matrix * 8 + row, copy * path.s2r.vector) + column;
          const std::int64_t to = path.rmem[static_cast<std::size_t>(copy * path.s2r.values + matrix * 2 + j)];
          path.registers[static_cast<std::size_t>(warp * kWarp + lane)][static_cast<std::size_t>(to)] =
              path.tile[static_cast<std::size_t>(from)];
        }
      }
    }
  }

  void multiply(std::int64_t k, bool trace) {
    const Layout& thr_layout = plan_.mma->thr_layout_vmnk();  // (V,M,N,K) -> thread
    const std::int64_t atom_threads = thr_layout[0].size(), atoms = thr_layout.size() / atom_threads;
    const std::int64_t a_values = plan_.tCrA[0].size(), b_values = plan_.tCrB[0].size(), c_values = plan_.tCrC[0].size();
    std::vector<double> a(static_cast<std::size_t>(m_ * k_)), b(static_cast<std::size_t>(n_ * k_));
    std::vector<std::int64_t> threads(static_cast<std::size_t>(atom_threads));
    for (std::int64_t atom = 0; atom < atoms; ++atom) {
      for (std::int64_t t = 0; t < atom_threads; ++t) threads[static_cast<std::size_t>(t)] = thr_layout(t + atom * atom_threads);
      for (std::int64_t m = 0; m < plan_.mma_m && !late(); ++m) {
        gather(a, a_, atom_.a, threads, plan_.tCrA, a_values * (m + plan_.mma_m * k));
        for (std::int64_t n = 0; n < plan_.mma_n; ++n) {
          gather(b, b_, atom_.b, threads, plan_.tCrB, b_values * (n + plan_.mma_n * k));
          accumulate(a, b, threads, c_values * (m + plan_.mma_m * n));
          if (trace) ++result_.mma_instructions;
        }
      }
    }
  }

  void gather(std::vector<double>& matrix, const OperandPath& path, const Table& owner, const std::vector<std::int64_t>& threads,
              const Layout& fragment, std::int64_t first) const {
    for (std::size_t t = 0; t < threads.size(); ++t) {
      const auto& registers = path.registers[static_cast<std::size_t>(threads[t])];
      for (std::int64_t v = 0; v < owner.columns; ++v) {
        matrix[static_cast<std::size_t>(owner(static_cast<std::int64_t>(t), v))] = registers[static_cast<std::size_t>(fragment(first + v))];
      }
    }
  }

  void accumulate(const std::vector<double>& a, const std::vector<double>& b, const std::vector<std::int64_t>& threads,
                  std::int64_t first) {
    const ValueType type = plan_.mma->atom().val_c;
    for (std::size_t t = 0; t < threads.size(); ++t) {
      auto& registers = accumulators_[static_cast<std::size_t>(threads[t])];
      for (std::int64_t v = 0; v < atom_.c.columns; ++v) {
        const std::int64_t mn = atom_.c(static_cast<std::int64_t>(t), v), m = mn % m_, n = mn / m_;
        double& c = registers[static_cast<std::size_t>(plan_.tCrC(first + v))];
        double sum = c;
        for (std::int64_t k = 0; k < k_; ++k) sum += a[static_cast<std::size_t>(m + m_ * k)] * b[static_cast<std::size_t>(n + n_ * k)];
        c = round_to(type, sum);
      }
    }
  }

  void store(std::int64_t tile_offset, bool trace) {
    for (const std::int64_t thr : owners_) {
      for (std::int64_t i = 0; i < store_.columns; ++i) {
        double& c = result_.c[static_cast<std::size_t>(tile_offset + store_(thr, i))];
        const double accumulator =
            accumulators_[static_cast<std::size_t>(thr)][static_cast<std::size_t>(plan_.tCrC(order_[static_cast<std::size_t>(i)]))];
        const double old = plan_.beta == 0.0 ? 0.0 : plan_.beta * c;
        c = round_to(plan_.gC.type, plan_.alpha * accumulator + old);
      }
    }
    if (trace) {
      record(Access::Step::store_c, store_, plan_.threads, plan_.epilogue_vector, store_.columns / plan_.epilogue_vector, tile_offset,
             plan_.gC.type, 0);
    }
  }

  void record(Access::Step step, const Table& table, std::int64_t threads, std::int64_t vector, std::int64_t instructions,
              std::int64_t offset, ValueType type, std::int64_t matrices) {
    for (std::int64_t instruction = 0; instruction < instructions; ++instruction) {
      for (std::int64_t warp = 0; warp * kWarp < threads; ++warp) {
        Access access{step, instruction, warp, vector * bits(type) / 8, matrices > 0, {}};
        for (int lane = 0; lane < kWarp; ++lane) {
          const std::int64_t thr = warp * kWarp + lane;
          const bool takes_part = thr < threads && (matrices == 0 || lane < 8 * matrices);
          access.address[static_cast<std::size_t>(lane)] = takes_part ? (offset + table(thr, instruction * vector)) * bits(type) / 8 : -1;
        }
        result_.trace.push_back(access);
      }
    }
  }

  const GemmPlan& plan_;
  OperandPath a_, b_;
  Table store_;                      // (thr, (vec, store)) -> element of the tile of gC
  std::vector<std::int64_t> order_;  // (vec, store) -> value
  AtomTables atom_;
  std::vector<std::int64_t> owners_;               // threads that hold an accumulator of their own
  std::vector<std::vector<double>> accumulators_;  // of each thread
  std::int64_t m_ = 0, n_ = 0, k_ = 0;             // of the atom
  Simulation& result_;
};

Status check_buffer(const char* name, std::size_t have, std::int64_t need) {
  if (static_cast<std::int64_t>(have) == need) return Done{};
  return refuse(ErrorCode::bad_spec, fmt::format("the values of {} are {} elements; the plan needs {}", name, have, need), {});
}

// Memory of a simulation beside its inputs: C, and for each value that a thread copies its address, its register and its trace.
std::int64_t bytes_of(const GemmPlan& plan) {
  constexpr std::int64_t kNumber = 8, kCopied = 3 * kNumber + static_cast<std::int64_t>(sizeof(Access)) / kWarp;
  const auto values = [](const AnyLayout& partition) { return size(partition); };
  const std::int64_t copied = count_sum(count_sum(values(plan.g2s_a.gmem), values(plan.g2s_b.gmem)),
                                        count_sum(count_sum(values(plan.s2r_a.smem), values(plan.s2r_b.smem)), plan.tCgC.size()));
  const std::int64_t stages = count_sum(plan.sA.stage_elements, plan.sB.stage_elements);
  return count_sum(count_product(copied, 2 * kCopied), count_product(count_sum(plan.gC.elements, stages), kNumber));
}

}  // namespace

Result<Simulation> simulate(const GemmPlan& plan, const SimulationInput& input) {
  if (static_cast<__int128>(plan.m) * plan.n * plan.k > kMostSimulatedMacs) {
    return refuse(ErrorCode::limit,
                  fmt::format("{} x {} x {} are more multiplications than the limit of the simulation, {}", plan.m, plan.n, plan.k,
                              kMostSimulatedMacs),
                  fmt::format("a smaller problem of the same tiles, such as m={} n={} k={}", plan.blk_m, plan.blk_n, 2 * plan.blk_k));
  }
  TESSERA_CHECK(check_buffer("A", input.a.size(), plan.gA.elements));
  TESSERA_CHECK(check_buffer("B", input.b.size(), plan.gB.elements));
  TESSERA_CHECK(check_buffer("C", input.c.size(), plan.gC.elements));
  const auto what = [&] { return fmt::format("the simulation of {} x {} x {}", plan.m, plan.n, plan.k); };
  TESSERA_CHECK(fit_bytes(bytes_of(plan), what));
  Simulation result;
  result.c = input.c;
  for (double& c : result.c) c = round_to(plan.gC.type, c);
  Cta cta(plan, input, result);
  TESSERA_CHECK(check_time(what));  // the tables end early when the time is over
  for (std::int64_t block = 0; block < plan.m_tiles * plan.n_tiles && !late(); ++block) {
    const IntTuple tile = evaluate(plan.cta_raster, block);  // (m_tile, n_tile)
    cta.run(tile[0].value(), tile[1].value(), block == 0);
  }
  TESSERA_CHECK(check_time(what));
  return result;
}

}  // namespace tessera
