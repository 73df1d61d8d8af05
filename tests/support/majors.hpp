// SPDX-License-Identifier: BSD-3-Clause
// GEMMs of wgmma whose operands lie along K, or along M or N.
#pragma once

#include <array>
#include <string>

#include "tests/support/gemm_specs.hpp"

namespace tessera::support {

struct Majors {
  bool a_mn = false, b_mn = false;
  std::string name() const { return std::string(a_mn ? "N" : "T") + (b_mn ? "T" : "N"); }  // as BLAS says it: T of A is along K
};
constexpr Majors kMajors[] = {{false, false}, {false, true}, {true, false}, {true, true}};

// The same with an atom of these majors, and A and B as it wants them.
inline GemmSpec with_majors(GemmSpec spec, Majors majors) {
  std::string name = spec.mma->atom().name;
  name =
      name.substr(0, name.find('<')) + "<GMMA::Major::" + (majors.a_mn ? "MN" : "K") + ",GMMA::Major::" + (majors.b_mn ? "MN" : "K") + ">";
  spec.mma = TiledMma::make(find_mma_atom(name).value(), spec.mma->atom_layout_mnk(), Underscore{}).value();
  spec.name = "hopper_" + majors.name();
  return spec;
}

}  // namespace tessera::support
