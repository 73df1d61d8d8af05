// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/programs/explain_program.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/atom/copy/automatic_copy.hpp"
#include "core/atom/copy/warp_access.hpp"
#include "core/base/characters.hpp"
#include "core/lang/programs/comment_values.hpp"
#include "core/lang/programs/likely.hpp"
#include "core/lang/programs/settle_calls.hpp"
#include "core/lang/syntax/dialect.hpp"
#include "core/lang/values/convert.hpp"
#include "core/lang/values/value_size.hpp"
#include "core/layout/algebra.hpp"
#include "core/layout/composed_algebra.hpp"

namespace tessera {
namespace {

bool is_object(const Value& value) {
  return std::holds_alternative<Layout>(value.any) || std::holds_alternative<ComposedLayout>(value.any) ||
         std::holds_alternative<Tensor>(value.any) || std::holds_alternative<MmaAtom>(value.any) ||
         std::holds_alternative<CopyAtom>(value.any) || std::holds_alternative<std::shared_ptr<const TiledMma>>(value.any) ||
         std::holds_alternative<std::shared_ptr<const TiledCopy>>(value.any) ||
         std::holds_alternative<std::shared_ptr<const TmaValue>>(value.any);
}

// Does a statement that was refused name what makes one of these?
bool makes_object(std::string_view text) {
  for (const std::string_view word :
       {"make_layout", "make_ordered_layout", "make_tiled_mma", "make_tiled_copy", "tile_to_shape", "Layout<", "TiledMMA<", "make_tensor",
        "composition(", "local_tile", "local_partition", "partition_", "make_tma_", "tma_partition"}) {
    if (text.find(word) != std::string_view::npos) return true;
  }
  return false;
}

// Of the first lanes, `bytes` each.
std::int64_t wavefronts(WarpAccess::Kind kind, std::int64_t bytes, const std::vector<std::int64_t>& addresses) {
  WarpAccess access{kind, bytes, {}};
  access.address.fill(-1);
  std::copy(addresses.begin(), addresses.end(), access.address.begin());
  return smem_wavefronts(access).count;
}

// Where 8 rows of 16 bytes begin, (row, 0) or (0, row), along the mode that is contiguous; nothing where it is not.
std::optional<std::vector<std::int64_t>> addresses_of_rows(const AnyLayout& layout, std::int64_t bits, bool along_mode_1) {
  const std::int64_t in_row = 128 / bits;
  std::vector<std::int64_t> addresses;
  for (std::int64_t row = 0; row < 8; ++row) {
    const auto at = [&](std::int64_t i) { return along_mode_1 ? evaluate(layout, row, i) : evaluate(layout, i, row); };
    const std::int64_t first = at(0);
    for (std::int64_t i = 1; i < in_row; ++i) {
      if (at(i) != first + i) return std::nullopt;
    }
    if (first < 0 || first * bits % 128 != 0) return std::nullopt;  // ldmatrix takes rows at multiples of 16 bytes
    addresses.push_back(first * bits / 8);
  }
  return addresses;
}

void remark_banks(const Value& value, std::vector<std::string>& remarks) {
  const auto layout = as_any_layout(value);
  if (!layout || rank(shape(*layout)) < 2) return;
  const auto* plain = std::get_if<Layout>(&*layout);
  if (plain && plain->has_basis()) return;
  const std::int64_t rows = size(shape(*layout)[0]), cols = size(shape(*layout)[1]);
  const std::int64_t bits = value.element.bits;
  if (bits <= 16 && bits >= 4) {
    for (const bool along_mode_1 : {true, false}) {
      const std::int64_t across = along_mode_1 ? rows : cols, along = along_mode_1 ? cols : rows;
      if (across < 8 || along < 128 / bits) continue;
      const auto addresses = addresses_of_rows(*layout, bits, along_mode_1);
      if (!addresses) continue;
      const std::int64_t count = wavefronts(WarpAccess::Kind::matrix, 16, *addresses);
      if (count > 1) {
        remarks.push_back(
            fmt::format("bank conflicts: ldmatrix{} of 8 rows of 16 bytes takes {} wavefronts where 1 would do; a swizzle or "
                        "padding of 16 bytes a row would help",
                        along_mode_1 ? "" : ".trans", count));
      }
      return;
    }
    return;
  }
  if (bits != 32 || rows < 32) return;
  std::vector<std::int64_t> addresses;
  for (std::int64_t lane = 0; lane < kLanes; ++lane) addresses.push_back(kBankBytes * evaluate(*layout, lane, 0));
  const std::int64_t count = wavefronts(WarpAccess::Kind::load, kBankBytes, addresses);
  if (count > 1)
    remarks.push_back(fmt::format(
        "bank conflicts: a warp whose lanes read neighbours of mode 0 (32 bits each) takes {} wavefronts where 1 would do", count));
}

// The longest run of a thread's first values that are neighbours along one mode of the tile, and that mode.
std::pair<std::int64_t, int> run_of_values(const TiledCopy& copy) {
  const Layout& tv = copy.layout_tv();  // (thr, val) -> (m, n)
  const auto* tile = std::get_if<std::vector<Tiler>>(&copy.tiler_mn().value);
  std::int64_t extent = 1;  // of mode 0
  if (tile && !tile->empty()) {
    if (const auto* number = std::get_if<TileSize>(&(*tile)[0].value)) extent = number->value;
    if (const auto* layout = std::get_if<Layout>(&(*tile)[0].value)) extent = layout->size();
  }
  const std::int64_t count = tv[1].size();
  const auto run = [&](std::int64_t step) {
    std::int64_t n = 1;
    while (n < count && tv(0, n) == tv(0, 0) + n * step) ++n;
    return n;
  };
  const std::int64_t along_0 = run(1), along_1 = run(extent);
  return along_1 > along_0 ? std::pair(along_1, 1) : std::pair(along_0, 0);
}

void remark_vectors(const TiledCopy& copy, std::vector<std::string>& remarks) {
  const std::string_view name = copy.atom().traits.name;
  const bool plain = name.find("UniversalCopy") != std::string_view::npos || name.find("CP_ASYNC") != std::string_view::npos;
  if (!plain || is_automatic(copy.atom().traits) || copy.layout_tv().rank() != 2) return;
  const std::int64_t element = bits(copy.atom().value_type);
  const std::int64_t atom_bits = copy.atom().val_layout_src[1].size() * element;
  const auto [run, mode] = run_of_values(copy);
  const std::int64_t wide = std::min<std::int64_t>(128, run * element);
  if (wide <= atom_bits) return;
  remarks.push_back(
      fmt::format("does not vectorise: a thread has {} neighbouring elements along mode {} and copies {} bits at a time; where that "
                  "mode is contiguous in memory, an atom of {} bits takes them at once",
                  run, mode, atom_bits, wide));
}

std::string first_line(std::string_view text) {
  constexpr std::size_t kLongest = 100;
  std::string made;
  for (const char c : text.substr(0, 4 * kLongest)) {
    const bool blank = c == '\n' || c == '\t' || c == '\r' || c == ' ';
    if (blank && (made.empty() || made.back() == ' ')) continue;
    made += blank ? ' ' : c;
  }
  if (made.size() > kLongest) made = made.substr(0, kLongest) + "...";
  return made;
}

// Adds what is warned of a statement that makes no object.
void remark_without_object(const StatementAnswer& answer, std::string_view text, std::vector<ExplainedEffect>& effects) {
  const Statement& statement = answer.statement;
  const auto hides = [](const Error& warning) { return warning.code == ErrorCode::already_exists; };
  const bool makes = std::any_of(answer.values.begin(), answer.values.end(), [](const auto& each) { return is_object(each.second); });
  std::vector<Error> warnings;
  if (statement.kind == Statement::Kind::effect)
    warnings = answer.warnings;
  else if (!makes)
    std::copy_if(answer.warnings.begin(), answer.warnings.end(), std::back_inserter(warnings), hides);
  if (warnings.empty()) return;
  const std::string_view name = statement.names.empty() ? trimmed(text.substr(0, text.find('('))) : statement.names.front();
  effects.push_back({statement.line, std::string(name), answer.needs, answer.doubts, answer.stated, std::move(warnings)});
}

// Of a name in the line where its statement begins, in bytes from 1; of the statement itself where the name stands in none of its first
// line.
std::size_t column_of(std::string_view source, const Statement& statement, std::string_view name) {
  const std::size_t begin = statement.span.begin;
  const std::size_t line = begin == 0 ? 0 : source.rfind('\n', begin - 1) + 1;
  const std::size_t end = std::min(source.find('\n', begin), statement.span.end);
  const std::string_view text = source.substr(0, end);
  for (std::size_t at = text.find(name, begin); !name.empty() && at != std::string_view::npos; at = text.find(name, at + 1)) {
    const std::size_t behind = at + name.size();
    if ((at == 0 || !is_word(text[at - 1])) && (behind == text.size() || !is_word(text[behind]))) return at - line + 1;
  }
  return begin - line + 1;
}

// Adds what comments say otherwise.
void remark_comments(std::string_view source, SnippetAnswer& answer, std::vector<ExplainedEffect>& effects) {
  std::vector<std::optional<Error>> remarks = contradicted_comments(source, answer);
  for (std::size_t i = 0; i < remarks.size(); ++i) {
    if (!remarks[i]) continue;
    StatementAnswer& each = answer.statements[i];
    const auto& [name, value] = each.values[0];
    if (!each.needs.empty())
      each.doubts.push_back(std::move(remarks[i]->message));
    else if (is_object(value))
      each.warnings.push_back(*std::move(remarks[i]));
    else
      effects.push_back({each.statement.line, name, each.needs, each.doubts, each.stated, {*std::move(remarks[i])}});
  }
}

std::size_t count_refused(const SnippetAnswer& answer) {
  return static_cast<std::size_t>(std::count_if(answer.statements.begin(), answer.statements.end(),
                                                [](const StatementAnswer& each) { return each.refused.has_value(); }));
}

// A guess that the first lines of a file accept may be one that its later lines refuse: sA_layout has stages where sA(_,_,0) is taken.
// Other guesses for what a refused statement needs are kept where fewer statements are then refused.
SnippetAnswer evaluate_file(std::string_view source, SnippetOptions options, const Scope& outer) {
  constexpr int kMostRuns = 10;
  constexpr std::size_t kMostOthers = 4;  // guesses for one name
  SnippetAnswer best = evaluate_snippet(source, options, outer);
  std::set<std::string> tried;
  int runs = 0;
  for (std::size_t i = 0; i < best.statements.size(); ++i) {
    const SourceSpan span = best.statements[i].statement.span;
    if (!best.statements[i].refused || !makes_object(source.substr(span.begin, span.end - span.begin))) continue;
    std::vector<std::string> needs = best.statements[i].needs;
    std::reverse(needs.begin(), needs.end());  // what was needed last was looked at by the fewest lines
    for (const std::string& name : needs) {
      if (!best.statements[i].refused || !tried.insert(name).second) continue;
      const std::vector<const Likely*> all = suggested_values(name);
      for (std::size_t other = 1; other < std::min(all.size(), kMostOthers + 1) && runs < kMostRuns; ++other, ++runs) {
        SnippetOptions with = options;
        with.preferred.emplace_back(name, all[other]->text);
        SnippetAnswer answer = evaluate_snippet(source, with, outer);
        if (count_refused(answer) >= count_refused(best)) continue;
        best = std::move(answer);
        options = std::move(with);
        break;
      }
    }
  }
  return best;
}

// The text with the calls behind it that entries write, each in a line of its own, which becomes its entry's.
std::string with_written_calls(std::string_view source, Dialect dialect, std::vector<Entry>& entries) {
  std::string text(source);
  std::size_t line = 1 + static_cast<std::size_t>(std::count(source.begin(), source.end(), '\n'));
  for (Entry& entry : entries) {
    if (entry.written.empty()) continue;
    text += "\n" + entry.written + (dialect == Dialect::python ? "" : ";");
    entry.line = ++line;
  }
  return text;
}

// What is said of the calls that were written is not said of the text.
void without_written_calls(std::size_t end_of_source, std::size_t last_line, SnippetAnswer& answer, std::vector<CalledFunction>& called) {
  std::erase_if(answer.statements, [&](const StatementAnswer& each) { return each.statement.span.begin > end_of_source; });
  for (CalledFunction& each : called) std::erase_if(each.calls, [&](std::size_t line) { return line > last_line; });
}

}  // namespace

std::string_view to_string(ValueSource source) {
  switch (source) {
    case ValueSource::known: return "known";
    case ValueSource::given: return "given";
    case ValueSource::traced: return "traced";
    case ValueSource::likely: return "likely";
  }
  return "known";
}

std::vector<std::string> guesses_of(const std::vector<std::string>& needs, const SymbolTable& symbols) {
  std::vector<std::string> made;
  for (const Symbol* symbol : symbols.among(needs)) made.push_back(fmt::format("{} is {}", symbol->name, symbol->likely));
  return made;
}

bool lies_in_smem(std::string_view name, const Value& value) {
  if (value.element.space != MemorySpace::unknown) return value.element.space == MemorySpace::smem;
  const bool short_name = name.size() >= 2 && name[0] == 's' && name[1] >= 'A' && name[1] <= 'Z';
  return short_name || name.find("Smem") != std::string_view::npos || name.find("smem") != std::string_view::npos;
}

std::vector<std::string> remarks_on(std::string_view name, const Value& value) {
  std::vector<std::string> remarks;
  if (lies_in_smem(name, value)) remark_banks(value, remarks);
  if (const auto* copy = std::get_if<std::shared_ptr<const TiledCopy>>(&value.any)) remark_vectors(**copy, remarks);
  return remarks;
}

Explanation explain(std::string_view source, const std::vector<std::pair<std::string, std::string>>& given, std::optional<Dialect> language,
                    const Scope& outer, const std::vector<Entry>& entries) {
  SnippetOptions options;
  options.statements.language = language;
  options.given = given;
  options.statements.macros = given;
  options.statements.into_blocks = true;
  std::vector<Entry> calls = entries;
  const std::string text_with_calls = with_written_calls(source, language.value_or(dialect_of(source)), calls);
  CalledValues called = settle_calls(text_with_calls, options, outer, calls);
  options.called = &called.blocks;
  SnippetAnswer answer = evaluate_file(text_with_calls, options, outer);
  const auto last_line = 1 + static_cast<std::size_t>(std::count(source.begin(), source.end(), '\n'));
  without_written_calls(source.size(), last_line, answer, called.functions);
  Explanation made;
  remark_comments(source, answer, made.effects);
  made.account = account_of(answer);
  made.symbols = std::move(answer.symbols);
  made.unused = std::move(answer.unused);
  made.kernels = std::move(answer.kernels);
  made.called = std::move(called.functions);
  made.predicated = source.find("copy_if") != std::string_view::npos || source.find("elem_less") != std::string_view::npos ||
                    source.find("pred=") != std::string_view::npos;
  for (StatementAnswer& each : answer.statements) {
    const SourceSpan span = each.statement.span;
    const std::string_view text = source.substr(span.begin, span.end - span.begin);
    if (each.statement.kind == Statement::Kind::passed_over && each.statement.reason.find("#if") != std::string::npos)
      made.passed_over.push_back({each.statement.line, first_line(text), each.statement.reason});
    if (each.refused && (makes_object(text) || !each.statement.unread.empty())) {
      Error error = std::move(*each.refused);
      shorten(error);
      const std::string name = each.statement.names.empty() ? std::string() : each.statement.names.front();
      made.unexplained.push_back(
          {each.statement.line, first_line(text), std::move(error.message), name, error.code, each.needs, each.doubts, each.stated});
    }
    remark_without_object(each, text, made.effects);
    for (Partitioned& partitioned : each.partitions)
      made.uses.push_back({each.statement.line, std::move(partitioned), each.needs, each.doubts, each.stated, each.block});
    for (auto& [name, value] : each.values) {
      const bool is_one = is_object(value);
      if (name.empty() && (!is_one || text.starts_with("TESSERA_DUMP"))) continue;  // whose line only asks for it again
      Explained& object = (is_one ? made.objects : made.others).emplace_back();
      object.statement = span;
      object.line = each.statement.line;
      object.column = column_of(source, each.statement, name);
      object.name = name.empty() ? "print" : name;
      object.given = each.given;
      object.source = !each.needs.empty() ? ValueSource::likely : !each.given.empty() ? ValueSource::given : ValueSource::known;
      object.warnings = each.warnings;
      object.doubts = each.doubts;
      object.stated = each.stated;
      object.value = std::move(value);
      object.needs = each.needs;
      object.block = each.block;
    }
  }
  return made;
}

}  // namespace tessera
