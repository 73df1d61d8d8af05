// SPDX-License-Identifier: BSD-3-Clause
// A page of Markdown, taken apart into running text and fenced blocks, and put together again.
#pragma once

#include <sstream>
#include <string>
#include <vector>

namespace tessera::test {

struct PagePart {
  bool fenced = false;
  std::string opening;   // of a block, what stands behind ```: "console exit=1", "tess lecture.tess"
  std::string text;      // lines, each with its newline; of a block those between its fences
  std::size_t line = 0;  // where the text begins, from 1

  std::string language() const { return opening.substr(0, opening.find(' ')); }
  std::string argument() const { return opening.find(' ') == std::string::npos ? "" : opening.substr(opening.find(' ') + 1); }
};

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

inline std::vector<PagePart> parts_of(const std::string& page) {
  std::vector<PagePart> parts{{false, "", "", 1}};
  std::size_t number = 0;
  for (const std::string& line : lines_of(page)) {
    ++number;
    const bool fence = line.rfind("```", 0) == 0;
    if (fence && !parts.back().fenced)
      parts.push_back({true, line.substr(3), "", number + 1});
    else if (fence)
      parts.push_back({false, "", "", number + 1});
    else
      parts.back().text += line + "\n";
  }
  return parts;
}

// page_of(parts_of(page)) is the page.
inline std::string page_of(const std::vector<PagePart>& parts) {
  std::string page;
  for (const PagePart& part : parts) page += part.fenced ? "```" + part.opening + "\n" + part.text + "```\n" : part.text;
  return page;
}

// A console block: commands behind "$ ", each with what stands below it. A command whose line ends with a backslash goes on in the next.
struct Shown {
  std::string command;  // one line, or several with their newlines
  std::string output;
};
inline std::vector<Shown> shown_in(const std::string& block) {
  std::vector<Shown> shown;
  bool goes_on = false;
  for (const std::string& line : lines_of(block)) {
    if (line.rfind("$ ", 0) == 0)
      shown.push_back({line.substr(2), ""});
    else if (goes_on)
      shown.back().command += "\n" + line;
    else if (!shown.empty())
      shown.back().output += line + "\n";
    goes_on = (goes_on || line.rfind("$ ", 0) == 0) && line.ends_with('\\');
  }
  return shown;
}

// What stands between backticks in running text.
inline std::vector<std::string> code_in(const std::string& text) {
  std::vector<std::string> found;
  for (std::size_t at = text.find('`'); at != std::string::npos; at = text.find('`', at)) {
    const std::size_t end = text.find('`', at + 1);
    if (end == std::string::npos) break;
    found.push_back(text.substr(at + 1, end - at - 1));
    at = end + 1;
  }
  return found;
}

// Where its links and its images lead: (path) behind ], without those that leave the project.
struct Link {
  std::string path;
  bool image = false;
};
inline std::vector<Link> links_in(std::string text) {
  std::vector<Link> links;
  for (const std::string& code : code_in(text)) text.erase(text.find('`' + code + '`'), code.size() + 2);
  for (std::size_t at = text.find("]("); at != std::string::npos; at = text.find("](", at + 1)) {
    const std::size_t open = text.rfind('[', at);
    const std::string path = text.substr(at + 2, text.find(')', at) - at - 2);
    if (path.rfind("http", 0) != 0) links.push_back({path, open != std::string::npos && open > 0 && text[open - 1] == '!'});
  }
  return links;
}

// A row of a table: "| a | b |" -> {"a", "b"}; nothing for a line that is none.
inline std::vector<std::string> cells_in(const std::string& line) {
  std::vector<std::string> cells;
  if (line.size() < 2 || line.front() != '|' || line.back() != '|') return cells;
  for (std::size_t at = 1; at < line.size();) {
    std::size_t end = line.find('|', at);
    while (end > 0 && line[end - 1] == '\\') end = line.find('|', end + 1);
    std::string cell = line.substr(at, end - at);
    cell.erase(0, cell.find_first_not_of(' ') == std::string::npos ? cell.size() : cell.find_first_not_of(' '));
    while (!cell.empty() && cell.back() == ' ') cell.pop_back();
    cells.push_back(cell);
    at = end + 1;
  }
  return cells;
}

}  // namespace tessera::test
