// SPDX-License-Identifier: BSD-3-Clause
// A lesson's words on the screen, wrapped.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/studio/pages/lesson_page.hpp"
#include "core/base/utf8.hpp"

namespace tessera::studio {
namespace {

constexpr float kLeading = 1.42f;  // from line to line, in heights of the type

constexpr float kGround = 0.22f;  // of code, at its left and right, in heights of its type

// A word with what it is set in, or a blank.
struct Piece {
  std::string_view text;
  WordLook look = WordLook::plain;
  float width = 0;                     // with what is around it
  bool blank = false, breaks = false;  // a new line begins behind it
  float before = 0;                    // room at its left, of the ground that code stands on
};

const Face& face_of(const LessonFaces& faces, WordLook look) {
  switch (look) {
    case WordLook::code: return faces.mono;
    case WordLook::strong: return faces.strong;
    case WordLook::plain:
    case WordLook::emphasis: return faces.body;
  }
  return faces.body;
}

float width_of(const Face& face, std::string_view text) {
  return text_size(face.font, face.size, text.data(), text.data() + text.size()).x;
}

// What is longer than a line is cut where the line ends.
void add_word(std::vector<Piece>& pieces, std::string_view word, WordLook look, const Face& face, float width) {
  while (!word.empty()) {
    // No letter is so narrow that more of them had room: a word of any length is measured a line at a time.
    std::string_view part = utf8_prefix(word, static_cast<std::size_t>(width / (face.size * 0.15f)) + 8);
    float wide = width_of(face, part);
    if (wide > width) {
      std::size_t bytes = std::max<std::size_t>(static_cast<std::size_t>(static_cast<float>(part.size()) * width / wide), 1);
      part = utf8_prefix(word, bytes);
      while (part.size() > 1 && width_of(face, part) > width) part = utf8_prefix(word, part.size() - 1);
      if (part.empty()) part = word.substr(0, 1);
      wide = width_of(face, part);
    }
    pieces.push_back({part, look, wide, false, false, 0});
    word.remove_prefix(part.size());
  }
}

std::vector<Piece> pieces_of(const WordLine& words, const LessonFaces& faces, float width) {
  std::vector<Piece> pieces;
  for (const WordRun& run : words) {
    const Face& face = face_of(faces, run.look);
    const std::string_view text = run.text;
    const std::size_t first = pieces.size();
    for (std::size_t at = 0; at < text.size();) {
      if (text[at] == ' ' || text[at] == '\n') {
        pieces.push_back({text.substr(at, 1), run.look, width_of(face, " "), true, text[at] == '\n', 0});
        ++at;
        continue;
      }
      const std::size_t end = std::min(text.find_first_of(" \n", at), text.size());
      add_word(pieces, text.substr(at, end - at), run.look, face, width);
      at = end;
    }
    if (run.look != WordLook::code || pieces.size() == first) continue;
    const float ground = face.size * kGround;
    pieces[first].before = ground;
    pieces[first].width += ground;
    pieces.back().width += ground;
  }
  return pieces;
}

class LineSetter {
 public:
  LineSetter(Ui& ui, const LessonFaces& faces, ImVec2 at, ImU32 ink) : ui_(ui), faces_(faces), at_(at), ink_(ink) {}

  // The lines that fit into the width, and where the last one ends.
  float set(const std::vector<Piece>& pieces, float width) {
    std::size_t begin = 0;
    while (begin < pieces.size()) {
      float x = 0;
      std::size_t end = begin;
      while (end < pieces.size() && !pieces[end].breaks) {
        // What stands without a blank in between stays together.
        std::size_t behind = end + 1;
        float wide = pieces[end].width;
        while (!pieces[end].blank && behind < pieces.size() && !pieces[behind].blank) wide += pieces[behind++].width;
        if (x > 0 && !pieces[end].blank && x + wide > width) {
          if (wide <= width) break;
          behind = end + 1;  // it is longer than a line
          if (x + pieces[end].width > width) break;
          wide = pieces[end].width;
        } else if (wide > width) {
          behind = end + 1;
          wide = pieces[end].width;
        }
        x += wide;
        end = behind;
      }
      line(pieces, begin, end);
      if (end < pieces.size() && pieces[end].breaks) ++end;
      while (end < pieces.size() && pieces[end].blank && !pieces[end].breaks) ++end;
      begin = end;
    }
    return at_.y;
  }

