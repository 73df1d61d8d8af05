// SPDX-License-Identifier: BSD-3-Clause
// A text to its plan: names first, so that one may come before what it names, then everything else.
#include <algorithm>
#include <charconv>
#include <concepts>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/atom/instructions/catalog.hpp"
#include "core/base/checked.hpp"
#include "core/gemm/text/layout_reader.hpp"
#include "core/gemm/text/text.hpp"
#include "core/gemm/text/words.hpp"

namespace tessera::plan {

namespace {

using text::Token;

constexpr int kDeepestBlock = 64;
constexpr std::size_t kMostRows = 10000;  // of a list of resources

template <class T>
constexpr std::string_view kWhat = "";
template <>
constexpr std::string_view kWhat<Tensor> = "tensor";
template <>
constexpr std::string_view kWhat<TensorMap> = "map";
template <>
constexpr std::string_view kWhat<Descriptor> = "descriptor";
template <>
constexpr std::string_view kWhat<Partition> = "partition";
template <>
constexpr std::string_view kWhat<Barrier> = "barrier";
template <>
constexpr std::string_view kWhat<Ring> = "ring";
template <>
constexpr std::string_view kWhat<Cursor> = "cursor";
template <>
constexpr std::string_view kWhat<Function> = "function";
template <>
constexpr std::string_view kWhat<Role> = "role";

class Reader : public text::LayoutReader {
 public:
  // `known`: what an earlier reading found, whose numbers the names stand for; null in the first, where every name stands for 0.
  Reader(std::string_view text, const std::vector<Token>& tokens, const GemmPlan* known) : LayoutReader(text, tokens, 0), known_(known) {}
  const GemmPlan& plan() const { return plan_; }
  bool has_names() const { return has_names_; }

  Result<GemmPlan> read() {
    plan_.grid = 1;
    word("plan");
    if (peek().kind == Token::Kind::quoted) plan_.name = next().quoted;
    const std::size_t open = position();
    declare();
    go_to(open);
    in_braces([&] { statement(); });
    if (peek().kind != Token::Kind::end) fail("the plan ends here, and the text goes on");
    for (const std::string_view word : {"problem", "tiles", "schedule", "arch", "operand"}) {
      if (!plan_.mma && rows_.contains(word)) fail(fmt::format("the plan has a line {} and none that begins with mma", word));
    }
    if (ring_of_stages_ && (plan_.ring() == kNone || ring_of_stages_ != plan_.ring()))
      fail(fmt::format("STAGES is said of the ring {}, and is the number of the one of sA and sB", plan_.rings[*ring_of_stages_].name));
    if (error_) return *std::move(error_);
    return std::move(plan_);
  }

  // ---- what words.hpp asks for

