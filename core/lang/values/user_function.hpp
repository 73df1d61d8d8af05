// SPDX-License-Identifier: BSD-3-Clause
// let tile(m, n) = make_layout((m, n)), and C++'s template <int M> using Tile = ...: an expression with parameters. It means what its names
// meant where it was written.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.hpp"
#include "core/lang/values/value.hpp"

namespace tessera {

// What stands between the brackets of a call. The last `templates` values are those between < and >.
struct CallArguments {
  std::vector<std::string_view> names;  // one each of `values`; empty: given by position
  std::vector<Value> values;
  std::size_t templates = 0;
  std::vector<bool> unknown{};  // one each of `values`, or none: nothing is known of it (WithUnknownArguments)
};

struct UserFunction {
  std::string name;
  std::vector<std::string> parameters;
  std::string expression;
  std::vector<std::pair<std::string, Value>> captured;  // names of its expression, as they were where it was written
  // Of a function that a program defines, and of a class or an object with its methods: what a call gives. The method's name is empty where
  // the thing itself is called. Empty: the expression is the function.
  std::function<Result<Value>(std::string_view method, CallArguments arguments)> body{};
  bool is_object = false;   // a class or an object: `captured` are its members
  bool is_class = false;    // what makes objects
  bool is_partial = false;  // an object that was made with arguments of which nothing is known: it may have more members
  bool in_smem = false;     // an object in shared memory: members that are not known lie there, too
};

}  // namespace tessera
