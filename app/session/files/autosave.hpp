// SPDX-License-Identifier: BSD-3-Clause
// Autosaves: what was not saved when a program ended. Each running session has one file of its own, which no other session touches. It
// is readable text: a comment that says who wrote it and which text it grew from, then the document.
//
//   # tessera autosave: base=<SHA-256 of the file> pid=4711 started=123456 session=1 document=/docs/a.tess
//
// Whether there is something to recover is judged by content alone, never by time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"

namespace tessera {

// Changes that a program which runs no more has left.
struct Recovery {
  std::string text;
  bool same_base = false;          // they were made to the text that the file has now
  std::vector<std::string> files;  // autosaves with this text
};

// A document that a program which runs no more has left unsaved.
struct LeftDocument {
  std::string name;            // of its autosave
  std::string title;           // "untitled", or its file's name
  std::filesystem::path file;  // that it was of; empty: it had none, or that is gone
  std::string sample;          // its first line with words
  std::size_t lines = 0;
  std::int64_t written_ns = 0;  // since 1970
};

// One session's right to a file, from its construction to its end.
class Autosave {
 public:
  Autosave();
  ~Autosave();
  Autosave(Autosave&&) noexcept;
  Autosave& operator=(Autosave&&) noexcept;

  // `document`: the person's file, or a title. `base`: the SHA-256 of what it held when it was opened; empty where there is none.
  Status write(const std::filesystem::path& document, std::string_view base, std::string_view text);
  // Removes what was written here. A failure leaves a file that will be offered again.
  void forget();
  std::filesystem::path path() const;  // of the file that was written; empty when there is none

 private:
  std::unique_ptr<std::uint64_t> number_;  // of the session, within this process; none when it was moved away
  std::string written_;                    // the file's name; empty: none
};

// What crashed programs left for this document, what fits the file's text first; autosaves that hold just that text are removed. Those of
// running programs are left alone. Refuses a folder that others can write into.
Result<std::vector<Recovery>> find_recoveries(const std::filesystem::path& document, std::string_view text);
void forget(const Recovery& recovery);
// Those of all documents, the newest first; a text that its file holds by now is not among them.
Result<std::vector<LeftDocument>> left_documents();
std::string words_of(const LeftDocument& left);  // "12 lines, left unsaved: let tile = (4,8):(8,1)"
// The text of one of them, by its autosave's name. Refuses one that is gone, or whose program still runs.
Result<Recovery> left_document(const std::string& name);

std::filesystem::path autosave_folder();  // empty without a home

}  // namespace tessera
