// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/advise.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "app/session/binding_names.hpp"
#include "core/atom/automatic_copy.hpp"
#include "core/atom/catalog.hpp"
#include "core/atom/copy_places.hpp"
#include "core/atom/find_copy.hpp"
#include "core/atom/find_smem_layout.hpp"
#include "core/atom/permutation_advice.hpp"
#include "core/atom/smem_descriptor.hpp"
#include "core/base/budget.hpp"
#include "core/gemm/lower/lower.hpp"
#include "core/gemm/run/analysis.hpp"
#include "core/lang/programs/effects.hpp"
#include "core/lang/programs/evaluate.hpp"
#include "core/lang/programs/explain.hpp"
#include "core/lang/syntax/naming.hpp"
#include "core/lang/syntax/words.hpp"
#include "core/lang/values/convert.hpp"
#include "core/layout/composed_algebra.hpp"
#include "core/layout/inspect.hpp"

namespace tessera {
namespace {

using SharedCopy = std::shared_ptr<const TiledCopy>;
using SharedMma = std::shared_ptr<const TiledMma>;
using SharedGemm = std::shared_ptr<const GemmSpec>;

constexpr double kFullEnough = 0.8;          // of the SMs' time
constexpr std::int64_t kMostTile = 1 << 16;  // elements of a tile that copies are held against
constexpr std::int64_t kMostMacs = 1 << 24;  // multiply-adds of the tile that is run for its accesses

// A tile in memory: one stage of it, as rows and columns.
struct Tile {
  const AdvisedBinding* binding = nullptr;
  AnyLayout layout;
  AnyLayout whole;        // with all stages, where they are few enough
  std::int64_t bits = 0;  // of an element; 0: not known
  AccessSpace space = AccessSpace::smem;
  std::vector<std::string> guesses = {};
};

using Guesses = std::vector<std::string>;

Guesses both(Guesses a, const Guesses& b) {
  for (const std::string& each : b) {
    if (std::find(a.begin(), a.end(), each) == a.end()) a.push_back(each);
  }
  return a;
}

double times_of(std::int64_t units, std::int64_t least) {
  return static_cast<double>(units) / static_cast<double>(std::max<std::int64_t>(least, 1));
}

// Does a warning say that the value is not what was meant? Others are of style: a name that hides a function, another form of CuTe's.
bool is_wrong(const Error& warning) {
  switch (warning.code) {
    case ErrorCode::breaks_law:
    case ErrorCode::not_injective:
    case ErrorCode::not_divisible:
    case ErrorCode::out_of_range:
    case ErrorCode::not_congruent:
    case ErrorCode::wrong_type: return true;
    case ErrorCode::not_representable: return warning.message.find(" cannot read this ") != std::string::npos;
    default: return false;
  }
}

using Block = std::vector<std::size_t>;

// Is `outer` around `inner`, or the same?
bool is_around(const Block& outer, const Block& inner) {
  return outer.size() <= inner.size() && std::equal(outer.begin(), outer.end(), inner.begin());
}

bool see_each_other(const AdvisedBinding& a, const AdvisedBinding& b) { return is_around(a.block, b.block) || is_around(b.block, a.block); }

// The first stage of (M,K,PIPE), and (M,K) as it is; nothing of what is no whole tile, such as a thread's part of one.
std::optional<AnyLayout> one_stage(const AnyLayout& layout, AccessSpace space, bool partitioned = false) {
  const std::size_t modes = rank(shape(layout));
  if (modes < 2 || modes > 3) return std::nullopt;  // of a tile that a line partitions, whatever its strides
  if (const auto* plain = std::get_if<Layout>(&layout); plain && plain->has_basis()) return std::nullopt;
  AnyLayout stage = layout;
  if (modes == 3) {
    Result<AnyLayout> first = slice(IntTuple::tuple({IntTuple::underscore(), IntTuple::underscore(), 0}), layout);
    if (!first) return std::nullopt;
    stage = *std::move(first);
  }
  const std::int64_t elements = size(stage);
  const bool whole =
      partitioned || space == AccessSpace::gmem || cosize(stage) < 2 * elements;  // a matrix in global memory is larger than its tile
  return elements <= kMostTile && whole ? std::optional(stage) : std::nullopt;
}

struct Copy {
  const AdvisedBinding* binding = nullptr;
  SharedCopy copy;
  std::string text;  // of the language
};

// One line that partitions a tile: with a copy, or with an MMA.
struct Used {
  Tile tile;
  const Copy* copy = nullptr;
  const TiledMma* mma = nullptr;
  const Layout* threads = nullptr;  // of local_partition
  std::string threads_name = {};
  char part = 'S';
  CopySide side = CopySide::source;
};

class Advisor {
 public:
  Advisor(const AdvisedProgram& program, const DeviceModel& device)
      : bindings_(program.bindings),
        remarks_(program.remarks),
        uses_(program.uses),
        kernels_(program.kernels),
        is_source_(program.is_source),
        device_(device) {}

