// SPDX-License-Identifier: BSD-3-Clause
// Builtin smem_descriptor: by which descriptor wgmma or UMMA reads a tile of shared memory.
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/atom/smem/smem_descriptor.hpp"
#include "core/lang/builtins/builtins.hpp"
#include "core/layout/fit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tessera {
namespace {

Error refused(ErrorCode code, std::string message, std::vector<std::string> notes = {}) {
  return {code, std::move(message), {}, std::move(notes)};
}

Result<ChosenOperand> operand_named(const MmaAtom& atom, const AnyLayout& layout, const std::optional<std::string>& word) {
  if (!word) return choose_operand(atom, layout);
  if (*word == "A" || *word == "a") return ChosenOperand{Operand::a};
  if (*word == "B" || *word == "b") return ChosenOperand{Operand::b};
  return refused(ErrorCode::unknown_name, fmt::format("the operand is A or B, not \"{}\"", *word));
}

// block -> units of 16 bytes from the first one
std::string blocks_text(const std::vector<std::int64_t>& starts) {
  std::vector<std::int64_t> units;
  for (const std::int64_t bytes : starts) units.push_back(bytes / kDescriptorUnit);
  const auto count = static_cast<std::int64_t>(units.size());
  if (const auto fitted = fit_layout(units, IntTuple(count))) return to_string(*fitted);
  return fmt::format("{}", fmt::join(units, ", "));
}

bool is_uniform(const std::vector<std::int64_t>& starts) {
  for (std::size_t i = 1; i < starts.size(); ++i) {
    if (starts[i] != static_cast<std::int64_t>(i) * starts[1]) return false;
  }
  return true;
}

std::string bytes_text(std::int64_t bytes) { return fmt::format("{} bytes", bytes); }

void add_steps(const SmemOperand& operand, const SmemDescription& made, Report& report) {
  const auto add = [&](std::string_view step, std::string_view blocks, const std::vector<std::int64_t>& starts, const std::string& what) {
    if (starts.size() < 2) return;
    report.facts.push_back({step, starts[1]});
    report.facts.push_back({blocks, blocks_text(starts)});
    report.notes.push_back(is_uniform(starts)
                               ? fmt::format("each {} begins {}, {} units of 16, behind the one before: add them to the start address",
                                             what, bytes_text(starts[1]), starts[1] / kDescriptorUnit)
                               : fmt::format("{}: they begin at {} units of 16 bytes, not one step apart", what, blocks_text(starts)));
  };
  add("k_step", "k_blocks", made.k_starts, fmt::format("block of {} along K", operand.k));
  add("mn_step", "mn_blocks", made.mn_starts, fmt::format("block of {} along {}", operand.mn, operand.mode));
  add("stage_step", "stages", made.stage_starts, "stage");
}

void add_fields(const SmemDescriptor& descriptor, Report& report) {
  report.columns = {"field", "bits", "value", "means"};
  for (DescriptorField& field : fields_of(descriptor)) {
    std::string bits =
        field.first_bit == field.last_bit ? fmt::format("{}", field.first_bit) : fmt::format("{}-{}", field.first_bit, field.last_bit);
    report.rows.push_back({std::string(field.name), std::move(bits), field.value, std::move(field.means)});
  }
}

// What reads the fields, and when base_offset is not 0.
void add_rules(const SmemOperand& operand, const SmemDescriptor& descriptor, Report& report) {
  const bool plain = descriptor.swizzle == SmemSwizzle::none;
  if (!operand.mn_major && !plain) report.notes.emplace_back("LBO is not read: rows of K are swizzled whole, and CuTe writes 1 unit");
  if (plain) {
    report.notes.emplace_back("the tile begins at a multiple of 16 bytes; base_offset is 0, as nothing is swizzled");
  } else {
    const std::int64_t pattern = pattern_bytes(descriptor.swizzle);
    report.notes.push_back(
        fmt::format("the swizzle's pattern repeats every {0} bytes: begin the tile at a multiple of {0}, and base_offset is "
                    "0, as CuTe always writes it; a pattern that begins at another address p wants (p >> 7) & 7",
                    pattern));
  }
  if (operand.sparse) report.notes.emplace_back("A is sparse: the layout is of the elements that are stored, half of K");
}

Result<Value> smem_descriptor_call(const Call& call) {
  TESSERA_TRY(mma, argument<std::shared_ptr<const TiledMma>>(call, 0));
  TESSERA_TRY(layout, argument<AnyLayout>(call, 1));
  TESSERA_TRY(word, argument<std::optional<std::string>>(call, 2));
  const MmaAtom& atom = mma->atom();
  TESSERA_TRY(chosen, operand_named(atom, layout, word));
  TESSERA_TRY(operand, smem_operand(atom, chosen.operand));
  TESSERA_CHECK(check_blocks(*mma, chosen.operand));
  const std::string letter = chosen.operand == Operand::a ? "A" : "B";
  const Value& given = *call[1].value;
  if (given.element.bits != 0 && given.element.bits != operand.bits)
    return refused(ErrorCode::wrong_type, fmt::format("the layout is of elements of {} bits, and {} of {} has {}", given.element.bits,
                                                      letter, atom.name, operand.bits));
  TESSERA_TRY(made, smem_descriptor(operand, layout));
  const SmemDescriptor& descriptor = made.descriptor;
  const auto* tensor = std::get_if<Tensor>(&given.any);
  const std::int64_t behind = tensor && tensor->offset.is_int() ? tensor->offset.value() * operand.bits / 8 : 0;  // bytes
  const std::int64_t alignment = pattern_bytes(descriptor.swizzle);
  if (behind % alignment != 0)
    return refused(ErrorCode::not_representable,
                   fmt::format("the tensor begins {} behind its pointer, and its swizzle wants a multiple of {}", bytes_text(behind),
                               bytes_text(alignment)));
  SmemDescriptor at_zero = descriptor;
  at_zero.start = 0;

  Report report;
  report.kind = "smem_descriptor";
  const std::string type(layout_type_name(descriptor.swizzle, descriptor.umma));
  const std::int64_t leading = descriptor.leading * kDescriptorUnit, stride = descriptor.stride * kDescriptorUnit;
  const std::string major = operand.mn_major ? fmt::format("{}-major", operand.mode) : "K-major";
  report.sentence =
      fmt::format("{} of {} {}: {}, {}, LBO {}, SBO {}; decoded back to the same {} addresses", letter, operand.umma ? "UMMA" : "wgmma",
                  fmt::format("{}x{}", operand.mn, operand.k), type, major, bytes_text(leading), bytes_text(stride), made.addresses);
  report.facts = {{"operand", letter},
                  {"layout_type", type},
                  {"major", std::string(operand.mn_major ? "MN" : "K")},
                  {"lbo", leading},
                  {"sbo", stride},
                  {"start", descriptor.start * kDescriptorUnit + behind},
                  {"descriptor", fmt::format("{:#018x}", encode(at_zero))},
                  {"base_offset", std::int64_t{0}},
                  {"alignment", alignment},
                  {"addresses", made.addresses}};
  add_steps(operand, made, report);
  add_fields(descriptor, report);
  add_rules(operand, descriptor, report);
  if (chosen.either)
    report.notes.push_back(fmt::format("the tile has whole blocks of A and of B: {} was taken; operand=\"{}\" asks for the other", letter,
                                       chosen.operand == Operand::a ? "B" : "A"));
  return Value{std::make_shared<const Report>(std::move(report))};
}

bool is_operand_word(std::string_view parameter, std::string_view word) { return parameter == "operand" && (word == "A" || word == "B"); }

// clang-format off
constexpr Builtin kRows[] = {
  {"smem_descriptor", "smem_descriptor(mma, layout, operand=)",
   "the descriptor by which wgmma or UMMA reads a tile of shared memory: layout type, LBO, SBO, steps, alignment; or why there is none",
   smem_descriptor_call, is_operand_word},
};
// clang-format on

}  // namespace

std::span<const Builtin> descriptor_builtins() { return kRows; }

}  // namespace tessera
