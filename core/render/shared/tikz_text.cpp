// SPDX-License-Identifier: BSD-3-Clause
// TeX's specials, accents and signs.
#include "core/render/shared/tikz_text.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/base/utf8.hpp"
#include "core/render/shared/source_embed.hpp"
#include "core/render/shared/typography.hpp"

namespace tessera {

namespace {

struct Sign {
  std::string_view text, tex;
};

// Signs of LaTeX's symbol fonts by the place that they have there: \tesserasign{sy}{2} sets them in the size of the text.
constexpr Sign kSigns[] = {
    {"×", "sy}{2"},   {"÷", "sy}{4"},   {"±", "sy}{6"},   {"·", "sy}{1"},   {"−", "sy}{0"},   {"∗", "sy}{3"},   {"→", "sy}{33"},
    {"←", "sy}{32"},  {"↑", "sy}{34"},  {"↓", "sy}{35"},  {"↔", "sy}{36"},  {"⇒", "sy}{41"},  {"⇐", "sy}{40"},  {"⇔", "sy}{44"},
    {"≤", "sy}{20"},  {"≥", "sy}{21"},  {"≡", "sy}{17"},  {"≈", "sy}{25"},  {"∼", "sy}{24"},  {"∝", "sy}{47"},  {"≪", "sy}{28"},
    {"≫", "sy}{29"},  {"∞", "sy}{49"},  {"∘", "sy}{14"},  {"•", "sy}{15"},  {"⊕", "sy}{8"},   {"⊗", "sy}{10"},  {"⊙", "sy}{12"},
    {"∈", "sy}{50"},  {"⊂", "sy}{26"},  {"⊆", "sy}{18"},  {"∪", "sy}{91"},  {"∩", "sy}{92"},  {"∧", "sy}{94"},  {"∨", "sy}{95"},
    {"∀", "sy}{56"},  {"∃", "sy}{57"},  {"¬", "sy}{58"},  {"∅", "sy}{59"},  {"√", "sy}{112"}, {"∇", "sy}{114"}, {"⌊", "sy}{98"},
    {"⌋", "sy}{99"},  {"⌈", "sy}{100"}, {"⌉", "sy}{101"}, {"⟨", "sy}{104"}, {"⟩", "sy}{105"}, {"§", "sy}{120"}, {"†", "sy}{121"},
    {"¶", "sy}{123"}, {"∂", "mi}{64"},  {"µ", "mi}{22"},  {"α", "mi}{11"},  {"β", "mi}{12"},  {"γ", "mi}{13"},  {"δ", "mi}{14"},
    {"ε", "mi}{34"},  {"ϵ", "mi}{15"},  {"ζ", "mi}{16"},  {"η", "mi}{17"},  {"θ", "mi}{18"},  {"ϑ", "mi}{35"},  {"ι", "mi}{19"},
    {"κ", "mi}{20"},  {"λ", "mi}{21"},  {"μ", "mi}{22"},  {"ν", "mi}{23"},  {"ξ", "mi}{24"},  {"π", "mi}{25"},  {"ϖ", "mi}{36"},
    {"ρ", "mi}{26"},  {"ϱ", "mi}{37"},  {"σ", "mi}{27"},  {"ς", "mi}{38"},  {"τ", "mi}{28"},  {"υ", "mi}{29"},  {"φ", "mi}{39"},
    {"ϕ", "mi}{30"},  {"χ", "mi}{31"},  {"ψ", "mi}{32"},  {"ω", "mi}{33"},  {"Γ", "ss}{0"},   {"Δ", "ss}{1"},   {"Θ", "ss}{2"},
    {"Λ", "ss}{3"},   {"Ξ", "ss}{4"},   {"Π", "ss}{5"},   {"Σ", "ss}{6"},   {"Υ", "ss}{7"},   {"Φ", "ss}{8"},   {"Ψ", "ss}{9"},
    {"Ω", "ss}{10"},
};

// What LaTeX sets in every encoding: letters without an accent, Greek letters that look like Latin ones, punctuation, and signs of two.
constexpr Sign kLetters[] = {{"ß", "{\\ss}"},
                             {"æ", "{\\ae}"},
                             {"Æ", "{\\AE}"},
                             {"œ", "{\\oe}"},
                             {"Œ", "{\\OE}"},
                             {"ø", "{\\o}"},
                             {"Ø", "{\\O}"},
                             {"ł", "{\\l}"},
                             {"Ł", "{\\L}"},
                             {"ı", "{\\i}"},
                             {"Α", "A"},
                             {"Β", "B"},
                             {"Ε", "E"},
                             {"Ζ", "Z"},
                             {"Η", "H"},
                             {"Ι", "I"},
                             {"Κ", "K"},
                             {"Μ", "M"},
                             {"Ν", "N"},
                             {"Ο", "O"},
                             {"Ρ", "P"},
                             {"Τ", "T"},
                             {"Χ", "X"},
                             {"ο", "o"},
                             {"–", "--"},
                             {"—", "---"},
                             {"‘", "`"},
                             {"’", "'"},
                             {"“", "``"},
                             {"”", "''"},
                             {"…", "..."},
                             {"¡", "!`"},
                             {"¿", "?`"},
                             {"≠", "\\tesserasign{sy}{54}="},
                             {"ď", "\\v{d}"},
                             {"ť", "\\v{t}"},
                             {"¹", "\\textsuperscript{1}"},
                             {"²", "\\textsuperscript{2}"},
                             {"³", "\\textsuperscript{3}"},
                             {"₀", "\\textsubscript{0}"},
                             {"₁", "\\textsubscript{1}"},
                             {"₂", "\\textsubscript{2}"}};

// Accents that LaTeX has in every encoding, the letters below them, and what they make together, one to one.
struct Accent {
  std::string_view command, letters, made;
};
constexpr Accent kAccents[] = {
    {"`", "AEIOUaeiou", "ÀÈÌÒÙàèìòù"},
    {"'", "AEIOUYaeiouyCcLlNnRrSsZz", "ÁÉÍÓÚÝáéíóúýĆćĹĺŃńŔŕŚśŹź"},
    {"^", "AEIOUaeiouCcGgHhJjSsWwYy", "ÂÊÎÔÛâêîôûĈĉĜĝĤĥĴĵŜŝŴŵŶŷ"},
    {"~", "ANOanoIiUu", "ÃÑÕãñõĨĩŨũ"},
    {"\"", "AEIOUaeiouyY", "ÄËÏÖÜäëïöüÿŸ"},
    {"r", "AaUu", "ÅåŮů"},
    {"c", "CcSsTtKkLlNnRrGg", "ÇçŞşŢţĶķĻļŅņŖŗĢģ"},
    {"=", "AaEeIiOoUu", "ĀāĒēĪīŌōŪū"},
    {"u", "AaEeGgIiOoUu", "ĂăĔĕĞğĬĭŎŏŬŭ"},
    {".", "CcEeGgIZz", "ĊċĖėĠġİŻż"},
    {"v", "CcDEeNnRrSsTZz", "ČčĎĚěŇňŘřŠšŤŽž"},
    {"H", "OoUu", "ŐőŰű"},
};

using Table = std::unordered_map<char32_t, std::string>;

Table signs_beyond_ascii() {
  Table table;
  for (const Sign& sign : kSigns) table[first_character(sign.text).code] = "\\tesserasign{" + std::string(sign.tex) + "}";
  for (const std::string_view arrow : {"→", "↓"}) {  // they stand behind a letter, "m↓"
    std::string& sign = table[first_character(arrow).code];
    sign = "\\kern.08em" + sign;
  }
  for (const Sign& letter : kLetters) table[first_character(letter.text).code] = letter.tex;
  for (const Accent& accent : kAccents) {
    std::string_view made = accent.made;
    for (const char letter : accent.letters) {
      const Utf8Character character = first_character(made);
      const std::string below = letter == 'i' || letter == 'j' ? std::string("\\") + letter : std::string(1, letter);
      table[character.code] = "\\" + std::string(accent.command) + "{" + below + "}";
      made.remove_prefix(character.length);
    }
  }
  return table;
}

// How ASCII is written; empty: as it is. Commands end in a brace, for a space after them stays a space.
using Ascii = std::array<std::string_view, 128>;

Ascii sans_signs() {
  Ascii signs{};
  signs['"'] = "\\tesserasign{tt}{34}", signs['#'] = "{\\#}", signs['$'] = "{\\char36}", signs['%'] = "{\\%}", signs['&'] = "{\\&}";
  signs['<'] = "\\tesserasign{mi}{60}", signs['>'] = "\\tesserasign{mi}{62}", signs['\\'] = "\\tesserasign{sy}{110}";
  signs['^'] = "{\\char94}", signs['_'] = "{\\_}", signs['{'] = "\\tesserasign{sy}{102}", signs['|'] = "\\tesserasign{sy}{106}";
  signs['}'] = "\\tesserasign{sy}{103}", signs['~'] = "\\tesserasign{sy}{24}";
  return signs;
}

Ascii typewriter_signs() {
  Ascii signs{};
  signs['"'] = "{\\char34}", signs['#'] = "{\\char35}", signs['$'] = "{\\char36}", signs['%'] = "{\\char37}", signs['&'] = "{\\char38}";
  signs['<'] = "{\\char60}", signs['>'] = "{\\char62}", signs['\\'] = "{\\char92}", signs['^'] = "{\\char94}", signs['_'] = "{\\char95}";
  signs['{'] = "{\\char123}", signs['|'] = "{\\char124}", signs['}'] = "{\\char125}", signs['~'] = "{\\char126}";
  return signs;
}

// Two signs that fonts make one of: -- is a dash, '' a quotation mark, ?` stands on its head.
bool is_ligature(char first, char second) {
  return second == '`' ? first == '`' || first == '!' || first == '?' : first == second && (first == '-' || first == '\'' || first == ',');
}

// Replaces the signs of a table; other text beyond the Latin letters becomes '?', which every TeX can set, and so do controls.
std::string replaced(std::string_view text, std::span<const Sign> signs) {
  constexpr char32_t kLastLetter = 0x17f;  // the end of Latin Extended-A
  std::string out;
  while (!text.empty()) {
    const auto sign = std::find_if(signs.begin(), signs.end(), [&](const Sign& s) { return text.starts_with(s.text); });
    if (sign != signs.end()) {
      out += sign->tex;
      text.remove_prefix(sign->text.size());
      continue;
    }
    const Utf8Character character = first_character(text);
    if (character.code == '\n' || character.code == '\t')
      out += ' ';
    else if (is_unprintable(character.code) || character.code > kLastLetter)
      out += '?';
    else
      out += text.substr(0, character.length);
    text.remove_prefix(character.length);
  }
  return out;
}

}  // namespace

std::string latex_text(std::string_view text) {
  static constexpr Sign kSpecials[] = {{"×", "\\ensuremath{\\times}"},
                                       {"→", "\\ensuremath{\\to}"},
                                       {"…", "\\ldots{}"},
                                       {"\\", "\\textbackslash{}"},
                                       {"{", "\\{"},
                                       {"}", "\\}"},
                                       {"$", "\\$"},
                                       {"&", "\\&"},
                                       {"#", "\\#"},
                                       {"%", "\\%"},
                                       {"_", "\\_"},
                                       {"^", "\\textasciicircum{}"},
                                       {"~", "\\textasciitilde{}"},
                                       {"<", "\\ensuremath{<}"},
                                       {">", "\\ensuremath{>}"}};
  return replaced(text, kSpecials);
}

void append_tikz_text(std::string& out, std::string_view text, bool typewriter) {
  static const Ascii kSans = sans_signs(), kTypewriter = typewriter_signs();
  static const Table kBeyond = signs_beyond_ascii();
  const Ascii& ascii = typewriter ? kTypewriter : kSans;
  char before = ' ';  // TeX drops a space after a space, and at the beginning
  while (!text.empty()) {
    const char c = text.front();
    if (static_cast<unsigned char>(c) >= 0x80) {
      const Utf8Character character = first_character(text);
      const auto sign = kBeyond.find(character.code);
      out += sign == kBeyond.end() ? "?" : sign->second;
      text.remove_prefix(character.length);
      before = 'x';
      continue;
    }
    const std::string_view sign = ascii[static_cast<std::size_t>(c)];
    if (is_ligature(before, c)) out += "\\/";
    if (c == ' ' || c == '\n' || c == '\t')
      out += before == ' ' ? "\\ " : " ";
    else if (!sign.empty())
      out += sign;
    else
      out += is_unprintable(static_cast<char32_t>(c)) ? '?' : c;
    before = c == '\n' || c == '\t' ? ' ' : c;
    text.remove_prefix(1);
  }
}

void append_tikz_comment(std::string& out, std::string_view text) {
  std::string line(text);
  std::replace(line.begin(), line.end(), '\n', ' ');
  out += "% " + printable(line) + '\n';
}

void append_tikz_number(std::string& out, double value) { append_number(out, value, 3); }

std::string tikz_number(double value) {
  std::string out;
  append_tikz_number(out, value);
  return out;
}

void append_tikz_source(std::string& out, const Scene& scene) {
  out += tex_source(scene.source);
  for (const std::string& comment : scene.comments) append_tikz_comment(out, comment);
  if (!scene.left_out.empty()) append_tikz_comment(out, scene.left_out);
  if (scene.source.empty() && !scene.expression.empty()) append_tikz_comment(out, "tessera: " + scene.expression);
}

}  // namespace tessera
