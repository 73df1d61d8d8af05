// SPDX-License-Identifier: BSD-3-Clause
// Colours: what a number (a thread, a value, an offset, a bank) looks like, in one table for every renderer.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.hpp"
#include "core/diagram/scene/scene.hpp"

namespace tessera {

// The ink of texts and strong lines, and the paper behind them.
inline constexpr Rgb kInk{27, 31, 39};
inline constexpr Rgb kPaper{255, 255, 255};
// Texts that stand back, on light cells and on dark ones.
inline constexpr Rgb kFaintInk{96, 102, 114};
inline constexpr Rgb kFaintPaper{176, 182, 194};

inline constexpr double kReadable = 4.5;  // WCAG 2's least contrast of a text

double contrast(Rgb a, Rgb b);  // WCAG 2: 1 (equal) .. 21 (black on white)
// Ink or paper, whichever can be read better on `fill`; black on the few greys between, where neither reaches kReadable.
Rgb text_color(Rgb fill);
Rgb faint_text_color(Rgb fill);       // the same for texts that stand back, on fills that do
Rgb mix(Rgb a, Rgb b, double share);  // share of b: 0 gives a
// `fill` as it stands back on `page`: little of it is left, and faint text can be read on it.
Rgb faded_fill(Rgb fill, Rgb page = kPaper);

// One palette that has a name, and when to take it.
struct PaletteRow {
  std::string_view name, help;
};

// A palette gives categories (threads, values, banks) and ramps (offsets) their colours. text_color reads on each of them at a
// contrast of at least 4.5.
class Palette {
 public:
  // A name of `rows`, where "" is the first one; or 2 to 64 colours of one's own, "#0072b2, #e69f00 #093": # and six or three
  // hexadecimal digits each, with commas or blanks between. Refuses other names, and names the first word that is no colour.
  static Result<Palette> find(std::string_view text);
  static std::span<const PaletteRow> rows();

  std::string_view name() const { return name_; }
  // The colour of category `index` of `count`. Mostly up to 8 hues, each in up to 4 shades, so 32 categories stay apart: in a
  // warp, neighbours of a quad share the hue, and no two lanes look the same. After the last colour the first comes again.
  Rgb category(std::int64_t index, std::int64_t count) const;
  // `position` 0..1 on a ramp that orders offsets, in 64 steps: from light to dark, from dark to light where the page is dark
  // and in viridis, and through colours of one's own in their order.
  Rgb ramp(double position) const;
  // print_latex's own rules: index % 8 in a table of greys, thread % 8 in a table of pastels; or white throughout.
  Rgb latex_index(std::int64_t index) const;
  Rgb latex_thread(std::int64_t thread) const;
  // The page that it is made for, and texts and lines on that page.
  Rgb paper() const;
  Rgb ink() const;

 private:
  enum class Id : std::uint8_t { tessera, okabe_ito, viridis, greys, dark, print_latex, white, own };
  Palette(Id id, std::string_view name, std::vector<Rgb> own = {}) : id_(id), name_(name), own_(std::move(own)) {}
  static Result<Palette> read_own(std::string_view text);

  Id id_;
  std::string name_;
  std::vector<Rgb> own_;  // of Id::own
};

// A grey, or a tint close to one, of a white page as it stands on another: as far from its paper towards its ink.
Rgb on_page(Rgb on_white, const Page& page);

}  // namespace tessera
