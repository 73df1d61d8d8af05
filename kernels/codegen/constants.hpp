// SPDX-License-Identifier: BSD-3-Clause
// The plan's numbers that have names in the text: M, BLK_M, STAGES, K_TILES, MMA_K, LDA ... Where extents are arguments, M, N, K and the
// leading dimensions are parameters of the kernel, and it computes the counts of tiles itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/gemm/plan/gemm_plan.hpp"
#include "kernels/codegen/index_expr.hpp"
#include "kernels/codegen/lines.hpp"

namespace tessera::emitting {

class Constants {
 public:
  explicit Constants(const GemmPlan& plan);

  // What a number is at every size for which the text is written; nothing: the launch decides it.
  std::optional<std::int64_t> known(const plan::Num& number) const;
  // Is a below b, at every size? Nothing: at some.
  std::optional<bool> is_below(const plan::Num& a, const plan::Num& b) const;
  plan::Num extent(std::string_view mode, std::int64_t value) const;  // of a partition's mode: that of MMA_K is MMA_K
  plan::Num places(plan::Id ring) const;                              // of a ring; STAGES of that of sA and sB
  bool moves(const plan::Cursor& cursor) const;                       // is there more than one place in its ring?
  bool has_one_tile(Operand operand, std::size_t mode) const;         // along a mode, at every size?
  bool has_a_cta_a_tile() const;                                      // or may CTAs compute several?
  std::string stage_mode(const plan::Tensor& tensor) const;           // ",STAGES" after (BLK_M,BLK_K), or ""
  std::string stage_elements(std::string_view tensor_name) const;     // "SA_STAGE"
  std::string byte_offset(const plan::Tensor& tensor) const;          // "STAGES * SA_STAGE * 2"
  // Strides in global memory: 4096 is "LDA", 131072 is "(32 * LDA)", and the tile's own 524288 "(BLK_M * LDA)".
  StrideText stride(const plan::Tensor& tensor, std::string_view tile_mode = {}) const;

  std::int64_t leading(const plan::Tensor& tensor) const { return leading_[static_cast<std::size_t>(tensor.operand)]; }  // 0: has none

  std::string leading_name(const plan::Tensor& tensor) const { return "LD" + tensor.name.substr(1); }
  std::uint8_t contiguous_mode(const plan::Tensor& tensor) const;  // of one that has it: along which a row lies

  // The declarations of those that `code` uses, and of what these are made of; those that a kernel computes, when it begins, are not
  // among the others.
  std::string declarations(std::string_view code) const { return declarations(code, Known::when_compiled); }
  std::string computed(std::string_view code) const { return declarations(code, Known::when_launched); }  // indented, for its first lines
  // "int M, int N, int K, long long LDA ...": those that `code` does not use have no name but in a comment. Empty where all are literals.
  std::string parameters(std::string_view code) const;
  bool are_arguments() const { return plan_.extents == Extents::arguments; }
  // "M_TILES * N_TILES CTAs": as many as tiles, in clusters.
  std::string ctas() const;
  // block (or cluster) -> m_tile, n_tile in words, where the raster's extents are computed.
  void declare_group(Lines& lines) const;  // `group`, before them
  std::string tile_of_raster(std::uint8_t mode, std::string_view block) const;

 private:
  enum class Known : std::uint8_t { when_compiled, when_launched, as_argument };
  struct Constant {
    std::string name, value, comment;
    int line = 0;  // constants of one line stand together
    bool is_wide = false;
    Known known = Known::when_compiled;
  };
  void add(int line, std::string name, std::string value, std::string comment = {}, bool is_wide = false,
           Known known = Known::when_compiled);
  std::string declarations(std::string_view code, Known known) const;
  std::string tiles(Operand operand, std::size_t mode) const;
  void add_leading_dimension(const plan::Tensor& tensor, int line);
  std::string tile_extents(const plan::Tensor& tensor) const;
  std::string stage_bytes() const;  // "(SA_STAGE + SB_STAGE) * 2"

  const GemmPlan& plan_;
  bool is_wide_ = false;                 // do offsets in global memory need 64 bits?
  std::int64_t leading_[3] = {0, 0, 0};  // LDA, LDB, LDC in elements; 0: not a matrix of rows or columns
  std::vector<Constant> constants_;
};

}  // namespace tessera::emitting
