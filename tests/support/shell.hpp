// SPDX-License-Identifier: BSD-3-Clause
// The command line run by a shell, as a person or a script runs it.
#pragma once

#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/support/temporary_folder.hpp"

namespace tessera::test {

// The programs lie beside the tests.
inline std::string program(const char* name) { return (std::filesystem::read_symlink("/proc/self/exe").parent_path() / name).string(); }

struct Run {
  int code = -1;  // 128 + signal where the last command of the line was killed
  std::string out, err;
};

// Runs a line of a shell in which `tessera` is the program under test; settings and caches are a new, empty home, which is the working
// folder too.
inline Run shell(const std::string& line, const std::string& input = {}) {
  const TemporaryFolder folder;
  put(folder / "in", input);
  const std::string command = "export HOME='" + folder.path().string() +
                              "' XDG_CONFIG_HOME= XDG_STATE_HOME= XDG_CACHE_HOME=; tessera() { '" + program("tessera") +
                              "' \"$@\"; }; cd '" + folder.path().string() + "'; { " + line + "\n} < in > out.txt 2> err.txt";
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, contents(folder / "out.txt"), contents(folder / "err.txt")};
}

inline bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace tessera::test
