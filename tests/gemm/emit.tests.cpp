// SPDX-License-Identifier: BSD-3-Clause
// Emitted text: index expressions equal their layouts, and the same plan gives the same bytes.
#include "kernels/codegen/emit_gemm.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/gemm/lower/emittable.hpp"
#include "core/gemm/lower/lower.hpp"
#include "core/gemm/rungs/ladder.hpp"
#include "kernels/codegen/can_emit.hpp"
#include "kernels/codegen/device_text.hpp"
#include "kernels/codegen/index_expr.hpp"
#include "kernels/codegen/lines.hpp"
#include "tests/gemm/plans.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/device_names.hpp"
#include "tests/support/edge_specs.hpp"
#include "tests/support/typed_specs.hpp"

using namespace tessera;

namespace {

// Evaluates "a % 4 * 8 + (a * 2) / 3" for one variable, by C's precedence.
class Evaluator {
 public:
  Evaluator(std::string_view text, std::int64_t variable) : text_(text), variable_(variable) {}
  std::int64_t sum() {
    std::int64_t value = product();
    while (take('+')) value += product();
    return value;
  }

 private:
  std::int64_t product() {
    std::int64_t value = factor();
    for (;;) {
      if (take('*'))
        value *= factor();
      else if (take('/'))
        value /= factor();
      else if (take('%'))
        value %= factor();
      else
        return value;
    }
  }
  std::int64_t factor() {
    skip();
    if (take('(')) {
      const std::int64_t value = sum();
      REQUIRE(take(')'));
      return value;
    }
    if (std::isdigit(static_cast<unsigned char>(text_[at_]))) {
      std::int64_t value = 0;
      while (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_]))) value = value * 10 + (text_[at_++] - '0');
      return value;
    }
    REQUIRE(std::isalpha(static_cast<unsigned char>(text_[at_])));
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_')) ++at_;
    return variable_;
  }
  void skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool take(char c) {
    skip();
    if (at_ < text_.size() && text_[at_] == c) return ++at_, true;
    return false;
  }
  std::string_view text_;
  std::int64_t variable_ = 0;
  std::size_t at_ = 0;
};

void expect_expression(const Layout& layout) {
  const std::string text = index_expr(layout, "thr");
  for (std::int64_t i = 0; i < layout.size(); ++i) {
    if (Evaluator(text, i).sum() != layout(i))
      FAIL(fmt::format("{} of {} at {}: {} for {}", text, to_string(layout), i, Evaluator(text, i).sum(), layout(i)));
  }
  SUCCEED(text);
}

}  // namespace

TEST_CASE("an index expression has the layout's value at every coordinate") {
  using support::layout;
  CHECK(index_expr(layout(IntTuple::tuple({4, 8}), IntTuple::tuple({8, 1})), "thr") == "thr % 4 * 8 + thr / 4");
  CHECK(index_expr(layout(32, 1), "thr") == "thr");
  CHECK(index_expr(layout(IntTuple::tuple({4, 2}), IntTuple::tuple({0, 0})), "thr") == "0");
  const std::int64_t extents[] = {1, 2, 3, 4}, strides[] = {0, 1, 2, 5, 12};
  for (const std::int64_t s0 : extents) {
    for (const std::int64_t s1 : extents) {
      for (const std::int64_t s2 : extents) {
        for (const std::int64_t d0 : strides) {
          for (const std::int64_t d1 : strides) {
            for (const std::int64_t d2 : strides) {
              expect_expression(layout(IntTuple::tuple({s0, IntTuple::tuple({s1, s2})}), IntTuple::tuple({d0, IntTuple::tuple({d1, d2})})));
            }
          }
        }
      }
    }
  }
}

TEST_CASE("every plain layout of the tour's plans becomes an expression with its values") {
  for (const GemmSpec& spec : {support::article(), support::tensor(256, 256, 64)}) {
    const GemmPlan plan = lower(spec).value();
    const auto of = [&](plan::Id id) { return plain_part(plan.partitions[id].layout); };
    for (const Layout& tv : {of(plan.path(Operand::a).tXgX), of(plan.path(Operand::b).tXgX), of(plan.path(Operand::c).partition)}) {
      expect_expression(tv[0]);
      expect_expression(tv[1]);
    }
    expect_expression(plan.gmem(Operand::a).tiles[1][0]);
    expect_expression(plan.gmem(Operand::c).tiles[1][1]);
  }
}

TEST_CASE("the same plan gives the same bytes, and the head names every tensor of the plan") {
  const GemmPlan plan = lower(support::article()).value();
  const KernelSource first = emit_gemm(plan).value(), second = emit_gemm(plan).value();
  CHECK(first.text == second.text);
  std::string head;  // without its line breaks
  for (const char c : first.text.substr(0, first.text.find("typedef"))) {
    if (c == '\n' || c == '/')
      continue;
    else if (c != ' ' || !head.ends_with(' '))
      head += c;
  }
  for (const PlanLine& line : describe(plan)) {
    CHECK(head.find(" " + line.name + " ") != std::string::npos);
    CHECK(head.find(line.value) != std::string::npos);
  }
  CHECK(first.text.find("(4,4,4):(17,272,4)") != std::string::npos);
  CHECK(first.text.find("#include") == std::string::npos);
}

TEST_CASE("a kernel knows its launch, its buffers and the product a library would be asked for") {
  const KernelSource source = emit_gemm(lower(support::tensor(512, 256, 128)).value()).value();
  CHECK(source.grid[0] == 8);
  CHECK(source.block[0] == 128);
  CHECK(source.a.bytes() == 512 * 128 * 2);
  CHECK(source.c.bytes() == 512 * 256 * 4);
  CHECK(source.flops == 2.0 * 512 * 256 * 128);
  CHECK(source.least_sm == 80);
  REQUIRE(source.blas.expressible);
  CHECK(source.blas.a_k_major);
  CHECK(source.blas.c_row_major);
  CHECK(source.blas.lda == 128);
  CHECK_FALSE(emit_gemm(lower(support::article()).value())->blas.c_row_major);
}