  void word(std::string_view wanted) {
    if (ok() && peek().text == wanted && peek().kind != Token::Kind::quoted)
      next();
    else
      wants(fmt::format("\"{}\"", wanted));
  }
  template <class E, std::size_t N>
  void choice(E& value, const std::string_view (&words)[N]) {
    const auto* const found = std::find(std::begin(words), std::end(words), ok() ? peek().text : std::string_view());
    if (found == std::end(words)) return wants(fmt::format("one of {}", fmt::join(words, ", ")));
    next();
    value = static_cast<E>(found - std::begin(words));
  }
  template <std::integral T>
  void number(T& n) {
    const std::int64_t value = integer();
    if (value < std::numeric_limits<T>::min() || value > std::numeric_limits<T>::max()) return wants("a smaller number");
    n = static_cast<T>(value);
  }
  void number(Num& n) {  // 8, K_TILES, BLK_M * 64 + 1
    n = Num();
    if (!ok() || !is_name(peek())) return void(n = Num(integer()));
    const Token& name = peek();
    symbol(n);
    while (ok() && (peek().text == "+" || peek().text == "-") && ahead(1).kind == Token::Kind::number) add(n.plus, next().text == "-");
    value_of(n, name);
  }
  void numbers(std::initializer_list<std::pair<Symbol, std::int64_t&>> symbols) {  // M 64 N 64 K 32, or 64 x 64 x 32
    for (const auto& [symbol, n] : symbols) {
      if (!accept("x")) accept("mmas");
      accept(name_of(symbol));
      number(n);
    }
  }
  void stages(Ring& ring) {
    attribute("stages", ring.stages, 1);
    attributes_.emplace_back(name_of(Symbol::stages), [this, &ring] {
      ring_of_stages_ = static_cast<Id>(&ring - plan_.rings.data());
      number(ring.stages);
    });
  }
  void text(std::string& s) {
    if (!ok() || peek().kind != Token::Kind::quoted) return wants("a text in quotes");
    s = next().quoted;
  }
  void name(std::string& s) {
    if (!ok() || (peek().kind != Token::Kind::quoted && peek().kind != Token::Kind::word)) return wants("a name");
    s = peek().kind == Token::Kind::quoted ? next().quoted : std::string(next().text);
  }
  void type(ValueType& type) {
    const auto found = ok() ? value_type(peek().text) : std::nullopt;
    if (!found) return wants("a type, such as f16");
    next(), type = *found;
  }
  void names(std::vector<std::string>& names) {
    listed("(", ")", [&] {
      std::string& each = names.emplace_back();
      name(each);
    });
  }
  void index(Index& index) {
    const bool whole = accept("(");
    sum(index);
    if (whole) word(")");
    if (!accept("%")) return;
    const bool sum = accept("(");
    number(index.modulo);
    if (sum) word(")");
  }
  void at(At& at) {
    ref(at.partition, plan_.partitions);
    if (peek().text == "(") {
      listed("(", ")", [&] {
        Pick& pick = at.picks.emplace_back();
        name(pick.mode);
        if (accept("="))
          index(pick.at);
        else
          pick.at.variable = pick.mode;
      });
    }
    stage(at.stage);
    if (accept("tiles_back")) number(at.tiles_back);
  }
  void barrier(Id& id, Index& member, Stage& stage) {  // turn(consumer), full[read]
    ref(id, plan_.barriers);
    if (accept("(")) index(member), word(")");
    this->stage(stage);
  }
  template <class T>
  void ref(Id& id, const std::vector<T>& list) {
    if (!ok()) return;
    const Token& token = peek();
    std::string name;
    this->name(name);
    if (!ok()) return;
    const auto is_it = [&](const T& each) { return each.name == name; };
    const auto first = std::find_if(list.begin(), list.end(), is_it);
    if (first == list.end()) {
      std::vector<std::string> there;
      for (const T& each : list) there.push_back(each.name);
      return fail_at(
          token, fmt::format("the plan has no {} {}", kWhat<T>, name),
          there.empty() ? fmt::format("a line that begins with {} {}", kWhat<T>, name) : fmt::format("one of {}", fmt::join(there, ", ")));
    }
    id = static_cast<Id>(first - list.begin());
    if (accept("@")) {
      number(id);
      if (ok() && (id >= list.size() || !is_it(list[id]))) fail_at(token, fmt::format("{} {} of the list is not {}", kWhat<T>, id, name));
    } else if (std::count_if(list.begin(), list.end(), is_it) > 1) {
      fail_at(token, fmt::format("several of the plan's {}s are {}", kWhat<T>, name), fmt::format("{}@{} for the first of them", name, id));
    }
  }
  template <class T>
  void ref(std::string_view what, Id& id, const std::vector<T>& list) {
    attributes_.emplace_back(what, [this, &id, &list] { ref(id, list); });
  }
  void flag(std::string_view what, bool& is) {
    attributes_.emplace_back(what, [&is] { is = true; });
  }
  template <class T, class Usual>
  void attribute(std::string_view what, T& value, const Usual& usual) {
    value = usual;
    attributes_.emplace_back(what, [this, &value] { take(value); });
  }
  template <class T>
  void attribute(std::string_view what, T& value, std::initializer_list<int>) {
    attributes_.emplace_back(what, [this, &value] { take(value); });
  }
  void end() {
    std::vector<std::string_view> taken;
    while (ok() && goes_on() && peek().kind == Token::Kind::word) {
      const auto found = std::find_if(attributes_.begin(), attributes_.end(), [&](const auto& each) { return each.first == peek().text; });
      if (found == attributes_.end()) break;
      if (std::find(taken.begin(), taken.end(), found->first) != taken.end()) {
        fail(fmt::format("{} stands here a second time", found->first));
        break;
      }
      taken.push_back(found->first);
      next();
      found->second();
    }
    last_attributes_ = std::exchange(attributes_, {});
  }
  void block(Block& block) {
    if (++depth_ > kDeepestBlock) fail(fmt::format("blocks are inside each other more than {} deep", kDeepestBlock));
    in_braces([&] { operation(block); });
    --depth_;
  }

