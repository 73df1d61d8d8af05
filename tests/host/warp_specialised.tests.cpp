// SPDX-License-Identifier: BSD-3-Clause
// Emitted kernels of TMA and wgmma, executed: they compute their product, whatever arrives first; and a text with one thing wrong is told.
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/gemm/lower/lower.hpp"
#include "core/gemm/plan/explain_op.hpp"
#include "core/gemm/run/numerics.hpp"
#include "core/gemm/run/removals.hpp"
#include "core/gemm/run/simulate.hpp"
#include "core/gemm/rungs/ladder.hpp"
#include "kernels/codegen/emit_gemm.hpp"
#include "tests/host/hopper_text.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/element_bytes.hpp"
#include "tests/support/majors.hpp"
#include "tests/support/role_plans.hpp"
#include "tests/support/wgmma_specs.hpp"

using namespace tessera;
using host::Order;
using support::Majors;

namespace {

constexpr Order kOrders[] = {Order::first, Order::last, Order::in_turn, Order::shuffled};
constexpr Order kLatestAndEarliest[] = {Order::first, Order::in_turn};  // of what arrives

struct Case {
  std::string name;
  GemmPlan plan;
  KernelSource source;
};

Case made(const std::string& name, const GemmSpec& spec) {
  const auto plan = lower(spec);
  if (!plan) FAIL(name << ": " << describe(plan.error()));
  const auto source = emit_gemm(*plan);
  if (!source) FAIL(name << ": " << describe(source.error()));
  return {name, *plan, *source};
}

GemmSpec hopper(Overlap overlap, std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t blk_m, std::int64_t blk_n,
                std::int64_t warpgroups) {
  GemmSpec spec = support::hopper(overlap, m, n, k, blk_m, blk_n, warpgroups);
  spec.store_boxes = blk_n == 64 ? 1 : 2;
  return spec;
}

GemmSpec with_cluster(GemmSpec spec, std::int64_t m, std::int64_t n, std::int64_t ctas) {
  spec.cluster = IntTuple::tuple({m, n}), spec.ctas = ctas;
  return spec;
}

GemmSpec with_stages(GemmSpec spec, std::int64_t stages, std::int64_t boxes) {
  spec.stages = stages, spec.store_boxes = boxes;
  return spec;
}

// Those who multiply begin the copies too.
GemmSpec without_producer(GemmSpec spec) {
  spec.copies = Copies::ahead;
  return spec;
}

// Every schedule, in tiles that are small; k-tiles that fill the ring several times over, and that do not fill it once.
std::vector<Case> cases() {
  std::vector<Case> all;
  all.push_back(made("none", hopper(Overlap::none, 256, 128, 320, 128, 64, 2)));
  all.push_back(made("none, 1 x 2", with_cluster(hopper(Overlap::none, 256, 128, 320, 128, 64, 2), 1, 2, 2)));
  all.push_back(made("none, 2 x 2", with_cluster(hopper(Overlap::none, 256, 128, 128, 128, 64, 2), 2, 2, 4)));
  all.push_back(made("none, no cluster", with_cluster(hopper(Overlap::none, 256, 64, 128, 128, 64, 2), 1, 1, 1)));
  all.push_back(made("none, a tile a CTA", with_cluster(hopper(Overlap::none, 128, 64, 128, 64, 64, 1), 2, 1, 0)));
  all.push_back(made("none, two boxes", with_stages(hopper(Overlap::none, 256, 256, 128, 128, 128, 2), 2, 2)));
  all.push_back(made("none, one k-tile", hopper(Overlap::none, 256, 128, 64, 128, 64, 2)));
  all.push_back(made("ahead", without_producer(hopper(Overlap::none, 256, 128, 320, 128, 64, 2))));
  all.push_back(made("ahead, 2 x 2", without_producer(with_cluster(hopper(Overlap::none, 256, 128, 128, 128, 64, 2), 2, 2, 4))));
  all.push_back(made("ahead, NT", without_producer(support::with_majors(
                                      with_stages(hopper(Overlap::none, 256, 512, 192, 128, 256, 2), 2, 1), {true, true}))));
  all.push_back(made("ahead, one warpgroup", without_producer(with_cluster(hopper(Overlap::none, 128, 64, 256, 64, 64, 1), 1, 1, 1))));
  all.push_back(
      made("ahead, fewer k-tiles than stages", without_producer(with_stages(hopper(Overlap::none, 256, 128, 64, 128, 64, 2), 4, 1))));
  all.push_back(made("deferred", hopper(Overlap::deferred, 256, 256, 192, 128, 128, 2)));
  all.push_back(made("deferred, one k-tile", hopper(Overlap::deferred, 128, 256, 64, 64, 128, 1)));
  all.push_back(made("skewed", hopper(Overlap::skewed, 512, 128, 192, 256, 64, 2)));
  all.push_back(made("skewed, one warpgroup", hopper(Overlap::skewed, 256, 128, 128, 128, 64, 1)));
  all.push_back(made("ping-pong", hopper(Overlap::ping_pong, 128, 256, 192, 64, 64, 1)));
  all.push_back(made("ping-pong, an odd number of tiles", with_cluster(hopper(Overlap::ping_pong, 192, 64, 128, 64, 64, 1), 1, 1, 1)));
  GemmSpec spec = hopper(Overlap::none, 256, 128, 128, 128, 64, 2);
  spec.alpha = 0.5;
  all.push_back(made("none, alpha", spec));
  spec = hopper(Overlap::deferred, 128, 128, 128, 64, 64, 1);
  spec.alpha = -2;
  spec.mma = TiledMma::make(find_mma_atom("SM90_64x64x16_F32F16F16_SS<GMMA::Major::K,GMMA::Major::K>").value(),
                            Layout::make_compact(IntTuple::tuple({1, 1, 1})).value(), Underscore{})
                 .value();
  spec.type_c = ValueType::f16;
  all.push_back(made("deferred, f16", spec));
  for (const Overlap overlap : {Overlap::none, Overlap::skewed, Overlap::ping_pong}) {
    const bool skewed = overlap == Overlap::skewed, in_turn = overlap == Overlap::ping_pong;
    spec = support::stored_by_threads(hopper(overlap, skewed ? 512 : 128, 128, 192,
                                             skewed    ? 256
                                             : in_turn ? 64
                                                       : 128,
                                             64, in_turn ? 1 : 2));
    spec.registers = IntTuple::tuple({56, 208});
    all.push_back(made(fmt::format("overlap {}, stored by threads", static_cast<int>(overlap)), spec));
  }
  spec = without_producer(support::stored_by_threads(hopper(Overlap::none, 256, 128, 320, 128, 64, 2)));
  all.push_back(made("ahead, stored by threads", spec));
  spec = hopper(Overlap::deferred, 256, 256, 192, 128, 128, 2);
  spec.k_order = KOrder::zigzag, spec.raster_group = 2;
  all.push_back(made("deferred, zigzag", spec));
  return all;
}

// Operands along K, M and N, by every schedule, with clusters that share several boxes, one, or none.
std::vector<Case> cases_of_majors() {
  std::vector<Case> all;
  const auto add = [&](GemmSpec spec, Majors majors, const char* what) {
    spec = support::with_majors(std::move(spec), majors);
    all.push_back(made(majors.name() + ", " + what, spec));
  };
  for (const Majors majors : support::kMajors) {
    add(hopper(Overlap::none, 256, 256, 320, 128, 128, 2), majors, "none");
    add(with_cluster(hopper(Overlap::none, 256, 256, 128, 128, 128, 2), 2, 2, 4), majors, "none, 2 x 2");
    add(with_stages(hopper(Overlap::none, 256, 512, 192, 128, 256, 2), 2, 1), majors, "none, two boxes of B a CTA");
    add(hopper(Overlap::deferred, 256, 256, 192, 128, 128, 2), majors, "deferred");
    add(hopper(Overlap::skewed, 512, 128, 192, 256, 128, 2), majors, "skewed");
    add(with_cluster(hopper(Overlap::ping_pong, 128, 256, 192, 64, 64, 1), 1, 1, 1), majors, "ping-pong");
  }
  GemmSpec spec = with_cluster(hopper(Overlap::none, 128, 128, 128, 128, 128, 2), 1, 1, 1);
  spec.gA = Layout::make(IntTuple::tuple({128, 128}), IntTuple::tuple({1, 136})).value();
  spec.gB = Layout::make(IntTuple::tuple({128, 128}), IntTuple::tuple({1, 144})).value();
  add(spec, {true, true}, "padded");
  spec.cta_tiler = IntTuple::tuple({128, 128, 32});
  add(spec, {true, true}, "tiles of 32 of K");
  return all;
}

struct Data {
  std::vector<std::byte> a, b, c;  // c: before
  std::vector<double> want;
};

// Where element (mn, k) lies: K is the contiguous mode, or M or N is; the pitch as the spec says it.
std::size_t place(const GemmPlan& plan, Operand operand, std::size_t mn, std::size_t k) {
  const Layout& layout = plain_part(plan.gmem(operand).layout);
  const auto pitch = [&](std::size_t mode) { return static_cast<std::size_t>(layout.stride()[mode].value()); };
  return layout.stride()[1].value() == 1 ? mn * pitch(0) + k : mn + k * pitch(1);
}

// Integers, so that sums are the same in any order; `want` as C is defined.
Data data_of(const Case& each) {
  const GemmPlan& plan = each.plan;
  const SimulationInput input = integer_input(plan, 7);
  const auto rows = static_cast<std::size_t>(plan.m), columns = static_cast<std::size_t>(plan.n), depth = static_cast<std::size_t>(plan.k);
  Data data{support::bytes_of(input.a, each.source.a), support::bytes_of(input.b, each.source.b), {}, {}};
  data.c = plan.beta != 0 ? support::bytes_of(input.c, each.source.c)
                          : std::vector<std::byte>(static_cast<std::size_t>(each.source.c.bytes()), std::byte{0xff});
  const ValueType type_a = plan.gmem(Operand::a).type, type_b = plan.gmem(Operand::b).type, type_c = plan.gmem(Operand::c).type;
  const double alpha = plan.mma->atom().negative_a == plan.mma->atom().negative_b ? plan.alpha : -plan.alpha;
  const auto by_rows = [&](Operand operand, const std::vector<double>& values, std::size_t count, ValueType type) {
    std::vector<double> rounded;
    for (std::size_t i = 0; i < count * depth; ++i) rounded.push_back(round_to(type, values[place(plan, operand, i / depth, i % depth)]));
    return rounded;
  };
  const std::vector<double> a = by_rows(Operand::a, input.a, rows, type_a), b = by_rows(Operand::b, input.b, columns, type_b);
  for (std::size_t m = 0; m < rows; ++m) {
    for (std::size_t n = 0; n < columns; ++n) {
      double sum = 0;
      for (std::size_t k = 0; k < depth; ++k) sum += a[m * depth + k] * b[n * depth + k];
      if (plan.mma->atom().val_c == ValueType::f16 && round_to(ValueType::f16, sum) != sum) FAIL("f16 does not hold " << sum);
      const double old = plan.beta == 0 ? 0 : plan.beta * round_to(type_c, input.c[m * columns + n]);
      data.want.push_back(round_to(type_c, alpha * sum + old));
    }
  }
  return data;
}

// What is wrong with a kernel, or "".
std::string fault_of(const host::HostKernel& kernel, const Case& each, Data& data, Order order, std::uint32_t seed = 1) {
  const KernelSource& source = each.source;
  std::vector<std::byte> c = data.c;
  const auto maps = host::tensor_maps(each.plan, data.a, data.b, c);
  if (!maps) return describe(maps.error());
  const host::Buffers buffers{data.a, data.b,        c, static_cast<float>(source.alpha), static_cast<float>(source.beta), source.extents,
                              *maps,  source.takes_c};
  const auto cluster = static_cast<unsigned>(each.plan.cluster_m * each.plan.cluster_n);
  const Status ran = host::run(kernel, {source.grid, source.block, source.smem_bytes, order, seed, cluster}, buffers);
  if (!ran) return describe(ran.error());
  const std::vector<double> got = support::values_in(c, source.c);
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (got[i] != data.want[i]) return fmt::format("element {} of C is {} instead of {}", i, got[i], data.want[i]);
  }
  return "";
}

