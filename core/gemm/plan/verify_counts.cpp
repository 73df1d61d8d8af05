// SPDX-License-Identifier: BSD-3-Clause
// verify: what the phases of barriers get and which elements of C are stored, counted along a walk through each role.
#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/base/budget.hpp"
#include "core/base/checked.hpp"
#include "core/gemm/plan/edges.hpp"
#include "core/gemm/plan/explain_op.hpp"
#include "core/gemm/plan/register_file.hpp"
#include "core/gemm/plan/verify_parts.hpp"

namespace tessera::plan {

namespace {

constexpr std::int64_t kMostSteps = 200000;    // of a walk; beyond it a program's end is not looked at
constexpr std::int64_t kMostStored = 1 << 20;  // elements of a tile of C that are counted

// What the phases of barriers get and which elements of C are stored, counted along each role of a cluster.
class Counts {
 public:
  Counts(const GemmPlan& plan, std::vector<std::string>* notes)
      : plan_(plan),
        roles_(plan.members()),
        notes_(notes),
        cluster_(plan.cluster_size()),
        last_differs_(std::any_of(plan.maps.begin(), plan.maps.end(), [](const TensorMap& map) { return map.left_over != 0; })) {}

  Status check() {
    TESSERA_CHECK(check_cluster(0));
    // The last cluster may have a tile less, and so other branches.
    const std::int64_t tiles = plan_.m_tiles * plan_.n_tiles;
    return plan_.grid > cluster_ && tiles % plan_.grid != 0 ? check_cluster(plan_.grid - cluster_) : Status(Done{});
  }

 private:
  struct Phase {
    std::int64_t arrivals = 0, bytes = 0;
  };
  using One = std::pair<Id, std::int64_t>;  // a barrier, and which of its members

  std::string name(const One& one) const { return plan_.barriers[one.first].name_of(one.second); }
  // The members of barriers are there that a step names.
  Status check_member(const std::string& who, const Step& step, const Walk& walk) const {
    const auto check = [&](Id id, const Index& index) -> Status {
      const Barrier& barrier = plan_.barriers[id];
      const std::int64_t member = walk.value(index);
      if (member >= 0 && member < barrier.members) return Done{};
      return wrong(fmt::format("{} names member {} of {}, which has {}", who, member, barrier.name, barrier.members));
    };
    if (const auto* copy = std::get_if<Copy>(&step.op->op); copy != nullptr && copy->by == CopyBy::tma_load)
      return check(copy->barrier, copy->member);
    if (const auto* expect = std::get_if<Expect>(&step.op->op)) return check(expect->barrier, expect->member);
    if (const auto* arrive = std::get_if<Arrive>(&step.op->op)) return check(arrive->barrier, arrive->member);
    if (const auto* wait = std::get_if<Wait>(&step.op->op)) return check(wait->barrier, wait->member);
    if (const auto* opaque = std::get_if<Opaque>(&step.op->op); opaque != nullptr && opaque->barrier != kNone)
      return check(opaque->barrier, opaque->member);
    return Done{};
  }

  Status check_cluster(std::int64_t first) {
    first_ = first, whole_ = true;
    phases_.clear(), wanted_.clear(), waits_.clear(), stored_.clear(), stored_at_end_.clear(), copied_.clear();
    for (std::int64_t cta = 0; cta < cluster_; ++cta) {
      for (const Member& role : roles_) TESSERA_CHECK(walk(role, cta));
    }
    if (!whole_) return Done{};
    TESSERA_CHECK(check_phases());
    TESSERA_CHECK(check_copied());
    return first == 0 ? check_stores() : Status(Done{});
  }

  std::string of_cta(std::int64_t cta) const { return cluster_ > 1 ? fmt::format(" of CTA {}", first_ + cta) : std::string(); }

