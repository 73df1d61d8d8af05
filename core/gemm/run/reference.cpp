// SPDX-License-Identifier: BSD-3-Clause
// The product by its definition, and inputs whose product is exact in fp32.
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/base/budget.hpp"
#include "core/gemm/run/numerics.hpp"
#include "core/gemm/run/simulate.hpp"
#include "core/layout/value_table.hpp"

namespace tessera {

namespace {

// A small hash, so that the inputs are the same on every machine.
std::uint32_t scramble(std::uint32_t x) {
  x ^= x >> 16;
  x *= 0x7feb352dU;
  x ^= x >> 15;
  x *= 0x846ca68bU;
  return x ^ (x >> 16);
}

// Integers -4 .. 4: products are at most 16, so sums of a million of them are exact in fp32.
std::vector<double> small_integers(std::int64_t count, std::uint32_t seed) {
  std::vector<double> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<double>(scramble(static_cast<std::uint32_t>(i) * 2654435761U + seed) % 9) - 4.0;
  return values;
}

}  // namespace

SimulationInput integer_input(const GemmPlan& plan, std::uint32_t seed) {
  return {small_integers(plan.buffer_elements(Operand::a), seed), small_integers(plan.buffer_elements(Operand::b), seed + 1),
          small_integers(plan.buffer_elements(Operand::c), seed + 2)};
}

std::vector<double> reference(const GemmPlan& plan, const SimulationInput& input) {
  const plan::Tensor &gA = plan.gmem(Operand::a), &gB = plan.gmem(Operand::b), &gC = plan.gmem(Operand::c);
  const double alpha = product_sign(plan.mma->atom()) * plan.alpha;
  std::vector<double> c = input.c;
  for (double& value : c) value = round_to(gC.type, value);
  std::vector<double> a(input.a), b(input.b);
  for (double& value : a) value = round_to(gA.type, value);
  for (double& value : b) value = round_to(gB.type, value);
  const ValueTable at_a(gA.layout), at_b(gB.layout), at_c(gC.layout);
  for (std::int64_t product = 0; product < plan.batch; ++product) {
    const double *const of_a = a.data() + product * gA.batch_elements, *const of_b = b.data() + product * gB.batch_elements;
    double* const of_c = c.data() + product * gC.batch_elements;
    for (std::int64_t m = 0; m < plan.m; ++m) {
      for (std::int64_t n = 0; n < plan.n && !late(); ++n) {
        double sum = 0;
        for (std::int64_t k = 0; k < plan.k; ++k) sum += of_a[at_a(m, k)] * of_b[at_b(n, k)];
        double& out = of_c[at_c(m, n)];
        out = round_to(gC.type, alpha * sum + (plan.beta == 0.0 ? 0.0 : plan.beta * out));
      }
    }
  }
  return c;
}

}  // namespace tessera
