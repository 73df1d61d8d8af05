// SPDX-License-Identifier: BSD-3-Clause
// StudioDriver: uses the studio as a person would, by clicking on what is written and typing, without a window.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/studio/frame/app.hpp"
#include "app/studio/frame/null_backend.hpp"
#include "app/studio/frame/side_pages.hpp"

namespace tessera::test {

class StudioDriver {
 public:
  struct OfFile {
    std::string path;
  };
  // A program of its own that has opened a file.
  explicit StudioDriver(const OfFile& file, int width = 1280, int height = 800) : backend_(width, height), app(1.0f) {
    backend_.start(app.textures);
    if (auto status = studio::open_document(app, file.path); !status) throw std::runtime_error(describe(status.error()));
    frames(3);
  }

  explicit StudioDriver(std::string_view document, int width = 1280, int height = 800) : backend_(width, height), app(1.0f) {
    backend_.start(app.textures);
    if (auto status = app.session.open_text(document, "test.tess"); !status) throw std::runtime_error(describe(status.error()));
    studio::show_document(app);
    frames(3);
  }

  void frames(int count) {
    for (int i = 0; i < count; ++i) {
      if (app.wanted_scale != app.scale) studio::scale_to(app, app.wanted_scale);
      backend_.frame(input_, [&] { studio::draw(app); });
      input_.wheel = {0, 0};
      input_.text.clear();
    }
  }

  void move(float x, float y) {
    input_.mouse = {x, y};
    frames(2);
  }
  void wheel(float steps) {
    input_.wheel = {0, steps};
    frames(2);
  }
  void drag(float dx, float dy, std::size_t button = 0) {
    input_.buttons[button] = true;
    frames(2);
    move(input_.mouse.x + dx, input_.mouse.y + dy);
    input_.buttons[button] = false;
    frames(2);
  }

  const studio::RecordedItem& item(std::string_view label, std::string_view role = {}) {
    const studio::RecordedItem* found = app.recorder.find(label, role);
    if (!found) throw std::runtime_error("nothing on the screen is called \"" + std::string(label) + "\"\n" + app.recorder.to_json());
    return *found;
  }
  // The same in one region only: a dialog's button may be called as one of the toolbar.
  const studio::RecordedItem& item_in(std::string_view region, std::string_view label) {
    for (const studio::RecordedItem& found : app.recorder.items()) {
      if (found.region == region && found.label == label) return found;
    }
    throw std::runtime_error("nothing in " + std::string(region) + " is called \"" + std::string(label) + "\"\n" + app.recorder.to_json());
  }
  // The title of the page at the right.
  std::string_view side_page() const { return studio::side_pages()[app.bench.side.page].title; }
  bool shows(std::string_view label, std::string_view role = {}) const { return app.recorder.find(label, role) != nullptr; }

  void click(std::string_view label, std::string_view role = {}) { click_on(item(label, role)); }
  void click_in(std::string_view region, std::string_view label) { click_on(item_in(region, label)); }
  void click_on(const studio::RecordedItem target) {
    move(target.x + target.w / 2, target.y + target.h / 2);
    input_.buttons[0] = true;
    frames(2);
    input_.buttons[0] = false;
    frames(3);
  }

  // As a window gives it: what happened while a frame was drawn comes at once, and the queue divides it.
  void at_once(std::vector<studio::InputEvent> events) {
    for (studio::InputEvent& event : events) queue_.add(std::move(event));
    while (!queue_.empty()) {
      input_ = queue_.next();
      frames(1);
    }
    frames(2);
  }

  // A row of a menu.
  void choose(std::string_view menu, std::string_view row) {
    click(menu, "button");
    click(row, "menu item");
  }

  void type(std::string_view text) {
    for (const char c : text) {
      input_.text = std::u32string(1, static_cast<char32_t>(c));
      frames(1);
    }
    frames(2);
  }
  void hold_ctrl(bool held) {
    input_.modifiers.ctrl = held;
    frames(1);
  }
  void press(ImGuiKey key) {
    input_.keys = {key};
    frames(1);
    input_.keys = {};
    frames(1);
  }

  void press_with(ImGuiKey key, studio::Modifiers modifiers) {
    input_.modifiers = modifiers;
    press(key);
    input_.modifiers = {};
    frames(2);
  }
  // A shortcut, unless what has the keyboard uses its keys itself.
  void chord(const studio::Chord& keys) {
    if (auto action = studio::shortcut(app, keys, ImGui::GetIO().WantTextInput)) app.pending.push_back(std::move(*action));
    frames(3);
  }
  void click_right(std::string_view label, std::string_view role) {
    const studio::RecordedItem target = item(label, role);
    click_right_at({target.x + target.w / 2, target.y + target.h / 2});
  }
  void click_right_at(ImVec2 at) {
    move(at.x, at.y);
    input_.buttons[1] = true;
    frames(2);
    input_.buttons[1] = false;
    frames(3);
  }
  void hold_button(bool held) {
    input_.buttons[0] = held;
    frames(2);
  }

  // Replaces what stands in a text field.
  void retype(std::string_view label, std::string_view text) {
    click(label, "edit");
    input_.modifiers.ctrl = true;
    input_.keys = {ImGuiKey_A};
    frames(1);
    input_.keys = {};
    frames(1);
    input_.modifiers.ctrl = false;
    frames(1);
    type(text);
  }

  studio::NullBackend& backend() { return backend_; }

  studio::Image picture() const { return backend_.picture(app.textures, studio::theme_of(app.theme()).window); }

  // The middle of a cell of a figure on the screen.
  ImVec2 cell_on_screen(const std::string& figure, float column, float row) {
    const studio::RecordedItem& canvas = item(figure, "canvas");
    const studio::Camera& camera = app.bench.canvases.at(figure).camera;
    const ImVec2 at = camera.to_screen(column + 0.5f, row + 0.5f);
    return {canvas.x + at.x, canvas.y + at.y};
  }

 private:
  studio::NullBackend backend_;
  studio::InputFrame input_;
  studio::InputQueue queue_;  // of at_once

 public:
  studio::App app;
};

inline std::size_t different_pixels(const studio::Image& a, const studio::Image& b) {
  std::size_t count = 0;
  for (std::size_t i = 0; i + 3 < a.rgba.size() && i + 3 < b.rgba.size(); i += 4) {
    count += a.rgba[i] != b.rgba[i] || a.rgba[i + 1] != b.rgba[i + 1] || a.rgba[i + 2] != b.rgba[i + 2];
  }
  return count;
}

}  // namespace tessera::test
