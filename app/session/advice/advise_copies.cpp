// SPDX-License-Identifier: BSD-3-Clause
// Advisor: copies, and threads without one, held against the tiles that they take.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/session/advice/advisor.hpp"
#include "app/session/advice/binding_names.hpp"
#include "core/atom/advice/find_copy.hpp"
#include "core/atom/advice/find_smem_layout.hpp"
#include "core/atom/copy/automatic_copy.hpp"
#include "core/atom/copy/copy_places.hpp"
#include "core/atom/instructions/catalog.hpp"
#include "core/lang/programs/evaluate.hpp"
#include "core/lang/syntax/naming.hpp"
#include "core/lang/values/convert.hpp"
#include "core/layout/composed_algebra.hpp"
#include "core/layout/inspect.hpp"

namespace tessera {

namespace advising {

// A layout of threads that is bound to a name, or written out.
void Advisor::take_threads(const AdvisedUse& use, Used& used) const {
  const AdvisedBinding* threads = named(use.what->by_text, use);
  if (threads && !threads->value) return;
  used.threads = std::get_if<Layout>(&use.what->by.any);
  used.threads_name = use.what->by_text;
  if (threads) used.tile.guesses = both(used.tile.guesses, threads->guesses);
}

// copy(a, b) of local_partition's parts: as DefaultCopy takes them.
void Advisor::hold_against_threads(const Used& used) {
  const bool shared = used.tile.space == AccessSpace::smem;
  const CopySide side = shared ? CopySide::destination : CopySide::source;
  const Result<CopyTraits> copy = find_copy_atom("DefaultCopy");
  Result<AccessPattern> pattern = access_pattern(*used.threads, side, shape(used.tile.layout));
  const Result<std::vector<std::int64_t>> offsets = element_offsets(used.tile.layout);
  if (!copy || !pattern || !offsets || used.tile.bits < 8) return;
  choose_width(*pattern, *copy, cute_vector(*used.threads, side, used.tile.layout, used.tile.bits), used.tile.layout, *offsets,
               used.tile.bits, used.tile.space);
  const Result<AccessReport> report = measure(*pattern, *offsets, used.tile.bits, used.tile.space);
  if (!local_partition(used.tile.layout, *used.threads, 0)) return;  // CuTe does not cut it so, and says why where it is compiled
  const std::string pair = fmt::format("threads {} on {}", used.threads_name, used.tile.binding->name);
  if (!report || !said_.insert(pair + to_string(used.tile.layout) + (used.tile.guesses.empty() ? "" : "?")).second) return;
  if (report->is_best())
    made_.fine.push_back({fmt::format("{}: {}", pair, describe(*report)), used.tile.guesses});
  else
    add(Advice::Weight::slow, times_of(report->units, report->least), *used.tile.binding, fmt::format("{}: {}", pair, describe(*report)),
        "another swizzle, a padding, or threads along the other mode", used.tile.guesses);
}

// Of a copy between two tiles in memory: could other threads and values take the same with far fewer instructions?
void Advisor::look_at_widths() {
  constexpr std::int64_t kMostSearched = 1 << 14;  // elements
  std::set<const Copy*> seen;
  for (const Used& from : used_) {
    for (const Used& to : used_) {
      if (!from.copy || from.copy != to.copy || from.side != CopySide::source || to.side != CopySide::destination) continue;
      if (size(from.tile.layout) > kMostSearched || is_automatic(from.copy->copy->atom().traits)) continue;
      if (broken_.count(from.copy->text) > 0 || !seen.insert(from.copy).second) continue;
      if (stops()) return;
      const std::int64_t width = bits(from.copy->copy->atom().value_type);
      const CopyTile source{from.tile.layout, from.tile.space}, destination{to.tile.layout, to.tile.space};
      const Result<CopyCheck> now = check_copy(*from.copy->copy, source, destination, width);
      if (!now || !now->is_sound()) continue;
      const Result<CopySearch> search = find_copy(*from.copy->copy, *now, source, destination, width);
      if (!search || !search->better || 2 * search->better->check.instructions > now->instructions) continue;
      add(Advice::Weight::slow, times_of(now->instructions, search->better->check.instructions), *from.copy->binding,
          fmt::format("{} from {} to {}: {} instructions where {} would do", from.copy->binding->name, from.tile.binding->name,
                      to.tile.binding->name, now->instructions, search->better->check.instructions),
          search->better->text, both(both(from.tile.guesses, to.tile.guesses), from.copy->binding->guesses));
    }
  }
}

// Of the copy's own tile: which elements it takes twice or never.
std::string Advisor::missing_of(const TiledCopy& copy) {
  const CopyKind kind = copy.atom().traits.kind;
  if (kind != CopyKind::universal && kind != CopyKind::cp_async) return {};  // the lanes of others take what they are given
  const auto* modes = std::get_if<std::vector<Tiler>>(&copy.tiler_mn().value);
  std::vector<IntTuple> extents;
  for (const Tiler& mode : modes ? *modes : std::vector<Tiler>{}) {
    const auto* number = std::get_if<TileSize>(&mode.value);
    const auto* layout = std::get_if<Layout>(&mode.value);
    if (!number && !layout) return {};
    extents.emplace_back(number ? number->value : layout->size());
  }
  const Shape tile = IntTuple::tuple(std::move(extents));
  if (rank(tile) == 0 || size(tile) > kMostTile) return {};
  const Result<CopyPlaces> places = copy_places(copy, CopySide::destination, tile);
  if (!places) return {};
  const CopyCoverage coverage = coverage_of(*places, tile);
  return coverage.complete() ? std::string() : describe(coverage, tile);
}

void Advisor::look_at_copy(const AdvisedBinding& binding, const SharedCopy& copy) {
  copies_.push_back({&binding, copy, to_string(*binding.value)});
  if (const std::string missing = missing_of(*copy); !missing.empty()) {
    broken_.insert(to_string(*binding.value));
    add(Advice::Weight::wrong, 1, binding, missing, "check_copy(copy, src, dst) says whose they are");
    return;
  }
  for (std::string& remark : remarks_on("", *binding.value)) add(Advice::Weight::slow, 1, binding, std::move(remark));
}

// An automatic copy is as wide as both of its sides allow, where the source says which tile is the other one.
Result<AccessPattern> Advisor::pattern_of(const Tile& tile, const Copy& copy, CopySide side, std::int64_t width) const {
  const CopyTraits& instruction = copy.copy->atom().traits;
  std::vector<const AnyLayout*> others;
  for (const Used& used : used_) {
    if (used.copy == &copy && used.side != side && shape(used.tile.layout) == shape(tile.layout)) others.push_back(&used.tile.layout);
  }
  if (!is_automatic(instruction) || others.size() != 1) return access_pattern(AccessBy(*copy.copy), side, tile.layout, width, tile.space);
  TESSERA_TRY(pattern, access_pattern(*copy.copy, side, shape(tile.layout)));
  TESSERA_TRY(offsets, element_offsets(tile.layout));
  const bool reads = side == CopySide::source;
  const CuteVector vector = cute_vector(*copy.copy, reads ? &tile.layout : others[0], reads ? others[0] : &tile.layout, width);
  choose_width(pattern, instruction, vector, tile.layout, offsets, width, tile.space);
  return pattern;
}

// What the copy's accesses of the tile are. True where its own tiles divide it.
bool Advisor::hold_against(const Tile& tile, const Copy& copy, CopySide side) {
  const std::int64_t width = bits(copy.copy->atom().value_type);
  if (tile.bits != 0 && tile.bits != width) return false;
  const bool shared = tile.space == AccessSpace::smem;
  if (space_of(copy.copy->atom().traits.kind, side).value_or(tile.space) != tile.space) return false;
  const Result<AccessPattern> pattern = pattern_of(tile, copy, side, width);
  const Result<std::vector<std::int64_t>> offsets = element_offsets(tile.layout);
  if (!pattern || !offsets) return false;
  if (broken_.count(copy.text) > 0) return true;  // what it does to any tile is said already
  const Guesses guesses = both(tile.guesses, copy.binding->guesses);
  if (!said_
           .insert(fmt::format("{} {} {} {} {}", copy.text, to_string(tile.layout), fmt::join(tile.binding->block, "."),
                               operand_of(tile.binding->name), guesses.empty()))
           .second)
    return true;  // of the layout that this tensor has
  const std::string pair = fmt::format("{} on {}", copy.binding->name, tile.binding->name);
  const Result<SliceAndOffset> cut = side == CopySide::source ? copy.copy->partition_s(tile.layout, 0, Law::as_cute)
                                                              : copy.copy->partition_d(tile.layout, 0, Law::as_cute);
  if (!cut) {
    add(Advice::Weight::wrong, 1, *tile.binding, fmt::format("{}: CuTe cannot cut it into threads' parts: {}", pair, cut.error().message),
        shared ? remedy_of(tile, copy, side, width, 0) : Remedy(), guesses);
    return true;
  }
  const Result<AccessReport> report = measure(*pattern, *offsets, width, tile.space);
  const CopyTraits& instruction = copy.copy->atom().traits;
  if (report && instruction.kind == CopyKind::universal && !is_automatic(instruction) && report->bits < pattern->at_once * width) {
    add(Advice::Weight::wrong, 1, *tile.binding,
        fmt::format("{}: {} moves {} bits at once, which do not lie together here: {}", pair, instruction.name, pattern->at_once * width,
                    report->why_not),
        shared ? remedy_of(tile, copy, side, width, 0) : Remedy(), guesses);
  } else if (!report) {
    add(Advice::Weight::wrong, 1, *tile.binding, fmt::format("{}: {}", pair, report.error().message),
        shared ? remedy_of(tile, copy, side, width, 0) : Remedy(), guesses);
  } else if (report->is_best()) {
    made_.fine.push_back({fmt::format("{}: {}", pair, describe(*report)), guesses});
  } else {
    add(Advice::Weight::slow, times_of(report->units, report->least), *tile.binding, fmt::format("{}: {}", pair, describe(*report)),
        shared ? remedy_of(tile, copy, side, width, report->units) : Remedy("check_copy(copy, src, dst) looks for a better copy"), guesses);
  }
  return true;
}

// A layout of the same tile that serves this copy better; found by the search that find_smem_layout makes.
Remedy Advisor::remedy_of(const Tile& tile, const Copy& copy, CopySide side, std::int64_t width, std::int64_t units) {
  const Shape whole = shape(tile.layout);
  const Shape extents = IntTuple::tuple({size(whole[0]), size(whole[1])});
  const std::size_t contiguous = size(whole[0]) > 1 && evaluate(tile.layout, 1, 0) - evaluate(tile.layout, 0, 0) == 1 ? 0 : 1;
  const Result<SmemSearch> search = find_smem_layout(extents, contiguous, width, {{"access", *copy.copy, side}});
  if (!search) return {};
  const auto& found = search->found;
  const auto first = std::find_if(found.begin(), found.end(), [&](const SmemCandidate& each) {
    return side == CopySide::source ? copy.copy->partition_s(each.layout, 0).has_value()
                                    : copy.copy->partition_d(each.layout, 0).has_value();
  });
  if (first == found.end() || (units > 0 && first->all >= units)) return {};
  const SmemCandidate& best = *first;
  Remedy remedy(fmt::format("{}: {} wavefronts{}", to_string(best.layout), best.all, best.is_best() ? ", the least possible" : ""));
  // Of a tile with stages, or with modes in its modes, it would be another value.
  const Value& now = *tile.binding->value;
  const Result<AnyLayout> layout = as_any_layout(now);
  if (!layout || shape(*layout) != shape(best.layout)) return remedy;
  remedy.write = to_string(with_layout(now, best.layout));
  return remedy;
}

}  // namespace advising

}  // namespace tessera
