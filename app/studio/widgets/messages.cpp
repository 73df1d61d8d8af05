// SPDX-License-Identifier: BSD-3-Clause
#include "app/studio/widgets/messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace tessera::studio {

void Messages::add(std::string words, bool is_error) {
  if (!all_.empty() && all_.back().words == words && all_.back().is_error == is_error) {
    ++all_.back().times;
    all_.back().seen = false;
    return;
  }
  all_.push_back({std::move(words), is_error});
  if (all_.size() > kMostMessages) all_.pop_front();
}

void Messages::see_all() {
  for (Message& each : all_) each.seen = true;
}

std::size_t Messages::unseen_errors() const {
  return static_cast<std::size_t>(std::count_if(all_.begin(), all_.end(), [](const Message& each) { return each.is_error && !each.seen; }));
}

namespace {

// An error is told without its colour too.
std::string line_of(const Message& message) {
  return fmt::format("{}{}{}", message.is_error ? "error: " : "", message.words,
                     message.times > 1 ? fmt::format("  ({} times)", message.times) : std::string());
}

}  // namespace

void draw_messages(Ui& ui, const Messages& messages, float height) {
  Region region(ui, "Message log", ImGui::GetCursorScreenPos(), {ImGui::GetContentRegionAvail().x, height}, ui.theme.window, 10);
  if (messages.all().empty()) text(ui, "nothing was said yet", ui.theme.dim, ui.fonts.body);
  for (auto each = messages.all().rbegin(); each != messages.all().rend(); ++each)
    wrapped_text(ui, line_of(*each), each->is_error ? ui.theme.bad : ui.theme.text, ui.fonts.body);
}

std::string to_text(const Messages& messages) {
  std::string text;
  for (const Message& each : messages.all()) text += line_of(each) + "\n";
  return text;
}

}  // namespace tessera::studio
