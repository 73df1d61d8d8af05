// SPDX-License-Identifier: BSD-3-Clause
#include "core/lesson/page/markdown.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/number_text.hpp"

#ifdef TESSERA_HAVE_MD4C
#include <md4c.h>
#endif

namespace tessera::lesson {
namespace {

// U+E000 and U+E001, which no script writes with.
constexpr std::string_view kOpen = "\xEE\x80\x80", kClose = "\xEE\x80\x81";

// Text with the values in the places of their marks, all of it escaped.
[[maybe_unused]] std::string with_values(std::string_view text, const std::vector<std::string>& values) {
  std::string made;
  while (!text.empty()) {
    const std::size_t open = text.find(kOpen), close = text.find(kClose, std::min(open, text.size()));
    if (close == std::string_view::npos) break;
    made += escaped(text.substr(0, open));
    const auto number = number_in<std::size_t>(text.substr(open + kOpen.size(), close - open - kOpen.size()));
    if (number && *number < values.size()) made += escaped(values[*number]);
    text.remove_prefix(close + kClose.size());
  }
  return made + escaped(text);
}

}  // namespace

std::string value_mark(std::size_t i) { return fmt::format("{}{}{}", kOpen, i, kClose); }

std::string without_marks(std::string_view text) {
  std::string made(text);
  for (const std::string_view mark : {kOpen, kClose}) {
    for (std::size_t at = made.find(mark); at != std::string::npos; at = made.find(mark, at)) made.erase(at, mark.size());
  }
  return made;
}

std::string escaped(std::string_view text) {
  std::string made;
  for (const char c : text) {
    switch (c) {
      case '&': made += "&amp;"; break;
      case '<': made += "&lt;"; break;
      case '>': made += "&gt;"; break;
      case '"': made += "&quot;"; break;
      case '\'': made += "&#39;"; break;
      case '\0': break;
      default: made += c;
    }
  }
  return made;
}

#ifdef TESSERA_HAVE_MD4C

namespace {

struct Writer {
  const std::vector<std::string>& values;
  std::string out;
  std::vector<std::string> links;  // where they lead
};

std::string_view block_tag(MD_BLOCKTYPE type, const void* detail) {
  static constexpr std::array<std::string_view, 6> kHeadings = {"h2", "h3", "h4", "h5", "h6", "h6"};  // h1 is the lesson's title
  switch (type) {
    case MD_BLOCK_QUOTE: return "blockquote";
    case MD_BLOCK_UL: return "ul";
    case MD_BLOCK_OL: return "ol";
    case MD_BLOCK_LI: return "li";
    case MD_BLOCK_H: return kHeadings[std::min(static_cast<const MD_BLOCK_H_DETAIL*>(detail)->level, 6U) - 1];
    case MD_BLOCK_CODE: return "pre";
    case MD_BLOCK_P: return "p";
    case MD_BLOCK_TABLE: return "table";
    case MD_BLOCK_THEAD: return "thead";
    case MD_BLOCK_TBODY: return "tbody";
    case MD_BLOCK_TR: return "tr";
    case MD_BLOCK_TH: return "th";
    case MD_BLOCK_TD: return "td";
    default: return {};
  }
}

std::string_view span_tag(MD_SPANTYPE type) {
  switch (type) {
    case MD_SPAN_EM: return "em";
    case MD_SPAN_STRONG: return "strong";
    case MD_SPAN_CODE: return "code";
    case MD_SPAN_DEL: return "del";
    default: return {};
  }
}

int enter_block(MD_BLOCKTYPE type, void* detail, void* to) {
  std::string& out = static_cast<Writer*>(to)->out;
  if (type == MD_BLOCK_HR) out += "<hr>\n";
  if (const std::string_view tag = block_tag(type, detail); !tag.empty()) out += fmt::format("<{}>", tag);
  return 0;
}

int leave_block(MD_BLOCKTYPE type, void* detail, void* to) {
  if (const std::string_view tag = block_tag(type, detail); !tag.empty()) static_cast<Writer*>(to)->out += fmt::format("</{}>\n", tag);
  return 0;
}

int enter_span(MD_SPANTYPE type, void* detail, void* to) {
  auto& writer = *static_cast<Writer*>(to);
  if (type == MD_SPAN_A) {
    const MD_ATTRIBUTE& leads = static_cast<const MD_SPAN_A_DETAIL*>(detail)->href;
    writer.links.emplace_back(leads.text, leads.size);
  }
  if (const std::string_view tag = span_tag(type); !tag.empty()) writer.out += fmt::format("<{}>", tag);
  return 0;
}

int leave_span(MD_SPANTYPE type, void*, void* to) {
  auto& writer = *static_cast<Writer*>(to);
  if (type == MD_SPAN_A && !writer.links.empty()) {
    if (!writer.links.back().empty()) writer.out += fmt::format(" ({})", with_values(writer.links.back(), writer.values));
    writer.links.pop_back();
  }
  if (const std::string_view tag = span_tag(type); !tag.empty()) writer.out += fmt::format("</{}>", tag);
  return 0;
}

int add_text(MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* to) {
  auto& writer = *static_cast<Writer*>(to);
  const std::string_view words(text, size);
  switch (type) {
    case MD_TEXT_BR: writer.out += "<br>\n"; break;
    case MD_TEXT_SOFTBR: writer.out += "\n"; break;
    case MD_TEXT_NULLCHAR: break;
    default: writer.out += with_values(words, writer.values);  // an entity as it is written, too
  }
  return 0;
}

}  // namespace

Result<std::string> markdown_html(std::string_view markdown, const std::vector<std::string>& values) {
  MD_PARSER parser{};
  parser.flags = MD_FLAG_NOHTML | MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH;
  parser.enter_block = enter_block;
  parser.leave_block = leave_block;
  parser.enter_span = enter_span;
  parser.leave_span = leave_span;
  parser.text = add_text;
  Writer writer{values, {}, {}};
  if (md_parse(markdown.data(), static_cast<MD_SIZE>(markdown.size()), &parser, &writer) != 0)
    return Error{ErrorCode::parse, "these words cannot be read as Markdown", {}, {}};
  return std::move(writer.out);
}

#else

Result<std::string> markdown_html(std::string_view, const std::vector<std::string>&) {
  return Error{
      ErrorCode::io, "this build of Tessera has no md4c, which a lesson's page needs", {}, {"install libmd4c-dev and build again"}};
}

#endif

}  // namespace tessera::lesson
