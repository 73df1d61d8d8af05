// SPDX-License-Identifier: BSD-3-Clause
// The figure of a chain of copies: the same part of a tile at every stage of its way, cells in the colour of the thread that takes them and
// vectors outlined; between the stages what moves them, how wide and at what cost; and one element followed through all.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/budget.hpp"
#include "core/diagram/kinds/chain_drawn.hpp"
#include "core/diagram/kinds/chain_route.hpp"
#include "core/diagram/parts/reading_aids.hpp"
#include "core/diagram/parts/scaled_axes.hpp"

namespace tessera {

namespace {

constexpr float kBankBits = 32;        // a cell is one wide where it fills a bank, and an element as wide as its share of it
constexpr float kTag = 0.56f;          // type size of the threads' names
constexpr float kNarrowest = 0.9f;     // of what has a name
constexpr float kWiden = 2;            // of registers, where the picture is so wide
constexpr float kSmallestTag = 0.25f;  // beside the element that is followed
constexpr float kStepName = 0.5f, kStepSays = 0.44f;
constexpr Rgb kWay{190, 24, 24};         // of the line that follows an element, also along strong lines
constexpr std::int64_t kUnitBits = 128;  // of a swizzle, and of an access at most

class Painter {
 public:
  Painter(Scene& scene, const FigureSpec& spec, const Palette& palette, const Chain& chain, const Followed& at)
      : scene_(scene), palette_(palette), chain_(chain), at_(at) {
    const bool swap = neighbours_go_down(chain.stages.front());
    for (const ChainStage& stage : chain.stages) {
      const bool c = stage.operand == PanelOperand::c;
      const ChainPart part = part_of(stage, !c && swap, c ? c_row(stage) : at.row, c ? c_col(stage) : at.col);
      drawn_.push_back(stage.place == ChainPlace::shared ? by_addresses(stage, part) : by_coordinates(stage, part));
    }
    std::int64_t rows = 0;
    for (std::size_t i = 0; i < drawn_.size(); ++i) {
      drawn_[i].frame.w = std::max(static_cast<float>(chain.stages[i].bits) / kBankBits, 1.0f / 16);
      rows += drawn_[i].frame.rows;
      width_ = std::max(width_, drawn_[i].frame.width());
    }
    for (std::size_t i = 0; i < drawn_.size(); ++i) {  // a register is as narrow as a bank, and has a name
      const bool widens = chain.stages[i].place == ChainPlace::registers && kWiden * drawn_[i].frame.width() <= width_;
      if (widens) drawn_[i].frame.w *= kWiden, wide_registers_ = true;
    }
    unit_ = spec.text_unit > 0 ? spec.text_unit : std::max(1.0f, static_cast<float>(rows) / 44.0f);
    place();
  }

  float unit() const { return unit_; }
  bool has_wide_registers() const { return wide_registers_; }
  // Does a thread take several accesses of what is drawn?
  bool repeats_names() const {
    for (std::size_t i = 0; i < drawn_.size(); ++i) {
      std::map<std::int32_t, std::int32_t> access_of;  // by thread
      for (const std::int64_t element : drawn_[i].element) {
        if (element < 0) continue;
        const ChainTouch& touch = chain_.stages[i].touch[static_cast<std::size_t>(element)];
        if (touch.thread >= 0 && access_of.try_emplace(touch.thread, touch.access).first->second != touch.access) return true;
      }
    }
    return false;
  }
  // Is a frame in registers around more than the element?
  bool frames_registers() const {
    for (std::size_t i = 0; i < drawn_.size(); ++i) {
      const ChainStage& stage = chain_.stages[i];
      const auto cell = cell_of(i);
      if (!cell || stage.place != ChainPlace::registers || stage.operand == PanelOperand::c) continue;
      const auto [first, end] = run_of(i, *cell);
      if (end - first > 1) return true;
    }
    return false;
  }
  bool is_grey() const {  // so is the way then
    const Rgb hue = palette_.category(0, 8);
    return hue.r == hue.g && hue.g == hue.b;
  }
  std::int64_t cells() const {
    std::int64_t sum = 0;
    for (const ChainDrawn& each : drawn_) sum += each.frame.rows * each.frame.cols;
    return sum;
  }

  void paint() {
    Panel way{"the way of one element", {}, "way"};
    for (std::size_t i = 0; i < drawn_.size(); ++i) add_stage(i, way);
    for (std::size_t i = 0; i + 1 < drawn_.size(); ++i) add_step(way, i);
    scene_.panels.push_back(std::move(way));
  }