 private:
  // ---- resources

  // A row for each name of each list, so that a name may be found before its row is read.
  void declare() {
    int depth = 0;
    for (; peek().kind != Token::Kind::end; next()) {
      const std::string_view sign = peek().text;
      if (peek().kind == Token::Kind::sign && sign == "{") ++depth;
      if (peek().kind == Token::Kind::sign && sign == "}" && --depth <= 0) return;
      if (depth != 1 || peek().kind != Token::Kind::word || !begins_statement()) continue;
      const Token& name = ahead(1);
      const auto row = [&](auto& list, std::string_view word) {
        if (sign != word) return;
        if (list.size() >= kMostRows) return fail(fmt::format("the plan has more than {} of {}", kMostRows, word));
        list.emplace_back().name = name.kind == Token::Kind::quoted ? name.quoted : std::string(name.text);
      };
      each_list(row);
    }
  }
  template <class F>
  void each_list(const F& f) {
    f(plan_.tensors, "tensor"), f(plan_.maps, "map"), f(plan_.descriptors, "descriptor"), f(plan_.partitions, "partition");
    f(plan_.barriers, "barrier"), f(plan_.rings, "ring"), f(plan_.cursors, "cursor");
    f(plan_.functions, "function"), f(plan_.roles, "role");
  }

  void statement() {
    const Token& begins = peek();
    const std::string_view keyword = begins.kind == Token::Kind::word ? next().text : std::string_view();
    bool known = false;
    each_list([&](auto& list, std::string_view word) {
      if (keyword != word) return;
      known = true;
      std::size_t& row = rows_[word];
      if (row >= list.size()) return fail_at(begins, "a statement begins in a new line or behind \";\"");
      std::string name;
      this->name(name);
      auto& each = list[row++];
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(each)>, Function>) parameters_ = &each.parameters;
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(each)>, Role>) variables_ = {name};
      text::fields(*this, each);
      parameters_ = nullptr, variables_.clear();
    });
    if (known) return ended();
    const auto once = [&](std::string_view word, const auto& read) {
      if (keyword != word) return;
      known = true;
      if (rows_[word]++ > 0) return fail_at(begins, fmt::format("a plan has {} once", word));
      read();
    };
    once("problem", [&] { text::problem(*this, plan_); });
    once("tiles", [&] { text::tiles(*this, plan_); });
    once("cta", [&] { text::cta(*this, plan_); });
    once("schedule", [&] { text::schedule(*this, plan_); });
    once("mma", [&] { mma(begins); });
    once("arch", [&] { arch(); });
    if (keyword == "note") known = true, text(plan_.notes.emplace_back());
    if (keyword == "operand") {
      known = true, ++rows_[keyword];
      Operand operand{};
      choice(operand, text::kOperands);
      text::fields(*this, plan_.operands[static_cast<std::size_t>(operand)]);
    }
    if (!known) {
      return fail_at(
          begins, fmt::format("\"{}\" begins no line of a plan", begins.text),
          "cta, tensor, partition, ring, cursor, barrier, map, descriptor, operand, function, role, problem, tiles, mma, schedule, arch");
    }
    ended();
  }

  void mma(const Token& begins) {
    std::string atom;
    name(atom);
    Layout atoms;
    take(atoms);
    Tiler permutation = tiler();
    if (!ok()) return;
    auto found = find_mma_atom(atom);
    auto made = found ? TiledMma::make(*std::move(found), atoms, std::move(permutation)) : Result<TiledMma>(found.error());
    if (!made) return fail_at(begins, made.error().message);
    plan_.mma = *std::move(made);
  }
  void arch() {
    number(plan_.arch.sm);
    if (goes_on() && peek().kind == Token::Kind::word && peek().text.size() == 1) plan_.arch.suffix = next().text[0];
  }
  // ---- operations

