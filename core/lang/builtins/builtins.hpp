// SPDX-License-Identifier: BSD-3-Clause
// The functions of the language: one row each. A row's signature is what help prints and what calls are checked against:
//
//   "coalesce(layout, profile=)"      a parameter with `=` may be left out; what follows it says what then holds
//   "select(layout, modes...)"        the last parameter takes any number of arguments
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/lang/builtins/call.hpp"

namespace tessera {

// The table of functions, as help prints it: one row each.
struct BuiltinHelp {
  std::string_view name;
  std::string_view signature;  // "composition(a, b)"
  std::string_view help;       // one line
};
std::span<const BuiltinHelp> builtins();

struct Builtin {
  std::string_view name;
  std::string_view signature;
  std::string_view help;
  Result<Value> (*function)(const Call& call);
  bool (*knows_word)(std::string_view parameter,
                     std::string_view word) = nullptr;  // a word without a value needs no quotes there; null: none
  bool address_first = false;                           // the first argument may be an address of a program: a name that has no value here
};

// A signature taken apart.
struct Signature {
  std::vector<std::string_view> parameters;  // without a `name...`
  std::size_t required = 0;
  std::string_view rest;  // the name before `...`, or empty
};

std::span<const Builtin> layout_builtins();            // layouts.cpp: making, rearranging, algebra
std::span<const Builtin> coord_builtins();             // coords.cpp: coordinates, slices, shapes
std::span<const Builtin> inspect_builtins();           // inspect.cpp: predicates, bit matrices, other tools' spellings
std::span<const Builtin> atom_builtins();              // atoms.cpp: tiled MMAs and copies
std::span<const Builtin> shape_builtins();             // shapes.cpp: comparisons and remainders of shapes
std::span<const Builtin> owner_builtins();             // owners.cpp: who holds a cell, and which cells a thread holds
std::span<const Builtin> verdict_builtins();           // verdicts.cpp: what becomes of a GEMM or a plan before any GPU sees it
std::span<const Builtin> derivation_builtins();        // derivations.cpp: how a number comes about, step by step
std::span<const Builtin> tuple_builtins();             // tuples.cpp: the DSL's functions of tuples
std::span<const Builtin> tensor_builtins();            // tensor_functions.cpp: tensors, pointers, a thread's slice
std::span<const Builtin> tma_builtins();               // tma.cpp: copies by a tensor descriptor
std::span<const Builtin> dsl_builtins();               // dsl.cpp: the CuTe DSL's operations
std::span<const Builtin> gemm_builtins();              // gemm.cpp
std::span<const Builtin> cutlass_utils_builtins();     // cutlass_utils.cpp: what CUTLASS calls around CuTe
std::span<const Builtin> cutlass_scale_builtins();     // cutlass_scales.cpp: scale factors of scaled GEMMs
std::span<const Builtin> cutlass_epilogue_builtins();  // cutlass_epilogue.cpp: tensor memory and epilogues
std::span<const Builtin> advice_builtins();            // advice.cpp: accesses, layouts that serve them
std::span<const Builtin> math_builtins();              // math.cpp: Python's module math
std::span<const Builtin> python_builtins();            // python.cpp: Python's own functions
std::span<const Builtin> torch_builtins();             // torch.cpp: PyTorch's tensors, and CuTe's that are made of them
std::span<const Builtin> device_builtins();            // devices.cpp: waves, occupancy, the roofline

std::span<const Builtin> copy_advice_builtins();  // copy_advice.cpp: what a tiled copy does to a tile, and a better one
std::span<const Builtin> permutation_builtins();  // permutations.cpp: PermutationMNK for wide stores and loads
std::span<const Builtin> descriptor_builtins();   // descriptors.cpp: what wgmma and UMMA read shared memory by

// Null when there is none.
const Builtin* find_builtin(std::string_view name);
const Signature& signature_of(const Builtin& builtin);
// "did you mean a, b or c?" from the known names, as notes; nearest_note also knows every function.
std::vector<std::string> nearest_of(std::string_view name, const std::vector<std::string>& known);
// The same of parameters, which have short names: where one alone begins with the whole name, no other is meant. stage -> stages, not store
std::vector<std::string> nearest_parameter(std::string_view name, const std::vector<std::string>& known);
std::vector<std::string> nearest_note(std::string_view name, std::vector<std::string> also);

}  // namespace tessera
