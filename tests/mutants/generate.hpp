// SPDX-License-Identifier: BSD-3-Clause
// Candidates for mutants, found in a source: a statement is deleted, operands change places, a number is off by one, a condition is
// dropped or turned round, a refusal is gone. The same seed and text give the same candidates.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tests/mutants/mutant_file.hpp"

namespace tessera::mutants {

// Every candidate of a source, with enough lines of old text to stand there once.
std::vector<Mutant> candidates(const std::string& file, std::string_view text);

// The candidates of all files in the order of a seed, the kinds of change by turns.
std::vector<Mutant> generate(std::string_view seed, const std::vector<std::string>& files, const std::filesystem::path& root);

}  // namespace tessera::mutants