  void operation(Block& block) {
    if (++operations_ > kMostOperations) return fail(fmt::format("the plan has more than {} operations", kMostOperations));
    const Token& begins = peek();
    Op op;
    op.line = line_of(begins);
    const auto* const found = begins.kind == Token::Kind::word
                                  ? std::find(std::begin(text::kOperations), std::end(text::kOperations), begins.text)
                                  : std::end(text::kOperations);
    if (found != std::end(text::kOperations)) {
      next();
      read(op, static_cast<std::size_t>(found - std::begin(text::kOperations)), std::make_index_sequence<std::size(text::kOperations)>());
    } else if (begins.kind == Token::Kind::word && begins.text == text::kLoop) {
      next(), loop(op);
    } else if (begins.kind == Token::Kind::word && begins.text == text::kWhen) {
      next(), when(op);
    } else if ((begins.kind == Token::Kind::word || begins.kind == Token::Kind::quoted) && (ahead(1).text == "(" || ahead(1).text == "@")) {
      call(op);
    } else {
      return fail_at(begins, fmt::format("\"{}\" is no operation", begins.text),
                     fmt::format("{}, {}, {}, or a function with its arguments in parentheses", fmt::join(text::kOperations, ", "),
                                 text::kLoop, text::kWhen));
    }
    ended();
    block.push_back(std::move(op));
  }
  template <std::size_t... I>
  void read(Op& op, std::size_t index, std::index_sequence<I...>) {
    const auto read_one = [&](auto of) {
      text::fields(*this, of);
      end();
      op.op = std::move(of);
    };
    ((index == I ? read_one(std::variant_alternative_t<I, AnyOp>{}) : void()), ...);
    why(op);
  }
  void why(Op& op) {
    if (ok() && goes_on() && peek().kind == Token::Kind::quoted) op.why = next().quoted;
  }
  void loop(Op& op) {
    Loop loop;
    name(loop.variable), word("="), number(loop.first);
    if (accept("+")) name(loop.plus);
    word("..");
    if (accept("tiles"))
      loop.tiles = true;
    else
      number(loop.count);
    attribute("step", loop.step, 1), flag("unrolled", loop.unrolled);
    flag("backwards_every_second_tile", loop.backwards_every_second_tile);
    end(), why(op);
    variables_.push_back(loop.variable);
    loop.body = body();
    variables_.pop_back();
    op.op = std::move(loop);
  }
  void when(Op& op) {
    When when;
    const auto asks = [&](Only only) { return accept(text::kOnly[static_cast<std::size_t>(only)]) && (when.only = only, true); };
    if (asks(Only::tile_exists) || asks(Only::tile_missing)) {
      index(when.index);
    } else if (!asks(Only::first_thread) && !asks(Only::owners)) {
      index(when.index);
      if (!asks(Only::below) && !asks(Only::equal) && !asks(Only::at_least)) return wants("<, == or >=");
      number(when.bound);
    }
    why(op);
    when.body = body();
    op.op = std::move(when);
  }
  void call(Op& op) {
    Named call;
    ref(call.function, plan_.functions);
    listed("(", ")", [&] { index(call.arguments.emplace_back()); });
    why(op);
    op.op = std::move(call);
  }
  std::shared_ptr<const Block> body() {
    Block inner;
    block(inner);
    return std::make_shared<const Block>(std::move(inner));
  }

  // ---- parts