 private:
  void line(const std::vector<Piece>& pieces, std::size_t begin, std::size_t end) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float height = std::round(faces_.body.size * kLeading);
    float x = at_.x;
    for (std::size_t i = begin; i < end;) {
      // Words of one look are one text.
      std::size_t last = i + 1;
      while (last < end && pieces[last].look == pieces[i].look &&
             pieces[last - 1].text.data() + pieces[last - 1].text.size() == pieces[last].text.data())
        ++last;
      std::string_view text(pieces[i].text.data(),
                            static_cast<std::size_t>(pieces[last - 1].text.data() + pieces[last - 1].text.size() - pieces[i].text.data()));
      const Face& face = face_of(faces_, pieces[i].look);
      const float wide = width_of(face, text), y = std::round(at_.y + (height - face.size) / 2 + (faces_.body.size - face.size) * 0.3f);
      const std::string shown = printable(text);
      float whole = 0;
      for (std::size_t each = i; each < last; ++each) whole += pieces[each].width;
      const float end = x + whole;
      x += pieces[i].before;
      const float ground = face.size * kGround;
      if (pieces[i].look == WordLook::code)
        list->AddRectFilled({x - ground, at_.y + ui_.px(1)}, {x + wide + ground, at_.y + height - ui_.px(1)}, ui_.theme.raised, ui_.px(3));
      list->AddText(face.font, face.size, {x, y}, ink_, shown.c_str());
      if (pieces[i].look == WordLook::emphasis)
        list->AddLine({x, y + face.size + ui_.px(1)}, {x + wide, y + face.size + ui_.px(1)}, faded(ink_, 0.45f), std::max(ui_.px(1), 1.0f));
      x = end;
      i = last;
    }
    at_.y += height;
  }

  Ui& ui_;
  const LessonFaces& faces_;
  ImVec2 at_;
  ImU32 ink_;
};

void gap(const Ui& ui, float units) {
  ImGui::SetCursorScreenPos({ImGui::GetCursorScreenPos().x, ImGui::GetCursorScreenPos().y + ui.px(units)});
}

void draw_item(Ui& ui, const WordBlock& block, const LessonFaces& faces, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float indent = std::round(faces.body.size * (1.5f + 1.4f * static_cast<float>(std::min<std::size_t>(block.level, 6))));
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float height = faces.body.size * kLeading;
  if (block.sign.empty())
    list->AddCircleFilled({at.x + indent - faces.body.size * 0.8f, at.y + height / 2}, std::max(faces.body.size * 0.14f, 1.5f),
                          ui.theme.dim, 12);
  else
    list->AddText(
        faces.body.font, faces.body.size,
        {at.x + indent - width_of(faces.body, block.sign) - faces.body.size * 0.4f, std::round(at.y + (height - faces.body.size) / 2)},
        ui.theme.dim, block.sign.c_str());
  ImGui::SetCursorScreenPos({at.x + indent, at.y});
  draw_line_of_words(ui, block.words, faces, width - indent, ui.theme.text);
  ImGui::SetCursorScreenPos({at.x, ImGui::GetCursorScreenPos().y});
}

void draw_quotation(Ui& ui, const WordBlock& block, const LessonFaces& faces, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float indent = ui.px(14);
  ImGui::SetCursorScreenPos({at.x + indent, at.y});
  draw_line_of_words(ui, block.words, faces, width - indent, ui.theme.text);
  const float end = ImGui::GetCursorScreenPos().y;
  ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + ui.px(3), end}, ui.theme.accent, ui.px(1.5f));
  ImGui::SetCursorScreenPos({at.x, end});
}

float natural_width(const WordLine& cell, const LessonFaces& faces) {
  float wide = 0;
  for (const WordRun& run : cell) wide += width_of(face_of(faces, run.look), run.text);
  return wide;
}