namespace {

GemmSpec one_tile(const char* atom, ValueType type_c) {
  GemmSpec spec;
  spec.mma =
      TiledMma::make(find_mma_atom(atom).value(), support::layout(IntTuple::tuple({1, 1, 1}), IntTuple::tuple({0, 0, 0})), Underscore{})
          .value();
  const Shape& shape = spec.mma->atom().shape_mnk;
  spec.m = size(shape[0]), spec.n = size(shape[1]), spec.k = size(shape[2]);
  spec.type_c = type_c;
  return spec;
}

std::string refusal(const GemmSpec& spec) {
  const auto source = emit_gemm(lower(spec).value());
  return source ? "" : describe(source.error());
}

}  // namespace

TEST_CASE("a library is asked about matrices whose rows or columns follow each other, and about nothing else") {
  GemmSpec spec = one_tile("SM80_16x8x16_F32F16F16F32_TN", ValueType::f32);
  const std::int64_t strides[] = {0, 1, 2, 7, 8, 9, 15, 16, 17, 40};
  const auto contiguous = [](std::int64_t near, std::int64_t far, std::int64_t extent) { return near == 1 && far >= extent; };
  for (const std::int64_t d0 : strides) {
    for (const std::int64_t d1 : strides) {
      for (const Operand operand : {Operand::a, Operand::b, Operand::c}) {
        const std::int64_t rows = operand == Operand::b ? 8 : 16, columns = operand == Operand::c ? 8 : 16;
        GemmSpec changed = spec;
        std::optional<Layout>& matrix = operand == Operand::a ? changed.gA : operand == Operand::b ? changed.gB : changed.gC;
        matrix = support::layout(IntTuple::tuple({rows, columns}), IntTuple::tuple({d0, d1}));
        const auto plan = lower(changed);
        if (!plan) continue;  // two elements of C at one place
        INFO(to_string(*matrix) << " as operand " << static_cast<int>(operand));
        const BlasProblem blas = emit_gemm(*plan)->blas;
        const bool by_rows = contiguous(d1, d0, columns), by_columns = contiguous(d0, d1, rows);
        CHECK(blas.expressible == (by_rows || by_columns));
        CHECK(blas.reason.empty() == blas.expressible);
        if (!blas.expressible) continue;
        CHECK((operand == Operand::a ? blas.lda : operand == Operand::b ? blas.ldb : blas.ldc) == (by_rows ? d0 : d1));
        CHECK((operand == Operand::a ? blas.a_k_major : operand == Operand::b ? blas.b_k_major : blas.c_row_major) == by_rows);
        CHECK(std::tuple(blas.m, blas.n, blas.k) == std::tuple(16, 8, 16));
      }
    }
  }
  spec.gA = support::layout(IntTuple::tuple({IntTuple::tuple({4, 4}), 16}), IntTuple::tuple({IntTuple::tuple({16, 64}), 1}));
  CHECK_FALSE(emit_gemm(lower(spec).value())->blas.expressible);
}

TEST_CASE("a kernel for one architecture alone says so to the compiler and to its reader") {
  GemmPlan plan = lower(support::tensor(256, 128, 96)).value();
  const KernelSource any = emit_gemm(plan).value();
  CHECK(any.arch_suffix == 0);
  CHECK(any.text.find("  sm_80 or later\n") != std::string::npos);
  CHECK(standalone_program(any).find(" -arch=sm_80 ") != std::string::npos);
  plan.arch.sm = 90, plan.arch.suffix = 'a';
  const KernelSource one = emit_gemm(plan).value();
  CHECK(one.least_sm == 90);
  CHECK(one.arch_suffix == 'a');
  CHECK(one.text.find("  sm_90a\n") != std::string::npos);
  CHECK(standalone_program(one).find(" -gencode arch=compute_90a,code=sm_90a ") != std::string::npos);
}

TEST_CASE("a kernel's parameters stand below each other, and further left where its name is long") {
  for (std::size_t length = 30; length < 50; ++length) {
    GemmPlan plan = lower(support::article()).value();
    plan.name = std::string(length, 'x');
    const KernelSource source = emit_gemm(plan).value();
    const std::size_t entry = source.text.find("\n" + source.entry + "("), scales = source.text.find("float alpha, float beta)", entry);
    REQUIRE(scales != std::string::npos);
    INFO(source.entry);
    CHECK(scales - source.text.rfind('\n', scales) - 1 == (source.entry.size() < 40 ? source.entry.size() + 1 : 4));
  }
}

TEST_CASE("no compiler may move or leave out what an instruction does to memory or for other threads") {
  std::size_t statements = 0;
  for (const std::string_view file :
       {device_text::memory, device_text::mbarrier, device_text::cluster, device_text::tma, device_text::ldmatrix, device_text::stmatrix,
        device_text::wgmma, device_text::registers, device_text::swizzle, device_text::convert}) {
    for (std::size_t at = file.find("asm"); at != std::string_view::npos; at = file.find("asm", at + 1)) {
      const std::string_view whole = file.substr(at, file.find(");", at) - at);
      ++statements;
      INFO(whole);
      if (whole.find("cvt") != std::string_view::npos) continue;      // its result follows from its operand
      if (whole.find("ctarank") != std::string_view::npos) continue;  // and this one's never changes
      CHECK(whole.starts_with("asm volatile("));
      CHECK(whole.find("\"memory\"") != std::string_view::npos);
      CHECK((whole.find("matrix.") == std::string_view::npos || whole.find(".sync.aligned.") != std::string_view::npos));
    }
  }
  CHECK(statements == 50);
}

