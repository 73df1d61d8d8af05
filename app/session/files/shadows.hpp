// SPDX-License-Identifier: BSD-3-Clause
// The language's own names that a document takes for itself. Who evaluates expressions of theirs with another's document has to know:
// with `let size = 3` in it, size(x) is no call of the function any more.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/files/options.hpp"
#include "core/base/result.hpp"
#include "core/lang/document/document.hpp"
#include "core/lang/values/scope.hpp"

namespace tessera {

// A function, figure, constant, element type or atom.
bool is_name_of_language(std::string_view name);
// Those that a line of the document takes, whatever its language and whether or not it has a value; sorted, each once.
std::vector<std::string> shadows_of(const Document& document);

// The scope of a document, and which of its shadows were met in it. Both must outlive what is evaluated.
class ShadowWatch {
 public:
  ShadowWatch(const Scope& scope, const std::vector<std::string>& shadows);
  const Scope& scope() const { return watched_; }
  const std::set<std::string, std::less<>>& met() const { return met_; }
  ShadowWatch(const ShadowWatch&) = delete;
  ShadowWatch& operator=(const ShadowWatch&) = delete;

 private:
  std::set<std::string, std::less<>> met_;
  Scope watched_;
};

// --closed: names that a document must not take. Nothing: none was asked for; empty: every name of the language.
using ClosedNames = std::optional<std::vector<std::string>>;
void declare_closed(Options& options, ClosedNames& closed);
// A usage error where one of them can be no name.
Status check_names(const ClosedNames& closed);
// Refuses a document that takes one; `path` is what it is called.
Status check_closed(const Document& document, const ClosedNames& closed, std::string_view path);

}  // namespace tessera
