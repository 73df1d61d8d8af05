// SPDX-License-Identifier: BSD-3-Clause
#include "core/base/table_text.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/number_text.hpp"
#include "core/base/utf8.hpp"

namespace tessera {
namespace {

bool begins_formula(std::string_view text) {
  return !text.empty() && (std::string_view("=+-@").find(text[0]) != std::string_view::npos || is_unprintable(first_character(text).code));
}

// Would a ' in front of the text be taken off?
bool looks_marked(std::string_view text) { return begins_formula(text.substr(std::min(text.find_first_not_of('\''), text.size()))); }

bool is_number(std::string_view text) { return number_in<double>(text).has_value(); }

}  // namespace

std::string csv_field(std::string_view text) {
  std::string field(text);
  if (looks_marked(field) && !is_number(field)) field.insert(0, "'");
  if (field.find_first_of(",\"\r\n") == std::string::npos) return field;
  std::string made = "\"";
  for (const char c : field) made += c == '"' ? std::string("\"\"") : std::string(1, c);
  return made + "\"";
}

std::string_view text_of_csv_field(std::string_view field) {
  return field.starts_with('\'') && looks_marked(field.substr(1)) ? field.substr(1) : field;
}

std::string markdown_cell(std::string_view text) {
  std::string made = printable(text);
  for (std::size_t at = made.find('|'); at != std::string::npos; at = made.find('|', at + 2)) made.insert(at, "\\");
  return made;
}

}  // namespace tessera
