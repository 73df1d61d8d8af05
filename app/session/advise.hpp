// SPDX-License-Identifier: BSD-3-Clause
// What is wrong, slow or worth a look in a document or a source file: every rule that applies to each binding, the worst first.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/gemm/device_model.hpp"
#include "core/lang/programs/snippet.hpp"

namespace tessera {

struct Advice {
  enum class Weight : std::uint8_t { wrong, slow, hint };
  Weight weight = Weight::hint;
  double times = 1;         // slow: what it takes, divided by the least possible
  std::size_t line = 0;     // 0: not known
  std::string name;         // of the binding
  std::string finding;      // what, with the numbers
  std::string remedy = {};  // what to write or to ask; empty: nothing is known
};
std::string_view to_string(Advice::Weight weight);  // "wrong", "slow", "hint"

// A binding that is looked at.
struct AdvisedBinding {
  std::size_t line = 0;
  std::string name;
  const Value* value = nullptr;         // null: it was refused
  std::string refusal = {};             // then in words
  std::vector<Error> warnings = {};     // of its evaluation
  std::vector<std::size_t> block = {};  // the blocks of a source around it, outermost first: see Explained
};

struct Advised {
  std::vector<Advice> findings;   // the worst first: wrong, then slow by how much, then hints
  std::vector<std::string> fine;  // what was looked at and found right: "copy_a on sA: 64 wavefronts, the least possible"
  std::size_t bindings = 0;
};

// A copy is held against the shared-memory layouts that its tiles divide, in the blocks around it and in those that it is around, unless
// their names say another operand (copy_a, sB); GEMMs are run for one tile, on the CPU, for their accesses. Rules look at what is bound,
// and not at which lines use it.
Advised advise(const std::vector<AdvisedBinding>& bindings, const DeviceModel& device);

}  // namespace tessera