void draw_table_of_words(Ui& ui, const WordBlock& block, const LessonFaces& faces, float width) {
  if (block.rows.empty() || block.rows.front().empty()) return;
  const std::size_t columns = block.rows.front().size();
  const float pad = ui.px(10);
  std::vector<float> wide(columns, ui.px(24));
  for (const auto& row : block.rows) {
    for (std::size_t i = 0; i < columns; ++i) wide[i] = std::max(wide[i], natural_width(row[i], faces) + 2 * pad + 1);
  }
  float all = 0;
  for (const float each : wide) all += each;
  // The widest columns give way.
  while (all > width) {
    float& most = *std::max_element(wide.begin(), wide.end());
    const float less = std::min(all - width, std::max(most * 0.25f, 1.0f));
    if (most - less < ui.px(40)) break;
    most -= less;
    all -= less;
  }
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList* list = ImGui::GetWindowDrawList();
  float y = at.y;
  for (std::size_t r = 0; r < block.rows.size(); ++r) {
    LessonFaces here = faces;
    if (r == 0) here.body = faces.strong;
    float x = at.x, below = y;
    for (std::size_t i = 0; i < columns; ++i) {
      ImGui::SetCursorScreenPos({x + pad, y + ui.px(4)});
      draw_line_of_words(ui, block.rows[r][i], here, wide[i] - 2 * pad, ui.theme.text);
      below = std::max(below, ImGui::GetCursorScreenPos().y);
      x += wide[i];
    }
    y = below + ui.px(4);
    list->AddLine({at.x, y}, {x, y}, r == 0 ? ui.theme.dim : ui.theme.border);
  }
  ImGui::SetCursorScreenPos({at.x, y});
}

}  // namespace

LessonFaces faces_of(const Ui& ui, bool for_a_class) {
  const Fonts& fonts = ui.fonts;
  if (!for_a_class) return {fonts.body, fonts.strong, fonts.title, fonts.mono};
  const Face &body = fonts.caption, &strong = Fonts::at_most(fonts.label, body.size);
  return {body, strong, strong, Fonts::at_most(fonts.cell, body.size * 0.97f)};
}

void draw_line_of_words(Ui& ui, const WordLine& words, const LessonFaces& faces, float width, ImU32 ink) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float wide = std::max(width, faces.body.size * 2);
  const float end = LineSetter(ui, faces, at, ink).set(pieces_of(words, faces, wide), wide);
  ui.recorder.add(plain_text(words), "text", "", at, {at.x + width, end});
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({1, std::max(end - at.y - ImGui::GetStyle().ItemSpacing.y, 1.0f)});
  ImGui::SetCursorScreenPos({at.x, end});
}

void draw_code(Ui& ui, std::string_view text, const Face& face, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float pad = ui.px(12), height = std::round(face.size * 1.4f);
  std::vector<std::string> lines;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    std::vector<Piece> parts;
    add_word(parts, text.substr(from, end - from), WordLook::code, face, width - 2 * pad);
    if (parts.empty()) lines.emplace_back();
    for (const Piece& each : parts) lines.push_back(printable(each.text));
    from = end + 1;
  }
  const float end = at.y + 2 * ui.px(8) + height * static_cast<float>(lines.size());
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(at, {at.x + width, end}, ui.theme.panel, ui.px(6));
  add_rect(list, at, {at.x + width, end}, ui.theme.border, ui.px(6), 1);
  float y = at.y + ui.px(8) + std::round((height - face.size) / 2);
  for (const std::string& line : lines) {
    const std::size_t comment = line.find('#');
    const std::string code = line.substr(0, comment);
    list->AddText(face.font, face.size, {at.x + pad, y}, ui.theme.text, code.c_str());
    if (comment != std::string::npos)
      list->AddText(face.font, face.size, {at.x + pad + width_of(face, code), y}, ui.theme.dim, line.c_str() + comment);
    y += height;
  }
  ui.recorder.add(text, "code", "", at, {at.x + width, end});
  ImGui::Dummy({1, std::max(end - at.y - ImGui::GetStyle().ItemSpacing.y, 1.0f)});
  ImGui::SetCursorScreenPos({at.x, end});
}

void draw_blocks(Ui& ui, const std::vector<WordBlock>& blocks, const LessonFaces& faces, float width) {
  using Kind = WordBlock::Kind;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const WordBlock& block = blocks[i];
    if (i > 0) gap(ui, block.kind == Kind::item && blocks[i - 1].kind == Kind::item ? 3 : 10);
    switch (block.kind) {
      case Kind::heading: {
        LessonFaces here = faces;
        here.body = here.strong = block.level <= 1 ? faces.title : faces.strong;
        draw_line_of_words(ui, block.words, here, width, block.level <= 1 ? ui.theme.text : ui.theme.dim);
        break;
      }
      case Kind::item: draw_item(ui, block, faces, width); break;
      case Kind::quotation: draw_quotation(ui, block, faces, width); break;
      case Kind::code: draw_code(ui, plain_text(block.words), faces.mono, width); break;
      case Kind::table: draw_table_of_words(ui, block, faces, width); break;
      case Kind::paragraph: draw_line_of_words(ui, block.words, faces, width, ui.theme.text); break;
    }
  }
}

}  // namespace tessera::studio