  Status walk(const Member& role, std::int64_t cta) {
    Walk walk(plan_, *role.role, first_ + cta, role.index);
    StageOrder stages(plan_, role, role.name + of_cta(cta));
    std::int64_t steps = 0;
    while (const auto step = walk.next()) {
      if (++steps > kMostSteps || late()) {
        if (whole_ && notes_ != nullptr)
          notes_->push_back(
              fmt::format("verified: the first {} operations of {}; phases, copies and stores beyond them, and whether all of C "
                          "is stored, are not",
                          steps - 1, role.name));
        whole_ = false;
        return Done{};
      }
      Status status = count(role, cta, *step, walk);
      if (status) status = stages.step(*step, walk);
      if (!status) return at_line(std::move(status).error(), *step->op);
    }
    for (const auto& [key, k_tiles] : stages.copied()) copied_[key].insert(k_tiles.begin(), k_tiles.end());
    return stages.end();
  }

  // By whom is not asked: a CTA may copy for all of its cluster.
  Status check_copied() const {
    for (const auto& [key, k_tiles] : copied_) {
      if (static_cast<std::int64_t>(k_tiles.size()) == plan_.k_tiles) continue;
      std::int64_t missing = 0;
      while (k_tiles.contains(missing)) ++missing;
      return wrong(fmt::format("k_tile {} of {} is never copied for tile {}", missing, plan_.gmem(key.first).name, key.second));
    }
    return Done{};
  }

  Phase& phase(std::int64_t cta, const One& barrier, std::int64_t fill) { return phases_[{cta, barrier, fill}]; }

  // Every mode that is picked has the coordinate.
  Status check_picks(const Member& role, std::int64_t cta, const Op& op, const Walk& walk) {
    Status status = Done{};
    each_at(op, [&](const At& at, bool) {
      for (const Pick& pick : at.picks) {
        const Partition& partition = plan_.partitions[at.partition];
        const auto mode = std::find(partition.modes.begin(), partition.modes.end(), pick.mode) - partition.modes.begin();
        if (!status || mode == static_cast<std::ptrdiff_t>(partition.modes.size())) continue;  // k_tile: see StageOrder
        const std::int64_t is = walk.value(pick.at), extent = extents_of(at.partition)[static_cast<std::size_t>(mode)];
        if (is >= 0 && is < extent) continue;
        status = wrong(fmt::format("{}{} takes {} at {} {}, which has {}: {}", role.name, of_cta(cta), partition.name, pick.mode, is,
                                   extent, explain(plan_, op)));
      }
    });
    return status;
  }
  const std::vector<std::int64_t>& extents_of(Id id) {
    std::vector<std::int64_t>& extents = extents_[id];
    const Partition& partition = plan_.partitions[id];
    if (!extents.empty() || partition.modes.empty()) return extents;
    const Layout& plain = plain_part(partition.layout);
    const Layout values = plan_.tensors[partition.tensor].space == Space::registers ? plain : plain[1];
    for (std::size_t mode = 0; mode < partition.modes.size(); ++mode)
      extents.push_back(partition.modes.size() == 1 ? values.size() : values[mode].size());
    return extents;
  }

