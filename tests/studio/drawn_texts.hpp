// SPDX-License-Identifier: BSD-3-Clause
// The texts of a frame, read from what it hands to the graphics card: every letter is a rectangle of the font's texture. What lies under an
// opaque rectangle that was drawn later is not seen, and is no text.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "app/studio/widgets/imgui_compat.hpp"
#include "core/base/utf8.hpp"

namespace tessera::test {

struct Letter {
  float x0, y0, x1, y1;    // pixels; what is seen of it
  std::size_t text;        // which it belongs to
  bool cut = false;        // at the left or right of the part of the window that it is drawn in
  bool cut_level = false;  // at the top or bottom
};

struct DrawnText {
  std::string words;  // without blanks
  std::string window;
  float size = 0;  // of its type, in pixels
  float x0 = 1e9f, y0 = 1e9f, x1 = -1e9f, y1 = -1e9f;
  bool cut = false, cut_level = false;
};

class DrawnTexts {
 public:
  explicit DrawnTexts(const ImDrawData& data) {
    read_faces();
    for (int i = 0; i < data.CmdListsCount; ++i) read(*data.CmdLists[i]);
    for (const Letter& each : letters_) {
      if (each.x1 <= each.x0) continue;
      DrawnText& text = texts_[each.text];
      text.x0 = std::min(text.x0, each.x0);
      text.y0 = std::min(text.y0, each.y0);
      text.x1 = std::max(text.x1, each.x1);
      text.y1 = std::max(text.y1, each.y1);
      text.cut = text.cut || each.cut;
      text.cut_level = text.cut_level || each.cut_level;
    }
  }

  const std::vector<DrawnText>& all() const { return texts_; }

  // Pairs of texts that lie over one another, in words.
  std::vector<std::string> intersections() const {
    std::vector<std::string> found;
    std::map<std::pair<std::size_t, std::size_t>, bool> told;
    for (std::size_t i = 0; i < letters_.size(); ++i) {
      const Letter& a = letters_[i];
      if (a.x1 <= a.x0) continue;
      each_near(a, [&](std::size_t j) {
        const Letter& b = letters_[j];
        if (j <= i || b.text == a.text || b.x1 <= b.x0) return;
        // Letters that stand beside each other may share their smoothed edges.
        constexpr float kEdge = 1.2f;
        if (std::min(a.x1, b.x1) - std::max(a.x0, b.x0) <= kEdge || std::min(a.y1, b.y1) - std::max(a.y0, b.y0) <= kEdge) return;
        if (is_same(texts_[a.text], texts_[b.text]) || std::exchange(told[{a.text, b.text}], true)) return;
        found.push_back("\"" + texts_[a.text].words + "\" and \"" + texts_[b.text].words + "\" at " +
                        std::to_string(static_cast<int>(a.x0)) + "," + std::to_string(static_cast<int>(a.y0)) + " in " +
                        texts_[a.text].window);
      });
    }
    return found;
  }

  // Texts that are cut at the edge of the part that they are drawn in. A list that scrolls may cut its first and last line.
  std::vector<std::string> cut(bool level_too) const {
    std::vector<std::string> found;
    for (const DrawnText& each : texts_) {
      if (each.window.find("##expression of") != std::string::npos) continue;  // a field scrolls with what is typed
      if (each.cut || (level_too && each.cut_level))
        found.push_back("\"" + each.words + "\" at " + std::to_string(static_cast<int>(each.x0)) + "," +
                        std::to_string(static_cast<int>(each.y0)) + " in " + each.window);
    }
    return found;
  }

 private:
  // A name in another colour over itself.
  static bool is_same(const DrawnText& a, const DrawnText& b) {
    return (a.words == b.words || b.words.starts_with(a.words) || a.words.starts_with(b.words) ||
            a.words.find(b.words) != std::string::npos) &&
           a.size == b.size && a.y0 <= b.y0 + 1 && a.y1 >= b.y1 - 1 && a.x0 <= b.x0 + 1 && a.x1 >= b.x1 - 1;
  }

