// SPDX-License-Identifier: BSD-3-Clause
// The keyboard's way through a dialog: Tab and Shift+Tab go from stop to stop in the order in which they are drawn, across the parts of a
// window, which ImGui's own Tab does not leave; Left and Right do it between buttons. Where there are rows of words Up and Down do it, too,
// and Left and Right choose in the row.
#pragma once

#include <cstdint>
#include <vector>

#include "app/studio/widgets/imgui_compat.hpp"

namespace tessera::studio {

class TabRing {
 public:
  // Around what a dialog draws in a frame.
  void begin();
  void end();
  enum class Stop : std::uint8_t { button, field, choices };
  // Called in front of each stop. True where the keyboard is on it; for a field ImGui then says so itself.
  bool stop(ImGuiID id, Stop kind);
  void start_at(ImGuiID id) { wanted_ = id; }                // before that stop, in the first frame
  void clicked(ImGuiID id);                                  // Tab goes on from there, but the keyboard presses what it pressed before
  void be_in(ImGuiID field);                                 // ImGui says that it has the keyboard
  bool has_keyboard() const { return at_ != 0 && by_key_; }  // it is on one of the stops
  void keep_tab() { keeps_tab_ = true; }                     // a field uses Tab itself in the next frame

 private:
  void walk(int by);
  void be_at(ImGuiID id, Stop kind, bool by_key);

  std::vector<ImGuiID> stops_, before_;  // of this frame and of the last
  ImGuiID at_ = 0, wanted_ = 0;
  Stop at_kind_ = Stop::button;
  int moving_ = 0;  // frames in which the field that was left still says that it has the keyboard
  bool by_key_ = false, keeps_tab_ = false, has_rows_ = false;
};

}  // namespace tessera::studio