  Advised advise() && {
    made_.bindings = bindings_.size();
    collect();
    for (const AdvisedBinding& remark : remarks_) said(remark);
    look_at_launches();
    for (const AdvisedBinding& binding : bindings_) {
      said(binding);
      if (!binding.value) continue;
      if (const auto* gemm = std::get_if<SharedGemm>(&binding.value->any)) look_at_gemm(binding, **gemm);
      if (const auto* copy = std::get_if<SharedCopy>(&binding.value->any)) look_at_copy(binding, *copy);
      if (const auto* mma = std::get_if<SharedMma>(&binding.value->any)) look_at_mma(binding, **mma);
    }
    collect_uses();
    for (const Tile& tile : tiles_) {
      if (stops()) break;
      look_at_tile(tile);
    }
    for (const Used& used : used_) {
      if (stops()) break;
      if (used.copy) hold_against(used.tile, *used.copy, used.side);
      if (used.threads) hold_against_threads(used);
    }
    look_at_widths();
    for (std::vector<Advice>* list : {&made_.findings, &made_.supposed})
      std::stable_sort(list->begin(), list->end(),
                       [](const Advice& a, const Advice& b) { return a.weight != b.weight ? a.weight < b.weight : a.times > b.times; });
    std::stable_partition(made_.fine.begin(), made_.fine.end(), [](const FoundRight& each) { return each.guesses.empty(); });
    return std::move(made_);
  }

 private:
  // The time of the request is over: what was found until then is said, and that it is not all.
  bool stops() {
    if (const Status time = check_time("advice"); !time) made_.stopped = time.error().message;
    return !made_.stopped.empty();
  }

  void add(Advice::Weight weight, double times, const AdvisedBinding& binding, std::string finding, std::string remedy = {}) {
    add(weight, times, binding, std::move(finding), std::move(remedy), binding.guesses);
  }
  void add(Advice::Weight weight, double times, const AdvisedBinding& binding, std::string finding, std::string remedy, Guesses guesses) {
    std::vector<Advice>& list = guesses.empty() ? made_.findings : made_.supposed;
    list.push_back({weight, times, binding.line, binding.name, std::move(finding), std::move(remedy), std::move(guesses)});
  }

  // What its evaluation said already.
  void said(const AdvisedBinding& binding) {
    if (!binding.refusal.empty()) add(Advice::Weight::wrong, 1, binding, binding.refusal);
    for (const Error& warning : binding.warnings)
      add(is_wrong(warning) ? Advice::Weight::wrong : Advice::Weight::hint, 1, binding, warning.message,
          warning.notes.empty() ? "" : warning.notes.front());
  }

  void collect() {
    for (const AdvisedBinding& binding : bindings_) {
      if (!binding.value) continue;
      const bool shared = lies_in_smem(binding.name, *binding.value);
      if (is_partition(binding.name) || !(shared || lies_in_gmem(binding.name, *binding.value))) continue;
      const Result<AnyLayout> layout = as_any_layout(*binding.value);
      const AccessSpace space = shared ? AccessSpace::smem : AccessSpace::gmem;
      if (!layout) continue;
      if (auto stage = one_stage(*layout, space))
        tiles_.push_back(
            {&binding, *stage, size(*layout) <= 8 * kMostTile ? *layout : *stage, binding.value->element.bits, space, binding.guesses});
    }
  }

