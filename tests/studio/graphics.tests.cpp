// SPDX-License-Identifier: BSD-3-Clause
// What is said of the screen: what draws, how large a window may be, and how large the interface is on it.
#include <string>
#include <string_view>
#include <vector>

#include "app/studio/frame/graphics.hpp"

#include "app/studio/frame/bench.hpp"
#include "tests/studio/slow_screen.hpp"
#include "tests/studio/studio_driver.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace tessera;
using test::StudioDriver;

TEST_CASE("a size is two numbers within the limits, and every other one is refused with them") {
  const auto refused = [](std::string_view text) {
    const Result<studio::PixelSize> size = studio::read_size(text);
    return size ? std::string() : size.error().message;
  };
  CHECK(*studio::read_size("1440x900") == studio::PixelSize{1440, 900});
  CHECK(*studio::read_size("320x240") == studio::kSmallestSize);
  CHECK(*studio::read_size("16384x16384") == studio::kLargestSize);
  CHECK(refused("10x10") == "the size 10x10 is not WIDTHxHEIGHT between 320x240 and 16384x16384 pixels, e.g. 1440x900");
  for (const char* text : {"0x0", "20000x100", "319x240", "320x239", "16385x900", "900x16385", "-640x480", "640x-480", "99999999999x900"})
    CHECK_FALSE(refused(text).empty());
  for (const char* text : {"", "x", "640", "640x", "x480", "640x480x3", "640X480", "640 x 480", "wide"}) CHECK_FALSE(refused(text).empty());
}

TEST_CASE("a program that draws in place of a graphics card is told from one") {
  for (const char* name : {"llvmpipe (LLVM 15.0.6, 256 bits)", "softpipe", "Google SwiftShader", "Software Rasterizer",
                           "Microsoft Basic Render Driver", "GDI Generic"})
    CHECK(studio::is_software(name));
  for (const char* name : {"NVIDIA H100 80GB HBM3/PCIe/SSE2", "AMD Radeon RX 7900 XTX", "Mesa Intel(R) UHD Graphics 630", ""})
    CHECK_FALSE(studio::is_software(name));
  CHECK(studio::describe({}) == "none: no window");
  CHECK(studio::describe({"NVIDIA L4", "3.3.0 NVIDIA 550.54"}) == "NVIDIA L4, OpenGL 3.3.0 NVIDIA 550.54");
  CHECK(studio::describe({"llvmpipe", "3.3"}).find("the processor draws") != std::string::npos);
}

TEST_CASE("About says what draws") {
  StudioDriver studio("let a = 4:1\n");
  studio.app.graphics = {"softpipe", "3.3 (Core Profile) Mesa 22.3.6"};
  studio.choose("Help", "About");
  CHECK(studio.shows(studio::describe(studio.app.graphics), "text"));
}

TEST_CASE("the interface has the size of the settings on the monitor where it is") {
  const test::TemporaryFolder folder;
  const test::TemporaryEnvironment config("XDG_CONFIG_HOME", folder.path().string());
  StudioDriver studio("let a = 4:1\n");
  studio.app.keeps_settings = true;
  studio.app.settings.interface_scale = 1.2;
  studio.app.monitor_scale = 2;
  CHECK(studio::scale_of(studio.app) == Approx(2.4));
  studio.chord("Ctrl+=");
  CHECK(studio.app.scale == Approx(2.6));
  const Result<Settings> kept = load_settings();
  REQUIRE(kept);
  CHECK(kept->interface_scale == Approx(1.3));  // and not the monitor's part of it
  for (int i = 0; i < 30; ++i) studio.chord("Ctrl+-");
  CHECK(studio.app.scale == Approx(studio::kSmallestInterface));
}

TEST_CASE("a window that is dragged to a finer monitor grows with it") {
  StudioDriver studio("let a = 4:1\n");
  struct Desk : test::SlowScreen {
    using SlowScreen::SlowScreen;
    float monitor = 1;
    float scale() const override { return monitor; }
  } screen(studio.backend(), studio.app, 0.01);
  studio.app.settings.interface_scale = 1.5;
  screen.run();
  CHECK(studio.app.scale == 1);  // as it began
  screen.before_frame = [&](long) { screen.monitor = 2; };
  screen.then(1, studio::MouseMoved{{10, 10}});
  screen.run();
  CHECK(studio.app.scale == Approx(3));
}

TEST_CASE("the bench of a window moves the figure in every frame that it times") {
  StudioDriver studio("let a = (4,8):(8,1)\n");
  test::SlowScreen screen(studio.backend(), studio.app, 0.02);
  const studio::Camera before = studio.app.bench.canvases.at("a").camera;
  std::vector<float> origins;
  screen.before_frame = [&](long) { origins.push_back(studio.app.bench.canvases.at("a").camera.origin.x); };
  const Result<std::string> measured = studio::bench_panning(studio.app, screen, 10);
  REQUIRE(measured);
  CHECK(measured->find("\"frames\": 10, \"median_ms\": 20.00") != std::string::npos);
  REQUIRE(origins.size() > 5);
  CHECK(studio.app.bench.canvases.at("a").camera.origin.x > before.origin.x + 40);
  for (std::size_t i = origins.size() - 8; i + 1 < origins.size(); ++i) CHECK(origins[i + 1] > origins[i]);

  StudioDriver empty("");
  test::SlowScreen nothing(empty.backend(), empty.app, 0.02);
  CHECK_FALSE(studio::bench_panning(empty.app, nothing, 10));
}

TEST_CASE("the pixels of fonts are kept once, as a texture, and glyphs stay") {
  StudioDriver studio("let a = (4,8):(8,1)\n");
  const ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
#if IMGUI_VERSION_NUM < 19200
  CHECK(atlas.TexPixelsAlpha8 == nullptr);
  CHECK(atlas.TexPixelsRGBA32 == nullptr);
#endif
  CHECK(atlas.IsBuilt());
  CHECK(studio.app.textures.find(studio::texture_key(atlas.TexID)));
  studio::scale_to(studio.app, 2);
  studio.frames(2);
#if IMGUI_VERSION_NUM < 19200
  CHECK(atlas.TexPixelsAlpha8 == nullptr);
#endif
  CHECK(studio.app.textures.find(studio::texture_key(atlas.TexID)));
}
