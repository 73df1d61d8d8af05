// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/files/file_listing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "core/base/characters.hpp"

namespace tessera {
namespace fs = std::filesystem;
namespace {

bool begins(std::string_view name, std::string_view with) {
  return name.size() >= with.size() &&
         std::equal(with.begin(), with.end(), name.begin(), [](char a, char b) { return lower(a) == lower(b); });
}

bool has_ending(std::string_view name, std::span<const std::string_view> endings) {
  return std::any_of(endings.begin(), endings.end(),
                     [&](std::string_view ending) { return name.size() > ending.size() && name.ends_with(ending); });
}

}  // namespace

FileListing list_folder(const fs::path& folder, std::span<const std::string_view> endings) {
  FileListing listing{folder, {}, {}, false};
  std::error_code error;
  fs::directory_iterator at(folder, error);
  for (; !error && at != fs::directory_iterator(); at.increment(error)) {
    std::string name = at->path().filename().string();
    if (name.empty() || name.front() == '.') continue;
    std::error_code unknown;  // a link to nowhere is neither
    const bool is_folder = at->is_directory(unknown);
    if (!is_folder && !(at->is_regular_file(unknown) && has_ending(name, endings))) continue;
    if (listing.entries.size() == kMostListed) {
      listing.cut = true;
      break;
    }
    listing.entries.push_back({std::move(name), is_folder});
  }
  if (error) listing.refused = fmt::format("{} cannot be read: {}", folder.string(), error.message());
  std::sort(listing.entries.begin(), listing.entries.end(), [](const FileEntry& a, const FileEntry& b) {
    return std::pair(!a.is_folder, std::string_view(a.name)) < std::pair(!b.is_folder, std::string_view(b.name));
  });
  return listing;
}

fs::path typed_path(std::string_view typed, const fs::path& base) {
  const char* home = std::getenv("HOME");
  if (home && (typed == "~" || typed.starts_with("~/")))
    return (fs::path(home) / typed.substr(std::min<std::size_t>(2, typed.size()))).lexically_normal();
  return (base / fs::path(typed)).lexically_normal();
}

std::string_view typed_name(std::string_view typed) {
  if (typed == "~" || typed == ".." || typed.ends_with("/..")) return {};
  const std::size_t slash = typed.rfind('/');
  return slash == std::string_view::npos ? typed : typed.substr(slash + 1);
}

std::vector<FileEntry> matching(const FileListing& listing, std::string_view name) {
  std::vector<FileEntry> found;
  std::copy_if(listing.entries.begin(), listing.entries.end(), std::back_inserter(found),
               [&](const FileEntry& each) { return begins(each.name, name); });
  return found;
}

std::string completed(std::string_view typed, const FileListing& listing) {
  const std::string_view name = typed_name(typed);
  const std::vector<FileEntry> found = matching(listing, name);
  if (found.empty()) return std::string(typed);
  std::string common = found.front().name;
  for (const FileEntry& each : found) {
    const auto end = std::mismatch(common.begin(), common.end(), each.name.begin(), each.name.end()).first;
    common.erase(end, common.end());
  }
  if (common.size() < name.size()) return std::string(typed);  // they differ in the case of letters alone
  std::string whole(typed.substr(0, typed.size() - name.size()));
  whole += common;
  if (found.size() == 1 && found.front().is_folder) whole += '/';
  return whole;
}

}  // namespace tessera
