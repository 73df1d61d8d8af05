// SPDX-License-Identifier: BSD-3-Clause
// A plan to its text.
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/literal.hpp"
#include "core/gemm/plan/explain_op.hpp"
#include "core/gemm/text/text.hpp"
#include "core/gemm/text/words.hpp"
#include "core/layout/tiler.hpp"

namespace tessera::plan {

namespace {

bool is_word(std::string_view name) {
  return !name.empty() && (std::isalpha(static_cast<unsigned char>(name[0])) != 0 || name[0] == '_') &&
         std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}
bool begins_an_operation(std::string_view name) {
  return name == text::kLoop || name == text::kWhen ||
         std::find(std::begin(text::kOperations), std::end(text::kOperations), name) != std::end(text::kOperations);
}

class Writer {
 public:
  explicit Writer(const GemmPlan& plan) : plan_(plan) {}
  const GemmPlan& plan() const { return plan_; }

  std::string text() {
    begin("plan");
    if (!plan_.name.empty()) text(plan_.name);
    open();
    if (plan_.mma) write_problem();
    for (const std::string& note : plan_.notes) begin("note"), text(note);
    once("cta", [&] { text::cta(*this, plan_); });
    list("tensor", plan_.tensors), list("map", plan_.maps), list("descriptor", plan_.descriptors), list("partition", plan_.partitions);
    list("barrier", plan_.barriers), list("ring", plan_.rings), list("cursor", plan_.cursors);
    for (std::size_t i = 0; plan_.mma && i < plan_.operands.size(); ++i) {
      begin("operand"), word(text::kOperands[i]);
      text::fields(*this, plan_.operands[i]);
    }
    list("function", plan_.functions), list("role", plan_.roles);
    close();
    return std::move(out_);
  }

  void word(std::string_view word) { out_ += fmt::format(" {}", word); }
  template <class E, std::size_t N>
  void choice(E value, const std::string_view (&words)[N]) {
    word(words[static_cast<std::size_t>(value)]);
  }
  void number(std::int64_t n) { out_ += fmt::format(" {}", n); }
  void number(const Num& n) { word(to_string(n)); }
  void numbers(std::initializer_list<std::pair<Symbol, std::int64_t>> symbols) {
    for (const auto& [symbol, n] : symbols) word(name_of(symbol)), number(n);
  }
  void text(const std::string& s) { out_ += " " + quoted_literal(s); }
  void name(const std::string& s) { is_word(s) ? word(s) : text(s); }
  void type(ValueType type) { word(short_name(type)); }
  void layout(const AnyLayout& layout) { word(to_string(layout)); }
  void names(const std::vector<std::string>& names) { out_ += fmt::format(" ({})", fmt::join(names, ", ")); }
  void index(const Index& index) { word(text_of(index)); }
  void at(const At& at) { word(text_of(at)); }
  void barrier(Id id, const Index& member, const Stage& stage) {
    const std::string which = member == Index{} ? std::string() : fmt::format("({})", text_of(member));
    out_ += " " + named(plan_.barriers, id) + which + text_of(stage);
  }
  template <class T>
  void ref(Id id, const std::vector<T>& list) {
    word(named(list, id));
  }
  template <class T>
  void ref(std::string_view what, Id id, const std::vector<T>& list) {
    if (id != kNone) word(what), ref(id, list);
  }
  void flag(std::string_view what, bool is) {
    if (is) word(what);
  }
  template <class T, class Usual>
  void attribute(std::string_view what, const T& value, const Usual& usual) {
    if (!(value == T(usual))) word(what), put(value);  // K_TILES is not 1, also where its number is
  }
  template <class T>  // {}: nothing of a list, or nothing at all
  void attribute(std::string_view what, const T& value, std::initializer_list<int>) {
    if (value != T{}) word(what), put(value);
  }
  // STAGES is the number of the ring of sA and sB.
  void stages(const Ring& ring) {
    attribute(plan_.ring() != kNone && &ring == &plan_.rings[plan_.ring()] ? name_of(Symbol::stages) : "stages", ring.stages, 1);
  }
  void end() {}
  void block(const Block& block) {
    open();
    for (const Op& op : block) write(op);
    close();
  }

 private:
  void begin(std::string_view word) { out_ += fmt::format("{}{:{}}{}", out_.empty() ? "" : "\n", "", 2 * depth_, word); }
  void open() { out_ += " {", ++depth_; }
  void close() { --depth_, begin("}"); }
  template <class F>
  void once(std::string_view word, const F& write) {
    begin(word), write();
  }
  template <class T>
  void list(std::string_view word, const std::vector<T>& list) {
    for (const T& each : list) {
      begin(word), name(each.name);
      text::fields(*this, each);
    }
  }

