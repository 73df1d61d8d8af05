// SPDX-License-Identifier: BSD-3-Clause
// The figure of a GEMM plan: one CTA's shared-memory tiles at their coordinates with their offsets and readers, and the owners of C. Where
// there are none, the tiles in global memory. It reads the plan that the simulation and the kernel read.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/diagram/kinds/figure_kinds.hpp"
#include "core/diagram/kinds/gemm_parts.hpp"
#include "core/diagram/kinds/tv_parts.hpp"
#include "core/diagram/parts/padding.hpp"
#include "core/diagram/parts/reading_aids.hpp"
#include "core/diagram/scene/caption_lines.hpp"
#include "core/diagram/scene/whole_blocks.hpp"
#include "core/gemm/plan/alignment.hpp"

namespace tessera {

namespace {

struct GemmStyle {
  std::string_view labels, color, tensor;
  std::set<std::int64_t> threads;  // that are named under the picture
  Selection selected;
};

Result<GemmStyle> read_style(const FigureSpec& spec, const GemmPlan& plan) {
  static constexpr std::string_view kTensors[] = {"all", "sA", "sB", "C"}, kGlobalTensors[] = {"all", "gA", "gB", "C"};
  GemmStyle style;
  TESSERA_TRY(labels, choice(spec, "labels", kGemmLabelChoices));
  TESSERA_TRY(color, color_choice(spec, kGemmColorChoices));
  TESSERA_TRY(tensor, choice(spec, "tensor", plan.has_smem() ? kTensors : kGlobalTensors));
  TESSERA_TRY(threads, number_set(spec, "thread"));
  if (!threads.empty() && *threads.rbegin() >= plan.threads) {
    return Error{ErrorCode::out_of_range,
                 fmt::format("thread {} is not one of the CTA's {} threads", *threads.rbegin(), plan.threads),
                 {},
                 {fmt::format("threads are 0 to {}", plan.threads - 1)}};
  }
  style.labels = labels;
  style.color = has_color(spec) ? color : default_color(plan.blk_m * plan.blk_n, plan.threads);
  style.tensor = tensor;
  style.threads = std::move(threads);
  TESSERA_TRY(selected, highlighted(spec));
  style.selected = std::move(selected);
  return style;
}

// Repaints cells by what their address says: bank, or place in the tile.
void color_by_address(Scene& scene, GridColumns& columns, const Palette& palette, std::string_view by, std::int64_t cosize) {
  std::vector<ColorIndex> banks, ramp;
  for (std::int64_t b = 0; b < 32; ++b) banks.push_back(scene.color(palette.category(b, 32)));
  for (int i = 0; i < 64; ++i) ramp.push_back(scene.color(palette.ramp(i / 63.0)));
  for (std::size_t i = 0; i < columns.address.size(); ++i) {
    const std::int64_t bank = bank_of(columns.address[i], columns.bits, columns.byte_offset);
    if (by == "bank") columns.fills[i] = bank >= 0 ? banks[static_cast<std::size_t>(bank)] : kNoColor;
    if (by == "offset") columns.fills[i] = ramp[static_cast<std::size_t>(ramp_place(columns.address[i], 0, cosize - 1) * 63)];
  }
}

Panel tile_panel(Scene& scene, const Frame& frame, const GemmPlan& plan, const PlanTile& tile, const OwnerColors& colors,
                 const Palette& palette, const GemmStyle& asked, std::int32_t tensor) {
  Panel panel = begin_panel(tile.operand, tile.heading, tile.heading.substr(0, tile.heading.find(' ')));
  OwnerStyle style;
  const bool is_c = tile.operand == Operand::c;
  style.labels = is_c && asked.labels != "none" && asked.labels != "coordinate" ? "tv" : asked.labels == "thread" ? "tv" : asked.labels;
  style.color = asked.color;
  style.selected = asked.selected;
  style.tensor = tensor;
  style.swap = tile.operand == Operand::b;
  style.bits = tile.element_bits;
  style.byte_offset = tile.byte_offset;
  style.offset = [&](std::int64_t r, std::int64_t c) { return evaluate(tile.layout, r + tile.rows * c); };
  GridColumns columns = owner_columns(tile.map, colors, style);
  const bool by_address = asked.color == "bank" || asked.color == "offset";
  if (by_address && !(tile.element_bits == 0 && asked.color == "bank"))
    color_by_address(scene, columns, palette, asked.color, cosize(tile.layout));
  if (tile.element_bits > 0) widen_whole(columns, address_period(columns));
  add_owner_grid(panel, frame, std::move(columns));
  if (!by_address) add_mma_borders(panel, frame, *plan.mma, tile.operand, tile.map, tile.atom_values, style.swap);
  return panel;
}

// What colours mean that are not those of owners; paints what is not painted yet.
Result<Legend> legend_of(Scene& scene, const FigureSpec& spec, const Palette& palette, const GemmPlan& plan, const GemmStyle& style,
                         const std::vector<OwnedOperand>& operands) {
  if (style.color == "atom") return paint_atoms(scene, palette, *plan.mma, operands);
  if (style.color == "bank") {
    Legend legend = category_legend(scene, palette, "bank", 32);
    legend.words = "colour: the bank of shared memory, 0 to 31; hue: bank div 4, shade: bank mod 4";
    legend.numbered = true;
    return legend;
  }
  if (style.color != "offset") return paint(scene, spec, palette, style.color, {});
  return ramp_legend(scene, palette, std::nullopt);
}

std::string sentence_of(const GemmPlan& plan) {
  const std::string times = plan.k_tiles == 1 ? std::string() : fmt::format(", once for each of {} k-tiles", plan.k_tiles);
  return fmt::format("A CTA of {} multiplies A ({} × {}) by B ({} × {}) into its tile of C ({} × {}){}.", counted(plan.threads, "thread"),
                     plan.blk_m, plan.blk_k, plan.blk_k, plan.blk_n, plan.blk_m, plan.blk_n, times);
}

// What shared memory is made of, where its tiles leave some unused: " (sA 2174 from byte 0, sB 3072 from byte 3072; ...)".
std::string parts_of_memory(const GemmPlan& plan) {
  std::string parts;
  std::int64_t sum = 0;
  for (const plan::Tensor& tensor : plan.tensors) {
    if (tensor.space != plan::Space::shared) continue;
    const std::int64_t elements = (plan::stages_of(plan.rings, tensor.ring) - 1) * tensor.stage_elements + cosize(tensor.layout);
    const std::int64_t bytes = (elements * bits(tensor.type) + 7) / 8;
    sum += bytes;
    parts += fmt::format("{}{}: {} bytes at {}", parts.empty() ? "" : ", ", tensor.name, bytes, tensor.byte_offset);
  }
  return sum == plan.smem_bytes ? std::string() : fmt::format(" ({}; each begins at a multiple of {})", parts, kSmemAlignment);
}

// What stands in cells: "number in sA and sB: the element's offset; in gC: thread T has the element as its value V". Empty: nothing does.
std::string words_of_cells(const GemmPlan& plan, const GemmStyle& style) {
  const std::string a = plan.partitioned(Operand::a).name, b = plan.partitioned(Operand::b).name, c = plan.gmem(Operand::c).name;
  const std::string owned = "thread T has the element as its value V";
  if (style.labels == "none") return {};
  if (style.labels == "coordinate") return "in cells: the element's coordinate";
  if (style.labels == "thread" || style.tensor == "C") return "in cells: " + owned;
  if (style.tensor != "all") return "number in a cell: the element's offset";
  return fmt::format("number in {} and {}: the element's offset; in {}: {}", a, b, c, owned);
}

// "(16,8):(9,1), pitch 9: 8 elements and 1 of padding". In global memory what lies between rows is the matrix's.
std::string with_padding(const plan::Tensor& tensor) {
  std::string words = to_string(tensor.layout);
  if (tensor.space != plan::Space::shared) return words;
  if (const Padding padding = padding_of(tensor.layout); padding.count > 0)
    words += fmt::format(", pitch {}: {} elements and {} of padding", padding.pitch, padding.pitch - padding.count, padding.count);
  return words;
}

std::vector<std::string> notes_of(const GemmPlan& plan, const GemmStyle& style) {
  std::vector<std::string> notes;
  const std::string memory = plan.has_smem() ? fmt::format("shared memory: {}, {} bytes{}", counted(plan.stages(), "stage"),
                                                           plan.smem_bytes, parts_of_memory(plan))
                                             : std::string("no shared memory");
  if (std::string cells = words_of_cells(plan, style); !cells.empty()) notes.push_back(std::move(cells));
  notes.push_back(fmt::format("{} × {} × {}, in {} × {} CTAs of {} and {} of depth {}; {}", plan.m, plan.n, plan.k, plan.m_tiles,
                              plan.n_tiles, counted(plan.threads, "thread"), counted(plan.k_tiles, "k-tile"), plan.blk_k,
                              plan.mma->atom().name));
  notes.push_back(memory);
  if (std::string permuted = permutation_note(*plan.mma); !permuted.empty()) notes.push_back(std::move(permuted));
  if (plan.batch > 1) notes.push_back(fmt::format("one of the {} products of a batch", plan.batch));
  const plan::Tensor &a = plan.partitioned(Operand::a), &b = plan.partitioned(Operand::b);
  notes.push_back(fmt::format("{}: {}; {}: {}", a.name, with_padding(a), b.name, with_padding(b)));
  for (const Operand operand : {Operand::a, Operand::b}) {
    if (!has_owners(plan, operand))
      notes.push_back(fmt::format("{} is read by a descriptor: no thread holds its elements", plan.partitioned(operand).name));
  }
  for (const PlanLine& line : describe(plan)) {
    if (line.name == "last tile")
      notes.push_back(fmt::format("of the last tile, {} of ({},{},{}) is inside", line.value, plan.blk_m, plan.blk_n, plan.blk_k));
  }
  int named = 0;
  for (std::int64_t t : style.threads) {
    if (++named > 4) break;
    std::string line = fmt::format("thread {}:", t);
    for (const Operand operand : {Operand::a, Operand::b, Operand::c}) {
      if (!has_owners(plan, operand)) continue;
      const Result<SliceAndOffset> part = thread_partition(plan, operand, t);
      if (part)
        line += fmt::format("   {} {} from offset {}", plan.partition(operand).name, to_string(part->layout), to_string(part->offset));
    }
    notes.push_back(line);
  }
  return notes;
}

}  // namespace

Result<Scene> gemm_figure(const FigureSpec& spec) {
  TESSERA_CHECK(only_own_style(spec));
  const auto* plan = std::get_if<GemmPlan>(&spec.objects.front());
  if (plan == nullptr || !plan->mma)
    return Error{ErrorCode::wrong_type, fmt::format("this figure needs a GEMM, and got {}", object_name(spec.objects.front())), {}, {}};
  TESSERA_TRY(palette, Palette::find(spec.palette));
  TESSERA_TRY(style, read_style(spec, *plan));
  TESSERA_TRY(a, operand_tile(*plan, Operand::a));
  TESSERA_TRY(b, operand_tile(*plan, Operand::b));
  TESSERA_TRY(c, c_tile(*plan));
  Scene scene = begin_scene(spec);
  scene.tensors = {plan->partitioned(Operand::a).name, plan->partitioned(Operand::b).name, plan->gmem(Operand::c).name};
  const std::int64_t values = std::max({a.map.values(), b.map.values(), c.map.values()});
  const OwnerColors colors(scene, palette, plan->mma->thread_ids(), values, style.color);
  const bool all = style.tensor == "all", only_a = style.tensor == scene.tensors[0], only_b = style.tensor == scene.tensors[1];
  const float unit = all                   ? type_scale(spec, c.rows + a.cols, c.cols + a.cols)
                     : style.tensor == "C" ? type_scale(spec, c.rows, c.cols)
                     : only_a              ? type_scale(spec, a.rows, a.cols)
                                           : type_scale(spec, b.cols, b.rows);
  const Frame fa{all ? -static_cast<float>(a.cols) - unit : 0, 0, a.rows, a.cols};
  const Frame fb{0, all ? -static_cast<float>(b.cols) - unit : 0, b.cols, b.rows};
  const Frame fc{0, 0, c.rows, c.cols};
  if (all || style.tensor == "C") {
    Panel panel = tile_panel(scene, fc, *plan, c, colors, palette, style, 2);
    if (!all) add_axes(scene, panel, fc, {true, true}, unit);
    if (!all) add_axis_names(scene, panel, fc, unit);
    add_heading(scene, panel, fc.x, all ? fc.bottom() + 0.6f * unit : -1.15f * unit, c.heading, unit);
    scene.panels.push_back(std::move(panel));
  }
  if (all || only_a) {
    Panel panel = tile_panel(scene, fa, *plan, a, colors, palette, style, 0);
    add_axes(scene, panel, fa, {true, true}, unit);
    add_axis_names(scene, panel, fa, unit);
    const Label heading{all ? fa.right() : fa.x,
                        -1.1f * unit,
                        scene.intern(a.heading),
                        LabelRole::panel_name,
                        all ? Anchor::right : Anchor::left,
                        0.46f * unit};
    panel.marks.push_back(heading);
    scene.panels.push_back(std::move(panel));
  }
  if (all || only_b) {
    Panel panel = tile_panel(scene, fb, *plan, b, colors, palette, style, 1);
    add_axes(scene, panel, fb, {true, true}, unit);
    add_axis_names(scene, panel, fb, unit);
    add_heading(scene, panel, fb.x, fb.y - 1.1f * unit, b.heading, unit);
    scene.panels.push_back(std::move(panel));
  }
  std::vector<std::string> notes = notes_of(*plan, style);
  TESSERA_TRY(painted,
              legend_of(scene, spec, palette, *plan, style,
                        {{Operand::a, &a.map, a.atom_values}, {Operand::b, &b.map, b.atom_values}, {Operand::c, &c.map, c.atom_values}}));
  Legend shared = shared_legend(scene, "read");
  const bool by_owner = !colors.legend().words.empty();
  if (by_owner && !shared.words.empty())
    shared.words += fmt::format(
        "; {}{}", kFirstReader,
        style.selected.empty() ? "" : fmt::format("; outlined cells show {}, also where another reads first", words_of(style.selected)));
  Captions captions{sentence_of(*plan), std::move(notes), {colors.legend(), std::move(painted), std::move(shared)}};
  captions.title = spec.name;
  say_borders(captions);
  return close_figure(std::move(scene), spec, std::move(captions), unit);
}

}  // namespace tessera
