// SPDX-License-Identifier: BSD-3-Clause
// The pieces of an emitted kernel, one function each; used by emit_gemm.cpp only.
#pragma once

#include <string>
#include <vector>

#include "core/gemm/plan/gemm_plan.hpp"

namespace tessera::emitting {

// How a type lies in memory and in registers of the emitted text.
struct TypeText {
  std::string memory;       // "unsigned short" for f16
  std::string reg;          // "unsigned": packed; "float"; "double"
  std::int64_t packed = 1;  // elements a register
};
Result<TypeText> type_text(ValueType type);
std::string to_real(ValueType type, const std::string& x);                    // an expression of type float; double for f64 and s32
std::string from_real(ValueType type, bool is_double, const std::string& x);  // x is a float or a double; integers only from double
bool needs_conversions(ValueType type);                                       // does from_real call kernels/device/convert.cuh?

// Does alpha * accumulator + beta * C need a double, because a float does not hold the sum or C exactly?
bool is_double_epilogue(const GemmPlan& plan);

// Offsets in global memory are 32 bits where that is enough.
const char* index_type(const GemmPlan& plan);

// An int variable as a factor of an offset in global memory: "thr", or "(long long)thr" where 32 bits are not enough.
std::string gmem_variable(const GemmPlan& plan, const std::string& variable);

// The plan's name in one comment line: what is not printable ASCII could end the line and become code.
std::string comment_name(const GemmPlan& plan);

// A mode visited every `step`, since only the first element of a vector is addressed: (8,2):(1,8) by 8 is "v * 8".
std::string stepped_expr(const Layout& mode, std::string_view variable, std::int64_t step);

// Lines of text at a growing indent.
class Lines {
 public:
  void add(std::string_view line);   // indents; an empty line stays empty
  void open(std::string_view line);  // adds `line {` and indents
  void close(std::string_view tail = "}");
  void unroll(std::string_view variable, std::int64_t count);  // opens an unrolled for loop
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  int depth_ = 1;
};

// The address of (thr, (x0, x1, x2)) in a tensor, split as far as the layout allows: what depends on the thread once, before the
// loops; what does not pass a swizzle into a small table; the rest as constants in the loop.
class Address {
 public:
  // `layout` has modes (thr, (x0, x1, ..)); `variables` name x0, x1, ... in the emitted loops; `steps` are the strides with which the
  // loops visit each mode (a vector's width, else 1).
  Address(std::string name, const AnyLayout& layout, std::vector<std::string> variables, std::vector<std::int64_t> steps,
          const std::string& thread = "thr");

  void declare(Lines& lines, const std::string& comment) const;  // before the loops
  std::string at() const;                                        // in the loops: "tCsA + m * 272"
  bool swizzled() const { return swizzled_; }

 private:
  bool additive(const AnyLayout& layout, std::size_t mode) const;
  std::string name_;
  std::string thread_expr_, table_expr_;
  std::vector<std::string> table_variables_;
  std::vector<std::int64_t> table_extents_;
  std::vector<std::string> constant_terms_;
  std::string swizzle_;      // "swizzle<3,3,3>"
  std::int64_t offset_ = 0;  // inside the swizzle
  bool swizzled_ = false;
};

std::string mma_helper(const MmaAtom& atom);  // the device function `mma`

void emit_copy_tile(const GemmPlan& plan, Lines& lines, bool a);       // step 1 for one operand
void emit_load_fragments(const GemmPlan& plan, Lines& lines, bool a);  // step 2 for one operand and k-block `k`
void emit_multiply(const GemmPlan& plan, Lines& lines);                // step 3 for k-block `k`
Status emit_epilogue(const GemmPlan& plan, Lines& lines);              // step 4

// A slow kernel with the same arguments that computes C by its definition in double precision.
Result<std::string> reference_kernel(const GemmPlan& plan, const std::string& entry);

}  // namespace tessera::emitting
