// SPDX-License-Identifier: BSD-3-Clause
// Files that only grow: nothing that they hold is lost, and what cannot be added to is refused.
#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/file_append.hpp"

#include <sys/resource.h>
#include <sys/stat.h>

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace tessera;

namespace {

Status append(const std::filesystem::path& path, const std::string& bytes) {
  return append_to_file(path, [&](std::string_view) -> Result<std::string> { return bytes; });
}

}  // namespace

TEST_CASE("what is added stands behind what a file holds, and a missing file is made with its folder") {
  const test::TemporaryFolder folder;
  const auto path = folder / "new/log";
  REQUIRE(append(path, "one"));
  REQUIRE(append(path, "two"));
  std::string seen;
  REQUIRE(append_to_file(path, [&](std::string_view held) -> Result<std::string> {
    seen = held;
    return std::string();
  }));
  CHECK(seen == "onetwo");
  CHECK(test::contents(path) == "onetwo");
}

TEST_CASE("where the caller refuses, or the file is too large or none, nothing is added") {
  const test::TemporaryFolder folder;
  test::put(folder / "file", "held");
  const auto refuse = [](std::string_view) -> Result<std::string> { return Error{ErrorCode::bad_spec, "no", {}, {}}; };
  CHECK(append_to_file(folder / "file", refuse).error().message == "no");
  CHECK_FALSE(append_to_file(
      folder / "file", [](std::string_view) -> Result<std::string> { return std::string("x"); }, 3));
  CHECK(test::contents(folder / "file") == "held");
  CHECK_FALSE(append(folder.path(), "x"));
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  CHECK(append(folder / "pipe", "x").error().message.find("it is a pipe") != std::string::npos);
}

TEST_CASE("an addition that does not fit is cut off again") {
  const test::TemporaryFolder folder;
  test::put(folder / "file", std::string(1000, 'h'));
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
  rlimit small = before;
  small.rlim_cur = 1500;
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
  const Status added = append(folder / "file", std::string(1000, 'x'));
  ::setrlimit(RLIMIT_FSIZE, &before);
  CHECK_FALSE(added);
  CHECK(test::contents(folder / "file") == std::string(1000, 'h'));
}
