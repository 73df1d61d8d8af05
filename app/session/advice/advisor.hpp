// SPDX-License-Identifier: BSD-3-Clause
// One look at a program (advise.hpp): what each rule of advice holds against what.
//
//   advise.cpp         collects the tiles, the copies and what a line partitions with what; asks the rules in order
//   advise_tiles.cpp   a tile and those who read it: MMAs, by descriptors or through copies
//   advise_copies.cpp  a copy, or threads, and the tiles that they take
//   advise_gemm.cpp    a GEMM: its waves and its accesses
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/session/advice/advise.hpp"
#include "core/atom/advice/find_copy.hpp"
#include "core/atom/instructions/catalog.hpp"
#include "core/gemm/lower/lower.hpp"
#include "core/gemm/run/analysis.hpp"

namespace tessera::advising {

using SharedCopy = std::shared_ptr<const TiledCopy>;
using SharedMma = std::shared_ptr<const TiledMma>;
using SharedGemm = std::shared_ptr<const GemmSpec>;
using Guesses = std::vector<std::string>;

// A tile in memory: one stage of it, as rows and columns.
struct Tile {
  const AdvisedBinding* binding = nullptr;
  AnyLayout layout;
  AnyLayout whole;        // with all stages, where they are few enough
  std::int64_t bits = 0;  // of an element; 0: not known
  AccessSpace space = AccessSpace::smem;
  std::vector<std::string> guesses = {};
};

struct Copy {
  const AdvisedBinding* binding = nullptr;
  SharedCopy copy;
  std::string text;  // of the language
};

// One line that partitions a tile: with a copy, or with an MMA.
struct Used {
  Tile tile;
  const Copy* copy = nullptr;
  const TiledMma* mma = nullptr;
  const Layout* threads = nullptr;  // of local_partition
  std::string threads_name = {};
  char part = 'S';
  CopySide side = CopySide::source;
};

constexpr std::int64_t kMostTile = 1 << 16;  // elements of a tile that copies are held against

Guesses both(Guesses a, const Guesses& b);
double times_of(std::int64_t units, std::int64_t least);
// Does one of the two stand in the block of the other?
bool see_each_other(const AdvisedBinding& a, const AdvisedBinding& b);

// What to do about a finding: in words, and where it is a change of the binding or a question, as an expression.
struct Remedy {
  Remedy() = default;
  Remedy(std::string in_words) : words(std::move(in_words)) {}
  Remedy(const char* in_words) : words(in_words) {}
  std::string words, write, ask;
};

class Advisor {
 public:
  Advisor(const AdvisedProgram& program, const DeviceModel& device)
      : bindings_(program.bindings),
        remarks_(program.remarks),
        uses_(program.uses),
        kernels_(program.kernels),
        is_source_(program.is_source),
        device_(device) {}
  Advised advise() &&;

 private:
  // advise.cpp
  bool stops();
  void add(Advice::Weight weight, double times, const AdvisedBinding& binding, std::string finding, Remedy remedy = {});
  void add(Advice::Weight weight, double times, const AdvisedBinding& binding, std::string finding, Remedy remedy, Guesses guesses);
  void said(const AdvisedBinding& binding);
  void collect();
  const AdvisedBinding* named(std::string_view name, const AdvisedUse& use) const;
  void collect_uses();
  void look_at_launches();
  void look_at_mma(const AdvisedBinding& binding, const TiledMma& mma);
  // advise_tiles.cpp
  bool look_at_descriptors(const Tile& tile);
  std::string operands_of(const Tile& tile, const AdvisedBinding& binding, const TiledMma& mma) const;
  bool read_by(const Tile& tile, const AdvisedBinding& mma, const TiledMma& tiled, char letter);
  void look_at_tile(const Tile& tile);
  bool speak_names(const Tile& tile, const Copy& copy) const;
  static CopySide side_by_names(const Tile& tile, const Copy& copy);
  bool tensor_cores_read(const Tile& tile) const;
  bool is_of_a_gemm(const Tile& tile) const;
  // advise_copies.cpp
  void take_threads(const AdvisedUse& use, Used& used) const;
  void hold_against_threads(const Used& used);
  void look_at_widths();
  static std::string missing_of(const TiledCopy& copy);
  void look_at_copy(const AdvisedBinding& binding, const SharedCopy& copy);
  Result<AccessPattern> pattern_of(const Tile& tile, const Copy& copy, CopySide side, std::int64_t width) const;
  bool hold_against(const Tile& tile, const Copy& copy, CopySide side);
  static Remedy remedy_of(const Tile& tile, const Copy& copy, CopySide side, std::int64_t width, std::int64_t units);
  // advise_gemm.cpp
  void look_at_gemm(const AdvisedBinding& binding, const GemmSpec& spec);
  void look_at_waves(const AdvisedBinding& binding, const GemmPlan& plan);
  static Remedy remedy_of(const AccessSummary& row, const GemmSpec& spec, const GemmPlan& plan);
  void look_at_accesses(const AdvisedBinding& binding, const GemmSpec& spec, const GemmPlan& plan);

  const std::vector<AdvisedBinding>& bindings_;
  const std::vector<AdvisedBinding>& remarks_;
  const std::vector<AdvisedUse>& uses_;
  const std::vector<LaunchBound>& kernels_;
  bool is_source_;
  const DeviceModel& device_;
  std::vector<Tile> tiles_;
  std::vector<Copy> copies_;
  std::vector<Used> used_;
  std::set<const AdvisedBinding*> partitioned_;  // tensors of which lines take threads' parts
  std::set<const Copy*> partitioning_;           // copies with which lines do
  std::set<const TiledMma*> partitioning_mmas_;
  std::set<std::string> broken_, said_;  // copies that miss elements of their own tile; pairs of a copy and a layout
  Advised made_;
};

}  // namespace tessera::advising
