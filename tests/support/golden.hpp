// SPDX-License-Identifier: BSD-3-Clause
// Golden files: what a figure looked like when a person last looked at it. TESSERA_ACCEPT=1 takes the present output; without it, a
// missing golden fails.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include "tests/support/source_dir.hpp"

namespace tessera::testing {

inline std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

inline bool accepting() {
  const char* accept = std::getenv("TESSERA_ACCEPT");
  return accept != nullptr && std::string(accept) == "1";
}

inline std::string golden_path(const std::string& name) { return test::source_dir() + "/tests/golden/" + name; }

// The golden's bytes; with TESSERA_ACCEPT=1 it is written first.
inline std::string golden(const std::string& name, const std::string& now) {
  const std::string path = golden_path(name);
  if (accepting()) {
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::ofstream(path, std::ios::binary) << now;
  }
  return read_file(path);
}

// The part of a page that a test writes: the lines between `<!-- NAME:begin ... -->` and `<!-- NAME:end -->`. Empty if there is none.
inline std::string golden_section(const std::string& page, const std::string& name, const std::string& now) {
  const std::string path = test::source_dir() + "/" + page;
  std::string text = read_file(path);
  const std::size_t mark = text.find("<!-- " + name + ":begin"), end = text.find("<!-- " + name + ":end");
  if (mark == std::string::npos || end == std::string::npos || end < mark) return {};
  const std::size_t begin = text.find('\n', mark) + 1;
  if (accepting()) std::ofstream(path, std::ios::binary) << text.replace(begin, end - begin, now);
  return accepting() ? now : text.substr(begin, end - begin);
}

}  // namespace tessera::testing