  // What is drawn of tiles that are larger.
  std::vector<std::string> part_notes() const {
    std::vector<std::string> notes;
    for (std::size_t i = 0; i < drawn_.size(); ++i) {
      const ChainStage& stage = chain_.stages[i];
      const ChainPart& part = drawn_[i].part;
      if (part.down * part.across == stage.rows * stage.cols) continue;
      const bool swap = part.swap;
      const auto range = [](std::string_view name, std::int64_t first, std::int64_t count) {
        return fmt::format("{} {}-{}", name, first, first + count - 1);
      };
      std::string words = fmt::format(
          "{}, {} of {} × {}", range(stage.axes.down, swap ? part.first_across : part.first_down, swap ? part.across : part.down),
          range(stage.axes.across, swap ? part.first_down : part.first_across, swap ? part.down : part.across), stage.rows, stage.cols);
      if (std::find(notes.begin(), notes.end(), words) == notes.end()) notes.push_back(std::move(words));
    }
    return notes;
  }

  Legend legend() const {
    const std::set<std::int32_t> threads = all_threads();
    if (threads.size() < 2) return {};
    return OwnerColors(scene_, palette_, {threads.begin(), threads.end()}, 1, "thread").legend();
  }

 private:
  // Where the element's share of C begins: its row m is in row m of C, and a row n of B in column n.
  bool of_b() const { return chain_.stages.front().operand == PanelOperand::b; }
  std::int64_t c_row(const ChainStage& stage) const { return of_b() ? 0 : std::min(at_.row, stage.rows - 1); }
  std::int64_t c_col(const ChainStage& stage) const { return of_b() ? std::min(at_.row, stage.cols - 1) : 0; }
  static std::string tag(const ChainTouch& touch) { return touch.thread < 0 ? std::string() : fmt::format("T{}", touch.thread); }
  bool is_again(std::size_t i) const { return i > 0 && chain_.steps[i - 1].name.empty(); }

  void place() {
    float y = 0;
    for (std::size_t i = 0; i < drawn_.size(); ++i) {
      if (i > 0) {
        const auto lines = static_cast<float>(chain_.steps[i - 1].says.size() + 1);
        y += is_again(i) ? 2.3f * unit_ : (3.3f + (is_beside(i - 1) ? 0 : 0.66f * lines - 0.5f)) * unit_;
      }
      drawn_[i].frame.y = y;
      y = drawn_[i].frame.bottom();
    }
  }

  float length_of(const ChainStep& step) const {
    float longest = kStepName * 0.62f * static_cast<float>(step.name.size());
    for (const std::string& line : step.says) longest = std::max(longest, kStepSays * 0.54f * static_cast<float>(line.size()));
    return longest * unit_;
  }
  // Do a step's words stand right of the stage that it leaves?
  bool is_beside(std::size_t step) const {
    return drawn_[step].frame.rows >= 3 &&
           drawn_[step].frame.width() + 1.2f * unit_ + length_of(chain_.steps[step]) <= std::max(width_, 26 * unit_) + 4 * unit_;
  }

  std::set<std::int32_t> threads_of(std::size_t i) const {
    std::set<std::int32_t> threads;
    for (const std::int64_t element : drawn_[i].element) {
      if (element >= 0 && chain_.stages[i].touch[static_cast<std::size_t>(element)].thread >= 0)
        threads.insert(chain_.stages[i].touch[static_cast<std::size_t>(element)].thread);
    }
    return threads;
  }

  // Of all stages, so that a thread has one colour in all of them.
  std::set<std::int32_t> all_threads() const {
    std::set<std::int32_t> threads;
    for (std::size_t i = 0; i < drawn_.size(); ++i) threads.merge(threads_of(i));
    return threads;
  }

  // By thread; where no lane takes part, by the 16 bytes of a row of the tile, which a swizzle moves as one.
  std::vector<ColorIndex> fills_of(std::size_t i) {
    const ChainStage& stage = chain_.stages[i];
    const std::set<std::int32_t> threads = all_threads();
    std::vector<ColorIndex> fills;
    const OwnerColors colors(scene_, palette_, {threads.begin(), threads.end()}, 1, "thread");
    const bool boxes =
        std::any_of(stage.touch.begin(), stage.touch.end(), [](const ChainTouch& touch) { return touch.thread < 0 && touch.access >= 0; });
    for (const std::int64_t element : drawn_[i].element) {
      if (element < 0) {
        fills.push_back(kNoColor);
        continue;
      }
      const ChainTouch& touch = stage.touch[static_cast<std::size_t>(element)];
      const std::int64_t along = drawn_[i].part.swap ? element % stage.rows : element / stage.rows;
      if (touch.thread >= 0)
        fills.push_back(readable(colors.fill({touch.thread, touch.value})));
      else
        fills.push_back(boxes ? scene_.color(palette_.category(along * stage.bits / kUnitBits % 8, 8))
                              : scene_.color(on_page({236, 238, 243}, scene_.page)));
    }
    return fills;
  }

