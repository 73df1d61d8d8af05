// SPDX-License-Identifier: BSD-3-Clause
// The stages of a chain that is given by hand: layouts with tiled copies between them, and an MMA. What the copies cost is check_copy's.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/atom/copy/automatic_copy.hpp"
#include "core/atom/copy/check_copy.hpp"
#include "core/base/budget.hpp"
#include "core/diagram/kinds/chain_parts.hpp"
#include "core/diagram/kinds/tv_parts.hpp"
#include "core/layout/algebra.hpp"

namespace tessera {

namespace {

constexpr std::int64_t kRegisterBits = 32;

Error refuse(ErrorCode code, std::string what) {
  return Error{code,
               std::move(what),
               {},
               {"a chain is layouts with tiled copies between them: chain_figure(gA, copy, sA, copy_of_A, mma, copy_of_C, gC)"}};
}

ChainPlace place_of(AccessSpace space) { return space == AccessSpace::smem ? ChainPlace::shared : ChainPlace::global; }
std::optional<AccessSpace> space_of_place(ChainPlace place) {
  if (place == ChainPlace::registers) return std::nullopt;
  return place == ChainPlace::shared ? AccessSpace::smem : AccessSpace::gmem;
}

struct Tile {
  AnyLayout layout;
  ChainPlace place = ChainPlace::global;
};

class Reader {
 public:
  explicit Reader(const FigureSpec& spec) : spec_(spec) {}

  Result<Chain> run() {
    for (std::size_t i = 0; i < spec_.objects.size(); ++i) {
      const FigureObject& object = spec_.objects[i];
      if (std::holds_alternative<Layout>(object) || std::holds_alternative<ComposedLayout>(object)) {
        TESSERA_CHECK(take_layout(i));
      } else if (const auto* copy = std::get_if<TiledCopy>(&object)) {
        TESSERA_CHECK(take_copy(*copy, i));
      } else if (std::holds_alternative<TiledMma>(object) || std::holds_alternative<MmaAtom>(object)) {
        TESSERA_CHECK(take_mma(i));
      } else {
        return refuse(ErrorCode::wrong_type, fmt::format("a chain has no place for {}, its object {}", object_name(object), i + 1));
      }
    }
    if (copy_ && mma_ && !at_)
      return refuse(ErrorCode::wrong_arity, "what leaves the accumulators needs a layout to be written to, and the chain ends");
    if (copy_) TESSERA_CHECK(to_registers());
    if (chain_.stages.empty()) return refuse(ErrorCode::wrong_arity, "a chain without a copy goes nowhere");
    return std::move(chain_);
  }

 private:
  // Where the layout lies: as its tensor says, as the copies beside it want it, else the first and the last in global memory.
  ChainPlace place_at(std::size_t i) const {
    const std::string_view said = i < spec_.memories.size() ? std::string_view(spec_.memories[i]) : std::string_view();
    if (said == "smem") return ChainPlace::shared;
    if (said == "gmem") return ChainPlace::global;
    const auto beside = [&](std::size_t other, CopySide side) -> std::optional<AccessSpace> {
      const auto* copy = other < spec_.objects.size() ? std::get_if<TiledCopy>(&spec_.objects[other]) : nullptr;
      return copy ? space_of(copy->atom().traits.kind, side) : std::nullopt;
    };
    if (const auto space = beside(i + 1, CopySide::source)) return place_of(*space);
    if (const auto space = i > 0 ? beside(i - 1, CopySide::destination) : std::nullopt) return place_of(*space);
    return i == 0 || i + 1 == spec_.objects.size() ? ChainPlace::global : ChainPlace::shared;
  }

  Status take_layout(std::size_t i) {
    TESSERA_TRY(layout, layout_object(spec_, i, "a layout"));
    const Shape& extents = shape(layout);
    if (!extents.is_tuple() || extents.rank() != 2)
      return refuse(ErrorCode::rank_mismatch,
                    fmt::format("a tile of a chain has two modes, and {} has the shape {}", to_string(layout), to_string(extents)));
    Tile tile{std::move(layout), place_at(i)};
    if (!copy_ && i > 0)
      return refuse(ErrorCode::wrong_arity,
                    fmt::format("between object {} and the layout {} a copy is missing", i, to_string(tile.layout)));
    if (copy_) TESSERA_CHECK(add_copy(tile));
    at_ = std::move(tile);
    copy_ = nullptr;
    return Done{};
  }

