// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/statements/call_sites.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/budget.hpp"
#include "core/base/characters.hpp"
#include "core/lang/statements/call_spans.hpp"
#include "core/lang/syntax/words.hpp"

namespace tessera {

using namespace statement_text;

namespace {

constexpr std::size_t kMostSites = 4096;

// Another name of what a text defines: auto k = &kernel<8>; gemm = Gemm(tile); using Tr = Traits<8>
struct OtherName {
  std::vector<const Definition*> of;
  std::vector<SourceSpan> templates;
  bool is_object = false;  // made by a class: calling it calls its __call__
};

// A path in a text, Kernel<8>::run, with the arguments of its last part.
struct Path {
  std::size_t begin = 0, name = 0, end = 0;  // `name`: of the last part
  std::string_view last;
  std::string owner;  // what stands in front of the last part, without arguments
  std::vector<SourceSpan> templates;
  bool has_templates = false;
};

class CallScanner {
 public:
  explicit CallScanner(const Definitions& definitions) : definitions_(definitions), text_(definitions.text()) {}

  std::vector<CallSite> run() {
    for (number_ = 0; number_ < definitions_.statements().size() && made_.size() < kMostSites && !late(); ++number_) {
      const Statement& each = definitions_.statements()[number_];
      if (each.kind == Statement::Kind::leaves && !classes_.empty()) {
        classes_.pop_back();
        parameters_.pop_back();
      }
      if (each.kind == Statement::Kind::enters) {
        classes_.push_back(class_at(number_));
        parameters_.push_back(&each);
      }
      const bool is_condition = each.kind == Statement::Kind::enters && (each.reason == "a condition" || each.reason == "a loop");
      if (each.kind == Statement::Kind::leaves || (each.kind == Statement::Kind::enters && !is_condition)) continue;
      if (each.reason == "a comment" || each.reason == "an #include" || each.reason == kCodeOfZero || each.reason == kCodeLeftOut) continue;
      scan(each);
    }
    std::stable_sort(made_.begin(), made_.end(), [](const CallSite& a, const CallSite& b) { return a.at < b.at; });
    return std::move(made_);
  }

 private:
  std::string class_at(std::size_t number) const {
    for (const Definition& each : definitions_.all()) {
      if (each.enters == number) return each.is_class ? each.name : each.of_class;
    }
    return classes_.empty() ? std::string() : classes_.back();
  }

  void scan(const Statement& statement) {
    const Walker walk(text_, statement.dialect);
    statement_ = &statement;
    std::size_t i = statement.span.begin;
    while (i < statement.span.end) {
      const bool begins = is_letter(text_[i]) && (i == 0 || !is_word(text_[i - 1]));
      if (!begins || walk.after(i) != i + 1) {
        i = std::max(walk.after(i), i + 1);
        continue;
      }
      const Path path = path_at(i);
      look_at(path);
      i = std::max(path.name + path.last.size(), i + 1);
    }
  }

  // From its first letter on.
  Path path_at(std::size_t begin) {
    Path made;
    made.begin = made.name = begin;
    while (true) {
      made.last = first_word(text_.substr(made.name));
      made.end = made.name + made.last.size();
      made.templates.clear();
      made.has_templates = false;
      if (const auto close = knows(made.last) ? after_angle(text_, made.end, statement_->dialect) : std::nullopt) {
        made.templates = arguments_in(text_, {made.end + 1, *close - 1}, statement_->dialect);
        made.has_templates = true;
        made.end = *close;
      }
      std::size_t next = made.end;
      if (text_.substr(next, 2) == "::" || text_.substr(next, 2) == "->")
        next += 2;
      else if (text_.substr(next, 1) == ".")
        next += 1;
      if (next == made.end || next >= text_.size() || !is_letter(text_[next])) return made;
      if (made.has_templates) look_at_use(made);
      made.owner += made.owner.empty() ? "" : separator(made);
      made.owner += made.last;
      made.name = next;
    }
  }
  std::string_view separator(const Path& path) const { return path.name > 0 && text_[path.name - 1] == ':' ? "::" : "."; }

  bool knows(std::string_view name) const {
    return others_.contains(std::string(name)) || !definitions_.named(name, classes_.empty() ? "" : classes_.back()).empty() ||
           definitions_.class_named(name);
  }

  // What a path may call. `object`: it is a variable that a class made.
  std::vector<const Definition*> callees(const Path& path, bool& object) const {
    object = false;
    const std::string around = classes_.empty() ? std::string() : classes_.back();
    if (path.owner.empty()) {
      if (const auto other = others_.find(std::string(path.last)); other != others_.end()) {
        object = other->second.is_object;
        return other->second.of;
      }
      return definitions_.named(path.last, around);
    }
    const std::string_view owner = path.owner;
    const auto other = others_.find(std::string(owner));
    if (other != others_.end() && other->second.of.size() == 1 && other->second.of[0]->is_class)
      return definitions_.methods(other->second.of[0]->name, path.last);
    const bool is_value = owner.find('.') != std::string_view::npos || text_[path.name - 1] != ':';
    if (is_value && owner != "self" && owner != "cls" && owner != "this" && !definitions_.class_named(owner)) return {};
    return definitions_.named(std::string(owner) + (is_value ? "." : "::") + std::string(path.last), around);
  }

