// SPDX-License-Identifier: BSD-3-Clause
// Which names a text assigns that is not evaluated: loops, conditions, lambdas, stores. It is looked through word by word; what a block
// declares itself is its own.
//
//   for (int i = 0; i < 4; ++i) { int x = 3; y += x; }   // y
//   if flag: a, b = f(x)                                 // a, b
//   get<0>(t) = 5                                        // an element of t
#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/lang/statements/statement_reader.hpp"
#include "core/lang/syntax/lexer.hpp"

namespace tessera {
namespace {

using namespace statement_text;

// Words that no type is: `return x` declares nothing.
constexpr std::string_view kNoTypes[] = {"return", "else", "do",       "case", "goto", "throw", "new", "delete", "and",   "or",
                                         "not",    "in",   "typename", "if",   "for",  "while", "as",  "del",    "yield", "import"};

class Scan {
 public:
  Scan(std::string_view text, Dialect dialect, bool declared_too)
      : dialect_(dialect), cpp_(dialect == Dialect::cpp), declared_too_(declared_too) {
    read(text);
  }

  std::vector<Assigned> run() {
    declared_.emplace_back();
    for (at_ = 0; at_ < tokens_.size(); ++at_) token();
    return std::move(found_);
  }

 private:
  static bool is_name(std::string_view token) { return is_binding_name(first_word(token)); }
  static bool is_assignment(std::string_view token) {
    return token == "=" || token == ":=" ||
           (token.size() >= 2 && token.back() == '=' && token != "==" && token != "!=" && token != "<=" && token != ">=");
  }

  // Paths are one word: self.x, Cfg::kM.
  void read(std::string_view text) {
    const Walker walk(text, dialect_);
    for (std::size_t i = 0; i < text.size();) {
      const std::size_t next = walk.after(i);
      if (next > i + 1 || is_space(text[i])) {
        if (text[i] == '\n' && !cpp_) tokens_.push_back(text.substr(i, 1));
        i = next;
        continue;
      }
      std::size_t end = i;
      if (is_word(text[i])) {
        while (end < text.size() && (is_word(text[end]) || (text[end] == '.' && end + 1 < text.size() && is_word(text[end + 1])) ||
                                     (text.substr(end, 2) == "::" && end + 2 < text.size() && is_word(text[end + 2]))))
          end += text[end] == ':' ? 2 : 1;
      } else {
        for (const std::string_view sign :
             {"<<=", ">>=", "//=", "**=", "==", "!=", "<=", ">=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", ":=", "++", "--", "->"}) {
          if (text.substr(i).starts_with(sign)) {
            end = i + sign.size();
            break;
          }
        }
        if (end == i) ++end;
      }
      tokens_.push_back(text.substr(i, end - i));
      i = end;
    }
  }

  std::string_view word(std::size_t at) const { return at < tokens_.size() ? tokens_[at] : std::string_view(); }
  std::string_view before(std::size_t at, std::size_t steps = 1) const { return at >= steps ? tokens_[at - steps] : std::string_view(); }

  void token() {
    const std::string_view token = word(at_);
    if (token == "{") declared_.emplace_back();
    if (token == "}" && declared_.size() > 1) declared_.pop_back();
    if (token == ";" || token == "{" || token == "}" || token == "\n") declaring_ = false;
    if (opens(token[0])) {
      const std::string_view head = before(at_);
      const bool of_statement = head == "for" || head == "if" || head == "while" || head == "switch" || head == "constexpr";
      open_.push_back(token == "(" && of_statement ? 'h' : token[0]);
    }
    if (closes(token[0]) && !open_.empty()) open_.pop_back();
    if (cpp_) declaration();
    if (!cpp_) python_word();
    const char inside = open_.empty() ? '{' : open_.back();
    if (is_assignment(token) && (token == ":=" || inside == 'h' || inside == '{')) assignment();
    if (cpp_ && (token == "++" || token == "--")) {
      if (is_name(word(at_ + 1)))
        add(word(at_ + 1), Assigned::How::whole);
      else if (at_ > 0 && is_name(before(at_)))
        add(before(at_), Assigned::How::whole);
      else
        step_of_brackets();
    }
  }

