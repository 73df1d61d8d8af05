// SPDX-License-Identifier: BSD-3-Clause
// The machine: executes the operations of a plan's roles, for all CTAs of one cluster, in an order that a number picks. Instructions do
// what the hardware does (ldmatrix gathers rows by lane, mma combines the registers of its threads), so a wrong layout gives a wrong C;
// copies and multiplications that are asynchronous are under way until somebody has waited for them, so a missing wait is an error.
//
// How it is read: machine.cpp takes the steps, barriers.cpp knows arrivals and phases, copies.cpp and mmas.cpp move values,
// memory.hpp says what lies before what, and words.cpp says what went wrong. Private to core/gemm/run.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/gemm/plan/walk.hpp"
#include "core/gemm/run/addresses.hpp"
#include "core/gemm/run/memory.hpp"
#include "core/gemm/run/simulate.hpp"

namespace tessera::machine {

// Asynchronous operations of one kind that a role has begun: those of the group that is not committed, and the groups under way.
struct Groups {
  std::vector<std::uint32_t> open;
  std::deque<std::vector<std::uint32_t>> committed;
  bool of_all = false;  // every thread has groups of its own, not only the first
};

// One role of one CTA.
struct Actor {
  std::int64_t cta = 0, role = 0;  // cta: of the cluster; role: of the plan's members
  const plan::Member* is = nullptr;
  plan::Walk walk;
  std::uint32_t count = 0;          // operations begun
  Clock before[2]{}, visible[2]{};  // of all threads, of the first; see memory.hpp
  std::uint32_t fenced = 0;         // the last Fence{proxy_async} of all threads
  Groups groups[3]{};               // by GroupOf
  std::optional<plan::Step> next{};
  bool ended = false, arrived = false;  // arrived: on the cta, named or cluster barrier at which it waits
  std::uint32_t waits_for = 0;          // the phase of that barrier
  std::int64_t blocked_since = -1;
  std::int64_t busy_until = 0;                                      // with an opaque operation
  std::uint32_t registers_fenced = 0;                               // the last Fence{wgmma}
  std::vector<std::pair<std::uint32_t, const plan::Op*>> fences{};  // each of them, by count
};

struct BarrierState {
  std::int64_t arrived = 0, bytes = 0;  // of this phase; bytes that are still expected
  std::uint32_t completed = 0;          // phases
  Clock gathered, gathered_visible, released, released_visible;
  std::int64_t last_event = -1, releasing_event = -1;
  std::vector<Simulation::Executed> arrivals, of_phases_over;  // who arrived: in this phase, in those that are over and not waited for yet
};

// Of a CTA: who initialised its mbarriers, and when.
struct Initialised {
  std::size_t actor = 0;
  std::uint32_t count = 0;  // 0: nobody yet
};

// Bytes of TMA that have not arrived.
struct InFlight {
  std::uint32_t action = 0;
  std::size_t barrier = 0;  // index into the machine's barriers
  std::int64_t bytes = 0, since = 0;
};

constexpr std::int64_t kStepsOnTheWay = 4;  // of TMA's bytes, where roles move in turn

// Registers of the CTA's threads for one tensor: thread * elements + element.
struct Registers {
  std::int64_t elements = 0;
  std::vector<double> values;
  std::vector<std::uint32_t> under_way;  // role * elements + element: the wgmma that writes it
  std::vector<std::uint32_t> touched;    // the same: the last operation that was no wgmma, by its actor's count
  std::vector<std::int64_t> fill;        // the same: which fill of a ring it was loaded from
  std::vector<std::int64_t> multiplied;  // the same: elements of K since it was cleared
};

// A matrix instruction's threads within a role, and the elements of its matrices that each thread holds.
struct AtomOfRole {
  std::vector<std::int64_t> threads;  // of the CTA, by logical thread
};
struct AtomShape {
  std::int64_t m = 1, n = 1, k = 1;
  double sign = 1;                    // of its products
  std::vector<std::int64_t> a, b, c;  // thread * values + value -> (m, k), (n, k), (m, n), the first fastest
  std::int64_t a_values = 0, b_values = 0, c_values = 0;
};

// What every cluster of a simulation shares.
struct Shared {
  const GemmPlan& plan;
  const SimulationInput& input;
  const SimulationOptions& options;
  Addresses& addresses;
  const AtomShape& atom;
  const std::vector<plan::Member>& members;
  const std::vector<std::vector<AtomOfRole>>& atoms;  // by member
  const std::vector<std::uint8_t>& owns;              // by thread of the tiled MMA: does it own accumulators?
  std::int64_t threads;                               // of a CTA
  std::vector<std::uint8_t>& stored;                  // by element of C: is it there?
  Simulation& result;
};

class Machine {
 public:
  Machine(Shared& shared, std::int64_t first_cta);
  Status run();