  Status take_copy(const TiledCopy& copy, std::size_t i) {
    if (copy_) TESSERA_CHECK(to_registers());
    if (!at_ && !mma_)
      return refuse(ErrorCode::wrong_arity, fmt::format("the copy {} has nothing before it that it could read", copy.atom().traits.name));
    if (!at_ && i + 1 == spec_.objects.size())
      return refuse(ErrorCode::wrong_arity, "what leaves the accumulators needs a layout to be written to, and the chain ends");
    copy_ = &copy;
    return Done{};
  }

  Status take_mma(std::size_t i) {
    if (mma_) return refuse(ErrorCode::wrong_arity, "a chain has one MMA");
    if (copy_) TESSERA_CHECK(to_registers());
    if (chain_.stages.empty()) return refuse(ErrorCode::wrong_arity, "an MMA of a chain has a copy of its operand before it");
    FigureSpec one = spec_;
    one.objects = {spec_.objects[i]};
    TESSERA_TRY(mma, mma_object(one));
    const auto tile = mma.tile_mnk();
    std::int64_t rows = tile[0], cols = tile[1];
    for (std::size_t j = i + 1; j < spec_.objects.size(); ++j) {  // as large as where it goes
      const Result<AnyLayout> layout = layout_object(spec_, j, "");
      if (!layout || !shape(*layout).is_tuple() || shape(*layout).rank() != 2) continue;
      rows = size(shape(*layout)[0]), cols = size(shape(*layout)[1]);
      break;
    }
    TESSERA_TRY(stage, accumulators(mma, rows, cols));
    mma_ = true;
    at_.reset();
    chain_.steps.push_back({mma.atom().name,
                            {fmt::format("multiplies {} × {} × {} in {}", tile[0], tile[1], tile[2], counted(mma.num_threads(), "thread"))},
                            {}});
    chain_.stages.push_back(std::move(stage));
    return Done{};
  }

  Status to_registers() {
    if (!at_) return refuse(ErrorCode::wrong_arity, "what leaves registers needs a layout to be written to");
    TESSERA_CHECK(add_copy({at_->layout, ChainPlace::registers}));
    at_.reset();
    copy_ = nullptr;
    return Done{};
  }

  std::string_view row_name() const { return "m"; }
  std::string_view col_name() const { return mma_ ? "n" : "k"; }

  Result<ChainStage> stage_of(const TiledCopy& copy, CopySide side, const Tile& tile, std::int64_t at_once, std::int64_t bits,
                              const std::vector<std::int64_t>& order) {
    ChainStage stage;
    stage.place = tile.place;
    stage.operand = mma_ ? PanelOperand::c : PanelOperand::a;
    stage.axes = {std::string(col_name()), std::string(row_name())};
    stage.rows = size(shape(tile.layout)[0]), stage.cols = size(shape(tile.layout)[1]);
    stage.bits = bits;
    if (tile.place != ChainPlace::registers) {
      TESSERA_TRY(offset, element_offsets(tile.layout));
      stage.offset = std::move(offset);
      if (tile.place == ChainPlace::shared) stage.layout = to_string(tile.layout);
    }
    TESSERA_TRY(places, copy_places(copy, side, shape(tile.layout)));
    stage.touch = touches_of(in_order(places.element, places.threads, order), places.threads, at_once, stage.rows * stage.cols);
    stage.others = others_of(stage.touch, places.element, places.threads).value_or(std::vector<std::int64_t>());
    return stage;
  }