void expect_products(const std::vector<Case>& all, std::span<const Order> orders = kOrders) {
  std::vector<KernelSource> sources;
  for (const Case& each : all) sources.push_back(each.source);
  const auto library = host::KernelLibrary::compile(sources);
  if (!library) FAIL(library.error().message);
  for (std::size_t i = 0; i < all.size(); ++i) {
    Data data = data_of(all[i]);
    for (const Order order : orders) {
      INFO(all[i].name << ", order " << static_cast<int>(order));
      CHECK(fault_of(library->kernel(i), all[i], data, order, static_cast<std::uint32_t>(i)) == "");
    }
  }
}

}  // namespace

TEST_CASE("an emitted kernel of TMA and wgmma computes its product, whatever arrives first") { expect_products(cases()); }

TEST_CASE("a rung of TMA and wgmma computes its product, whatever arrives first") {
  std::vector<Case> all;
  for (const Rung& rung : ladder()) {
    const GemmSpec spec = rung.spec(256, 256, 320).value();
    if (spec.mma->atom().kind == MmaKind::wgmma) all.push_back(made(std::string(rung.name), spec));
  }
  CHECK(all.size() == 8);
  expect_products(all);
}

TEST_CASE("an emitted kernel whose operands lie along K, M or N computes its product, whatever arrives first") {
  expect_products(cases_of_majors(), kLatestAndEarliest);
}

