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
#include "core/atom/copy_places.hpp"
#include "core/atom/find_smem_layout.hpp"
#include "core/atom/permutation_advice.hpp"
#include "core/atom/smem_descriptor.hpp"
#include "core/gemm/lower/lower.hpp"
#include "core/gemm/run/analysis.hpp"
#include "core/lang/programs/explain.hpp"
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
struct SmemTile {
  const AdvisedBinding* binding = nullptr;
  AnyLayout layout;
  std::int64_t bits = 0;  // of an element; 0: not known
  AccessSpace space = AccessSpace::smem;
};

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
    case ErrorCode::wrong_type: return true;
    case ErrorCode::not_representable: return warning.message.find(" cannot read this ") != std::string::npos;
    default: return false;
  }
}

// Is one of the two in a block that is around the other, or the same?
bool see_each_other(const AdvisedBinding& a, const AdvisedBinding& b) {
  const std::size_t common = std::min(a.block.size(), b.block.size());
  return std::equal(a.block.begin(), a.block.begin() + static_cast<std::ptrdiff_t>(common), b.block.begin());
}

// The first stage of (M,K,PIPE), and (M,K) as it is; nothing of what is no whole tile, such as a thread's part of one.
std::optional<AnyLayout> one_stage(const AnyLayout& layout, AccessSpace space) {
  const std::size_t modes = rank(shape(layout));
  if (modes < 2 || modes > 3) return std::nullopt;
  if (const auto* plain = std::get_if<Layout>(&layout); plain && plain->has_basis()) return std::nullopt;
  AnyLayout stage = layout;
  if (modes == 3) {
    Result<AnyLayout> first = slice(IntTuple::tuple({IntTuple::underscore(), IntTuple::underscore(), 0}), layout);
    if (!first) return std::nullopt;
    stage = *std::move(first);
  }
  const std::int64_t elements = size(stage);
  const bool whole = space == AccessSpace::gmem || cosize(stage) < 2 * elements;  // a matrix in global memory is larger than its tile
  return elements <= kMostTile && whole ? std::optional(stage) : std::nullopt;
}

class Advisor {
 public:
  Advisor(const std::vector<AdvisedBinding>& bindings, const DeviceModel& device) : bindings_(bindings), device_(device) {}

  Advised advise() && {
    made_.bindings = bindings_.size();
    collect();
    for (const AdvisedBinding& binding : bindings_) {
      said(binding);
      if (!binding.value) continue;
      if (const auto* gemm = std::get_if<SharedGemm>(&binding.value->any)) look_at_gemm(binding, **gemm);
      if (const auto* copy = std::get_if<SharedCopy>(&binding.value->any)) look_at_copy(binding, *copy);
      if (const auto* mma = std::get_if<SharedMma>(&binding.value->any)) look_at_mma(binding, **mma);
    }
    for (const SmemTile& tile : tiles_) look_at_tile(tile);
    std::stable_sort(made_.findings.begin(), made_.findings.end(),
                     [](const Advice& a, const Advice& b) { return a.weight != b.weight ? a.weight < b.weight : a.times > b.times; });
    return std::move(made_);
  }

 private:
  void add(Advice::Weight weight, double times, const AdvisedBinding& binding, std::string finding, std::string remedy = {}) {
    made_.findings.push_back({weight, times, binding.line, binding.name, std::move(finding), std::move(remedy)});
  }

  // What its evaluation said already.
  void said(const AdvisedBinding& binding) {
    if (!binding.value) add(Advice::Weight::wrong, 1, binding, binding.refusal);
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
      if (auto stage = one_stage(*layout, space)) tiles_.push_back({&binding, *std::move(stage), binding.value->element.bits, space});
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
    copies_.push_back({&binding, copy});
    if (const std::string missing = missing_of(*copy); !missing.empty()) {
      broken_.insert(to_string(*binding.value));
      add(Advice::Weight::wrong, 1, binding, missing, "check_copy(copy, src, dst) says whose they are");
      return;
    }
    for (std::string& remark : remarks_on(binding.name, *binding.value)) add(Advice::Weight::slow, 1, binding, std::move(remark));
  }

