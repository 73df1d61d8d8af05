// SPDX-License-Identifier: BSD-3-Clause
// A session and its file: what another program writes is never overwritten, and what a crash leaves is never lost, without a word.
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <sstream>
#include <string>
#include <system_error>
#include <thread>
#include <variant>
#include <vector>

#include "app/session/document/session.hpp"
#include "app/session/files/autosave.hpp"
#include "app/session/files/document_io.hpp"
#include "core/base/sha256.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace tessera;
namespace fs = std::filesystem;

namespace {

const char* const kText = "let data = (4,8):(8,1)\nlet other = (2,2):(1,2)\n";
const char* const kTheirs = "let data = (4,8):(8,1)\nlet theirs = 5:1\n";

// A folder with a document, and a home of its own for the autosaves.
struct Place {
  test::TemporaryFolder folder;
  test::TemporaryEnvironment state{"XDG_STATE_HOME", folder.path().string()};
  fs::path file = folder / "a.tess";
  Place() { test::put(file, kText); }
};

Session opened(const fs::path& file) {
  Session session;
  REQUIRE(session.open(file));
  return session;
}

std::vector<fs::path> autosaves() {
  std::vector<fs::path> files;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(autosave_folder(), none)) files.push_back(entry.path());
  return files;
}

// As a program that ends in the middle of its work leaves it.
void crash(const fs::path& file, const std::string& expression) {
  Session session = opened(file);
  REQUIRE(session.run(SetBinding{"data", expression}));
  REQUIRE(session.autosave());
}

}  // namespace

TEST_CASE("a file that another program changed is not overwritten, however it was changed") {
  const auto in_place = [](const fs::path& file) { test::put(file, kTheirs); };
  const auto renamed = [](const fs::path& file) {
    test::put(file.string() + "2", kTheirs);
    fs::rename(file.string() + "2", file);
  };
  const auto same_size_and_time = [](const fs::path& file) {
    const auto time = fs::last_write_time(file);
    std::string text = test::contents(file);
    text[text.find("(4,8)") + 1] = '2';
    test::put(file, text);
    fs::last_write_time(file, time);
  };
  const std::function<void(const fs::path&)> ways[] = {in_place, renamed, same_size_and_time};
  for (const auto& change : ways) {
    const Place place;
    Session session = opened(place.file);
    REQUIRE(session.run(SetBinding{"data", "8:1"}));
    change(place.file);
    const std::string theirs = test::contents(place.file);
    const Status saved = session.save();
    REQUIRE_FALSE(saved);
    CHECK(saved.error().message.find("another program has changed a.tess") != std::string::npos);
    CHECK(std::holds_alternative<ChangedOnDisk>(session.file()));
    CHECK(test::contents(place.file) == theirs);
    CHECK(session.dirty());
    CHECK_FALSE(session.save());  // and not at the second time either
    CHECK(test::contents(place.file) == theirs);
  }
}

TEST_CASE("a change on the disk is noticed by looking, and the same text or the old text again is none") {
  const Place place;
  Session session = opened(place.file);
  CHECK_FALSE(session.look_at_file());
  fs::last_write_time(place.file, fs::last_write_time(place.file) + std::chrono::seconds(5));
  CHECK_FALSE(session.look_at_file());
  test::put(place.file, kTheirs);
  CHECK(session.look_at_file());
  CHECK_FALSE(session.look_at_file());  // it was said
  CHECK(session.conflicts());
  test::put(place.file, std::string(kTheirs) + "# more\n");
  CHECK(session.look_at_file());
  test::put(place.file, kText);
  CHECK(session.look_at_file());
  CHECK_FALSE(session.conflicts());
  fs::remove(place.file);
  CHECK(session.look_at_file());
  CHECK(std::holds_alternative<Gone>(session.file()));
  CHECK_FALSE(session.look_at_file());
  test::put(place.file, kText);
  CHECK(session.look_at_file());
  CHECK(std::holds_alternative<Clean>(session.file()));
}

