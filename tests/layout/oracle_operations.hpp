// SPDX-License-Identifier: BSD-3-Clause
// One row of the CuTe oracle, and what this engine answers to it, as text.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tests/support/literals.hpp"

namespace tessera::oracle {

// What a row holds after `result`: a text, or a list of texts.
using Answer = std::vector<std::string>;
using Row = nlohmann::json;

inline std::string text(const Row& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

// The operations by name; each reads its arguments from row["args"].
const std::map<std::string, std::function<Result<Answer>(const Row& args)>>& operations();

}  // namespace tessera::oracle
