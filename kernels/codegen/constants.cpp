// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/codegen/constants.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/checked.hpp"
#include "kernels/codegen/lines.hpp"

namespace tessera::emitting {

namespace {

std::string number(std::int64_t value) { return fmt::format("{}", value); }

// The stride of a matrix of rows or columns, or 0.
std::int64_t leading_dimension(const Layout& layout) {
  if (layout.rank() != 2 || !layout.shape()[0].is_int() || !layout.shape()[1].is_int()) return 0;
  const std::int64_t d0 = layout.stride()[0].value(), d1 = layout.stride()[1].value();
  return d1 == 1 ? d0 : d0 == 1 ? d1 : 0;
}

std::string upper(std::string_view name) {
  std::string text;
  for (const char c : name) text += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

}  // namespace

Constants::Constants(const GemmPlan& plan) : plan_(plan), is_wide_(plan.extents == Extents::arguments) {
  for (const plan::Tensor& tensor : plan.tensors) {
    const std::int64_t farthest = tensor.space == plan::Space::global
                                      ? std::max(tensor.batch_elements * plan.batch, std::max(tensor.elements, tensor.tiles.cosize()))
                                      : 0;
    is_wide_ = is_wide_ || farthest > std::numeric_limits<std::int32_t>::max();
  }
  const Known extent = are_arguments() ? Known::as_argument : Known::when_compiled;
  const Known count = are_arguments() ? Known::when_launched : Known::when_compiled;
  add(0, "M", number(plan.m), "elements", false, extent), add(0, "N", number(plan.n), {}, false, extent);
  add(0, "K", number(plan.k), {}, false, extent);
  add(1, "BLK_M", number(plan.blk_m), "of a CTA"), add(1, "BLK_N", number(plan.blk_n)), add(1, "BLK_K", number(plan.blk_k));
  add(1, "THREADS", number(plan.threads));
  add(2, "K_TILES", tiles(Operand::a, 1), "tiles of K", false, count);
  add(2, "STAGES", number(plan.stages()), "tiles in shared memory at once");
  add(3, "MMA_M", number(plan.mma_m), "atoms of a thread in that tile"), add(3, "MMA_N", number(plan.mma_n));
  add(3, "MMA_K", number(plan.mma_k));
  const std::int64_t ctas = plan.cluster_size();
  add(7, "CLUSTER_M", number(plan.cluster_m), "CTAs of a cluster along M and N"), add(7, "CLUSTER_N", number(plan.cluster_n));
  const std::string clusters = ctas == 1 ? "gridDim.x" : "gridDim.x / (CLUSTER_M * CLUSTER_N)";
  add(7, "CLUSTERS", are_arguments() ? clusters : number(plan.grid / ctas), "clusters of the grid", false, count);
  if (are_arguments()) {
    add(8, "M_TILES", tiles(Operand::a, 0), ctas == 1 ? "tiles of C" : "clusters of tiles of C", false, count);
    add(8, "N_TILES", tiles(Operand::b, 0), {}, false, count);
    add(8, "CLUSTER_TILES", "M_TILES * N_TILES", {}, false, count);
  } else {
    add(8, "CLUSTER_TILES",
        fmt::format("({}) * ({}){}", tiles(Operand::a, 0), tiles(Operand::b, 0), ctas == 1 ? "" : " / (CLUSTER_M * CLUSTER_N)"));
  }
  const std::int64_t unit = plan::kStoredUnit * 8 / bits(plan.gmem(Operand::c).type);
  add(4, "TMA_N", fmt::format("N / {0} * {0}", unit), "columns of C that TMA stores, 16 bytes at once", false, count);
  for (const plan::Tensor& tensor : plan.tensors) {
    if (tensor.space == plan::Space::global) add_leading_dimension(tensor, 4);
    if (tensor.space == plan::Space::global && plan.is_batched())
      add(4, "BATCH_" + tensor.name.substr(1), number(tensor.batch_elements), "from a matrix of the batch to the next", is_wide_, extent);
    if (tensor.space == plan::Space::shared)
      add(5, upper(tensor.name) + "_STAGE", tile_extents(tensor),
          plan.stages() > 1 ? "elements from a stage to the next" : "elements of a tile in shared memory");
  }
  if (plan.has_smem()) add(6, "STAGE_BYTES", stage_bytes(), "bytes of a stage of A and one of B");
}

// "M / BLK_M", rounded up where the last tile is not whole. Where they are counted at the launch, in clusters and in groups of the raster.
std::string Constants::tiles(Operand operand, std::size_t mode) const {
  const std::string name = plan::mode_names(operand)[mode];
  const std::int64_t tile = plan::tile_extents(plan_, operand)[mode];
  if (are_arguments()) {
    const bool m = name == "M", n = name == "N";
    const std::string of = "BLK_" + name;
    const std::string cluster = m && plan_.cluster_m > 1 ? " * CLUSTER_M" : n && plan_.cluster_n > 1 ? " * CLUSTER_N" : "";
    const std::string whole = cluster.empty() ? of : "(" + of + cluster + ")";
    return fmt::format("({} + {} - 1) / {}", name, whole, whole);
  }
  const std::int64_t count = plan::tile_counts(plan_, operand)[mode];
  if (!plan::has_edge(plan_, operand, mode)) return fmt::format("{0} / BLK_{0}", name);
  if (count != ceil_div(plan::extents(plan_, operand)[mode], tile)) return number(count);
  return fmt::format("({0} + BLK_{0} - 1) / BLK_{0}", name);
}

void Constants::add(int line, std::string name, std::string value, std::string comment, bool is_wide, Known known) {
  constants_.push_back({std::move(name), std::move(value), std::move(comment), line, is_wide, known});
}

void Constants::add_leading_dimension(const plan::Tensor& tensor, int line) {
  const std::int64_t leading = leading_dimension(plain_part(tensor.layout));
  const bool rows = plain_part(tensor.layout).stride()[1].value() == 1;
  const std::int64_t extent = plain_part(tensor.layout).shape()[rows ? 1 : 0].value();
  if (leading < 2 || leading < extent) return;  // where rows overlap, a stride is no number of them
  leading_[static_cast<std::size_t>(tensor.operand)] = leading;
  const char* const inner = tensor.operand != Operand::c ? "K" : "N";
  const char* const contiguous = rows ? inner : tensor.operand == Operand::b ? "N" : "M";
  add(line, "LD" + tensor.name.substr(1), extent == leading ? contiguous : number(leading), "elements from a row (or column) to the next",
      is_wide_, are_arguments() ? Known::as_argument : Known::when_compiled);
}

std::uint8_t Constants::contiguous_mode(const plan::Tensor& tensor) const {
  return plain_part(tensor.layout).stride()[1].value() == 1 ? 1 : 0;
}

std::string Constants::tile_extents(const plan::Tensor& tensor) const {
  const bool a = tensor.operand == Operand::a;
  if (tensor.operand == Operand::c && plain_part(tensor.layout).size() == tensor.stage_elements)
    return fmt::format("{}", fmt::join(leaf_values(plain_part(tensor.layout).shape()), " * "));  // 64 * 64 * 2, boxes of 64 x 64
  if (tensor.operand == Operand::c || tensor.stage_elements != (a ? plan_.blk_m : plan_.blk_n) * plan_.blk_k)
    return number(tensor.stage_elements);
  return a ? "BLK_M * BLK_K" : "BLK_N * BLK_K";
}

std::string Constants::stage_bytes() const {
  const plan::Tensor &a = plan_.smem(Operand::a), &b = plan_.smem(Operand::b);
  const auto times = [](std::string elements, ValueType type) {
    return bits(type) == 8 ? std::move(elements) : fmt::format("{} * {}", elements, bits(type) / 8);
  };
  const std::string of_a = stage_elements(a.name), of_b = stage_elements(b.name);
  if (bits(a.type) != bits(b.type)) return fmt::format("{} + {}", times(of_a, a.type), times(of_b, b.type));
  return bits(a.type) == 8 ? fmt::format("{} + {}", of_a, of_b) : times(fmt::format("({} + {})", of_a, of_b), a.type);
}

std::optional<std::int64_t> Constants::known(const plan::Num& number) const {
  return plan_.is_fixed(number) ? std::optional(number.value) : std::nullopt;
}

std::optional<bool> Constants::is_below(const plan::Num& a, const plan::Num& b) const {
  const auto x = known(a), y = known(b);
  if (x && y) return *x < *y;
  if (a.of == b.of && a.times == b.times) return a.plus < b.plus;
  // What a size decides is 1 at least.
  if (x && b.times > 0 && *x < b.times + b.plus) return true;
  if (y && a.times > 0 && a.times + a.plus >= *y) return false;
  return std::nullopt;
}

plan::Num Constants::extent(std::string_view mode, std::int64_t value) const {
  const plan::Num named = plan_.named(plan::symbol_of(mode));
  return mode.starts_with("MMA_") && value > 1 && value == named ? named : plan::Num(value);
}

plan::Num Constants::places(plan::Id ring) const {
  return ring == plan_.ring() ? plan_.named(plan::Symbol::stages) : plan::Num(stages_of(plan_.rings, ring));
}

bool Constants::moves(const plan::Cursor& cursor) const { return stages_of(plan_.rings, cursor.ring) > 1; }

bool Constants::has_one_tile(Operand operand, std::size_t mode) const {
  return !are_arguments() && plan::tile_counts(plan_, operand)[mode] == 1;
}

bool Constants::has_a_cta_a_tile() const { return plan_.grid == plan_.m_tiles * plan_.n_tiles && !(are_arguments() && plan_.persistent); }

std::string Constants::stage_mode(const plan::Tensor& tensor) const { return stages_of(plan_.rings, tensor.ring) > 1 ? ",STAGES" : ""; }

std::string Constants::stage_elements(std::string_view tensor_name) const { return upper(tensor_name) + "_STAGE"; }

std::string Constants::byte_offset(const plan::Tensor& tensor) const {
  for (const plan::Tensor& before : plan_.tensors) {
    if (before.space != plan::Space::shared || before.byte_offset != 0 || tensor.byte_offset == 0) continue;
    const std::int64_t bytes = bits(before.type) / 8;
    const std::int64_t all = plan_.stages();
    if (all * before.stage_elements * bytes != tensor.byte_offset) continue;
    const std::string stages = all > 1 ? "STAGES * " : "", factor = bytes > 1 ? fmt::format(" * {}", bytes) : "";
    return fmt::format("{}{}{}", stages, stage_elements(before.name), factor);
  }
  return number(tensor.byte_offset);
}

StrideText Constants::stride(const plan::Tensor& tensor, std::string_view tile_mode) const {
  const std::int64_t leading = leading_[static_cast<std::size_t>(tensor.operand)];
  const std::int64_t blk = tile_mode == "BLK_M" ? plan_.blk_m : tile_mode == "BLK_N" ? plan_.blk_n : plan_.blk_k;
  const std::string name = "LD" + tensor.name.substr(1);
  return [=, wide = is_wide_, tile = std::string(tile_mode)](std::int64_t value) {
    if (leading > 1 && value == leading) return name;
    if (!tile.empty() && value == blk && !wide) return tile;
    if (leading > 1 && !tile.empty() && value == blk * leading) return fmt::format("({} * {})", tile, name);
    if (leading > 1 && value % leading == 0) return fmt::format("({} * {})", value / leading, name);
    return fmt::format("{}{}", value, wide ? "LL" : "");
  };
}

std::string Constants::parameters(std::string_view code) const {
  std::string text;
  for (const bool of_batch : {false, true}) {  // behind the others
    for (const Constant& each : constants_) {
      if (each.known != Known::as_argument || each.name.starts_with("BATCH_") != of_batch) continue;
      const std::string name = has_word(code, each.name) ? each.name : "/*" + each.name + "*/";
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", each.is_wide ? "long long" : "int", name);
    }
  }
  return text;
}

void Constants::declare_group(Lines& lines) const {
  if (!are_arguments() || plan_.raster_group == 1) return;
  lines.add(fmt::format("int group = {};", plan_.raster_group),
            "tiles of M that are walked together: so many, or the most below that divide them");
  lines.add("while (M_TILES % group != 0) --group;");
}

std::string Constants::ctas() const {
  const std::string m = tiles(Operand::a, 0), n = tiles(Operand::b, 0);
  return fmt::format("{}M_TILES * N_TILES CTAs, which are {} and {}", plan_.cluster_size() == 1 ? "" : "CLUSTER_M * CLUSTER_N * ", m, n);
}

// Groups of M-tiles, in each of which all tiles of N are walked: block % group + block / (group * N_TILES) * group, and
// block / group % N_TILES.
std::string Constants::tile_of_raster(std::uint8_t mode, std::string_view block) const {
  const std::string group = "group", of = in_parentheses(std::string(block));
  if (plan_.raster_group == 1) return fmt::format("{} {} N_TILES", of, mode == 0 ? "/" : "%");
  return mode == 0 ? fmt::format("{0} % {1} + {0} / ({1} * N_TILES) * {1}", of, group) : fmt::format("{} / {} % N_TILES", of, group);
}

std::string Constants::declarations(std::string_view code, Known known) const {
  std::vector<bool> used(constants_.size(), false);
  std::string seen(code);
  for (std::size_t i = constants_.size(); i-- > 0;) {  // a constant is made of those before it
    used[i] = has_word(seen, constants_[i].name);
    if (used[i]) seen += " " + constants_[i].value;
  }
  Lines lines(known == Known::when_compiled ? 0 : 1);
  const char* const kind = known == Known::when_compiled ? "constexpr" : "const";
  for (int line = 0; line < 9; ++line) {
    std::string text, comment;
    for (std::size_t i = 0; i < constants_.size(); ++i) {
      const Constant& each = constants_[i];
      if (!used[i] || each.line != line || each.known != known) continue;
      text += fmt::format("{}{} = {}", text.empty() ? fmt::format("{} {} ", kind, each.is_wide ? "long long" : "int") : ", ", each.name,
                          each.value);
      if (!each.comment.empty() && comment.find(each.comment) == std::string::npos) comment += (comment.empty() ? "" : "; ") + each.comment;
    }
    if (!text.empty()) lines.add(text + ";", comment);
  }
  return aligned(lines.text());
}

}  // namespace tessera::emitting