TEST_CASE("of a conflict: reload takes theirs and can be undone, keep mine writes mine, and the difference tells both") {
  const Place place;
  Session session = opened(place.file);
  REQUIRE(session.run(SetBinding{"data", "8:1"}));
  const std::string mine = session.text();
  test::put(place.file, kTheirs);
  REQUIRE_FALSE(session.save());

  const std::vector<DiffLine> diff = session.difference().value();
  std::string from, to;
  for (const DiffLine& line : diff) {
    if (line.kind != DiffLine::Kind::added) from += line.text;
    if (line.kind != DiffLine::Kind::removed) to += line.text;
  }
  CHECK(from == kTheirs);
  CHECK(to == mine);

  REQUIRE(session.reload());
  CHECK(session.text() == kTheirs);
  CHECK_FALSE(session.dirty());
  CHECK_FALSE(session.conflicts());
  REQUIRE(session.undo());
  CHECK(session.text() == mine);
  CHECK(session.dirty());
  REQUIRE(session.save());  // over the text that was seen
  CHECK(test::contents(place.file) == mine);

  test::put(place.file, kTheirs);
  REQUIRE(session.run(SetBinding{"data", "9:1"}));
  REQUIRE_FALSE(session.save());
  test::put(place.file, std::string(kTheirs) + "# once more\n");
  CHECK_FALSE(session.keep_mine());  // that is not the text that was asked about
  CHECK(test::contents(place.file) == std::string(kTheirs) + "# once more\n");
  REQUIRE(session.keep_mine());
  CHECK(test::contents(place.file) == session.text());
  CHECK_FALSE(session.dirty());
}

TEST_CASE("a file that is gone is written again only when the person says so") {
  const Place place;
  Session session = opened(place.file);
  REQUIRE(session.run(SetBinding{"data", "8:1"}));
  fs::remove(place.file);
  const Status saved = session.save();
  REQUIRE_FALSE(saved);
  CHECK(saved.error().message.find("gone") != std::string::npos);
  CHECK_FALSE(fs::exists(place.file));
  CHECK_FALSE(session.reload());
  REQUIRE(session.keep_mine());
  CHECK(test::contents(place.file) == session.text());
  REQUIRE(session.run(SetBinding{"data", "9:1"}));
  REQUIRE(session.save());

  fs::remove(place.file);
  REQUIRE_FALSE(session.save());
  test::put(place.file, kTheirs);
  CHECK_FALSE(session.keep_mine());  // another program came first
  CHECK(test::contents(place.file) == kTheirs);
  CHECK(std::holds_alternative<ChangedOnDisk>(session.file()));
  REQUIRE(session.save_as(place.folder / "b.tess", false));
  CHECK_FALSE(session.conflicts());
  CHECK(test::contents(place.file) == kTheirs);
}

TEST_CASE("of two sessions that save at once one writes and the other is asked") {
  for (int round = 0; round < 100; ++round) {
    const Place place;
    Session a = opened(place.file), b = opened(place.file);
    REQUIRE(a.run(SetBinding{"data", "1:1"}));
    REQUIRE(b.run(SetBinding{"data", "2:1"}));
    bool first = false, second = false;
    std::thread other([&] { second = static_cast<bool>(b.save()); });
    first = static_cast<bool>(a.save());
    other.join();
    REQUIRE(first + second == 1);
    CHECK(test::contents(place.file) == (first ? a : b).text());
    CHECK((first ? b : a).conflicts());
    CHECK((first ? b : a).dirty());
  }
}