  // The binding of this name that a line of the block sees: the last above it.
  const AdvisedBinding* named(std::string_view name, const AdvisedUse& use) const {
    const AdvisedBinding* found = nullptr;
    for (const AdvisedBinding& each : bindings_) {
      if (each.name == name && each.line <= use.line && is_around(each.block, use.block) && (!found || each.line >= found->line))
        found = &each;
    }
    return found;
  }

  // What the source partitions with what: pairs of which nothing is guessed but values.
  void collect_uses() {
    for (const AdvisedUse& use : uses_) {
      const Partitioned& what = *use.what;
      const AdvisedBinding* tensor = named(statement_text::first_word(what.tensor_text), use);
      if (!tensor || !tensor->value) continue;
      partitioned_.insert(tensor);
      Used used{{tensor, {}, {}, what.tensor.element.bits, AccessSpace::smem, both(tensor->guesses, use.guesses)}};
      const bool shared = lies_in_smem(tensor->name, what.tensor);
      if (!shared && !lies_in_gmem(tensor->name, what.tensor)) continue;
      used.part = what.part;
      used.tile.space = shared ? AccessSpace::smem : AccessSpace::gmem;
      const Result<AnyLayout> layout = as_any_layout(what.tensor);
      std::optional<AnyLayout> stage = layout ? one_stage(*layout, used.tile.space, true) : std::nullopt;
      const auto* copy = std::get_if<SharedCopy>(&what.by.any);
      if (copy) {
        for (const Copy& each : copies_) {
          if (each.copy == *copy) used.copy = &each;
        }
      }
      if (const auto* mma = std::get_if<SharedMma>(&what.by.any)) used.mma = mma->get();
      if (used.copy) partitioning_.insert(used.copy);
      if (used.mma) partitioning_mmas_.insert(used.mma);
      if (what.part == 'L') take_threads(use, used);
      if (!stage || (!used.copy && !used.mma && !used.threads)) continue;
      used.tile.layout = *std::move(stage);
      used.side = what.part == 'S' ? CopySide::source : CopySide::destination;
      used_.push_back(std::move(used));
    }
  }

  // Does a kernel have the threads of the copies and MMAs that it partitions with?
  void look_at_launches() {
    std::set<std::string> seen;
    for (const AdvisedUse& use : uses_) {
      const auto* copy = std::get_if<SharedCopy>(&use.what->by.any);
      const auto* mma = std::get_if<SharedMma>(&use.what->by.any);
      const std::int64_t threads = copy ? (*copy)->layout_tv()[0].size() : mma ? (*mma)->num_threads() : 0;
      for (const LaunchBound& kernel : kernels_) {
        if (!is_around(kernel.block, use.block) || threads <= kernel.threads || !use.guesses.empty()) continue;
        AdvisedBinding line;
        line.line = use.line, line.name = statement_text::first_word(use.what->tensor_text);
        const std::string words =
            fmt::format("it is partitioned among {} threads, and line {} launches at most {}", threads, kernel.line, kernel.threads);
        if (seen.insert(words + line.name).second) add(Advice::Weight::wrong, 1, line, words);
      }
    }
  }

  // A layout of threads that is bound to a name, or written out.
  void take_threads(const AdvisedUse& use, Used& used) const {
    const AdvisedBinding* threads = named(use.what->by_text, use);
    if (threads && !threads->value) return;
    used.threads = std::get_if<Layout>(&use.what->by.any);
    used.threads_name = use.what->by_text;
    if (threads) used.tile.guesses = both(used.tile.guesses, threads->guesses);
  }

