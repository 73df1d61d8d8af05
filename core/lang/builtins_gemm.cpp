// SPDX-License-Identifier: BSD-3-Clause
// Builtins: gemm(...), whose parameters are the rows of core/gemm/spec_fields.hpp.
#include "core/lang/builtins.hpp"

#include <algorithm>

#include "core/lang/spec_values.hpp"

namespace tessera {
namespace {

Result<Value> gemm_call(const Call& call) {
  GemmSpec spec;
  const std::span<const SpecField> fields = spec_fields();
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (!call.has(i)) continue;
    Status set = set_field(spec, fields[i], *call[i].value);
    if (set) continue;
    // A refusal that names the field already has no need of the parameter's name.
    const std::string_view parameter = set.error().message.starts_with(fields[i].name) ? std::string_view() : fields[i].name;
    return argument_error(call, parameter, call[i], std::move(set).error());
  }
  return Value{std::make_shared<const GemmSpec>(std::move(spec))};
}

bool is_choice(std::string_view parameter, std::string_view word) {
  const SpecField* field = find_spec_field(parameter);
  if (!field) return false;
  const std::span<const FieldChoice> choices = choices_of(*field);
  return std::any_of(choices.begin(), choices.end(), [&](const FieldChoice& choice) { return choice.name == word; });
}

}  // namespace

std::span<const Builtin> gemm_builtins() {
  static const std::string signature = signature_of_gemm();
  static const Builtin rows[] = {
      {"gemm", signature, "C = alpha * A B^T + beta * C with A (M,K), B (N,K), C (M,N); what is left out is chosen and shown", gemm_call,
       is_choice},
  };
  return rows;
}

}  // namespace tessera