  // Does a number of the plan stand here by its name? A variable hides it.
  bool is_name(const Token& token) const {
    const auto has = [&](const auto& names) { return std::find(names.begin(), names.end(), token.text) != names.end(); };
    return token.kind == Token::Kind::word && symbol_of(token.text) != Symbol::none && !has(variables_) &&
           (parameters_ == nullptr || !has(*parameters_));
  }
  void symbol(Num& n) {
    n.of = symbol_of(next().text);
    if (accept("*")) n.times = integer();
  }
  void add(std::int64_t& to, bool minus) {
    const Token& token = peek();
    const std::int64_t n = integer();
    if (const auto sum = checked_add(to, minus ? -n : n))
      to = *sum;
    else
      fail_at(token, "these numbers are more than 63 bits together");
  }
  void value_of(Num& n, const Token& name) {
    has_names_ = true;
    if (known_ == nullptr || !ok()) return;
    const std::int64_t of = known_->value_of(n.of);
    if (of == 0) return fail_at(name, fmt::format("{} has no number in this plan", name.text), "a number in its place");
    const auto product = checked_mul(of, n.times), value = product ? checked_add(*product, n.plus) : std::nullopt;
    if (!value) return fail_at(name, "this number is more than 63 bits");
    n.value = *value;
  }
  void sum(Index& index) {
    const Token* name = nullptr;  // of the number
    bool minus = accept("-");
    do {
      if (peek().kind == Token::Kind::word && is_name(peek())) {
        if (minus || name != nullptr) return wants("a number: an index has one name, and nothing is taken from it by name");
        name = &peek();
        symbol(index.add);
      } else if (peek().kind == Token::Kind::word) {
        std::string& variable = index.variable.empty() ? index.variable : index.plus;
        if (minus || !variable.empty()) return wants("a number: an index is at most two variables and a number, as in (k + stage + 1) % 4");
        variable = next().text;
      } else {
        add(index.add.plus, minus);
      }
      minus = false;
    } while (ok() && (accept("+") || (peek().text == "-" && (next(), minus = true))));
    if (name != nullptr)
      value_of(index.add, *name);
    else
      index.add = Num(index.add.plus);
  }
  void stage(Stage& stage) {
    if (!accept("[")) return;
    ref(stage.cursor, plan_.cursors);
    const bool before = accept("-");
    if (before || accept("+")) number(stage.back);
    if (!before) stage.back = -stage.back;
    word("]");
  }
  template <class F>
  void listed(std::string_view open, std::string_view close, const F& each) {
    word(open);
    while (ok() && !accept(close)) {
      each();
      if (peek().text != close) word(",");
    }
  }
  template <class F>
  void in_braces(const F& each) {
    const Token& open = peek();
    word("{");
    while (ok() && !accept("}")) {
      if (accept(";")) continue;
      if (peek().kind == Token::Kind::end) return fail_at(open, "this { has no }", "a } behind the last operation");
      each();
    }
  }
  // A statement has ended: nothing is left of its line.
  void ended() {
    end();
    if (!ok() || !goes_on()) return;
    std::vector<std::string_view> words;
    for (const auto& [word, take] : last_attributes_) words.push_back(word);
    fail(fmt::format("\"{}\" is no part of this line", peek().text),
         words.empty() ? "a new line, or \";\" between statements" : fmt::format("{}, or a new line", fmt::join(words, ", ")));
  }

  using LayoutReader::take;
  void take(std::int64_t& n) { number(n); }
  void take(Num& n) { number(n); }
  void take(int& n) { number(n); }
  void take(double& x) {
    const bool minus = accept("-");
    const Token& token = peek();
    double value = 0;
    const auto [end, error] = std::from_chars(token.text.data(), token.text.data() + token.text.size(), value);
    if (!ok() || token.kind != Token::Kind::number || error != std::errc() || end != token.text.data() + token.text.size())
      return wants("a number");
    next(), x = minus ? -value : value;
  }
  void take(std::string& s) { text(s); }
  void take(At& value) { at(value); }
  void take(Index& value) { index(value); }
  void take(std::optional<GroupOf>& group) {
    GroupOf of{};
    choice(of, text::kGroups);
    group = of;
  }
  void take(std::vector<Index>& indices) {
    listed("(", ")", [&] { index(indices.emplace_back()); });
  }
  void take(std::vector<At>& ats) {
    do at(ats.emplace_back());
    while (accept(","));
  }

  GemmPlan plan_;
  const GemmPlan* known_ = nullptr;
  bool has_names_ = false;
  std::optional<Id> ring_of_stages_;    // which the text gives STAGES
  std::vector<std::string> variables_;  // of the loops around what is read, and of the family
  const std::vector<std::string>* parameters_ = nullptr;
  int depth_ = 0;
  std::size_t operations_ = 0;
  std::map<std::string_view, std::size_t> rows_;  // that were read, by keyword
  std::vector<std::pair<std::string_view, std::function<void()>>> attributes_, last_attributes_;
};

}  // namespace

Result<GemmPlan> parse_plan(std::string_view text) {
  TESSERA_TRY(tokens, text::tokens_of(text));
  Reader first(text, tokens, nullptr);
  auto plan = first.read();
  return plan && first.has_names() ? Reader(text, tokens, &*plan).read() : std::move(plan);
}

}  // namespace tessera::plan