  void write_problem() {
    once("problem", [&] { text::problem(*this, plan_); });
    once("tiles", [&] { text::tiles(*this, plan_); });
    begin("mma"), name(plan_.mma->atom().name);
    word(to_string(plan_.mma->atom_layout_mnk())), word(to_string(plan_.mma->permutation_mnk()));
    once("schedule", [&] { text::schedule(*this, plan_); });
    if (plan_.arch.sm != 0) begin("arch"), number(plan_.arch.sm);
    if (plan_.arch.sm != 0 && plan_.arch.suffix != 0) word(std::string_view(&plan_.arch.suffix, 1));
  }

  // The name, and where others have it too its number.
  template <class T>
  std::string named(const std::vector<T>& list, Id id) const {
    if (id >= list.size()) return fmt::format("nothing@{}", id);  // which the reader refuses, as `verify` does
    const std::string& name = list[id].name;
    const std::string shown = is_word(name) ? name : quoted_literal(name);
    const bool alone = std::count_if(list.begin(), list.end(), [&](const T& each) { return each.name == name; }) == 1;
    return alone ? shown : fmt::format("{}@{}", shown, id);
  }
  static std::string text_of(const Index& index) { return to_string(index, Numbers::names); }
  std::string text_of(const Stage& stage) const {
    if (stage.cursor == kNone) return {};
    const std::string cursor = named(plan_.cursors, stage.cursor);
    return stage.back == 0 ? fmt::format("[{}]", cursor) : fmt::format("[{} - {}]", cursor, stage.back);
  }
  std::string text_of(const At& at) const {
    std::string text = named(plan_.partitions, at.partition) + to_string(at.picks, Numbers::names);
    text += text_of(at.stage);
    return at.tiles_back == 0 ? text : fmt::format("{} tiles_back {}", text, at.tiles_back);
  }

  void put(std::int64_t n) { number(n); }
  void put(const Num& n) { number(n); }
  void put(int n) { number(n); }
  void put(double x) { out_ += fmt::format(" {}", x); }
  void put(const std::string& s) { text(s); }
  void put(const Layout& l) { word(to_string(l)); }
  void put(const At& a) { at(a); }
  void put(const Index& i) { index(i); }
  void put(const std::optional<GroupOf>& group) { choice(*group, text::kGroups); }
  void put(const std::vector<Index>& indices) {
    std::vector<std::string> words;
    for (const Index& index : indices) words.push_back(text_of(index));
    out_ += fmt::format(" ({})", fmt::join(words, ", "));
  }
  void put(const std::vector<At>& ats) {
    std::vector<std::string> words;
    for (const At& at : ats) words.push_back(text_of(at));
    out_ += fmt::format(" {}", fmt::join(words, ", "));
  }

  void write(const Op& op) {
    std::visit([&](const auto& of) { write(of, op); }, op.op);
  }
  template <class T>
  void write(const T& of, const Op& op) {
    begin(text::kOperations[op.op.index()]);
    text::fields(*this, of);
    why(op);
  }
  void write(const Loop& loop, const Op& op) {
    begin(text::kLoop), word(loop.variable), word("="), number(loop.first);
    if (!loop.plus.empty()) word("+"), word(loop.plus);
    word("..");
    if (loop.tiles)
      word("tiles");
    else
      number(loop.count);
    attribute("step", loop.step, 1), flag("unrolled", loop.unrolled), flag("backwards_every_second_tile", loop.backwards_every_second_tile);
    why(op), block(*loop.body);
  }
  void write(const When& when, const Op& op) {
    begin(text::kWhen);
    const bool compares = when.only == Only::below || when.only == Only::equal || when.only == Only::at_least;
    if (compares) index(when.index);
    word(text::kOnly[static_cast<std::size_t>(when.only)]);
    if (compares) number(when.bound);
    if (when.only == Only::tile_exists || when.only == Only::tile_missing) index(when.index);
    why(op), block(*when.body);
  }
  void write(const Named& call, const Op& op) {
    const std::string function = named(plan_.functions, call.function);
    begin(begins_an_operation(function) ? quoted_literal(function) : function);
    std::vector<std::string> arguments;
    for (const Index& argument : call.arguments) arguments.push_back(text_of(argument));
    out_ += fmt::format("({})", fmt::join(arguments, ", "));
    why(op);
  }
  void why(const Op& op) {
    if (!op.why.empty()) text(op.why);
  }

  const GemmPlan& plan_;
  std::string out_;
  int depth_ = 0;
};

}  // namespace

std::string to_text(const GemmPlan& plan) { return Writer(plan).text(); }

}  // namespace tessera::plan
