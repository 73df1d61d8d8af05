// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/statements/other_library.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/atom/instructions/value_type.hpp"
#include "core/base/characters.hpp"
#include "core/lang/builtins/builtins.hpp"
#include "core/lang/builtins/paste.hpp"
#include "core/lang/eval/evaluator.hpp"
#include "core/lang/statements/statement_reader.hpp"
#include "core/lang/syntax/lexer.hpp"
#include "core/lang/syntax/naming.hpp"
#include "core/lang/values/members.hpp"

namespace tessera {
namespace {

// A name with its path, and the character behind it.
struct NamedPath {
  std::string_view text;  // cutlass::gemm::GemmShape, sm100_utils.make_smem_layout_epi
  char behind = 0;        // '(' calls, '<' has template arguments
};

std::string_view last_name(std::string_view path) {
  const std::size_t at = path.find_last_of(":.");
  return at == std::string_view::npos ? path : path.substr(at + 1);
}

bool is_known(std::string_view path) {
  const std::string_view name = last_name(path);
  return find_builtin(function_name(name, name)) || !arch_tag(path).empty() || find_builtin(path) ||
         path.ends_with("arch::ClusterBarrier") || path.ends_with("arch::ClusterTransactionBarrier") || is_member(name) ||
         value_type(name) || is_atom_prefix(name) || is_shape_type(path) || name.ends_with("ABLayout");
}

// TMA copies beyond those that are made here: the descriptor's address, and copies of images.
bool is_tma(std::string_view name) {
  return (name.starts_with("make_tma_") && !find_builtin(name)) || name == "get_tma_descriptor" || name.starts_with("make_im2col_tma");
}

std::string reason_in_cpp(NamedPath path) {
  std::string_view name = path.text;
  const bool used = path.behind == '(' || path.behind == '<';
  if (used && is_tma(last_name(name))) return fmt::format("a TMA copy that is not known here: {}", last_name(name));
  for (const std::string_view own : {"::", "cute::"}) {
    while (name.starts_with(own)) name.remove_prefix(own.size());
  }
  const std::string_view kind = path.behind == '(' ? "a function" : "a type";
  if (name.starts_with("cutlass::")) {
    const std::string_view inner = name.substr(9);
    const bool nested = inner.find("::") != std::string_view::npos;
    if ((nested || used) && !is_known(inner) && !names_place(inner)) return fmt::format("{} of another library: {}", kind, name);
    return {};
  }
  if (names_vector(name)) return {};
  if (name.find("::") == std::string_view::npos || name.starts_with("std::") || !used || is_known(name)) return {};
  const std::string_view head = name.substr(0, name.find("::"));
  if (head == "UMMA" || head == "GMMA" || head == "SM90" || head == "SM100") return {};
  return fmt::format("{} of another library: {}", kind, name);
}

// Is it read as a function of CUTLASS's utilities, whose modules are known by their usual names alone?
bool is_utility(std::string_view name) {
  const std::string_view called = function_name(name, name);
  for (const std::string_view module : {"sm90_utils.", "sm100_utils.", "blockscaled_utils."}) {
    if (called.starts_with(module)) return find_builtin(called) != nullptr;
  }
  return false;
}

std::string reason_in_python(NamedPath path, std::span<const std::string> foreign) {
  if (path.behind != '(') return {};
  const std::string_view name = path.text;
  const std::string_view head = name.substr(0, name.find('.'));
  if (is_utility(name) && std::find(foreign.begin(), foreign.end(), head) != foreign.end())
    return fmt::format("a function of another library: {}", name);
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || names_place(name) || names_launch(name) || makes_run_object(name) || is_known(name) ||
      find_builtin(function_name(name, name)))
    return {};
  const std::string_view module = name.substr(0, dot);
  const bool of_module = module.ends_with("utils") || module.ends_with("cute.arch") || module == "cute.core" || module == "math" ||
                         module == "torch" || module == "np" || module == "numpy" || module == "pipeline";
  return of_module ? fmt::format("a function of another library: {}", name) : std::string();
}

}  // namespace

bool makes_run_object(std::string_view path) {
  constexpr std::string_view kMakers[] = {"argparse.ArgumentParser",
                                          "ArgumentParser",
                                          "cute.compile",
                                          "cuda.CUstream",
                                          "torch.cuda.Stream",
                                          "torch.cuda.current_stream",
                                          "torch.cuda.default_stream",
                                          "make_fake_stream",
                                          "cute.runtime.make_fake_stream",
                                          "pipeline.CooperativeGroup",
                                          "pipeline.NamedBarrier",
                                          "pipeline.PipelineAsync.create",
                                          "pipeline.PipelineCpAsync.create",
                                          "pipeline.PipelineTmaAsync.create",
                                          "pipeline.PipelineTmaMultiConsumersAsync.create",
                                          "pipeline.PipelineTmaStore.create",
                                          "pipeline.PipelineTmaUmma.create",
                                          "pipeline.PipelineAsyncUmma.create",
                                          "pipeline.PipelineUmmaAsync.create"};
  return std::find(std::begin(kMakers), std::end(kMakers), path) != std::end(kMakers);
}

std::vector<std::string> imported_names(std::string_view text) {
  std::vector<std::string> made;
  const std::size_t import = text.find("import");
  if (import == std::string_view::npos) return made;
  std::string_view list = text.substr(import + 6);
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    std::string_view each = trimmed(list.substr(0, comma));
    if (const std::size_t as = each.find(" as "); as != std::string_view::npos) each = trimmed(each.substr(as + 4));
    while (!each.empty() && (each.front() == '(' || is_space(each.front()))) each.remove_prefix(1);
    if (const std::string_view name = statement_text::first_word(each); is_binding_name(name)) made.emplace_back(name);
    list = comma == list.size() ? std::string_view() : list.substr(comma + 1);
  }
  return made;
}

std::vector<std::string> foreign_names(std::string_view text) {
  text = trimmed(text);
  const std::string_view word = statement_text::first_word(text);
  const std::string_view module = trimmed(text.substr(std::min(word.size(), text.size())));
  return module.starts_with("cutlass") ? std::vector<std::string>() : imported_names(text);
}

std::string other_library(std::string_view text, Dialect dialect, std::span<const std::string> foreign) {
  const bool cpp = dialect == Dialect::cpp;
  const statement_text::Walker walk(text, dialect);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t next = walk.after(at);
    const bool colons = cpp && text.substr(at).starts_with("::");
    if (next != at + 1 || !(is_word(text[at]) || colons)) {
      at = next;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && (is_word(text[end]) || (cpp && text.substr(end).starts_with("::")) || (!cpp && text[end] == '.')))
      end += text[end] == ':' ? 2 : 1;
    std::size_t behind = end;
    while (behind < text.size() && is_space(text[behind])) ++behind;
    NamedPath path{text.substr(at, end - at), behind < text.size() ? text[behind] : '\0'};
    // f<...>(...) calls too
    if (cpp && path.behind == '<') {
      int depth = 0;
      for (std::size_t i = behind; i < text.size(); ++i) {
        if (text[i] == '<') ++depth;
        if (text[i] == '>' && --depth == 0) {
          if (i + 1 < text.size() && text[i + 1] == '(') path.behind = '(';
          break;
        }
      }
    }
    if (std::string reason = cpp ? reason_in_cpp(path) : reason_in_python(path, foreign); !reason.empty()) return reason;
    at = std::max(end, next);
  }
  return {};
}

}  // namespace tessera
