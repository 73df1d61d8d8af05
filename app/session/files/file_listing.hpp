// SPDX-License-Identifier: BSD-3-Clause
// What a file chooser shows: the folders and documents of a folder, by what is typed of a path.
//
//   "lect"             in the document's folder, what begins with "lect"
//   "slides/"          all of the folder slides beside the document
//   "~/talks/a.tess"   a path from home; "/..." is one from the root
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {

struct FileEntry {
  std::string name;
  bool is_folder = false;
  friend bool operator==(const FileEntry&, const FileEntry&) = default;
};

struct FileListing {
  std::filesystem::path folder;
  std::vector<FileEntry> entries;  // folders first, each by name; none that is hidden
  std::string refused;             // why it cannot be read; empty: it can
  bool cut = false;                // there are more
};
constexpr std::size_t kMostListed = 2000;

// Files of one of these endings (".tess") and folders.
FileListing list_folder(const std::filesystem::path& folder, std::span<const std::string_view> endings);

// What is typed, as a path: from `base` where it says no other beginning.
std::filesystem::path typed_path(std::string_view typed, const std::filesystem::path& base);
// Its part behind the last '/': "lect"; empty for a folder.
std::string_view typed_name(std::string_view typed);

// Those whose names begin as what is typed, in any case.
std::vector<FileEntry> matching(const FileListing& listing, std::string_view name);
// With as much more as all that match have in common; the only folder with its '/'. As it was where nothing matches.
std::string completed(std::string_view typed, const FileListing& listing);

}  // namespace tessera
