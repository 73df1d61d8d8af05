// SPDX-License-Identifier: BSD-3-Clause
// What a text's own calls say of the parameters of its functions and classes.
//
//   template <int N> void f(int m) {...}
//   f<4>(8);                                N is 4 and m is 8 in f, as in the call in line 2
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/lang/programs/called.hpp"
#include "core/lang/statements/call_sites.hpp"
#include "core/lang/values/value.hpp"

namespace tessera {

// A parameter as a call gives it. Null: the call gives it a value that is not known, so that its default is not its value.
struct CalledParameter {
  std::string name;
  std::shared_ptr<const Value> value;
  std::vector<std::string> stated, doubts;  // of the argument
  bool differs = false;                     // calls give it several values, and one leaves it out: its default is one of them
  std::vector<std::string> given = {};      // names to which the user gave values and that the argument rests on
};
// A call with what its arguments are worth.
struct SeenCall {
  std::size_t head = 0, head_line = 1;  // of what it calls
  std::string path;                     // Kernel::run
  std::size_t line = 1;                 // of the call
  bool uncalled = false;                // in a function that nothing calls, where the program has a main
  bool reached = true;                  // false: in the branch of a condition that does not hold with the values of the calls
  bool is_class = false;
  std::optional<std::size_t> inside;        // the head of the function that the call stands in
  bool in_main = false;                     // of a program of C++, which begins there
  std::vector<CalledParameter> parameters;  // those that it gives
};

// Which calls an evaluation came by.
struct CallWatch {
  std::vector<SeenCall> seen;
};

struct CalledValues {
  CalledBlocks blocks;
  std::vector<CalledFunction> functions;
};

// One call: its arguments. Several: what is the same in all of them, or the one that an entry names.
CalledValues values_by_calls(const std::vector<SeenCall>& seen, const std::vector<Entry>& entries);
// Does a note of what was stated speak of a default, "Stages = 3, its default in line 1", and not of a call or of the first thread?
bool rests_on_default(std::string_view note);
// Are the same parameters given the same values?
bool same_values(const CalledBlocks& a, const CalledBlocks& b);
// Does an entry name this function: Kernel::run by Kernel::run, Kernel.run and run?
bool names_function(std::string_view entry, std::string_view path);

// The parameters that a call gives, with what its arguments are worth; empty where it cannot be a call of this function. `arguments` and
// `templates`: one each of those that are written, null: not known.
struct WrittenArgument {
  std::string name;  // of a keyword; empty: by position
  CalledParameter value;
  bool is_splat = false;  // *x, **x: how many it stands for is not known
};
struct FittingCall {
  std::vector<CalledParameter> parameters;
  int exact = 0;  // of the arguments: those whose types are just what the function wants
};
std::optional<FittingCall> parameters_of_call(const Definition& definition, const Statement& head,
                                              const std::vector<WrittenArgument>& templates, const std::vector<WrittenArgument>& arguments);
// Of overloads that fit, those that fit best. Several: which of them it is is not known.
void keep_best(std::vector<std::pair<const Definition*, FittingCall>>& fitting);

}  // namespace tessera