  // Names stand on several cells in the page's ink: a fill that is too dark (on a dark page too light) for it is paled.
  ColorIndex readable(ColorIndex fill) {
    if (fill == kNoColor) return fill;
    Rgb color = scene_.palette[fill];
    for (int i = 0; i < 8 && contrast(scene_.page.ink, color) < kReadable; ++i) color = mix(color, scene_.page.paper, 0.2);
    return scene_.color(color);
  }

  void add_stage(std::size_t i, Panel& way) {
    const ChainStage& stage = chain_.stages[i];
    const ChainDrawn& drawn = drawn_[i];
    const std::string where =
        stage.name.empty() ? std::string(words_of(stage.place)) : fmt::format("{}, {}", stage.name, words_of(stage.place));
    const std::string heading = stage.says.empty() ? where : fmt::format("{}: {}", where, stage.says);
    Panel panel{
        heading,
        {},
        fmt::format("stage{}", i + 1),
        stage.operand,
        drawn.line.empty() ? (drawn.part.swap ? AxisNames{stage.axes.down, stage.axes.across} : stage.axes) : AxisNames{"bank", "byte"}};
    GridColumns columns = begin_grid(drawn.frame.rows, drawn.frame.cols);
    columns.place = GridColumns::Place::given;
    columns.fills = fills_of(i);
    const bool in_memory = stage.place != ChainPlace::registers;
    if (in_memory) {
      columns.tensor = tensor_of(stage, where);
      columns.bits = stage.place == ChainPlace::shared ? stage.bits : 0;
      columns.byte_offset = stage.byte_offset;
    }
    std::vector<std::int32_t> access;
    for (std::size_t k = 0; k < drawn.element.size(); ++k) {
      const std::int64_t element = drawn.element[k];
      const ChainTouch touch = element < 0 ? ChainTouch{} : stage.touch[static_cast<std::size_t>(element)];
      columns.row.push_back(element < 0 ? -1 : static_cast<std::int32_t>(element % stage.rows));
      columns.col.push_back(element < 0 ? -1 : static_cast<std::int32_t>(element / stage.rows));
      columns.thread.push_back(touch.thread);
      columns.value.push_back(touch.value);
      if (in_memory) columns.address.push_back(element < 0 ? -1 : stage.offset[static_cast<std::size_t>(element)]);
      access.push_back(touch.access);
    }
    add_grid(panel, drawn.frame, std::move(columns));
    const bool named = add_tags(way, i, access);
    add_frame(panel, drawn.frame);
    if (named) panel.marks.erase(panel.marks.end() - 2);  // lines between elements would go through the names
    add_borders(panel, drawn.frame, access, StrokeRole::strong, true);
    add_numbers(panel, drawn);
    if (const auto cell = cell_of(i); cell && (!in_memory || is_beside_way(i, 0, *cell))) move_number(panel, drawn.frame, cell->second);
    add_heading(scene_, panel, drawn.frame.x, drawn.frame.y - 1.15f * unit_, heading, unit_);
    if (const auto cell = cell_of(i)) {
      // A register is taken as one, and its name stays in its middle.
      const bool in_register = stage.place == ChainPlace::registers;
      const auto [first, end] = in_register ? run_of(i, *cell) : std::pair{cell->second, cell->second + 1};
      const std::int64_t r = cell->first;
      const bool c_too = stage.operand == PanelOperand::c;  // all of its row or column has a share
      const bool wide = c_too && !of_b(), high = c_too && of_b();
      panel.marks.push_back(Outline{wide ? drawn.frame.x : drawn.frame.column(first),
                                    high ? drawn.frame.y : drawn.frame.y + static_cast<float>(r),
                                    wide ? drawn.frame.width() : drawn.frame.w * static_cast<float>(end - first),
                                    high ? static_cast<float>(drawn.frame.rows) : 1, StrokeRole::highlight});
    }
    scene_.panels.push_back(std::move(panel));
  }

