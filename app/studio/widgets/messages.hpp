// SPDX-License-Identifier: BSD-3-Clause
// Messages: what the studio has said, the last of it in the status line, all of it in a log. Errors count until the person has seen them.
#pragma once

#include <cstddef>
#include <deque>
#include <string>

#include "app/studio/widgets/widgets.hpp"

namespace tessera::studio {

struct Message {
  std::string words;
  bool is_error = false, seen = false;
  int times = 1;  // in a row
};

constexpr std::size_t kMostMessages = 200;

class Messages {
 public:
  void add(std::string words, bool is_error);
  void see_all();
  const std::deque<Message>& all() const { return all_; }  // the oldest first
  std::size_t unseen_errors() const;

 private:
  std::deque<Message> all_;
};

// The log, the newest first, in a region of this height.
void draw_messages(Ui& ui, const Messages& messages, float height);
// All of them as text, a line each.
std::string to_text(const Messages& messages);

}  // namespace tessera::studio