  // copy(a, b) of local_partition's parts: as DefaultCopy takes them.
  void hold_against_threads(const Used& used) {
    const bool shared = used.tile.space == AccessSpace::smem;
    const CopySide side = shared ? CopySide::destination : CopySide::source;
    const Result<CopyTraits> copy = find_copy_atom("DefaultCopy");
    Result<AccessPattern> pattern = access_pattern(*used.threads, side, shape(used.tile.layout));
    const Result<std::vector<std::int64_t>> offsets = element_offsets(used.tile.layout);
    if (!copy || !pattern || !offsets || used.tile.bits < 8) return;
    if (!choose_width(*pattern, *copy, used.tile.layout, used.tile.bits, used.tile.space)) return;
    const Result<AccessReport> report = measure(*pattern, *offsets, used.tile.bits, used.tile.space);
    const std::string pair = fmt::format("threads {} on {}", used.threads_name, used.tile.binding->name);
    if (!report || !said_.insert(pair + to_string(used.tile.layout) + (used.tile.guesses.empty() ? "" : "?")).second) return;
    if (report->is_best())
      made_.fine.push_back({fmt::format("{}: {}", pair, describe(*report)), used.tile.guesses});
    else
      add(Advice::Weight::slow, times_of(report->units, report->least), *used.tile.binding, fmt::format("{}: {}", pair, describe(*report)),
          "another swizzle, a padding, or threads along the other mode", used.tile.guesses);
  }