  Status add_copy(const Tile& to) {
    const TiledCopy& copy = *copy_;
    const std::int64_t bits = tessera::bits(copy.atom().value_type);
    const Tile from = at_ ? *at_ : Tile{to.layout, ChainPlace::registers};
    TESSERA_TRY(checked, check_copy(copy, {from.layout, space_of_place(from.place)}, {to.layout, space_of_place(to.place)}, bits));
    for (const std::string* refused : {&checked.source.refused, &checked.destination.refused}) {
      if (!refused->empty())
        return refuse(ErrorCode::not_representable, fmt::format("{} cannot take the tile: {}", copy.atom().traits.name, *refused));
    }
    const auto &read = checked.source.access, &written = checked.destination.access;
    const auto wide = [&](const std::optional<AccessReport>& own, const std::optional<AccessReport>& other) {
      return own ? own->bits : std::min(kRegisterBits, other ? other->bits : kRegisterBits);
    };
    ChainStep step;
    step.atoms = {copy.atom().traits.name};
    if (read) step.name = read->instruction;
    if (written && (!read || written->instruction != read->instruction)) step.name += (read ? ", " : "") + written->instruction;
    TESSERA_TRY(places, copy_places(copy, read ? CopySide::source : CopySide::destination, shape(to.layout)));
    const std::int64_t at_once = std::max<std::int64_t>(1, (read ? read->bits : written ? written->bits : bits) / bits);
    step.says.push_back(
        fmt::format("{}: {}", counted(places.threads, "thread"), width_words(at_once * bits, (places.each + at_once - 1) / at_once)));
    if (read) step.says.push_back(cost_words(*read));
    if (written) step.says.push_back(cost_words(*written));
    if (!checked.coverage.complete() && !checked.to_registers) chain_.notes.push_back(describe(checked.coverage, shape(to.layout)));
    // An automatic copy takes its values in the order of the side that lies in memory, of the source where both do.
    std::vector<std::int64_t> order;
    if (is_automatic(copy.atom().traits) && (read || written))
      order = common_order(places.element, places.threads, read ? from.layout : to.layout);
    if (at_) {
      TESSERA_TRY(source, stage_of(copy, CopySide::source, from, std::max<std::int64_t>(1, wide(read, written) / bits), bits, order));
      const bool again = !chain_.stages.empty();  // what was written is read now
      source.says = reading_words(read ? read->instruction : step.name);
      if (again) chain_.steps.push_back({});
      if (std::string readers = readers_words(source.others); !readers.empty()) step.says.push_back(std::move(readers));
      chain_.stages.push_back(std::move(source));
    }
    TESSERA_TRY(destination, stage_of(copy, CopySide::destination, to, std::max<std::int64_t>(1, wide(written, read) / bits), bits, order));
    destination.says = to.place == ChainPlace::registers ? holders_words(destination.others)
                                                         : fmt::format("as {} writes it", written ? written->instruction : step.name);
    chain_.steps.push_back(std::move(step));
    chain_.stages.push_back(std::move(destination));
    return Done{};
  }