 private:
  // machine.cpp
  bool step(Actor& actor);  // false: it waits
  void execute(Actor& actor, const plan::Step& step);
  void finish(Actor& actor);
  Actor& next_in_turn(std::size_t vain);
  bool in_order() const;
  bool arrivals_are_due();
  bool deliver_one();
  std::uint32_t begin(Actor& actor, const plan::Step& step, By by, const Place* place);
  void fence(Actor& actor, const plan::Step& step, const plan::Fence& fence);
  void wait_group(Actor& actor, const plan::Step& step, const plan::WaitGroup& wait);
  Viewer viewer(const Actor& actor, const plan::Step& step, std::int64_t thread, bool asynchronous) const;
  std::int64_t note(Actor& actor, const plan::Step& step, std::int64_t stage, std::int64_t fill = -1);
  std::int64_t k_tile_of(const Actor& actor, std::int64_t fill) const;
  std::int64_t fill_of(const Actor& actor, const Place& place) const;
  void over(std::uint32_t action);
  void was_of_use(const Simulation::Executed& op) { shared_.result.of_use[op] = true; }
  bool traced(const Actor& actor) const { return shared_.options.trace && first_cta_ == 0 && actor.cta == 0; }

  // barriers.cpp
  std::int64_t member_of(const Actor& actor, plan::Id barrier, const plan::Index& member);
  std::size_t state_of(std::int64_t cta, plan::Id barrier, std::int64_t member, std::int64_t stage) const;
  void arrive(Actor& actor, const plan::Step& step, std::size_t barrier, std::int64_t threads);
  void arrive(Actor& actor, const plan::Step& step, const plan::Arrive& arrival);
  void expect(Actor& actor, const plan::Step& step, const plan::Expect& expected);
  bool pass(Actor& actor, const plan::Step& step, const plan::Wait& wait);
  void complete(std::size_t barrier);
  bool alive(std::int64_t cta) const;
  bool is_initialised(const Actor& actor, const plan::Step& step, std::size_t barrier);
  std::int64_t arrivals_of(plan::Id barrier) const;
  plan::Id barrier_id(std::size_t index) const;
  std::int64_t phase_of(const Actor& actor, const plan::Barrier& barrier, plan::Id id, const plan::Stage& stage) const;

  // copies.cpp
  void copy(Actor& actor, const plan::Step& step, const plan::Copy& copy);
  void copy_threads(Actor& actor, const plan::Step& step, const plan::Copy& copy, const Place& from, const Place& to);
  void load_matrices(Actor& actor, const plan::Step& step, const plan::Copy& copy, const Place& from, const Place& to);
  void move_fragments(Actor& actor, const plan::Step& step, const Place& from, const Place& to);
  bool rows_are_whole(Actor& actor, const plan::Copy& copy, const Place& to);
  void reach(const plan::Copy& copy, Place& from, Place& to) const;
  bool begins_inside(const Place& place, std::int64_t thread, std::int64_t i) const;
  void load_box(Actor& actor, const plan::Step& step, const plan::Copy& copy, const Place& from, const Place& to);
  void store_box(Actor& actor, const plan::Step& step, const Place& from, const Place& to);
  bool one_thread(Actor& actor, const plan::Step& step);
  std::vector<std::int64_t> threads_of(const Actor& actor, const plan::Step& step, std::int64_t first_ones) const;
  bool is_asked(const plan::Step& step, std::int64_t thread) const;
  Registers& registers(const Actor& actor, const Place& place);
  bool is_sum(plan::Id tensor) const { return sums_[tensor]; }
  void convert(Actor& actor, const plan::Step& step, const plan::Convert& convert);
  void begin_copy(Actor& actor, const plan::Step& step, const plan::Copy& copy, const Place& from, const Place& to);
  void remember_fill(const Actor& actor, const Place& from, const Place& to);
  double load(Actor& actor, const Place& place, std::int64_t thread, std::int64_t element, const Viewer& viewer, std::uint32_t action);
  void store(Actor& actor, const Place& place, std::int64_t thread, std::int64_t element, const Viewer& viewer, std::uint32_t action,
             double value);
  void store_c(Actor& actor, const Place& place, std::int64_t element, double value);
  bool aligned(Actor& actor, const Place& place, std::int64_t thread, std::int64_t i, std::int64_t vector);
  bool reads_inside(Actor& actor, const Place& place, std::int64_t thread, std::int64_t i, std::int64_t vector);
  double register_of(Actor& actor, const Place& place, std::int64_t thread, std::int64_t element);
  void set_register(Actor& actor, const Place& place, std::int64_t thread, std::int64_t element, double value);

