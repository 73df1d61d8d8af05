// SPDX-License-Identifier: BSD-3-Clause
// The figure of an operand in shared memory: its tile in cells of 16 bytes as a descriptor of wgmma or UMMA finds them, with core matrices,
// swizzle atoms, the steps LBO and SBO, the slices of K that instructions take, and the descriptor's own fields. All that is drawn is what
// decoding the descriptor gives (core/atom/smem/smem_descriptor.hpp).
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/atom/smem/smem_descriptor.hpp"
#include "core/base/budget.hpp"
#include "core/diagram/kinds/figure_kinds.hpp"
#include "core/diagram/parts/brackets.hpp"
#include "core/diagram/parts/reading_aids.hpp"
#include "core/diagram/parts/scaled_axes.hpp"
#include "core/layout/composed_algebra.hpp"

namespace tessera {

namespace {

constexpr std::int64_t kUnitBits = 8 * kDescriptorUnit;
constexpr std::int64_t kMostAcross = 32;  // cells
constexpr std::int64_t kLeastRows = 8;
constexpr float kTorn = 0.35f;  // cells below the last row, to the torn edge of a tile that goes on

// Cells run along the major mode; rows are of the other one.
struct OperandPicture {
  AnyLayout layout;
  std::string letter;
  SmemOperand operand;
  SmemDescription description;
  std::int64_t per = 8;             // elements of a cell, along the major mode
  std::int64_t rows = 1, cols = 1;  // cells that are drawn
  std::int64_t all_rows = 1, all_cols = 1;
  std::int64_t core = 8, atom_cols = 1;  // rows of a core matrix, cells of a row that is swizzled together

