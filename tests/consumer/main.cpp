// SPDX-License-Identifier: BSD-3-Clause
// Asks the installed library for a composition, a refusal and an atom. Exit status 0 when all three are as they should be.
#include <iostream>

#include "core/atom/instructions/catalog.hpp"
#include "core/lang/programs/evaluate.hpp"
#include "core/layout/algebra.hpp"

int main() {
  using namespace tessera;
  const auto layout = evaluate("composition((6,2):(8,2), (4,3):(3,1))");
  const auto refused = evaluate("composition((6,2):(1,7), (3,2):(2,3))");
  const auto atom = find_mma_atom("SM80_16x8x16_F32F16F16F32_TN");
  if (!layout || refused || !atom) return 1;
  std::cout << to_string(*layout) << '\n' << refused.error().message << '\n' << to_string(atom->layout_c) << '\n';
  return to_string(*layout) == "((2,2),3):((24,2),8)" && refused.error().code == ErrorCode::breaks_law ? 0 : 1;
}