  CallSite site_of(std::vector<const Definition*> callees, const Path& path) const {
    CallSite made;
    made.callees = std::move(callees);
    made.at = path.name;
    made.line = statement_->line + static_cast<std::size_t>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(statement_->span.begin),
                                                                       text_.begin() + static_cast<std::ptrdiff_t>(path.name), '\n'));
    made.templates = path.templates;
    if (const auto other = others_.find(std::string(path.last)); other != others_.end() && path.owner.empty() && !path.has_templates)
      made.templates = other->second.templates;
    return made;
  }

  bool is_parameter(std::string_view name) const {
    return std::any_of(parameters_.begin(), parameters_.end(), [&](const Statement* each) {
      return std::any_of(each->stated.begin(), each->stated.end(), [&](const StatedParameter& own) { return own.name == name; });
    });
  }

  // gemm_op(a, b, c), op.run(a): of a parameter, whose class its value says.
  void look_at_parameter(const Path& path) {
    const std::string_view object = path.owner.empty() ? path.last : std::string_view(path.owner);
    if (object.find_first_of(".:") != std::string_view::npos || object == "self" || !is_parameter(object)) return;
    const std::size_t open = skip_blanks(path.end);
    const std::optional<std::size_t> close = text_.substr(open, 1) == "(" ? after_bracket(text_, open, statement_->dialect) : std::nullopt;
    if (!close) return;
    CallSite made = site_of({}, path);
    made.object = object;
    if (!path.owner.empty()) made.method = path.last;
    made.arguments = arguments_in(text_, {open + 1, *close - 1}, statement_->dialect);
    made_.push_back(std::move(made));
  }

  // .launch(grid=..., block=...) behind the call of a kernel.
  std::vector<SourceSpan> launch_behind(std::size_t close) const {
    constexpr std::string_view kLaunch = ".launch(";
    const std::size_t dot = skip_blanks(close);
    if (!text_.substr(dot).starts_with(kLaunch)) return {};
    const std::size_t open = dot + kLaunch.size() - 1;
    const std::optional<std::size_t> end = after_bracket(text_, open, statement_->dialect);
    return end ? arguments_in(text_, {open + 1, *end - 1}, statement_->dialect) : std::vector<SourceSpan>();
  }

  // Traits<8> in front of ::kM, or as a whole type.
  void look_at_use(const Path& path) {
    if (const Definition* of = definitions_.class_named(path.last)) made_.push_back(site_of({of}, path));
  }

  void look_at(const Path& path) {
    if (definitions_.all().empty()) return;
    bool object = false;
    std::vector<const Definition*> found = callees(path, object);
    if (found.empty()) return look_at_parameter(path);
    std::size_t open = skip_blanks(path.end);
    std::vector<SourceSpan> launch;
    if (text_.substr(open, 3) == "<<<") {
      const std::size_t close = text_.find(">>>", open);
      if (close == std::string_view::npos) return;
      launch = arguments_in(text_, {open + 3, close}, statement_->dialect);
      open = skip_blanks(close + 3);
    }
    const std::optional<std::size_t> close = text_.substr(open, 1) == "(" ? after_bracket(text_, open, statement_->dialect) : std::nullopt;
    const bool is_class = found.size() == 1 && found[0]->is_class;
    if (is_class && !object && !found[0]->is_python) {
      if (path.has_templates) look_at_use(path);
      remember(path, std::move(found), false);
      return;
    }
    if (!close) {
      if (!object) remember(path, found, false);
      return hand_on(path, called_of(std::move(found), object));
    }
    const bool makes = is_class && !object;
    if (makes) remember(path, found, true);
    std::vector<const Definition*> called = makes ? definitions_.methods(found[0]->name, "__init__") : called_of(std::move(found), object);
    if (called.empty()) return;
    CallSite made = site_of(std::move(called), path);
    made.arguments = arguments_in(text_, {open + 1, *close - 1}, statement_->dialect);
    made.launch = launch.empty() ? launch_behind(*close) : std::move(launch);
    made.on_self = path.owner == "self";
    made_.push_back(std::move(made));
  }

  std::vector<const Definition*> called_of(std::vector<const Definition*> found, bool object) const {
    if (!object) return found;
    const Definition& made_by = *found[0];
    return definitions_.methods(made_by.name, made_by.is_python ? "__call__" : "operator()");
  }

