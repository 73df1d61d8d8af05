// SPDX-License-Identifier: BSD-3-Clause
// The product by its definition as a kernel: one thread an element, double precision, the same layouts of global memory.
#include "kernels/codegen/emit_reference.hpp"

#include <fmt/format.h>

#include "kernels/codegen/device_functions.hpp"
#include "kernels/codegen/element_text.hpp"
#include "kernels/codegen/head.hpp"
#include "kernels/codegen/index_expr.hpp"
#include "kernels/codegen/lines.hpp"

namespace tessera::emitting {

std::string reference_kernel(const GemmPlan& plan, const std::string& entry) {
  const TypeText a = type_text(plan.gmem(Operand::a).type), b = type_text(plan.gmem(Operand::b).type),
                 c = type_text(plan.gmem(Operand::c).type);
  Lines lines(0);
  const bool reads = plan.beta != 0.0;
  lines.open(fmt::format("extern \"C\" __global__ void {}(const {}* A, const {}* B, {}* C, float alpha, float{})", entry, a.memory,
                         b.memory, c.memory, reads ? " beta" : ""));
  lines.add("const long long i = blockIdx.x * 256LL + threadIdx.x;");
  lines.add(fmt::format("if (i >= {}LL) return;", plan.m * plan.n));
  lines.add(fmt::format("const long long m = i / {}, n = i % {};", plan.n, plan.n));
  lines.add("double sum = 0;");
  lines.open(fmt::format("for (long long k = 0; k < {}; ++k)", plan.k));
  const std::string a_index =
      sum({index_expr(plain_part(plan.gmem(Operand::a).layout)[0], "m"), index_expr(plain_part(plan.gmem(Operand::a).layout)[1], "k")});
  const std::string b_index =
      sum({index_expr(plain_part(plan.gmem(Operand::b).layout)[0], "n"), index_expr(plain_part(plan.gmem(Operand::b).layout)[1], "k")});
  const auto as_double = [](ValueType type, const std::string& x) {
    return type == ValueType::f64 || type == ValueType::i32 ? to_real(type, x) : "(double)" + in_parentheses(to_real(type, x));
  };
  lines.add(fmt::format("sum += {} * {};", as_double(plan.gmem(Operand::a).type, fmt::format("A[{}]", a_index)),
                        as_double(plan.gmem(Operand::b).type, fmt::format("B[{}]", b_index))));
  lines.close();
  lines.add(fmt::format(
      "{}* c = C + {};", c.memory,
      sum({index_expr(plain_part(plan.gmem(Operand::c).layout)[0], "m"), index_expr(plain_part(plan.gmem(Operand::c).layout)[1], "n")})));
  lines.add(fmt::format("const double out = {}alpha * sum{};", product_sign(plan.mma->atom()) < 0 ? "-" : "",
                        reads ? " + (double)beta * " + to_real(plan.gmem(Operand::c).type, "*c") : ""));
  lines.add(fmt::format("*c = {};", from_real(plan.gmem(Operand::c).type, true, "out")));
  lines.close();
  const DeviceFunctions functions = device_functions(lines.text(), nullptr);
  Lines said(0);
  said.comment(fmt::format("{}: the definition of C = {}alpha * A B^T + beta * C.", comment_name(plan),
                           product_sign(plan.mma->atom()) < 0 ? "-" : ""));
  return said.text() + functions.types + functions.declarations + "\n" + lines.text() + functions.definitions;
}

}  // namespace tessera::emitting
