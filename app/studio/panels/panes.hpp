// SPDX-License-Identifier: BSD-3-Clause
// The middle of the window: the tree of panes, with bars to drag between them; or the one figure that is presented.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/studio/panels/panels.hpp"

namespace tessera::studio {

// What a presentation has beside its place in the document.
struct PresenterState {
  enum class Blank : std::uint8_t { no, black, white } blank = Blank::no;
  bool pointer = false;  // a red light in the place of the mouse
  bool notes = false;    // the speaker's window is wanted
  double began = 0;      // in seconds of ImGui's clock
};

struct PanesInput {
  const Session& session;
  FigureCache& figures;
  Textures& textures;
  const Hovered* hovered;  // of the last frame
  std::map<std::string, CanvasState>& canvases;
  SelectionLights& lights;
  ChangedCells& changed;
  FigureBarState& bar;
  Picks& picks;
  const PresenterState& presenter;
};

struct PanesOutput {
  std::vector<Action> actions;
  std::optional<Hovered> hovered;
  std::optional<Arrangement> arranged;  // where the studio arranges the figures itself, and found a better way
};

PanesOutput draw_panes(Ui& ui, const PanesInput& input, const ScreenRect& area);

// One figure of a presentation, and the words above it in the document.
PanesOutput draw_presentation(Ui& ui, const PanesInput& input, const ScreenRect& area);
// The speaker's window: what is presented, what comes with the next step, the notes, and the time.
struct SpeakerInput {
  const PanesInput& panes;
  std::string clock, elapsed;  // "14:05", "12:30"
};
PanesOutput draw_speaker(Ui& ui, const SpeakerInput& input, const ScreenRect& area);

// A canvas is called as its binding; a second one of the same binding by its place, too.
std::string canvas_name(const Arrangement& all, const PanePlace& place);

}  // namespace tessera::studio
