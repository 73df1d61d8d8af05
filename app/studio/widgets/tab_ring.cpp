// SPDX-License-Identifier: BSD-3-Clause
#include "app/studio/widgets/tab_ring.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace tessera::studio {

void TabRing::walk(int by) {
  if (before_.empty()) return;
  const auto count = static_cast<std::ptrdiff_t>(before_.size());
  const auto here = std::find(before_.begin(), before_.end(), at_);
  const std::ptrdiff_t now = here != before_.end() ? here - before_.begin() : by > 0 ? -1 : count;
  wanted_ = before_[static_cast<std::size_t>((now + by + count) % count)];
}

void TabRing::begin() {
  if (ImGui::IsWindowAppearing()) *this = {};
  if (moving_ > 0) --moving_;
  before_ = std::exchange(stops_, {});
  const bool back = ImGui::GetIO().KeyShift;
  if (key_pressed(ImGuiKey_Tab) && (back || !keeps_tab_)) walk(back ? -1 : 1);
  if (has_rows_ && key_pressed(ImGuiKey_DownArrow)) walk(1);
  if (has_rows_ && key_pressed(ImGuiKey_UpArrow)) walk(-1);
  const bool on_button = at_ != 0 && at_kind_ == Stop::button && by_key_;
  if (on_button && key_pressed(ImGuiKey_RightArrow)) walk(1);
  if (on_button && key_pressed(ImGuiKey_LeftArrow)) walk(-1);
  keeps_tab_ = has_rows_ = false;
}

void TabRing::end() { wanted_ = 0; }  // it is drawn no longer

bool TabRing::stop(ImGuiID id, Stop kind) {
  has_rows_ = has_rows_ || kind == Stop::choices;
  stops_.push_back(id);
  if (wanted_ == id) {
    focus_next_item();  // which takes it from the field that has it, too
    be_at(id, kind, true);
    wanted_ = 0;
    moving_ = 2;
    return false;  // the key that led here does nothing else
  }
  return at_ == id && by_key_;
}

void TabRing::clicked(ImGuiID id) { be_at(id, Stop::button, false); }
void TabRing::be_in(ImGuiID field) {
  if (moving_ == 0 || field == at_) be_at(field, Stop::field, true);
}

void TabRing::be_at(ImGuiID id, Stop kind, bool by_key) {
  at_ = id;
  at_kind_ = kind;
  by_key_ = by_key;
}

}  // namespace tessera::studio
