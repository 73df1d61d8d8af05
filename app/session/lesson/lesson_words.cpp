// SPDX-License-Identifier: BSD-3-Clause
// Blocks within blocks, as core/lesson/words reads them, become one behind the other, as a screen shows them.
#include "app/session/lesson/lesson_words.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/budget.hpp"
#include "core/lesson/names.hpp"
#include "core/lesson/words/markdown.hpp"

namespace tessera {
namespace {

using lesson::Block;
using lesson::TextRun;

WordLook look_of(const TextRun& run) {
  if (run.code) return WordLook::code;
  return run.strong ? WordLook::strong : run.em ? WordLook::emphasis : WordLook::plain;
}

// A line that ends in the text goes on here, where the screen has room; one that is broken there, is broken here.
std::string words_of_run(const TextRun& run, bool keeps_lines) {
  if (run.breaks) return "\n";
  std::string text = run.text;
  for (char& c : text) {
    if (c == '\n' && !keeps_lines) c = ' ';
  }
  return text;
}

WordLine line_of(const std::vector<TextRun>& runs, bool keeps_lines = false) {
  WordLine made;
  for (const TextRun& run : runs) {
    std::string text = words_of_run(run, keeps_lines);
    const WordLook look = run.breaks && !made.empty() ? made.back().look : look_of(run);
    if (!made.empty() && made.back().look == look)
      made.back().text += text;
    else
      made.push_back({std::move(text), look});
  }
  return made;
}

// The runs of a block and of all that is inside it.
void append_runs(const Block& block, std::vector<TextRun>& runs) {
  runs.insert(runs.end(), block.runs.begin(), block.runs.end());
  for (const Block& each : block.inside) append_runs(each, runs);
}

class Flat {
 public:
  using Kind = WordBlock::Kind;

  void add_all(const std::vector<Block>& blocks, std::size_t depth = 0) {
    for (const Block& each : blocks) add(each, depth);
  }
  std::vector<WordBlock> made;

 private:
  void put(Kind kind, WordLine words, std::size_t level = 0, std::string sign = {}) {
    made.push_back({kind, level, std::move(sign), std::move(words), {}});
  }

  void add(const Block& block, std::size_t depth) {
    switch (block.kind) {
      case Block::Kind::paragraph:
      case Block::Kind::line: return put(Kind::paragraph, line_of(block.runs));
      case Block::Kind::heading: return put(Kind::heading, line_of(block.runs), block.level);
      case Block::Kind::code: {
        WordLine words = line_of(block.runs, true);
        for (WordRun& run : words) run.look = WordLook::code;
        while (!words.empty() && words.back().text.ends_with('\n')) words.back().text.pop_back();
        return put(Kind::code, std::move(words));
      }
      case Block::Kind::quote:
        for (const Block& each : block.inside) {
          std::vector<TextRun> runs;
          append_runs(each, runs);
          put(Kind::quotation, line_of(runs));
        }
        return;
      case Block::Kind::bullets:
      case Block::Kind::numbers:
        for (std::size_t i = 0; i < block.inside.size(); ++i)
          add_item(block.inside[i], depth, block.kind == Block::Kind::numbers ? fmt::format("{}.", i + 1) : std::string());
        return;
      case Block::Kind::item: return add_item(block, depth, {});
      case Block::Kind::table: return add_table(block);
      case Block::Kind::row:
      case Block::Kind::rule: return;
    }
  }

  void add_item(const Block& item, std::size_t depth, std::string sign) {
    put(Kind::item, item.runs.empty() ? WordLine() : line_of(item.runs), depth, std::move(sign));
    bool first = item.runs.empty();
    for (const Block& each : item.inside) {
      const bool is_line = each.kind == Block::Kind::line || each.kind == Block::Kind::paragraph;
      if (is_line && std::exchange(first, false))
        made.back().words = line_of(each.runs);
      else
        add(each, depth + 1);
    }
  }

  void add_table(const Block& table) {
    put(Kind::table, {});
    WordBlock& block = made.back();
    for (const Block& row : table.inside) {
      block.rows.emplace_back();
      for (const Block& cell : row.inside) {
        std::vector<TextRun> runs;
        append_runs(cell, runs);
        block.rows.back().push_back(line_of(runs));
      }
      block.rows.back().resize(block.rows.front().size());
    }
  }
};

}  // namespace

Result<std::vector<WordBlock>> words_of(const lesson::Written& markdown, const Scope& scope) {
  const Budget budget;
  const Result<std::vector<Block>> blocks = lesson::blocks_of(markdown, scope);
  Flat flat;
  if (blocks) {
    flat.add_all(*blocks);
  } else if (blocks.error().code == ErrorCode::io) {  // without md4c the words stand as they were written
    TESSERA_TRY(text, lesson::filled(markdown, scope));
    flat.made.push_back({WordBlock::Kind::paragraph, 0, {}, {{std::move(text), WordLook::plain}}, {}});
  } else {
    return blocks.error();
  }
  return std::move(flat.made);
}

WordLine prompt_words(std::string_view text) { return line_of(lesson::runs_of_line(text), true); }

std::string plain_text(const WordLine& words) {
  std::string made;
  for (const WordRun& run : words) made += run.text;
  return made;
}

}  // namespace tessera