TEST_CASE("each session has its own autosave, and saving in one leaves the other's") {
  const Place place;
  Session a = opened(place.file), b = opened(place.file);
  REQUIRE(a.run(SetBinding{"data", "1:1"}));
  REQUIRE(b.run(SetBinding{"data", "2:1"}));
  REQUIRE(a.autosave());
  REQUIRE(b.autosave());
  CHECK(autosaves().size() == 2);
  CHECK(test::contents(place.file) == kText);
  REQUIRE(a.save());
  REQUIRE(autosaves().size() == 1);
  const std::string left = test::contents(autosaves().front());
  CHECK(left.find("let data = 2:1\n") != std::string::npos);
  CHECK(left.starts_with("# tessera autosave: base="));  // readable, and a document as it is
  CHECK(parse_document(left).value().bad_lines.empty());
  CHECK_FALSE(opened(place.file).can_recover());  // b still runs
  REQUIRE(b.undo());
  REQUIRE(b.autosave());
  CHECK(autosaves().empty());  // the changes were undone
}

TEST_CASE("what a crash left is offered by its text, whatever the times say, taken up as a change, and gone after a save") {
  for (const int hours : {-48, 0, 48}) {
    const Place place;
    crash(place.file, "8:1");
    REQUIRE(autosaves().size() == 1);
    fs::last_write_time(autosaves().front(), fs::last_write_time(place.file) + std::chrono::hours(hours));
    Session session = opened(place.folder / "./a.tess");
    CHECK(session.text() == kText);
    REQUIRE(session.recoveries().size() == 1);
    CHECK(session.recoveries().front().same_base);
    REQUIRE(session.autosave());  // nothing is dirty, and nothing may be lost
    REQUIRE(session.save());      // not even by saving what was not recovered
    REQUIRE(autosaves().size() == 1);
    REQUIRE(session.recover());
    CHECK(session.expression("data") == "8:1");
    CHECK(session.dirty());
    CHECK_FALSE(session.can_recover());
    CHECK_FALSE(session.recover());
    CHECK(autosaves().size() == 1);  // until it is in the file
    REQUIRE(session.undo());
    CHECK(session.text() == kText);
    REQUIRE(session.redo());
    REQUIRE(session.save());
    CHECK(autosaves().empty());
    CHECK_FALSE(opened(place.file).can_recover());
  }
}

TEST_CASE("autosaves whose text is in the file are cleaned, several crashes are several offers, and one may be discarded") {
  const Place place;
  crash(place.file, "8:1");
  crash(place.file, "9:1");
  crash(place.file, "9:1");
  CHECK(autosaves().size() == 3);
  {
    Session session = opened(place.file);
    CHECK(session.recoveries().size() == 2);
  }
  test::put(place.file, "let data = 8:1\nlet other = (2,2):(1,2)\n");
  Session session = opened(place.file);
  REQUIRE(session.recoveries().size() == 1);
  CHECK_FALSE(session.recoveries().front().same_base);  // the file has changed since
  CHECK(autosaves().size() == 2);
  session.discard_recovery();
  CHECK_FALSE(session.can_recover());
  CHECK(autosaves().empty());
}