  static constexpr int kBucket = 48;  // pixels
  static std::int64_t bucket(int x, int y) { return (std::int64_t{y} << 32) + x; }
  template <class Use>
  void each_near(const Letter& of, Use use) const {
    for (int y = static_cast<int>(of.y0) / kBucket; y <= static_cast<int>(of.y1) / kBucket; ++y) {
      for (int x = static_cast<int>(of.x0) / kBucket; x <= static_cast<int>(of.x1) / kBucket; ++x) {
        const auto found = buckets_.find(bucket(x, y));
        if (found == buckets_.end()) continue;
        for (const std::size_t i : found->second) use(i);
      }
    }
  }
  void keep(std::size_t letter) {
    const Letter& of = letters_[letter];
    for (int y = static_cast<int>(of.y0) / kBucket; y <= static_cast<int>(of.y1) / kBucket; ++y) {
      for (int x = static_cast<int>(of.x0) / kBucket; x <= static_cast<int>(of.x1) / kBucket; ++x) buckets_[bucket(x, y)].push_back(letter);
    }
  }

  std::int64_t place_of(float u, float v) const {
    const ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    return (std::int64_t{std::lround(v * static_cast<float>(atlas.TexHeight) * 4)} << 32) +
           std::lround(u * static_cast<float>(atlas.TexWidth) * 4);
  }
  void read_faces() {
    for (const ImFont* font : ImGui::GetIO().Fonts->Fonts) {
      for (const ImFontGlyph& glyph : font->Glyphs)
        signs_.emplace(place_of(glyph.U0, glyph.V0), std::pair(static_cast<char32_t>(glyph.Codepoint), font->FontSize));
    }
  }

  void read(const ImDrawList& list) {
    const ImVec2 white = ImGui::GetIO().Fonts->TexUvWhitePixel;
    const Letter* last = nullptr;
    ImU32 last_color = 0;
    for (const ImDrawCmd& cmd : list.CmdBuffer) {
      if (cmd.UserCallback) continue;
      const bool is_font = cmd.TextureId == ImGui::GetIO().Fonts->TexID;
      const ImDrawIdx* indices = list.IdxBuffer.Data + cmd.IdxOffset;
      const auto vertex = [&](unsigned i) -> const ImDrawVert& { return list.VtxBuffer[static_cast<int>(cmd.VtxOffset + indices[i])]; };
      for (unsigned i = 0; i + 2 < cmd.ElemCount;) {
        const bool is_quad = i + 5 < cmd.ElemCount && indices[i + 3] == indices[i] && indices[i + 4] == indices[i + 2] &&
                             indices[i + 1] == indices[i] + 1 && indices[i + 2] == indices[i] + 2 && indices[i + 5] == indices[i] + 3;
        if (is_quad) {
          const ImDrawVert &a = vertex(i), &b = vertex(i + 1), &c = vertex(i + 2);
          const bool is_level = a.pos.y == b.pos.y && b.pos.x == c.pos.x;
          const bool is_opaque = (a.col >> IM_COL32_A_SHIFT) == 255;
          const bool is_plain = a.uv.x == white.x && c.uv.x == white.x && a.uv.y == white.y && c.uv.y == white.y;
          if (is_level && is_opaque && (is_plain || !is_font)) hide(clipped({a.pos.x, a.pos.y, c.pos.x, c.pos.y}, cmd.ClipRect));
          const bool is_sign = is_font && is_level && !is_plain && a.uv.x != c.uv.x && a.uv.y != c.uv.y;
          if (is_sign && (a.col >> IM_COL32_A_SHIFT) > 16) {
            add(a, c, cmd.ClipRect, last, a.col != last_color, list);
            last = &letters_.back();
            last_color = a.col;
          }
          i += 6;
          continue;
        }
        // A fan of one colour is a rectangle with round corners.
        unsigned end = i;
        ImVec4 box(1e9f, 1e9f, -1e9f, -1e9f);
        const ImU32 color = vertex(i).col;
        const bool is_plain = is_font && vertex(i).uv.x == white.x && vertex(i).uv.y == white.y;
        for (; end + 2 < cmd.ElemCount && indices[end] == indices[i]; end += 3) {
          if (vertex(end + 1).col != color || vertex(end + 2).col != color) break;
          for (unsigned k = 0; k < 3; ++k) {
            const ImVec2 p = vertex(end + k).pos;
            box = {std::min(box.x, p.x), std::min(box.y, p.y), std::max(box.z, p.x), std::max(box.w, p.y)};
          }
        }
        if (end > i + 6 && is_plain && (color >> IM_COL32_A_SHIFT) == 255) hide(clipped(box, cmd.ClipRect));
        i = std::max(end, i + 3);
      }
    }
  }

