// SPDX-License-Identifier: BSD-3-Clause
// The session and its file: saving, what another program did to it, and what crashes left.
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "app/session/document/session.hpp"
#include "app/session/files/document_io.hpp"
#include "core/base/overloaded.hpp"

namespace tessera {

const FileFacts* Session::base() const {
  return std::visit(Overloaded{[](const Unsaved&) -> const FileFacts* { return nullptr; },
                               [](const Clean& state) -> const FileFacts* { return &state.facts; },
                               [](const ChangedOnDisk& state) -> const FileFacts* { return &state.was; },
                               [](const Gone& state) -> const FileFacts* { return &state.was; }},
                    file_);
}

bool Session::look_at_file() { return look(false); }

bool Session::look(bool read) {
  if (!path_ || !base()) return false;
  const FileFacts was = *base();
  std::error_code error;
  if (!std::filesystem::exists(*path_, error)) {
    if (error || std::holds_alternative<Gone>(file_)) return false;
    file_ = Gone{was};
    return true;
  }
  const auto* changed = std::get_if<ChangedOnDisk>(&file_);
  const FileStamp& seen = changed ? changed->now.facts.stamp : was.stamp;
  const Result<FileStamp> stamp = file_stamp(*path_);
  if (!stamp || (!read && *stamp == seen && !std::holds_alternative<Gone>(file_))) return false;
  Result<FileContents> now = read_contents(*path_, kLargestDocument);
  if (!now) return false;  // saving will say why
  const bool had_conflict = conflicts();
  if (now->facts.sha256 == was.sha256) {  // touched, or written with the same text
    file_ = Clean{std::move(now->facts)};
    return had_conflict;
  }
  const bool news = !changed || changed->now.facts.sha256 != now->facts.sha256;
  file_ = ChangedOnDisk{was, std::move(*now)};
  return news;
}

std::string Session::conflict_words() const {
  if (std::holds_alternative<ChangedOnDisk>(file_)) {
    return fmt::format("another program has changed {} since it was opened{}", title_, dirty() ? ", and you have changed it too" : "");
  }
  if (std::holds_alternative<Gone>(file_)) return fmt::format("{} is gone: another program removed or renamed it", title_);
  return {};
}

Error Session::conflict() const {
  return {ErrorCode::already_exists, conflict_words() + "; nothing was written", {}, {"reload it, keep yours, or save under another name"}};
}

void Session::be_saved(FileFacts facts) {
  file_ = Clean{std::move(facts)};
  be_unchanged();
  warning_.clear();
  autosave_.forget();
  for (const Recovery& recovery : recovered_) tessera::forget(recovery);
  recovered_.clear();
}

Status Session::write_over(const FileFacts& was) {
  Result<FileFacts> written = replace_file(*path_, text(), was);
  if (written) {
    be_saved(std::move(*written));
    return Done{};
  }
  look(true);  // its size and time may be the old ones
  return conflicts() ? conflict() : written.error();
}

Status Session::save() {
  if (!path_ || !base()) return Error{ErrorCode::io, "this document has no file yet; choose one with Save as", {}, {}};
  if (!warning_.empty()) {
    return Error{ErrorCode::already_exists,
                 fmt::format("when {} was opened, {}: its file is replaced only when you say so", title_, warning_),
                 {},
                 {"save it under its own name or another one with Save as"}};
  }
  look_at_file();
  if (conflicts()) return conflict();
  return write_over(*base());
}

Status Session::keep_mine() {
  if (!path_) return save();
  if (std::holds_alternative<Gone>(file_)) {
    Result<FileFacts> written = create_file(*path_, text());
    if (!written) {
      look_at_file();
      return std::holds_alternative<ChangedOnDisk>(file_) ? conflict() : written.error();
    }
    be_saved(std::move(*written));
    return Done{};
  }
  if (const auto* changed = std::get_if<ChangedOnDisk>(&file_)) return write_over(FileFacts(changed->now.facts));
  return save();
}

Status Session::reload() {
  if (!path_) return Error{ErrorCode::io, "this document has no file that could be read again", {}, {}};
  TESSERA_TRY(contents, read_contents(*path_, kLargestDocument));
  TESSERA_TRY(document, document_of(*path_, contents.bytes));
  if (contents.bytes != text()) {
    Workspace next = workspace_;
    next.document = std::make_shared<const Document>(std::move(document));
    change(std::move(next), "Reload");
  }
  file_ = Clean{std::move(contents.facts)};
  be_unchanged();
  warning_ = warning_of(this->document());
  return Done{};
}

Status Session::save_as(const std::filesystem::path& path, bool overwrite) {
  std::error_code ignored;
  if (overwrite && path_ && base() && std::filesystem::equivalent(path, *path_, ignored)) {  // the rule of save holds under any name
    look_at_file();
    return conflicts() ? Status(conflict()) : write_over(FileFacts(*base()));
  }
  TESSERA_TRY(written, overwrite ? replace_file(path, text()) : create_file(path, text()));
  path_ = path;
  title_ = path.filename().string();
  be_saved(std::move(written));
  return Done{};
}

Result<std::vector<DiffLine>> Session::difference() const {
  if (std::holds_alternative<Gone>(file_)) return line_diff("", text());
  if (const auto* changed = std::get_if<ChangedOnDisk>(&file_)) return line_diff(changed->now.bytes, text());
  if (!path_) return Error{ErrorCode::io, "this document has no file to compare it with", {}, {}};
  TESSERA_TRY(bytes, read_file(*path_, kLargestDocument));
  return line_diff(bytes, text());
}

Status Session::autosave() {
  if (dirty()) return autosave_.write(path_.value_or(title_), base() ? base()->sha256 : "", text());
  autosave_.forget();
  return Done{};
}

void Session::forget_autosave() {
  autosave_.forget();
  for (const Recovery& recovery : recovered_) tessera::forget(recovery);
  recovered_.clear();
}

Status Session::recover() {
  if (recoveries_.empty()) return Error{ErrorCode::io, fmt::format("there are no unsaved changes of {} to recover", title_), {}, {}};
  TESSERA_CHECK(run(OpenText{recoveries_.front().text}));
  recovered_.push_back(std::move(recoveries_.front()));
  recoveries_.erase(recoveries_.begin());
  return Done{};
}

Status Session::open_left(const LeftDocument& left) {
  TESSERA_TRY(recovery, left_document(left.name));
  TESSERA_CHECK(open_text("", left.title));
  recoveries_.push_back(std::move(recovery));
  return recover();
}

void Session::discard_recovery() {
  if (recoveries_.empty()) return;
  tessera::forget(recoveries_.front());
  recoveries_.erase(recoveries_.begin());
}

}  // namespace tessera
