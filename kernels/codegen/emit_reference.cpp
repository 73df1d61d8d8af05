// SPDX-License-Identifier: BSD-3-Clause
// The product by its definition as a kernel: one thread an element, double precision, the same layouts of global memory.
#include <fmt/format.h>

#include "kernels/codegen/device_text.hpp"
#include "kernels/codegen/emit_gemm.hpp"
#include "kernels/codegen/emit_steps.hpp"
#include "kernels/codegen/index_expr.hpp"

namespace tessera {

namespace emitting {

Result<std::string> reference_kernel(const GemmPlan& plan, const std::string& entry) {
  TESSERA_TRY(a, type_text(plan.gA.type));
  TESSERA_TRY(b, type_text(plan.gB.type));
  TESSERA_TRY(c, type_text(plan.gC.type));
  const bool conversions = needs_conversions(plan.gA.type) || needs_conversions(plan.gC.type);
  Lines lines;
  lines.add("const long long i = blockIdx.x * 256LL + threadIdx.x;");
  lines.add(fmt::format("if (i >= {}LL) return;", plan.m * plan.n));
  lines.add(fmt::format("const long long m = i / {}, n = i % {};", plan.n, plan.n));
  lines.add("double sum = 0;");
  lines.open(fmt::format("for (long long k = 0; k < {}; ++k)", plan.k));
  const std::string a_index = sum({index_expr(plan.gA.layout[0], "m"), index_expr(plan.gA.layout[1], "k")});
  const std::string b_index = sum({index_expr(plan.gB.layout[0], "n"), index_expr(plan.gB.layout[1], "k")});
  lines.add(fmt::format("sum += (double){} * (double){};", in_parentheses(to_real(plan.gA.type, fmt::format("A[{}]", a_index))),
                        in_parentheses(to_real(plan.gB.type, fmt::format("B[{}]", b_index)))));
  lines.close();
  lines.add(fmt::format("{}* c = C + {};", c.memory, sum({index_expr(plan.gC.layout[0], "m"), index_expr(plan.gC.layout[1], "n")})));
  lines.add(fmt::format("const double out = alpha * sum + (beta != 0.0f ? (double)beta * {} : 0.0);", to_real(plan.gC.type, "*c")));
  lines.add(fmt::format("*c = {};", from_real(plan.gC.type, true, "out")));
  return fmt::format(
      "// {}: the definition of C = alpha * A B^T + beta * C.\n{}extern \"C\" __global__ void {}(const {}* A, const {}* B, {}* C, float "
      "alpha, float "
      "beta) {{\n{}}}\n",
      comment_name(plan), conversions ? std::string(device_text::convert) + "\n" : "", entry, a.memory, b.memory, c.memory, lines.text());
}

}  // namespace emitting

}  // namespace tessera
