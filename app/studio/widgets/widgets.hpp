// SPDX-License-Identifier: BSD-3-Clause
// Widgets: ImGui's, in the studio's look, and written down. Each one records where it is and what it says, so that a test clicks a
// button by its label, and `--dump-ui` tells another program what is on the screen.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/studio/widgets/tab_ring.hpp"
#include "app/studio/widgets/theme.hpp"

namespace tessera::studio {

struct RecordedItem {
  std::string region;  // "Bindings", "Canvas picture", ...
  std::string label;   // what a person would call it
  std::string role;    // "button", "row", "edit", "tab", "text", "canvas", "splitter"
  std::string value;   // text of an edit, state of a tab
  float x = 0, y = 0, w = 0, h = 0;
};

// What one frame showed.
class Recorder {
 public:
  void clear() {
    items_.clear();
    regions_.clear();
    focused_.reset();
  }
  void enter(std::string_view region) { regions_.emplace_back(region); }
  void leave() { regions_.pop_back(); }
  void add(std::string_view label, std::string_view role, std::string_view value, ImVec2 a, ImVec2 b);
  const std::vector<RecordedItem>& items() const { return items_; }
  // The first item with this label, and role when one is named; null when none is shown.
  const RecordedItem* find(std::string_view label, std::string_view role = {}) const;
  std::string to_json() const;
  // The last item has the keyboard.
  void focus() { focused_ = items_.size() - 1; }
  const RecordedItem* focused() const { return focused_ ? &items_[*focused_] : nullptr; }  // null: none of this frame

 private:
  std::vector<RecordedItem> items_;
  std::vector<std::string> regions_;
  std::optional<std::size_t> focused_;
};

// What widgets need to draw themselves.
struct Ui {
  const Theme& theme;
  const Fonts& fonts;
  Recorder& recorder;
  float scale = 1;
  TabRing* ring = nullptr;  // of the dialog or popup that is being drawn
  float px(float units) const { return units * scale; }
};

// A part of the window with a name and a background; it scrolls when its content is too long.
class Region {
 public:
  Region(Ui& ui, const char* name, ImVec2 position, ImVec2 size, ImU32 background, float padding = 0, bool scrolls = true);
  ~Region();
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;

 private:
  Ui& ui_;
};

class WithFont {
 public:
  explicit WithFont(const Face& face) { push_font(face.font, face.size); }
  ~WithFont() { ImGui::PopFont(); }
  WithFont(const WithFont&) = delete;
  WithFont& operator=(const WithFont&) = delete;
};

// What is drawn while it lives is reached with Tab.
class InRing {
 public:
  InRing(Ui& ui, TabRing& ring);
  ~InRing();
  InRing(const InRing&) = delete;
  InRing& operator=(const InRing&) = delete;

 private:
  Ui& ui_;
  TabRing* around_;  // of the popup below this one
};

enum class ButtonLook { plain, quiet, primary, danger };

bool button(Ui& ui, const char* label, ButtonLook look = ButtonLook::plain, bool enabled = true, const char* tooltip = nullptr);
// A row of a popup; in a ring the keyboard comes to it and Enter chooses it.
bool choice(Ui& ui, const char* label, bool selected);
// A row of a menu: in a ring Up and Down come to it and Enter chooses it. A disabled one is passed over.
struct MenuRow {
  const std::string& label;
  std::string_view said;  // by the recorder
  const char* keys = nullptr;
  std::string_view why_not{};  // it is disabled
};
bool menu_row(Ui& ui, const MenuRow& row);
// The last item, which was recorded last, has the keyboard: shows it, and takes the keys that press it from everybody else.
bool pressed_by_key(Ui& ui);
// A sign that points to the left or right, such as for a panel that goes there.
bool chevron(Ui& ui, const char* label, bool left, ImVec2 size, const char* tooltip = nullptr);
// A button with a sign in the place of its label, which the tooltip and the recorder say.
enum class Sign { fit, larger, smaller, close, up, down };
bool sign_button(Ui& ui, const char* label, Sign sign, ImVec2 size, bool enabled = true, const char* tooltip = nullptr);
// Words at the mouse.
void tooltip(Ui& ui, std::string_view words);
void text(Ui& ui, std::string_view s, ImU32 color, const Face& face);
void wrapped_text(Ui& ui, std::string_view s, ImU32 color, const Face& face);
// "size      32": a name and a value in two columns.
void fact(Ui& ui, std::string_view name, std::string_view value);
// A small word on a coloured ground.
void badge(Ui& ui, std::string_view word, ImU32 color);
void heading(Ui& ui, std::string_view words);
// Of several lines the field is as high as they are, up to so many of them.
inline constexpr int kMostLines = 12;
bool edit(Ui& ui, const char* label, std::string& value, bool multiline, int most_lines = kMostLines);
// Tab, which leaves other fields, gives it the text that `completed` makes of what stands in it.
bool edit_with_tab(Ui& ui, const char* label, std::string& value, const std::function<std::string(const std::string&)>& completed);
// The same; where the cursor stands is told, and a part of the text can be replaced while the field has the keyboard.
struct FieldCursor {
  std::size_t at = 0;
  struct Replacement {
    std::size_t begin = 0, end = 0;
    std::string with;
  };
  std::optional<Replacement> replace{};  // in the next frame
  bool select_all = false;               // likewise; a click into a field of one line does it, too
};
bool edit_at(Ui& ui, const char* label, std::string& value, bool multiline, FieldCursor& cursor);
// With a word in it as long as it is empty.
bool edit_hinted(Ui& ui, const char* label, std::string& value, const char* hint);
// A field that is taken as a whole: with Enter, while Escape leaves it. Text of several lines can be pasted into one of `lines`.
enum class EditDone { typing, taken, left };
// Of lines, where the cursor stands is told.
EditDone edit_once(Ui& ui, const char* label, std::string& value, const char* hint, FieldCursor* lines = nullptr);
bool tab(Ui& ui, const char* label, bool selected);
// A bar to drag between two areas; true while `position` changes.
bool splitter(Ui& ui, const char* label, ImVec2 at, ImVec2 size, bool vertical, float& position, float least, float most, float direction);

// A document's expression as one line: comments and runs of white space become one blank.
std::string one_line(std::string_view expression);
std::string counted(std::size_t count, std::string_view one);  // "1 cell", "2 cells"
// The text cut to a width, with an ellipsis.
std::string elided(const Face& face, std::string_view s, float width);
// The same of a name whose end says as much as its beginning: the middle is left out.
std::string elided_middle(const Face& face, std::string_view name, float width);

}  // namespace tessera::studio