  bool is_torn() const { return rows < all_rows; }  // it goes on below
  bool mn_down() const { return !operand.mn_major; }
  std::int64_t mn(std::int64_t r, std::int64_t c) const { return mn_down() ? r : c * per; }
  std::int64_t k(std::int64_t r, std::int64_t c) const { return mn_down() ? c * per : r; }
  std::int64_t bit(std::int64_t r, std::int64_t c) const { return bit_address(operand, description, mn(r, c), k(r, c)); }
  std::int64_t slice(std::int64_t r, std::int64_t c) const { return k(r, c) / operand.k; }
  // Cells of one instruction.
  std::int64_t block_rows() const { return mn_down() ? operand.mn : operand.k; }
  std::int64_t block_cols() const { return (mn_down() ? operand.k : operand.mn) / per; }
};

Result<Operand> chosen(const FigureSpec& spec, const MmaAtom& atom, const AnyLayout& layout) {
  TESSERA_TRY(word, choice(spec, "operand", kSmemOperandChoices));
  if (word != "auto") return word == "A" ? Operand::a : Operand::b;
  TESSERA_TRY(found, choose_operand(atom, layout));
  return found.operand;
}

Result<OperandPicture> read(const FigureSpec& spec) {
  OperandPicture p;
  if (!std::holds_alternative<MmaAtom>(spec.objects.front()) && !std::holds_alternative<TiledMma>(spec.objects.front()))
    return Error{ErrorCode::wrong_type,
                 fmt::format("this figure needs the MMA that reads the tile, and got {}", object_name(spec.objects.front())),
                 {},
                 {"for example smem_operand_figure(SM90_64x64x16_F32F16F16_SS<GMMA::Major::K,GMMA::Major::K>, "
                  "tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>, (64,64)))"}};
  TESSERA_TRY(mma, mma_object(spec));
  TESSERA_TRY(layout, layout_object(spec, 1, "the layout of an operand in shared memory as its second object"));
  TESSERA_TRY(which, chosen(spec, mma.atom(), layout));
  TESSERA_TRY(operand, smem_operand(mma.atom(), which));
  TESSERA_CHECK(check_blocks(mma, which));
  p.letter = which == Operand::a ? "A" : "B";
  if (spec.element_bits != 0 && spec.element_bits != operand.bits)
    return Error{ErrorCode::wrong_type,
                 fmt::format("the layout is of elements of {} bits, and {} of {} has {}", spec.element_bits, p.letter, mma.atom().name,
                             operand.bits),
                 {},
                 {}};
  TESSERA_TRY(description, smem_descriptor(operand, layout));
  TESSERA_TRY(rows, integer(spec, kRows));
  const SmemSwizzle swizzle = description.descriptor.swizzle;
  p.per = kUnitBits / operand.bits;
  p.core = rows_of_core_matrix(swizzle);
  p.atom_cols = row_bytes(swizzle) / kDescriptorUnit;
  const auto mn = static_cast<std::int64_t>(description.mn_starts.size()) * operand.mn;
  const auto k = static_cast<std::int64_t>(description.k_starts.size()) * operand.k;
  p.all_rows = operand.mn_major ? k : mn;
  p.all_cols = (operand.mn_major ? mn : k) / p.per;
  // Two swizzle atoms, or two slices of K.
  const std::int64_t few = operand.mn_major ? 2 * operand.k : 2 * kLeastRows;
  p.rows = std::min(p.all_rows, rows.value_or(few) / p.core * p.core);
  p.cols = std::min(p.all_cols, kMostAcross);
  TESSERA_CHECK(take_cells(p.rows * p.cols, 0, to_string(layout)));
  p.operand = std::move(operand);
  p.description = std::move(description);
  p.layout = std::move(layout);
  return p;
}

std::string label_of(const OperandPicture& p, std::string_view labels, std::int64_t r, std::int64_t c) {
  if (labels == "unit") return std::to_string(p.bit(r, c) / kUnitBits);
  if (labels == "offset") return std::to_string(p.bit(r, c) / p.operand.bits);
  if (labels == "coordinate") return fmt::format("{},{}", p.mn(r, c), p.k(r, c));
  return {};
}

// Lines between core matrices, and stronger ones between swizzle atoms of several.
void add_matrices(Panel& panel, const OperandPicture& p, const Frame& frame) {
  const bool plain = p.atom_cols == 1;
  for (std::int64_t c = 1; c < p.cols; ++c) {
    const bool strong = !plain && c % p.atom_cols == 0;
    panel.marks.push_back(Line{frame.column(c), frame.y, frame.column(c), frame.bottom() + (p.is_torn() ? kTorn : 0),
                               strong ? StrokeRole::strong : StrokeRole::boundary});
  }
  for (std::int64_t r = p.core; r < p.rows; r += p.core) {
    const float y = frame.y + static_cast<float>(r);
    panel.marks.push_back(Line{frame.x, y, frame.right(), y, plain ? StrokeRole::boundary : StrokeRole::strong});
  }
}

// A frame around the first columns and rows; open below where what it frames goes on.
void add_open_frame(Panel& panel, const OperandPicture& p, const Frame& frame, std::int64_t rows, std::int64_t cols, StrokeRole role) {
  const float right = frame.column(cols);
  if (rows <= p.rows) {
    panel.marks.push_back(Outline{frame.x, frame.y, right - frame.x, static_cast<float>(rows), role});
    return;
  }
  panel.marks.push_back(Line{frame.x, frame.y, right, frame.y, role});  // lines have square ends, which close the corners
  for (const float x : {frame.x, right}) panel.marks.push_back(Line{x, frame.y, x, frame.bottom() + kTorn, role});
}

// Below the last row that is drawn, with the number of the last that there is.
void add_torn_edge(Scene& scene, Panel& panel, const OperandPicture& p, const Frame& frame, float unit) {
  constexpr float kTooth = 0.4f, kAmplitude = 0.12f;
  const int teeth = std::max(2, static_cast<int>(frame.width() / kTooth));
  const float each = frame.width() / static_cast<float>(teeth), y = frame.bottom() + kTorn;
  for (int i = 0; i < teeth; ++i) {
    const float side = i % 2 == 0 ? kAmplitude : -kAmplitude, x = frame.x + each * static_cast<float>(i);
    panel.marks.push_back(Line{x, y - side, x + each, y + side, StrokeRole::boundary});
  }
  panel.marks.push_back(Label{frame.x - 0.26f * unit, y, scene.intern(fmt::format("to {}", p.all_rows - 1)), LabelRole::axis, Anchor::right,
                              kAxisType * unit});
}

// A field of the descriptor as a step: an arrow beside the grid, from the first cell's row or column to the one that it reaches.
void add_step(Scene& scene, Panel& panel, const OperandPicture& p, const Frame& frame, const DescriptorStep& step, bool unit_labels,
              float unit) {
  const std::int64_t down = p.mn_down() ? step.mn : step.k, right = (p.mn_down() ? step.k : step.mn) / p.per;
  if (down >= p.rows || right >= p.cols) return;
  const std::string_view spelled = step.field == "LBO" ? "leading byte offset" : "stride byte offset";
  const std::string text = fmt::format("{} {} B", step.field, step.bytes);
  // Where the numbers in cells count the units, what it leads from and to.
  const std::string units = unit_labels ? fmt::format("from number {} to {}", p.bit(0, 0) / kUnitBits, p.bit(down, right) / kUnitBits) : "";
  const std::uint32_t subject =
      scene.add_words(fmt::format("{}: element ({},{}) begins {} bytes behind the first one", step.field, step.mn, step.k, step.bytes));
  const float away = 0.55f * unit, tick = 0.12f * unit;
  Arrow arrow;
  if (down > 0) {
    const float x = frame.right() + away;
    arrow = {x, frame.y, x, frame.y + static_cast<float>(down)};
    for (const float y : {arrow.y0, arrow.y1}) panel.marks.push_back(Line{frame.right() + tick, y, x + 2 * tick, y, StrokeRole::hairline});
    float at = (arrow.y0 + arrow.y1) / 2 - (units.empty() ? 0.27f : 0.54f) * unit;
    for (const std::string& line : {text, std::string(spelled), units}) {
      if (!line.empty())
        panel.marks.push_back(Label{x + 0.3f * unit, at, scene.intern(line), LabelRole::legend, Anchor::left, 0.4f * unit});
      at += 0.54f * unit;
    }
  } else {
    const float y = frame.bottom() + (p.is_torn() ? kTorn : 0) + away;
    arrow = {frame.x, y, frame.column(right), y};
    for (const float x : {arrow.x0, arrow.x1}) panel.marks.push_back(Line{x, y - 2 * tick, x, y + 2 * tick, StrokeRole::hairline});
    panel.marks.push_back(
        Label{arrow.x1 + 0.3f * unit, y, scene.intern(fmt::format("{}, {}", text, spelled)), LabelRole::legend, Anchor::left, 0.4f * unit});
    if (!units.empty())
      panel.marks.push_back(
          Label{arrow.x1 + 0.3f * unit, y + 0.54f * unit, scene.intern(units), LabelRole::legend, Anchor::left, 0.4f * unit});
  }
  arrow.subject = subject;
  panel.marks.push_back(arrow);
}

// Where the blocks begin, in bytes, that instructions take one after the other: slices of K, or blocks of M or N.
const std::vector<std::int64_t>& blocks(const OperandPicture& p, bool is_k) {
  return is_k ? p.description.k_starts : p.description.mn_starts;
}
std::string block_name(const OperandPicture& p, bool is_k, std::size_t i) {
  return is_k ? fmt::format("slice {}: +{} B", i, blocks(p, is_k)[i])
              : fmt::format("block {} of {}: +{} B", i, p.operand.mode, blocks(p, is_k)[i]);
}
// Of a bracket's words, in units.
float room_of(std::size_t signs) { return 0.21f * static_cast<float>(signs); }

// Brackets over the blocks and beside them, where there are several.
void add_blocks(Scene& scene, Panel& panel, const OperandPicture& p, const Frame& frame, float unit) {
  const bool k_across = p.mn_down();
  const std::vector<std::int64_t>&across = blocks(p, k_across), &down = blocks(p, !k_across);
  const std::size_t longest = block_name(p, k_across, across.size() - 1).size();
  const auto fits = [&](std::size_t signs) { return room_of(signs) <= frame.w * static_cast<float>(p.block_cols()) / unit; };
  for (std::size_t i = 0; i < across.size() && across.size() > 1; ++i) {
    const std::int64_t first = static_cast<std::int64_t>(i) * p.block_cols(), last = first + p.block_cols();
    if (last > p.cols) break;
    const std::string bytes = fmt::format("+{} B", across[i]);
    const std::string words = fits(longest) ? block_name(p, k_across, i) : fits(bytes.size() + 1) ? bytes : std::to_string(i);
    add_bracket(scene, panel, BracketAt::above, frame.column(first), frame.column(last), frame.y - 0.5f * unit, words, unit);
  }
  for (std::size_t i = 0; i < down.size() && down.size() > 1; ++i) {
    const std::int64_t first = static_cast<std::int64_t>(i) * p.block_rows(), last = std::min(first + p.block_rows(), p.rows);
    if (first >= p.rows) break;
    add_bracket(scene, panel, BracketAt::left, frame.y + static_cast<float>(first), frame.y + static_cast<float>(last),
                frame.x - 0.75f * unit, block_name(p, !k_across, i), unit);
  }
}

bool has_brackets_above(const OperandPicture& p) { return blocks(p, p.mn_down()).size() > 1; }

// "128-byte swizzle (B128)"
std::string type_words(const OperandPicture& p) {
  const std::string_view name = layout_type_name(p.description.descriptor.swizzle, p.operand.umma);
  return p.atom_cols == 1 ? fmt::format("no swizzle ({})", name) : fmt::format("{}-byte swizzle ({})", p.atom_cols * kDescriptorUnit, name);
}

std::string heading_of(const OperandPicture& p) {
  return fmt::format("{} × {} operand {} of {}: {}, {}-major", p.operand.mn, p.operand.k, p.letter, p.operand.umma ? "UMMA" : "wgmma",
                     type_words(p), p.operand.mn_major ? p.operand.mode : "K");
}

Panel tile_panel(Scene& scene, const OperandPicture& p, const Palette& palette, std::string_view labels, std::string_view color,
                 const Frame& frame, float unit) {
  const std::string mn(p.operand.mode == "M" ? "m" : "n");
  Panel panel{to_string(p.layout), {}, "tile", PanelOperand::none, {p.mn_down() ? "k" : mn, p.mn_down() ? mn : "k"}};
  GridColumns columns = begin_grid(p.rows, p.cols);
  columns.place = GridColumns::Place::given;
  columns.tensor = 0;
  columns.bits = p.operand.bits;
  const auto slices = std::max<std::int64_t>(2, static_cast<std::int64_t>(p.description.k_starts.size()));
  for (std::int64_t r = 0; r < p.rows; ++r) {
    for (std::int64_t c = 0; c < p.cols; ++c) {
      columns.fills.push_back(color == "slice" ? scene.color(palette.category(p.slice(r, c), slices)) : kNoColor);
      columns.row.push_back(static_cast<std::int32_t>(p.mn(r, c)));
      columns.col.push_back(static_cast<std::int32_t>(p.k(r, c)));
      columns.address.push_back(p.bit(r, c) / p.operand.bits);
      if (labels != "none") columns.add_label(label_of(p, labels, r, c));
    }
  }
  add_grid(panel, frame, std::move(columns));
  add_open_frame(panel, p, frame, p.all_rows, p.cols, StrokeRole::strong);
  add_matrices(panel, p, frame);
  add_scaled_axes(scene, panel, frame, {0, 1}, {0, p.per}, unit);
  add_axis_names(scene, panel, frame, unit);
  add_blocks(scene, panel, p, frame, unit);
  for (const DescriptorStep& step : descriptor_steps(p.operand, p.description.descriptor))
    add_step(scene, panel, p, frame, step, labels == "unit", unit);
  add_open_frame(panel, p, frame, p.block_rows(), std::min(p.block_cols(), p.cols), StrokeRole::highlight);
  if (p.is_torn()) add_torn_edge(scene, panel, p, frame, unit);
  add_heading(scene, panel, frame.x, frame.y - (has_brackets_above(p) ? 1.85f : 1.15f) * unit, heading_of(p), unit);
  return panel;
}

// The descriptor's fields in a row, what they count above and what they mean below.
Panel descriptor_panel(Scene& scene, const OperandPicture& p, float x, float y, float unit) {
  const SmemDescriptor& d = p.description.descriptor;
  Panel panel{"descriptor", {}, "descriptor"};
  add_heading(scene, panel, x, y, fmt::format("descriptor {:#018x}", encode(d)), 0.9f * unit);
  constexpr std::pair<std::string_view, std::string_view> kShort[] = {
      {"start_address", "start"},     {"leading_byte_offset", "LBO"}, {"stride_byte_offset", "SBO"}, {"base_offset", "base offset"},
      {"layout_type", "layout type"}, {"version", "version"},         {"lbo_mode", "LBO mode"}};
  constexpr float kApart = 0.35f;
  const float w = (d.umma ? 2.0f : 2.35f) * unit, top = y + 1.15f * unit;
  const ColorIndex pale = scene.color(on_page({236, 238, 243}, scene.page));
  const auto text = [&](float center, float at, std::string_view words, LabelRole role, float size) {
    panel.marks.push_back(Label{center, at, scene.intern(words), role, Anchor::center, size * unit});
  };
  std::vector<DescriptorField> fields = fields_of(d);
  std::reverse(fields.begin(), fields.end());  // the highest bits are left, as a number is written
  float left = x - w, behind = 0;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const DescriptorField& field = fields[i];
    // Fields that are not neighbours stand apart, with the line of the bits between them.
    behind = i > 0 && fields[i - 1].first_bit > field.last_bit + 1 ? kApart * unit : 0;
    left += w + behind;
    const float middle = left + w / 2;
    if (behind > 0) panel.marks.push_back(Line{left - behind, top + 0.4f * unit, left, top + 0.4f * unit, StrokeRole::hairline});
    const auto* name = std::find_if(std::begin(kShort), std::end(kShort), [&](const auto& each) { return each.first == field.name; });
    const std::string bits =
        field.first_bit == field.last_bit ? fmt::format("bit {}", field.first_bit) : fmt::format("{}-{}", field.last_bit, field.first_bit);
    Cell cell{left, top, w, 0.8f * unit, pale};
    cell.subject =
        scene.add_words(fmt::format("{}, bits {}-{}: {}, {}", field.name, field.first_bit, field.last_bit, field.value, field.means));
    cell.label = scene.intern(std::to_string(field.value));
    cell.lines = 1;
    panel.marks.push_back(cell);
    panel.marks.push_back(Outline{left, top, w, 0.8f * unit, StrokeRole::boundary});
    text(middle, top - 0.26f * unit, bits, LabelRole::axis, 0.3f);
    text(middle, top + 1.08f * unit, name == std::end(kShort) ? field.name : name->second, LabelRole::legend, 0.34f);
  }
  return panel;
}

// "number: which 16-byte unit of the tile, of 8 elements along k"; empty where nothing stands in cells.
Legend legend_of_labels(const OperandPicture& p, std::string_view labels) {
  if (labels == "none") return {};
  const std::string_view along = p.mn_down() ? "k" : p.operand.mode == "M" ? "m" : "n";
  if (labels == "unit") return {{}, fmt::format("number: position in 16-byte units, {} along {}", counted(p.per, "element"), along)};
  return {{},
          fmt::format("{} of the first of the {} that 16 bytes have along {}",
                      labels == "offset" ? "number: the offset" : "numbers: the coordinate", counted(p.per, "element"), along)};
}

// What is outlined, and what brackets say of it and of what comes after it.
std::string words_of_outline(const OperandPicture& p) {
  if (p.description.k_starts.size() < 2) return "outlined: what one instruction reads";
  return fmt::format("slice: the {} values of k that one instruction reads, and the offset of its first byte; outlined: slice 0",
                     p.operand.k);
}

Captions captions_of(const OperandPicture& p) {
  const SmemDescriptor& d = p.description.descriptor;
  const auto steps = descriptor_steps(p.operand, d);
  const auto reads = [&](std::string_view field) {
    return std::any_of(steps.begin(), steps.end(), [&](const DescriptorStep& step) { return step.field == field; });
  };
  Captions captions;
  captions.sentence = fmt::format("One instruction reads {} × {} of {} through a descriptor; its start, LBO and SBO count 16-byte units{}.",
                                  p.operand.mn, p.operand.k, p.letter,
                                  reads("LBO") ? (reads("SBO") ? std::string() : fmt::format("; SBO, here {}, is not read", d.stride))
                                               : fmt::format("; LBO is not read, and CuTe writes {} there", d.leading));
  captions.heading = to_string(p.layout);
  const bool plain = p.atom_cols == 1;
  captions.boundary =
      fmt::format("{}core matrix, {} rows × 16 B{}", plain ? "" : "logical ", p.core, plain ? "" : ", whose rows the swizzle moves");
  if (!plain) captions.strong = fmt::format("swizzle atom, {} × {} B", p.core, p.atom_cols * kDescriptorUnit);
  captions.notes.push_back(words_of_outline(p));
  if (p.rows < p.all_rows || p.cols < p.all_cols)
    captions.notes.push_back(fmt::format("drawn: {} of {} rows{}", p.rows, p.all_rows,
                                         p.cols < p.all_cols ? fmt::format(", {} of {} columns", p.cols, p.all_cols) : ""));
  return captions;
}

}  // namespace

