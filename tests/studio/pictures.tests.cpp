// SPDX-License-Identifier: BSD-3-Clause
// The pictures of docs/studio.md: TESSERA_ACCEPT=1 makes them. Without it they are only looked for, since letters differ from one version
// of Dear ImGui to the next.
#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "app/session/files/document_io.hpp"
#include "app/studio/paint/software_rasterizer.hpp"
#include "tests/studio/studio_driver.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/golden.hpp"

using namespace tessera;
using test::StudioDriver;

namespace {

struct Picture {
  const char* file;
  int width, height;
  const char* theme;
  std::vector<studio::Do> actions;
};

const std::vector<Picture>& pictures() {
  static const std::vector<Picture> all = {
      {"studio.png", 1440, 900, "dark", {}},
      {"studio_cell.png",
       1280,
       800,
       "light",
       {{"figure.show", {{"binding", "swizzled_a"}}},
        {"figure.maximise", {{"binding", "swizzled_a"}}},
        {"figure.option", {{"binding", "swizzled_a"}, {"option", "kind"}, {"value", "layout"}}},
        {"figure.option", {{"binding", "swizzled_a"}, {"option", "bits"}, {"value", "16"}}},
        {"cells.select", {{"binding", "swizzled_a"}, {"cells", "(5,2)"}}},
        {"view.selection", {}}}},
      {"studio_export.png", 1280, 800, "light", {{"file.export", {{"binding", "who_owns"}}}}},
      {"studio_text.png", 1280, 800, "color_blind", {{"view.text", {}}, {"view.side", {}}}},
      {"studio_present.png", 1280, 800, "dark", {{"figure.show", {{"binding", "who_owns"}}}, {"present.start", {}}}},
      {"studio_live.png",
       1600,
       960,
       "dark",
       {{"binding.select", {{"binding", "tensor_gemm"}}}, {"view.list", {}}, {"gemm.page", {{"tab", "source"}}}}},
      {"studio_lesson.png",
       1280,
       800,
       "light",
       {{"lesson.open", {{"path", "06_tv"}}},
        {"lesson.show", {}},
        {"lesson.go", {{"screen", "2"}}},
        {"lesson.show", {}},
        {"lesson.go", {{"screen", "3"}}},
        {"lesson.answer", {{"text", "(2,6)"}}},
        {"lesson.answer", {{"text", "(1,2) (1,3) (1,6) (2,7)"}}}}},
  };
  return all;
}

}  // namespace

TEST_CASE("the page on the studio has its pictures, and none is larger than a megabyte") {
  const std::string folder = test::source_dir() + "/docs/images/", page = testing::read_file(test::source_dir() + "/docs/studio.md");
  for (const Picture& picture : pictures()) {
    INFO(picture.file);
    if (testing::accepting()) {
      StudioDriver studio(testing::read_file(test::source_dir() + "/assets/presets/tour.tess"), picture.width, picture.height);
      studio.app.pending.push_back(studio::Do{"view.theme", {{"theme", picture.theme}}});
      studio.frames(3);
      for (const studio::Do& action : picture.actions) {
        studio.app.pending.push_back(action);
        studio.frames(4);
        for (int i = 0; i < 4000 && studio.app.reading(); ++i) {
          std::this_thread::sleep_for(std::chrono::milliseconds(2));
          studio.frames(1);
        }
      }
      REQUIRE(write_file(folder + picture.file, studio::encode_png(studio.picture())));
    }
    REQUIRE(std::filesystem::exists(folder + picture.file));
    CHECK(std::filesystem::file_size(folder + picture.file) < 1'000'000);
    CHECK(page.find(std::string("images/") + picture.file) != std::string::npos);
  }
}
