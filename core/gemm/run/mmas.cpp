// SPDX-License-Identifier: BSD-3-Clause
// Multiplications of the machine: an atom combines the registers of its threads, or tiles of shared memory (wgmma), by its layouts.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/base/budget.hpp"
#include "core/gemm/plan/descriptors.hpp"
#include "core/gemm/run/machine.hpp"
#include "core/gemm/run/numerics.hpp"

namespace tessera::machine {

namespace {

// c(m, n) += sum over k of sign a(m, k) b(n, k), m fastest in a and c, n fastest in b. A known M makes the inner loop one of vectors.
template <std::int64_t kM>
void product(const AtomShape& atom, const double* a, const double* b, double* c) {
  const std::int64_t rows = kM > 0 ? kM : atom.m;
  for (std::int64_t n = 0; n < atom.n; ++n) {
    double* const column = c + rows * n;
    for (std::int64_t k = 0; k < atom.k; ++k) {
      const double factor = atom.sign * b[n + atom.n * k];
      const double* const other = a + rows * k;
      for (std::int64_t m = 0; m < rows; ++m) column[m] += other[m] * factor;
    }
  }
}

void product(const AtomShape& atom, const double* a, const double* b, double* c) {
  switch (atom.m) {
    case 8: return product<8>(atom, a, b, c);
    case 16: return product<16>(atom, a, b, c);
    case 64: return product<64>(atom, a, b, c);
    default: return product<0>(atom, a, b, c);
  }
}

// A mode that an operation walks: its extent and the weight of its coordinate; an extent of 1 where it is picked, or there is none.
struct Mode {
  std::int64_t extent = 1, weight = 0;
};
Mode mode_of(const Place& place, std::string_view name) {
  const auto& modes = place.walked->partition->modes;
  for (std::size_t i = 0; i < modes.size(); ++i) {
    if (modes[i] != name) continue;
    const bool picked = std::any_of(place.walked->picked.begin(), place.walked->picked.end(), [&](const auto& p) { return p.first == i; });
    if (!picked) return {place.walked->table->extents[i], place.walked->table->weights[i]};
  }
  return {};
}

// Bytes of a matrix's elements from its first, rows fastest.
std::vector<std::int64_t> offsets_of(const plan::Descriptor& descriptor, ValueType type, std::int64_t rows, std::int64_t k) {
  std::vector<std::int64_t> offsets;
  for (std::int64_t i = 0; i < rows * k; ++i) offsets.push_back(plan::offset_of(descriptor, type, i % rows, i / rows));
  return offsets;
}

// Every atom that an Mma walks, as the first value of a, b and c: MMA_K slowest, then MMA_M, then MMA_N, which may turn.
template <class Visit>
void for_each_atom(const plan::Mma& mma, const Place& a, const Place& b, const Place& c, const Visit& visit) {
  const Mode a_m = mode_of(a, "MMA_M"), a_k = mode_of(a, "MMA_K"), b_n = mode_of(b, "MMA_N"), b_k = mode_of(b, "MMA_K");
  const Mode c_m = mode_of(c, "MMA_M"), c_n = mode_of(c, "MMA_N");
  for (std::int64_t k = 0; k < a_k.extent; ++k) {
    for (std::int64_t m = 0; m < a_m.extent; ++m) {
      for (std::int64_t i = 0; i < b_n.extent && !late(); ++i) {
        const std::int64_t n = mma.serpentine && m % 2 == 1 ? b_n.extent - 1 - i : i;
        visit(a.base + m * a_m.weight + k * a_k.weight, b.base + n * b_n.weight + k * b_k.weight, c.base + m * c_m.weight + n * c_n.weight,
              k);
      }
    }
  }
}

// The Fence{wgmma} of a role that came first behind its operation number `touched`; one has come.
const plan::Op* first_fence_behind(const Actor& actor, std::uint32_t touched) {
  const auto lies_before = [](std::uint32_t count, const auto& fence) { return count < fence.first; };
  return std::upper_bound(actor.fences.begin(), actor.fences.end(), touched, lies_before)->second;
}

}  // namespace

bool Machine::fits(const Place& a, const Place& b, const Place& c) const {
  return mode_of(a, "MMA_M").extent == mode_of(c, "MMA_M").extent && mode_of(b, "MMA_N").extent == mode_of(c, "MMA_N").extent &&
         mode_of(a, "MMA_K").extent == mode_of(b, "MMA_K").extent;
}

void Machine::multiply(Actor& actor, const plan::Step& step, const plan::Mma& mma) {
  auto a = shared_.addresses.place(mma.a, actor.walk), b = shared_.addresses.place(mma.b, actor.walk),
       c = shared_.addresses.place(mma.c, actor.walk);
  for (const auto* place : {&a, &b, &c}) {
    if (!*place) return fail_place(actor, *step.op, place->error());
  }
  if (!fits(*a, *b, *c))
    return fail(fmt::format("{} multiplies {} by {} into {}, whose modes do not fit", who(actor), a->walked->partition->name,
                            b->walked->partition->name, c->walked->partition->name));
  const std::vector<AtomOfRole>& atoms = shared_.atoms[static_cast<std::size_t>(actor.role)];
  if (atoms.empty())
    return fail(fmt::format("{} multiplies, and its threads {} to {} hold no atom of the tiled MMA", who(actor), actor.is->first_thread,
                            actor.is->first_thread + actor.is->threads - 1));
  const bool clears =
      !mma.clears.empty() && std::all_of(mma.clears.begin(), mma.clears.end(), [&](const auto& i) { return actor.walk.value(i) == 0; });
  const std::uint32_t action = begin(actor, step, mma.by == plan::MmaBy::wgmma ? By::wgmma : By::threads, &*a);
  if (timed_ && actions_[action].event >= 0 && a->tensor().space == plan::Space::registers) {
    const Registers& registers = this->registers(actor, *a);
    const std::int64_t fill =
        registers.fill[static_cast<std::size_t>(actor.role * registers.elements + a->element(actor.is->first_thread, 0))];
    Event& event = shared_.result.timeline[static_cast<std::size_t>(actions_[action].event)];
    if (fill >= 0) event.fill = fill, event.stage = plan_.has_smem() ? fill % plan_.stages() : -1, event.k_tile = fill % plan_.k_tiles;
  }
  if (!shared_.options.values) return;
  if (mma.by == plan::MmaBy::wgmma) {
    multiply_shared(actor, step, mma, *a, *b, *c, clears, action);
  } else {
    multiply_registers(actor, mma, *a, *b, *c, clears);
  }
}

// What an operand's registers hold for one atom, as its matrix.
bool Machine::gather(Actor& actor, const Place& place, const AtomOfRole& atom, const std::vector<std::int64_t>& elements,
                     std::int64_t values, std::int64_t first, double* matrix) {
  const Registers& registers = this->registers(actor, place);
  const std::int64_t* const index = place.walked->table->elements.data() + first;
  for (std::size_t t = 0; t < atom.threads.size(); ++t) {
    const double* const from = registers.values.data() + atom.threads[t] * registers.elements;
    const std::int64_t* const to = elements.data() + static_cast<std::int64_t>(t) * values;
    for (std::int64_t v = 0; v < values; ++v) {
      matrix[to[v]] = from[index[v]];
      if (!is_unwritten(from[index[v]])) continue;
      fail_unwritten(actor, place, atom.threads[t], index[v]);
      return false;
    }
  }
  return true;
}

void Machine::scatter(Actor& actor, const Place& place, const AtomOfRole& atom, std::int64_t first, const double* matrix) {
  Registers& registers = this->registers(actor, place);
  const AtomShape& shape = shared_.atom;
  const ValueType type = place.tensor().type;
  const std::int64_t* const index = place.walked->table->elements.data() + first;
  for (std::size_t t = 0; t < atom.threads.size(); ++t) {
    double* const to = registers.values.data() + atom.threads[t] * registers.elements;
    const std::int64_t* const from = shape.c.data() + static_cast<std::int64_t>(t) * shape.c_values;
    for (std::int64_t v = 0; v < shape.c_values; ++v)
      to[index[v]] = type == ValueType::f32 ? static_cast<double>(static_cast<float>(matrix[from[v]])) : round_to(type, matrix[from[v]]);
  }
}

// How much of K the sums of an atom hold.
void Machine::count_k(Actor& actor, const Place& c, std::int64_t first, bool clears) {
  Registers& registers = this->registers(actor, c);
  for (std::int64_t v = 0; v < shared_.atom.c_values; ++v) {
    std::int64_t& sum = registers.multiplied[static_cast<std::size_t>(actor.role * registers.elements +
                                                                      c.walked->table->elements[static_cast<std::size_t>(first + v)])];
    sum = (clears ? 0 : sum) + shared_.atom.k;
  }
}

void Machine::multiply_registers(Actor& actor, const plan::Mma& mma, const Place& a, const Place& b, const Place& c, bool clears) {
  const AtomShape& shape = shared_.atom;
  const std::vector<AtomOfRole>& atoms = shared_.atoms[static_cast<std::size_t>(actor.role)];
  std::vector<double> ma(static_cast<std::size_t>(shape.m * shape.k)), mb(static_cast<std::size_t>(shape.n * shape.k)),
      mc(static_cast<std::size_t>(shape.m * shape.n));
  for (const AtomOfRole& atom : atoms) {
    std::int64_t a_held = -1, b_held = -1;  // what ma and mb are of
    for_each_atom(mma, a, b, c, [&](std::int64_t a_first, std::int64_t b_first, std::int64_t c_first, std::int64_t k) {
      if (error_) return;
      if (a_first != a_held && !gather(actor, a, atom, shape.a, shape.a_values, a_first, ma.data())) return;
      if (b_first != b_held && !gather(actor, b, atom, shape.b, shape.b_values, b_first, mb.data())) return;
      a_held = a_first, b_held = b_first;
      if (clears && k == 0) {
        std::fill(mc.begin(), mc.end(), 0.0);
      } else if (!gather(actor, c, atom, shape.c, shape.c_values, c_first, mc.data())) {
        return;
      }
      product(shape, ma.data(), mb.data(), mc.data());
      scatter(actor, c, atom, c_first, mc.data());
      if (&atom == atoms.data()) count_k(actor, c, c_first, clears && k == 0);
      if (traced(actor)) ++shared_.result.mma_instructions;
    });
  }
}

// One tile of shared memory as its descriptor says it, rows fastest: of the partition it has but where the tile begins. Read until the
// group is over.
bool Machine::gather_shared(Actor& actor, const Place& place, std::int64_t thread, const plan::Descriptor& descriptor, std::int64_t first,
                            const std::vector<std::int64_t>& offsets, const Viewer& viewer, std::uint32_t action, double* matrix) {
  SharedMemory& memory = memory_[static_cast<std::size_t>(actor.cta)];
  SharedTensor& tensor = memory.tensor(place.walked->partition->tensor);
  const std::int64_t bytes = bits(place.tensor().type) / 8, base = place.tensor().byte_offset;
  const std::int64_t element_0 = place.walked->table->at(thread, first) + place.offset;
  const std::int64_t begin = plan::swizzled(descriptor.swizzle_bytes, base + element_0 * bytes);
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const std::int64_t element = (plan::swizzled(descriptor.swizzle_bytes, begin + offsets[i]) - base) / bytes;
    const Verdict verdict = memory.read(tensor, element, place.fill, viewer, actor.role, action);
    if (verdict.clash != Clash::none) {
      fail_access(actor, place, thread, verdict, action);
      return false;
    }
    matrix[i] = tensor.values[static_cast<std::size_t>(element)];
  }
  return true;
}