Result<Scene> smem_operand_figure(const FigureSpec& spec) {
  TESSERA_CHECK(only_own_style(spec));
  TESSERA_TRY(labels, choice(spec, "labels", kSmemOperandLabelChoices));
  TESSERA_TRY(color, color_choice(spec, kSmemOperandColorChoices));
  TESSERA_TRY(palette, Palette::find(spec.palette));
  TESSERA_TRY(p, read(spec));
  Scene scene = begin_scene(spec);
  scene.tensors = {to_string(p.layout)};
  constexpr float kWide = 1.6f, kWidest = 2.4f;  // a row of 16 bytes is no square, and brackets over it have room for their words
  std::size_t longest = 1;
  for (const std::int64_t r : {std::int64_t{0}, p.rows - 1}) {
    for (std::int64_t c = 0; c < p.cols; ++c) longest = std::max(longest, label_of(p, labels, r, c).size());
  }
  const float named = has_brackets_above(p) ? room_of(block_name(p, p.mn_down(), blocks(p, p.mn_down()).size() - 1).size()) : 0;
  const float w = std::max({kWide, cell_width(longest), std::min(kWidest, named / static_cast<float>(p.block_cols()))});
  const float unit = type_scale(spec, p.rows, static_cast<std::int64_t>(w * static_cast<float>(p.cols)));
  const Frame frame{0, 0, p.rows, p.cols, w};
  scene.panels.push_back(tile_panel(scene, p, palette, labels, color, frame, unit));
  Captions captions = captions_of(p);
  captions.legends.push_back(legend_of_labels(p, labels));
  if (color == "slice") {
    captions.legends.push_back(
        category_legend(scene, palette, "slice of K", std::max<std::int64_t>(2, static_cast<std::int64_t>(p.description.k_starts.size()))));
  } else {
    TESSERA_TRY(painted, paint(scene, spec, palette, color,
                               std::pair{p.mn_down() ? p.all_rows : p.all_cols * p.per, p.mn_down() ? p.all_cols * p.per : p.all_rows}));
    captions.legends.push_back(std::move(painted));
  }
  const auto steps = descriptor_steps(p.operand, p.description.descriptor);
  const bool below =
      std::any_of(steps.begin(), steps.end(), [&](const DescriptorStep& step) { return p.mn_down() ? step.k > 0 : step.mn > 0; });
  const float below_steps = !below ? 1.0f : labels == "unit" ? 2.2f : 1.7f;
  scene.panels.push_back(descriptor_panel(scene, p, frame.x, frame.bottom() + (p.is_torn() ? kTorn : 0) + below_steps * unit, unit));
  return close_figure(std::move(scene), spec, std::move(captions), unit);
}

}  // namespace tessera