TEST_CASE("a tile of one k-block is loaded after its copy has arrived and before its stage is written again") {
  GemmSpec spec = support::tensor(256, 128, 160, 128, 128, 16, 3);
  const GemmPlan plan = lower(spec).value();
  REQUIRE(plan.mma_k == 1);
  const std::string text = emit_gemm(plan)->text;
  const std::size_t loop = text.find("for (int k_tile = 0;");
  REQUIRE(loop != std::string::npos);
  CHECK(text.substr(0, loop).find("load_fragments(") == std::string::npos);
  std::size_t at = loop;
  for (const char* step : {"cp_async_wait<STAGES - 2>();", "__syncthreads();", "load_fragments();", "copy_tile(k_tile + STAGES - 1);",
                           "cp_async_commit();", "multiply();"}) {
    INFO(step);
    const std::size_t next = text.find(step, at);
    REQUIRE(next != std::string::npos);
    at = next;
  }
}

TEST_CASE("what no kernel is emitted for is refused with what there is") {
  const std::string short_integers = refusal(one_tile("SM80_16x8x16_F32F16F16F32_TN", ValueType::i16));
  CHECK(short_integers.find("elements of type s16") != std::string::npos);
  CHECK(short_integers.find("f16, bf16, tf32, f32, f64, s8, u8, s32, and of A and B e4m3 and e5m2") != std::string::npos);
  for (const ValueType type : {ValueType::e4m3, ValueType::e5m2})
    CHECK(refusal(one_tile("SM89_16x8x32_F32E4M3E4M3F32_TN", type)).find("no kernel stores elements of type e") != std::string::npos);
  CHECK(refusal(one_tile("SM61_DP4A", ValueType::i32)).find("no kernel is emitted for SM61_DP4A") != std::string::npos);
  CHECK(refusal(one_tile("UniversalFMA<float,int,int,float>", ValueType::f32)).find("UniversalFMA of float") != std::string::npos);
}

TEST_CASE("a branch of the kernel is whole warps, one behind the other; anything else is refused by name") {
  const auto refused = [](const auto& change) {
    GemmPlan plan = lower(support::hopper(Overlap::none, 256, 256, 128, 128, 128, 2)).value();
    change(plan);
    const auto text = emit_gemm(plan);
    return text ? std::string() : text.error().message;
  };
  const auto first_op = [](plan::AnyOp op) {
    return [op](GemmPlan& plan) { plan.roles.back().block.insert(plan.roles.back().block.begin(), plan::Op{op, ""}); };
  };
  CHECK(refused([](GemmPlan&) {}) == "");
  CHECK(refused(first_op(plan::Wait{0, {0, 1}})).starts_with("a wait for a stage before is drawn"));
  CHECK(refused([&](GemmPlan& plan) {
          const auto ring = static_cast<plan::Id>(plan.rings.size() - 1), cursor = static_cast<plan::Id>(plan.cursors.size() - 1);
          plan.barriers.push_back({"other", plan::BarrierKind::mbarrier, 1, 0, ring});
          first_op(plan::Wait{static_cast<plan::Id>(plan.barriers.size() - 1), {cursor}})(plan);
        }).starts_with("a wait at an mbarrier of another ring than that of sA is drawn"));
  CHECK(refused(first_op(plan::Wait{99})).starts_with("producer names barrier 99, and the plan has"));
  CHECK(refused(first_op(plan::Arrive{1, {0, 2}})).starts_with("an arrival at a stage further back than the one before is drawn"));
  CHECK(refused([](GemmPlan& plan) {
          plan.roles.back().threads = 96;
        }).starts_with("setmaxnreg in a role that is no whole warpgroup is drawn"));
  const auto without_registers = [](GemmPlan& plan) {
    std::erase_if(plan.roles.back().block, [](const plan::Op& op) { return std::holds_alternative<plan::SetRegisters>(op.op); });
  };
  CHECK(refused([&](GemmPlan& plan) { without_registers(plan), plan.roles.back().threads = 80; }).find("whole warps of 32") !=
        std::string::npos);
  CHECK(refused([&](GemmPlan& plan) { without_registers(plan), plan.roles.back().threads = 96, plan.threads -= 32; }) == "");
  CHECK(refused([](GemmPlan& plan) { plan.roles.back().first_thread = 0; }).find("from thread 256 on") != std::string::npos);
  CHECK(refused([](GemmPlan& plan) { plan.threads = 512; }).find("the CTA has 512 threads, and its roles together 384") !=
        std::string::npos);
  CHECK(refused([](GemmPlan& plan) {
          for (int i = 0; i < 14; ++i) plan.barriers.push_back({"more", plan::BarrierKind::named, 128});
        }).find("16 named barriers; a CTA has 15") != std::string::npos);
}

TEST_CASE("the roles of a family are one branch with their index, which a warp takes as a whole") {
  const auto text = [](const GemmSpec& spec) { return emit_gemm(lower(spec).value()).value().text; };
  const auto has = [](const std::string& text, std::string_view words) { return text.find(words) != std::string::npos; };
  for (const Overlap overlap : {Overlap::none, Overlap::deferred}) {
    const std::string merged = text(support::hopper(overlap, 256, 256, 256, 128, 128, 2));
    CHECK(has(merged, "const int warp = __shfl_sync(0xffffffff, thr / 32, 0);"));
    CHECK(has(merged, "  if (warp < 8) {"));
    CHECK(has(merged, "const int consumer = warp / 4;"));
    CHECK(has(merged, "m_tile * BLK_M + consumer * 64"));
    CHECK(has(merged, "named_barrier_sync(1 + consumer, 128);"));
    CHECK(has(merged, "} else {  // producer"));
    CHECK_FALSE(has(merged, "thr - 128"));
  }
  const std::string in_turn = text(support::hopper(Overlap::ping_pong, 256, 256, 256, 64, 128, 1));
  CHECK(has(in_turn, "  if (warp < 8) {"));
  CHECK(has(in_turn, "for (int t = consumer; "));
  CHECK(has(in_turn, "named_barrier_arrive(3 + (consumer + 1) % 2, 256);"));
  GemmSpec ahead = support::hopper(Overlap::none, 256, 256, 256, 128, 128, 2);
  ahead.copies = Copies::ahead;
  const std::string begins_copies = text(ahead);
  CHECK(has(begins_copies, "const int warpgroup = __shfl_sync(0xffffffff, thr / 128, 0);"));
  CHECK_FALSE(has(begins_copies, "warp < "));
}

