// SPDX-License-Identifier: BSD-3-Clause
#include "tests/mutants/generate.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <filesystem>
#include <map>
#include <regex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tests/rules/source_tree.hpp"

namespace tessera::mutants {
namespace {

// Bytes [begin, end) of a source become `now`.
struct Edit {
  std::size_t begin = 0, end = 0;
  std::string now;
  std::string kind;   // the first word of the mutant's name
  std::string words;  // what it breaks
};

// What a compiled source computes with: the code without comments, strings and preprocessor lines, byte for byte in its place.
std::string computing_code(std::string_view text) {
  std::string code = rules::code_only(text);
  for (std::size_t begin = 0; begin < code.size();) {
    const std::size_t end = std::min(code.find('\n', begin), code.size());
    const bool inside = code.compare(begin, 2, "  ") == 0;  // of a function or a table
    if (!inside) std::fill(code.begin() + static_cast<std::ptrdiff_t>(begin), code.begin() + static_cast<std::ptrdiff_t>(end), ' ');
    begin = end + 1;
  }
  return code;
}

// The ')' of the '(' at `open`, or npos.
std::size_t closing(std::string_view code, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < code.size(); ++i) {
    if (code[i] == '(') ++depth;
    if (code[i] == ')' && --depth == 0) return i;
    if (code[i] == ';' && depth == 0) return std::string_view::npos;
  }
  return std::string_view::npos;
}

std::string one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const bool space = std::isspace(static_cast<unsigned char>(c));
    if (space && (line.empty() || line.back() == ' ')) continue;
    line += space ? ' ' : c;
  }
  if (!line.empty() && line.back() == ' ') line.pop_back();
  return line.size() <= 90 ? line : line.substr(0, 87) + "...";
}

class Finder {
 public:
  explicit Finder(std::string_view text) : text_(text), code_(computing_code(text)) {}

  std::vector<Edit> all() {
    conditions();
    statements();
    operands();
    numbers();
    return std::move(edits_);
  }

 private:
  std::string original(std::size_t begin, std::size_t end) const { return std::string(text_.substr(begin, end - begin)); }

  void add(std::size_t begin, std::size_t end, std::string now, std::string kind, std::string words) {
    edits_.push_back({begin, end, std::move(now), std::move(kind), std::move(words)});
  }

  template <class Use>
  void each_match(const std::regex& pattern, const Use& use) {
    for (auto it = std::sregex_iterator(code_.begin(), code_.end(), pattern); it != std::sregex_iterator(); ++it) use(*it);
  }

  void conditions() {
    static const std::regex start(R"(\b(if|while) \()");
    static const std::regex refuses(R"(^\s*\{?\s*return\s+[^;]*(Error|refus|error|fail|wrong|not_|cannot|no_)[^;]*;)");
    each_match(start, [&](const std::smatch& match) {
      const std::size_t open = static_cast<std::size_t>(match.position()) + match.length() - 1, close = closing(code_, open);
      if (close == std::string::npos) return;
      const std::string condition = code_.substr(open + 1, close - open - 1), said = original(open + 1, close);
      static const std::regex declares(R"(;|[^=!<>]=[^=])");
      if (std::regex_search(condition, declares)) return;
      const std::string after = code_.substr(close + 1, 400);
      if (match[1] == "if") {
        if (std::regex_search(after, refuses))
          add(open + 1, close, fmt::format("false && ({})", said), "unrefused", fmt::format("nothing is refused where {}", one_line(said)));
        add(open + 1, close, fmt::format("!({})", said), "negate", fmt::format("the condition ({}) is turned round", one_line(said)));
      }
      drop_halves(open + 1, close);
    });
  }

