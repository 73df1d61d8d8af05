// SPDX-License-Identifier: BSD-3-Clause
// The line, and its place in each format.
#include "core/render/shared/source_embed.hpp"

#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/budget.hpp"
#include "core/base/characters.hpp"
#include "core/base/json.hpp"
#include "core/base/sha256.hpp"
#include "core/base/utf8.hpp"
#include "core/render/shared/png_text.hpp"

namespace tessera {

namespace {

constexpr int kForm = 1;
constexpr std::string_view kBegin = "{\"tessera\":", kCheck = ",\"check\":\"", kEnd = "\"}";
constexpr std::size_t kDigits = 32;
constexpr std::string_view kTexMark = "% tessera: ", kPdfMark = "\n%tessera: ";
constexpr std::string_view kHtmlMark = "<script type=\"application/json\" class=\"source\">", kHtmlEnd = "</html>";

void append_escape(std::string& out, char32_t unit) { fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(unit)); }

// The same JSON in signs that every format takes as they are: what is no plain sign stands in a text, and is escaped there.
std::string plain(std::string_view json) {
  std::string out;
  out.reserve(json.size() + 16);
  while (!json.empty()) {
    const Utf8Character character = first_character(json);
    const char32_t code = character.code;
    const bool second_dash = code == '-' && !out.empty() && out.back() == '-';
    if (code >= 0x10000) {
      append_escape(out, 0xd800 + ((code - 0x10000) >> 10));
      append_escape(out, 0xdc00 + ((code - 0x10000) & 0x3ff));
    } else if (code >= 0x7f || code == '<' || code == '>' || code == '&' || second_dash) {
      append_escape(out, code);
    } else {
      out += static_cast<char>(code);
    }
    json.remove_prefix(character.length);
  }
  return out;
}

std::string check_of(std::string_view body) { return sha256_hex(body).substr(0, kDigits); }

Error corrupt(std::string message) {
  return Error{
      ErrorCode::corrupt, std::move(message), {}, {"draw the figure from its expression: tessera draw \"(4,8):(8,1)\" --out figure.svg"}};
}
Error none() { return corrupt("it carries no source: Tessera did not write it, or another program left the source out"); }
Error cut() { return corrupt("its source is cut off"); }
// Where there is none: `end` stands in every whole file of this format.
Error missing(std::string_view file, std::string_view end) { return file.find(end) == std::string_view::npos ? cut() : none(); }
Error edited() { return corrupt("its source was changed: it is not what Tessera wrote"); }

// From `begin` on: up to the brace that closes the line's own. Empty where the text ends or the line does before it.
std::string_view object_at(std::string_view text, std::size_t begin) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = begin; i < text.size() && text[i] != '\n'; ++i) {
    const char c = text[i];
    if (quoted && c == '\\')
      ++i;
    else if (c == '"')
      quoted = !quoted;
    else if (!quoted && c == '{')
      ++depth;
    else if (!quoted && c == '}' && --depth == 0)
      return text.substr(begin, i + 1 - begin);
  }
  return {};
}

Result<Source> read_at(std::string_view text, std::size_t begin) {
  const std::string_view line = object_at(text, begin);
  if (line.empty()) return cut();
  return read_line(line);
}

// A line that begins with the mark; the first of the file.
Result<Source> read_tex(std::string_view file) {
  for (std::size_t at = 0; at != std::string_view::npos && at < file.size();) {
    const std::string_view rest = file.substr(at);
    if (rest.starts_with(kTexMark) && rest.substr(kTexMark.size()).starts_with(kBegin)) return read_at(file, at + kTexMark.size());
    at = file.find('\n', at);
    if (at != std::string_view::npos) ++at;
  }
  return none();
}

Result<Source> read_pdf(std::string_view file) {
  const std::size_t at = file.rfind(kPdfMark);
  if (at == std::string_view::npos) return missing(file, "%%EOF");
  return read_at(file, at + kPdfMark.size());
}

Result<Source> read_png(std::string_view file) {
  const std::string text = png_text(file, "tessera");
  if (text.empty()) return missing(file, "IEND");
  if (!png_text_is_whole(file, "tessera")) return edited();
  if (text.starts_with('{')) return text.starts_with(kBegin) ? read_at(text, 0) : edited();
  Source source;
  source.expression = text;
  return source;
}

// In SVG and JSON every other quote of ours is escaped, so this one is at the source itself.
Result<Source> read_marked(std::string_view file, std::string_view mark, std::string_view end) {
  const std::size_t at = file.find(mark);
  if (at == std::string_view::npos) return trimmed(file).ends_with(end) ? none() : cut();
  return read_at(file, at + mark.size() - kBegin.size());
}

void add_text(Json::Members& members, const char* name, const std::string& text) {
  if (!text.empty()) members.push_back({name, text});
}

std::string line_of(const Source& source) {
  const std::string line = source.empty() ? std::string() : to_line(source);
  return line.size() <= kLongestSource ? line : std::string();
}

}  // namespace

std::string to_line(const Source& source) {
  Json::Members members{{"tessera", kForm}, {"version", source.version}, {"expression", source.expression}};
  add_text(members, "document", source.document);
  if (source.binding) members.push_back({"binding", *source.binding});
  add_text(members, "kind", source.kind);
  add_text(members, "style", source.style);
  add_text(members, "palette", source.palette);
  add_text(members, "title", source.title);
  Json::Members parameters;
  for (const auto& [name, text] : source.parameters) parameters.push_back({name, text});
  if (!parameters.empty()) members.push_back({"parameters", Json::object(std::move(parameters))});
  add_text(members, "modes", source.modes);
  add_text(members, "width", source.width);
  add_text(members, "height", source.height);
  add_text(members, "fit", source.fit);
  add_text(members, "labels", source.labels);
  if (source.cell) members.push_back({"cell", *source.cell});
  if (source.scale) members.push_back({"scale", *source.scale});
  if (source.transparent) members.push_back({"transparent", true});
  if (source.fragment) members.push_back({"fragment", true});
  std::string body = plain(Json::object(std::move(members)).dump());
  body.pop_back();
  return body + std::string(kCheck) + check_of(body) + std::string(kEnd);
}