  // opaque.cpp
  void opaque(Actor& actor, const plan::Step& step, const plan::Opaque& opaque);
  void arrives_later(Actor& actor, const plan::Opaque& opaque, const std::vector<Place>& writes, std::uint32_t action, std::int64_t units);
  std::int64_t ready_at(const Actor& actor, const plan::WaitGroup& wait) const;
  bool time_will_help() const;

  // mmas.cpp
  void multiply(Actor& actor, const plan::Step& step, const plan::Mma& mma);
  bool fits(const Place& a, const Place& b, const Place& c) const;
  void multiply_registers(Actor& actor, const plan::Mma& mma, const Place& a, const Place& b, const Place& c, bool clears);
  void multiply_shared(Actor& actor, const plan::Step& step, const plan::Mma& mma, const Place& a, const Place& b, const Place& c,
                       bool clears, std::uint32_t action);
  bool gather(Actor& actor, const Place& place, const AtomOfRole& atom, const std::vector<std::int64_t>& elements, std::int64_t values,
              std::int64_t first, double* matrix);
  bool gather_shared(Actor& actor, const Place& place, std::int64_t thread, const plan::Descriptor& descriptor, std::int64_t first,
                     const std::vector<std::int64_t>& offsets, const Viewer& viewer, std::uint32_t action, double* matrix);
  void scatter(Actor& actor, const Place& place, const AtomOfRole& atom, std::int64_t first, const double* matrix);
  void count_k(Actor& actor, const Place& c, std::int64_t first, bool clears);
  void check_multiplied(Actor& actor, const Place& from);

  // trace.cpp
  void trace(const Actor& actor, const plan::Step& step, const plan::Copy& copy, const Place& from, const Place& to);
  void record(const Actor& actor, const plan::Step& step, Access::Step what, const Place& place, std::int64_t threads, std::int64_t vector,
              std::int64_t matrices);
  void record_box(const Actor& actor, const plan::Step& step, Access::Step what, const Place& place);

  // words.cpp
  void fail(std::string message, std::string what_to_try = {});
  std::string who(const Actor& actor) const;
  std::string when(const Actor& actor) const;
  std::string when(const Action& action) const;
  std::string where(const Place& place) const;
  std::string barrier_words(std::size_t index) const;
  std::string element_of_c(std::int64_t element) const;
  void fail_access(const Actor& actor, const Place& place, std::int64_t thread, const Verdict& verdict, std::uint32_t action,
                   std::int64_t cta = -1);
  void fail_outside(const Actor& actor, const Place& place, std::int64_t thread, std::int64_t i, const char* does);
  void fail_unwritten(const Actor& actor, const Place& place, std::int64_t thread, std::int64_t element);
  void fail_accumulators(const Actor& actor, const Place& place, std::uint32_t action, const char* what);
  void fail_no_fence(const Actor& actor, const Place& place);
  void fail_place(const Actor& actor, const plan::Op& op, const Error& error);
  void fail_deadlock();
  void fail_uninitialised(const Actor& actor, std::size_t barrier);

  Shared& shared_;
  const GemmPlan& plan_;
  std::int64_t first_cta_ = 0, ctas_ = 1, time_ = 0;
  std::size_t clock_entries_ = 0, first_barrier_entry_ = 0;
  std::vector<Actor> actors_;
  std::vector<std::size_t> barrier_begin_;  // of each barrier of a CTA
  std::size_t barriers_of_cta_ = 0;
  std::vector<BarrierState> barriers_;
  std::vector<Initialised> initialised_;  // by CTA; none where a plan's mbarriers need no initialisation
  std::vector<Action> actions_;
  std::vector<SharedMemory> memory_;               // by CTA
  std::vector<std::vector<Registers>> registers_;  // by CTA and tensor
  std::deque<InFlight> in_flight_;
  std::vector<std::uint8_t> sums_;  // by tensor: does an Mma add to it?
  std::optional<Error> error_;
  std::size_t turn_ = 0;
  std::uint64_t random_ = 0;
  bool timed_ = false;            // events are kept
  const plan::Op* op_ = nullptr;  // that is executed now
};

std::string kind_of(const plan::Op& op);  // "cp_async", "wgmma", "store"

}  // namespace tessera::machine