  // Could a thread store more of C at once, halves along N?
  void look_at_mma(const AdvisedBinding& binding, const TiledMma& mma) {
    if (!binding.warnings.empty()) return;  // what is wrong comes first
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

  // By which descriptor do the MMAs around it read it?
  bool look_at_descriptors(const SmemTile& tile) {
    bool any = false;
    for (const AdvisedBinding& each : bindings_) {
      const auto* mma = each.value ? std::get_if<SharedMma>(&each.value->any) : nullptr;
      if (!mma || !see_each_other(each, *tile.binding)) continue;
      const char letter = operand_of(tile.binding->name);
      if (letter == 'c') continue;
      const Result<SmemOperand> operand = smem_operand((*mma)->atom(), letter == 'b' ? Operand::b : Operand::a);
      if (!operand || (tile.bits != 0 && tile.bits != operand->bits)) continue;
      const Result<SmemDescription> found = smem_descriptor(*operand, tile.layout);
      if (!found && found.error().code != ErrorCode::not_representable) continue;
      any = true;
      if (found) {
        made_.fine.push_back(fmt::format("{} for {}: {}, stride {} bytes", tile.binding->name, each.name,
                                         layout_type_name(found->descriptor.swizzle, operand->umma), 16 * found->descriptor.stride));
      } else {
        add(Advice::Weight::wrong, 1, *tile.binding, fmt::format("{} cannot read it: {}", each.name, found.error().message),
            found.error().notes.empty() ? "" : found.error().notes.back());
      }
    }
    return any;
  }

  void look_at_tile(const SmemTile& tile) {
    if (tile.space == AccessSpace::gmem) {
      for (const Copy& copy : copies_) hold_against(tile, copy);
      return;
    }
    if (const auto pair = aliasing_pair(tile.layout); pair && *pair) {
      add(Advice::Weight::wrong, 1, *tile.binding,
          fmt::format("two elements lie at one place: {} and {} both at {}", to_string((*pair)->first_coord),
                      to_string((*pair)->second_coord), to_string((*pair)->index)),
          "give each mode a stride of at least the extent of those inside it");
      return;
    }
    const bool described = look_at_descriptors(tile);
    std::set<std::string> seen;
    for (const Copy& copy : copies_) {
      if (seen.count(to_string(*copy.binding->value)) > 0 || !hold_against(tile, copy)) continue;
      seen.insert(to_string(*copy.binding->value));
    }
    if (described || !seen.empty()) return;
    if (operand_of(tile.binding->name) == 'c' || !tensor_cores_read(tile) || is_of_a_gemm(tile)) return;
    Value alone = to_value(tile.layout);
    alone.element = tile.binding->value->element;
    for (std::string& remark : remarks_on("sTile", alone)) add(Advice::Weight::slow, 1, *tile.binding, std::move(remark));
  }

  // Is there an MMA in its blocks that ldmatrix may feed?
  bool tensor_cores_read(const SmemTile& tile) const {
    return std::any_of(bindings_.begin(), bindings_.end(), [&](const AdvisedBinding& each) {
      const auto* mma = each.value ? std::get_if<std::shared_ptr<const TiledMma>>(&each.value->any) : nullptr;
      return mma && (*mma)->atom().kind == MmaKind::mma_sync && see_each_other(each, *tile.binding);
    });
  }

  // The GEMM's own accesses say more.
  bool is_of_a_gemm(const SmemTile& tile) const {
    return std::any_of(bindings_.begin(), bindings_.end(), [&](const AdvisedBinding& each) {
      const auto* gemm = each.value ? std::get_if<SharedGemm>(&each.value->any) : nullptr;
      if (!gemm) return false;
      const auto is_it = [&](const std::optional<AnyLayout>& of) { return of && to_string(*of) == to_string(tile.layout); };
      return is_it((*gemm)->sA) || is_it((*gemm)->sB);
    });
  }

  struct Copy {
    const AdvisedBinding* binding = nullptr;
    SharedCopy copy;
  };

  // True where the copy's tiles divide the layout.
  bool hold_against(const SmemTile& tile, const Copy& copy) {
    const std::int64_t width = bits(copy.copy->atom().value_type);
    const char of_copy = operand_of(copy.binding->name), of_tile = operand_of(tile.binding->name);
    if (of_copy != of_tile && of_copy != '\0' && of_tile != '\0') return false;
    if (!see_each_other(*copy.binding, *tile.binding)) return false;
    if (tile.bits != 0 && tile.bits != width) return false;
    const CopyKind kind = copy.copy->atom().traits.kind;
    // An ordinary copy fills shared memory where nothing says that it reads there.
    const bool shared = tile.space == AccessSpace::smem;
    const CopySide ordinary = shared || of_tile == 'c' ? CopySide::destination : CopySide::source;
    const CopySide side = kind == CopyKind::universal ? ordinary : side_in(kind, tile.space);
    if (space_of(kind, side).value_or(tile.space) != tile.space) return false;
    const Result<AccessPattern> pattern = access_pattern(*copy.copy, side, shape(tile.layout));
    const Result<std::vector<std::int64_t>> offsets = element_offsets(tile.layout);
    if (!pattern || !offsets) return false;
    const std::string both = fmt::format("{} on {}", copy.binding->name, tile.binding->name);
    const Result<AccessReport> report = measure(*pattern, *offsets, width, tile.space);
    if (broken_.count(to_string(*copy.binding->value)) > 0) return true;  // what it does to any tile is said already
    if (!said_
             .insert(fmt::format("{} {} {}", to_string(*copy.binding->value), to_string(tile.layout), tile.binding->block.size()) + of_tile)
             .second)
      return true;  // of the layout that this tensor has
    if (!report) {
      if (of_copy == '\0' || of_copy != of_tile) return false;  // they have nothing to do with each other
      add(Advice::Weight::wrong, 1, *tile.binding, fmt::format("{}: {}", both, report.error().message),
          shared ? remedy_of(tile, copy, side, width, 0) : "");
      return true;
    }
    if (report->is_best()) {
      made_.fine.push_back(fmt::format("{}: {}", both, describe(*report)));
    } else {
      add(Advice::Weight::slow, times_of(report->units, report->least), *tile.binding, fmt::format("{}: {}", both, describe(*report)),
          shared ? remedy_of(tile, copy, side, width, report->units) : "check_copy(copy, src, dst) looks for a better copy");
    }
    return true;
  }

  // A layout of the same tile that serves this copy better; found by the search that find_smem_layout makes.
  static std::string remedy_of(const SmemTile& tile, const Copy& copy, CopySide side, std::int64_t width, std::int64_t units) {
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
        made_.fine.push_back(fmt::format("{}, {}, the least possible", binding.name, what));
        continue;
      }
      add(Advice::Weight::slow, times_of(row.units, row.least_units), binding,
          fmt::format("{} where {} would do{}", what, row.least_units, row.conflict.empty() ? "" : "; " + row.conflict),
          remedy_of(row, spec, plan));
    }
  }

  const std::vector<AdvisedBinding>& bindings_;
  const DeviceModel& device_;
  std::vector<SmemTile> tiles_;
  std::vector<Copy> copies_;
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

Advised advise(const std::vector<AdvisedBinding>& bindings, const DeviceModel& device) { return Advisor(bindings, device).advise(); }

}  // namespace tessera
