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

// Runs a line of a shell in which `tessera` is the program under test; `home` is the home, with its settings and caches, and the working
// folder. Variables of `environment` are set for it: "PATH='...' A=1".
inline Run shell_in(const std::filesystem::path& home, const std::string& line, const std::string& input = {},
                    const std::string& environment = {}) {
  const TemporaryFolder beside;
  put(beside / "in", input);
  const std::string place = beside.path().string();
  const std::string command = "export HOME='" + home.string() + "' XDG_CONFIG_HOME= XDG_STATE_HOME= XDG_CACHE_HOME= " + environment +
                              "; tessera() { '" + program("tessera") + "' \"$@\"; }; cd '" + home.string() + "'; { " + line + "\n} < '" +
                              place + "/in' > '" + place + "/out' 2> '" + place + "/err'";
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, contents(beside / "out"), contents(beside / "err")};
}

// The same in a new, empty home.
inline Run shell(const std::string& line, const std::string& input = {}) {
  const TemporaryFolder home;
  return shell_in(home.path(), line, input);
}

inline bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace tessera::test