TEST_CASE("documents that crashes left are listed, the newest first, those without a file are taken up as they were, and saving ends it") {
  const Place place;
  crash(place.file, "8:1");
  for (const char* expression : {"3:1", "(4,8):(8,1)"}) {
    Session session;
    REQUIRE(session.open_text("", "untitled"));
    REQUIRE(session.run(AddBinding{"mine", expression, {}}));
    REQUIRE(session.autosave());
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  const std::vector<LeftDocument> left = left_documents().value();
  REQUIRE(left.size() == 3);
  CHECK(left[0].sample == "let mine = (4,8):(8,1)");
  CHECK((left[0].title == "untitled" && left[0].file.empty() && left[0].lines == 1));
  CHECK(words_of(left[0]) == "1 line, left unsaved: let mine = (4,8):(8,1)");
  CHECK((left[2].title == "a.tess" && left[2].file == place.file));

  Session session;
  REQUIRE(session.open_left(left[0]));
  CHECK(session.expression("mine") == "(4,8):(8,1)");
  CHECK((session.dirty() && !session.path() && session.title() == "untitled"));
  REQUIRE(session.undo());
  CHECK(session.bindings().empty());
  REQUIRE(session.redo());
  REQUIRE(session.autosave());
  CHECK(autosaves().size() == 4);  // its own, and what the crash left: that goes when it has a file
  CHECK(left_documents().value().size() == 3);
  REQUIRE(session.save_as(place.folder / "kept.tess", false));
  CHECK(left_documents().value().size() == 2);
  CHECK_FALSE(Session().open_left(left[0]));  // it is gone

  forget(left_document(left[1].name).value());
  CHECK(left_documents().value().size() == 1);
  test::put(place.file, "let data = 8:1\nlet other = (2,2):(1,2)\n");
  CHECK(left_documents().value().empty());  // its file holds it by now
  CHECK_FALSE(left_document("../a.tess"));
}

TEST_CASE("an autosave without a first line, as an older program wrote it, is offered when its text differs") {
  const Place place;
  crash(place.file, "8:1");
  const std::string name = autosaves().front().filename().string();
  fs::remove(autosaves().front());
  const fs::path old = autosave_folder() / (name.substr(0, name.find('-', 2 + 12)) + ".tess");
  REQUIRE(old.filename().string().size() == std::string("a-0123456789ab.tess").size());
  test::put(old, "let data = 7:1\n");
  ::chmod(old.c_str(), 0600);
  CHECK(opened(place.file).recoveries().at(0).text == "let data = 7:1\n");
  test::put(old, kText);
  CHECK_FALSE(opened(place.file).can_recover());
  CHECK_FALSE(fs::exists(old));
}

TEST_CASE("the autosave of a program that runs is not offered, and that of one that was killed is") {
  const Place place;
  int to_child[2], to_parent[2];
  REQUIRE(::pipe(to_child) == 0);
  REQUIRE(::pipe(to_parent) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    Session session;
    const bool ready = session.open(place.file) && session.run(SetBinding{"data", "8:1"}) && session.autosave();
    char byte = ready ? 'y' : 'n';
    if (::write(to_parent[1], &byte, 1) == 1) (void)::read(to_child[0], &byte, 1);  // for ever
    ::_exit(0);
  }
  char byte = 0;
  REQUIRE(::read(to_parent[0], &byte, 1) == 1);
  REQUIRE(byte == 'y');
  CHECK_FALSE(opened(place.file).can_recover());
  CHECK(autosaves().size() == 1);
  ::kill(child, SIGKILL);
  siginfo_t info{};
  REQUIRE(::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT) == 0);
  CHECK(opened(place.file).can_recover());  // nobody has asked yet how it ended: its number is still taken
  int status = 0;
  ::waitpid(child, &status, 0);
  CHECK(opened(place.file).can_recover());
  for (const int end : {to_child[0], to_child[1], to_parent[0], to_parent[1]}) ::close(end);
}

TEST_CASE("autosaves are for the person alone, and a folder that others write into is neither used nor believed") {
  const Place place;
  crash(place.file, "8:1");
  struct stat facts {};
  REQUIRE(::stat(autosaves().front().c_str(), &facts) == 0);
  CHECK((facts.st_mode & 0777) == 0600);
  fs::permissions(autosave_folder(), fs::perms(0777));
  Session session = opened(place.file);
  CHECK_FALSE(session.can_recover());
  CHECK(session.recoveries_refused());
  REQUIRE(session.run(SetBinding{"data", "1:1"}));
  CHECK_FALSE(session.autosave());
}

TEST_CASE("a document without a file is saved, read again, compared and recovered from nowhere, in words") {
  Session session;
  REQUIRE(session.open_text(kText, "new"));
  const auto refused = [](const auto& result) {
    REQUIRE_FALSE(result);
    CHECK_FALSE(result.error().message.empty());
    return result.error().code;
  };
  CHECK(refused(session.save()) == ErrorCode::io);
  CHECK(refused(session.keep_mine()) == ErrorCode::io);
  CHECK(refused(session.reload()) == ErrorCode::io);
  CHECK(refused(session.difference()) == ErrorCode::io);
  CHECK(refused(session.recover()) == ErrorCode::io);
  CHECK_FALSE(session.look_at_file());
  CHECK(session.conflict_words().empty());
  session.discard_recovery();
  CHECK(session.text() == kText);
}

