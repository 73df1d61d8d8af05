// SPDX-License-Identifier: BSD-3-Clause
#include "core/render/shared/said.hpp"

#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/utf8.hpp"
#include "core/render/shared/tikz_text.hpp"
#include "core/render/shared/typography.hpp"

namespace tessera {

namespace {

using Of = SaidWords::Of;

// As sentences: each begins and ends as one.
void append_sentence(std::string& out, std::string_view words) {
  if (words.empty()) return;
  if (!out.empty()) out += ' ';
  out += words;
  if (out.back() != '.') out += '.';
}

// ---- objects of a PDF file ---------------------------------------------------------------------------------------------------

struct PdfObject {
  std::int64_t number = 0;
  std::string body;  // between "obj" and "endobj"
};

// The object that surrounds a place in the file.
std::optional<PdfObject> object_around(std::string_view pdf, std::size_t place) {
  constexpr std::string_view kObject = " 0 obj", kEnd = "endobj";
  const std::size_t head = pdf.rfind(kObject, place), end = pdf.find(kEnd, place);
  if (head == std::string_view::npos || end == std::string_view::npos) return std::nullopt;
  PdfObject object{0, std::string(pdf.substr(head + kObject.size(), end - head - kObject.size()))};
  std::int64_t place_value = 1;
  for (std::size_t i = head; i > 0 && pdf[i - 1] >= '0' && pdf[i - 1] <= '9'; --i) {
    object.number += place_value * (pdf[i - 1] - '0');
    place_value *= 10;
  }
  return object.number > 0 ? std::optional(std::move(object)) : std::nullopt;
}

// Adds entries to the object's dictionary, which ends it.
bool add_entries(PdfObject& object, std::string_view entries) {
  const std::size_t end = object.body.rfind(">>");
  if (end == std::string::npos) return false;
  object.body.insert(end, entries);
  return true;
}

// A text of any signs, as PDF's strings have it: UTF-16, in hexadecimal digits.
std::string pdf_text(std::string_view text) {
  std::string out = "<FEFF";
  const auto unit = [&](std::uint32_t code) { fmt::format_to(std::back_inserter(out), "{:04X}", code); };
  while (!text.empty()) {
    const Utf8Character character = first_character(text);
    const auto code = static_cast<std::uint32_t>(drawable(character));
    if (code >= 0x10000) {
      unit(0xd800 + ((code - 0x10000) >> 10));
      unit(0xdc00 + ((code - 0x10000) & 0x3ff));
    } else {
      unit(code);
    }
    text.remove_prefix(character.length);
  }
  return out + ">";
}

// The number behind the last place of a word.
std::optional<std::int64_t> number_behind(std::string_view pdf, std::string_view word) {
  std::size_t at = pdf.rfind(word);
  if (at == std::string_view::npos) return std::nullopt;
  at += word.size();
  while (at < pdf.size() && (pdf[at] == ' ' || pdf[at] == '\n' || pdf[at] == '\r')) ++at;
  std::int64_t number = 0;
  for (; at < pdf.size() && pdf[at] >= '0' && pdf[at] <= '9'; ++at) number = 10 * number + (pdf[at] - '0');
  return number;
}

}  // namespace

std::string alternative_text(const Scene& scene) {
  std::string out;
  for (const SaidWords& each : scene.said) {
    if (each.of == Of::elements) append_sentence(out, each.words);
  }
  if (out.empty()) return scene.title.empty() ? scene.expression : scene.title;
  return out;
}

std::string caption_text(const Scene& scene, bool tex) {
  std::string out;
  for (const SaidWords& each : scene.said) {
    if (each.of == Of::elements || each.of == Of::lines) append_sentence(out, each.words);
  }
  if (out.empty()) return out;
  return tex ? latex_text(out) + "%\n" : out + "\n";
}

std::string with_pdf_alternative(std::string pdf, std::string_view text) {
  const std::size_t figure = pdf.find("/S /Figure"), catalog = pdf.rfind("/Type /Catalog");
  const std::optional<std::int64_t> before = number_behind(pdf, "startxref"), size = number_behind(pdf, "/Size"),
                                    root = number_behind(pdf, "/Root"), info = number_behind(pdf, "/Info");
  if (figure == std::string::npos || catalog == std::string::npos || !before || !size || !root || !info) return pdf;
  std::optional<PdfObject> element = object_around(pdf, figure), document = object_around(pdf, catalog);
  if (!element || !document || document->number != *root) return pdf;
  if (!add_entries(*element, fmt::format("   /Alt {}\n", pdf_text(text)))) return pdf;
  if (!add_entries(*document, "   /MarkInfo << /Marked true >>\n   /Lang (en)\n   /ViewerPreferences << /DisplayDocTitle true >>\n"))
    return pdf;
  std::string table = "xref\n";
  for (const PdfObject& each : {*element, *document}) {
    fmt::format_to(std::back_inserter(table), "{} 1\n{:010} 00000 n \n", each.number, pdf.size());
    pdf += fmt::format("{} 0 obj{}endobj\n", each.number, each.body);
  }
  const std::size_t place = pdf.size();
  pdf += table;
  pdf += fmt::format("trailer\n<< /Size {}\n   /Root {} 0 R\n   /Info {} 0 R\n   /Prev {}\n>>\nstartxref\n{}\n%%EOF\n", *size, *root, *info,
                     *before, place);
  return pdf;
}

}  // namespace tessera
