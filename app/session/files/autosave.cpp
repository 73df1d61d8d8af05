// SPDX-License-Identifier: BSD-3-Clause
// Autosave files: their names, their first line, and whether the program that wrote them still runs.
#include "app/session/files/autosave.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/session/files/document_io.hpp"
#include "core/base/characters.hpp"
#include "core/base/private_file.hpp"
#include "core/base/sha256.hpp"
#include "core/base/utf8.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHeader = "# tessera autosave: ";
constexpr std::uintmax_t kLargestAutosave = kLargestDocument + (1 << 16);  // bytes, with the header

// ---- who runs ---------------------------------------------------------------------------------------------------------------

// The sessions of this process that live.
struct Living {
  std::mutex mutex;
  std::set<std::uint64_t> numbers;
  std::uint64_t last = 0;
};
Living& living() {
  static Living all;
  return all;
}

struct Process {
  std::uint64_t started = 0;  // in the kernel's ticks: a number that is used again belongs to another process; 0 where nobody says
  bool ended = false;         // a zombie: nobody has asked how it ended
};

Process process_of(long pid) {
  const Result<std::string> stat = read_file(fmt::format("/proc/{}/stat", pid), 1 << 16);
  if (!stat) return {};
  std::size_t at = stat->rfind(')');  // of the program's name, which may hold anything
  constexpr int kFieldsBetween = 20;  // from the state to the start
  Process process;
  if (at != std::string::npos && at + 2 < stat->size()) process.ended = (*stat)[at + 2] == 'Z' || (*stat)[at + 2] == 'X';
  for (int i = 0; i < kFieldsBetween && at != std::string::npos; ++i) at = stat->find(' ', at + 1);
  if (at != std::string::npos) std::from_chars(stat->data() + at + 1, stat->data() + stat->size(), process.started);
  return process;
}

struct Header {
  std::string base;
  long pid = 0;
  std::uint64_t started = 0, session = 0;
  std::string document;  // its path, or where its title would lie
};

bool runs(const Header& writer) {
  if (writer.pid <= 0) return false;
  const Process now = process_of(writer.pid);
  if (writer.pid == ::getpid() && writer.started == now.started) {
    const std::lock_guard lock(living().mutex);
    return living().numbers.count(writer.session) > 0;
  }
  const bool exists = ::kill(static_cast<pid_t>(writer.pid), 0) == 0 || errno == EPERM;
  return exists && !now.ended && writer.started == now.started;
}

// ---- names and first lines --------------------------------------------------------------------------------------------------

// "a-0123456789ab": the name, for people, and the place, for us.
std::string stem_of(const fs::path& document) {
  std::error_code error;
  fs::path whole = fs::weakly_canonical(document, error);  // "./a.tess" is "a.tess"
  if (error) whole = fs::absolute(document, error);
  constexpr std::size_t kLongestName = 120;  // bytes
  return fmt::format("{}-{}", utf8_prefix(document.stem().string(), kLongestName), sha256_hex(whole.string()).substr(0, 12));
}

std::string header_line(const Header& header, const fs::path& document) {
  std::error_code ignored;
  return fmt::format("{}base={} pid={} started={} session={} document={}\n", kHeader, header.base, header.pid, header.started,
                     header.session, printable(fs::absolute(document, ignored).string()));
}

// Divides an autosave into its first line and the document. One without such a line is nobody's.
std::pair<Header, std::string_view> take_apart(std::string_view bytes) {
  Header header;
  if (!bytes.starts_with(kHeader)) return {header, bytes};
  const std::size_t end = std::min(bytes.find('\n'), bytes.size());
  const std::string_view line = bytes.substr(0, end);
  const auto word = [&](std::string_view name) {
    const std::size_t at = line.find(name);
    if (at == std::string_view::npos) return std::string_view();
    const std::string_view rest = line.substr(at + name.size());
    return rest.substr(0, rest.find(' '));
  };
  const auto number = [&](std::string_view name, auto& value) {
    const std::string_view digits = word(name);
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
  };
  header.base = word(" base=");
  number(" pid=", header.pid);
  number(" started=", header.started);
  number(" session=", header.session);
  constexpr std::string_view kDocument = " document=";
  if (const std::size_t at = line.find(kDocument); at != std::string_view::npos) header.document = line.substr(at + kDocument.size());
  return {header, bytes.substr(std::min(end + 1, bytes.size()))};
}

// The first line that is no comment, as far as a list shows it.
std::string first_words(std::string_view text) {
  constexpr std::size_t kShown = 80;  // bytes
  while (!text.empty()) {
    const std::string_view line = trimmed(text.substr(0, text.find('\n')));
    if (!line.empty() && !line.starts_with('#')) return std::string(utf8_prefix(line, kShown));
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  }
  return {};
}

std::optional<std::string> file_text(const fs::path& file) {
  Result<std::string> text = read_file(file, kLargestDocument);
  return text ? std::optional<std::string>(std::move(*text)) : std::nullopt;
}

}  // namespace

fs::path autosave_folder() {
  const fs::path state = own_folder(OwnFolder::state);
  return state.empty() ? state : state / "autosave";
}