  Status count(const Member& role, std::int64_t cta, const Step& step, const Walk& walk) {
    TESSERA_CHECK(check_picks(role, cta, *step.op, walk));
    const auto who = [&] { return role.name + of_cta(cta); };
    TESSERA_CHECK(check_member(who(), step, walk));
    if (const auto* mma = std::get_if<Mma>(&step.op->op)) {
      if (mma->by == MmaBy::wgmma && (role.threads % kWarpgroup != 0 || role.first_thread % kWarpgroup != 0))
        return wrong(fmt::format("{} multiplies by wgmma with threads {} to {}; a warpgroup is {} threads from a multiple of {} on", who(),
                                 role.first_thread, role.first_thread + role.threads - 1, kWarpgroup, kWarpgroup));
    }
    if (const auto* registers = std::get_if<SetRegisters>(&step.op->op); registers != nullptr && registers->count != role.role->registers)
      return wrong(fmt::format("{} sets {} registers; its role says {}", who(), registers->count, role.role->registers));
    if (const auto* arrive = std::get_if<Arrive>(&step.op->op)) {
      const bool of_ring = plan_.barriers[arrive->barrier].kind == BarrierKind::mbarrier;
      for (std::int64_t to = 0; of_ring && to < cluster_; ++to) {
        if (to == cta || arrive->in_whole_cluster)
          phase(to, {arrive->barrier, walk.value(arrive->member)}, walk.fill(arrive->stage)).arrivals += arrive->threads;
      }
    }
    if (const auto* expect = std::get_if<Expect>(&step.op->op))
      ++phase(cta, {expect->barrier, walk.value(expect->member)}, walk.fill(expect->stage)).arrivals;
    if (const auto* wait = std::get_if<Wait>(&step.op->op)) {
      if (plan_.barriers[wait->barrier].kind == BarrierKind::mbarrier) wait_for(role, cta, *wait, walk);
      if (plan_.barriers[wait->barrier].kind == BarrierKind::cta) waits_[{cta, wait->barrier}].insert(role.name);
    }
    if (const auto* opaque = std::get_if<Opaque>(&step.op->op); opaque != nullptr && opaque->barrier != kNone) {
      const At& at = opaque->writes.front();
      phase(cta, {opaque->barrier, walk.value(opaque->member)}, walk.fill(at.stage)).bytes +=
          walked(at) * bits(plan_.tensors[plan_.partitions[at.partition].tensor].type) / 8;
    }
    const auto* copy = std::get_if<Copy>(&step.op->op);
    if (copy == nullptr) return Done{};
    if (copy->by == CopyBy::tma_load) count_bytes(*copy, cta, walk);
    const Tensor& to = plan_.tensors[plan_.partitions[copy->to.partition].tensor];
    if (to.space == Space::global && walk.tile(copy->to.tiles_back).number == 0) return count_stores(role, cta, step, *copy, walk);
    return Done{};
  }

  // The phase that ends a wait: of this fill, or on a ring's `empty` of the fill before it in the same stage, which the first lap has not.
  void wait_for(const Member& role, std::int64_t cta, const Wait& wait, const Walk& walk) {
    const Ring& ring = plan_.rings[plan_.barriers[wait.barrier].ring];
    const std::int64_t fill = walk.fill(wait.stage) - (wait.barrier == ring.empty ? ring.stages : 0);
    if (fill >= 0 || wait.barrier != ring.empty) wanted_.try_emplace({cta, {wait.barrier, walk.value(wait.member)}, fill}, role.name);
  }

  // Values of a partition that are not picked.
  std::int64_t walked(const At& at) {
    const Partition& partition = plan_.partitions[at.partition];
    std::int64_t count = 1;
    for (std::size_t mode = 0; mode < partition.modes.size(); ++mode) {
      const bool picked = std::any_of(at.picks.begin(), at.picks.end(), [&](const Pick& p) { return p.mode == partition.modes[mode]; });
      if (!picked) count *= extents_of(at.partition)[mode];
    }
    return count;
  }

  void count_bytes(const Copy& copy, std::int64_t cta, const Walk& walk) {
    const Tensor& to = plan_.tensors[plan_.partitions[copy.to.partition].tensor];
    const std::int64_t bytes = walked(copy.to) * bits(to.type) / 8;
    for (std::int64_t other = 0; other < cluster_; ++other) {
      const bool shares = to.operand == Operand::a ? other / plan_.cluster_n == walk.rank_m() : other % plan_.cluster_n == walk.rank_n();
      if (other == cta || (copy.multicast && shares))
        phase(other, {copy.barrier, walk.value(copy.member)}, walk.fill(copy.to.stage)).bytes += bytes;
    }
  }

