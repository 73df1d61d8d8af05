// SPDX-License-Identifier: BSD-3-Clause
// The tables of colours, and the arithmetic that keeps text readable on them.
#include "core/diagram/scene/palette.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/atom/instructions/catalog.hpp"
#include "core/diagram/scene/color_difference.hpp"

namespace tessera {

namespace {

constexpr Rgb kBlack{0, 0, 0};
constexpr Rgb kDarkPaper{24, 27, 34};
constexpr Rgb kDarkInk{236, 239, 244};

// A hue at its strongest, and the share of it that is taken where it comes in one shade only.
struct Hue {
  Rgb strong;
  double alone;
};

// Blue, orange, green, pink, sky, coral, yellow and violet, near Okabe and Ito's. Any two can be told apart
// (CIEDE2000 of 8.8) by protans and deutans. Alone they differ in lightness too, but by little: a grey print takes `greys`, or patterns.
constexpr std::array<Hue, 8> kSoftHues = {{{{87, 153, 198}, 0.84},
                                           {{243, 185, 78}, 0.76},
                                           {{99, 205, 165}, 0.55},
                                           {{207, 138, 170}, 0.72},
                                           {{127, 190, 205}, 0.41},
                                           {{211, 133, 104}, 0.78},
                                           {{225, 199, 67}, 0.40},
                                           {{159, 152, 220}, 0.57}}};
// The same for a dark page.
constexpr std::array<Hue, 8> kDarkHues = {{{{50, 95, 163}, 0.91},
                                           {{140, 90, 22}, 0.78},
                                           {{64, 116, 84}, 0.93},
                                           {{168, 89, 127}, 0.78},
                                           {{55, 126, 147}, 0.94},
                                           {{176, 72, 63}, 0.62},
                                           {{120, 112, 5}, 0.95},
                                           {{102, 78, 162}, 0.58}}};

// Okabe and Ito's eight: orange, sky blue, bluish green, yellow, blue, vermilion, reddish purple and black.
constexpr std::array<Rgb, 8> kOkabeIto = {
    {{230, 159, 0}, {86, 180, 233}, {0, 158, 115}, {240, 228, 66}, {0, 114, 178}, {213, 94, 0}, {204, 121, 167}, {0, 0, 0}}};

// Shares of a hue where it comes in so many shades.
constexpr std::array<std::array<double, 4>, 4> kShades = {
    {{1.0, 1.0, 1.0, 1.0}, {0.40, 0.80, 1.0, 1.0}, {0.30, 0.60, 0.90, 1.0}, {0.28, 0.52, 0.76, 1.0}}};
constexpr std::int64_t kMostShades = kShades.size();

// Ramps whose stops are equal steps of lightness apart.
constexpr std::array<Rgb, 6> kRamp = {
    {{252, 246, 231}, {209, 231, 205}, {154, 216, 205}, {116, 194, 222}, {119, 166, 222}, {146, 135, 201}}};
constexpr std::array<Rgb, 6> kDarkRamp = {{{45, 44, 65}, {46, 58, 94}, {30, 76, 113}, {22, 95, 112}, {36, 113, 102}, {69, 129, 87}}};

// Matplotlib's viridis by van der Walt and Smith (CC0): 256 colours, six hexadecimal digits each.
constexpr std::string_view kViridis =
    "44015444025645045745055946075a46085c460a5d460b5e470d60470e6147106347116447136548146748166848176948186a481a6c481b6d481c6e"
    "481d6f481f70482071482173482374482475482576482677482878482979472a7a472c7a472d7b472e7c472f7d46307e46327e46337f463480453581"
    "453781453882443983443a83443b84433d84433e85423f854240864241864142874144874045884046883f47883f48893e49893e4a893e4c8a3d4d8a"
    "3d4e8a3c4f8a3c508b3b518b3b528b3a538b3a548c39558c39568c38588c38598c375a8c375b8d365c8d365d8d355e8d355f8d34608d34618d33628d"
    "33638d32648e32658e31668e31678e31688e30698e306a8e2f6b8e2f6c8e2e6d8e2e6e8e2e6f8e2d708e2d718e2c718e2c728e2c738e2b748e2b758e"
    "2a768e2a778e2a788e29798e297a8e297b8e287c8e287d8e277e8e277f8e27808e26818e26828e26828e25838e25848e25858e24868e24878e23888e"
    "23898e238a8d228b8d228c8d228d8d218e8d218f8d21908d21918c20928c20928c20938c1f948c1f958b1f968b1f978b1f988b1f998a1f9a8a1e9b8a"
    "1e9c891e9d891f9e891f9f881fa0881fa1881fa1871fa28720a38620a48621a58521a68522a78522a88423a98324aa8325ab8225ac8226ad8127ad81"
    "28ae8029af7f2ab07f2cb17e2db27d2eb37c2fb47c31b57b32b67a34b67935b77937b87838b9773aba763bbb753dbc743fbc7340bd7242be7144bf70"
    "46c06f48c16e4ac16d4cc26c4ec36b50c46a52c56954c56856c66758c7655ac8645cc8635ec96260ca6063cb5f65cb5e67cc5c69cd5b6ccd5a6ece58"
    "70cf5773d05675d05477d1537ad1517cd2507fd34e81d34d84d44b86d54989d5488bd6468ed64590d74393d74195d84098d83e9bd93c9dd93ba0da39"
    "a2da37a5db36a8db34aadc32addc30b0dd2fb2dd2db5de2bb8de29bade28bddf26c0df25c2df23c5e021c8e020cae11fcde11dd0e11cd2e21bd5e21a"
    "d8e219dae319dde318dfe318e2e418e5e419e7e419eae51aece51befe51cf1e51df4e61ef6e620f8e621fbe723fde725";
constexpr std::int64_t kMostOfViridis = 32;  // categories; more would look alike

// Greys in equal steps of lightness, ordered so that neighbours are far apart.
constexpr std::array<std::uint8_t, 8> kGreys = {176, 94, 221, 134, 198, 114, 243, 155};

// print_latex.hpp's tables, in its order.
constexpr std::array<int, 8> kLatexGreys = {0, 40, 20, 60, 10, 50, 30, 70};
constexpr std::array<Rgb, 8> kLatexPastels = {{{175, 175, 255},
                                               {175, 255, 175},
                                               {255, 255, 175},
                                               {255, 175, 175},
                                               {210, 210, 255},
                                               {210, 255, 210},
                                               {255, 255, 210},
                                               {255, 210, 210}}};

// In the order of Palette::Id.
constexpr std::array<PaletteRow, 7> kRows = {{{"tessera", "soft colours with dark text, apart for the colour-blind"},
                                              {"okabe_ito", "Okabe and Ito's eight strong colours, made for every sight"},
                                              {"viridis", "dark violet to yellow in even steps: categories and ramps whose order shows"},
                                              {"greys", "lightness alone, for black-and-white print; eight categories"},
                                              {"dark", "deep colours with light text, for dark slides"},
                                              {"print_latex", "the eight pastels and eight greys of CuTe's print_latex"},
                                              {"white", "no colour, as CuTe's TikzColor_White"}}};

constexpr std::size_t kLeastOwn = 2, kMostOwn = 64;
constexpr double kNearPaper = 20;  // CIEDE2000 from paper; tints of such a colour would look alike

std::uint8_t mixed(std::uint8_t a, std::uint8_t b, double share) { return static_cast<std::uint8_t>(std::lround(a + (b - a) * share)); }

Rgb grey(double share) { return mix(kPaper, kBlack, share); }

std::size_t modulo(std::int64_t i, std::int64_t n) { return static_cast<std::size_t>(((i % n) + n) % n); }

// Which hue of `hues` category `index` of `count` has, and which of how many shades.
struct Place {
  std::size_t hue, shade, shades;
  double share() const { return kShades[shades - 1][shade]; }
};

Place place(std::int64_t index, std::int64_t count, std::int64_t hues) {
  const std::int64_t shades = std::clamp<std::int64_t>((count - 1) / hues + 1, 1, kMostShades);
  return {modulo(index / shades, hues), modulo(index, shades), static_cast<std::size_t>(shades)};
}

Rgb shaded(std::span<const Hue> hues, Rgb page, std::int64_t index, std::int64_t count) {
  const Place at = place(index, count, static_cast<std::int64_t>(hues.size()));
  const Hue& hue = hues[at.hue];
  return mix(page, hue.strong, at.shades == 1 ? hue.alone : at.share());
}

// The colours themselves while they suffice, then tints of them; shades of what is nearly paper.
Rgb tinted(std::span<const Rgb> colors, std::int64_t index, std::int64_t count) {
  const Place at = place(index, count, static_cast<std::int64_t>(colors.size()));
  const Rgb color = colors[at.hue];
  if (color_difference(color, kPaper) < kNearPaper) return mix(color, kInk, (1 - at.share()) / 2);
  return mix(kPaper, color, at.share());
}

Rgb on_ramp(std::span<const Rgb> colors, double position) {
  const double at = position * static_cast<double>(colors.size() - 1);
  const std::size_t i = std::min(static_cast<std::size_t>(at), colors.size() - 2);
  return mix(colors[i], colors[i + 1], at - static_cast<double>(i));
}

bool is_hex(std::string_view digits) { return digits.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos; }

std::uint8_t hex_digit(char c) {
  if (c >= '0' && c <= '9') return static_cast<std::uint8_t>(c - '0');
  return static_cast<std::uint8_t>((c | 0x20) - 'a' + 10);
}

// Of three or six digits; in three each stands twice.
Rgb hex_color(std::string_view digits) {
  const std::size_t width = digits.size() / 3;
  const auto channel = [&](std::size_t i) {
    const std::size_t at = i * width;
    return static_cast<std::uint8_t>(16 * hex_digit(digits[at]) + hex_digit(digits[at + width - 1]));
  };
  return {channel(0), channel(1), channel(2)};
}

Rgb viridis(double position) {
  const double at = position * 255;
  const std::size_t i = std::min<std::size_t>(static_cast<std::size_t>(at), 254);
  return mix(hex_color(kViridis.substr(6 * i, 6)), hex_color(kViridis.substr(6 * i + 6, 6)), at - static_cast<double>(i));
}

Rgb viridis_category(std::int64_t index, std::int64_t count) {
  const std::int64_t colors = std::clamp<std::int64_t>(count, 2, kMostOfViridis);
  return viridis(static_cast<double>(modulo(index, colors)) / static_cast<double>(colors - 1));
}

Result<Rgb> read_color(std::string_view word) {
  const std::string_view digits = word.substr(word.starts_with('#') ? 1 : 0);
  const bool whole = is_hex(digits) && (digits.size() == 3 || digits.size() == 6);
  if (whole && word.starts_with('#')) return hex_color(digits);
  return Error{ErrorCode::parse,
               fmt::format("'{}' is not a colour: a colour is # and six hexadecimal digits, or three", word),
               {},
               {whole ? fmt::format("write #{}", digits) : std::string("such as \"#0072b2, #e69f00, #093\"")}};
}

}  // namespace

double contrast(Rgb a, Rgb b) {
  const double la = luminance(a), lb = luminance(b);
  return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

Rgb text_color(Rgb fill) {
  const double ink = contrast(fill, kInk), paper = contrast(fill, kPaper);
  if (std::max(ink, paper) < kReadable) return kBlack;
  return ink >= paper ? kInk : kPaper;
}

Rgb faint_text_color(Rgb fill) { return contrast(fill, kFaintInk) >= contrast(fill, kFaintPaper) ? kFaintInk : kFaintPaper; }

Rgb mix(Rgb a, Rgb b, double share) { return {mixed(a.r, b.r, share), mixed(a.g, b.g, share), mixed(a.b, b.b, share)}; }

Rgb faded_fill(Rgb fill, Rgb page) {
  double share = 0.16;
  while (share > 0.01 && contrast(mix(page, fill, share), faint_text_color(page)) < kReadable) share *= 0.9;
  return mix(page, fill, share);
}

std::span<const PaletteRow> Palette::rows() { return kRows; }

Result<Palette> Palette::find(std::string_view text) {
  if (text.empty()) text = kRows.front().name;
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    if (kRows[i].name == text) return Palette(static_cast<Id>(i), text);
  }
  if (text.find_first_of("#,") != std::string_view::npos) return read_own(text);
  std::vector<std::string> known;
  for (const PaletteRow& row : kRows) known.emplace_back(row.name);
  Error error{ErrorCode::unknown_name, fmt::format("there is no palette '{}'", text), {}, {}};
  return std::move(error)
      .note(fmt::format("the palettes are {}", names_and_nearest(text, known)))
      .note("or write colours of your own: \"#0072b2, #e69f00, #009e73\"");
}

Result<Palette> Palette::read_own(std::string_view text) {
  constexpr std::string_view kBetween = ", \t\n\r";
  std::vector<Rgb> colors;
  for (std::size_t at = text.find_first_not_of(kBetween); at != std::string_view::npos; at = text.find_first_not_of(kBetween, at)) {
    const std::string_view word = text.substr(at, text.find_first_of(kBetween, at) - at);
    TESSERA_TRY(color, read_color(word));
    colors.push_back(color);
    at += word.size();
  }
  if (colors.size() < kLeastOwn || colors.size() > kMostOwn) {
    return Error{ErrorCode::limit,
                 fmt::format("a palette of one's own has {} to {} colours; this one has {}", kLeastOwn, kMostOwn, colors.size()),
                 {},
                 {"such as \"#0072b2, #e69f00, #093\""}};
  }
  return Palette(Id::own, text, std::move(colors));
}

Rgb Palette::category(std::int64_t index, std::int64_t count) const {
  switch (id_) {
    case Id::tessera: return shaded(kSoftHues, kPaper, index, count);
    case Id::okabe_ito: return tinted(kOkabeIto, index, count);
    case Id::viridis: return viridis_category(index, count);
    case Id::greys: {
      const std::uint8_t level = kGreys[modulo(index, kGreys.size())];
      return {level, level, level};
    }
    case Id::dark: return shaded(kDarkHues, kDarkPaper, index, count);
    case Id::print_latex:
    case Id::white: return latex_thread(index);
    case Id::own: return tinted(own_, index, count);
  }
  return latex_thread(index);
}

Rgb Palette::ramp(double position) const {
  const double p = std::round(std::clamp(position, 0.0, 1.0) * 63) / 63;
  switch (id_) {
    case Id::tessera:
    case Id::okabe_ito: return on_ramp(kRamp, p);
    case Id::viridis: return viridis(p);
    case Id::greys:
    case Id::print_latex: return grey(0.02 + 0.42 * p);
    case Id::dark: return on_ramp(kDarkRamp, p);
    case Id::white: return kPaper;
    case Id::own: return on_ramp(own_, p);
  }
  return kPaper;
}

Rgb Palette::latex_index(std::int64_t index) const {
  if (id_ == Id::white) return kPaper;
  const int percent = kLatexGreys[modulo(index, 8)];
  return grey(percent / 100.0);
}

Rgb Palette::latex_thread(std::int64_t thread) const {
  if (id_ == Id::white) return kPaper;
  return kLatexPastels[modulo(thread, 8)];
}

Rgb on_page(Rgb on_white, const Page& page) {
  constexpr Page kWhite;
  if (page == kWhite) return on_white;
  return mix(page.paper, page.ink, static_cast<double>(kWhite.paper.g - on_white.g) / (kWhite.paper.g - kWhite.ink.g));
}

Rgb Palette::paper() const { return id_ == Id::dark ? kDarkPaper : kPaper; }

Rgb Palette::ink() const { return id_ == Id::dark ? kDarkInk : kInk; }

}  // namespace tessera
