// SPDX-License-Identifier: BSD-3-Clause
// Notices that nobody is left to read this process's answers, also while its main thread waits for a kernel.
//
// A worker whose client was killed, or whose ssh lost its connection, would else compute for nobody. A pipe or socket tells when its
// last reader is gone; a file or a terminal never does. That stdin has ended says nothing: a client may ask, close and wait.
#pragma once

#include <functional>
#include <thread>

namespace tessera {

class OrphanWatch {
 public:
  // `on_orphaned` is called at most once, on a thread of the watch; it may end the process.
  OrphanWatch(int output, std::function<void()> on_orphaned);
  ~OrphanWatch();
  OrphanWatch(const OrphanWatch&) = delete;
  OrphanWatch& operator=(const OrphanWatch&) = delete;

 private:
  int stop_ = -1;  // an eventfd
  std::thread thread_;
};

}  // namespace tessera