  // Is row r the followed element's, which is framed? In memory runs are long, and have room for names beside it.
  bool is_beside_way(std::size_t stage, std::int64_t r, const std::pair<std::int64_t, std::int64_t>& followed) const {
    return chain_.stages[stage].place != ChainPlace::registers && r == followed.first;
  }

  // Is the followed element itself in these registers?
  bool holds(std::size_t stage) const {
    return chain_.stages[stage].place == ChainPlace::registers && chain_.stages[stage].operand != PanelOperand::c;
  }
  const ChainTouch& followed_touch(std::size_t stage) const {
    return chain_.stages[stage].touch[static_cast<std::size_t>(at_.row + chain_.stages[stage].rows * at_.col)];
  }

  // The thread's name on each run of cells that one access takes, beside the element that is followed; did any run have room?
  bool add_tags(Panel& way, std::size_t stage, const std::vector<std::int32_t>& access) {
    const ChainDrawn& drawn = drawn_[stage];
    const Frame& frame = drawn.frame;
    const auto followed = cell_of(stage);
    bool any = false;
    for (std::int64_t r = 0; r < frame.rows; ++r) {
      const auto at = [&](std::int64_t c) { return static_cast<std::size_t>(r * frame.cols + c); };
      for (std::int64_t c = 0, end = 0; c < frame.cols; c = end) {
        for (end = c + 1; end < frame.cols && access[at(end)] == access[at(c)];) ++end;
        const std::int64_t element = drawn.element[at(c)];
        std::string words = element < 0 ? std::string() : tag(chain_.stages[stage].touch[static_cast<std::size_t>(element)]);
        if (words.empty() || frame.w * static_cast<float>(end - c) < kNarrowest) continue;
        std::int64_t first = c, last = end;
        if (end - c > 1 && followed && is_beside_way(stage, r, *followed) && followed->second >= c && followed->second < end)
          followed->second - c > end - followed->second - 1 ? last = followed->second : first = followed->second + 1;
        const float wide = frame.w * static_cast<float>(last - first);
        const auto size_of = [&](const std::string& text) {
          return std::min(kTag, 0.8f * wide / (0.62f * static_cast<float>(text.size())));
        };
        const bool held = followed && holds(stage) && r == followed->first && followed->second >= c && followed->second < end;
        if (const std::string both = held ? fmt::format("{} V{}", words, followed_touch(stage).value) : std::string();
            held && size_of(both) >= kSmallestTag)
          words = both;
        const float size = size_of(words);
        if (size < kSmallestTag) continue;  // the sentence says it
        any = true;
        way.marks.push_back(Label{frame.column(first) + wide / 2, frame.y + static_cast<float>(r) + 0.5f, scene_.intern(words),
                                  LabelRole::legend, Anchor::center, size});
      }
    }
    return any;
  }

  std::int32_t tensor_of(const ChainStage& stage, const std::string& where) {
    // What is seen twice has the same addresses.
    const auto found = std::find(scene_.tensors.begin(), scene_.tensors.end(), where);
    if (found != scene_.tensors.end() && stage.place == ChainPlace::shared)
      return static_cast<std::int32_t>(found - scene_.tensors.begin());
    scene_.tensors.push_back(where);
    return static_cast<std::int32_t>(scene_.tensors.size() - 1);
  }

  void add_numbers(Panel& panel, const ChainDrawn& drawn) {
    const float size = kAxisType * unit_;
    if (drawn.line.empty()) {
      add_scaled_axes(scene_, panel, drawn.frame, {drawn.part.first_down, 1}, {drawn.part.first_across, 1}, unit_);
      add_axis_names(scene_, panel, drawn.frame, unit_);
      return;
    }
    for (std::size_t r = 0; r < drawn.line.size(); ++r)
      panel.marks.push_back(Label{drawn.frame.x - 0.26f * unit_, drawn.frame.y + static_cast<float>(r) + 0.5f,
                                  scene_.intern(std::to_string(drawn.line[r])), LabelRole::axis, Anchor::right, size});
    constexpr std::int64_t kBanksShown = 4;
    for (std::int64_t bank = 0; bank < kBanks; bank += kBanksShown) {
      const float cells = static_cast<float>(drawn.frame.cols) / static_cast<float>(kBanks);
      panel.marks.push_back(Label{drawn.frame.x + (static_cast<float>(bank) + 0.5f) * cells * drawn.frame.w, drawn.frame.y - 0.38f * unit_,
                                  scene_.intern(std::to_string(bank)), LabelRole::axis, Anchor::center, size});
    }
    add_axis_names(scene_, panel, drawn.frame, unit_);
  }

