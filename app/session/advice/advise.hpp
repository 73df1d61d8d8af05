// SPDX-License-Identifier: BSD-3-Clause
// What is wrong, slow or worth a look in a document or a source file: every rule that applies to each binding, the worst first. What rests
// on a guess is no finding: it is said apart, with the guess.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/gemm/device_model.hpp"
#include "core/lang/document/document.hpp"
#include "core/lang/programs/explain_program.hpp"

namespace tessera {

struct Advice {
  enum class Weight : std::uint8_t { wrong, slow, hint };
  Weight weight = Weight::hint;
  double times = 1;                       // slow: what it takes, divided by the least possible
  std::size_t line = 0;                   // 0: not known
  std::string name;                       // of the binding
  std::string finding;                    // what, with the numbers
  std::string remedy = {};                // what to write or to ask; empty: nothing is known
  std::vector<std::string> guesses = {};  // that it rests on: "bM is 128"
  std::string write = {};                 // the remedy as another expression of the binding; empty: it is none
  std::string ask = {};                   // the remedy as an expression whose value says more; empty: it is none
};
std::string_view to_string(Advice::Weight weight);  // "wrong", "slow", "hint"

// What was looked at and found right: "copy_a on sA: 64 wavefronts, the least possible".
struct FoundRight {
  std::string words;
  std::vector<std::string> guesses = {};
};

// A binding that is looked at.
struct AdvisedBinding {
  std::size_t line = 0;
  std::string name;
  const Value* value = nullptr;           // null: it was refused, or is not known well enough to be looked at
  std::string refusal = {};               // why, in words
  std::vector<Error> warnings = {};       // of its evaluation
  std::vector<std::size_t> block = {};    // the blocks of a source around it, outermost first: see Explained
  std::vector<std::string> guesses = {};  // that its value rests on
};

// copyA.get_slice(t).partition_D(sA): what a source itself says of who reads and writes a tensor.
struct AdvisedUse {
  std::size_t line = 0;
  const Partitioned* what = nullptr;
  std::vector<std::size_t> block = {};
  std::vector<std::string> guesses = {};  // that what partitions, or is partitioned, rests on
};

struct AdvisedProgram {
  std::vector<AdvisedBinding> bindings;
  std::vector<AdvisedBinding> remarks;  // lines that bind nothing that has a value, and of which something is said
  std::vector<AdvisedUse> uses;
  std::vector<LaunchBound> kernels;
  bool is_source = false;  // whose lines say what is used with what; a document's bindings stand side by side
};
// The lines of a document, and what was found of each. It points into the values.
AdvisedProgram program_of(const Document& document, const std::vector<EvaluatedBinding>& values);
// It points into the explanation.
AdvisedProgram program_of(const Explanation& source);
AdvisedProgram program_of(Explanation&&) = delete;

struct Advised {
  std::vector<Advice> findings;  // the worst first: wrong, then slow by how much, then hints
  std::vector<Advice> supposed;  // those that rest on guesses, in the same order
  std::vector<FoundRight> fine;  // what rests on no guess first
  std::size_t bindings = 0;
  std::string stopped;  // where the request's time was over before all was looked at: in words
};

// A copy is held against the tensors that the source partitions with it, and an MMA's descriptors against its operands. Of a copy that the
// source partitions nothing with, names speak: copyA and sA, in blocks of which one is around the other. In a document a copy is held
// against each tile that its own tiles divide and that no name gives to another operand; GEMMs are run for one tile, on the CPU, for their
// accesses.
Advised advise(const AdvisedProgram& program, const DeviceModel& device);

}  // namespace tessera
