// SPDX-License-Identifier: BSD-3-Clause
// What a file chooser lists, and how it completes what is typed.
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/files/file_listing.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace tessera;
namespace fs = std::filesystem;

namespace {

constexpr std::string_view kEndings[] = {".tess"};

struct Shelf {
  test::TemporaryFolder folder;
  Shelf() {
    for (const char* name : {"talks", "talks/2026", ".hidden", "Trash"}) fs::create_directory(folder / name);
    for (const char* name : {"tile.tess", "tiled.tess", "a.tess", "notes.txt", ".secret.tess", ".tess"}) test::put(folder / name, "");
    fs::create_symlink(folder / "nowhere", folder / "broken.tess");
  }
  FileListing list() const { return list_folder(folder.path(), kEndings); }
};

}  // namespace

TEST_CASE("a folder shows its folders first, then its documents, and nothing that is hidden or something else") {
  const Shelf shelf;
  const FileListing listing = shelf.list();
  CHECK(listing.refused.empty());
  CHECK(listing.entries ==
        std::vector<FileEntry>{{"Trash", true}, {"talks", true}, {"a.tess", false}, {"tile.tess", false}, {"tiled.tess", false}});
  CHECK(list_folder(shelf.folder / "nobody", kEndings).refused.find("nobody cannot be read: ") != std::string::npos);
}

TEST_CASE("what is typed is completed as far as all that match agree") {
  const FileListing listing = Shelf().list();
  CHECK(completed("ti", listing) == "tile");
  CHECK(completed("tile.", listing) == "tile.tess");
  CHECK(completed("ta", listing) == "talks/");
  CHECK(completed("/docs/a", listing) == "/docs/a.tess");
  CHECK(completed("z", listing) == "z");
  CHECK(completed("t", listing) == "t");  // Trash, talks and tile have nothing in common but this
  CHECK(completed("tr", listing) == "Trash/");
  CHECK(matching(listing, "T").size() == 4);
}

TEST_CASE("what is typed is a path from the document's folder, from home or from the root") {
  const test::TemporaryEnvironment home("HOME", "/people/anna");
  CHECK(typed_path("a.tess", "/docs") == "/docs/a.tess");
  CHECK(typed_path("../b/c.tess", "/docs") == "/b/c.tess");
  CHECK(typed_path("~/c.tess", "/docs") == "/people/anna/c.tess");
  CHECK(typed_path("~", "/docs") == "/people/anna/");
  CHECK(typed_path("/x/y", "/docs") == "/x/y");
  CHECK(typed_name("/x/y") == "y");
  CHECK(typed_name("/x/") == "");
  CHECK(typed_name("..") == "");
  CHECK(typed_name("y") == "y");
}