  std::size_t skip_blanks(std::size_t at) const {
    while (at < text_.size() && is_space(text_[at])) ++at;
    return at;
  }

  // auto k = &kernel<8>: a statement that binds one name and is not more than this.
  void remember(const Path& path, const std::vector<const Definition*>& of, bool is_object) {
    const Statement& statement = *statement_;
    std::vector<std::string> names = statement.names;
    for (const Assigned& each : statement.assigns) names.push_back(each.name);
    if (names.size() != 1 || names[0].empty() || names[0] == path.last) return;
    const std::size_t equals = text_.find('=', statement.span.begin);
    if (equals == std::string_view::npos || equals > path.begin) return;
    std::string_view before = trimmed(text_.substr(equals + 1, path.begin - equals - 1));
    if (before.starts_with("typename")) before = trimmed(before.substr(8));
    const bool casts = before.empty() || before == "&" || before.ends_with("(&") || before == "(void*)" || before == "(void const*)" ||
                       before == "(const void*)" || before == "(void*)&" || before.ends_with("*>(");
    if (!casts) return;
    others_[names[0]] = {of, path.templates, is_object};
  }

  // launch(params, kernel, a, b): the arguments behind the function's name are its own, where there are as many as it takes.
  void hand_on(const Path& path, std::vector<const Definition*> called) {
    const std::size_t open = bracket_around(path.begin);
    if (open == std::string_view::npos) return;
    const std::optional<std::size_t> close = after_bracket(text_, open, statement_->dialect);
    if (!close) return;
    std::size_t name = open;
    while (name > 0 && (is_word(text_[name - 1]) || text_[name - 1] == '.' || text_[name - 1] == ':')) --name;
    const std::string_view launcher = text_.substr(name, open - name);
    const bool python = statement_->dialect == Dialect::python;
    if (python ? launcher != "cute.compile" && !launcher.starts_with("cute.compile[") && !text_.substr(0, open).ends_with("]")
               : launcher.starts_with("cuda") && !launcher.starts_with("cudaLaunchKernel"))
      return;
    const std::vector<SourceSpan> all = arguments_in(text_, {open + 1, *close - 1}, statement_->dialect);
    const auto own =
        std::find_if(all.begin(), all.end(), [&](SourceSpan each) { return each.begin <= path.begin && path.begin < each.end; });
    if (own == all.end() || !is_only(*own, path)) return;
    if (python && own != all.begin()) return;  // cute.compile(f, kernel, a, b) calls f with the kernel
    std::vector<SourceSpan> rest;
    for (auto each = own + 1; each != all.end(); ++each) {
      const std::string_view text = text_.substr(each->begin, each->end - each->begin);
      if (python && first_word(text) == "options") continue;  // of the compiler
      rest.push_back(*each);
    }
    std::erase_if(called, [&](const Definition* each) {
      const Arity arity = arity_of(*each, definitions_.head(*each));
      return rest.size() < arity.least || rest.size() > arity.most;
    });
    if (called.empty() || rest.empty()) return;
    CallSite made = site_of(std::move(called), path);
    made.arguments = std::move(rest);
    made_.push_back(std::move(made));
  }

  // k, &k, (void*)&k, reinterpret_cast<void*>(&k)
  bool is_only(SourceSpan argument, const Path& path) const {
    std::string_view behind = trimmed(text_.substr(path.end, argument.end - std::min(path.end, argument.end)));
    if (behind.starts_with(')')) behind = trimmed(behind.substr(1));
    const std::string_view before = text_.substr(argument.begin, path.begin - argument.begin);
    return behind.empty() && (before.empty() || before == "&" || before.find("void") != std::string_view::npos);
  }

  // The bracket of the call around a place of the statement, past those of casts.
  std::size_t bracket_around(std::size_t at) const {
    int depth = 0;
    for (std::size_t i = at; i-- > statement_->span.begin;) {
      if (closes(text_[i])) ++depth;
      if (!opens(text_[i]) || --depth >= 0) continue;
      if (text_[i] != '(') return std::string_view::npos;
      const std::string_view before = trimmed(text_.substr(statement_->span.begin, i - statement_->span.begin));
      if (!before.ends_with('>') || before.find("_cast<") == std::string_view::npos) return i;
      depth = 0;
    }
    return std::string_view::npos;
  }

  const Definitions& definitions_;
  std::string_view text_;
  const Statement* statement_ = nullptr;
  std::size_t number_ = 0;
  std::vector<std::string> classes_;          // around this place, one a block
  std::vector<const Statement*> parameters_;  // the heads of these blocks
  std::unordered_map<std::string, OtherName> others_;
  std::vector<CallSite> made_;
};

}  // namespace

std::vector<CallSite> calls_in(const Definitions& definitions) { return CallScanner(definitions).run(); }

}  // namespace tessera
