// SPDX-License-Identifier: BSD-3-Clause
// The figure of one access of shared memory: its banks across, its wavefronts down, and in each cell the lanes whose word is served there.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/budget.hpp"
#include "core/diagram/kinds/access_parts.hpp"
#include "core/diagram/kinds/figure_kinds.hpp"
#include "core/diagram/parts/brackets.hpp"
#include "core/diagram/parts/reading_aids.hpp"

namespace tessera {

namespace {

struct BanksPicture : DrawnAccess {
  SmallVector<Phase, 4> phases;
  std::vector<ServedWord> words;
  Wavefronts sum;
};

Result<BanksPicture> read(const FigureSpec& spec) {
  TESSERA_TRY(access, drawn_access(spec, AccessSpace::smem));
  BanksPicture p{std::move(access), {}, {}, {}};
  p.phases = phases(p.instruction.access);
  p.words = served_words(p.instruction.access);
  p.sum = smem_wavefronts(p.instruction.access);
  TESSERA_CHECK(take_cells(p.sum.count * kBanks, static_cast<std::int64_t>(p.words.size()), "the wavefronts of an access"));
  return p;
}

// Do cells name the words that meet? Where there is a conflict, and no word has several lanes, whose number stands there.
bool names_words(const BanksPicture& p) {
  constexpr std::int64_t kMostNamed = 999;
  return p.sum.count > p.sum.least && std::all_of(p.words.begin(), p.words.end(),
                                                  [](const ServedWord& word) { return word.lanes.size() == 1 && word.word <= kMostNamed; });
}

// "T5", and of several lanes that ask for one word "T5" over "+3"; "T5" over "w32" where words meet.
std::string label_of(const BanksPicture& p, const ServedWord& word, bool names) {
  std::string text = fmt::format("T{}", p.first_thread() + word.lanes[0]);
  if (word.lanes.size() > 1) text += fmt::format("\n+{}", word.lanes.size() - 1);
  if (names) text += fmt::format("\nw{}", word.word);
  return text;
}

// The words of one phase: banks across, wavefronts down.
Panel phase_panel(Scene& scene, const BanksPicture& p, std::size_t number, const Frame& frame, const LaneColors& colors, std::int64_t above,
                  float unit) {
  const Phase& phase = p.phases[number];
  Panel panel{fmt::format("phase {}", number), {}, fmt::format("phase{}", number), PanelOperand::none, {"bank", "wavefront"}};
  std::vector<const ServedWord*> at(static_cast<std::size_t>(frame.rows * kBanks), nullptr);
  std::vector<std::int64_t> asked(kBanks, 0);  // words of each bank
  for (const ServedWord& word : p.words) {
    if (word.phase != static_cast<int>(number)) continue;
    at[static_cast<std::size_t>(word.wavefront * kBanks + word.bank)] = &word;
    ++asked[static_cast<std::size_t>(word.bank)];
  }
  GridColumns columns = begin_grid(frame.rows, kBanks);
  columns.place = GridColumns::Place::drawn;
  columns.tensor = 0;
  const bool names = names_words(p);
  std::vector<std::int32_t> lanes, conflicts;
  for (std::size_t i = 0; i < at.size(); ++i) {
    const ServedWord* word = at[i];
    columns.fills.push_back(word && !colors.of_lane.empty() ? colors.of_lane[static_cast<std::size_t>(word->lanes[0])] : kNoColor);
    columns.add_label(word ? label_of(p, *word, names) : std::string());
    columns.thread.push_back(word ? static_cast<std::int32_t>(p.first_thread() + word->lanes[0]) : -1);
    columns.address.push_back(word ? word->word * kBankBytes * 8 / p.bits : -1);
    columns.banks.push_back(word ? word->bank : -1);
    for (std::size_t k = 1; word && k < word->lanes.size(); ++k)
      columns.others.push_back({static_cast<std::int32_t>(p.first_thread() + word->lanes[k]), -1});
    columns.other_ends.push_back(static_cast<std::uint32_t>(columns.others.size()));
    lanes.push_back(word ? word->lanes[0] : -1);
    conflicts.push_back(word && phase.wavefronts > phase.least && asked[i % kBanks] > phase.least ? 0 : -1);
  }
  columns.shared_in_words = true;  // "+3"
  if (columns.others.empty()) columns.other_ends.clear();
  add_grid(panel, frame, std::move(columns));
  add_borders(panel, frame, lanes, StrokeRole::boundary, true);
  add_frame(panel, frame);
  add_borders(panel, frame, conflicts, StrokeRole::strong, true);
  if (number == 0) add_axes(scene, panel, frame, {false, true}, unit);
  for (std::int64_t r = 0; r < frame.rows; ++r) {
    panel.marks.push_back(Label{frame.x - 0.26f * unit, frame.y + static_cast<float>(r) + 0.5f, scene.intern(std::to_string(above + r)),
                                LabelRole::axis, Anchor::right, kAxisType * unit});
  }
  const bool named = p.phases.size() > 1 && p.sum.count > p.sum.least;  // the sentence says which phase has the conflict
  const std::string words = fmt::format("{}lanes {}-{}", named ? fmt::format("phase {}, ", number) : std::string(), phase.first_lane,
                                        phase.first_lane + phase.lanes - 1);
  add_bracket(scene, panel, BracketAt::left, frame.y, frame.bottom(), frame.x - 0.62f * unit, words, unit);
  return panel;
}

std::string heading_of(const BanksPicture& p) {
  if (p.phases.size() == 1 && p.sum.least == 1 && p.sum.count > 1)
    return fmt::format("{}: {}-way bank conflict, {} wavefronts", p.instruction.name, p.sum.count, p.sum.count);
  const std::string needed = p.sum.count == p.sum.least ? std::string("no conflict") : fmt::format("{} needed", p.sum.least);
  return fmt::format("{}: {}, {}", p.instruction.name, counted(p.sum.count, "wavefront"), needed);
}

// How many banks are asked for more words than one wavefront can serve, in all phases.
std::size_t conflicts_of(const BanksPicture& p) {
  std::map<std::pair<int, int>, int> asked;
  for (const ServedWord& word : p.words) ++asked[{static_cast<int>(word.phase), static_cast<int>(word.bank)}];
  return static_cast<std::size_t>(std::count_if(asked.begin(), asked.end(), [&](const auto& each) {
    return each.second > p.phases[static_cast<std::size_t>(each.first.first)].least;
  }));
}

std::string sentence_of(const BanksPicture& p) {
  const auto conflict = first_conflict(p.instruction.access);
  std::string words = conflict ? describe(*conflict, p.pattern.side == CopySide::destination) : std::string();
  if (p.phases.size() == 1 && words.starts_with("phase 0: ")) words.erase(0, std::string_view("phase 0: ").size());  // there is no other
  if (!conflict) return "No bank is asked for two words at once: a wavefront serves each of its 32 banks with one word of 4 bytes.";
  if (conflicts_of(p) > 1) {  // it is one of them
    const std::size_t colon = words.starts_with("phase ") ? words.find(": ") : std::string::npos;
    words = colon == std::string::npos ? "for example, " + words
                                       : fmt::format("in {}, for example, {}", words.substr(0, colon), words.substr(colon + 2));
  }
  return sentence(fmt::format("{} at different words: a wavefront serves a bank with one word of 4 bytes", words));
}

// A bank is outlined where it is asked for more words than the least number of wavefronts of its phase could serve.
std::string outlined_words(const BanksPicture& p) {
  std::vector<int> least;
  for (const Phase& phase : p.phases) {
    if (phase.wavefronts > phase.least) least.push_back(phase.least);
  }
  const bool same = std::all_of(least.begin(), least.end(), [&](int each) { return each == least.front(); });
  if (!same) return "outlined: bank asked for more words than the wavefronts needed can serve";
  return fmt::format("outlined: bank asked for more than {}", least.front() == 1 ? "one word" : fmt::format("{} words", least.front()));
}

// "T17 stands before T16: the swizzle moves its row of 16 bytes from banks 4-7 to banks 0-3", of the first lane that stands before a lower
// one; empty where lanes stand in order, or it is not the swizzle that moves them.
std::string order_words(const BanksPicture& p) {
  const auto* composed = std::get_if<ComposedLayout>(&p.layout);
  const auto* swizzle = composed ? std::get_if<Swizzle>(&composed->outer) : nullptr;
  if (!swizzle || !std::holds_alternative<Layout>(composed->inner)) return {};
  std::map<std::tuple<int, int, int>, const ServedWord*> in_order;  // by phase, wavefront and bank
  for (const ServedWord& word : p.words) in_order[{word.phase, word.wavefront, word.bank}] = &word;
  const ServedWord* before = nullptr;
  for (const auto& [place, word] : in_order) {
    const ServedWord* const last = std::exchange(before, word);
    if (!last || last->phase != word->phase || last->wavefront != word->wavefront || last->lanes[0] <= word->lanes[0]) continue;
    const std::int64_t at = p.instruction.access.address[static_cast<std::size_t>(last->lanes[0])];
    const std::int64_t from = (*swizzle)(at * 8 / p.bits) * p.bits / 8;  // it is its own inverse
    const std::int64_t bytes = p.instruction.access.bytes;
    const auto banks = [&](std::int64_t address) {
      const std::int64_t first = address / kBankBytes % kBanks, count = std::max<std::int64_t>(1, bytes / kBankBytes);
      return count == 1 ? fmt::format("bank {}", first) : fmt::format("banks {}-{}", first, first + count - 1);
    };
    if (banks(from) == banks(at)) return {};
    return fmt::format("T{} stands before T{}: the swizzle moves its {} bytes from {} to {}", p.first_thread() + last->lanes[0],
                       p.first_thread() + word->lanes[0], bytes, banks(from), banks(at));
  }
  return {};
}

std::vector<std::string> notes_of(const BanksPicture& p) {
  std::vector<std::string> notes;
  if (!p.pattern.arrangement.empty()) notes.push_back("by one warp: " + p.pattern.arrangement);
  if (std::string order = order_words(p); !order.empty()) notes.push_back(std::move(order));
  for (std::string& note : notes_of(static_cast<const DrawnAccess&>(p))) notes.push_back(std::move(note));
  if (static_cast<std::int64_t>(p.words.size()) < p.sum.count * kBanks) notes.emplace_back("white: bank idle in that wavefront");
  const bool shared = std::any_of(p.words.begin(), p.words.end(), [](const ServedWord& word) { return word.lanes.size() > 1; });
  if (shared) notes.push_back("+3: as many more lanes ask for the same word, which costs nothing");
  if (p.sum.count > p.sum.least) notes.push_back(outlined_words(p));
  if (names_words(p)) notes.emplace_back("w: which word of 4 bytes, from 0 on");
  return notes;
}

}  // namespace

Result<Scene> banks_figure(const FigureSpec& spec) {
  TESSERA_CHECK(only_own_style(spec));
  Scene scene = begin_scene(spec);
  TESSERA_TRY(colors, lane_colors(spec, scene));
  TESSERA_TRY(p, read(spec));
  TESSERA_CHECK(check_lanes(spec, p));
  scene.tensors = {to_string(p.layout)};
  std::size_t longest = 1;
  for (const ServedWord& word : p.words) {
    longest = std::max(longest, fmt::format("T{}", p.first_thread() + word.lanes[0]).size());
    if (names_words(p)) longest = std::max(longest, fmt::format("w{}", word.word).size());
  }
  const float w = cell_width(longest), unit = type_scale(spec, p.sum.count, static_cast<std::int64_t>(w * kBanks));
  float y = 0;
  std::int64_t above = 0;
  for (std::size_t i = 0; i < p.phases.size(); ++i) {
    const Frame frame{0, y, p.phases[i].wavefronts, kBanks, w};
    Panel panel = phase_panel(scene, p, i, frame, colors, above, unit);
    if (i == 0) add_heading(scene, panel, 0, -1.15f * unit, heading_of(p), unit);
    if (i == 0) add_axis_names(scene, panel, frame, unit);
    scene.panels.push_back(std::move(panel));
    y = frame.bottom() + 0.35f * unit;
    above += frame.rows;
  }
  return close_figure(std::move(scene), spec, {sentence_of(p), notes_of(p), {std::move(colors.legend)}, heading_of(p)}, unit);
}

}  // namespace tessera
