// SPDX-License-Identifier: BSD-3-Clause
// Files: read whole and bounded, written whole or not at all, and never lost.
//
//   read_file("a.tess", 1 << 20)       never waits: what is no regular file is refused with a word
//   write_file("a.tess", text)         a new file beside it reaches the disk (fsync), then takes its name
//   create_file("a.svg", bytes)        the same, but a file that is there is kept: of N racing writers exactly one is told "done"
//   replace_file("a.tess", text, was)  the same, but only over the file that was read
//
// A writer that is killed leaves a file ".tessera-<pid>-<n>.tmp"; the next write into that folder removes it. The program's own files
// (settings, cache, autosaves) are in private_file.hpp.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.hpp"

namespace tessera {

// What tells cheaply that a file is probably still the same.
struct FileStamp {
  std::uint64_t device = 0, inode = 0;
  std::uintmax_t size = 0;       // bytes
  std::int64_t modified_ns = 0;  // since 1970
  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

// What a file was when it was read or written. Two files are the same text when their sha256 are.
struct FileFacts {
  FileStamp stamp;
  std::string sha256;
  friend bool operator==(const FileFacts&, const FileFacts&) = default;
};

struct FileContents {
  std::string bytes;
  FileFacts facts;
};

constexpr std::uintmax_t kLargestFile = std::uintmax_t{1} << 30;  // bytes

// A regular file. Folders, devices, pipes and sockets are refused and never waited for, except those that the person named as a stream of
// this process: /dev/stdin, /dev/fd/3, as a shell's <(command) does.
Result<FileContents> read_contents(const std::filesystem::path& path, std::uintmax_t largest = kLargestFile);
Result<std::string> read_file(const std::filesystem::path& path, std::uintmax_t largest = kLargestFile);
// Of what a link leads to; reads nothing.
Result<FileStamp> file_stamp(const std::filesystem::path& path);

// folder/name, where the name is foreign text that may not lead anywhere else: a single plain name, with no '/', "..", or control byte.
Result<std::filesystem::path> path_in(const std::filesystem::path& folder, std::string_view name);

// Creates the folder when it is missing, and refuses one that files cannot be written into.
Status make_folder(const std::filesystem::path& folder);

// The file at `path`, or at what a link there leads to, gets these bytes; the old file stays whenever anything fails. It keeps its
// permissions (rwx alone, never set-user-ID) and, where that is allowed, its owner. A missing folder is made. A character device or a
// pipe with a reader is written to as it is; a pipe without one, a socket and a disk are refused.
Result<FileFacts> replace_file(const std::filesystem::path& path, std::string_view bytes);
// The same, only when the file is still `was` in content; otherwise ErrorCode::already_exists, and it stays.
Result<FileFacts> replace_file(const std::filesystem::path& path, std::string_view bytes, const FileFacts& was);

// The ways to give a file a name that must be free. Not every file system knows each; without both, the name is reserved first.
struct FreeNameWays {
  bool rename = true, link = true;
};
// A new file; ErrorCode::already_exists when anything is there, a link to nowhere included.
Result<FileFacts> create_file(const std::filesystem::path& path, std::string_view bytes, FreeNameWays ways = {});

Status write_file(const std::filesystem::path& path, std::string_view bytes);  // replace_file without the facts
// create_file, or with `force` replace_file.
Status export_file(const std::filesystem::path& path, std::string_view bytes, bool force);

// Removes what killed writers of this user left in an open folder (a descriptor); a living writer holds a lock on its own.
void remove_leftovers(int folder);

}  // namespace tessera