TEST_CASE("a barrier at which all roles begin or end stands once outside of their branches, behind the initialisation of mbarriers") {
  const auto with_cluster = [](GemmSpec spec, std::int64_t m) {
    spec.cluster = IntTuple::tuple({m, 1});
    return spec;
  };
  std::vector<GemmSpec> specs{
      support::hopper(Overlap::none, 256, 256, 256, 128, 128, 2), support::hopper(Overlap::ping_pong, 256, 256, 256, 64, 128, 1),
      support::hopper(Overlap::none, 256, 256, 256, 128, 128, 2), support::hopper(Overlap::none, 128, 64, 256, 64, 64, 1)};
  specs[2].copies = Copies::ahead, specs[3].copies = Copies::ahead, specs[3].store_boxes = 1;  // one branch
  for (std::size_t i = 0; i < specs.size(); ++i) {
    for (const std::int64_t ctas : {1, 2}) {
      INFO("spec " << i << ", " << ctas << " CTAs");
      const auto plan = lower(with_cluster(specs[i], ctas));
      if (!plan) FAIL(describe(plan.error()));
      const std::string source = emit_gemm(*plan).value().text;
      const std::size_t body = source.find("const int thr = threadIdx.x;");
      const std::string text = source.substr(body, source.find("\n}\n", body) - body);
      const std::string barrier = ctas == 1 ? "__syncthreads();" : "cluster_sync();", other = ctas == 1 ? "cluster_sync" : "__syncthreads";
      const std::size_t initialised = text.find("\n    fence_mbarrier_init();"), begins = text.find("\n  " + barrier),
                        branches = plan->roles.size() > 1 ? text.find("\n  if (warp < ") : begins + 1,
                        closes = plan->roles.size() > 1 ? text.rfind("\n  }") : branches + 1, ends = text.find("\n  " + barrier, branches);
      CHECK(initialised < begins);
      CHECK(begins < branches);
      CHECK(branches < closes);
      CHECK(text.find("fence_mbarrier_init", initialised + 8) == std::string::npos);
      CHECK(text.find(other) == std::string::npos);
      CHECK(text.find("    " + barrier) == std::string::npos);
      if (ctas == 1) CHECK(ends == std::string::npos);  // nobody signals it from outside
      if (ctas > 1) CHECK((closes < ends && ends != std::string::npos));
    }
  }
}

TEST_CASE("the CTA's barrier inside of a branch counts its threads, since other branches wait on it at a place of their own") {
  GemmSpec spec = support::hopper(Overlap::none, 256, 256, 256, 128, 128, 2);
  spec.cluster = 1;
  GemmPlan plan = lower(spec).value();
  const auto cta =
      std::find_if(plan.barriers.begin(), plan.barriers.end(), [](const auto& each) { return each.kind == plan::BarrierKind::cta; });
  REQUIRE(cta != plan.barriers.end());
  const plan::Wait wait{static_cast<plan::Id>(cta - plan.barriers.begin())};
  for (plan::Role& role : plan.roles) role.block.push_back({wait, "at the end"});
  const auto has = [&](std::string_view words) { return emit_gemm(plan).value().text.find(words) != std::string::npos; };
  CHECK(has("\n  __syncthreads();  // at the end"));
  plan.roles.back().block.push_back({plan::Advance{0}, ""});
  CHECK(has("\n    named_barrier_sync(0, 384);  // at the end"));
  CHECK_FALSE(has("\n  __syncthreads();  // at the end"));
}

TEST_CASE("a whole program allocates whole units of 16 bytes, since a copy of the first bytes of one may end behind the last row") {
  const std::string program = standalone_program(emit_gemm(lower(support::tensor(256, 128, 96)).value()).value());
  CHECK(program.find("cudaMalloc(&device, (host.size() * sizeof(T) + 15) / 16 * 16)") != std::string::npos);
}

TEST_CASE("an arrival is at the stage that it names, the one before or this one") {
  GemmPlan plan = lower(support::hopper(Overlap::none, 256, 256, 128, 128, 128, 2)).value();
  const auto arrives = [&](std::int64_t back) {
    plan.roles.back().block.insert(plan.roles.back().block.begin(), plan::Op{plan::Arrive{1, {0, back}, 3}, "as it should"});
    const std::string text = emit_gemm(plan).value().text;
    const std::size_t at = text.find("if (thr - 256 < 3) {  // as it should");
    REQUIRE(at != std::string::npos);
    plan.roles.back().block.erase(plan.roles.back().block.begin());
    return text.substr(at, text.find("}", at) - at);
  };
  CHECK(arrives(0).find("mbarrier_arrive(empty + 8 * write);") != std::string::npos);
  CHECK(arrives(0).find("before") == std::string::npos);
  CHECK(arrives(1).find("mbarrier_arrive(empty + 8 * before);") != std::string::npos);
  CHECK(arrives(1).find("const int before = write == 0 ? STAGES - 1 : write - 1;") != std::string::npos);
}

