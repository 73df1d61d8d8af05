// SPDX-License-Identifier: BSD-3-Clause
// A subreaper (prctl) gets the processes that lose their parents; /proc names them.
#include "app/session/files/runaways.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tessera {
namespace {

namespace fs = std::filesystem;

// The process's parent; 0 where it is not known. A name with brackets may stand before it: "7 (a) b) S 1 ...".
pid_t parent_of(const fs::path& process) {
  std::string stat;
  std::getline(std::ifstream(process / "stat"), stat);
  const std::size_t name_end = stat.rfind(')');
  if (name_end == std::string::npos) return 0;  // it has ended meanwhile
  std::istringstream behind_name(stat.substr(name_end + 1));
  std::string state;
  pid_t parent = 0;
  behind_name >> state >> parent;
  return parent;
}

// The children of this process, by their numbers.
std::vector<pid_t> children() {
  std::vector<pid_t> found;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/proc", ignored)) {
    const std::string number = entry.path().filename().string();
    if (number.find_first_not_of("0123456789") == std::string::npos && parent_of(entry.path()) == ::getpid())
      found.push_back(static_cast<pid_t>(std::stoi(number)));
  }
  return found;
}

}  // namespace

Runaways::Runaways() : before_(children()) { ::prctl(PR_SET_CHILD_SUBREAPER, 1); }

Runaways::~Runaways() {
  constexpr int kMostGenerations = 100;  // a killed one leaves its own children
  for (int i = 0; i < kMostGenerations && kill_all(); ++i) {
  }
  ::prctl(PR_SET_CHILD_SUBREAPER, 0);
}

bool Runaways::kill_all() const {
  bool any = false;
  for (const pid_t child : children()) {
    if (std::find(before_.begin(), before_.end(), child) != before_.end()) continue;
    any = true;
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
  }
  return any;
}

}  // namespace tessera
