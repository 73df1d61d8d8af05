// SPDX-License-Identifier: BSD-3-Clause
// When to sleep, when to draw, and what is done beside drawing.
#include "app/studio/frame/loop.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>

#include "app/studio/frame/describe.hpp"
#include "core/base/utf8.hpp"

namespace tessera::studio {
namespace {

// What is no widget's: shortcuts, files and the wish to close.
void take_input(App& app, InputFrame& input) {
  if (!input.shortcut.empty()) {
    const bool typing = ImGui::GetIO().WantTextInput;
    if (auto action = shortcut(app, input.shortcut, typing)) {
      // A document that is pasted into a field is opened, and the field gets nothing.
      if (typing && input.shortcut == kPasteKeys) ImGui::SetWindowFocus(nullptr);
      app.pending.push_back(std::move(*action));
    }
  }
  if (!input.dropped.empty()) app.pending.push_back(Drop{std::move(input.dropped)});
  if (input.close) app.pending.push_back(Quit{});
}

class Loop {
 public:
  Loop(App& app, Surface& surface) : app_(app), surface_(surface), checked_(surface.now()), saved_(surface.now()) {}

  void run(long most_frames) {
    for (long drawn = 0; (most_frames == 0 || drawn < most_frames) && !app_.quit;) {
      const bool asked = surface_.wait(most_frames > 0 ? 0 : seconds_to_sleep());
      if (asked || !surface_.input().empty()) awake_ = kSettleFrames;
      if (speaker_ && (speaker_->wait(0) || !speaker_->input().empty())) awake_ = kSettleFrames;
      if (speaker_ && surface_.now() >= ticks_) awake_ = std::max(awake_, 1);
      if (says_briefly() && surface_.now() >= brief_until_) awake_ = kSettleFrames;
      if (keep_files()) awake_ = kSettleFrames;
      if (awake_ == 0 && !app_.busy() && most_frames == 0) continue;
      awake_ = std::max(awake_ - 1, 0);
      draw_frame();
      ++drawn;
    }
  }

 private:
  bool says_briefly() const { return app_.status_until > 0; }
  bool unsaved() const { return app_.session.revision() != autosaved_; }

  double seconds_to_sleep() const {
    if (awake_ > 0 || !surface_.input().empty() || (speaker_ && !speaker_->input().empty())) return 0;
    double seconds = app_.figures.waiting() || app_.session.evaluating() || app_.reading() ? kFigureSeconds
                     : app_.busy()                                                         ? kBusySeconds
                                                                                           : -1;
    const auto at_most = [&](double due) { seconds = seconds < 0 ? std::max(due, 0.0) : std::min(seconds, std::max(due, 0.0)); };
    if (speaker_) at_most(ticks_ - surface_.now());
    if (says_briefly()) at_most(brief_until_ - surface_.now());
    if (app_.session.path() || app_.bench.source.open || app_.bench.lesson.open) at_most(checked_ + kFileCheckSeconds - surface_.now());
    if (unsaved()) at_most(saved_ + kAutosaveSeconds - surface_.now());
    return seconds == 0 ? 1e-3 : seconds;
  }

  // Looks after the document's file and its autosave; true when there is something to show.
  bool keep_files() {
    bool news = false;
    if (surface_.now() >= checked_ + kFileCheckSeconds) {
      checked_ = surface_.now();
      news = watch_file(app_);
    }
    if (unsaved() && surface_.now() >= saved_ + kAutosaveSeconds) {
      if (const Status status = app_.session.autosave(); !status) {
        complain(app_, status.error());
        news = true;
      }
      autosaved_ = app_.session.revision();
      saved_ = surface_.now();
    }
    return news;
  }

  void draw_frame() {
    InputFrame input = surface_.input().next();
    take_input(app_, input);
    const std::string wanted = app_.session.title() + (app_.session.dirty() ? " * - Tessera" : " - Tessera");
    if (wanted != title_) surface_.set_title(title_ = wanted);
    if (surface_.scale() != monitor_) {
      app_.monitor_scale = monitor_ = surface_.scale();
      app_.wanted_scale = scale_of(app_);
    }
    const std::uint64_t performed = app_.performed;
    const bool was_busy = app_.busy();
    if (app_.wanted_scale != app_.scale) scale_to(app_, app_.wanted_scale);
    surface_.frame(input, app_.textures, theme_of(app_.theme()).window, [&] { draw(app_); });
    keep_speaker();
    if (app_.full_screen != fills_) surface_.fill_screen(fills_ = app_.full_screen);
    brief_until_ = surface_.now() + app_.status_until - ImGui::GetTime();
    if (app_.describes) {
      for (const std::string& line : describer_.changes(app_)) std::fprintf(stderr, "%s\n", printable(line).c_str());
    }
    // What was done is not on the screen yet: panels are drawn before their answers are performed.
    if (app_.performed != performed || app_.busy() != was_busy) awake_ = kSettleFrames;
  }

  // The speaker's window lasts as long as the presentation and the wish for it.
  void keep_speaker() {
    bool& wanted = app_.bench.presenter.notes;
    if (!wanted || !app_.session.workspace().presenting) return speaker_.reset();
    if (!speaker_) {
      Result<std::unique_ptr<Surface>> opened = surface_.beside("Speaker - Tessera");
      wanted = opened.has_value();
      if (!opened) return complain(app_, opened.error());
      speaker_ = std::move(*opened);
    }
    constexpr double kTick = 1;  // seconds: of its clock
    ticks_ = surface_.now() + kTick;
    InputFrame input = speaker_->input().next();
    wanted = !std::exchange(input.close, false);
    take_input(app_, input);
    speaker_->frame(input, app_.textures, theme_of(app_.theme()).window, [&] { draw_speaker(app_); });
    if (!app_.pending.empty()) awake_ = kSettleFrames;
  }

  App& app_;
  Surface& surface_;
  std::unique_ptr<Surface> speaker_;
  double ticks_ = 0;    // when the speaker's clock moves on
  bool fills_ = false;  // the screen
  std::string title_;
  Describer describer_;
  int awake_ = kSettleFrames;
  float monitor_ = surface_.scale();
  double brief_until_ = 0;  // when a word that goes away by itself does, on the surface's clock
  double checked_, saved_;  // when the file was looked at and the autosave written
  std::uint64_t autosaved_ = app_.session.revision();
};

}  // namespace

Result<std::unique_ptr<Surface>> Surface::beside(const std::string&) {
  return Error{ErrorCode::not_representable, "there is no second window here", {}, {}};
}

void run(App& app, Surface& surface, long most_frames) {
  app.figures.be_patient(kPatience);
  Loop(app, surface).run(most_frames);
}

}  // namespace tessera::studio