  // a && b: either half is dropped.
  void drop_halves(std::size_t begin, std::size_t end) {
    int depth = 0;
    for (std::size_t i = begin; i + 1 < end; ++i) {
      depth += code_[i] == '(' || code_[i] == '[' || code_[i] == '{' ? 1 : code_[i] == ')' || code_[i] == ']' || code_[i] == '}' ? -1 : 0;
      const std::string_view two = std::string_view(code_).substr(i, 2);
      if (depth != 0 || (two != "&&" && two != "||")) continue;
      const std::string whole = one_line(original(begin, end)), left = original(begin, i), right = original(i + 2, end);
      add(begin, end, left, "drop", fmt::format("of ({}) only {} is asked", whole, one_line(left)));
      add(begin, end, right, "drop", fmt::format("of ({}) only {} is asked", whole, one_line(right)));
    }
  }

  void statements() {
    static const std::regex call(R"(^(\+\+|--|\*)?[A-Za-z_][\w:]*((\.|->)\w+|\[[^\[\]]*\]|\([^;]*\))*( [-+*/%|&^]?= [^;]*|)$)");
    static const std::regex keyword(
        R"(^(TESSERA_TRY|return|const|auto|using|struct|static|case|if|for|while|switch|default|else|enum|class|template|typedef|namespace|goto|do|public|private)\b)");
    static const std::regex head(R"(^(if|for|while) \(|^else\b)");
    std::size_t begin = 0;
    int depth = 0;
    for (std::size_t i = 0; i < code_.size(); ++i) {
      const char c = code_[i];
      if (c == '(') ++depth;
      if (c == ')') depth = std::max(depth - 1, 0);
      if (depth > 0 || (c != ';' && c != '{' && c != '}')) continue;
      if (c == ';') {
        std::size_t from = code_.find_first_not_of(" \n", begin);
        std::string statement = code_.substr(from, i - from);
        for (std::smatch match; std::regex_search(statement, match, head);) {
          const std::size_t close = match[1].matched ? closing(code_, from + match.length() - 1) : from + match.length() - 1;
          if (close == std::string::npos) break;
          from = code_.find_first_not_of(" \n", close + 1);
          statement = code_.substr(from, i - from);
        }
        if (statement.size() < 400 && !std::regex_search(statement, keyword) && std::regex_match(statement, call))
          add(from, i + 1, ";", "delete", fmt::format("{} is never done", one_line(original(from, i))));
      }
      begin = i + 1;
    }
  }

  void operands() {
    static const std::regex binary(
        R"(([A-Za-z_]\w*(?:\.\w+)?(?:\(\))?|\d+) (-|/|%|<|<=|>|>=) ([A-Za-z_]\w*(?:\.\w+)?(?:\(\))?|\d+)(?![\w.\(\[:]))");
    static const std::regex arguments(R"(\b([A-Za-z_]\w*)\(([A-Za-z_]\w*(?:\.\w+)?), ([A-Za-z_]\w*(?:\.\w+)?)\))");
    each_match(binary, [&](const std::smatch& match) {
      const std::size_t at = static_cast<std::size_t>(match.position());
      add(at, at + match.length(), fmt::format("{} {} {}", match[3].str(), match[2].str(), match[1].str()), "swap",
          fmt::format("the operands of {} change places", one_line(match.str())));
      const std::map<std::string, std::string> near = {{"<", "<="}, {"<=", "<"}, {">", ">="}, {">=", ">"}};
      if (const auto other = near.find(match[2]); other != near.end())
        add(at, at + match.length(), fmt::format("{} {} {}", match[1].str(), other->second, match[3].str()), "bound",
            fmt::format("{} is off by one", one_line(match.str())));
    });
    each_match(arguments, [&](const std::smatch& match) {
      const std::size_t at = static_cast<std::size_t>(match.position());
      add(at, at + match.length(), fmt::format("{}({}, {})", match[1].str(), match[3].str(), match[2].str()), "swap",
          fmt::format("the arguments of {} change places", one_line(match.str())));
    });
  }

