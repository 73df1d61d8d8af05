// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/builtins/builtins.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/atom/instructions/catalog.hpp"

namespace tessera {
namespace {

Signature parse_signature(std::string_view text) {
  Signature made;
  const std::size_t open = text.find('(');
  std::string_view inside = text.substr(open + 1, text.rfind(')') - open - 1);
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= inside.size(); ++i) {
    if (i < inside.size() && inside[i] == '(') ++depth;
    if (i < inside.size() && inside[i] == ')') --depth;
    if (i < inside.size() && !(inside[i] == ',' && depth == 0)) continue;
    std::string_view parameter = inside.substr(begin, i - begin);
    begin = i + 1;
    while (parameter.starts_with(' ')) parameter.remove_prefix(1);
    if (parameter.empty()) continue;
    if (parameter.ends_with("...")) {
      made.rest = parameter.substr(0, parameter.size() - 3);
      continue;
    }
    const std::size_t equals = parameter.find('=');
    if (equals == std::string_view::npos) ++made.required;
    made.parameters.push_back(parameter.substr(0, equals));
  }
  return made;
}

// All rows sorted by name, with their signatures beside them.
struct Table {
  std::vector<Builtin> rows;
  std::vector<Signature> signatures;
  std::vector<BuiltinHelp> help;

  Table() {
    for (const auto& part : {layout_builtins(),        coord_builtins(),         inspect_builtins(),          atom_builtins(),
                             shape_builtins(),         tuple_builtins(),         tensor_builtins(),           tma_builtins(),
                             dsl_builtins(),           gemm_builtins(),          advice_builtins(),           device_builtins(),
                             math_builtins(),          copy_advice_builtins(),   permutation_builtins(),      descriptor_builtins(),
                             cutlass_utils_builtins(), cutlass_scale_builtins(), cutlass_epilogue_builtins(), python_builtins(),
                             torch_builtins(),         owner_builtins(),         verdict_builtins(),          derivation_builtins()})
      rows.insert(rows.end(), part.begin(), part.end());
    std::sort(rows.begin(), rows.end(), [](const Builtin& a, const Builtin& b) { return a.name < b.name; });
    for (const Builtin& row : rows) {
      signatures.push_back(parse_signature(row.signature));
      help.push_back({row.name, row.signature, row.help});
    }
  }
};

const Table& table() {
  static const Table made;
  return made;
}

}  // namespace

const Builtin* find_builtin(std::string_view name) {
  const auto& rows = table().rows;
  const auto found = std::lower_bound(rows.begin(), rows.end(), name, [](const Builtin& row, std::string_view n) { return row.name < n; });
  return found != rows.end() && found->name == name ? &*found : nullptr;
}

const Signature& signature_of(const Builtin& builtin) {
  return table().signatures[static_cast<std::size_t>(&builtin - table().rows.data())];
}

std::span<const BuiltinHelp> builtins() { return table().help; }

std::vector<std::string> nearest_of(std::string_view name, const std::vector<std::string>& known) {
  const std::vector<std::string> near = nearest_names(name, known, 3);
  if (near.empty()) return {};
  std::string note = "did you mean ";
  for (std::size_t i = 0; i < near.size(); ++i) note += (i == 0 ? "" : i + 1 == near.size() ? " or " : ", ") + near[i];
  return {note + "?"};
}

std::vector<std::string> nearest_parameter(std::string_view name, const std::vector<std::string>& known) {
  std::vector<std::string> begun;
  for (const std::string& each : known) {
    if (!name.empty() && each.starts_with(name)) begun.push_back(each);
  }
  std::vector<std::string> note = begun.size() == 1 ? nearest_of(name, begun) : std::vector<std::string>();
  return note.empty() ? nearest_of(name, known) : note;
}

std::vector<std::string> nearest_note(std::string_view name, std::vector<std::string> also) {
  static const std::vector<std::string> kFunctions = [] {
    std::vector<std::string> names;
    for (const Builtin& row : table().rows) names.emplace_back(row.name);
    return names;
  }();
  if (also.empty()) return nearest_of(name, kFunctions);
  also.insert(also.end(), kFunctions.begin(), kFunctions.end());
  return nearest_of(name, also);
}

Result<bool> holds(const Call& call, Result<Finding> finding, ErrorCode reason) {
  if (!finding) return std::move(finding).error();
  if (!finding->holds && call.warnings)
    call.warnings->push_back({reason, fmt::format("{} is false: {}", call.function(), finding->reason), call.span(), {}});
  return finding->holds;
}

void warn_once(std::vector<Error>& warnings, std::vector<Error> notes, SourceSpan span, std::string_view function) {
  if (notes.empty()) return;
  const auto broken = std::find_if(notes.begin(), notes.end(), [](const Error& e) { return e.code == ErrorCode::breaks_law; });
  Error said = broken == notes.end() ? std::move(notes.front()) : std::move(*broken);  // a broken law says more
  if (!said.message.starts_with(function)) said.message = fmt::format("{}: {}", function, said.message);
  warnings.push_back(std::move(said).at(span));
}

Result<std::vector<std::int64_t>> mode_numbers(const Call& call) {
  std::vector<std::int64_t> all;
  for (const CallArgument& each : call.rest) {
    auto numbers = as_int_tuple(*each.value);
    if (!numbers) return argument_error(call, "", each, std::move(numbers).error());
    std::vector<IntTuple> leaves;
    append_leaves(*numbers, leaves);
    for (const IntTuple& leaf : leaves) {
      if (!leaf.is_int()) {
        return argument_error(call, "", each,
                              {ErrorCode::wrong_type, fmt::format("the number of a mode is wanted, not {}", to_string(leaf)), {}, {}});
      }
      all.push_back(leaf.value());
    }
  }
  return all;
}

Error argument_error(const Call& call, std::string_view parameter, const CallArgument& argument, Error error) {
  error.message = parameter.empty() ? fmt::format("{}: {}", call.function(), error.message)
                                    : fmt::format("{}: {}: {}", call.function(), parameter, error.message);
  error.span = argument.span;
  return error;
}

}  // namespace tessera
