// SPDX-License-Identifier: BSD-3-Clause
// A kept mutant: one wrong change to the sources, which some test has to notice. It is a text file, tests/mutants/AREA/NAME.mutant:
//
//   breaks: brackets that stay open are accepted
//   in: core/lang                         a source, or a folder below which the old text stands exactly once
//   equivalent: why no test can tell      only where that is so; such a mutant is set aside
//   old:
//     if (open > 0) return unbalanced(open);
//   new:
//     if (false && open > 0) return unbalanced(open);
//
// White space does not count when the old text is looked for, so that a mutant survives reformatting, and a file that moves.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"

namespace tessera::mutants {

struct Mutant {
  std::string area;  // its folder: decides which tests have to notice
  std::string name;
  std::string breaks;
  std::string place;       // from the root of the sources
  std::string equivalent;  // empty: some test has to notice
  std::string old_text, new_text;
};

Result<Mutant> parse_mutant(std::string_view text);  // without area and name
std::string to_text(const Mutant& mutant);

// All kept mutants below root/tests/mutants, by area and name.
Result<std::vector<Mutant>> kept_mutants(const std::filesystem::path& root);

// How often the old text stands in a text, white space aside.
std::size_t occurrences(std::string_view old_text, std::string_view text);
// The text with its only occurrence of the old text replaced.
Result<std::string> replaced(const Mutant& mutant, std::string_view text);

// A source as the mutant leaves it.
struct Change {
  std::string file;  // from the root
  std::string text;
};
Result<Change> apply(const Mutant& mutant, const std::filesystem::path& root);

std::string contents(const std::filesystem::path& path);

}  // namespace tessera::mutants
