// SPDX-License-Identifier: BSD-3-Clause
// tessera-studio: reads the command line, then shows a window or writes a picture of one.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "app/session/files/call_text.hpp"
#include "app/session/files/document_io.hpp"
#include "app/session/files/lesson_files.hpp"
#include "app/session/files/options.hpp"
#include "app/session/files/program.hpp"
#include "app/session/files/share_text.hpp"
#include "app/studio/frame/app.hpp"
#include "app/studio/frame/bench.hpp"
#include "app/studio/frame/documents.hpp"
#include "app/studio/frame/lessons.hpp"
#include "app/studio/frame/live.hpp"
#include "app/studio/frame/loop.hpp"
#include "app/studio/frame/null_backend.hpp"
#include "app/studio/frame/window.hpp"
#include "core/base/utf8.hpp"

namespace tessera::studio {
namespace {

struct Arguments {
  std::string file, screenshot, size, theme, worker, hover;
  std::vector<std::string> select, actions;
  double scale = 0;  // 0: the display's own
  int device = -1;
  int frames = 0;  // 0: until closed
  bool dump_ui = false, force = false, recover = false, bench = false, window = false, describe = false;
};

Exit refuse(const Error& error, Exit code) {
  tessera::say("tessera-studio: " + describe(error));
  return code;
}

// What is known before there is a screen: so that a refusal needs none.
struct Prepared {
  Settings settings;
  std::optional<Error> bad_settings;
  Session session;
  std::optional<SourceText> source;  // a program's text in the place of a document
  bool lesson = false;               // or a lesson
};

Result<Prepared> prepare(const Arguments& options) {
  Prepared made;
  if (auto settings = load_settings())
    made.settings = *settings;
  else
    made.bad_settings = settings.error();
  if (!options.theme.empty()) made.settings.theme = options.theme;
  std::string file = options.file;
  if (file.empty() && !options.select.empty()) {  // of the tour
    TESSERA_TRY(tour, find_asset("presets/tour.tess"));
    file = tour.string();
  }
  const bool is_own_lesson = !is_share_text(file) && !file.empty() && !std::filesystem::exists(file) && lesson_file(file).has_value();
  if (is_lesson_path(file) || is_own_lesson) {
    TESSERA_TRY(path, lesson_file(file));
    TESSERA_TRY(source, open_source_text(path));  // a refusal needs no screen
    made.lesson = true;
  } else if (is_source_path(file)) {
    TESSERA_TRY(source, open_source_text(file));
    made.source = std::move(source);
  } else if (!file.empty()) {
    TESSERA_CHECK(open_to_edit(made.session, file));
  }
  if (options.recover && !made.session.can_recover()) TESSERA_CHECK(made.session.recover());  // which says so
  for (const std::string& name : options.select) {
    if (!made.session.find(name))
      return Error{ErrorCode::unknown_name, "there is no binding \"" + name + "\" in " + made.session.title(), {}, {}};
  }
  return made;
}

// The interface of this size, on a monitor with so many pixels for 1/96 inch; 0: as the settings have it.
Settings scaled(Settings settings, double scale, float monitor) {
  if (scale > 0) settings.interface_scale = scale / static_cast<double>(monitor);
  return settings;
}

// The document, and what the command line and the settings say about it.
void start(App& app, const Arguments& options, Prepared prepared) {
  app.request.worker = options.worker.empty() ? app.settings.worker : options.worker;
  app.request.worker_shell = app.settings.shell;
  app.request.device = options.device >= 0 ? options.device : app.settings.device;
  app.session = std::move(prepared.session);
  app.bench.welcome.open = options.file.empty() && options.select.empty();
  look_for_left(app);
  if (!app.bench.welcome.open) opened_document(app);
  if (prepared.lesson) {
    if (const Status shown = show_lesson(app, options.file); !shown) complain(app, shown.error());
  }
  if (prepared.source) open_source(app.bench.source, *std::move(prepared.source));
  if (options.recover) {
    perform(app, Recover{});
    show_document(app);
  }
  if (app.status.empty() && is_software(app.graphics.renderer)) say(app, "the processor draws this window: " + describe(app.graphics));
  if (prepared.bad_settings) complain(app, *prepared.bad_settings);
  for (std::size_t i = 0; i < options.select.size(); ++i) {
    const std::string& name = options.select[i];
    if (i == 0) {
      Workspace bare = app.session.workspace();
      bare.arrangement = {};
      app.session.show(std::move(bare));
    }
    const bool drawable = app.session.find(name)->value && is_drawable(*app.session.find(name)->value);
    perform(app, Do{drawable ? "figure.beside" : "figure.show", {{"binding", name}}});
  }
  if (!options.select.empty()) perform(app, Do{"figure.show", {{"binding", options.select.front()}}});
}

Result<PixelSize> size_of(const Arguments& options) {
  return options.size.empty() ? Result<PixelSize>(kUsualSize) : read_size(options.size);
}

// "640,360"
bool read_place(const std::string& text, ImVec2& place) {
  int x = 0, y = 0;
  char extra = 0;
  if (std::sscanf(text.c_str(), "%d,%d%c", &x, &y, &extra) != 2) return false;
  place = {static_cast<float>(x), static_cast<float>(y)};
  return true;
}

// "figure.option option=color value=thread": what stands behind a blank and has no name before '=' belongs to the value before it.
Do action_in(std::string_view text) {
  Do action{std::string(text.substr(0, text.find(' ')))};
  std::string* value = nullptr;
  for (std::size_t at = action.id.size(); at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at + 1), text.size());
    const std::string_view word = text.substr(at + 1, end - at - 1);
    if (const std::size_t equals = word.find('='); equals != std::string_view::npos && is_identifier(word.substr(0, equals)))
      value = &(action.arguments[std::string(word.substr(0, equals))] = std::string(word.substr(equals + 1)));
    else if (value)
      *value += std::string(text.substr(at, end - at));
    at = end;
  }
  return action;
}

