// SPDX-License-Identifier: BSD-3-Clause
// Waiting for work of another thread: its progress is shown, and Ctrl-C, a kill and a terminal that closes ask it to end.
#pragma once

#include <functional>
#include <string>

namespace tessera {

// Returns once `running` says no. A signal calls `cancel`, so that a worker ends in order and a word is said; the second one ends the
// program as ever, and the worker dies with it.
void attend(const std::function<bool()>& running, const std::function<void()>& cancel, const std::function<std::string()>& progress);

}  // namespace tessera
