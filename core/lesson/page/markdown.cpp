// SPDX-License-Identifier: BSD-3-Clause
#include "core/lesson/page/markdown.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace tessera::lesson {
namespace {

struct Look {
  bool TextRun::*has;
  std::string_view tag;
};
constexpr Look kLooks[] = {{&TextRun::strong, "strong"}, {&TextRun::em, "em"}, {&TextRun::del, "del"}, {&TextRun::code, "code"}};

void append_runs(std::string& out, const std::vector<TextRun>& runs) {
  for (const TextRun& run : runs) {
    if (run.breaks) {
      out += "<br>\n";
      continue;
    }
    std::string end;
    for (const Look& look : kLooks) {
      if (!(run.*look.has)) continue;
      out += fmt::format("<{}>", look.tag);
      end = fmt::format("</{}>{}", look.tag, end);
    }
    out += escaped(run.text) + end;
  }
}

std::string tag_of(const Block& block, bool in_head) {
  switch (block.kind) {
    case Block::Kind::paragraph: return "p";
    case Block::Kind::heading: return fmt::format("h{}", std::min(block.level + 1, 6U));
    case Block::Kind::line: return in_head ? "th" : "td";  // of a row
    case Block::Kind::code: return "pre";
    case Block::Kind::quote: return "blockquote";
    case Block::Kind::bullets: return "ul";
    case Block::Kind::numbers: return "ol";
    case Block::Kind::item: return "li";
    case Block::Kind::table: return "table";
    case Block::Kind::row: return "tr";
    case Block::Kind::rule: return "hr";
  }
  return "p";
}

void append_block(std::string& out, const Block& block, const Block* around) {
  const bool in_row = around && around->kind == Block::Kind::row;
  if (block.kind == Block::Kind::rule) {
    out += "<hr>\n";
  } else if (block.kind == Block::Kind::line && !in_row) {
    append_runs(out, block.runs);
  } else if (block.kind == Block::Kind::table) {
    bool in_body = false;
    out += "<table>";
    for (const Block& row : block.inside) {
      if (&row == block.inside.data() && row.is_head) out += "<thead>";
      if (!row.is_head && !in_body) out += "<tbody>", in_body = true;
      append_block(out, row, &block);
      const bool ends_head = row.is_head && (&row == &block.inside.back() || !(&row + 1)->is_head);
      if (ends_head) out += "</thead>\n";
    }
    out += in_body ? "</tbody>\n</table>\n" : "</table>\n";
  } else {
    const std::string tag = tag_of(block, in_row && around->is_head);
    out += fmt::format("<{}>", tag);
    append_runs(out, block.runs);
    for (const Block& each : block.inside) append_block(out, each, &block);
    out += fmt::format("</{}>\n", tag);
  }
}

}  // namespace

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

std::string html_of(const std::vector<Block>& blocks) {
  std::string out;
  for (const Block& each : blocks) append_block(out, each, nullptr);
  return out;
}

Result<std::string> markdown_html(std::string_view markdown, const std::vector<std::string>& values) {
  TESSERA_TRY(blocks, read_markdown(markdown, values));
  return html_of(blocks);
}

}  // namespace tessera::lesson