  const FigureSpec& spec_;
  std::optional<Tile> at_;           // where the tile is; nothing: in registers
  const TiledCopy* copy_ = nullptr;  // that has no destination yet
  bool mma_ = false;                 // the tile is one of C now
  Chain chain_;
};

}  // namespace

Result<Chain> chain_of_copies(const FigureSpec& spec) { return Reader(spec).run(); }

std::string_view words_of(ChainPlace place) {
  switch (place) {
    case ChainPlace::global: return "global memory";
    case ChainPlace::shared: return "shared memory";
    case ChainPlace::registers: return "registers";
  }
  return "";
}

bool points_at_rows(std::string_view instruction) { return instruction.starts_with("ldmatrix"); }

std::string reading_words(std::string_view instruction) {
  return points_at_rows(instruction) ? fmt::format("{} reads 16 bytes where T points", instruction)
                                     : fmt::format("as {} reads it", instruction);
}

std::string width_words(std::int64_t bits, std::int64_t accesses) {
  return fmt::format("{} a lane, {} a thread", counted(bits, "bit"), accesses == 1 ? "1 access" : fmt::format("{} accesses", accesses));
}

std::string cost_words(const AccessReport& report) {
  return fmt::format("{}: {}{}", words_of(report.shared ? ChainPlace::shared : ChainPlace::global),
                     counted(report.units, report.shared ? "wavefront" : "sector"),
                     report.is_best() ? ", the least possible" : fmt::format(" where {} would do", report.least));
}

std::vector<ChainTouch> touches_of(const std::vector<std::int64_t>& element, std::int64_t threads, std::int64_t at_once,
                                   std::int64_t elements) {
  std::vector<ChainTouch> made(static_cast<std::size_t>(elements));
  for (std::size_t i = 0; i < element.size(); ++i) {
    if (element[i] < 0 || element[i] >= elements) continue;
    ChainTouch& touch = made[static_cast<std::size_t>(element[i])];
    if (touch.thread >= 0) continue;
    const std::int64_t value = static_cast<std::int64_t>(i) / threads, thread = static_cast<std::int64_t>(i) % threads;
    touch = {static_cast<std::int32_t>(thread), static_cast<std::int32_t>(value),
             static_cast<std::int32_t>(value / at_once * threads + thread)};
  }
  return made;
}

std::optional<std::vector<std::int64_t>> others_of(const std::vector<ChainTouch>& touch, const std::vector<std::int64_t>& element,
                                                   std::int64_t threads) {
  std::vector<std::set<std::int64_t>> steps(touch.size());
  for (std::size_t i = 0; i < element.size() && !late(); ++i) {
    if (element[i] < 0 || element[i] >= static_cast<std::int64_t>(touch.size())) continue;
    const auto at = static_cast<std::size_t>(element[i]);
    if (const std::int64_t step = static_cast<std::int64_t>(i) % threads - touch[at].thread; step != 0) steps[at].insert(step);
  }
  if (steps.empty() || std::adjacent_find(steps.begin(), steps.end(), std::not_equal_to<>()) != steps.end()) return {};
  return std::vector<std::int64_t>(steps.front().begin(), steps.front().end());
}

std::string readers_words(const std::vector<std::int64_t>& others) {
  constexpr std::int64_t kWarp = 32;
  if (others.empty()) return {};
  const bool warps = std::all_of(others.begin(), others.end(), [](std::int64_t step) { return step % kWarp == 0; });
  return fmt::format("each element is read by {}", counted(static_cast<std::int64_t>(others.size()) + 1, warps ? "warp" : "thread"));
}

std::string holders_words(const std::vector<std::int64_t>& others) {
  std::string words = "who holds which element";
  if (others.size() == 1 && others.front() > 0) words += fmt::format("; T + {} holds the same as T", others.front());
  return words;
}

Result<ChainStage> accumulators(const TiledMma& mma, std::int64_t rows, std::int64_t cols) {
  TESSERA_TRY(picture, operand_picture(mma, Operand::c));
  ChainStage stage;
  stage.place = ChainPlace::registers;
  stage.operand = PanelOperand::c;
  stage.axes = {"n", "m"};
  stage.rows = rows, stage.cols = cols;
  stage.bits = bits(mma.atom().val_c);
  stage.says =
      picture.in_registers ? "the accumulators, and who holds them" : "the accumulators lie in tensor memory, and no thread holds them";
  stage.touch.resize(static_cast<std::size_t>(rows * cols));
  TESSERA_CHECK(spend_cells(rows * cols, [] { return std::string("the tile of C"); }));
  if (!picture.in_registers) return stage;
  // Values are counted through all tiles of the MMA that cover C, as partition_C counts them.
  const std::int64_t at_once = std::max<std::int64_t>(1, kRegisterBits / stage.bits), m = picture.rows, n = picture.cols;
  const std::int64_t all_rows = (rows + m - 1) / m * m, all_cols = (cols + n - 1) / n * n;
  TESSERA_TRY(index, partition_index(mma, Operand::c, all_rows, all_cols));
  const std::int64_t values = picture.map.values() * (all_rows / m) * (all_cols / n);
  for (const std::int64_t thread : picture.map.threads()) {
    for (std::int64_t value = 0; value < values && !late(); ++value) {
      const std::int64_t place = index(thread, value), row = place % all_rows, col = place / all_rows;
      if (place < 0 || row >= rows || col >= cols) continue;
      ChainTouch& touch = stage.touch[static_cast<std::size_t>(row + rows * col)];
      if (touch.thread < 0)
        touch = {static_cast<std::int32_t>(thread), static_cast<std::int32_t>(value),
                 static_cast<std::int32_t>(thread * values + value / at_once)};
    }
  }
  return stage;
}

}  // namespace tessera
