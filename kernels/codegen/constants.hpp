// SPDX-License-Identifier: BSD-3-Clause
// The plan's numbers that have names in the text: M, BLK_M, STAGES, K_TILES, MMA_K, LDA ... Where extents are arguments, M, N, K and the
// leading dimensions are parameters of the kernel, and it computes the counts of tiles itself.
#pragma once

#include <cstdint>
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

  // Names are found by value: the numbers that a plan adds to k_tile are 1 and the tiles that are copied ahead; where both are 1, "1"
  // stands. A number that bounds `variable`: 64 of k_tile is "K_TILES", 2 of stage is "STAGES - 1".
  std::string bound(std::string_view variable, std::int64_t value) const;
  std::string added(std::string_view variable, std::int64_t value) const;  // to it: 2 of k_tile is "STAGES - 1", as far as copies run ahead
  std::string extent(std::string_view mode, std::int64_t value) const;     // of a partition's mode: 4 of MMA_K is "MMA_K"
  std::string step(std::int64_t tiles) const;                              // of a loop: as many tiles at once as there are stages, "STAGES"
  // Of a ring: its places, "STAGES", and the last one, "STAGES - 1"; of another ring than that of sA and sB the numbers.
  std::string places(plan::Id ring) const;
  std::string last_place(plan::Id ring) const;
  bool moves(const plan::Cursor& cursor) const;                    // is there more than one place in its ring?
  std::string pending(std::int64_t groups) const;                  // of cp.async: 1 is "STAGES - 2" where there are 3 stages
  std::string stage_mode(const plan::Tensor& tensor) const;        // ",STAGES" after (BLK_M,BLK_K), or ""
  std::string advance(std::int64_t fills) const;                   // of a cursor: "K_TILES", where it is so many
  std::string stage_elements(std::string_view tensor_name) const;  // "SA_STAGE"
  std::string byte_offset(const plan::Tensor& tensor) const;       // "STAGES * SA_STAGE * 2"
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
  std::string stages(std::int64_t value) const;  // "STAGES", "STAGES - 1", or the number
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

  const GemmPlan& plan_;
  bool is_wide_ = false;                 // do offsets in global memory need 64 bits?
  std::int64_t leading_[3] = {0, 0, 0};  // LDA, LDB, LDC in elements; 0: not a matrix of rows or columns
  std::vector<Constant> constants_;
};

}  // namespace tessera::emitting
