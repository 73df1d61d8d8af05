// SPDX-License-Identifier: BSD-3-Clause
// Emitted text: index expressions equal their layouts, and the same plan gives the same bytes.
#include "kernels/codegen/emit_gemm.hpp"

#include <cctype>

#include <fmt/format.h>

#include "kernels/codegen/index_expr.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/gemm_specs.hpp"

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
    for (const Layout& tv : {plan.g2s_a.gmem, plan.g2s_b.gmem, plan.g2s_a.tile_tv, plan.tCgC}) {
      expect_expression(tv[0]);
      expect_expression(tv[1]);
    }
    expect_expression(plan.gA.tiles[1][0]);
    expect_expression(plan.gC.tiles[1][1]);
  }
}

TEST_CASE("the same plan gives the same bytes, and the head names every tensor of the plan") {
  const GemmPlan plan = lower(support::article()).value();
  const KernelSource first = emit_gemm(plan).value(), second = emit_gemm(plan).value();
  CHECK(first.text == second.text);
  for (const PlanLine& line : describe(plan)) CHECK(first.text.find(line.value) != std::string::npos);
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