  // Row and column of the drawing where the followed element is.
  std::optional<std::pair<std::int64_t, std::int64_t>> cell_of(std::size_t i) const {
    const ChainStage& stage = chain_.stages[i];
    const bool c = stage.operand == PanelOperand::c;
    const std::int64_t element = c ? c_row(stage) + stage.rows * c_col(stage) : at_.row + stage.rows * at_.col;
    const auto found = std::find(drawn_[i].element.begin(), drawn_[i].element.end(), element);
    if (found == drawn_[i].element.end()) return {};
    const auto k = static_cast<std::int64_t>(found - drawn_[i].element.begin());
    return std::pair{k / drawn_[i].frame.cols, k % drawn_[i].frame.cols};
  }

  // The columns of the access that takes a cell.
  std::pair<std::int64_t, std::int64_t> run_of(std::size_t i, const std::pair<std::int64_t, std::int64_t>& cell) const {
    const ChainDrawn& drawn = drawn_[i];
    const auto access = [&](std::int64_t c) {
      const std::int64_t element = drawn.element[static_cast<std::size_t>(cell.first * drawn.frame.cols + c)];
      return element < 0 ? -1 : chain_.stages[i].touch[static_cast<std::size_t>(element)].access;
    };
    std::int64_t first = cell.second, end = cell.second + 1;
    while (first > 0 && access(first - 1) == access(cell.second)) --first;
    while (end < drawn.frame.cols && access(end) == access(cell.second)) ++end;
    return {first, end};
  }

  // The boxes of the labels that a way from stage i to the next may not cross.
  std::vector<Bounds> labels_at(const Panel& way, std::size_t i) const {
    std::vector<Bounds> boxes;
    const auto add = [&](const Panel& panel) {
      for (const Mark& mark : panel.marks) {
        if (!std::holds_alternative<Label>(mark)) continue;
        boxes.push_back(bounds(Panel{"", {mark}}));
      }
    };
    add(way);
    add(scene_.panels[i]);
    add(scene_.panels[i + 1]);
    return boxes;
  }

  void add_step(Panel& way, std::size_t i) {
    const ChainStep& step = chain_.steps[i];
    const auto from = cell_of(i), to = cell_of(i + 1);
    const Frame &a = drawn_[i].frame, &b = drawn_[i + 1].frame;
    const bool again = step.name.empty();  // it lies where it lay; of C all of a row or column does, and has no one way
    if (again && chain_.stages[i].operand == PanelOperand::c) return;
    float x0 = 0, x1 = 0;  // between which the way goes down
    if (from && to) {
      const ChainRoute route = route_of({a, *from, run_of(i, *from)}, {b, *to, run_of(i + 1, *to)}, labels_at(way, i), unit_);
      x0 = route.left, x1 = route.right;
      const std::uint32_t subject = again ? kNoSubject : scene_.add_words(words_of_step(step));
      const ColorIndex color = is_grey() ? kNoColor : scene_.color(kWay);
      for (std::size_t k = 0; k + 1 < route.points.size(); ++k) {
        const auto &p = route.points[k], &q = route.points[k + 1];
        if (again || k + 2 < route.points.size())
          way.marks.push_back(Line{p.first, p.second, q.first, q.second, StrokeRole::strong, color, subject});
        else
          way.marks.push_back(Arrow{p.first, p.second, q.first, q.second, color, subject});
      }
    }
    if (again) return;
    float x = a.right() + 1.2f * unit_, y = a.y + 0.5f * unit_;  // at its top: the arrow leaves downwards
    Anchor anchor = Anchor::left;
    if (!is_beside(i)) {  // below it, beside the arrow where there is room
      const float right = std::max(x0, x1) + 0.9f * unit_, left = std::min(x0, x1) - 0.9f * unit_, longest = length_of(step);
      const bool at_right = right + longest <= width_ + 2 * unit_ || left < longest;
      x = at_right ? right : left, y = a.bottom() + 0.85f * unit_;
      anchor = at_right ? Anchor::left : Anchor::right;
    }
    const auto text = [&](const std::string& words, LabelRole role, float size) {
      way.marks.push_back(Label{x, y, scene_.intern(words), role, anchor, size * unit_});
      y += 0.66f * unit_;
    };
    text(step.name, LabelRole::panel_name, kStepName);
    for (const std::string& line : step.says) text(line, LabelRole::note, kStepSays);
  }

