// SPDX-License-Identifier: BSD-3-Clause
// The folder that the build was configured for.
#include "tests/support/source_dir.hpp"

#include <string>

namespace tessera::test {

std::string source_dir() { return TESSERA_SOURCE_DIR; }

}  // namespace tessera::test
