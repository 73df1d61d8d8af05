// SPDX-License-Identifier: BSD-3-Clause
// tessera-studio: reads the command line, then shows a window or writes a picture of one.
#include <cstdio>
#include <filesystem>
#include <memory>
#include <utility>

#include "app/session/document_io.hpp"
#include "app/session/options.hpp"
#include "app/session/program.hpp"
#include "app/studio/app.hpp"
#include "app/studio/bench.hpp"
#include "app/studio/loop.hpp"
#include "app/studio/null_backend.hpp"
#include "app/studio/window.hpp"
#include "core/base/utf8.hpp"

namespace tessera::studio {
namespace {

struct Arguments {
  std::string file, screenshot, size = "1440x900", theme, worker, hover;
  std::vector<std::string> select;
  double scale = 0;  // 0: the display's own
  int device = -1;
  int frames = 0;  // 0: until closed
  bool dump_ui = false, force = false, recover = false, bench = false;
};

Exit refuse(const Error& error, Exit code) {
  say("tessera-studio: " + describe(error));
  return code;
}

bool read_pair(const std::string& text, char between, int& first, int& second) {
  char middle = 0, extra = 0;
  return std::sscanf(text.c_str(), "%d%c%d%c", &first, &middle, &second, &extra) == 3 && middle == between;
}

// The document, the settings, and what the command line says about both.
Status prepare(App& app, const Arguments& options) {
  if (auto settings = load_settings())
    app.settings = *settings;
  else
    app.status = settings.error().message, app.status_is_error = true;
  if (!options.theme.empty()) app.settings.theme = options.theme;
  apply_style(theme_of(app.theme()), app.scale);
  app.request.worker = options.worker.empty() ? app.settings.worker : options.worker;
  app.request.worker_shell = app.settings.shell;
  app.request.device = options.device >= 0 ? options.device : app.settings.device;
  std::string file = options.file;
  if (file.empty()) {
    TESSERA_TRY(tour, find_asset("presets/tour.tess"));
    file = tour.string();
  }
  const std::string words = std::exchange(app.status, {});
  TESSERA_CHECK(open_document(app, file));
  if (options.recover) {
    TESSERA_CHECK(app.session.recover());
    show_document(app);
    app.status = "the changes that were not saved are back; Undo takes them away again";
    app.status_is_error = false;
  }
  if (!words.empty()) app.status = words, app.status_is_error = true;  // of the settings
  for (std::size_t i = 0; i < options.select.size(); ++i) {
    const std::string& name = options.select[i];
    if (!app.session.find(name))
      return Error{ErrorCode::unknown_name, "there is no binding \"" + name + "\" in " + app.session.title(), {}, {}};
    if (i == 0) {
      Workspace bare = app.session.workspace();
      bare.arrangement = {};
      app.session.show(std::move(bare));
    }
    const bool drawable = app.session.find(name)->value && is_drawable(*app.session.find(name)->value);
    perform(app, Do{drawable ? "figure.beside" : "figure.show", {{"binding", name}}});
  }
  if (!options.select.empty()) perform(app, Do{"figure.show", {{"binding", options.select.front()}}});
  return Done{};
}

Exit show_without_window(const Arguments& options) {
  int width = 0, height = 0, x = -1, y = -1;
  if (!read_pair(options.size, 'x', width, height) || width < 320 || height < 240 || width > 16384 || height > 16384) {
    say("tessera-studio: --size " + printable(options.size) + " is not WIDTHxHEIGHT between 320x240 and 16384x16384, e.g. --size 1440x900");
    return Exit::usage;
  }
  if (!options.hover.empty() && !read_pair(options.hover, ',', x, y)) {
    say("tessera-studio: --hover " + printable(options.hover) + " is not X,Y in pixels");
    return Exit::usage;
  }
  if (!options.screenshot.empty() && !options.force && std::filesystem::exists(options.screenshot)) {
    return refuse({ErrorCode::already_exists, options.screenshot + " exists and is kept; --force replaces it", {}, {}}, Exit::refused);
  }
  NullBackend backend(width, height);
  App app(options.scale > 0 ? static_cast<float>(options.scale) : 1);
  backend.start(app.textures);
  if (const Status status = prepare(app, options); !status) return refuse(status.error(), Exit::refused);
  InputFrame input;
  input.mouse = {static_cast<float>(x), static_cast<float>(y)};
  for (int i = 0; i < 4; ++i) backend.frame(input, [&] { draw(app); });  // layout and hover settle within a few frames
  if (options.dump_ui) write_output(app.recorder.to_json() + "\n");
  if (options.screenshot.empty()) return Exit::right;
  const Status written = write_file(options.screenshot, encode_png(backend.picture(app.textures, theme_of(app.theme()).window)));
  return written ? Exit::right : refuse(written.error(), Exit::refused);
}

Exit bench(const Arguments& options) {
  constexpr int kFrames = 200;
  const Result<std::string> measured = run_bench(options.frames > 0 ? options.frames : kFrames);
  if (!measured) return refuse(measured.error(), Exit::refused);
  write_output(*measured);
  return Exit::right;
}

Exit show_window(const Arguments& options) {
  int width = 0, height = 0;
  if (!read_pair(options.size, 'x', width, height)) width = 1440, height = 900;
  auto window = Window::open("Tessera", width, height);
  if (!window) return refuse(window.error(), Exit::environment);
  {
    App app(options.scale > 0 ? static_cast<float>(options.scale) : (*window)->scale());
    app.keeps_settings = true;
    if (const Status status = prepare(app, options); !status) return refuse(status.error(), Exit::refused);
    try {
      studio::run(app, **window, options.frames);
    } catch (...) {  // memory ran out, say: the program ends, the work is kept
      (void)app.session.autosave();
      throw;
    }
  }
  if (options.frames > 0) write_output(std::to_string(options.frames) + " frames shown\n");
  return Exit::right;
}

tessera::Action declare(Options& options) {
  auto a = std::make_shared<Arguments>();
  options.positional("file", a->file, "A .tess document; without one the tour opens", false);
  options.option("--screenshot", a->screenshot, "Write the window's picture to this PNG file and end; needs no display");
  options.option("--size", a->size, "Size of the window or picture in pixels, WIDTHxHEIGHT; 1440x900 where nothing is said");
  options.option("--select", a->select, "Show this binding; may be given several times, the first is selected");
  options.choice("--theme", a->theme, {"dark", "light", "high_contrast", "color_blind"}, "How the studio looks");
  options.option("--scale", a->scale, "Size of the interface; 1 is 96 dots an inch", Between{0.5, 4});
  options.option("--hover", a->hover, "With --screenshot or --dump-ui: where the mouse is, X,Y in pixels");
  options.flag("--dump-ui", a->dump_ui, "Print what is on the screen as JSON and end; needs no display");
  options.flag("--recover", a->recover, "Take up the changes that a crash left of the document");
  options.flag("--force", a->force, "Let --screenshot replace an existing file");
  options.option("--worker", a->worker, "Command that starts a worker, e.g. \"ssh gpubox tessera worker\"");
  options.option("--device", a->device, "Which GPU of the worker's machine", Between{0, 1023});
  options.option("--frames", a->frames, "Show so many frames and end", Between{1, 1e9});
  options.flag("--bench", a->bench, "Measure how fast the studio is here, print JSON and end; needs no display");
  return [a] {
    if (a->bench) return bench(*a);
    return a->screenshot.empty() && !a->dump_ui ? show_window(*a) : show_without_window(*a);
  };
}

}  // namespace
}  // namespace tessera::studio

int main(int argc, char** argv) {
  return tessera::run_program("tessera-studio", [&] {
    return tessera::run_command_line(
        {"tessera-studio", TESSERA_VERSION, "Tessera's studio: layouts, atoms and GEMMs as linked pictures that can be edited and run.",
         "Example:\n  tessera-studio lecture.tess\n  tessera-studio --screenshot tour.png --size 1600x1000 --select tv"},
        tessera::studio::declare, argc, argv);
  });
}