  void numbers() {
    static const std::regex step(R"( [-+] 1(?=[;,)\] ]))");
    static const std::regex literal(R"(([ (\[])(\d{1,4})(?=[;,)\] ]))");
    each_match(step, [&](const std::smatch& match) {
      const std::size_t at = static_cast<std::size_t>(match.position());
      add(at, at + match.length(), "", "step", fmt::format("{} is forgotten near {}", one_line(match.str()), one_line(line_at(at))));
    });
    each_match(literal, [&](const std::smatch& match) {
      const std::size_t at = static_cast<std::size_t>(match.position(2));
      add(at, at + match[2].length(), std::to_string(std::stoi(match[2]) + 1), "number",
          fmt::format("{} is one more in {}", match[2].str(), one_line(line_at(at))));
    });
  }

  std::string line_at(std::size_t at) const {
    const std::size_t begin = text_.rfind('\n', at) + 1;
    return original(begin, std::min(text_.find('\n', at), text_.size()));
  }

  std::string_view text_;
  std::string code_;
  std::vector<Edit> edits_;
};

std::string area_of(const std::string& file) {
  const std::size_t first = file.find('/');
  const std::string folder = first == std::string::npos ? file : file.substr(first + 1, file.find('/', first + 1) - first - 1);
  return folder == "device" ? "codegen" : folder;
}

std::uint64_t mixed(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

std::uint64_t hash(std::uint64_t seed, std::string_view text) {
  for (const char c : text) seed = mixed(seed ^ static_cast<unsigned char>(c));
  return seed;
}

// The edit as whole lines, with as many around them as make them unique in the source.
Mutant as_mutant(const std::string& file, std::string_view text, const Edit& edit) {
  std::size_t begin = text.rfind('\n', edit.begin) + 1, end = std::min(text.find('\n', edit.end - 1), text.size());
  bool above = true;
  while (occurrences(text.substr(begin, end - begin), text) != 1 && (begin > 1 || end < text.size())) {
    if (above && begin > 1) begin = text.rfind('\n', begin - 2) + 1;
    if (!above && end < text.size()) end = std::min(text.find('\n', end + 1), text.size());
    above = !above;
  }
  Mutant mutant;
  mutant.area = area_of(file);
  mutant.place = file;
  mutant.breaks = edit.words;
  mutant.old_text = std::string(text.substr(begin, end - begin));
  mutant.new_text = fmt::format("{}{}{}", text.substr(begin, edit.begin - begin), edit.now, text.substr(edit.end, end - edit.end));
  mutant.name = fmt::format("{}_{}_{:04x}", std::filesystem::path(file).stem().string(), edit.kind,
                            hash(0, mutant.old_text + "\n" + mutant.new_text) & 0xFFFF);
  return mutant;
}

}  // namespace

std::vector<Mutant> candidates(const std::string& file, std::string_view text) {
  std::vector<Mutant> found;
  for (const Edit& edit : Finder(text).all()) found.push_back(as_mutant(file, text, edit));
  return found;
}

std::vector<Mutant> generate(std::string_view seed, const std::vector<std::string>& files, const std::filesystem::path& root) {
  std::map<std::string, std::vector<Mutant>> kinds;
  for (const std::string& file : files) {
    for (Mutant& mutant : candidates(file, contents(root / file))) {
      const std::size_t kind_end = mutant.name.rfind('_'), kind_begin = mutant.name.rfind('_', kind_end - 1) + 1;
      kinds[mutant.name.substr(kind_begin, kind_end - kind_begin)].push_back(std::move(mutant));
    }
  }
  std::vector<Mutant> order;
  for (auto& [kind, mutants] : kinds) {
    const auto rank = [&](const Mutant& mutant) { return hash(hash(0, seed), mutant.name); };
    std::sort(mutants.begin(), mutants.end(), [&](const Mutant& a, const Mutant& b) { return rank(a) < rank(b); });
  }
  for (std::size_t turn = 0, taken = 1; taken > 0; ++turn) {
    taken = 0;
    for (auto& [kind, mutants] : kinds) {
      if (turn < mutants.size()) order.push_back(mutants[turn]), ++taken;
    }
  }
  return order;
}

}  // namespace tessera::mutants
