// SPDX-License-Identifier: BSD-3-Clause
#include "core/lesson/print/tex_words.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/base/characters.hpp"
#include "core/render/shared/tikz_text.hpp"

namespace tessera::lesson {
namespace {

// \tesserasign is what core/render writes for signs of other fonts; its pictures define it for themselves.
constexpr std::string_view kPreamble = R"(\def\tesserasign#1#2{{\csname tesserabody#1\endcsname\char#2}}
\def\tesserabodysy{\usefont{OMS}{cmsy}{m}{n}}
\def\tesserabodymi{\usefont{OML}{cmm}{m}{it}}
\def\tesserabodyss{\usefont{OT1}{cmr}{m}{n}}
\def\tesserabodytt{\usefont{OT1}{cmtt}{m}{n}}
\newcommand\lessoncode[1]{\par\noindent\hangindent=2em\hangafter=1{\small\texttt{#1}\strut}}
\newcommand\lessonstruck[1]{\setbox0\hbox{#1}\rlap{\rule[.5ex]{\wd0}{.4pt}}\box0 }
\setlength\parindent{0pt}\setlength\parskip{6pt plus 2pt}\emergencystretch=4em\hbadness=10000\frenchspacing
)";

// A text with places where its line may end, since the words of a layout have no blanks.
std::string broken(std::string_view text, bool typewriter) {
  std::string out;
  while (!text.empty()) {
    std::size_t end = 0;
    while (end < text.size()) {
      const char c = text[end++];
      const bool goes_on = end < text.size() && text[end] != ' ' && text[end] != '\n';
      if (goes_on && (c == ',' || c == ':' || (typewriter && (c == '(' || c == '=')))) break;
    }
    append_tikz_text(out, text.substr(0, end), typewriter);
    text.remove_prefix(end);
    if (!text.empty()) out += "\\allowbreak{}";
  }
  return out;
}

// A blank at either end of a piece stays one: TeX drops those at the beginning of a group only where a line begins.
std::string spaced(std::string_view text, bool typewriter) {
  std::string out;
  const std::size_t begin = std::min(text.find_first_not_of(" \n\t"), text.size());
  const std::size_t end = text.find_last_not_of(" \n\t");
  if (begin > 0) out += ' ';
  if (end == std::string_view::npos) return out;
  out += broken(text.substr(begin, end + 1 - begin), typewriter);
  if (end + 1 < text.size()) out += ' ';
  return out;
}

void append_blocks(std::string& out, const std::vector<Block>& blocks);

void append_table(std::string& out, const Block& table) {
  std::size_t columns = 1;
  for (const Block& row : table.inside) columns = std::max(columns, row.inside.size());
  const double share = 0.96 / static_cast<double>(columns);
  out += fmt::format("\\par\\begin{{tabular}}{{@{{}}*{{{}}}{{l}}@{{}}}}\n", columns);
  for (const Block& row : table.inside) {
    for (const Block& cell : row.inside) {
      if (&cell != row.inside.data()) out += " & ";
      out += fmt::format("\\parbox[t]{{{:.3f}\\linewidth}}{{\\raggedright {}{}\\strut}}", share, row.is_head ? "\\bfseries " : "",
                         tex_of(cell.runs));
    }
    out += row.is_head ? "\\\\ \\hline\n" : "\\\\\n";
  }
  out += "\\end{tabular}\\par\n";
}

void append_block(std::string& out, const Block& block) {
  using Is = Block::Kind;
  switch (block.kind) {
    case Is::paragraph: out += tex_of(block.runs) + "\n\n"; return;
    case Is::line: out += tex_of(block.runs) + "\n"; return;
    case Is::heading:
      out += fmt::format("\\{}*{{{}}}\n",
                         block.level <= 1   ? "section"
                         : block.level == 2 ? "subsection"
                                            : "subsubsection",
                         tex_of(block.runs));
      return;
    case Is::code:
      if (!block.runs.empty()) out += tex_lines(block.runs.front().text);
      return;
    case Is::quote:
      out += "\\begin{quote}\n";
      append_blocks(out, block.inside);
      out += "\\end{quote}\n";
      return;
    case Is::bullets:
    case Is::numbers: {
      const std::string_view name = block.kind == Is::bullets ? "itemize" : "enumerate";
      out += fmt::format("\\begin{{{}}}\n", name);
      append_blocks(out, block.inside);
      out += fmt::format("\\end{{{}}}\n", name);
      return;
    }
    case Is::item:
      out += "\\item{} ";
      append_blocks(out, block.inside);
      return;
    case Is::table: append_table(out, block); return;
    case Is::rule: out += "\\par\\hrule\\par\n"; return;
    case Is::row: return;
  }
}

void append_blocks(std::string& out, const std::vector<Block>& blocks) {
  for (const Block& each : blocks) append_block(out, each);
}

}  // namespace

std::string_view tex_preamble() { return kPreamble; }

std::string tex_text(std::string_view text) { return spaced(text, false); }
std::string tex_code(std::string_view text) { return "\\texttt{" + spaced(text, true) + "}"; }

std::string tex_of(const std::vector<TextRun>& runs) {
  std::string out;
  for (const TextRun& run : runs) {
    if (run.breaks) {
      out += "\\newline{}";
      continue;
    }
    std::string words = run.code ? tex_code(run.text) : tex_text(run.text);
    if (run.em) words = "\\emph{" + words + "}";
    if (run.strong) words = "\\textbf{" + words + "}";
    if (run.del) words = "\\lessonstruck{" + words + "}";
    out += words;
  }
  return out;
}

std::string tex_of(const std::vector<Block>& blocks) {
  std::string out;
  append_blocks(out, blocks);
  return out;
}

std::string tex_lines(std::string_view lines) {
  std::string out = "\\par\\smallskip{\\parskip=0pt\\raggedright\n";
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    std::string line;
    append_tikz_text(line, lines.substr(0, end), true);
    out += fmt::format("\\lessoncode{{{}}}\n", line);
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  return out + "\\par}\\smallskip\n";
}

}  // namespace tessera::lesson