  // Of a copy between two tiles in memory: could other threads and values take the same with far fewer instructions?
  void look_at_widths() {
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
  static std::string missing_of(const TiledCopy& copy) {
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

  void look_at_copy(const AdvisedBinding& binding, const SharedCopy& copy) {
    copies_.push_back({&binding, copy, to_string(*binding.value)});
    if (const std::string missing = missing_of(*copy); !missing.empty()) {
      broken_.insert(to_string(*binding.value));
      add(Advice::Weight::wrong, 1, binding, missing, "check_copy(copy, src, dst) says whose they are");
      return;
    }
    for (std::string& remark : remarks_on("", *binding.value)) add(Advice::Weight::slow, 1, binding, std::move(remark));
  }

  // Could a thread store more of C at once, halves along N?
  void look_at_mma(const AdvisedBinding& binding, const TiledMma& mma) {
    if (is_source_ || !binding.warnings.empty()) return;  // its lines do not say how C lies; and what is wrong comes first
    PermutationWish wish;
    const MmaAtom& atom = mma.atom();
    wish.element_bits =
        atom.kind == MmaKind::fma || bits(atom.val_a) != 16 ? std::max(bits(atom.val_c), 8) : 16;  // halves are stored as such
    const Result<PermutationAdvice> advice = permutation_for(mma, wish);
    if (!advice || !advice->changed || advice->after.instructions >= advice->before.instructions) return;
    add(Advice::Weight::hint, times_of(advice->before.instructions, advice->after.instructions), binding,
        fmt::format("rows of C, {} bits an element: {} stores of {} a thread where {} of {} would do", wish.element_bits,
                    advice->before.instructions, advice->before.neighbours, advice->after.instructions, advice->after.neighbours),
        to_string(Value{std::make_shared<const TiledMma>(advice->mma)}));
  }

  // By which descriptor do the MMAs read it that the source partitions it with, and of the others those around it whose operand its name
  // says? In a document a tile without such a name is wrong where no operand can be read so.
  bool look_at_descriptors(const Tile& tile) {
    bool any = false;
    for (const AdvisedBinding& each : bindings_) {
      const auto* mma = each.value ? std::get_if<SharedMma>(&each.value->any) : nullptr;
      if (!mma) continue;
      for (const char letter : operands_of(tile, each, **mma)) any = read_by(tile, each, (*mma)->atom(), letter) || any;
    }
    return any;
  }

  std::string operands_of(const Tile& tile, const AdvisedBinding& binding, const TiledMma& mma) const {
    for (const Used& used : used_) {
      if (used.mma == &mma && used.tile.binding == tile.binding) return used.part == 'A' ? "a" : used.part == 'B' ? "b" : "";
    }
    if (partitioning_mmas_.count(&mma) > 0 || partitioned_.count(tile.binding) > 0 || !see_each_other(binding, *tile.binding)) return "";
    const char letter = operand_of(tile.binding->name);
    if (letter == 'a' || letter == 'b') return std::string(1, letter);
    if (letter == 'c' || is_source_) return "";
    const auto reads = [&](Operand which) {
      const Result<SmemOperand> operand = smem_operand(mma.atom(), which);
      return operand && smem_descriptor(*operand, tile.layout);
    };
    return !reads(Operand::a) && reads(Operand::b) ? "b" : "a";
  }

  bool read_by(const Tile& tile, const AdvisedBinding& mma, const MmaAtom& atom, char letter) {
    const Result<SmemOperand> operand = smem_operand(atom, letter == 'b' ? Operand::b : Operand::a);
    if (!operand || (tile.bits != 0 && tile.bits != operand->bits)) return false;
    const Result<SmemDescription> found = smem_descriptor(*operand, tile.layout);
    if (!found && found.error().code != ErrorCode::not_representable) return false;
    const Guesses guesses = both(tile.guesses, mma.guesses);
    if (found) {
      made_.fine.push_back({fmt::format("{} for {}: {}, stride {} bytes", tile.binding->name, mma.name,
                                        layout_type_name(found->descriptor.swizzle, operand->umma), 16 * found->descriptor.stride),
                            guesses});
    } else {
      add(Advice::Weight::wrong, 1, *tile.binding, fmt::format("{} cannot read it: {}", mma.name, found.error().message),
          found.error().notes.empty() ? "" : found.error().notes.back(), guesses);
    }
    return true;
  }

  void look_at_tile(const Tile& tile) {
    if (tile.space == AccessSpace::gmem) {
      for (const Copy& copy : copies_) {
        if (speak_names(tile, copy)) hold_against(tile, copy, side_by_names(tile, copy));
      }
      return;
    }
    if (const auto pair = aliasing_pair(tile.whole); pair && *pair && !broadcast_mode(tile.whole)) {
      add(Advice::Weight::wrong, 1, *tile.binding,
          fmt::format("two elements lie at one place: {} and {} both at {}", to_string((*pair)->first_coord),
                      to_string((*pair)->second_coord), to_string((*pair)->index)),
          "give each mode a stride of at least the extent of those inside it", tile.guesses);
      return;
    }
    const bool described = look_at_descriptors(tile);
    std::set<std::string> seen;
    for (const Copy& copy : copies_) {
      if (seen.count(copy.text) > 0 || !speak_names(tile, copy)) continue;
      if (hold_against(tile, copy, side_by_names(tile, copy))) seen.insert(copy.text);
    }
    if (described || !seen.empty() || partitioned_.count(tile.binding) > 0) return;
    if (operand_of(tile.binding->name) == 'c' || !tensor_cores_read(tile) || is_of_a_gemm(tile)) return;
    Value alone = to_value(tile.layout);
    alone.element = tile.binding->value->element;
    for (std::string& remark : remarks_on("sTile", alone)) add(Advice::Weight::slow, 1, *tile.binding, std::move(remark), {}, tile.guesses);
  }

  // Where no line partitions anything with the copy, nor the tile by another one: do their names, or their being alone, say that they
  // belong together?
  bool speak_names(const Tile& tile, const Copy& copy) const {
    if (partitioning_.count(&copy) > 0 || partitioned_.count(tile.binding) > 0) return false;
    const char of_copy = operand_of(copy.binding->name), of_tile = operand_of(tile.binding->name);
    if (of_copy != of_tile && of_copy != '\0' && of_tile != '\0') return false;
    if (!see_each_other(*copy.binding, *tile.binding)) return false;
    if (!is_source_) return true;
    // A copy that is called an atom, tiled_copy_C_atom, is never used itself: other copies are made of it.
    if (copy.binding->name.find("atom") != std::string::npos || copy.binding->name.find("Atom") != std::string::npos) return false;
    const bool alone = std::all_of(copies_.begin(), copies_.end(), [&](const Copy& each) {
      return !see_each_other(*each.binding, *tile.binding) || each.text == copy.text;
    });
    return alone || (of_copy == of_tile && of_copy != '\0');
  }

  // An ordinary copy fills shared memory where nothing says that it reads there.
  static CopySide side_by_names(const Tile& tile, const Copy& copy) {
    const CopyKind kind = copy.copy->atom().traits.kind;
    if (kind != CopyKind::universal) return side_in(kind, tile.space);
    const bool fills = tile.space == AccessSpace::smem || operand_of(tile.binding->name) == 'c';
    return fills ? CopySide::destination : CopySide::source;
  }

  // Is there an MMA in its blocks that ldmatrix may feed?
  bool tensor_cores_read(const Tile& tile) const {
    return std::any_of(bindings_.begin(), bindings_.end(), [&](const AdvisedBinding& each) {
      const auto* mma = each.value ? std::get_if<std::shared_ptr<const TiledMma>>(&each.value->any) : nullptr;
      return mma && (*mma)->atom().kind == MmaKind::mma_sync && see_each_other(each, *tile.binding);
    });
  }

  // The GEMM's own accesses say more.
  bool is_of_a_gemm(const Tile& tile) const {
    return std::any_of(bindings_.begin(), bindings_.end(), [&](const AdvisedBinding& each) {
      const auto* gemm = each.value ? std::get_if<SharedGemm>(&each.value->any) : nullptr;
      if (!gemm) return false;
      const auto is_it = [&](const std::optional<AnyLayout>& of) { return of && to_string(*of) == to_string(tile.layout); };
      return is_it((*gemm)->sA) || is_it((*gemm)->sB);
    });
  }

  // What the copy's accesses of the tile are. True where its own tiles divide it.
  bool hold_against(const Tile& tile, const Copy& copy, CopySide side) {
    const std::int64_t width = bits(copy.copy->atom().value_type);
    if (tile.bits != 0 && tile.bits != width) return false;
    const bool shared = tile.space == AccessSpace::smem;
    if (space_of(copy.copy->atom().traits.kind, side).value_or(tile.space) != tile.space) return false;
    const Result<AccessPattern> pattern = access_pattern(AccessBy(*copy.copy), side, tile.layout, width, tile.space);
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
          shared ? remedy_of(tile, copy, side, width, 0) : "", guesses);
      return true;
    }
    const Result<AccessReport> report = measure(*pattern, *offsets, width, tile.space);
    const CopyTraits& instruction = copy.copy->atom().traits;
    if (report && instruction.kind == CopyKind::universal && !is_automatic(instruction) && report->bits < pattern->at_once * width) {
      add(Advice::Weight::wrong, 1, *tile.binding,
          fmt::format("{}: {} moves {} bits at once, which do not lie together here: {}", pair, instruction.name, pattern->at_once * width,
                      report->why_not),
          shared ? remedy_of(tile, copy, side, width, 0) : "", guesses);
    } else if (!report) {
      add(Advice::Weight::wrong, 1, *tile.binding, fmt::format("{}: {}", pair, report.error().message),
          shared ? remedy_of(tile, copy, side, width, 0) : "", guesses);
    } else if (report->is_best()) {
      made_.fine.push_back({fmt::format("{}: {}", pair, describe(*report)), guesses});
    } else {
      add(Advice::Weight::slow, times_of(report->units, report->least), *tile.binding, fmt::format("{}: {}", pair, describe(*report)),
          shared ? remedy_of(tile, copy, side, width, report->units) : "check_copy(copy, src, dst) looks for a better copy", guesses);
    }
    return true;
  }