Result<Source> read_line(std::string_view line) {
  const std::size_t tail = kCheck.size() + kDigits + kEnd.size();
  if (line.size() > kLongestSource) return corrupt(fmt::format("its source has more than {} bytes", kLongestSource));
  if (line.size() < tail) return edited();
  const std::string_view body = line.substr(0, line.size() - tail), check = line.substr(body.size() + kCheck.size(), kDigits);
  if (line.substr(body.size(), kCheck.size()) != kCheck || !line.ends_with(kEnd) || check != check_of(body)) return edited();
  TESSERA_TRY(json, parse_json(line, kFileJson, ErrorCode::corrupt));
  JsonReader in(ErrorCode::corrupt, "its source cannot be read", kLongestSource);
  if (const int form = in.whole<int>(json, "tessera", 1); !in.failed() && form != kForm)
    return corrupt(fmt::format("its source is of form {}, which a later version of Tessera writes", form));
  Source source;
  source.version = in.text(json, "version");
  source.expression = in.text(json, "expression");
  source.document = in.text_or(json, "document", "");
  if (json.find("binding")) source.binding = in.whole<std::int64_t>(json, "binding", 0);
  source.kind = in.text_or(json, "kind", "");
  source.style = in.text_or(json, "style", "");
  source.palette = in.text_or(json, "palette", "");
  source.title = in.text_or(json, "title", "");
  if (const Json::Members* parameters = in.object_or_empty(json, "parameters").members()) {
    for (const JsonMember& each : *parameters) {  // thousands, each read where it stands
      const std::string* const text = each.value.text();
      if (!text) return corrupt(fmt::format("its source cannot be read: the parameter {} is no text", each.name));
      source.parameters[each.name] = *text;
    }
  }
  source.modes = in.text_or(json, "modes", "");
  source.width = in.text_or(json, "width", "");
  source.height = in.text_or(json, "height", "");
  source.fit = in.text_or(json, "fit", "");
  source.labels = in.text_or(json, "labels", "");
  if (json.find("cell")) source.cell = in.number(json, "cell");
  if (json.find("scale")) source.scale = in.number(json, "scale");
  source.transparent = in.truth_or(json, "transparent", false);
  source.fragment = in.truth_or(json, "fragment", false);
  if (!in.failed() && source.empty()) return corrupt("its source has no expression");
  return in.done(std::move(source));
}

std::string tex_source(const Source& source) {
  const std::string line = line_of(source);
  if (line.size() > kLongestTexSource)
    return fmt::format("{}the source is left out: TeX reads no line of {} bytes\n", kTexMark, line.size());
  return line.empty() ? line : fmt::format("{}{}\n", kTexMark, line);
}

std::string svg_source(const Source& source) {
  const std::string line = line_of(source);
  return line.empty() ? line : fmt::format("<metadata>{}</metadata>\n", line);
}

std::string json_source(const Source& source) {
  const std::string line = line_of(source);
  return line.empty() ? line : fmt::format("\"source\":{},", line);
}

std::string html_source(const Source& source) {
  const std::string line = line_of(source);
  return line.empty() ? line : fmt::format("{}{}</script>\n", kHtmlMark, line);
}

std::string svg_comment_source(const Source& source) {
  const std::string line = line_of(source);
  return line.empty() ? line : fmt::format("<!-- {} -->\n", line);
}

std::string with_pdf_source(std::string pdf, const Source& source) {
  const std::string line = line_of(source);
  const std::size_t at = pdf.rfind("startxref");
  if (line.empty() || at == std::string::npos || at == 0 || pdf[at - 1] != '\n') return pdf;
  return pdf.insert(at, std::string(kPdfMark.substr(1)) + line + "\n");
}

std::string png_source(const Source& source, std::string_view expression) {
  const std::string line = line_of(source);
  return line.empty() ? std::string(expression) : line;
}

Result<Source> read_source(std::string_view file) {
  if (file.starts_with("\x89PNG\r\n\x1a\n")) return read_png(file);
  if (file.starts_with("%PDF-")) return read_pdf(file);
  if (file.starts_with("{")) return read_marked(file, "\"source\":" + std::string(kBegin), "}");
  const std::size_t first = file.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  if (first != std::string_view::npos && file[first] == '<') return read_marked(file, kBegin, ">");
  return read_tex(file);
}

Result<std::vector<Source>> read_sources(std::string_view file) {
  const std::size_t first = file.find(kHtmlMark);
  if (first == std::string_view::npos) {
    TESSERA_TRY(one, read_source(file));
    return std::vector{std::move(one)};
  }
  if (!trimmed(file).ends_with(kHtmlEnd)) return cut();
  std::vector<Source> sources;
  for (std::size_t at = first; at != std::string_view::npos; at = file.find(kHtmlMark, at + 1)) {
    TESSERA_CHECK(check_time("reading the sources of the page's figures"));
    TESSERA_TRY(one, read_at(file, at + kHtmlMark.size()));
    sources.push_back(std::move(one));
  }
  return sources;
}

}  // namespace tessera
