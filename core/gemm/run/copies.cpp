// SPDX-License-Identifier: BSD-3-Clause
// Copies of the machine: thread by thread, matrices of a warp (PTX ISA, ldmatrix and stmatrix), and boxes of TMA.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/gemm/run/machine.hpp"
#include "core/gemm/run/numerics.hpp"

namespace tessera::machine {

namespace {
constexpr std::int64_t kWarp = 32, kRowElements = 8, kRows = 8;  // of a matrix
}

Registers& Machine::registers(const Actor& actor, const Place& place) {
  return registers_[static_cast<std::size_t>(actor.cta)][place.walked->partition->tensor];
}

double Machine::register_of(Actor& actor, const Place& place, std::int64_t thread, std::int64_t element) {
  Registers& registers = this->registers(actor, place);
  const auto at = static_cast<std::size_t>(actor.role * registers.elements + element);
  if (registers.under_way[at] != kNoAction && actions_[registers.under_way[at]].over == kNever)
    fail_accumulators(actor, place, registers.under_way[at], "read");
  registers.touched[at] = actor.count;
  const double value = registers.values[static_cast<std::size_t>(thread * registers.elements + element)];
  if (is_unwritten(value)) fail_unwritten(actor, place, thread, element);
  return value;
}

void Machine::set_register(Actor& actor, const Place& place, std::int64_t thread, std::int64_t element, double value) {
  Registers& registers = this->registers(actor, place);
  const auto at = static_cast<std::size_t>(actor.role * registers.elements + element);
  if (registers.under_way[at] != kNoAction && actions_[registers.under_way[at]].over == kNever)
    fail_accumulators(actor, place, registers.under_way[at], "written");
  registers.touched[at] = actor.count;
  registers.values[static_cast<std::size_t>(thread * registers.elements + element)] = value;
}

double Machine::load(Actor& actor, const Place& place, std::int64_t thread, std::int64_t element, const Viewer& viewer,
                     std::uint32_t action) {
  const plan::Tensor& tensor = place.tensor();
  switch (tensor.space) {
    case plan::Space::registers: return register_of(actor, place, thread, element);
    case plan::Space::shared: {
      SharedMemory& memory = memory_[static_cast<std::size_t>(actor.cta)];
      SharedTensor& shared = memory.tensor(place.walked->partition->tensor);
      const Verdict verdict = memory.read(shared, element, place.fill, viewer, actor.role, action);
      if (verdict.clash == Clash::none) return shared.values[static_cast<std::size_t>(element)];
      fail_access(actor, place, thread, verdict, action);
      return 0;
    }
    case plan::Space::coordinates:
    case plan::Space::global: break;
  }
  const std::vector<double>& source = tensor.operand == Operand::a   ? shared_.input.a
                                      : tensor.operand == Operand::b ? shared_.input.b
                                                                     : shared_.result.c;
  if (element < 0 || element >= static_cast<std::int64_t>(source.size())) {
    fail(fmt::format("{}{} reads element {} of {}, which has {}", who(actor), when(actor), element, tensor.name, source.size()));
    return 0;
  }
  return round_to(tensor.type, source[static_cast<std::size_t>(element)]);
}

void Machine::store(Actor& actor, const Place& place, std::int64_t thread, std::int64_t element, const Viewer& viewer, std::uint32_t action,
                    double value) {
  switch (place.tensor().space) {
    case plan::Space::registers: return set_register(actor, place, thread, element, value);
    case plan::Space::global: return store_c(actor, place, element, value);
    case plan::Space::coordinates:
    case plan::Space::shared: break;
  }
  SharedMemory& memory = memory_[static_cast<std::size_t>(actor.cta)];
  const Verdict verdict = memory.write(memory.tensor(place.walked->partition->tensor), element, place.fill, viewer, action, value);
  if (verdict.clash != Clash::none) fail_access(actor, place, thread, verdict, action);
}

void Machine::store_c(Actor& actor, const Place& place, std::int64_t element, double value) {
  if (element < 0 || element >= static_cast<std::int64_t>(shared_.result.c.size()) || place.tensor().operand != Operand::c)
    return fail(fmt::format("{}{} stores element {} of {}, beyond its {} elements", who(actor), when(actor), element, place.tensor().name,
                            shared_.result.c.size()));
  std::uint8_t& count = shared_.stored[static_cast<std::size_t>(element)];
  if (count > 0) {
    return fail(fmt::format("element {} of {} is stored twice: by {} in tile {}, after it was stored before", element_of_c(element),
                            place.tensor().name, who(actor), actor.walk.tile(place.walked->at->tiles_back).number));
  }
  count = 1;
  shared_.result.c[static_cast<std::size_t>(element)] = round_to(place.tensor().type, value);
}

// The `vector` values from the i-th on are neighbours, and the first is at a multiple of their bytes.
bool Machine::aligned(Actor& actor, const Place& place, std::int64_t thread, std::int64_t i, std::int64_t vector) {
  const plan::Tensor& tensor = place.tensor();
  if (vector <= 1 || tensor.space == plan::Space::registers) return true;
  const std::int64_t first = place.element(thread, i);
  bool fits = (8 * tensor.byte_offset + first * bits(tensor.type)) % (vector * bits(tensor.type)) == 0;
  for (std::int64_t v = 1; v < vector; ++v) fits = fits && place.element(thread, i + v) == first + v;
  if (!fits) {
    fail(
        fmt::format("thread {} of {}{} moves {} elements of {} at once, which are not neighbours at a multiple of {} bytes: the first is "
                    "element {}",
                    thread, who(actor), when(actor), vector, where(place), vector * bits(tensor.type) / 8, first));
  }
  return fits;
}

// Of a vector whose first element is inside, all must be in the buffer, also those beyond the end of a row.
bool Machine::reads_inside(Actor& actor, const Place& place, std::int64_t thread, std::int64_t i, std::int64_t vector) {
  const std::int64_t first = place.element(thread, i);
  if (place.is_outside(thread, i) || first + vector <= place.tensor().elements) return true;
  fail(fmt::format("thread {} of {}{} reads {} elements of {} from {} on, which has {}", thread, who(actor), when(actor), vector,
                   place.tensor().name, first, place.tensor().elements));
  return false;
}

void Machine::copy(Actor& actor, const plan::Step& step, const plan::Copy& copy) {
  auto from = shared_.addresses.place(copy.from, actor.walk), to = shared_.addresses.place(copy.to, actor.walk);
  if (!from) return fail_place(actor, *step.op, from.error());
  if (!to) return fail_place(actor, *step.op, to.error());
  reach(copy, *from, *to);
  if (traced(actor)) trace(actor, step, copy, *from, *to);
  if (timed_) remember_fill(actor, *from, *to);
  if (!shared_.options.values) return begin_copy(actor, step, copy, *from, *to);
  if (is_sum(from->walked->partition->tensor)) check_multiplied(actor, *from);
  switch (copy.by) {
    case plan::CopyBy::load_store:
    case plan::CopyBy::cp_async: return copy_threads(actor, step, copy, *from, *to);
    case plan::CopyBy::ldmatrix:
    case plan::CopyBy::ldmatrix_trans: return load_matrices(actor, step, copy, *from, *to);
    case plan::CopyBy::stmatrix:
      if (rows_are_whole(actor, copy, *to)) copy_threads(actor, step, copy, *from, *to);
      return;
    case plan::CopyBy::tma_load: return load_box(actor, step, copy, *from, *to);
    case plan::CopyBy::tma_store: return store_box(actor, step, *from, *to);
    case plan::CopyBy::wmma_load:
    case plan::CopyBy::wmma_store: return move_fragments(actor, step, *from, *to);
  }
}

// Of a tensor in global memory: a map's rows are all that TMA has of it, and what is beyond them all that some threads store.
void Machine::reach(const plan::Copy& copy, Place& from, Place& to) const {
  if (copy.map != plan::kNone) {
    Place& mapped = from.tensor().space == plan::Space::global ? from : to;
    mapped.extents = plan::extents(plan_, plan_.maps[copy.map]);
  }
  if (copy.beyond == plan::kNone) return;
  const std::size_t along = plan::contiguous_mode(to.tensor().tiles[0]);
  to.begins[along] = plan::extents(plan_, plan_.maps[copy.beyond])[along];
}

// Without values: what is under way, and until when.
void Machine::begin_copy(Actor& actor, const plan::Step& step, const plan::Copy& copy, const Place& from, const Place& to) {
  const Place& shared = to.tensor().space == plan::Space::shared ? to : from;
  if (copy.by == plan::CopyBy::tma_load) {
    const bool a = from.tensor().operand == Operand::a;
    for (std::int64_t cta = 0; cta < ctas_; ++cta) {
      const bool shares = a ? cta / plan_.cluster_n == actor.walk.rank_m() : cta % plan_.cluster_n == actor.walk.rank_n();
      if (cta != actor.cta && !(copy.multicast && shares)) continue;
      const std::uint32_t action = begin(actor, step, By::tma, &shared);
      in_flight_.push_back({action, state_of(cta, copy.barrier, member_of(actor, copy.barrier, copy.member), to.stage),
                            from.count() * bits(to.tensor().type) / 8, time_});
    }
    return;
  }
  begin(actor, step,
        copy.by == plan::CopyBy::cp_async    ? By::cp_async
        : copy.by == plan::CopyBy::tma_store ? By::bulk
                                             : By::threads,
        &shared);
}

void Machine::remember_fill(const Actor& actor, const Place& from, const Place& to) {
  const std::int64_t fill = fill_of(actor, from);
  if (fill < 0 || to.tensor().space != plan::Space::registers) return;
  Registers& registers = this->registers(actor, to);
  for (std::int64_t i = 0; i < to.count(); ++i)
    registers.fill[static_cast<std::size_t>(actor.role * registers.elements + to.element(actor.is->first_thread, i))] = fill;
}

void Machine::copy_threads(Actor& actor, const plan::Step& step, const plan::Copy& copy, const Place& from, const Place& to) {
  if (from.count() != to.count()) {
    return fail(fmt::format("{} copies {} values of {} to {} of {}", who(actor), from.count(), from.walked->partition->name, to.count(),
                            to.walked->partition->name));
  }
  const std::int64_t vector = copy.matrices > 0 ? 1 : copy.vector;
  const bool rounds = from.tensor().type != to.tensor().type;
  const By by = copy.by == plan::CopyBy::cp_async ? By::cp_async : By::threads;
  const std::uint32_t action = begin(actor, step, by, to.tensor().space == plan::Space::shared ? &to : &from);
  const bool stores = to.tensor().space == plan::Space::global, whole_vectors = stores || by != By::cp_async;
  const Place& outer = stores ? to : from;  // in global memory, if either is
  for (const std::int64_t thread : threads_of(actor, step, copy.threads)) {
    const Viewer viewer = this->viewer(actor, step, thread - actor.is->first_thread, false);
    for (std::int64_t i = 0; i < from.count() && !error_; ++i) {
      if (vector > 1 && i % vector == 0) {
        if (!aligned(actor, from, thread, i, vector) || !aligned(actor, to, thread, i, vector)) return;
        if (outer.walked->coordinates != nullptr && whole_vectors && !reads_inside(actor, outer, thread, i, vector)) return;
      }
      const bool outside = outer.is_outside(thread, i);
      const bool begins_outside = outer.is_outside(thread, i - i % vector);
      if (outside && (copy.predicate == plan::kNone || (stores && !begins_outside)))
        return fail_outside(actor, outer, thread, i, stores ? "stores" : "reads");
      if (!outside && begins_outside) return fail_outside(actor, outer, thread, i - i % vector, "begins a vector at");
      if (outside && stores) continue;
      const double value = outside ? 0 : load(actor, from, thread, from.element(thread, i), viewer, action);
      if (!error_) store(actor, to, thread, to.element(thread, i), viewer, action, rounds ? round_to(to.tensor().type, value) : value);
    }
    if (error_) return;
  }
}

// Lane 8 i + r names row r of matrix i; lane t receives elements (t / 4, 2 (t % 4) + {0, 1}) of each matrix, or of their transposes.
void Machine::load_matrices(Actor& actor, const plan::Step& step, const plan::Copy& copy, const Place& from, const Place& to) {
  const bool transposed = copy.by == plan::CopyBy::ldmatrix_trans;
  const std::int64_t values = 2 * copy.matrices, copies = to.count() / values;
  if (actor.is->threads % kWarp != 0 || from.count() != copies * kRowElements)
    return fail(fmt::format("{} loads matrices of whole warps; it has {} threads and {} rows for {} fragments", who(actor),
                            actor.is->threads, from.count() / kRowElements, copies));
  const std::uint32_t action = begin(actor, step, By::threads, &from);
  for (std::int64_t i = 0; i < copies * actor.is->threads / kWarp && !error_; ++i) {
    const std::int64_t warp = actor.is->first_thread + i / copies * kWarp, copy_of = i % copies;
    for (std::int64_t lane = 0; lane < kRows * copy.matrices; ++lane) {
      if (!aligned(actor, from, warp + lane, copy_of * kRowElements, kRowElements)) return;
    }
    for (std::int64_t lane = 0; lane < kWarp && !error_; ++lane) {
      const Viewer viewer = this->viewer(actor, step, warp + lane - actor.is->first_thread, false);
      for (std::int64_t v = 0; v < values; ++v) {
        const std::int64_t row = transposed ? 2 * (lane % 4) + v % 2 : lane / 4, column = transposed ? lane / 4 : 2 * (lane % 4) + v % 2;
        const std::int64_t element = from.element(warp + v / 2 * kRows + row, copy_of * kRowElements) + column;
        const double value = load(actor, from, warp + lane, element, viewer, action);
        if (error_) return;
        set_register(actor, to, warp + lane, to.element(warp + lane, copy_of * values + v), value);
      }
    }
  }
}

// A patch of shared memory, and the fragment of the warp's threads: each value is the patch's element of the same coordinate.
void Machine::move_fragments(Actor& actor, const plan::Step& step, const Place& from, const Place& to) {
  const bool loads = to.tensor().space == plan::Space::registers;
  const Place &fragment = loads ? to : from, &patch = loads ? from : to;
  const AtomShape& atom = shared_.atom;
  const Operand operand = fragment.tensor().operand;
  const std::vector<std::int64_t>& held = operand == Operand::a ? atom.a : operand == Operand::b ? atom.b : atom.c;
  const std::int64_t values = static_cast<std::int64_t>(held.size()) / kWarp, elements = operand == Operand::c   ? atom.m * atom.n
                                                                                         : operand == Operand::a ? atom.m * atom.k
                                                                                                                 : atom.n * atom.k;
  const std::int64_t fragments = fragment.count() / values;
  if (actor.is->threads % kWarp != 0 || patch.count() != fragments * elements)
    return fail(fmt::format("{} moves fragments of whole warps; it has {} threads, {} elements of {} and {} values of {}", who(actor),
                            actor.is->threads, patch.count(), where(patch), fragment.count(), where(fragment)));
  const std::uint32_t action = begin(actor, step, By::threads, &patch);
  const Viewer viewer = this->viewer(actor, step, kAllThreads, false);  // nobody knows which of its threads touches what
  for (const std::int64_t thread : threads_of(actor, step, 0)) {
    const std::int64_t lane = (thread - actor.is->first_thread) % kWarp;
    for (std::int64_t i = 0; i < fragment.count() && !error_; ++i) {
      const std::int64_t element = i / values * elements + held[static_cast<std::size_t>(lane * values + i % values)];
      const double value = load(actor, from, thread, from.element(thread, loads ? element : i), viewer, action);
      if (!error_) store(actor, to, thread, to.element(thread, loads ? i : element), viewer, action, value);
    }
    if (error_) return;
  }
}

// stmatrix writes rows of 8 elements: of each matrix, the values of lanes 4 r to 4 r + 3 lie together, at a multiple of 16 bytes.
bool Machine::rows_are_whole(Actor& actor, const plan::Copy& copy, const Place& to) {
  const auto is_instruction = [](std::int64_t matrices) { return matrices == 1 || matrices == 2 || matrices == 4; };
  if (!is_instruction(copy.matrices)) {
    fail(fmt::format("{} stores {} matrices at once; stmatrix stores 1, 2 or 4", who(actor), copy.matrices));
    return false;
  }
  const std::int64_t left_over = to.count() / 2 % copy.matrices;  // of the last instruction
  if (actor.is->threads % kWarp != 0 || to.count() % 2 != 0 || (left_over != 0 && !is_instruction(left_over))) {
    fail(fmt::format("{} stores matrices of whole warps; it has {} threads of {} values", who(actor), actor.is->threads, to.count()));
    return false;
  }
  for (std::int64_t thread = actor.is->first_thread; thread < actor.is->first_thread + actor.is->threads; ++thread) {
    for (std::int64_t v = 0; v < to.count(); ++v) {
      const std::int64_t row = to.element(thread - thread % 4, v - v % 2), byte = row * bits(to.tensor().type) / 8;
      if (to.element(thread, v) == row + 2 * (thread % 4) + v % 2 && byte % 16 == 0) continue;
      fail(fmt::format("stmatrix of {}{} writes rows of 8 elements of {}, and value {} of thread {} is not in its row", who(actor),
                       when(actor), where(to), v, thread - actor.is->first_thread));
      return false;
    }
  }
  return true;
}

bool Machine::one_thread(Actor& actor, const plan::Step& step) {
  if (step.first_thread_only || actor.is->threads == 1) return true;
  fail(fmt::format("all {} threads of {} begin a {}, each of them: one thread begins it for all", actor.is->threads, who(actor),
                   kind_of(*step.op)));
  return false;
}

void Machine::load_box(Actor& actor, const plan::Step& step, const plan::Copy& copy, const Place& from, const Place& to) {
  if (!one_thread(actor, step)) return;
  if (from.count() != to.count() || copy.barrier == plan::kNone)
    return fail(fmt::format("the box of {} has {} elements, its place in {} {}, and it arrives on {}", from.walked->partition->name,
                            from.count(), to.walked->partition->name, to.count(),
                            copy.barrier == plan::kNone ? "no barrier" : plan_.barriers[copy.barrier].name));
  const Viewer viewer = this->viewer(actor, step, 0, false);
  const bool a = from.tensor().operand == Operand::a;
  for (std::int64_t cta = 0; cta < ctas_ && !error_; ++cta) {
    const bool shares = a ? cta / plan_.cluster_n == actor.walk.rank_m() : cta % plan_.cluster_n == actor.walk.rank_n();
    if (cta != actor.cta && !(copy.multicast && shares)) continue;
    if (!alive(cta)) {
      return fail(
          fmt::format("the {} of {}{} writes to CTA {}, whose roles have all ended", kind_of(*step.op), who(actor), when(actor), cta),
          "a cluster barrier at the end keeps a CTA until its peers no longer write to it");
    }
    const std::size_t barrier = state_of(cta, copy.barrier, member_of(actor, copy.barrier, copy.member), to.stage);
    if (!is_initialised(actor, step, barrier)) return fail_uninitialised(actor, barrier);
    const std::uint32_t action = begin(actor, step, By::tma, &to);
    actions_[action].entry = static_cast<std::uint16_t>(first_barrier_entry_ + barrier);
    SharedMemory& memory = memory_[static_cast<std::size_t>(cta)];
    SharedTensor& tensor = memory.tensor(to.walked->partition->tensor);
    for (std::int64_t i = 0; i < from.count(); ++i) {
      const bool outside = from.is_outside(actor.is->first_thread, i);  // TMA fills it with zeros
      const double value = outside ? 0 : load(actor, from, actor.is->first_thread, from.element(actor.is->first_thread, i), viewer, action);
      if (error_) return;
      const Verdict verdict = memory.write(tensor, to.element(actor.is->first_thread, i), to.fill, viewer, action, value);
      if (verdict.clash != Clash::none) return fail_access(actor, to, actor.is->first_thread, verdict, action, cta);
    }
    in_flight_.push_back({action, barrier, from.count() * bits(to.tensor().type) / 8, time_});
  }
}

// Of an element outside: is the first one of its 16 bytes inside?
bool Machine::begins_inside(const Place& place, std::int64_t thread, std::int64_t i) const {
  const std::size_t along = plan::contiguous_mode(place.tensor().tiles[0]);
  plan::TwoModes at = place.coordinate(thread, i);
  at[along] -= at[along] % (plan::kStoredUnit * 8 / bits(place.tensor().type));
  return at[0] < place.extents[0] && at[1] < place.extents[1];
}

void Machine::store_box(Actor& actor, const plan::Step& step, const Place& from, const Place& to) {
  if (!one_thread(actor, step)) return;
  if (from.count() != to.count())
    return fail(fmt::format("the box of {} has {} elements, its place in {} {}", from.walked->partition->name, from.count(),
                            to.walked->partition->name, to.count()));
  const std::uint32_t action = begin(actor, step, By::bulk, &from);
  const Viewer viewer = this->viewer(actor, step, 0, true);
  for (std::int64_t i = 0; i < from.count() && !error_; ++i) {
    const double value = load(actor, from, actor.is->first_thread, from.element(actor.is->first_thread, i), viewer, action);
    if (to.is_outside(actor.is->first_thread, i)) {  // TMA leaves nothing there, but where a unit begins inside
      if (begins_inside(to, actor.is->first_thread, i)) return fail_outside(actor, to, actor.is->first_thread, i, "stores 16 bytes with");
      continue;
    }
    if (!error_) store_c(actor, to, to.element(actor.is->first_thread, i), value);
  }
}

void Machine::convert(Actor& actor, const plan::Step& step, const plan::Convert& convert) {
  auto from = shared_.addresses.place(convert.from, actor.walk), to = shared_.addresses.place(convert.to, actor.walk);
  if (!from) return fail_place(actor, *step.op, from.error());
  if (!to) return fail_place(actor, *step.op, to.error());
  std::optional<Place> old;
  if (convert.c.partition != plan::kNone && plan_.beta != 0.0) {
    auto c = shared_.addresses.place(convert.c, actor.walk);
    if (!c) return fail_place(actor, *step.op, c.error());
    old = *c;
  }
  if (from->count() != to->count() || (old && old->count() != to->count()))
    return fail(fmt::format("{} converts {} values of {}{} to {} of {}", who(actor), from->count(), from->walked->partition->name,
                            old ? fmt::format(" and {} of {}", old->count(), old->walked->partition->name) : std::string(), to->count(),
                            to->walked->partition->name));
  if (!shared_.options.values) {
    begin(actor, step, By::threads, nullptr);
    return;
  }
  if (is_sum(from->walked->partition->tensor)) check_multiplied(actor, *from);
  const std::uint32_t action = begin(actor, step, By::threads, nullptr);
  for (const std::int64_t thread : threads_of(actor, step, 0)) {
    const Viewer viewer = this->viewer(actor, step, thread - actor.is->first_thread, false);
    for (std::int64_t i = 0; i < from->count() && !error_; ++i) {
      const double sum = load(actor, *from, thread, from->element(thread, i), viewer, action);
      const bool outside = old && old->is_outside(thread, i);
      if (outside && convert.predicate == plan::kNone) return fail_outside(actor, *old, thread, i, "reads");
      const double c = old && !outside && !error_ ? plan_.beta * load(actor, *old, thread, old->element(thread, i), viewer, action) : 0.0;
      if (!error_) store(actor, *to, thread, to->element(thread, i), viewer, action, round_to(to->tensor().type, plan_.alpha * sum + c));
    }
    if (error_) return;
  }
}

// Threads of the CTA that execute an operation: the role's first ones, or the owners among them.
std::vector<std::int64_t> Machine::threads_of(const Actor& actor, const plan::Step& step, std::int64_t first_ones) const {
  const std::int64_t count = step.first_thread_only ? 1 : first_ones > 0 ? std::min(first_ones, actor.is->threads) : actor.is->threads;
  std::vector<std::int64_t> threads;
  for (std::int64_t thread = actor.is->first_thread; thread < actor.is->first_thread + count; ++thread) {
    if (is_asked(step, thread)) threads.push_back(thread);
  }
  return threads;
}

// Of an operation of owners alone: does this thread own a part of C?
bool Machine::is_asked(const plan::Step& step, std::int64_t thread) const {
  return !step.owners_only || shared_.owns[static_cast<std::size_t>(thread) % shared_.owns.size()] != 0;
}

}  // namespace tessera::machine