  // A layout of the same tile that serves this copy better; found by the search that find_smem_layout makes.
  static std::string remedy_of(const Tile& tile, const Copy& copy, CopySide side, std::int64_t width, std::int64_t units) {
    const Shape whole = shape(tile.layout);
    const Shape extents = IntTuple::tuple({size(whole[0]), size(whole[1])});
    const std::size_t contiguous = size(whole[0]) > 1 && evaluate(tile.layout, 1, 0) - evaluate(tile.layout, 0, 0) == 1 ? 0 : 1;
    const Result<SmemSearch> search = find_smem_layout(extents, contiguous, width, {{"access", *copy.copy, side}});
    if (!search || (units > 0 && search->found.front().all >= units)) return {};
    const SmemCandidate& best = search->found.front();
    return fmt::format("{}: {} wavefronts{}", to_string(best.layout), best.all, best.is_best() ? ", the least possible" : "");
  }

  void look_at_gemm(const AdvisedBinding& binding, const GemmSpec& spec) {
    const Result<GemmPlan> plan = lower(spec);
    if (!plan) {
      add(Advice::Weight::wrong, 1, binding, plan.error().message, plan.error().notes.empty() ? "" : plan.error().notes.front());
      return;
    }
    look_at_waves(binding, *plan);
    if (const auto limits = sm_limits(device_.sm)) {
      const Result<Occupancy> held = occupancy(*limits, plan->threads, plan->smem_bytes, 0);
      if (!held) add(Advice::Weight::wrong, 1, binding, fmt::format("{} cannot hold it: {}", device_.name, held.error().message));
    }
    if (const Status runs = check_device(*plan, device_.sm, smem_bytes_per_block(device_.sm).value_or(0)); !runs)
      add(Advice::Weight::hint, 1, binding, fmt::format("not for {}: {}", device_.name, runs.error().message));
    look_at_accesses(binding, spec, *plan);
  }

