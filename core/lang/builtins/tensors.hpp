// SPDX-License-Identifier: BSD-3-Clause
// Tensors through functions: a function of layouts takes a tensor by its layout; where it gives a part of what it was given, the part
// begins where the tensor does, and its elements are the tensor's.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/lang/builtins/call.hpp"

namespace tessera {

// Does the function give the tensor that it is given, in part or in another order? As slice, local_tile and zipped_divide do, and
// complement does not.
bool gives_part_of_tensor(std::string_view function);

// Puts its layout in the place of each tensor among the arguments; says where the first began. Functions that know offsets keep theirs.
struct TensorArgument {
  bool was_behind_offset = false;
  IntTuple offset = 0;
};
TensorArgument take_tensor(std::string_view function, std::vector<Value>& arguments);

// What the function made of the layout, behind the tensor's offset.
Result<Value> behind_offset(const IntTuple& offset, Value made);
// Integers are added, and coordinates mode by mode; 0 is every origin.
Result<IntTuple> add_offsets(const IntTuple& a, const IntTuple& b);

// The elements of what the call has made: its argument's, or those that a cast or a fragment has.
Element element_after(const Call& call, const Value& made);

// An operand read through descriptors has a fragment of a tensor in shared memory alone: refused is a shape, and a tensor elsewhere.
Status check_described(const Call& call, const MmaAtom& atom, Operand operand);

// A layout of registers that belong to a tensor: refused where an extent or a stride is dynamic, as CuTe refuses such tensors.
Result<Layout> as_registers(const Call& call, Result<Layout> layout);

// Where the first tensor of coordinates among the arguments has its origin, (0,0); nothing: there is none.
std::optional<IntTuple> origin_of(std::span<const Value> arguments);
// A part's offset in all modes of the whole's coordinates: (27) of a tensor (64,1) is (27,0).
Status complete_offset(const IntTuple& origin, Value& part);

}  // namespace tessera
