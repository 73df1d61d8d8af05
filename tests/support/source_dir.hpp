// SPDX-License-Identifier: BSD-3-Clause
// Where the sources lie: known to one object file, so that a compiler cache serves every other one in any clone.
#pragma once

#include <string>

namespace tessera::test {

std::string source_dir();  // without a slash at its end

}  // namespace tessera::test