Exit show_without_window(const Arguments& options, PixelSize size) {
  InputFrame input;
  if (!options.hover.empty() && !read_place(options.hover, input.mouse)) {
    tessera::say("tessera-studio: --hover " + printable(options.hover) + " is not X,Y in pixels");
    return Exit::usage;
  }
  if (!options.screenshot.empty() && !options.force && std::filesystem::exists(options.screenshot)) {
    return refuse({ErrorCode::already_exists, options.screenshot + " exists and is kept; --force replaces it", {}, {}}, Exit::refused);
  }
  Result<Prepared> prepared = prepare(options);
  if (!prepared) return refuse(prepared.error(), Exit::refused);
  NullBackend backend(size.width, size.height);
  App app(1, scaled(prepared->settings, options.scale, 1));
  backend.start(app.textures);
  start(app, options, std::move(*prepared));
  const auto settle = [&] {
    constexpr int kSettles = 4, kMost = 2000;  // layout and hover settle within a few frames; what is read in the background within seconds
    for (int i = 0; i < kSettles || (app.reading() && i < kMost); ++i) {
      if (i >= kSettles) std::this_thread::sleep_for(std::chrono::milliseconds(5));
      if (app.wanted_scale != app.scale) scale_to(app, app.wanted_scale);
      backend.frame(input, [&] { draw(app); });
    }
  };
  settle();
  for (const std::string& action : options.actions) {
    perform(app, action_in(action));
    settle();
  }
  // Of a presentation with its speaker's window that window is shown.
  const bool speaks = app.bench.presenter.notes;
  std::optional<NullBackend> speaker;
  for (int i = 0; speaks && i < 3; ++i) {
    if (!speaker) speaker.emplace(size.width, size.height, ImGui::GetIO().Fonts);
    speaker->frame(input, [&] { draw_speaker(app); });
  }
  if (options.dump_ui) write_output((speaks ? app.speakers : app.recorder).to_json() + "\n");
  if (options.screenshot.empty()) return Exit::right;
  const NullBackend& shown = speaks ? *speaker : backend;
  const Status written = write_file(options.screenshot, encode_png(shown.picture(app.textures, theme_of(app.theme()).window)));
  return written ? Exit::right : refuse(written.error(), Exit::refused);
}

Exit bench(const Arguments& options) {
  constexpr int kFrames = 200;
  const Result<std::string> measured = run_bench(options.frames > 0 ? options.frames : kFrames);
  if (!measured) return refuse(measured.error(), Exit::refused);
  write_output(*measured);
  return Exit::right;
}

