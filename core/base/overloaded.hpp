// SPDX-License-Identifier: BSD-3-Clause
// Overloaded: lambdas as one visitor of a variant.
#pragma once

namespace tessera {

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

}  // namespace tessera