TEST_CASE("operations whose text is not written yet are refused by name, though the plan is drawn") {
  const auto said = [](const GemmPlan& plan) {
    const auto text = emit_gemm(plan);
    const std::string message = text ? std::string() : text.error().message;
    const std::size_t end = message.find(" is drawn and simulated; its kernel text comes later");
    return end == std::string::npos ? message : message.substr(0, end);
  };
  const GemmPlan whole = lower(support::tensor(256, 128, 96)).value();
  const auto refused = [&](plan::AnyOp op) {
    GemmPlan changed = whole;
    changed.roles.front().block.push_back({std::move(op), ""});
    return said(changed);
  };
  CHECK(said(whole).empty());
  // What the table does not list has no text, whatever is named.
  const plan::Id in_global = whole.path(Operand::a).tXgX, in_shared = whole.path(Operand::a).tXsX, held = whole.path(Operand::a).fragment;
  const std::map<plan::Space, plan::Id> places{
      {plan::Space::global, in_global}, {plan::Space::shared, in_shared}, {plan::Space::registers, held}};
  for (int by = 0; by <= static_cast<int>(plan::CopyBy::wmma_store); ++by) {
    for (const auto& [from, source] : places) {
      for (const auto& [to, target] : places) {
        plan::Copy copy;
        copy.by = static_cast<plan::CopyBy>(by), copy.from.partition = source, copy.to.partition = target;
        copy.barrier = 0;
        if (from == plan::Space::shared) copy.from.stage = {0};
        if (to == plan::Space::shared) copy.to.stage = {0};
        const auto listed = emitting::copies_with_text();
        const bool is_listed = std::any_of(listed.begin(), listed.end(), [&](const emitting::CanEmit& each) {
          return each.by == copy.by && each.from == from && each.to == to;
        });
        if (!is_listed) CHECK(refused(copy).find(" from ") != std::string::npos);
      }
    }
  }
  CHECK(refused(plan::SetRegisters{40}).empty());  // of a warpgroup
  CHECK(refused(plan::NextTile{{"", 1}}) == "a second tile of a CTA, outside of a loop");
  GemmPlan changed = whole;
  changed.cluster_n = 2;
  CHECK(emit_gemm(changed).error().message.starts_with("a cluster of 1 x 2 CTAs of a tile each is drawn"));
  changed.cluster_n = 1, changed.roles.clear();
  CHECK(emit_gemm(changed).error().message.starts_with("a CTA of 0 roles is drawn"));
  changed = lower(support::hopper(Overlap::none, 256, 256, 256, 128, 128, 2)).value();
  plan::Copy by_threads;
  by_threads.by = plan::CopyBy::cp_async;
  by_threads.from.partition = changed.path(Operand::a).tXgX, by_threads.to.partition = changed.path(Operand::a).tXsX;
  by_threads.to.stage = {0};
  changed.roles.back().block.push_back({by_threads, ""});
  CHECK(said(changed) == "a copy of gA by threads beside tensor maps");
}

TEST_CASE("a kernel is emitted for every type that it is said to be, and for no other") {
  const auto emitted = [](const char* name) {
    const auto atom = find_mma_atom(name);
    REQUIRE(atom);
    return refusal(one_tile(name, atom->val_c));
  };
  for (const char* name :
       {"UniversalFMA<float,float,float,float>", "UniversalFMA<double,double,double,double>", "UniversalFMA<int,int,int,int>",
        "SM80_16x8x16_F16F16F16F16_TN", "SM80_16x8x16_F32BF16BF16F32_TN", "SM80_8x8x16_S32U8U8S32_TN"}) {
    INFO(name);
    CHECK(emitted(name).empty());
  }
  CHECK(emitted("UniversalFMA<half_t,half_t,half_t,half_t>").find("no kernel is emitted for UniversalFMA") != std::string::npos);
  CHECK(emitted("UniversalFMA<float,double,double,float>").find("no kernel is emitted for") != std::string::npos);
  CHECK(emitted("SM80_16x8x32_S32S4S4S32_TN").find("elements of type s4") != std::string::npos);
  CHECK(emitted("SM80_16x8x256_S32U1U1S32_TN_XORPOPC").find("elements of type") != std::string::npos);
}

TEST_CASE("fragments that leave a part of a register free are refused, of A and of B") {
  for (const Operand operand : {Operand::a, Operand::b}) {
    for (const auto& [atom, held, whole] : {std::tuple{"SM80_16x8x16_F32F16F16F32_TN", 3, false},
                                            {"SM80_16x8x16_F32F16F16F32_TN", 1, false},
                                            {"SM80_16x8x32_S32S8S8S32_TN", 6, false},
                                            {"SM80_16x8x16_F32F16F16F32_TN", 2, true},
                                            {"SM80_16x8x32_S32S8S8S32_TN", 4, true},
                                            {"SM80_16x8x8_F32TF32TF32F32_TN", 1, true}}) {
      GemmPlan plan = lower(one_tile(atom, ValueType::f32)).value();
      INFO(atom << " with " << held << " of operand " << static_cast<int>(operand));
      plan.partitions[plan.path(operand).fragment].layout = support::layout(IntTuple::tuple({held, 1, 1}), IntTuple::tuple({1, 0, 0}));
      const Status emittable = check_emittable(plan);
      CHECK(emittable.has_value() == whole);
      if (!emittable) CHECK(emittable.error().message.find("which do not fill a register") != std::string::npos);
    }
  }
}