  void look_at_waves(const AdvisedBinding& binding, const GemmPlan& plan) {
    if (plan.grid < plan.m_tiles * plan.n_tiles * plan.batch && plan.grid > 0 && plan.grid <= device_.sm_count) return;  // persistent
    const std::int64_t tiles = plan.m_tiles * plan.n_tiles * plan.batch, waves = (tiles + device_.sm_count - 1) / device_.sm_count;
    const double busy = static_cast<double>(tiles) / static_cast<double>(waves * device_.sm_count);
    if (busy >= kFullEnough) return;
    add(Advice::Weight::hint, 1 / busy, binding,
        fmt::format("{} tile{} on {} SMs of {}: {} wave{}, {:.0f} % of the SMs' time is used", tiles, tiles == 1 ? "" : "s",
                    device_.sm_count, device_.name, waves, waves == 1 ? "" : "s", 100 * busy),
        "a smaller cta_tiler makes more tiles; waves(m, n, tile, sms) says how many");
  }

  // What to ask, with this GEMM's numbers.
  static std::string remedy_of(const AccessSummary& row, const GemmSpec& spec, const GemmPlan& plan) {
    using Step = Access::Step;
    if (!row.shared)
      return row.step == Step::store_c ? "permutation_for_store(mma, type=...) makes a thread's elements of C neighbours" : "";
    const bool of_a = row.step == Step::g2s_write_a || row.step == Step::s2r_a,
               of_b = row.step == Step::g2s_write_b || row.step == Step::s2r_b;
    if (!of_a && !of_b) return {};
    const bool writes = row.step == Step::g2s_write_a || row.step == Step::g2s_write_b;
    const std::optional<CopyTraits>& instruction = of_a ? spec.smem_copy_a : spec.smem_copy_b;
    const std::string by = writes || !instruction ? fmt::format("{}", 8 * row.bytes) : instruction->name;
    return fmt::format("find_smem_layout(({},{}), bits={}, {}={})", of_a ? plan.blk_m : plan.blk_n, plan.blk_k,
                       bits(of_a ? plan.mma->atom().val_a : plan.mma->atom().val_b), writes ? "write" : "read", by);
  }

  // One CTA's first k-tile and its epilogue say what every other one does.
  void look_at_accesses(const AdvisedBinding& binding, const GemmSpec& spec, const GemmPlan& plan) {
    GemmSpec tile = spec;
    if (!spec.gA && !spec.gB && !spec.gC) tile.m = plan.blk_m * plan.cluster_m, tile.n = plan.blk_n * plan.cluster_n, tile.k = plan.blk_k;
    tile.batch = 1, tile.ctas = 0;
    const double macs = static_cast<double>(tile.m) * static_cast<double>(tile.n) * static_cast<double>(tile.k);
    if (macs > static_cast<double>(kMostMacs)) return;
    const Result<GemmPlan> small = lower(tile);
    if (!small) return;
    SimulationOptions options;
    options.values = false;
    options.ctas = plan.cluster_size();
    const Result<Simulation> run = simulate(*small, {}, options);
    if (!run) {
      add(Advice::Weight::wrong, 1, binding, run.error().message);
      return;
    }
    for (const AccessSummary& row : summarize(run->trace)) {
      const std::string_view units = row.shared ? "wavefronts" : "sectors";
      const std::string what = fmt::format("{}: {} {} in {} instructions of {} bytes a lane", step_name(row.step), row.units, units,
                                           row.instructions, row.bytes);
      if (row.units <= row.least_units) {
        made_.fine.push_back({fmt::format("{}, {}, the least possible", binding.name, what), {}});
        continue;
      }
      add(Advice::Weight::slow, times_of(row.units, row.least_units), binding,
          fmt::format("{} where {} would do{}", what, row.least_units, row.conflict.empty() ? "" : "; " + row.conflict),
          remedy_of(row, spec, plan));
    }
  }

