// SPDX-License-Identifier: BSD-3-Clause
#include "core/diagram/kinds/access_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/diagram/kinds/figure_kinds.hpp"
#include "core/diagram/parts/figure_parts.hpp"
#include "core/diagram/parts/reading_aids.hpp"

namespace tessera {

namespace {

constexpr std::int64_t kHalfBits = 16;  // of an element, where nothing says its type

Result<AccessBy> access_object(const FigureSpec& spec) {
  const FigureObject& object = spec.objects.front();
  if (const auto* copy = std::get_if<TiledCopy>(&object)) return AccessBy(*copy);
  if (const auto* atom = std::get_if<CopyAtom>(&object)) return AccessBy(atom->traits);
  if (const auto* wide = std::get_if<AccessBits>(&object)) return AccessBy(wide->bits);
  return Error{ErrorCode::wrong_type,
               fmt::format("this figure needs a tiled copy, a copy atom or the bits of a load first, and got {}", object_name(object)),
               {},
               {fmt::format("for example {0}_figure(128, (8,64):(64,1), bits=16)", spec.kind)}};
}

}  // namespace

Result<DrawnAccess> drawn_access(const FigureSpec& spec, AccessSpace space) {
  DrawnAccess made;
  TESSERA_TRY(by, access_object(spec));
  TESSERA_TRY(layout, layout_object(spec, 1, "the layout that is read or written as its second object"));
  TESSERA_TRY(known, element_bits(spec));
  made.layout = std::move(layout);
  const auto* copy = std::get_if<TiledCopy>(&by);
  made.knows_bits = known > 0 || copy;
  made.bits = known > 0 ? known : copy ? tessera::bits(copy->atom().value_type) : kHalfBits;
  if (made.bits < 1 || made.bits > 128)
    return Error{ErrorCode::out_of_range, fmt::format("an element has 1 to 128 bits here, not {}", made.bits), {}, {}};
  const CopyKind kind = kind_of(by);
  CopySide side = side_in(kind, space);
  if (const std::string_view op = parameter(spec, "op"); !op.empty()) side = op == "load" ? CopySide::source : CopySide::destination;
  if (space_of(kind, side).value_or(space) != space) {
    const bool shared = space == AccessSpace::smem;
    return Error{ErrorCode::wrong_type,
                 shared ? fmt::format("{} has global memory on that side, which has no banks", to_string(kind))
                        : fmt::format("{} has shared memory on that side, which has no sectors", to_string(kind)),
                 {},
                 {shared ? "leave op= out, or draw sectors_figure" : "leave op= out, or draw banks_figure"}};
  }
  TESSERA_TRY(pattern, access_pattern(by, side, made.layout, made.bits, space));
  TESSERA_TRY(offsets, element_offsets(made.layout));
  TESSERA_TRY(report, measure(pattern, offsets, made.bits, space));
  TESSERA_TRY(warp, integer(spec, kWarpNumber));
  TESSERA_TRY(number, integer(spec, kInstructionNumber));
  TESSERA_TRY(instruction, instruction_at(pattern, offsets, made.bits, warp, number, space));
  made.pattern = std::move(pattern);
  made.report = std::move(report);
  made.instruction = std::move(instruction);
  return made;
}

Status check_lanes(const FigureSpec& spec, const DrawnAccess& access) {
  TESSERA_TRY(threads, number_set(spec, "thread"));
  for (const std::int64_t thread : threads) {
    const std::int64_t first = access.first_thread();
    if (thread >= first && thread < first + kLanes && thread < access.pattern.threads) continue;
    return Error{ErrorCode::out_of_range,
                 fmt::format("thread {} takes no part in an instruction of warp {}", thread, access.instruction.warp),
                 {},
                 {fmt::format("its threads are {} to {}", first, std::min(first + kLanes, access.pattern.threads) - 1)}};
  }
  return Done{};
}

Result<LaneColors> lane_colors(const FigureSpec& spec, Scene& scene) {
  TESSERA_TRY(color, choice(spec, "color", kBanksColorChoices));
  TESSERA_TRY(palette, Palette::find(spec.palette));
  LaneColors made;
  if (color == "none") return made;
  const std::int64_t groups = color == "quad" ? kLanes / 4 : kLanes;
  for (std::int64_t lane = 0; lane < kLanes; ++lane) made.of_lane.push_back(scene.color(palette.category(lane * groups / kLanes, groups)));
  made.legend = category_legend(scene, palette, color == "quad" ? "quad of lanes" : "lane", groups);
  return made;
}

std::vector<std::string> notes_of(const DrawnAccess& access) {
  std::vector<std::string> notes;
  const bool several = access.report.instructions > 1;
  notes.push_back(fmt::format("what is {}: {}{}{}", access.pattern.side == CopySide::destination ? "written" : "read",
                              to_string(access.layout), access.knows_bits ? fmt::format(", elements of {} bits", access.bits) : "",
                              several ? fmt::format("; drawn: instruction {} of {} of warp {}", access.instruction.number,
                                                    access.instruction.of, access.instruction.warp)
                                      : ""));
  if (several) {
    std::string all = describe(access.report);
    if (const std::size_t colon = all.find(": "); colon != std::string::npos) all.replace(colon, 2, " takes ");
    notes.push_back("in all, " + all);
  }
  if (!access.knows_bits) notes.emplace_back("elements are taken to have 16 bits");
  return notes;
}

}  // namespace tessera