TEST_CASE("an emitted kernel of wgmma of every type computes alpha A B^T + beta C, whatever arrives first") {
  std::vector<Case> all;
  for (const GemmSpec& spec : support::wgmma_specs()) all.push_back(made(spec.name, spec));
  expect_products(all, kLatestAndEarliest);
}

TEST_CASE("an emitted kernel of roles that multiply by mma.sync computes its product, whatever arrives first") {
  std::vector<Case> all;
  for (const support::Parted how : support::kParted) {
    GemmPlan plan = support::parted_plan(how);
    const auto source = emit_gemm(plan);
    if (!source) FAIL(describe(source.error()));
    all.push_back({plan.name, std::move(plan), *source});
  }
  expect_products(all);
  struct Broken {
    std::size_t of;
    const char *what, *from, *to;
    int n = 1;
  };
  const std::vector<Broken> broken{
      {0, "not every thread knows that the tile is there", "named_barrier_sync(0, 256);  // the tile is there", ";", 1},
      {1, "the producer's copies are not waited for", "cp_async_wait<0>();", ";"},
      {1, "the producer does not wait for a free stage", "mbarrier_wait(empty + 8 * write, write_phase ^ 1);", ";"},
      {1, "a consumer does not wait for a stage", "mbarrier_wait(full + 8 * read, read_phase);", ";"},
      {2, "a consumer does not wait for a stage", "mbarrier_wait(full + 8 * read, read_phase);", ";"},
      {2, "the producer does not wait for a free stage", "mbarrier_wait(empty + 8 * write, write_phase ^ 1);", ";"},
      {2, "the bytes are not announced", "mbarrier_expect(full + 8 * write, STAGE_BYTES);", ";"},
  };
  std::vector<KernelSource> sources;
  for (const Broken& each : broken) {
    INFO(each.what);
    sources.push_back(all[each.of].source);
    std::string& text = sources.back().text;
    const std::size_t begin = text.find("extern \"C\"");
    text = text.substr(0, begin) + support::exchanged(text.substr(begin), each.from, each.to, each.n);
  }
  const auto library = host::KernelLibrary::compile(sources);
  if (!library) FAIL(library.error().message);
  for (std::size_t i = 0; i < broken.size(); ++i) {
    Data data = data_of(all[broken[i].of]);
    std::string fault;
    for (const Order order : kOrders) fault += fault_of(library->kernel(i), all[broken[i].of], data, order);
    INFO(all[broken[i].of].name << ": " << broken[i].what);
    CHECK(fault != "");
  }
}