  const std::vector<AdvisedBinding>& bindings_;
  const std::vector<AdvisedBinding>& remarks_;
  const std::vector<AdvisedUse>& uses_;
  const std::vector<LaunchBound>& kernels_;
  bool is_source_;
  const DeviceModel& device_;
  std::vector<Tile> tiles_;
  std::vector<Copy> copies_;
  std::vector<Used> used_;
  std::set<const AdvisedBinding*> partitioned_;  // tensors of which lines take threads' parts
  std::set<const Copy*> partitioning_;           // copies with which lines do
  std::set<const TiledMma*> partitioning_mmas_;
  std::set<std::string> broken_, said_;  // copies that miss elements of their own tile; pairs of a copy and a layout
  Advised made_;
};

}  // namespace

std::string_view to_string(Advice::Weight weight) {
  switch (weight) {
    case Advice::Weight::wrong: return "wrong";
    case Advice::Weight::slow: return "slow";
    case Advice::Weight::hint: return "hint";
  }
  return "";
}

AdvisedProgram program_of(const Explanation& source) {
  AdvisedProgram made;
  made.is_source = true;
  // What a guessed layout or copy does is no fact of this source, with whatever condition: numbers and types alone may be supposed.
  std::set<std::string_view> objects;
  for (const Symbol& symbol : source.symbols) {
    const Result<Value> likely = evaluate(symbol.likely);
    if (!likely || !(std::holds_alternative<IntTuple>(likely->any) || std::holds_alternative<bool>(likely->any) ||
                     std::holds_alternative<std::string>(likely->any)))
      objects.insert(symbol.name);
  }
  // Which thread or block runs decides where a part begins, and no layout.
  const auto guessed = [&](std::vector<std::string> needs) {
    std::erase_if(needs, [](const std::string& need) { return names_place(need); });
    return needs;
  };
  const auto rests_on_object = [&](const std::vector<std::string>& needs) {
    return std::any_of(needs.begin(), needs.end(), [&](const std::string& need) { return objects.count(need) > 0; });
  };
  for (const Explained& each : source.objects) {
    AdvisedBinding& binding = made.bindings.emplace_back();
    binding.line = each.line, binding.name = each.name, binding.block = each.block;
    const std::vector<std::string> needs = guessed(each.needs);
    if (rests_on_object(needs)) continue;
    binding.value = &each.value;
    binding.guesses = both(guesses_of(needs, source.symbols), each.doubts);
    // A coordinate that was guessed may lie outside where the one that is meant does not.
    if (!needs.empty()) continue;
    binding.warnings = each.warnings;
    // Tiles that reach beyond are what a predicate is for.
    if (source.predicated)
      std::erase_if(binding.warnings, [](const Error& warning) {
        return warning.code == ErrorCode::not_divisible && warning.message.find("reach beyond") != std::string::npos;
      });
  }
  for (const ExplainedEffect& each : source.effects) {
    if (guessed(each.needs).empty() && each.doubts.empty()) made.remarks.push_back({each.line, each.name, nullptr, "", each.warnings});
  }
  // What the algebra refuses of known values is wrong in CuTe, too; what is not read here is not.
  for (const Unexplained& each : source.unexplained) {
    if (each.code == ErrorCode::not_divisible && guessed(each.needs).empty() && each.doubts.empty())
      made.remarks.push_back({each.line, each.name, nullptr, each.message, {}});
  }
  made.kernels = source.kernels;
  for (const ExplainedUse& each : source.uses) {
    const std::vector<std::string> needs = guessed(each.needs);
    if (!rests_on_object(needs))
      made.uses.push_back({each.line, &each.what, each.block, both(guesses_of(needs, source.symbols), each.doubts)});
  }
  return made;
}

Advised advise(const AdvisedProgram& program, const DeviceModel& device) {
  const DefaultBudget budget;
  return Advisor(program, device).advise();
}

}  // namespace tessera
