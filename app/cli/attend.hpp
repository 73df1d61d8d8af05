// SPDX-License-Identifier: BSD-3-Clause
// Waiting for work of another thread: its progress is shown, and Ctrl-C, a kill and a terminal that closes ask it to end.
#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace tessera {

// Returns as soon as `ended`, which waits at most so long, says so. A signal calls `cancel`, so that a worker ends in order and a word is
// said; the second one ends the program as ever, and the worker dies with it.
void attend(const std::function<bool(std::chrono::milliseconds most)>& ended, const std::function<void()>& cancel,
            const std::function<std::string()>& progress);

}  // namespace tessera