  // (*p)++, ++(a), --t[0]: what stands in the brackets or in front of them.
  void step_of_brackets() {
    const bool behind = at_ > 0 && (before(at_) == ")" || before(at_) == "]");
    std::size_t from = behind ? opening(at_) : at_ + 1, to = behind ? at_ : from;
    for (int depth = 0; !behind && to < tokens_.size();) {
      if (opens(tokens_[to][0])) ++depth;
      if (closes(tokens_[to][0])) --depth;
      ++to;
      if (depth <= 0) break;
    }
    if (behind && from > 0) --from;
    bool points = behind && before(at_) == "]";
    for (std::size_t i = from; i < to; ++i) points = points || tokens_[i] == "*";
    for (std::size_t i = from; i < to; ++i) {
      if (is_name(tokens_[i])) add(tokens_[i], points ? Assigned::How::element : Assigned::How::whole);
    }
  }

  bool ends_type(std::size_t at) const {  // the token in front of it ends a type
    const std::string_view type = before(at);
    if (type.empty()) return false;
    if (type == ">" || (is_word(type[0]) && is_name(type)))
      return std::find(std::begin(kNoTypes), std::end(kNoTypes), type) == std::end(kNoTypes);
    return (type == "*" || type == "&") && at >= 2 && ends_type(at - 1);
  }

  void declaration() {
    const std::string_view name = word(at_), behind = word(at_ + 1);
    if (!is_name(name) || name == "const") return;
    const bool follows =
        behind == "=" || behind == ";" || behind == "{" || behind == "[" || behind == ":" || behind == "," || behind.empty();
    const bool listed = declaring_ && before(at_) == "," && open_.size() == declaring_in_;
    if (!follows || !(ends_type(at_) || listed)) return;
    declared_.back().emplace(name);
    if (!listed) declaring_in_ = open_.size();
    declaring_ = true;
    if (declared_too_ && declared_.size() == 1 && (open_.empty() || open_.back() == 'h')) insert(name, Assigned::How::whole);
  }

  // for a, b in x: with x as a:
  void python_word() {
    if (word(at_) == "as" && is_name(word(at_ + 1))) add(word(at_ + 1), Assigned::How::whole);
    if (word(at_) == "del") {
      for (std::size_t i = at_ + 1; is_name(word(i)); i += word(i + 1) == "," ? 2 : 1) add(word(i), Assigned::How::whole);
    }
    if (word(at_) != "for") return;
    for (std::size_t i = at_ + 1; i < tokens_.size() && tokens_[i] != "in" && tokens_[i] != "\n"; ++i) {
      if (is_name(tokens_[i])) add(tokens_[i], Assigned::How::whole);
    }
  }

  // Where the bracket that ends in front of `at` begins.
  std::size_t opening(std::size_t at) const {
    int depth = 0;
    while (at > 0) {
      --at;
      if (closes(tokens_[at][0])) ++depth;
      if (opens(tokens_[at][0]) && --depth == 0) break;
    }
    return at;
  }

