// SPDX-License-Identifier: BSD-3-Clause
// What tests/mutants/run.sh asks about mutants: which there are, what a source looks like with one, and new candidates.
//   mutants list                          area/name, what it breaks, why it is set aside; by tabs. Refuses mutants that no longer apply.
//   mutants apply AREA/NAME FOLDER        writes the changed source below FOLDER and prints its path from the root
//   mutants try FILE.mutant FOLDER        the same for a file that is not kept
//   mutants generate SEED FOLDER FILE ... writes every candidate as FOLDER/NNNN.AREA.NAME.mutant, in the order of the seed
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tests/mutants/generate.hpp"
#include "tests/mutants/mutant_file.hpp"
#include "tests/support/source_dir.hpp"

using namespace tessera;
using namespace tessera::mutants;
namespace fs = std::filesystem;

namespace {

int refuse(const std::string& message) {
  std::cerr << "mutants: " << message << "\n";
  return 3;
}

void put(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

int list(const fs::path& root) {
  const auto mutants = kept_mutants(root);
  if (!mutants) return refuse(mutants.error().message);
  int stale = 0;
  for (const Mutant& mutant : *mutants) {
    if (const auto change = apply(mutant, root); !change) stale = refuse(change.error().message);
    std::cout << fmt::format("{}/{}\t{}\t{}\n", mutant.area, mutant.name, mutant.breaks, mutant.equivalent);
  }
  return stale;
}

int write_change(const Mutant& mutant, const fs::path& root, const fs::path& folder) {
  const auto change = apply(mutant, root);
  if (!change) return refuse(change.error().message);
  put(folder / change->file, change->text);
  std::cout << change->file << "\n";
  return 0;
}

int apply_kept(const fs::path& root, const std::string& name, const fs::path& folder) {
  const fs::path file = root / "tests/mutants" / (name + ".mutant");
  Result<Mutant> mutant = parse_mutant(contents(file));
  if (!mutant) return refuse(file.string() + ": " + mutant.error().message);
  mutant->area = fs::path(name).parent_path().string(), mutant->name = fs::path(name).filename().string();
  return write_change(*mutant, root, folder);
}

}  // namespace

int main(int count, char** words) {
  const std::vector<std::string> arguments(words + 1, words + count);
  const fs::path root = test::source_dir();
  if (arguments.size() == 1 && arguments[0] == "list") return list(root);
  if (arguments.size() == 3 && arguments[0] == "apply") return apply_kept(root, arguments[1], arguments[2]);
  if (arguments.size() == 3 && arguments[0] == "try") {
    const Result<Mutant> mutant = parse_mutant(contents(arguments[1]));
    return mutant ? write_change(*mutant, root, arguments[2]) : refuse(arguments[1] + ": " + mutant.error().message);
  }
  if (arguments.size() > 3 && arguments[0] == "generate") {
    const std::vector<std::string> files(arguments.begin() + 3, arguments.end());
    for (const std::string& file : files) {
      if (!fs::is_regular_file(root / file)) return refuse("there is no source " + file);
    }
    int number = 0;
    for (const Mutant& mutant : generate(arguments[1], files, root))
      put(fs::path(arguments[2]) / fmt::format("{:04}.{}.{}.mutant", number++, mutant.area, mutant.name), to_text(mutant));
    return 0;
  }
  return refuse("list | apply AREA/NAME FOLDER | try FILE FOLDER | generate SEED FOLDER FILE ...");
}
