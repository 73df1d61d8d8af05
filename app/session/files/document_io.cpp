// SPDX-License-Identifier: BSD-3-Clause
// Documents on disk, and the folders of this program.
#include "app/session/files/document_io.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "app/session/files/call_text.hpp"
#include "app/session/files/share_text.hpp"
#include "core/base/characters.hpp"
#include "core/base/private_file.hpp"

namespace tessera {
namespace fs = std::filesystem;
namespace {

std::size_t line_of(std::string_view text, std::size_t at) {
  std::size_t line = 1;
  for (const char c : text.substr(0, at)) line += c == '\n';
  return line;
}

}  // namespace

Result<Document> load_document(const fs::path& path) {
  if (is_share_text(path.native())) {
    TESSERA_TRY(shared, read_share_text(path.native()));
    return document_of(kSharedTitle, shared);
  }
  TESSERA_TRY(text, read_file(path, kLargestDocument));
  return document_of(path, text);
}

Result<Document> document_of(const fs::path& path, std::string_view text) {
  if (const std::size_t zero = text.find('\0'); zero != std::string::npos) {
    return Error{ErrorCode::corrupt, fmt::format("{} is not a text: byte {} is zero", path.string(), zero), {}, {}};
  }
  Result<Document> document = parse_document(text);
  if (!document) document.error().message = fmt::format("{}: {}", path.string(), document.error().message);
  return document;
}

std::string describe(const BadLine& bad) { return fmt::format("line {}: {}", bad.line, bad.error.message); }

std::string unfinished_end(const Document& document) {
  if (!document.bad_lines.empty() && document.bad_lines.back().before == document.bindings.size()) {
    const BadLine& last = document.bad_lines.back();
    const bool at_end = last.span.end == to_text(document).size();  // not even its newline is there
    if (at_end) return fmt::format("the text ends in the middle of line {}; perhaps the file was cut off", last.line);
  }
  if (document.bindings.empty()) return {};
  const Binding& last = document.bindings.back();
  const std::string open = open_brackets(last.expression);
  if (open.empty() && !last.expression.empty()) return {};
  return fmt::format("the text ends in the middle of \"{}\" in line {}, where {}; perhaps the file was cut off", last.name,
                     line_of(to_text(document), last.span.begin),
                     open.empty() ? "a value is missing" : fmt::format("\"{}\" is not closed", open));
}

namespace {

// "0.3" -> {0, 3, 0}; nothing where it is no version.
std::optional<std::array<int, 3>> version_in(std::string_view text) {
  std::array<int, 3> version{};
  for (std::size_t i = 0; i < version.size(); ++i) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), version[i]);
    if (error != std::errc()) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (text.empty() || text.front() != '.') break;
    text.remove_prefix(1);
  }
  return text.empty() ? std::optional(version) : std::nullopt;
}

}  // namespace

std::string needs_later(const Document& document) {
  constexpr std::string_view kNeeds = "# needs tessera ";
  const std::string text = to_text(document);
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view line = trimmed(rest.substr(0, rest.find('\n')));
    if (!line.empty() && !line.starts_with('#')) break;
    if (line.starts_with(kNeeds)) {
      const std::string_view needed = trimmed(line.substr(kNeeds.size()));
      const auto version = version_in(needed);
      if (version && *version > version_in(TESSERA_VERSION))
        return fmt::format("it needs Tessera {}, and this is {}: what it says in words of later versions is not understood", needed,
                           TESSERA_VERSION);
    }
    rest.remove_prefix(std::min(rest.find('\n'), rest.size() - 1) + 1);
  }
  return {};
}

std::string warning_of(const Document& document) {
  std::string later = needs_later(document);
  return later.empty() ? unfinished_end(document) : later;
}

fs::path config_folder() { return own_folder(OwnFolder::config); }

namespace {

// Beside a program in a folder such as /tmp anybody may put fonts. There, assets are taken from the person, from root, from whoever owns
// the program, and from where the person says.
bool is_trusted(const fs::path& assets) {
  const auto facts_of = [](const fs::path& path) {
    struct stat facts {};
    facts.st_uid = static_cast<uid_t>(-1);
    (void)::stat(path.c_str(), &facts);
    return facts;
  };
  const uid_t owner = facts_of(assets).st_uid;
  if (owner == ::geteuid() || owner == 0 || owner == facts_of("/proc/self/exe").st_uid) return true;
  if (const char* set = std::getenv("TESSERA_ASSETS"); set && assets == set) return true;
  const fs::path above = assets.parent_path();
  return ((facts_of(above).st_mode | facts_of(above.parent_path()).st_mode) & S_IWOTH) == 0;
}

}  // namespace

std::vector<fs::path> asset_folders() {
  std::vector<fs::path> folders;
  if (const char* set = std::getenv("TESSERA_ASSETS"); set && *set) folders.emplace_back(set);
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path();
  if (error) return folders;
  folders.push_back(program.parent_path() / "share" / "tessera");  // where an install puts them, and a build folder links to them
  folders.push_back(program / "assets");
  return folders;
}

Result<fs::path> find_asset(std::string_view relative) {
  std::error_code ignored;
  std::string tried;
  for (const fs::path& folder : asset_folders()) {
    const bool exists = fs::exists(folder / relative, ignored);
    if (exists && is_trusted(folder)) return folder / relative;
    tried += fmt::format("{}{}{}", tried.empty() ? "" : ", ", folder.string(), exists ? " (which another user put there)" : "");
  }
  return Error{
      ErrorCode::io,
      fmt::format("{} comes with Tessera and was not found; looked in {}", relative, tried.empty() ? "no folder" : tried),
      {},
      {"install Tessera (cmake --install puts it in share/tessera), or set TESSERA_ASSETS to the folder \"assets\" of its sources"}};
}

}  // namespace tessera
