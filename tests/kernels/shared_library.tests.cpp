// SPDX-License-Identifier: BSD-3-Clause
// Where CUDA's libraries are looked for: what is found there runs as this person.
#include "kernels/runtime/device/shared_library.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace tessera;
namespace fs = std::filesystem;

TEST_CASE("libraries are taken from a home only when it is the person's own") {
  const test::TemporaryFolder folder;
  const fs::path packages = folder / ".local/lib/python3.11/site-packages/nvidia/cu13/lib";
  fs::create_directories(packages);
  const auto searched = [&] {
    const std::vector<std::string> folders = toolkit_folders();
    return std::any_of(folders.begin(), folders.end(), [](const std::string& found) { return found.find("/cu13/lib") != found.npos; });
  };
  const fs::path before = fs::current_path();
  fs::current_path(folder.path());
  for (const char* elsewhere : {"", "."}) {
    test::TemporaryEnvironment home("HOME", elsewhere);
    CHECK_FALSE(searched());
  }
  fs::current_path(before);
  test::TemporaryEnvironment home("HOME", folder.path().string());
  CHECK(searched());
  REQUIRE(::chmod(folder.path().c_str(), 01777) == 0);  // as /tmp is
  CHECK_FALSE(searched());
  REQUIRE(::chmod(folder.path().c_str(), 0700) == 0);
  if (::geteuid() != 0) {
    WARN("skipped: only root can give a folder away");
    return;
  }
  REQUIRE(::chown(folder.path().c_str(), 65534, 65534) == 0);
  CHECK_FALSE(searched());
}
