// SPDX-License-Identifier: BSD-3-Clause
// Processes that leave the session of a program that was started, and outlive their parents: daemons. Killing the session's group does not
// reach them.
#pragma once

#include <sys/types.h>

#include <vector>

namespace tessera {

// While it lives, such a process becomes a child of this one; at its end all children that were not there before are killed, and theirs.
// One at a time, and nothing else may start processes meanwhile.
class Runaways {
 public:
  Runaways();
  ~Runaways();
  Runaways(const Runaways&) = delete;
  Runaways& operator=(const Runaways&) = delete;

 private:
  bool kill_all() const;  // whether there were any

  std::vector<pid_t> before_;
};

}  // namespace tessera
