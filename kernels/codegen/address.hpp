// SPDX-License-Identifier: BSD-3-Clause
// The address of (thr, (x0, x1, x2)) in a tensor, split as far as the layout allows: what depends on the thread once, before the loops;
// what does not pass a swizzle into a small table; the rest as constants in the loop.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/codegen/index_expr.hpp"
#include "kernels/codegen/lines.hpp"

namespace tessera::emitting {

// A mode of a partition as loops visit it.
struct AddressMode {
  std::string variable;   // names x in the table's loops
  std::string count;      // how the table's extent is written: "MMA_K"
  std::int64_t step = 1;  // their distance: a vector's width, else 1
};

class Address {
 public:
  // `layout` has modes (thr, (x0, x1, ..)).
  Address(std::string name, const AnyLayout& layout, std::vector<AddressMode> modes);

  bool is_swizzled() const { return !swizzle_.empty(); }              // by the device function swizzle
  void declare(Lines& lines, std::string_view comment) const;         // before the loops: "const int tCsA = thr % 4 + ...;"
  std::string at(const std::vector<std::string>& coordinates) const;  // in the loops: "tCsA + m * 272"; a coordinate each mode

 private:
  std::string term(std::size_t mode, std::string_view coordinate) const;
  bool additive(const Swizzle& swizzle, const Layout& plain, std::size_t mode) const;
  std::string name_, thread_expr_;
  std::vector<AddressMode> modes_;
  std::vector<Layout> offsets_;  // of each mode: coordinate -> offset
  std::vector<bool> in_table_;   // of each mode: does it pass the swizzle?
  std::string swizzle_;          // "swizzle<3,3,3>"; empty: none
  std::int64_t offset_ = 0;      // inside the swizzle
};

// A mode visited every `step`, since only the first element of a vector is addressed: (8,2):(1,8) by 8 is "v * 8".
std::string stepped_expr(const Layout& mode, std::string_view variable, std::int64_t step, const StrideText& stride_text = {});

}  // namespace tessera::emitting