  static std::string words_of_step(const ChainStep& step) {
    std::string words = step.name;
    for (const auto* more : {&step.says, &step.atoms}) {
      for (const std::string& each : *more) words += "; " + each;
    }
    return words;
  }

  Scene& scene_;
  const Palette& palette_;
  const Chain& chain_;
  Followed at_;
  std::vector<ChainDrawn> drawn_;
  float width_ = 0, unit_ = 1;  // of the widest stage, of text
  bool wide_registers_ = false;
};

}  // namespace

Result<Scene> chain_figure(const FigureSpec& spec) {
  TESSERA_CHECK(only_own_style(spec));
  TESSERA_TRY(operand, choice(spec, "operand", kGemmOperandChoices));
  const auto* plan = std::get_if<GemmPlan>(&spec.objects.front());
  if (!plan && !parameter(spec, "operand").empty())
    return Error{ErrorCode::unknown_name, "operand= is of a GEMM; a chain of copies has the tile that it begins with", {}, {}};
  if (plan && spec.objects.size() > 1)
    return Error{ErrorCode::wrong_arity, "a GEMM knows its copies: it stands alone in its chain", {}, {"chain_figure(gemm, operand=B)"}};
  TESSERA_TRY(chain, plan ? chain_of_gemm(*plan, operand == "A" ? Operand::a : Operand::b) : chain_of_copies(spec));
  TESSERA_TRY(at, followed(spec, chain.stages.front()));
  TESSERA_TRY(palette, Palette::find(spec.palette));
  Scene scene = begin_scene(spec);
  Painter painter(scene, spec, palette, chain, at);
  TESSERA_CHECK(take_cells(painter.cells(), 0, "the stages of a chain"));
  painter.paint();
  Captions captions;
  std::string way;
  for (const ChainStep& step : chain.steps) {
    if (!step.name.empty()) way += fmt::format("{}{}", way.empty() ? "" : ", then ", step.name);
  }
  const ChainStage& last = chain.stages.back();
  const auto place = static_cast<std::size_t>(at.row + last.rows * at.col);
  std::string held;
  if (last.place == ChainPlace::registers && last.operand != PanelOperand::c && place < last.touch.size() &&
      last.touch[place].thread >= 0) {
    const bool two = last.others.size() == 1;
    held = fmt::format(", and arrives as value {0} (V{0}) of thread{1} {2}", last.touch[place].value, two ? "s" : "",
                       last.touch[place].thread);
    if (two) held += fmt::format(" and {}", last.touch[place].thread + last.others.front());
  }
  captions.sentence = sentence(fmt::format("element ({},{}) of the tile goes by {}{}", at.row, at.col, way, held));
  captions.notes.push_back(fmt::format("{} and thick frames: the element that is followed{}", painter.is_grey() ? "arrows" : "red line",
                                       painter.frames_registers() ? ", in registers the register that holds it" : ""));
  captions.notes.push_back(fmt::format("thin frame: one access of the thread in it{}{}",
                                       painter.repeats_names() ? ", which may have several" : "",
                                       painter.has_wide_registers() ? "; registers are drawn twice as wide, to have room for names" : ""));
  std::string layouts;  // each once: a tile is seen as it is written, and again as it is read
  for (const ChainStage& stage : chain.stages) {
    if (stage.layout.empty() || layouts.find(stage.layout) != std::string::npos) continue;
    layouts += fmt::format("{}{}{}", layouts.empty() ? "" : ", ", stage.name.empty() ? "" : stage.name + " = ", stage.layout);
  }
  if (!layouts.empty()) captions.notes.push_back("in shared memory: " + layouts);
  for (std::string& words : pointing_words(chain, at)) captions.notes.push_back(std::move(words));
  if (const std::vector<std::string> parts = painter.part_notes(); !parts.empty())
    captions.notes.push_back(fmt::format("drawn: {}", fmt::join(parts, "; ")));
  std::vector<std::string> atoms;
  for (const ChainStep& step : chain.steps) {
    for (const std::string& atom : step.atoms) atoms.push_back(fmt::format("{} by {}", step.name, atom));
  }
  if (!atoms.empty()) captions.notes.push_back(fmt::format("{}", fmt::join(atoms, "; ")));
  captions.notes.insert(captions.notes.end(), chain.notes.begin(), chain.notes.end());
  captions.legends.push_back(painter.legend());
  return close_figure(std::move(scene), spec, std::move(captions), painter.unit());
}

}  // namespace tessera