// Of the document that is named, else of the tour.
Exit bench_window(Arguments options, PixelSize size) {
  constexpr int kFrames = 300;
  if (options.file.empty()) {
    const Result<std::filesystem::path> tour = find_asset("presets/tour.tess");
    if (!tour) return refuse(tour.error(), Exit::refused);
    options.file = tour->string();
  }
  Result<Prepared> prepared = prepare(options);
  if (!prepared) return refuse(prepared.error(), Exit::refused);
  auto window = Window::open({.title = "Tessera", .size = size, .grows = false, .waits = false});
  if (!window) return refuse(window.error(), Exit::environment);
  App app((*window)->scale(), scaled(prepared->settings, options.scale, (*window)->scale()));
  bake_fonts(app.textures);
  app.graphics = (*window)->graphics();
  start(app, options, std::move(*prepared));
  const Result<std::string> measured = bench_panning(app, **window, options.frames > 0 ? options.frames : kFrames);
  if (!measured) return refuse(measured.error(), Exit::refused);
  write_output(*measured);
  return Exit::right;
}

Exit show_window(const Arguments& options, PixelSize size) {
  Result<Prepared> prepared = prepare(options);
  if (!prepared) return refuse(prepared.error(), Exit::refused);
  auto window = Window::open({.title = "Tessera", .size = size, .grows = options.size.empty()});
  if (!window) return refuse(window.error(), Exit::environment);
  {
    const float monitor = (*window)->scale();
    App app(monitor, scaled(prepared->settings, options.scale, monitor));
    bake_fonts(app.textures);
    app.keeps_settings = true;
    app.describes = options.describe;
    app.graphics = (*window)->graphics();
    start(app, options, std::move(*prepared));
    app.session.be_patient(kValuePatience);
    try {
      studio::run(app, **window, options.frames);
      keep_last_runs(app);
    } catch (const WindowLost& lost) {
      (void)app.session.autosave();
      return refuse(lost.error, Exit::environment);
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
  options.positional("file", a->file,
                     "A .tess document, a source of C++ or Python, a lesson (*.lesson.md or a name such as 06_tv), or a share text "
                     "(tessera:1:...); without one "
                     "there is a page to begin at",
                     false);
  options.option("--screenshot", a->screenshot, "Write the window's picture to this PNG file and end; needs no display");
  options.option("--size", a->size,
                 "Size of the window or picture in pixels, WIDTHxHEIGHT; 1440x900 where nothing is said, more on a fine screen");
  options.option("--select", a->select, "Show this binding; may be given several times, the first is selected");
  options.choice("--theme", a->theme, {"dark", "light", "high_contrast", "color_blind"}, "How the studio looks");
  options.option("--scale", a->scale, "Size of the interface; 1 is 96 dots an inch", Between{0.5, 4});
  options.option("--do", a->actions,
                 "With --screenshot or --dump-ui: an action and what it takes, e.g. \"figure.option option=color value=thread\"; several");
  options.option("--hover", a->hover, "With --screenshot or --dump-ui: where the mouse is, X,Y in pixels");
  options.flag("--dump-ui", a->dump_ui, "Print what is on the screen as JSON and end; needs no display");
  options.flag("--recover", a->recover, "Take up the changes that a crash left of the document");
  options.flag("--force", a->force, "Let --screenshot replace an existing file");
  options.option("--worker", a->worker, "Command that starts a worker, e.g. \"ssh gpubox tessera worker\"");
  options.option("--device", a->device, "Which GPU of the worker's machine", Between{0, 1023});
  options.option("--frames", a->frames, "Show so many frames and end", Between{1, 1e9});
  options.flag("--describe", a->describe, "Say what has the focus in lines on stderr: the list's line, the cell, the field");
  options.flag("--bench", a->bench, "Measure how fast the studio is here, print JSON and end; needs no display");
  options.flag("--window", a->window, "With --bench: measure frames of a real window, in which a figure is moved");
  return [a] {
    if (a->bench && !a->window) return bench(*a);
    const Result<PixelSize> size = size_of(*a);
    if (!size) return refuse(size.error(), Exit::usage);
    if (a->bench) return bench_window(*a, *size);
    return a->screenshot.empty() && !a->dump_ui ? show_window(*a, *size) : show_without_window(*a, *size);
  };
}

}  // namespace
}  // namespace tessera::studio

int main(int argc, char** argv) {
  return tessera::run_program("tessera-studio", [&] {
    return tessera::run_command_line(
        {"tessera-studio", TESSERA_VERSION, "Tessera's studio: layouts, atoms and GEMMs as linked pictures that can be edited and run.",
         "Example:\n  tessera-studio lecture.tess\n  tessera-studio --screenshot tour.png --size 1600x1000 --select tv",
         tessera::studio::facts_of_window},
        tessera::studio::declare, argc, argv);
  });
}
