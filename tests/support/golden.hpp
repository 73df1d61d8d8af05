// SPDX-License-Identifier: BSD-3-Clause
// Golden files: what a figure looked like when a person last looked at it. TESSERA_ACCEPT=1 takes the present output; without it, a
// missing golden fails.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace tessera::testing {

inline std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

inline std::string golden_path(const std::string& name) { return std::string(TESSERA_SOURCE_DIR) + "/tests/golden/" + name; }

// The golden's bytes; with TESSERA_ACCEPT=1 it is written first.
inline std::string golden(const std::string& name, const std::string& now) {
  const std::string path = golden_path(name);
  if (const char* accept = std::getenv("TESSERA_ACCEPT"); accept != nullptr && std::string(accept) == "1") {
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::ofstream(path, std::ios::binary) << now;
  }
  return read_file(path);
}

}  // namespace tessera::testing