TEST_CASE("floats become tf32 on their way to shared memory, the nearest ones") {
  const Case each = made("tf32", support::wgmma("8_F32TF32TF32_SS_TN", ValueType::f32, Overlap::none));
  SimulationInput input = integer_input(each.plan, 7);
  for (double& a : input.a) a *= 1 + 0x3p-12;  // tf32 has 10 bits behind the point
  for (double& b : input.b) b *= 1 + 0x1p-12;
  const auto as_floats = [](const std::vector<double>& values) {
    return support::bytes_of(values, {"f32", static_cast<std::int64_t>(values.size()), 4});
  };
  Data data{as_floats(input.a), as_floats(input.b), data_of(each).c, reference(each.plan, input)};
  CHECK(simulate(each.plan, input, {.trace = false})->c == data.want);
  CHECK(data.want != data_of(each).want);
  const auto library = host::KernelLibrary::compile(std::array{each.source});
  if (!library) FAIL(library.error().message);
  CHECK(fault_of(library->kernel(0), each, data, Order::first) == "");
}

TEST_CASE("an emitted kernel of TMA and wgmma with one thing wrong is told") {
  const Case plain = made("none", hopper(Overlap::none, 256, 128, 320, 128, 64, 2)),
             deferred = made("deferred", hopper(Overlap::deferred, 256, 256, 192, 128, 128, 2)),
             skewed = made("skewed", hopper(Overlap::skewed, 256, 128, 192, 128, 64, 1)),
             ping_pong = made("ping-pong", hopper(Overlap::ping_pong, 128, 256, 192, 64, 64, 1)),
             along_mn =
                 made("NT", support::with_majors(with_stages(hopper(Overlap::none, 256, 512, 192, 128, 256, 2), 2, 1), {true, true})),
             ahead = made("ahead", without_producer(hopper(Overlap::none, 256, 128, 320, 128, 64, 2))),
             with_c = made("with C", support::wgmma("16_F32BF16BF16_SS<K,K>", ValueType::bf16, Overlap::none, 2, 0.5)),
             floats = made("floats", support::wgmma("32_F32E4M3E5M2_SS_TN", ValueType::f32, Overlap::none, 2, 0.5));
  struct Broken {
    const Case* of;
    std::string what, from, to;
    int n = 1;
  };
  const std::vector<Broken> all{
      {&plain, "a consumer does not wait for a stage", "mbarrier_wait(full + 8 * read, read_phase);", ";"},
      {&plain, "the other consumer does not wait for a stage", "mbarrier_wait(full + 8 * read, read_phase);",
       "if (consumer == 0) mbarrier_wait(full + 8 * read, read_phase);"},
      {&plain, "a phase never turns", "read_phase ^= read == STAGES - 1 ? 1 : 0;", ";"},
      {&plain, "the producer's phase never turns", "write_phase ^= write == STAGES - 1 ? 1 : 0;", ";"},
      {&plain, "the producer does not wait for a free stage", "mbarrier_wait(empty + 8 * write, write_phase ^ 1);", ";"},
      {&plain, "the last stage of a tile is not released", "mbarrier_arrive_at(empty + 8 * before, thr % 128);", ";", 2},
      {&plain, "the k-tile before is not waited for", "wgmma_wait<1>();", ";"},
      {&plain, "the tile is not waited for", "wgmma_wait<0>();", ";"},
      {&plain, "the registers are not fenced", "wgmma_fence();", ";"},
      {&plain, "a box is written while a store reads it", "tma_store_wait_read<0>();", ";"},
      {&plain, "not every thread knows that the box is free", "named_barrier_sync(1 + consumer, 128);", ";", 1},
      {&plain, "not every thread has written the box", "named_barrier_sync(1 + consumer, 128);", ";", 2},
      {&plain, "no fence before the store", "fence_async_proxy();", ";"},
      {&plain, "the sums begin with those of the tile before", "k_tile > 0 || k > 0", "t > 0 || k_tile > 0 || k > 0"},
      {&plain, "both consumers multiply the same rows", "sA + read * (SA_STAGE * 2) + consumer * 8192", "sA + read * (SA_STAGE * 2)"},
      {&plain, "the second half of B is the first", "+ rank_m * 4096", "", 1},
      {&plain, "the tile of C is another CTA's", "tma_store(&mC, n_tile * BLK_N, m_tile * BLK_M +", "tma_store(&mC, n_tile * BLK_N, 0 +"},
      {&deferred, "the box of the tile before is this one's", "wgmma_wait<1>();", ";"},
      {&deferred, "the last tile is not waited for", "tma_store_wait<0>();", ";"},
      {&skewed, "a half is not waited for", "wgmma_wait<1>();", ";", 2},
      {&ping_pong, "a consumer begins at another stage", "int read = 0", "int read = 1"},
      {&along_mn, "the next block of M or N lies elsewhere", "smem_descriptor_mn<8192, 1024, 128>(sB",
       "smem_descriptor_mn<4096, 1024, 128>(sB"},
      {&along_mn, "the next 8 of K lie elsewhere", "smem_descriptor_mn<8192, 1024, 128>(sA", "smem_descriptor_mn<8192, 2048, 128>(sA"},
      {&along_mn, "leading and stride are exchanged", "smem_descriptor_mn<8192, 1024, 128>(sB", "smem_descriptor_mn<1024, 8192, 128>(sB"},
      {&along_mn, "an operand is said to lie along K", "p, 1, 1, 1, 1;", "p, 1, 1, 1, 0;"},
      {&along_mn, "a k-block is 32 bytes from the next", "k * 2048", "k * 32"},
      {&along_mn, "both boxes arrive in one place", "+ block * 8192", ""},
      {&along_mn, "both boxes are the same of B", "+ block * 64", "", 2},
      {&along_mn, "rows and columns are exchanged", "n_tile * BLK_N + block * 64 + rank_m * 128, k_tile * BLK_K",
       "k_tile * BLK_K, n_tile * BLK_N + block * 64 + rank_m * 128"},
      {&ahead, "a later tile is copied into a stage that is read", "mbarrier_wait(empty + 8 * write, write_phase ^ 1);", ";", 2},
      {&ahead, "the stages are filled one too far", "stage < STAGES - 1", "stage < STAGES"},
      {&ahead, "a later tile is the wrong one", "(k_tile + STAGES - 1) * BLK_K", "(k_tile + STAGES - 2) * BLK_K"},
      {&with_c, "C's elements are not waited for", "mbarrier_wait(c_full + consumer * 16 + 8 * box_stage, box_stage_phase);", ";"},
      {&with_c, "the phase of a box never turns", "box_stage_phase ^= box_stage == 1 ? 1 : 0;", ";"},
      {&with_c, "C's elements are not announced", "mbarrier_expect(c_full + consumer * 16 + 8 * box_stage, 8192);", ";"},
      {&with_c, "C's elements are overwritten while other lanes read them", "named_barrier_sync(1 + consumer, 128);", ";", 1},
      {&with_c, "C's elements come while the box is on its way out", "tma_store_wait_read<1>();", ";"},
      {&with_c, "C's elements are another box's", "&mC, n_tile * BLK_N + box * 64,", "&mC, n_tile * BLK_N,"},
      {&floats, "the rows of a thread are exchanged", "pair % 2", "(1 - pair % 2)"},
      {&floats, "beta is 1", "beta * c.x", "c.x"},
      {&floats, "no fence before the store of floats", "fence_async_proxy();", ";"},
      {&ahead, "a later tile is not announced", "mbarrier_expect(full + 8 * write, STAGE_BYTES);", ";", 2},
  };
  std::vector<KernelSource> sources;
  for (const Broken& each : all) {
    INFO(each.what);
    sources.push_back(each.of->source);
    std::string& text = sources.back().text;
    const std::size_t begin = text.find("extern \"C\"");
    text = text.substr(0, begin) + support::exchanged(text.substr(begin), each.from, each.to, each.n);
  }
  const auto library = host::KernelLibrary::compile(sources);
  if (!library) FAIL(library.error().message);
  std::map<const Case*, Data> data;
  for (const Case* each : {&plain, &deferred, &skewed, &ping_pong, &along_mn, &ahead, &with_c, &floats}) data[each] = data_of(*each);
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (const Order order : {Order::first, Order::in_turn}) {
      const std::string fault = fault_of(library->kernel(i), *all[i].of, data[all[i].of], order);
      INFO(all[i].of->name << ": " << all[i].what << ", order " << static_cast<int>(order));
      CHECK(fault != "");
    }
  }
}

