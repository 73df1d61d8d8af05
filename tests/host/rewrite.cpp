// SPDX-License-Identifier: BSD-3-Clause
// A reader of asm statements: brackets and string literals are all it has to know of C++.
#include "tests/host/rewrite.hpp"

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace tessera::host {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Where the literal or bracket that begins at `at` ends.
std::size_t skip_literal(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) at += text[at] == '\\';
  return at + 1;
}
std::size_t skip_brackets(std::string_view text, std::size_t at) {
  int depth = 0;
  for (; at < text.size(); ++at) {
    if (text[at] == '"') at = skip_literal(text, at) - 1;
    depth += text[at] == '(' ? 1 : text[at] == ')' ? -1 : 0;
    if (depth == 0) return at + 1;
  }
  return at;
}

// The parts between separators that stand outside brackets and literals.
std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0, at = 0;
  while (at < text.size()) {
    if (text[at] == separator) {
      parts.push_back(text.substr(begin, at - begin));
      begin = at + 1;
    }
    at = text[at] == '"' ? skip_literal(text, at) : text[at] == '(' ? skip_brackets(text, at) : at + 1;
  }
  parts.push_back(text.substr(begin));
  return parts;
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
  return text;
}

// What stands between the brackets of an asm statement.
std::string instruction_call(std::string_view statement) {
  const std::vector<std::string_view> parts = split(statement, ':');  // template, outputs, inputs, clobbers
  std::string operands;
  int count = 0;
  for (std::size_t part = 1; part < parts.size() && part < 3; ++part) {
    for (const std::string_view each : split(parts[part], ',')) {
      const std::string_view operand = trim(each);
      if (operand.empty()) continue;
      const std::size_t bracket = operand.find('(');
      operands += fmt::format("host_operand({}, {}), ", trim(operand.substr(0, bracket)), operand.substr(bracket));
      ++count;
    }
  }
  return fmt::format("{{ HostOperand host_operands[] = {{{}{{}}}}; host_machine.instruction({}, host_operands, {}); }}", operands,
                     trim(parts[0]), count);
}

// `const float* c = ` at the beginning of a line: the words of the type, or nothing.
std::string_view pointer_declared(std::string_view line) {
  const std::size_t star = line.find("* ");
  if (star == std::string_view::npos) return {};
  const std::string_view type = line.substr(0, star);
  for (const char c : type) {
    if (!is_word(c) && c != ' ') return {};
  }
  std::size_t end = star + 2;
  while (end < line.size() && is_word(line[end])) ++end;
  return end > star + 2 && line.substr(end).starts_with(" =") ? type : std::string_view();
}

}  // namespace

std::string rewrite(std::string_view cuda) {
  constexpr std::string_view kCast = "reinterpret_cast<", kShared = "extern __shared__";
  std::string out;
  std::size_t at = 0;
  while (at < cuda.size()) {
    const std::string_view rest = cuda.substr(at);
    const bool starts_word = at == 0 || !is_word(cuda[at - 1]);
    const std::size_t line = out.find_last_not_of(' ');
    const bool starts_line = rest[0] != ' ' && (line == std::string::npos || out[line] == '\n');
    if (const std::string_view type = starts_line ? pointer_declared(rest) : std::string_view(); !type.empty()) {
      out += fmt::format("HostPointer<{}> ", type);
      at += type.size() + 2;
      continue;
    }
    if (rest.starts_with("//") || rest.starts_with("#include")) {  // the prelude stands for what would be included
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      if (rest[0] == '/') out += rest.substr(0, end);
      at += end;
    } else if (starts_word && rest.starts_with("asm") && rest.size() > 3 && !is_word(rest[3])) {
      const std::size_t open = cuda.find('(', at), end = skip_brackets(cuda, open);
      out += instruction_call(cuda.substr(open + 1, end - open - 2));
      at = end;
    } else if (starts_word && rest.starts_with(kShared)) {
      at = cuda.find(';', at) + 1;                                              // the machine's own
    } else if (starts_word && rest.starts_with(kCast) && out.ends_with('*')) {  // a cast that is read or written at once
      out += "host_pointer<";
      at += kCast.size();
    } else {
      out += cuda[at++];
    }
  }
  return out;
}

}  // namespace tessera::host
