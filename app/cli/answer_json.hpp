// SPDX-License-Identifier: BSD-3-Clause
// A value's answer as JSON members, written straight into the output: `batch` writes tens of thousands a second.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/lang/values/value.hpp"

namespace tessera {

// "kind":"layout","value":"(4,8):(8,1)",... without braces
void append_answer(std::string& out, const Value& value, const std::vector<Error>& warnings = {});
// "error":{"code":"parse","message":"...","span":[3,4],"notes":["..."]}
void append_error(std::string& out, const Error& error);
// ,"needs":["bM","bK"]; nothing where there are none
void append_json_list(std::string& out, std::string_view name, const std::vector<std::string>& items);

}  // namespace tessera