  // Python's (x[0], a), *b = f(): the targets between the line's begin, or the '=' before, and this '='.
  void assign_targets() {
    std::size_t first = at_;
    for (int inside = 0; first > 0; --first) {
      const std::string_view before_it = tokens_[first - 1];
      if (inside == 0 && (before_it == "\n" || before_it == ";" || before_it == "=")) break;
      if (closes(before_it[0])) ++inside;
      if (opens(before_it[0]) && inside > 0) --inside;
    }
    constexpr std::string_view kHeads[] = {"if", "elif", "else", "for", "while", "with", "try", "except", "finally"};
    const bool head = std::find(std::begin(kHeads), std::end(kHeads), word(first)) != std::end(kHeads);
    std::size_t last = at_;
    int depth = 0;
    for (std::size_t i = first; i < at_; ++i) {
      if (opens(tokens_[i][0])) ++depth;
      if (closes(tokens_[i][0])) --depth;
      if (tokens_[i] != ":" || depth != 0) continue;
      if (head)
        first = i + 1;  // if x: a = 3
      else if (last == at_)
        last = i;  // a: int = 3
    }
    int indices = 0;
    for (std::size_t i = first; i < last; ++i) {
      if (tokens_[i] == "[" && i > first && (is_name(tokens_[i - 1]) || tokens_[i - 1] == "]" || tokens_[i - 1] == ")")) ++indices;
      if (tokens_[i] == "]" && indices > 0) --indices;
      if (indices > 0 || !(is_name(tokens_[i]) || tokens_[i] == "o") || word(i + 1) == "(") continue;
      add(tokens_[i], word(i + 1) == "[" ? Assigned::How::element : Assigned::How::whole);
    }
  }

  void assignment() {
    const std::string_view left = before(at_);
    if (left.empty()) return;
    if (!cpp_ && word(at_) == "=" && (open_.empty() || open_.back() == '{')) return assign_targets();
    if (is_name(left)) {
      const bool points = cpp_ && before(at_, 2) == "*" && !ends_type(at_ - 1);
      if (!points) add(left, Assigned::How::whole, !cpp_ && word(at_) != ":=");
      if (points) add(left, Assigned::How::element);
      return;
    }
    if (left != "]" && left != ")") return;
    const std::size_t open = opening(at_);
    const std::string_view head = open > 0 ? tokens_[open - 1] : std::string_view();
    const bool calls = !head.empty() && is_word(head[0]) && is_name(head) && head != "auto" && head != "const";  // auto const [a, b]
    if (left == "]" || !(head == ">" || calls)) {
      if (calls) return add(head, Assigned::How::element);
      for (std::size_t i = open + 1; i < at_; ++i) {
        if (is_name(tokens_[i]) && !cpp_) add(tokens_[i], Assigned::How::whole);
        if (is_name(tokens_[i]) && cpp_ && left == ")") add(tokens_[i], Assigned::How::whole);  // (a) = 5
        if (is_name(tokens_[i]) && cpp_ && left == "]") declared_.back().emplace(tokens_[i]);
        if (is_name(tokens_[i]) && cpp_ && declared_too_ && declared_.size() == 1) insert(tokens_[i], Assigned::How::whole);
      }
      return;
    }
    // get<0>(t) = 5 writes to t, t(0) = 5 too
    const std::string_view written = head == ">" || head == "get" || head == "cute::get" ? word(open + 1) : head;
    if (is_name(written)) add(written, Assigned::How::element);
  }

  void add(std::string_view name, Assigned::How how, bool in_place = false) {
    for (const auto& names : declared_) {
      if (names.contains(name)) return;
    }
    insert(name, how, in_place);
  }
  void insert(std::string_view name, Assigned::How how, bool in_place = false) {
    if (seen_.emplace(name, how, in_place).second) found_.push_back({std::string(name), how, in_place});
  }

  Dialect dialect_;
  bool cpp_, declared_too_;
  bool declaring_ = false;        // int a, b
  std::size_t declaring_in_ = 0;  // so many brackets: of int a = f(x, c), d the c is an argument
  std::vector<std::string_view> tokens_;
  std::size_t at_ = 0;
  std::string open_;                                  // brackets; 'h' is the head of a loop or a condition
  std::vector<std::set<std::string_view>> declared_;  // of each block
  std::set<std::tuple<std::string_view, Assigned::How, bool>> seen_;
  std::vector<Assigned> found_;
};

}  // namespace

std::vector<Assigned> assigned_in(std::string_view text, Dialect dialect, bool declared_too) {
  return Scan(text, dialect, declared_too).run();
}

}  // namespace tessera