void Machine::multiply_shared(Actor& actor, const plan::Step& step, const plan::Mma& mma, const Place& a, const Place& b, const Place& c,
                              bool clears, std::uint32_t action) {
  const AtomShape& shape = shared_.atom;
  Registers& registers = this->registers(actor, c);
  std::vector<double> ma(static_cast<std::size_t>(shape.m * shape.k)), mb(static_cast<std::size_t>(shape.n * shape.k)),
      mc(static_cast<std::size_t>(shape.m * shape.n));
  if (mma.descriptor_a == plan::kNone || mma.descriptor_b == plan::kNone)
    return fail(fmt::format("{} multiplies {} by {} without descriptors, by which wgmma reads them", who(actor), a.walked->partition->name,
                            b.walked->partition->name));
  const plan::Descriptor &of_a = plan_.descriptors[mma.descriptor_a], &of_b = plan_.descriptors[mma.descriptor_b];
  const std::vector<std::int64_t> a_offsets = offsets_of(of_a, a.tensor().type, shape.m, shape.k),
                                  b_offsets = offsets_of(of_b, b.tensor().type, shape.n, shape.k);
  Viewer viewer = this->viewer(actor, step, kAllThreads, true);
  std::optional<std::uint32_t> touched;  // of the last register that was looked at
  for (const AtomOfRole& atom : shared_.atoms[static_cast<std::size_t>(actor.role)]) {
    const std::int64_t thread = atom.threads.front();
    for_each_atom(mma, a, b, c, [&](std::int64_t a_first, std::int64_t b_first, std::int64_t c_first, std::int64_t k) {
      if (error_) return;
      for (std::int64_t v = 0; v < shape.c_values; ++v) {
        const auto at =
            static_cast<std::size_t>(actor.role * registers.elements + c.walked->table->elements[static_cast<std::size_t>(c_first + v)]);
        if (registers.touched[at] >= actor.registers_fenced) return fail_no_fence(actor, c);
        if (registers.touched[at] != touched) {
          touched = registers.touched[at];
          was_of_use({first_fence_behind(actor, *touched), actor.is->index});
        }
        registers.under_way[at] = action;
      }
      if (!gather_shared(actor, a, thread, of_a, a_first, a_offsets, viewer, action, ma.data())) return;
      if (!gather_shared(actor, b, thread, of_b, b_first, b_offsets, viewer, action, mb.data())) return;
      if (clears && k == 0) {
        std::fill(mc.begin(), mc.end(), 0.0);
      } else if (!gather(actor, c, atom, shape.c, shape.c_values, c_first, mc.data())) {
        return;
      }
      product(shape, ma.data(), mb.data(), mc.data());
      scatter(actor, c, atom, c_first, mc.data());
      count_k(actor, c, c_first, clears && k == 0);
      if (traced(actor)) ++shared_.result.mma_instructions;
    });
  }
}

void Machine::check_multiplied(Actor& actor, const Place& from) {
  const Registers& registers = this->registers(actor, from);
  const std::int64_t all = plan_.k_tiles * plan_.blk_k;  // with the zeros that fill the last tile
  for (std::int64_t i = 0; i < from.count() && !error_; ++i) {
    const std::int64_t sum =
        registers.multiplied[static_cast<std::size_t>(actor.role * registers.elements + from.element(actor.is->first_thread, i))];
    if (sum == all) continue;
    fail(fmt::format("{} stores tile {} of C {}: {} of K's {} elements are in its sums", who(actor), actor.walk.tile().number,
                     sum < all ? "before its last mma" : "with sums that were not cleared before", sum, all));
  }
}

}  // namespace tessera::machine