TEST_CASE("the difference of a file that nobody else changed is what was changed here") {
  const Place place;
  Session session = opened(place.file);
  REQUIRE(session.run(SetBinding{"other", "7:1"}));
  using Kind = DiffLine::Kind;
  CHECK(session.difference().value() == std::vector<DiffLine>{{Kind::same, "let data = (4,8):(8,1)\n"},
                                                              {Kind::removed, "let other = (2,2):(1,2)\n"},
                                                              {Kind::added, "let other = 7:1\n"}});
  fs::remove(place.file);
  REQUIRE(session.look_at_file());
  const std::vector<DiffLine> all = session.difference().value();
  CHECK(all.size() == 2);
  for (const DiffLine& line : all) CHECK(line.kind == Kind::added);
}

TEST_CASE("a file that is read again warns where it is cut off, and no longer where it is whole") {
  const Place place;
  Session session = opened(place.file);
  CHECK(session.warning().empty());
  test::put(place.file, "let data = (4,8):(8");
  REQUIRE(session.reload());
  CHECK(session.warning().find("\"data\" in line 1") != std::string::npos);
  CHECK(session.save().error().code == ErrorCode::already_exists);
  test::put(place.file, kText);
  REQUIRE(session.reload());
  CHECK(session.warning().empty());
  CHECK_FALSE(session.dirty());
  REQUIRE(session.reload());  // the same text is no change to undo
  REQUIRE(session.undo());
  CHECK(session.text() == "let data = (4,8):(8");
  CHECK(session.save_as(place.file, true));
}

TEST_CASE("an autosave's first line says who wrote it and of what, and with any of that changed its writer is gone") {
  const Place place;
  Session session = opened(place.file);
  REQUIRE(session.run(SetBinding{"data", "8:1"}));
  REQUIRE(session.autosave());
  const fs::path file = autosaves().at(0);
  const std::string whole = test::contents(file), line = whole.substr(0, whole.find('\n'));
  const auto word = [&](const std::string& name) {
    const std::size_t at = line.find(" " + name + "=");
    REQUIRE(at != std::string::npos);
    return line.substr(at + name.size() + 2, line.find(' ', at + 1) - at - name.size() - 2);
  };
  std::string stat = test::contents("/proc/self/stat"), started;
  std::istringstream fields(stat.substr(stat.rfind(')') + 2));
  for (int field = 3; field <= 22; ++field) fields >> started;
  CHECK(line.starts_with("# tessera autosave: "));
  CHECK(word("base") == sha256_hex(kText));
  CHECK(word("pid") == std::to_string(::getpid()));
  CHECK(word("started") == started);
  CHECK(line.ends_with(" document=" + place.file.string()));
  CHECK(whole.substr(line.size() + 1) == session.text());

  const auto offered = [&](const std::string& with) {
    std::string text = whole;
    if (!with.empty()) {
      const std::string name = with.substr(0, with.find('='));
      text.replace(text.find(" " + name + "=") + 1, name.size() + 1 + word(name).size(), with);
    }
    test::put(file, text);
    return find_recoveries(place.file, kText).value();
  };
  CHECK(offered("").empty());
  for (const std::string changed : {"pid=0", "pid=-1", "pid=1", "started=1", "started=0", "session=0", "session=999999"}) {
    INFO(changed);
    const std::vector<Recovery> found = offered(changed);
    REQUIRE(found.size() == 1);
    CHECK(found[0].text == session.text());
    CHECK(found[0].same_base);
  }
  test::put(file, "# tessera autosave: \n" + session.text());
  CHECK(find_recoveries(place.file, kText).value().at(0).text == session.text());
  test::put(file, whole.substr(0, line.find("base=")) + "base=0" + whole.substr(line.find(" pid=")).replace(0, 5, " pid=9"));
  const std::vector<Recovery> other = find_recoveries(place.file, kText).value();
  REQUIRE(other.size() == 1);
  CHECK_FALSE(other[0].same_base);
}
