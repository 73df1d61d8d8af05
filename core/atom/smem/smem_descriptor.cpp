// SPDX-License-Identifier: BSD-3-Clause
#include "core/atom/smem/smem_descriptor.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/atom/smem/smem_atoms.hpp"
#include "core/atom/smem/smem_descriptor_search.hpp"
#include "core/base/budget.hpp"
#include "core/base/checked.hpp"
#include "core/layout/composed_algebra.hpp"

namespace tessera {
namespace {

constexpr std::int64_t kUnitBits = 8 * kDescriptorUnit;
constexpr std::int64_t kRowsTogether = 8;             // of one period of a swizzle of 16-byte units
constexpr std::int64_t kRowsOfWideUnits = 4;          // of 32-byte units
constexpr std::uint64_t kFieldMask = (1U << 14) - 1;  // start address, LBO, SBO
constexpr std::int64_t kMostElements = std::int64_t{1} << 22;
constexpr std::int64_t kMostPlace = std::int64_t{1} << 40;  // elements: far beyond shared memory, and safe in bits

// One layout type: how CuTe calls it and what stands in the descriptor.
struct SwizzleRow {
  std::string_view gmma, umma;
  int gmma_code, umma_code;   // -1: wgmma has none
  std::array<int, 3> bytes;   // B, M, S on byte addresses
  std::int64_t row, pattern;  // bytes
};
constexpr std::array kSwizzles = {
    SwizzleRow{"INTERLEAVE", "SWIZZLE_NONE", 0, 0, {0, 4, 3}, 16, 16},   SwizzleRow{"B32", "SWIZZLE_32B", 3, 6, {1, 4, 3}, 32, 256},
    SwizzleRow{"B64", "SWIZZLE_64B", 2, 4, {2, 4, 3}, 64, 512},          SwizzleRow{"B128", "SWIZZLE_128B", 1, 2, {3, 4, 3}, 128, 1024},
    SwizzleRow{"", "SWIZZLE_128B_BASE32B", -1, 1, {2, 5, 2}, 128, 1024},
};
const SwizzleRow& row_of(SmemSwizzle swizzle) { return kSwizzles[static_cast<std::size_t>(swizzle)]; }

std::int64_t rows_together(SmemSwizzle swizzle) { return swizzle == SmemSwizzle::b128_base32 ? kRowsOfWideUnits : kRowsTogether; }

bool is_field(std::int64_t bits) { return bits >= 0 && bits % kUnitBits == 0 && bits / kUnitBits <= static_cast<std::int64_t>(kFieldMask); }

// The search of one tile with one layout type. Nothing where a single element is not where the descriptor says.
std::optional<SmemDescription> described_by(const SmemOperand& operand, const SmemTile& tile, SmemSwizzle swizzle) {
  const SmemSteps steps = steps_of(operand, tile, swizzle);
  const auto begins = [&](std::int64_t mn, std::int64_t column) { return unswizzled(operand, tile, swizzle, mn, column); };
  const std::int64_t origin = begins(0, 0);
  if (!is_field(origin) || !is_field(steps.leading) || !is_field(steps.stride)) return std::nullopt;
  SmemDescription made;
  made.descriptor = {operand.umma, origin / kUnitBits, steps.leading / kUnitBits, steps.stride / kUnitBits, swizzle};
  for (std::int64_t mn = 0; mn < tile.mn; mn += operand.mn) made.mn_starts.push_back((begins(mn, 0) - origin) / 8);
  for (std::int64_t k = 0; k < tile.k; k += operand.k) made.k_starts.push_back((begins(0, k) - origin) / 8);
  for (std::int64_t stage = 0; stage < tile.stages; ++stage) made.stage_starts.push_back((begins(0, stage * tile.k) - origin) / 8);
  for (std::size_t m = 0; m < made.mn_starts.size(); ++m) {
    const std::int64_t mn = static_cast<std::int64_t>(m) * operand.mn;
    for (std::int64_t column = 0; column < tile.k * tile.stages; column += operand.k) {
      const std::size_t block = static_cast<std::size_t>(column % tile.k / operand.k), stage = static_cast<std::size_t>(column / tile.k);
      SmemDescriptor here = made.descriptor;
      const std::int64_t start = origin + 8 * (made.mn_starts[m] + made.k_starts[block] + made.stage_starts[stage]);
      if (!is_field(start) || late()) return std::nullopt;
      here.start = start / kUnitBits;
      for (std::int64_t k = 0; k < operand.k; ++k) {
        for (std::int64_t i = 0; i < operand.mn; ++i) {
          if (bit_address(here, operand.bits, operand.mn_major, i, k) != tile.bit(operand, mn + i, column + k)) return std::nullopt;
        }
      }
      made.addresses += operand.mn * operand.k;
    }
  }
  return made;
}

std::optional<SmemDescription> described(const SmemOperand& operand, const SmemTile& tile) {
  for (const SmemSwizzle swizzle : swizzles_of(operand)) {
    if (auto made = described_by(operand, tile, swizzle)) return made;
  }
  return std::nullopt;
}

// Small floats of kind::f8f6f4 have a byte each in shared memory, whatever their width.
std::int64_t stored_bits(const MmaAtom& atom, ValueType type) {
  const bool bytes = atom.kind == MmaKind::umma && atom.ptx.find("f8f6f4") != std::string::npos;
  return bytes ? 8 : bits(type);
}

Error refused(ErrorCode code, std::string message, std::vector<std::string> notes = {}) {
  return {code, std::move(message), {}, std::move(notes)};
}

Error in_other_memory(const MmaAtom& atom, Operand operand) {
  const bool a = operand == Operand::a;
  const OperandSource source = a ? atom.source_a : atom.source_b;
  const std::string_view where = source == OperandSource::tensor_memory ? "tensor memory" : "registers";
  std::vector<std::string> notes;
  if (a && atom.source_b == OperandSource::smem_descriptor) notes.emplace_back("its B has a descriptor: operand=\"B\"");
  if (a && (atom.kind == MmaKind::wgmma || atom.kind == MmaKind::umma))
    notes.emplace_back(fmt::format("the atom with _SS instead of _{} reads A in shared memory", atom.kind == MmaKind::wgmma ? "RS" : "TS"));
  return refused(ErrorCode::wrong_type, fmt::format("{} reads {} from {}, and not by a descriptor", atom.name, a ? "A" : "B", where),
                 std::move(notes));
}

}  // namespace

Result<SmemOperand> smem_operand(const MmaAtom& atom, Operand operand) {
  if (operand == Operand::c) return refused(ErrorCode::wrong_type, "the operand is A or B: no instruction reads C by a descriptor");
  if (atom.kind != MmaKind::wgmma && atom.kind != MmaKind::umma) {
    return refused(ErrorCode::wrong_type,
                   fmt::format("{} is {}, whose operands are registers: wgmma and tcgen05.mma alone read shared memory by a descriptor",
                               atom.name, to_string(atom.kind)),
                   {"ldmatrix loads its operands: access(SM75_U32x4_LDSM_N, layout)"});
  }
  const bool a = operand == Operand::a;
  if ((a ? atom.source_a : atom.source_b) != OperandSource::smem_descriptor) return in_other_memory(atom, operand);
  SmemOperand made;
  made.umma = atom.kind == MmaKind::umma;
  made.mn_major = a ? atom.mn_major_a : atom.mn_major_b;
  const ValueType type = a ? atom.val_a : atom.val_b;
  made.bits = stored_bits(atom, type);
  made.any_major = made.umma ? made.bits >= 8 && type != ValueType::ctf32 : made.bits == 16;
  made.mode = a ? "M" : "N";
  made.type = bits(type) == made.bits ? cute_name(type) : "uint8_t";
  const std::int64_t ctas = made.umma ? atom.thr_id.size() : 1;
  made.mn = shape_extent(atom, a ? 0 : 1) / ctas;
  made.sparse = a && atom.sparse;
  made.k = shape_extent(atom, 2) / (made.sparse ? 2 : 1);
  if (made.k * made.bits % (2 * kUnitBits) != 0) {
    return refused(ErrorCode::not_representable,
                   fmt::format("{} takes {} bytes of K at a time, and the canonical layouts hold pairs of 16-byte units", atom.name,
                               made.k * made.bits / 8),
                   {"sm_103 reads such an operand by descriptors with an absolute leading dimension, which are not made here"});
  }
  return made;
}

std::int64_t row_bytes(SmemSwizzle swizzle) { return row_of(swizzle).row; }
std::int64_t pattern_bytes(SmemSwizzle swizzle) { return row_of(swizzle).pattern; }
std::string_view layout_type_name(SmemSwizzle swizzle, bool umma) { return umma ? row_of(swizzle).umma : row_of(swizzle).gmma; }

Swizzle swizzle_of_bits(SmemSwizzle swizzle) {
  static const std::array<Swizzle, kSwizzles.size()> kOverBits = [] {
    std::array<Swizzle, kSwizzles.size()> made;
    for (std::size_t i = 0; i < made.size(); ++i)
      made[i] = Swizzle::make(kSwizzles[i].bytes[0], kSwizzles[i].bytes[1] + 3, kSwizzles[i].bytes[2]).value();
    return made;
  }();
  return kOverBits[static_cast<std::size_t>(swizzle)];
}

int layout_type_code(const SmemDescriptor& descriptor) {
  return descriptor.umma ? row_of(descriptor.swizzle).umma_code : row_of(descriptor.swizzle).gmma_code;
}

std::vector<DescriptorField> fields_of(const SmemDescriptor& d) {
  const auto bytes = [](std::int64_t units) { return fmt::format("{} bytes", units * kDescriptorUnit); };
  std::vector<DescriptorField> made = {{"start_address", 0, 13, d.start, bytes(d.start) + " behind the tile's address"},
                                       {"leading_byte_offset", 16, 29, d.leading, bytes(d.leading)},
                                       {"stride_byte_offset", 32, 45, d.stride, bytes(d.stride)}};
  if (d.umma) made.push_back({"version", 46, 47, 1, "Blackwell"});
  made.push_back({"base_offset", 49, 51, 0, fmt::format("of a tile at a multiple of {} bytes", pattern_bytes(d.swizzle))});
  if (d.umma) made.push_back({"lbo_mode", 52, 52, 0, "relative"});
  made.push_back({"layout_type", d.umma ? 61 : 62, 63, layout_type_code(d), std::string(layout_type_name(d.swizzle, d.umma))});
  return made;
}

std::uint64_t encode(const SmemDescriptor& descriptor) {
  const auto field = [](std::int64_t units) { return static_cast<std::uint64_t>(units) & kFieldMask; };
  std::uint64_t value = field(descriptor.start) | field(descriptor.leading) << 16 | field(descriptor.stride) << 32;
  const auto type = static_cast<std::uint64_t>(layout_type_code(descriptor));
  if (!descriptor.umma) return value | type << 62;
  constexpr std::uint64_t kVersion = 1;
  return value | kVersion << 46 | type << 61;
}

std::optional<SmemDescriptor> decode(std::uint64_t value, bool umma) {
  SmemDescriptor made;
  made.umma = umma;
  made.start = static_cast<std::int64_t>(value & kFieldMask);
  made.leading = static_cast<std::int64_t>(value >> 16 & kFieldMask);
  made.stride = static_cast<std::int64_t>(value >> 32 & kFieldMask);
  const int code = static_cast<int>(value >> (umma ? 61 : 62));
  for (std::size_t i = 0; i < kSwizzles.size(); ++i) {
    made.swizzle = static_cast<SmemSwizzle>(i);
    if (layout_type_code(made) == code && encode(made) == value) return made;
  }
  return std::nullopt;
}

std::int64_t bit_address(const SmemDescriptor& descriptor, std::int64_t element_bits, bool mn_major, std::int64_t mn, std::int64_t k) {
  const std::int64_t in_unit = kUnitBits / element_bits, along = mn_major ? mn : k;  // elements of a unit; the contiguous coordinate
  const std::int64_t unit = along / in_unit, row = mn_major ? k : mn;
  const std::int64_t width = row_of(descriptor.swizzle).row / kDescriptorUnit, together = rows_together(descriptor.swizzle);
  const std::int64_t in_row = row % together * width, period = row / together;
  std::int64_t units = descriptor.start + in_row;
  if (mn_major && descriptor.swizzle == SmemSwizzle::none) {
    units += unit * descriptor.stride + period * descriptor.leading;
  } else if (mn_major) {
    units += unit % width + unit / width * descriptor.leading + period * descriptor.stride;
  } else {
    units += period * descriptor.stride + unit * (descriptor.swizzle == SmemSwizzle::none ? descriptor.leading : 1);
  }
  return swizzle_of_bits(descriptor.swizzle)(units * kUnitBits + along % in_unit * element_bits);
}

std::int64_t rows_of_core_matrix(SmemSwizzle swizzle) { return rows_together(swizzle); }

std::vector<DescriptorStep> descriptor_steps(const SmemOperand& operand, const SmemDescriptor& descriptor) {
  const SmemSwizzle swizzle = descriptor.swizzle;
  const bool plain = swizzle == SmemSwizzle::none;
  const std::int64_t in_unit = kUnitBits / operand.bits, in_row = 8 * row_bytes(swizzle) / operand.bits, rows = rows_together(swizzle);
  const std::int64_t leading = descriptor.leading * kDescriptorUnit, stride = descriptor.stride * kDescriptorUnit;
  std::vector<DescriptorStep> made;
  const auto add = [&](std::string_view field, std::int64_t mn, std::int64_t k, std::int64_t bytes) {
    if (mn < operand.mn && k < operand.k) made.push_back({field, mn, k, bytes});
  };
  if (operand.mn_major) {
    add("LBO", plain ? 0 : in_row, plain ? rows : 0, leading);
    add("SBO", plain ? in_unit : 0, plain ? 0 : rows, stride);
  } else {
    if (plain) add("LBO", 0, in_unit, leading);
    add("SBO", rows, 0, stride);
  }
  return made;
}

std::int64_t bit_address(const SmemOperand& operand, const SmemDescription& description, std::int64_t mn, std::int64_t k) {
  SmemDescriptor here = description.descriptor;
  here.start +=
      (description.mn_starts[static_cast<std::size_t>(mn / operand.mn)] + description.k_starts[static_cast<std::size_t>(k / operand.k)]) /
      kDescriptorUnit;
  return bit_address(here, operand.bits, operand.mn_major, mn % operand.mn, k % operand.k);
}

// ---- the search --------------------------------------------------------------------------------------------------------

std::vector<SmemSwizzle> swizzles_of(const SmemOperand& operand) {
  std::vector<SmemSwizzle> all{SmemSwizzle::b128, SmemSwizzle::b64, SmemSwizzle::b32, SmemSwizzle::none};
  if (operand.umma && operand.mn_major) all.push_back(SmemSwizzle::b128_base32);
  return all;
}

SmemSteps steps_of(const SmemOperand& operand, const SmemTile& tile, SmemSwizzle swizzle) {
  const auto step = [&](std::int64_t mn, std::int64_t k) {  // of the first element behind those that the fields are not asked for
    if (mn >= operand.mn || k >= operand.k) return std::int64_t{0};
    return unswizzled(operand, tile, swizzle, mn, k) - unswizzled(operand, tile, swizzle, 0, 0);
  };
  const std::int64_t in_unit = kUnitBits / operand.bits, in_row = 8 * row_bytes(swizzle) / operand.bits, together = rows_together(swizzle);
  const bool plain = swizzle == SmemSwizzle::none;
  if (!operand.mn_major) return {plain ? step(0, in_unit) : kUnitBits, step(together, 0)};  // swizzled: CuTe writes 1, which nothing reads
  return plain ? SmemSteps{step(0, together), step(in_unit, 0)} : SmemSteps{step(in_row, 0), step(0, together)};
}

Result<SmemTile> smem_tile(const SmemOperand& operand, const AnyLayout& layout) {
  const auto* composed = std::get_if<ComposedLayout>(&layout);
  if (composed && (!inner_layout(*composed) || !composed->offset.is_int()))
    return refused(ErrorCode::wrong_type, fmt::format("a layout of shared memory is wanted, not {}", to_string(layout)));
  const Layout& plain = plain_part(layout);
  if (plain.has_basis() || plain.rank() < 2)
    return refused(ErrorCode::rank_mismatch,
                   fmt::format("a tile ({},K) of shared memory is wanted, not {}", operand.mode, to_string(layout)),
                   {"two modes, and a third one for the stages of a pipe"});
  TESSERA_TRY(elements, checked_size(plain.shape()));
  if (elements > kMostElements)
    return refused(ErrorCode::limit,
                   fmt::format("{} has {} elements; {} are compared at most", to_string(layout), elements, kMostElements));
  const bool partitioned = plain.rank() >= 3 && plain.shape()[0].is_tuple() && plain[0].rank() == 2 && plain[0][0].size() == operand.mn &&
                           plain[0][1].size() == operand.k;
  const std::size_t stage_mode = partitioned ? 3 : 2;
  if (plain.rank() > stage_mode + 1)
    return refused(ErrorCode::rank_mismatch, fmt::format("{} has modes behind ({},K,PIPE)", to_string(layout), operand.mode),
                   {"group_modes makes the stages one mode"});
  const Layout mn = partitioned ? make_layout({plain[0][0], plain[1]}) : plain[0];  // mn -> element
  const Layout k = partitioned ? make_layout({plain[0][1], plain[2]}) : plain[1];   // k -> element
  const Layout stage = plain.rank() > stage_mode ? plain[stage_mode] : Layout::trusted(1, 0);
  if (mn.size() % operand.mn != 0 || k.size() % operand.k != 0) {
    return refused(ErrorCode::not_divisible,
                   fmt::format("{} of {}x{} elements is no number of whole blocks of {}x{} ({} x K) of the instruction", to_string(layout),
                               mn.size(), k.size(), operand.mn, operand.k, operand.mode),
                   {operand.sparse ? "a sparse A is given as it is stored: half of the instruction's K"
                                   : fmt::format("repeat an atom over the tile, whose extents are multiples of ({0},{1}): "
                                                 "tile_to_shape(layout, ({0},{2}))",
                                                 operand.mn, operand.k, ceil_div(k.size(), operand.k) * operand.k)});
  }
  // (mn, (k, stage)) -> element
  SmemTile tile{layout, mn.size(), k.size(), stage.size(), ValueTable(with_plain_part(layout, make_layout({mn, make_layout({k, stage})})))};
  for (std::int64_t m = 0; m < tile.mn; ++m) {
    if (late()) return past_deadline("a descriptor of shared memory");
    for (std::int64_t column = 0; column < tile.k * tile.stages; ++column) {
      const std::int64_t place = tile.place(m, column);
      if (place < 0 || place > kMostPlace)
        return refused(ErrorCode::out_of_range, fmt::format("{} has an element at {}, outside of shared memory", to_string(layout), place));
    }
  }
  return tile;
}

Result<ChosenOperand> choose_operand(const MmaAtom& atom, const AnyLayout& layout) {
  const Result<SmemOperand> a = smem_operand(atom, Operand::a), b = smem_operand(atom, Operand::b);
  if (!a && !b) return a.error();
  if (!a || !b) return ChosenOperand{a ? Operand::a : Operand::b};
  const Result<SmemTile> of_a = smem_tile(*a, layout), of_b = smem_tile(*b, layout);
  const bool b_alone = of_b && (!of_a || (!described(*a, *of_a) && described(*b, *of_b)));
  return ChosenOperand{b_alone ? Operand::b : Operand::a, of_a && of_b};
}

Status check_blocks(const TiledMma& mma, Operand operand) {
  const auto* modes = std::get_if<std::vector<Tiler>>(&mma.permutation_mnk().value);
  if (!modes) return Done{};
  for (const std::size_t mode : {operand == Operand::a ? std::size_t{0} : std::size_t{1}, std::size_t{2}}) {
    if (mode >= modes->size() || !std::holds_alternative<Layout>((*modes)[mode].value)) continue;
    return refused(ErrorCode::not_representable,
                   fmt::format("the tiled MMA permutes mode {} by {}, so that an instruction's rows are no block of the tile", "MNK"[mode],
                               to_string(std::get<Layout>((*modes)[mode].value))),
                   {"ask with the atom alone and the layout that its instructions see"});
  }
  return Done{};
}

SmemFinding find_smem_descriptor(const SmemOperand& operand, const AnyLayout& layout) {
  SmemFinding finding;
  Result<SmemTile> tile = smem_tile(operand, layout);
  if (!tile) {
    finding.error = std::move(tile).error();
    finding.brief = finding.error.code == ErrorCode::not_divisible ? "no whole blocks" : "no tile";
    return finding;
  }
  finding.made = described(operand, *tile);
  if (finding.made) return finding;
  if (late()) {
    finding.error = past_deadline("a descriptor of shared memory");
    return finding;
  }
  explain_refusal(operand, *tile, finding);
  return finding;
}

Result<SmemDescription> smem_descriptor(const SmemOperand& operand, const AnyLayout& layout) {
  SmemFinding found = find_smem_descriptor(operand, layout);
  if (found.made) return *std::move(found.made);
  if (found.error.code == ErrorCode::not_representable) {
    TESSERA_TRY(tile, smem_tile(operand, layout));
    const std::string instead = canonical_smem_layout(operand, tile.mn, tile.k);
    if (!instead.empty()) found.error.notes.push_back("the nearest canonical layout: " + instead);
  }
  return std::move(found.error);
}

std::string canonical_smem_layout(const SmemOperand& operand, std::int64_t mn, std::int64_t k) {
  for (const std::string_view width : {"SW128", "SW64", "SW32", "INTER"}) {
    const std::string name =
        fmt::format("{}::Layout_{}_{}_Atom<{}>", operand.umma ? "UMMA" : "GMMA", operand.mn_major ? "MN" : "K", width, operand.type);
    const auto atom = find_smem_atom(name);
    if (!atom) continue;
    const auto tiled = tile_to_shape(atom->layout, IntTuple::tuple({mn, k}));
    if (!tiled) continue;
    const auto tile = smem_tile(operand, *tiled);
    if (tile && described(operand, *tile)) return fmt::format("tile_to_shape({}, ({},{}))", name, mn, k);
  }
  return {};
}

}  // namespace tessera