TEST_CASE("a scale is passed as a float, and is asked for one wherever sums or C are integers or doubles") {
  for (const auto& [atom, type_c, asked] : {std::tuple{"SM80_16x8x16_F32F16F16F32_TN", ValueType::f32, false},
                                            {"SM80_16x8x16_F32F16F16F32_TN", ValueType::f64, true},
                                            {"SM80_16x8x16_F32F16F16F32_TN", ValueType::i32, true},
                                            {"SM80_16x8x16_F32F16F16F32_TN", ValueType::i8, true},
                                            {"SM80_16x8x16_F32F16F16F32_TN", ValueType::u8, true},
                                            {"SM80_16x8x16_F32F16F16F32_TN", ValueType::bf16, false},
                                            {"SM80_16x8x32_S32S8S8S32_TN", ValueType::f32, true},
                                            {"SM80_8x8x4_F64F64F64F64_TN", ValueType::f32, true}}) {
    INFO(atom << " to " << short_name(type_c));
    for (double GemmSpec::*scale : {&GemmSpec::alpha, &GemmSpec::beta}) {
      GemmSpec spec = one_tile(atom, type_c);
      spec.*scale = 0.1;
      CHECK((refusal(spec).find("is 0.1, which is no float") != std::string::npos) == asked);
      spec.*scale = 0.25;
      CHECK(refusal(spec).empty());
    }
  }
}

TEST_CASE("a scale that a float does not hold is refused where sums are scaled in double") {
  GemmSpec spec = one_tile("SM80_8x8x4_F64F64F64F64_TN", ValueType::f64);
  spec.alpha = 0.1;
  CHECK(refusal(spec).find("alpha is 0.1, which is no float") != std::string::npos);
  spec.alpha = 0.5;
  CHECK(refusal(spec).empty());
  spec = one_tile("SM80_16x8x16_F32F16F16F32_TN", ValueType::f32);
  spec.alpha = 0.1;
  CHECK(refusal(spec).empty());
}

TEST_CASE("sums of integers never pass through a float, and a byte never fills its neighbours") {
  GemmSpec spec = one_tile("SM80_16x8x32_S32S8S8S32_TN", ValueType::i32);
  const std::string exact = emit_gemm(lower(spec).value())->text;
  CHECK(exact.find("tDrD[j] = (int)tCrC[") != std::string::npos);
  CHECK(exact.find("(float)") == std::string::npos);
  spec.alpha = 2;
  const std::string scaled = emit_gemm(lower(spec).value())->text;
  CHECK(scaled.find("tDrD[j] = __double2int_rn(alpha * (double)(int)tCrC[") != std::string::npos);
  CHECK(scaled.find("(float)") == std::string::npos);
  spec.alpha = 1;
  spec.type_c = ValueType::i8;
  const std::string narrow = emit_gemm(lower(spec).value())->text;
  CHECK(narrow.find("max(-128, min(127, __double2int_rn((double)(int)tCrC[") != std::string::npos);
  spec = support::wide_stores(support::tensor(128, 256, 64, 128, 256, 32, 2, 2, 4), 4);
  spec.type_c = ValueType::i8;
  const std::string bytes = emit_gemm(lower(spec).value())->text;
  CHECK(bytes.find("= pack8(tDrD[0], tDrD[1], tDrD[2], tDrD[3]);") != std::string::npos);
  CHECK(bytes.find("unsigned pack8(unsigned char b0,") != std::string::npos);
}

TEST_CASE("the whole program of an int8 GEMM declares bytes and ints") {
  const GemmPlan plan = lower(one_tile("SM80_16x8x32_S32S8S8S32_TN", ValueType::i32)).value();
  const std::string program = standalone_program(emit_gemm(plan).value());
  CHECK(program.find("std::vector<signed char> a(512LL);") != std::string::npos);
  CHECK(program.find("std::vector<int> c(128LL);") != std::string::npos);
}

TEST_CASE("the whole program compares with factors that round nothing, and those that the kernel does not read are 1 and 0") {
  GemmSpec spec = one_tile("SM80_16x8x16_F32F16F16F32_TN", ValueType::f32);
  for (const auto& [alpha, beta, says] : {std::tuple{1.0, 0.0, "alpha = 1, beta = 0;"},
                                          {0.3, 0.0, "alpha = 2, beta = 0;"},
                                          {1.0, 0.7, "alpha = 1, beta = -1;"},
                                          {0.3, 1.0, "alpha = 2, beta = 1;"}}) {
    spec.alpha = alpha, spec.beta = beta;
    const std::string program = standalone_program(emit_gemm(lower(spec).value()).value());
    CHECK(program.find(std::string("const float ") + says) != std::string::npos);
  }
}

TEST_CASE("the whole program names an architecture that nvcc knows, and finds its reference kernel below any name") {
  GemmPlan plan = lower(one_tile("UniversalFMA<float,float,float,float>", ValueType::f16)).value();
  plan.name = "extern \"C\" float f16_to_float(unsigned short";
  const KernelSource source = emit_gemm(plan).value();
  CHECK(standalone_program(source).starts_with("// Build and run: nvcc -std=c++17 -arch=native "));
  const std::string program = standalone_program(source);
  const std::size_t kernel = program.find("\n" + source.entry + "("), definition = program.find("\nnamespace definition {\n");
  REQUIRE(kernel != std::string::npos);
  REQUIRE(definition != std::string::npos);
  CHECK(kernel < definition);
  CHECK(program.find("\nextern \"C\" __global__ void " + source.reference_entry) > definition);
  CHECK(program.find("definition::" + source.reference_entry + ";") != std::string::npos);
}

