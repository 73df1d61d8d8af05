// SPDX-License-Identifier: BSD-3-Clause
// Builtins: gemm(...), whose parameters are the rows of core/gemm/spec_fields.hpp.
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "core/lang/builtins/builtins.hpp"

#include <fmt/format.h>

#include "core/gemm/rungs/fastest.hpp"
#include "core/gemm/rungs/ladder.hpp"
#include "core/gemm/text/text.hpp"
#include "core/lang/builtins/spec_values.hpp"

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

constexpr std::int64_t kRungExtent = 1024;  // of M, N and K where they are left out

Result<Value> rung_call(const Call& call) {
  std::int64_t numbers[4] = {0, kRungExtent, kRungExtent, kRungExtent};  // the rung, m, n, k
  for (std::size_t i = 0; i < 4; ++i) {
    if (!call.has(i)) continue;
    if (i > 0) {  // an extent, as gemm(...) takes it
      GemmSpec taken;
      if (Status set = set_field(taken, *find_spec_field(call.names[i]), *call[i].value); !set)
        return argument_error(call, "", call[i], std::move(set).error());
    }
    Result<std::int64_t> number = as_integer(*call[i].value);
    if (!number) return argument_error(call, call.names[i], call[i], std::move(number).error());
    numbers[i] = *number;
  }
  const Rung* const rung = find_rung(numbers[0]);
  if (!rung) {
    std::string known;
    for (const Rung& each : ladder()) known += fmt::format("{}{} {}", known.empty() ? "" : ", ", each.number, each.name);
    return argument_error(call, "number", call[0], Error{ErrorCode::bad_spec, fmt::format("there is no rung {}", numbers[0]), {}, {known}});
  }
  TESSERA_TRY(spec, rung->spec(numbers[1], numbers[2], numbers[3]));
  spec.name = rung->name;
  return Value{std::make_shared<const GemmSpec>(std::move(spec))};
}

Result<Value> fastest_call(const Call& call) {
  const auto* gemm = std::get_if<std::shared_ptr<const GemmSpec>>(&call[0].value->any);
  if (gemm == nullptr)
    return argument_error(call, call.names[0], call[0],
                          {ErrorCode::wrong_type, fmt::format("a GEMM is wanted, not {}", described(*call[0].value)), {}, {}});
  TESSERA_TRY(multiprocessors, argument<std::optional<std::int64_t>>(call, 1));
  constexpr std::int64_t kMost = 4096;
  const std::int64_t count = multiprocessors.value_or(kHopperMultiprocessors);
  if (count < 1 || count > kMost)
    return argument_error(call, call.names[1], call[1],
                          {ErrorCode::out_of_range, fmt::format("a device has 1 to {} multiprocessors, not {}", kMost, count), {}, {}});
  Result<GemmSpec> made = fastest(**gemm, count);
  if (!made) return argument_error(call, "", call[0], std::move(made).error());
  return Value{std::make_shared<const GemmSpec>(*std::move(made))};
}

Result<Value> plan_call(const Call& call) {
  TESSERA_TRY(text, as_text(*call[0].value));
  Result<GemmPlan> read = plan::parse_plan(text);
  if (!read) {
    Error error = std::move(read).error();
    if (error.span) error.span = SourceSpan{call[0].span.begin + error.span->begin, call[0].span.begin + error.span->end};
    return error;
  }
  return plan_value(*std::move(read));
}

// Also a word that the field does not have: it is refused with those that it has.
bool is_word(std::string_view parameter, std::string_view word) {
  const SpecField* field = find_spec_field(parameter);
  return field && (takes_words(*field) || is_word_of(*field, word));
}

}  // namespace

std::span<const Builtin> gemm_builtins() {
  static const std::string signature = signature_of_gemm();
  static const Builtin rows[] = {
      {"gemm", signature, "C = alpha * A B^T + beta * C with A (M,K), B (N,K), C (M,N); what is left out is chosen and shown", gemm_call,
       is_word},
      {"rung", "rung(number, m=1024, n=1024, k=1024)",
       "a GEMM of the ladder, each rung of which adds one idea to the one below: `tessera gemm ladder` lists them", rung_call},
      {"fastest", "fastest(gemm, multiprocessors=132)",
       "the same product by the tile and the schedule of wgmma that need the fewest clocks: `tessera gemm fastest` explains the choice",
       fastest_call},
      {"plan", "plan(text)",
       "a plan that is written out, which stands in a document as plan { ... }: `tessera gemm show NAME --ir` prints one", plan_call},
  };
  return rows;
}

}  // namespace tessera
