// SPDX-License-Identifier: BSD-3-Clause
// Stopping: the request of this thread is to end before its time, since nobody wants its answer any more.
//
//   const StoppedBy by(token);   // until the end of the scope
//   ... budget.late() ...        // true soon after the stop was asked for
//
// Whoever asks whether the time is over (budget.hpp) hears of it there, whichever budgets are nested in the scope. What comes of the
// request then is a refusal that nobody should see.
#pragma once

#include <stop_token>

namespace tessera {

class StoppedBy {
 public:
  explicit StoppedBy(std::stop_token token);
  ~StoppedBy();
  StoppedBy(const StoppedBy&) = delete;
  StoppedBy& operator=(const StoppedBy&) = delete;

 private:
  std::stop_token token_;
  const std::stop_token* outer_;
};

// Is the current request of this thread to end?
bool is_stopped();

}  // namespace tessera