  static ImVec4 clipped(const ImVec4& r, const ImVec4& by) {
    return {std::max(r.x, by.x), std::max(r.y, by.y), std::min(r.z, by.z), std::min(r.w, by.w)};
  }

  void add(const ImDrawVert& a, const ImDrawVert& c, const ImVec4& clip, const Letter* last, bool other_color, const ImDrawList& list) {
    const auto sign = signs_.find(place_of(a.uv.x, a.uv.y));
    const ImVec4 seen = clipped({a.pos.x, a.pos.y, c.pos.x, c.pos.y}, clip);
    Letter letter{seen.x, seen.y, seen.z, seen.w, 0};
    if (seen.z <= seen.x || seen.w <= seen.y) letter.x1 = letter.x0;
    constexpr float kSmoothed = 1.1f;  // pixels at a letter's edge
    const bool shown = letter.x1 > letter.x0;
    letter.cut = shown && (seen.x - a.pos.x > kSmoothed || c.pos.x - seen.z > kSmoothed);
    letter.cut_level = shown && (seen.y - a.pos.y > kSmoothed || c.pos.y - seen.w > kSmoothed);
    const float size = sign == signs_.end() ? 0 : sign->second.second;
    bool goes_on = false;
    if (last && !other_color && !texts_.empty() && texts_.back().window == list._OwnerName && texts_.back().size == size) {
      const float gap = a.pos.x - last_end_;
      goes_on = gap > -1.5f && gap < 0.45f * size && std::min(c.pos.y, last_y1_) - std::max(a.pos.y, last_y0_) > -0.5f * size &&
                std::abs((a.pos.y + c.pos.y) - (last_y0_ + last_y1_)) < 1.2f * size;
    }
    if (!goes_on) {
      texts_.emplace_back();
      texts_.back().window = list._OwnerName;
      texts_.back().size = size;
    }
    if (sign != signs_.end()) append_utf8(texts_.back().words, sign->second.first);
    letter.text = texts_.size() - 1;
    last_end_ = c.pos.x;
    last_y0_ = a.pos.y;
    last_y1_ = c.pos.y;
    letters_.push_back(letter);
    if (shown) keep(letters_.size() - 1);
  }

  // What an opaque rectangle covers is not seen.
  void hide(const ImVec4& r) {
    if (r.z - r.x < 2 || r.w - r.y < 2) return;
    each_near({r.x, r.y, r.z, r.w, 0}, [&](std::size_t i) {
      Letter& l = letters_[i];
      if (l.x1 <= l.x0 || r.x >= l.x1 || r.z <= l.x0 || r.y >= l.y1 || r.w <= l.y0) return;
      const bool wide = r.x <= l.x0 + 1 && r.z >= l.x1 - 1, high = r.y <= l.y0 + 1 && r.w >= l.y1 - 1;
      if (wide && high)
        l.x1 = l.x0;
      else if (wide && r.y <= l.y0)
        l.y0 = r.w;
      else if (wide && r.w >= l.y1)
        l.y1 = r.y;
      else if (high && r.x <= l.x0)
        l.x0 = r.z;
      else if (high && r.z >= l.x1)
        l.x1 = r.x;
    });
  }

  std::vector<Letter> letters_;
  std::vector<DrawnText> texts_;
  std::unordered_map<std::int64_t, std::vector<std::size_t>> buckets_;  // letters by where they are
  std::unordered_map<std::int64_t, std::pair<char32_t, float>> signs_;  // by their place in the texture: the letter, and its face's size
  float last_end_ = 0, last_y0_ = 0, last_y1_ = 0;
};

}  // namespace tessera::test