Autosave::Autosave() {
  const std::lock_guard lock(living().mutex);
  number_ = std::make_unique<std::uint64_t>(++living().last);
  living().numbers.insert(*number_);
}

Autosave::~Autosave() {
  if (!number_) return;
  const std::lock_guard lock(living().mutex);
  living().numbers.erase(*number_);
}

Autosave::Autosave(Autosave&&) noexcept = default;

Autosave& Autosave::operator=(Autosave&& other) noexcept {
  std::swap(number_, other.number_);
  std::swap(written_, other.written_);
  return *this;
}

Status Autosave::write(const fs::path& document, std::string_view base, std::string_view text) {
  TESSERA_TRY(folder, PrivateFolder::make(autosave_folder()));
  const Header header{std::string(base), ::getpid(), process_of(::getpid()).started, *number_, {}};
  const std::string name = fmt::format("{}-{}-{}.tess", stem_of(document), header.pid, header.session);
  TESSERA_CHECK(folder.write(name, header_line(header, document).append(text)));
  if (!written_.empty() && written_ != name) TESSERA_CHECK(folder.remove(written_));
  written_ = name;
  return Done{};
}

void Autosave::forget() {
  if (written_.empty()) return;
  if (Result<std::optional<PrivateFolder>> folder = PrivateFolder::open(autosave_folder()); folder && *folder)
    (void)(*folder)->remove(written_);
  written_.clear();
}

fs::path Autosave::path() const { return written_.empty() ? fs::path() : autosave_folder() / written_; }

Result<std::vector<Recovery>> find_recoveries(const fs::path& document, std::string_view text) {
  std::vector<Recovery> found;
  if (autosave_folder().empty()) return found;
  TESSERA_TRY(folder, PrivateFolder::open(autosave_folder()));
  if (!folder) return found;
  const std::string stem = stem_of(document), base = sha256_hex(text);
  for (const std::string& name : folder->names()) {
    if (!name.starts_with(stem + "-") && name != stem + ".tess") continue;
    const Result<std::optional<FileContents>> contents = folder->read(name, kLargestAutosave);
    if (!contents || !*contents) continue;
    const auto [writer, left] = take_apart((*contents)->bytes);
    if (runs(writer)) continue;
    if (left == text) {
      (void)folder->remove(name);
      continue;
    }
    const bool same_base = writer.base == base;
    const auto twin = std::find_if(found.begin(), found.end(), [&, left = left](const Recovery& other) { return other.text == left; });
    if (twin == found.end()) {
      found.push_back({std::string(left), same_base, {name}});
    } else {
      twin->same_base = twin->same_base || same_base;
      twin->files.push_back(name);
    }
  }
  std::stable_partition(found.begin(), found.end(), [](const Recovery& recovery) { return recovery.same_base; });
  return found;
}

Result<std::vector<LeftDocument>> left_documents() {
  std::vector<LeftDocument> left;
  if (autosave_folder().empty()) return left;
  TESSERA_TRY(folder, PrivateFolder::open(autosave_folder()));
  if (!folder) return left;
  for (const std::string& name : folder->names()) {
    if (!name.ends_with(".tess")) continue;
    const Result<std::optional<FileContents>> contents = folder->read(name, kLargestAutosave);
    if (!contents || !*contents) continue;
    const auto [writer, text] = take_apart((*contents)->bytes);
    if (runs(writer)) continue;
    const fs::path document = writer.document;
    std::error_code error;
    LeftDocument each{
        name, document.empty() ? name : document.filename().string(), {}, first_words(text), 0, (*contents)->facts.stamp.modified_ns};
    each.lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    if (!writer.base.empty() && fs::is_regular_file(document, error)) each.file = document;
    if (const auto now = each.file.empty() ? std::nullopt : file_text(each.file); now == text) continue;
    left.push_back(std::move(each));
  }
  std::sort(left.begin(), left.end(), [](const LeftDocument& a, const LeftDocument& b) { return a.written_ns > b.written_ns; });
  return left;
}

std::string words_of(const LeftDocument& left) {
  return fmt::format("{} line{}, left unsaved: {}", left.lines, left.lines == 1 ? "" : "s", printable(left.sample));
}

Result<Recovery> left_document(const std::string& name) {
  TESSERA_TRY(folder, PrivateFolder::open(autosave_folder()));
  const auto gone = [&] { return Error{ErrorCode::io, fmt::format("what was left as {} is there no more", printable(name)), {}, {}}; };
  if (!folder) return gone();
  const std::vector<std::string> names = folder->names();
  if (std::find(names.begin(), names.end(), name) == names.end()) return gone();
  TESSERA_TRY(contents, folder->read(name, kLargestAutosave));
  if (!contents) return gone();
  const auto [writer, text] = take_apart(contents->bytes);
  if (runs(writer)) return Error{ErrorCode::io, fmt::format("the program that wrote {} still runs", printable(name)), {}, {}};
  return Recovery{std::string(text), false, {name}};
}

void forget(const Recovery& recovery) {
  const Result<std::optional<PrivateFolder>> folder = PrivateFolder::open(autosave_folder());
  if (!folder || !*folder) return;
  for (const std::string& name : recovery.files) (void)(*folder)->remove(name);
}

}  // namespace tessera
