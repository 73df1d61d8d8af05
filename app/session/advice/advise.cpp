// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/advice/advise.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "app/session/advice/advisor.hpp"
#include "app/session/advice/binding_names.hpp"
#include "core/atom/advice/permutation_advice.hpp"
#include "core/atom/instructions/catalog.hpp"
#include "core/base/budget.hpp"
#include "core/base/distinct.hpp"
#include "core/lang/programs/calls.hpp"
#include "core/lang/programs/effects.hpp"
#include "core/lang/programs/evaluate.hpp"
#include "core/lang/programs/explain_program.hpp"
#include "core/lang/syntax/naming.hpp"
#include "core/lang/syntax/words.hpp"
#include "core/lang/values/convert.hpp"
#include "core/layout/composed_algebra.hpp"
#include "core/layout/inspect.hpp"

namespace tessera {

namespace advising {

namespace {

// Does a warning say that the value is not what was meant? Others are of style: a name that hides a function, another form of CuTe's.
bool is_wrong(const Error& warning) {
  switch (warning.code) {
    case ErrorCode::breaks_law:
    case ErrorCode::not_injective:
    case ErrorCode::not_divisible:
    case ErrorCode::out_of_range:
    case ErrorCode::not_congruent:
    case ErrorCode::wrong_type: return true;
    case ErrorCode::not_representable: return warning.message.find(" cannot read this ") != std::string::npos;
    default: return false;
  }
}

using Block = std::vector<std::size_t>;

// Is `outer` around `inner`, or the same?
bool is_around(const Block& outer, const Block& inner) {
  return outer.size() <= inner.size() && std::equal(outer.begin(), outer.end(), inner.begin());
}

// The first stage of (M,K,PIPE), and (M,K) as it is; nothing of what is no whole tile, such as a thread's part of one.
std::optional<AnyLayout> one_stage(const AnyLayout& layout, AccessSpace space, bool partitioned = false) {
  const std::size_t modes = rank(shape(layout));
  if (modes < 2 || modes > 3) return std::nullopt;  // of a tile that a line partitions, whatever its strides
  if (const auto* plain = std::get_if<Layout>(&layout); plain && plain->has_basis()) return std::nullopt;
  AnyLayout stage = layout;
  if (modes == 3) {
    Result<AnyLayout> first = slice(IntTuple::tuple({IntTuple::underscore(), IntTuple::underscore(), 0}), layout);
    if (!first) return std::nullopt;
    stage = *std::move(first);
  }
  const std::int64_t elements = size(stage);
  const bool whole =
      partitioned || space == AccessSpace::gmem || cosize(stage) < 2 * elements;  // a matrix in global memory is larger than its tile
  return elements <= kMostTile && whole ? std::optional(stage) : std::nullopt;
}

}  // namespace

Guesses both(Guesses a, const Guesses& b) {
  if (b.empty()) return a;
  DistinctTexts all;
  all.add_all(a);
  all.add_all(b);
  return std::move(all).take();
}

double times_of(std::int64_t units, std::int64_t least) {
  return static_cast<double>(units) / static_cast<double>(std::max<std::int64_t>(least, 1));
}

bool see_each_other(const AdvisedBinding& a, const AdvisedBinding& b) { return is_around(a.block, b.block) || is_around(b.block, a.block); }

Advised Advisor::advise() && {
  made_.bindings = bindings_.size();
  collect();
  for (const AdvisedBinding& remark : remarks_) said(remark);
  look_at_launches();
  for (const AdvisedBinding& binding : bindings_) {
    said(binding);
    if (!binding.value) continue;
    if (const auto* gemm = std::get_if<SharedGemm>(&binding.value->any)) look_at_gemm(binding, **gemm);
    if (const auto* copy = std::get_if<SharedCopy>(&binding.value->any)) look_at_copy(binding, *copy);
    if (const auto* mma = std::get_if<SharedMma>(&binding.value->any)) look_at_mma(binding, **mma);
  }
  collect_uses();
  for (const Tile& tile : tiles_) {
    if (stops()) break;
    look_at_tile(tile);
  }
  for (const Used& used : used_) {
    if (stops()) break;
    if (used.copy) hold_against(used.tile, *used.copy, used.side);
    if (used.threads) hold_against_threads(used);
  }
  look_at_widths();
  for (std::vector<Advice>* list : {&made_.findings, &made_.supposed})
    std::stable_sort(list->begin(), list->end(),
                     [](const Advice& a, const Advice& b) { return a.weight != b.weight ? a.weight < b.weight : a.times > b.times; });
  std::stable_partition(made_.fine.begin(), made_.fine.end(), [](const FoundRight& each) { return each.guesses.empty(); });
  return std::move(made_);
}

// The time of the request is over: what was found until then is said, and that it is not all.
bool Advisor::stops() {
  if (const Status time = check_time("advice"); !time) made_.stopped = time.error().message;
  return !made_.stopped.empty();
}

void Advisor::add(Advice::Weight weight, double times, const AdvisedBinding& binding, std::string finding, Remedy remedy) {
  add(weight, times, binding, std::move(finding), std::move(remedy), binding.guesses);
}

void Advisor::add(Advice::Weight weight, double times, const AdvisedBinding& binding, std::string finding, Remedy remedy, Guesses guesses) {
  std::vector<Advice>& list = guesses.empty() ? made_.findings : made_.supposed;
  list.push_back({weight, times, binding.line, binding.name, std::move(finding), std::move(remedy.words), std::move(guesses),
                  std::move(remedy.write), std::move(remedy.ask)});
}

// What its evaluation said already.
void Advisor::said(const AdvisedBinding& binding) {
  if (!binding.refusal.empty()) add(Advice::Weight::wrong, 1, binding, binding.refusal);
  for (const Error& warning : binding.warnings)
    add(is_wrong(warning) ? Advice::Weight::wrong : Advice::Weight::hint, 1, binding, warning.message,
        warning.notes.empty() ? Remedy() : Remedy(warning.notes.front()));
}

void Advisor::collect() {
  for (const AdvisedBinding& binding : bindings_) {
    if (!binding.value) continue;
    const bool shared = lies_in_smem(binding.name, *binding.value);
    if (is_partition(binding.name) || !(shared || lies_in_gmem(binding.name, *binding.value))) continue;
    const Result<AnyLayout> layout = as_any_layout(*binding.value);
    const AccessSpace space = shared ? AccessSpace::smem : AccessSpace::gmem;
    if (!layout) continue;
    if (auto stage = one_stage(*layout, space))
      tiles_.push_back(
          {&binding, *stage, size(*layout) <= 8 * kMostTile ? *layout : *stage, binding.value->element.bits, space, binding.guesses});
  }
}

// The binding of this name that a line of the block sees: the last above it.
const AdvisedBinding* Advisor::named(std::string_view name, const AdvisedUse& use) const {
  const AdvisedBinding* found = nullptr;
  for (const AdvisedBinding& each : bindings_) {
    if (each.name == name && each.line <= use.line && is_around(each.block, use.block) && (!found || each.line >= found->line))
      found = &each;
  }
  return found;
}

// What the source partitions with what: pairs of which nothing is guessed but values.
void Advisor::collect_uses() {
  for (const AdvisedUse& use : uses_) {
    const Partitioned& what = *use.what;
    const AdvisedBinding* tensor = named(statement_text::first_word(what.tensor_text), use);
    if (!tensor || !tensor->value) continue;
    partitioned_.insert(tensor);
    Used used{{tensor, {}, {}, what.tensor.element.bits, AccessSpace::smem, both(tensor->guesses, use.guesses)}};
    const bool shared = lies_in_smem(tensor->name, what.tensor);
    if (!shared && !lies_in_gmem(tensor->name, what.tensor)) continue;
    used.part = what.part;
    used.tile.space = shared ? AccessSpace::smem : AccessSpace::gmem;
    const Result<AnyLayout> layout = as_any_layout(what.tensor);
    std::optional<AnyLayout> stage = layout ? one_stage(*layout, used.tile.space, true) : std::nullopt;
    const auto* copy = std::get_if<SharedCopy>(&what.by.any);
    if (copy) {
      for (const Copy& each : copies_) {
        if (each.copy == *copy) used.copy = &each;
      }
    }
    if (const auto* mma = std::get_if<SharedMma>(&what.by.any)) used.mma = mma->get();
    if (used.copy) partitioning_.insert(used.copy);
    if (used.mma) partitioning_mmas_.insert(used.mma);
    if (what.part == 'L') take_threads(use, used);
    if (!stage || (!used.copy && !used.mma && !used.threads)) continue;
    used.tile.layout = *std::move(stage);
    used.side = what.part == 'S' ? CopySide::source : CopySide::destination;
    used_.push_back(std::move(used));
  }
}

// Does a kernel have the threads of the copies and MMAs that it partitions with?
void Advisor::look_at_launches() {
  std::set<std::string> seen;
  for (const AdvisedUse& use : uses_) {
    const auto* copy = std::get_if<SharedCopy>(&use.what->by.any);
    const auto* mma = std::get_if<SharedMma>(&use.what->by.any);
    const std::int64_t threads = copy ? (*copy)->layout_tv()[0].size() : mma ? (*mma)->num_threads() : 0;
    for (const LaunchBound& kernel : kernels_) {
      if (!is_around(kernel.block, use.block) || threads <= kernel.threads || !use.guesses.empty()) continue;
      AdvisedBinding line;
      line.line = use.line, line.name = statement_text::first_word(use.what->tensor_text);
      const std::string words =
          fmt::format("it is partitioned among {} threads, and line {} launches at most {}", threads, kernel.line, kernel.threads);
      if (seen.insert(words + line.name).second) add(Advice::Weight::wrong, 1, line, words);
    }
  }
}

// Could a thread store more of C at once, halves along N?
void Advisor::look_at_mma(const AdvisedBinding& binding, const TiledMma& mma) {
  if (is_source_ || !binding.warnings.empty()) return;  // its lines do not say how C lies; and what is wrong comes first
  PermutationWish wish;
  const MmaAtom& atom = mma.atom();
  wish.element_bits =
      atom.kind == MmaKind::fma || bits(atom.val_a) != 16 ? std::max(bits(atom.val_c), 8) : 16;  // halves are stored as such
  const Result<PermutationAdvice> advice = permutation_for(mma, wish);
  if (!advice || !advice->changed || advice->after.instructions >= advice->before.instructions) return;
  add(Advice::Weight::hint, times_of(advice->before.instructions, advice->after.instructions), binding,
      fmt::format("rows of C, {} bits an element: {} stores of {} a thread where {} of {} would do", wish.element_bits,
                  advice->before.instructions, advice->before.neighbours, advice->after.instructions, advice->after.neighbours),
      to_string(Value{std::make_shared<const TiledMma>(advice->mma)}));
}

}  // namespace advising

std::string_view to_string(Advice::Weight weight) {
  switch (weight) {
    case Advice::Weight::wrong: return "wrong";
    case Advice::Weight::slow: return "slow";
    case Advice::Weight::hint: return "hint";
  }
  return "";
}

AdvisedProgram program_of(const Document& document, const std::vector<EvaluatedBinding>& values) {
  AdvisedProgram program;
  for (std::size_t i = 0; i < values.size(); ++i) {
    AdvisedBinding& made = program.bindings.emplace_back();
    made.line = document.bindings[i].statement.line;
    made.name = values[i].name;
    made.warnings = values[i].warnings;
    if (values[i].value)
      made.value = &*values[i].value;
    else
      made.refusal = values[i].value.error().message;
  }
  for (const BadLine& bad : document.bad_lines) program.bindings.push_back({bad.line, "", nullptr, bad.error.message, {}});
  return program;
}

AdvisedProgram program_of(const Explanation& source) {
  AdvisedProgram made;
  made.is_source = true;
  // What a guessed layout or copy does is no fact of this source, with whatever condition: numbers and types alone may be supposed.
  const SymbolTable symbols(source.symbols);
  std::set<std::string_view> objects;
  for (const Symbol& symbol : source.symbols) {
    if (late()) break;
    const Result<Value> likely = evaluate(symbol.likely);
    if (!likely || !(std::holds_alternative<IntTuple>(likely->any) || std::holds_alternative<bool>(likely->any) ||
                     std::holds_alternative<std::string>(likely->any)))
      objects.insert(symbol.name);
  }
  // Which thread or block runs decides where a part begins, and no layout.
  const auto guessed = [&](std::vector<std::string> needs) {
    std::erase_if(needs, [](const std::string& need) { return names_place(need); });
    return needs;
  };
  // What a call gives is known, and every kernel has a first thread; a default is what nobody said otherwise.
  const auto supposed = [](std::vector<std::string> stated) {
    std::erase_if(stated, [](const std::string& note) { return !rests_on_default(note); });
    return stated;
  };
  const auto rests_on_object = [&](const std::vector<std::string>& needs) {
    return std::any_of(needs.begin(), needs.end(), [&](const std::string& need) { return objects.count(need) > 0; });
  };
  for (const Explained& each : source.objects) {
    AdvisedBinding& binding = made.bindings.emplace_back();
    binding.line = each.line, binding.name = each.name, binding.block = each.block;
    const std::vector<std::string> needs = guessed(each.needs);
    if (rests_on_object(needs)) continue;
    binding.value = &each.value;
    binding.guesses = advising::both(guesses_of(needs, symbols), advising::both(supposed(each.stated), each.doubts));
    // A coordinate that was guessed may lie outside where the one that is meant does not.
    if (!needs.empty()) continue;
    binding.warnings = each.warnings;
    // Tiles that reach beyond are what a predicate is for.
    if (source.predicated)
      std::erase_if(binding.warnings, [](const Error& warning) {
        return warning.code == ErrorCode::not_divisible && warning.message.find("reach beyond") != std::string::npos;
      });
  }
  for (const ExplainedEffect& each : source.effects) {
    if (guessed(each.needs).empty() && each.doubts.empty() && supposed(each.stated).empty())
      made.remarks.push_back({each.line, each.name, nullptr, "", each.warnings});
  }
  // What the algebra refuses of known values is wrong in CuTe, too; what is not read here is not.
  for (const Unexplained& each : source.unexplained) {
    if (each.code == ErrorCode::not_divisible && guessed(each.needs).empty() && each.doubts.empty() && supposed(each.stated).empty())
      made.remarks.push_back({each.line, each.name, nullptr, each.message, {}});
  }
  made.kernels = source.kernels;
  for (const ExplainedUse& each : source.uses) {
    const std::vector<std::string> needs = guessed(each.needs);
    if (!rests_on_object(needs))
      made.uses.push_back({each.line, &each.what, each.block,
                           advising::both(guesses_of(needs, symbols), advising::both(supposed(each.stated), each.doubts))});
  }
  return made;
}

Advised advise(const AdvisedProgram& program, const DeviceModel& device) {
  const DefaultBudget budget;
  return advising::Advisor(program, device).advise();
}

}  // namespace tessera
