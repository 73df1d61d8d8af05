// SPDX-License-Identifier: BSD-3-Clause
// The product by its definition as a kernel: one thread an element, double precision, the same layouts of global memory.
#include "kernels/codegen/emit_reference.hpp"

#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "core/gemm/plan/descriptors.hpp"
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
  Needs needs;
  for (const TypeText* type : {&a, &b, &c}) needs(type->memory);
  const bool arguments = plan.extents == Extents::arguments;
  const auto extent = [&](const char* name, std::int64_t value) { return arguments ? std::string(name) : fmt::format("{}", value); };
  // Where (row, column) of a tensor lies.
  const auto place = [&](const plan::Tensor& tensor, const char* row, const char* column) {
    const Layout& layout = plain_part(tensor.layout);
    if (!arguments) return sum({index_expr(layout[0], row), index_expr(layout[1], column)});
    const bool along_first = plan::matrix_of_rows(tensor).value().along_first;
    return fmt::format("{} + {} * LD{}", along_first ? row : column, along_first ? column : row, tensor.name.substr(1));
  };
  const bool reads = plan.beta != 0.0;
  lines.open(fmt::format("extern \"C\" __global__ void {}(const {}* A, const {}* B, {}* C, float alpha, float{}{}, float* SPREAD)", entry,
                         a.memory, b.memory, c.memory, reads ? " beta" : "",
                         arguments ? ", int M, int N, int K, long long LDA, long long LDB, long long LDC, long long BATCH_A, "
                                     "long long BATCH_B, long long BATCH_C"
                                   : ""));
  for (const Operand operand : {Operand::a, Operand::b, Operand::c}) {
    const plan::Tensor& tensor = plan.gmem(operand);
    const std::string letter = tensor.name.substr(1);
    if (plan.is_batched())
      lines.add(fmt::format("{} += blockIdx.z * {};", letter, arguments ? "BATCH_" + letter : fmt::format("{}LL", tensor.batch_elements)));
    if (plan.is_batched() && operand == Operand::c)
      lines.add(fmt::format("if (SPREAD) SPREAD += blockIdx.z * {};", arguments ? "BATCH_C" : fmt::format("{}LL", tensor.batch_elements)));
  }
  lines.add("const long long i = blockIdx.x * 256LL + threadIdx.x;");
  lines.add(arguments ? std::string("if (i >= (long long)M * N) return;") : fmt::format("if (i >= {}LL) return;", plan.m * plan.n));
  lines.add(fmt::format("const long long m = i / {}, n = i % {};", extent("N", plan.n), extent("N", plan.n)));
  lines.add("double sum = 0, least = 0, most = 0;");
  lines.open(fmt::format("for (long long k = 0; k < {}; ++k)", extent("K", plan.k)));
  const std::string a_index = place(plan.gmem(Operand::a), "m", "k"), b_index = place(plan.gmem(Operand::b), "n", "k");
  const auto as_double = [&](ValueType type, const std::string& x) {
    return type == ValueType::f64 || type == ValueType::i32 ? to_real(needs, type, x)
                                                            : "(double)" + in_parentheses(to_real(needs, type, x));
  };
  lines.add(fmt::format("const double product = {} * {};", as_double(plan.gmem(Operand::a).type, fmt::format("A[{}]", a_index)),
                        as_double(plan.gmem(Operand::b).type, fmt::format("B[{}]", b_index))));
  lines.add("sum += product;");
  lines.add("least = sum < least ? sum : least, most = sum > most ? sum : most;");
  lines.close();
  lines.add(fmt::format("{}* c = C + {};", c.memory, place(plan.gmem(Operand::c), "m", "n")));
  lines.add(fmt::format("const double out = {}alpha * sum{};", product_sign(plan.mma->atom()) < 0 ? "-" : "",
                        reads ? " + (double)beta * " + to_real(needs, plan.gmem(Operand::c).type, "*c") : ""));
  lines.add(fmt::format("*c = {};", from_real(needs, plan.gmem(Operand::c).type, true, "out")));
  lines.add("if (SPREAD) SPREAD[c - C] = (float)((most - least) * 1.0000002);");
  lines.close();
  const DeviceFunctions functions = device_functions(needs, nullptr);
  Lines said(0);
  said.comment(fmt::format("{}: the definition of C = {}alpha * A B^T + beta * C.", comment_name(plan),
                           product_sign(plan.mma->atom()) < 0 ? "-" : ""));
  said.comment("SPREAD, unless it is null: no sum of neighbouring products is larger in magnitude.");
  return said.text() + functions.types + functions.declarations + "\n" + lines.text() + functions.definitions;
}

}  // namespace tessera::emitting