TEST_CASE("offsets in global memory beyond 32 bits are 64 bits from the thread on") {
  GemmSpec spec = one_tile("SM80_16x8x16_F32F16F16F32_TN", ValueType::f32);
  spec.m = 128;
  spec.gA = support::layout(IntTuple::tuple({128, 16}), IntTuple::tuple({20000000, 1}));
  spec.gC = support::layout(IntTuple::tuple({128, 8}), IntTuple::tuple({30000000, 1}));
  std::string text = emit_gemm(lower(spec).value())->text;
  CHECK(text.find("constexpr long long LDA = 20000000, LDC = 30000000;") != std::string::npos);
  CHECK(text.find("thr / 4 * LDC") != std::string::npos);
  spec.gA = support::layout(IntTuple::tuple({IntTuple::tuple({2, 64}), 16}), IntTuple::tuple({IntTuple::tuple({50000000, 70000000}), 1}));
  text = emit_gemm(lower(spec).value())->text;  // no matrix of rows: its strides have no name
  std::size_t factors = 0;
  for (std::size_t at = 0; (at = text.find("0000000", at)) != std::string::npos; ++at) {
    const std::size_t begin = text.rfind('\n', at) + 1;
    const std::string line = text.substr(begin, text.find("//", begin) - begin);
    if (line.find("0000000") == std::string::npos || line.find("constexpr") != std::string::npos) continue;  // in a comment
    ++factors;
    INFO(text.substr(begin, text.find('\n', at) - begin));
    CHECK(line.find("0000000LL") != std::string::npos);
  }
  CHECK(factors > 0);
}

TEST_CASE("more CTAs than a grid has are refused") {
  GemmSpec spec = one_tile("UniversalFMA<float,float,float,float>", ValueType::f32);
  GemmPlan plan = lower(spec).value();
  plan.m_tiles = plan.n_tiles = 1 << 16;
  CHECK(emit_gemm(plan).error().message.find("a grid has at most 2147483647") != std::string::npos);
  plan.m_tiles = 2147483647, plan.n_tiles = 1;
  CHECK(emit_gemm(plan).has_value());
  plan.m = plan.n = 741455;  // the square of which is below 2^31 blocks of 256
  CHECK(emit_gemm(plan).has_value());
  plan.m = plan.n = 741456;
  CHECK(emit_gemm(plan).error().message.find("C has 549756999936 elements; the check's kernel has at most 549755813632") !=
        std::string::npos);
}

TEST_CASE("a name cannot end its comment") {
  GemmPlan plan = lower(support::article()).value();
  plan.name = "innocent\n#error\r\x01";
  const KernelSource source = emit_gemm(plan).value();
  for (const std::string* text : {&source.text, &source.reference_text}) {
    CHECK(text->starts_with("// innocent?#error??: "));
    CHECK(text->find("\n#error") == std::string::npos);
  }
}

TEST_CASE("every emitted line fits a slide, no loop runs once, and a number that has a name is written by it") {
  std::vector<GemmSpec> specs{support::article(), support::tensor(256, 128, 96), support::tensor(4096, 4096, 4096, 128, 256, 64, 3, 2, 4)};
  for (const GemmSpec& spec : support::single_block_specs()) specs.push_back(spec);
  for (const GemmSpec& spec : support::typed_specs()) specs.push_back(spec);
  for (const Rung& rung : ladder()) specs.push_back(rung.spec(256, 512, 256).value());
  for (const GemmSpec& spec : support::gmem_specs()) specs.push_back(spec);
  for (const GemmSpec& spec : specs) {
    const KernelSource source = emit_gemm(lower(spec).value()).value();
    INFO(spec.name << "\n" << source.text);
    CHECK((source.text.find("__shared__") == std::string::npos) == (spec.operands == Operands::gmem));
    if (spec.operands == Operands::gmem) CHECK(source.text.find("__syncthreads") == std::string::npos);
    for (const std::string& text : {source.text, source.reference_text, standalone_program(source)}) {
      std::istringstream lines(text);
      for (std::string line; std::getline(lines, line);) {
        if (line.size() > 110) FAIL_CHECK(line.size() << " columns: " << line);
        if (line.ends_with(' ')) FAIL_CHECK("a space at the end: " << line);
      }
    }
    const std::size_t begin = source.text.find("extern \"C\""), end = source.text.find("\n}\n", begin);
    const std::string kernel = source.text.substr(begin, end - begin);
    CHECK(source.text.find("__forceinline__") > end);  // the kernel first, what it calls after it
    for (const char* never : {"< 1;", " * 1)", " + 0", "(0 + ", "smem + 0", "stage * 1 ", "k_tile < 1", "__launch_bounds__(1"})
      CHECK(kernel.find(never) == std::string::npos);
    if (spec.k > shape_extent(spec.mma->atom(), 2) * 4) CHECK(kernel.find("k_tile < K_TILES;") != std::string::npos);
  }
}

TEST_CASE("numbers that are equal have the names that they are meant by, whatever the others are") {
  // K_TILES, STAGES and MMA_K
  const auto kernel = [](std::int64_t k_tiles, std::int64_t stages, std::int64_t mma_k, Extents extents, Copies copies) {
    GemmSpec spec = support::tensor(256, 256, k_tiles * mma_k * 16, 64, 64, mma_k * 16, stages);
    spec.extents = extents, spec.copies = copies;
    const std::string text = emit_gemm(lower(spec).value()).value().text;
    const std::size_t begin = text.find("extern \"C\"");
    return text.substr(begin, text.find("\n}\n", begin) - begin);
  };
  for (const Extents extents : {Extents::literals, Extents::arguments}) {
    for (const std::int64_t all : {2, 4}) {
      for (const Copies copies : {Copies::ahead, Copies::waited_for}) {
        if (copies == Copies::waited_for && extents == Extents::literals) continue;  // no loop: all tiles are there at once
        // To fill one stage is no loop.
        const std::string equal = kernel(all, all, all, extents, copies), different = kernel(7, all == 2 ? 2 : 5, all, extents, copies);
        INFO(equal << "\n" << different);
        CHECK(equal == different);
        const std::vector<const char*> named =
            copies == Copies::ahead
                ? std::vector<const char*>{"k_tile < K_TILES; ++k_tile",
                                           "k_tile + STAGES - 1 < K_TILES",
                                           "k < MMA_K; ++k",
                                           "k + 1 < MMA_K",
                                           "cp_async_wait<STAGES - 2>",
                                           "read == STAGES - 1 ? 0 : read + 1"}
                : std::vector<const char*>{"k_tile < K_TILES; k_tile += STAGES", "k_tile + stage < K_TILES", "stage < STAGES; ++stage",
                                           "k + 1 < MMA_K", "write == STAGES - 1 ? 0 : write + 1"};
        for (const char* text : named) CHECK(equal.find(text) != std::string::npos);
      }
    }
  }
}

