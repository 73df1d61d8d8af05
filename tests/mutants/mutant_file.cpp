// SPDX-License-Identifier: BSD-3-Clause
#include "tests/mutants/mutant_file.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace tessera::mutants {
namespace {

namespace fs = std::filesystem;

// A text without its white space, and where each of its bytes was.
struct Squeezed {
  std::string text;
  std::vector<std::size_t> place;
};

Squeezed squeeze(std::string_view text) {
  Squeezed squeezed;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (std::isspace(static_cast<unsigned char>(text[i]))) continue;
    squeezed.text += text[i];
    squeezed.place.push_back(i);
  }
  return squeezed;
}

std::size_t count(std::string_view part, std::string_view whole) {
  if (part.empty()) return 0;
  std::size_t found = 0;
  for (std::size_t at = 0; (at = whole.find(part, at)) != std::string_view::npos; ++at) ++found;
  return found;
}

Error wrong(std::string message) { return Error{ErrorCode::bad_spec, std::move(message), {}, {}}; }

std::string_view without(std::string_view text, char end) {
  if (!text.empty() && text.back() == end) text.remove_suffix(1);
  return text;
}

std::vector<fs::path> sources_at(const fs::path& place) {
  if (!fs::is_directory(place)) return {place};
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(place)) {
    const std::string extension = entry.path().extension().string();
    if (entry.is_regular_file() && (extension == ".cpp" || extension == ".hpp")) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

std::string contents(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

Result<Mutant> parse_mutant(std::string_view text) {
  Mutant mutant;
  std::string* part = nullptr;  // of the two texts at the end
  bool has_new = false;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line == "old:" && !part) {
      part = &mutant.old_text;
    } else if (line == "new:" && part == &mutant.old_text) {
      part = &mutant.new_text;
      has_new = true;
    } else if (part) {
      *part += std::string(line) + "\n";
    } else {
      const std::size_t colon = line.find(": ");
      const std::string_view key = line.substr(0, colon);
      std::string* field = key == "breaks"       ? &mutant.breaks
                           : key == "in"         ? &mutant.place
                           : key == "equivalent" ? &mutant.equivalent
                                                 : nullptr;
      if (!field || colon == std::string_view::npos || !field->empty())
        return wrong(fmt::format("\"{}\" is none of breaks: in: equivalent: old: new:", line));
      *field = std::string(line.substr(colon + 2));
    }
  }
  if (mutant.breaks.empty() || mutant.place.empty() || !has_new) return wrong("it needs breaks:, in:, old: and new:");
  if (squeeze(mutant.old_text).text == squeeze(mutant.new_text).text) return wrong("old and new text are the same");
  return mutant;
}

std::string to_text(const Mutant& mutant) {
  const std::string equivalent = mutant.equivalent.empty() ? "" : "equivalent: " + mutant.equivalent + "\n";
  return fmt::format("breaks: {}\nin: {}\n{}old:\n{}\nnew:\n{}\n", mutant.breaks, mutant.place, equivalent, without(mutant.old_text, '\n'),
                     without(mutant.new_text, '\n'));
}

Result<std::vector<Mutant>> kept_mutants(const fs::path& root) {
  std::vector<Mutant> mutants;
  for (const auto& entry : fs::recursive_directory_iterator(root / "tests/mutants")) {
    if (entry.path().extension() != ".mutant") continue;
    Result<Mutant> mutant = parse_mutant(contents(entry.path()));
    if (!mutant) return wrong(fmt::format("{}: {}", fs::relative(entry.path(), root).string(), mutant.error().message));
    mutant->area = entry.path().parent_path().filename().string();
    mutant->name = entry.path().stem().string();
    mutants.push_back(std::move(*mutant));
  }
  std::sort(mutants.begin(), mutants.end(),
            [](const Mutant& a, const Mutant& b) { return std::tie(a.area, a.name) < std::tie(b.area, b.name); });
  return mutants;
}

std::size_t occurrences(std::string_view old_text, std::string_view text) { return count(squeeze(old_text).text, squeeze(text).text); }

Result<std::string> replaced(const Mutant& mutant, std::string_view text) {
  const Squeezed source = squeeze(text);
  const std::string part = squeeze(mutant.old_text).text;
  const std::size_t found = count(part, source.text);
  if (found != 1) return wrong(fmt::format("its old text stands {} times there instead of once", found));
  const std::size_t at = source.text.find(part);
  const std::size_t begin = source.place[at], end = source.place[at + part.size() - 1] + 1;
  std::string_view middle = without(mutant.new_text, '\n');
  middle.remove_prefix(std::min(middle.find_first_not_of(' '), middle.size()));
  return fmt::format("{}{}{}", text.substr(0, begin), middle, text.substr(end));
}

Result<Change> apply(const Mutant& mutant, const fs::path& root) {
  const auto fails = [&](const std::string& why) {
    return wrong(fmt::format("{}/{} no longer applies to {}: {}", mutant.area, mutant.name, mutant.place, why));
  };
  if (!fs::exists(root / mutant.place)) return fails("there is no such file or folder");
  std::vector<fs::path> files;
  for (const fs::path& file : sources_at(root / mutant.place)) {
    for (std::size_t i = occurrences(mutant.old_text, contents(file)); i > 0; --i) files.push_back(file);
  }
  if (files.size() != 1) return fails(fmt::format("its old text stands {} times there instead of once", files.size()));
  TESSERA_TRY(text, replaced(mutant, contents(files.front())));
  return Change{fs::relative(files.front(), root).string(), text};
}

}  // namespace tessera::mutants