TEST_CASE("an emitted kernel is told without any of the waits, arrivals and fences that its plan's machine would miss") {
  const auto rung = [](std::int64_t number, std::int64_t m, std::int64_t ctas) {
    const Rung& of = *find_rung(number);
    GemmSpec spec = of.spec(m, 256, 384).value();
    if (ctas > 0) spec.ctas = ctas;
    return made(std::string(of.name), spec);
  };
  const std::vector<Case> all{rung(10, 64, 0), rung(16, 512, 2), made("skewed", hopper(Overlap::skewed, 512, 64, 384, 256, 64, 2)),
                              made("ping-pong", hopper(Overlap::ping_pong, 512, 64, 384, 64, 64, 1))};
  std::size_t texts = 0;
  for (const Case& each : all) {
    const RacedProblem problem = raced_problem(each.plan).value();
    const auto lines = emitting::emit_lines(each.plan).value();
    const std::vector<const plan::Op*> operations = operations_of(each.plan);
    std::vector<OrderingOp> ops;
    std::vector<KernelSource> sources;
    for (const OrderingOp& op : ordering_ops(each.plan)) {
      if (!judge_removal(each.plan, op, problem, 1).value().caught) continue;
      KernelSource source = each.source;
      source.text.clear();
      for (const emitting::SourceLine& line : lines) {
        if (line.op != operations[op.number]) source.text += line.text + "\n";
      }
      if (source.text.size() == each.source.text.size()) continue;  // a barrier of all roles is written once, for the first of them
      ops.push_back(op);
      sources.push_back(std::move(source));
    }
    texts += ops.size();
    const auto library = host::KernelLibrary::compile(sources);
    if (!library) FAIL(library.error().message);
    Data data = data_of(each);
    for (std::size_t i = 0; i < ops.size(); ++i) {
      std::string fault;
      for (const Order order : kLatestAndEarliest) fault += fault_of(library->kernel(i), each, data, order);
      INFO(each.name << ": without " << ops[i].text << " in " << ops[i].of);
      CHECK(fault != "");
    }
  }
  CHECK(texts > 80);
}