TEST_CASE("a text has the device functions that it calls, and no other, whatever a GEMM is called") {
  std::vector<GemmSpec> specs;
  for (const auto& [name, spec] : support::travels()) specs.push_back(spec);
  for (const GemmSpec& spec : support::ragged_hoppers()) specs.push_back(spec);
  for (const Rung& rung : ladder()) specs.push_back(rung.spec(256, 512, 256).value());
  const std::set<std::string> known = support::all_device_names();
  for (GemmSpec& spec : specs) {
    spec.name = "cp_async";  // which no kernel's own name asks for
    const KernelSource source = emit_gemm(lower(spec).value()).value();
    for (const std::string& text : {source.text, source.reference_text}) {
      const std::size_t begin = text.find("extern \"C\""), end = text.find("\n}\n", begin) + 2;
      const std::set<std::string> declared = support::device_names(text, 0, begin), defined = support::device_names(text, end, text.size());
      INFO(text);
      CHECK(declared == defined);
      for (const std::string& name : known) {
        if (emitting::has_word(std::string_view(text).substr(begin, end - begin), name)) CHECK(defined.contains(name));
      }
      for (const std::string& name : defined) {  // in the kernel, or in another function: declared, defined and called
        std::size_t times = 0;
        for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
          const bool is_word = (at == 0 || (std::isalnum(text[at - 1]) == 0 && text[at - 1] != '_')) &&
                               (text[at + name.size()] == '(' || text[at + name.size()] == '<');
          times += is_word ? 1 : 0;
        }
        INFO(name);
        CHECK(times >= 3);
      }
    }
  }
}

TEST_CASE("a line of the text knows the operation that it is written for, and every copy, product and wait has lines") {
  std::vector<GemmSpec> specs{support::tensor(256, 128, 96), support::from_gmem(support::tensor(128, 64, 96, 64, 64, 32, 1)),
                              support::of_rung(*find_rung(9), 1000, 1001, 1003)};
  for (const Overlap overlap : {Overlap::none, Overlap::deferred, Overlap::skewed, Overlap::ping_pong})
    specs.push_back(support::hopper(overlap, 512, 256, 256, overlap == Overlap::skewed ? 256 : 128, 128, 2));
  specs.back().cta_tiler = IntTuple::tuple({64, 128, 64});
  specs.back().mma = support::hopper(Overlap::none, 512, 256, 256, 64, 128, 1).mma;
  for (const bool any_size : {false, true}) {
    for (GemmSpec spec : specs) {
      if (any_size) spec.extents = Extents::arguments;
      const auto plan = lower(spec);
      INFO(spec.name << (plan ? "" : ": " + describe(plan.error())));
      REQUIRE(plan.has_value());
      const auto lines = emitting::emit_lines(*plan);
      REQUIRE(lines.has_value());
      std::string text;
      std::map<const plan::Op*, std::string> of;
      for (const emitting::SourceLine& line : *lines) {
        text += line.text + "\n";
        if (line.op != nullptr) of[line.op] += line.text + "\n";
      }
      CHECK(text == emit_gemm(*plan).value().text);
      std::size_t known = 0;
      const std::function<void(const plan::Block&)> look = [&](const plan::Block& block) {
        for (const plan::Op& op : block) {
          const auto found = of.find(&op);
          known += found != of.end() ? 1 : 0;
          const std::string own = found == of.end() ? std::string() : found->second;
          if (std::holds_alternative<plan::Mma>(op.op)) CHECK(own.find("mma(") != std::string::npos);
          // Where all families begin and end together, the first one's wait stands for them.
          const auto* wait = std::get_if<plan::Wait>(&op.op);
          const plan::BarrierKind kind = wait != nullptr ? plan->barriers[wait->barrier].kind : plan::BarrierKind::cta;
          const bool is_of_all = kind == plan::BarrierKind::cta || kind == plan::BarrierKind::cluster;
          if (wait != nullptr && !(is_of_all && own.empty() && plan->roles.size() > 1)) {
            const bool waits = own.find("__syncthreads();") != std::string::npos || own.find("barrier_sync(") != std::string::npos ||
                               own.find("cluster_sync();") != std::string::npos || own.find("mbarrier_wait(") != std::string::npos;
            CHECK(waits);
          }
          if (const auto* copy = std::get_if<plan::Copy>(&op.op)) {
            CHECK_FALSE(own.empty());
            if (copy->by == plan::CopyBy::tma_load) CHECK(own.find("tma_load") != std::string::npos);
            if (copy->by == plan::CopyBy::tma_store) CHECK(own.find("tma_store") != std::string::npos);
            if (copy->by == plan::CopyBy::ldmatrix) CHECK(own.find("ldmatrix_x") != std::string::npos);
          }
          if (const auto* loop = std::get_if<plan::Loop>(&op.op)) look(*loop->body);
          if (const auto* when = std::get_if<plan::When>(&op.op)) look(*when->body);
        }
      };
      for (const plan::Role& role : plan->roles) look(role.block);
      for (const plan::Function& function : plan->functions) look(function.body);
      CHECK(known == of.size());  // the others are nobody's
    }
  }
}