  Status count_stores(const Member& role, std::int64_t cta, const Step& step, const Copy& copy, const Walk& walk) {
    if (cta > 0 || plan_.blk_m * plan_.blk_n > kMostStored) return Done{};
    const Partition& partition = plan_.partitions[copy.to.partition];
    const Layout& plain = plain_part(partition.layout);
    const Layout values = plain[1];
    std::int64_t base = 0, weight = 1;
    std::vector<std::int64_t> walked{0};
    for (std::size_t mode = 0; mode < partition.modes.size(); ++mode) {
      const std::int64_t extent = partition.modes.size() == 1 ? values.size() : values[mode].size();
      const auto pick =
          std::find_if(copy.to.picks.begin(), copy.to.picks.end(), [&](const Pick& p) { return p.mode == partition.modes[mode]; });
      if (pick != copy.to.picks.end()) {
        const std::int64_t at = walk.value(pick->at);
        if (at < 0 || at >= extent)
          return wrong(fmt::format("{} stores {} {} of {}, which has {}", role.name, pick->mode, at, partition.name, extent));
        base += at * weight;
      } else {
        const std::size_t before = walked.size();
        for (std::int64_t i = 1; i < extent; ++i) {
          for (std::size_t v = 0; v < before; ++v) walked.push_back(walked[v] + i * weight);
        }
      }
      weight *= extent;
    }
    const bool one = copy.by == CopyBy::tma_store || step.first_thread_only;
    const std::int64_t threads = plain[0].size();
    const bool all_alike = !last_differs_ && partition.coordinates == kNone && copy.beyond == kNone;
    const ValueTable* const offsets = all_alike ? &offsets_of(partition) : nullptr;
    if (stored_.empty()) stored_.reserve(static_cast<std::size_t>(plan_.blk_m * plan_.blk_n));
    for (std::int64_t t = 0; t < (one ? 1 : role.threads); ++t) {
      const std::int64_t thr = role.first_thread + t;
      if (step.owners_only && !std::binary_search(owners().begin(), owners().end(), thr)) continue;
      for (const std::int64_t value : walked) {
        if (offsets != nullptr)  // as `store` would
          stored_.emplace_back((*offsets)(thr % threads, base + value), step.op);
        else
          store(copy, partition, thr % threads, base + value, step.op);
      }
    }
    return Done{};
  }
  // In a tile where the rows of C end, and in one where they go on: what a map has TMA stores, with all that lies outside of C; what the
  // map leaves over the threads do that name it.
  void store(const Copy& copy, const Partition& partition, std::int64_t thr, std::int64_t value, const Op* op) {
    const std::int64_t place = place_of(partition, thr, value);
    const Id map = copy.by == CopyBy::tma_store ? copy.map : copy.beyond;
    if (copy.beyond < plan_.maps.size() && plan_.maps[copy.beyond].left_over == 0) return;  // nothing is left over, at this size
    if (map >= plan_.maps.size() || plan_.maps[map].left_over == 0 || partition.coordinates == kNone) {
      stored_.emplace_back(place, op);
      if (last_differs_) stored_at_end_.emplace_back(place, op);
      return;
    }
    const TwoModes all = extents(plan_, Operand::c), mapped = extents(plan_, plan_.maps[map]);
    const std::int64_t n = place / plan_.blk_m + (ceil_div(all[1], plan_.blk_n) - 1) * plan_.blk_n;
    const bool is_left_over = n >= mapped[1] && n < all[1];
    if (copy.by == CopyBy::tma_store) stored_.emplace_back(place, op);
    if ((copy.by == CopyBy::tma_store) != is_left_over) stored_at_end_.emplace_back(place, op);
  }
  // Of an element in the tile: its offset, or its coordinate where offsets repeat beyond the end of a row.
  std::int64_t place_of(const Partition& partition, std::int64_t thr, std::int64_t value) {
    if (partition.coordinates == kNone) return offsets_of(partition)(thr, value);
    const Layout& layout = plain_part(plan_.partitions[partition.coordinates].layout);
    const auto found = coordinates_.try_emplace(partition.coordinates, layout).first;
    const auto [m, n] = found->second(thr, value);
    return m + plan_.blk_m * n;
  }
  const ValueTable& offsets_of(const Partition& partition) { return places_.try_emplace(&partition, partition.layout).first->second; }
  const std::vector<std::int64_t>& owners() {
    if (owners_.empty()) owners_ = plan_.mma->thread_ids();
    return owners_;
  }

  Status check_phases() const {
    for (const auto& [key, role] : wanted_) {
      if (phases_.contains(key)) continue;
      return wrong(fmt::format("{} waits for {} of fill {}, which nobody ends", role, name(std::get<1>(key)), std::get<2>(key)),
                   "cursors that begin and advance alike in the roles that write and read");
    }
    for (const auto& [key, phase] : phases_) {
      const auto& [cta, id, fill] = key;
      const Barrier& barrier = plan_.barriers[id.first];
      if (phase.arrivals == barrier.arrivals && phase.bytes == barrier.bytes) continue;
      if (phase.arrivals != barrier.arrivals)
        return wrong(fmt::format("{}{} gets {} arrivals in the phase of fill {}; it counts {}", name(id), of_cta(cta), phase.arrivals, fill,
                                 barrier.arrivals));
      return wrong(
          fmt::format("{}{} gets {} bytes in the phase of fill {}; it counts {}", name(id), of_cta(cta), phase.bytes, fill, barrier.bytes));
    }
    for (const auto& [key, roles] : waits_) {
      const Barrier& barrier = plan_.barriers[key.second];
      std::int64_t threads = 0;
      for (const Member& role : roles_) threads += roles.contains(role.name) ? role.threads : 0;
      if (threads != barrier.arrivals)
        return wrong(fmt::format("{} is waited on by {} threads; it counts {}", barrier.name, threads, barrier.arrivals));
    }
    return Done{};
  }

  using Stored = std::vector<std::pair<std::int64_t, const Op*>>;  // elements of the tile
  // Is every element stored once? Known without sorting where they lie close together, as those of a tile do.
  bool stored_once(const Stored& stored) const {
    constexpr std::int64_t kMostRange = 1 << 26;
    if (stored.empty() || static_cast<std::int64_t>(stored.size()) != plan_.blk_m * plan_.blk_n) return false;
    std::int64_t first = stored.front().first, last = first;
    for (const auto& [place, op] : stored) first = std::min(first, place), last = std::max(last, place);
    if (last - first >= kMostRange) return false;
    std::vector<bool> seen(static_cast<std::size_t>(last - first + 1), false);
    for (const auto& [place, op] : stored) {
      auto&& is_seen = seen[static_cast<std::size_t>(place - first)];
      if (is_seen) return false;
      is_seen = true;
    }
    return true;
  }

  Status check_stores() {
    TESSERA_CHECK(check_stores(stored_, "gC's tile"));
    return last_differs_ ? check_stores(stored_at_end_, "gC's last tile") : Status(Done{});
  }
  Status check_stores(Stored& stored, std::string_view of) const {
    const std::int64_t elements = plan_.blk_m * plan_.blk_n;
    if (elements > kMostStored || stored_once(stored)) return Done{};
    std::sort(stored.begin(), stored.end());
    for (std::size_t i = 1; i < stored.size(); ++i) {
      if (stored[i].first != stored[i - 1].first) continue;
      return wrong(fmt::format("element {} of {} is stored twice: again by {}", stored[i].first, of, explain(plan_, *stored[i].second)));
    }
    if (static_cast<std::int64_t>(stored.size()) == elements) return Done{};
    return wrong(
        fmt::format("{} of the {} elements of {} are never stored", elements - static_cast<std::int64_t>(stored.size()), elements, of));
  }

  const GemmPlan& plan_;
  const std::vector<Member> roles_;
  std::vector<std::string>* notes_;
  std::int64_t cluster_ = 1;
  bool last_differs_ = false;  // where the rows of C end, threads store what TMA does not
  std::int64_t first_ = 0;     // CTA of the cluster that is walked
  StageOrder::Copied copied_;
  bool whole_ = true;                                                          // every walk came to its end
  std::map<std::tuple<std::int64_t, One, std::int64_t>, Phase> phases_;        // CTA, mbarrier, fill
  std::map<std::tuple<std::int64_t, One, std::int64_t>, std::string> wanted_;  // the same, and who waits
  std::map<std::pair<std::int64_t, Id>, std::set<std::string>> waits_;         // on the CTA's barrier: roles
  Stored stored_, stored_at_end_;                                              // of a tile, and of one where the rows of C end
  std::vector<std::int64_t> owners_;
  std::map<Id, std::vector<std::int64_t>> extents_;  // of a partition's modes
  std::map<Id, Coordinates> coordinates_;
  std::map<const Partition*, ValueTable> places_;
};

}  // namespace

Status check_counts(const GemmPlan& plan, std::vector<std::string>* notes) { return Counts(plan, notes).check(); }

}  // namespace tessera::plan
