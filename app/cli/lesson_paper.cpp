// SPDX-License-Identifier: BSD-3-Clause
// tessera lesson export --to slides and --to handout.
#include "app/cli/lesson_paper.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "app/cli/terminal.hpp"
#include "core/base/file.hpp"
#include "core/lesson/print/handout.hpp"
#include "core/lesson/slides/slides.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

Exit refused(Error error, const std::string& file) {
  error.message = fmt::format("{}: {}", file, error.message);
  error.span.reset();  // its line and column stand in front
  return refuse(error);
}

Status write_new(const std::string& path, const std::string& bytes, bool force) {
  TESSERA_CHECK(export_file(path, bytes, force));
  print_line(fmt::format("{}  {} bytes", path, bytes.size()));
  return Done{};
}

}  // namespace

void declare_paper(Options& options, PaperArguments& arguments) {
  options.option("--aspect", arguments.aspect, "of slides: 16:9 or 4:3");
  options.option("--key", arguments.key, "of a handout: answers at its end, none, or only them");
}

Exit export_slides(const lesson::OpenLesson& opened, const PaperArguments& arguments, const PaperPlace& place) {
  const Result<lesson::Aspect> aspect = lesson::aspect_of(arguments.aspect);
  if (!aspect) return misuse(aspect.error().message);
  const std::string ending = fs::path(place.out).extension().string();
  if (ending != ".pdf" && ending != ".html") return misuse("--to slides wants --out FILE.pdf or FILE.html");
  const Result<lesson::Deck> deck = lesson::slides_of(opened, {*aspect, place.seed});
  if (!deck) return refused(deck.error(), place.file);
  for (std::size_t i = 0; i < deck->slides.size(); ++i) {
    if (!deck->slides[i].remark.empty()) note(fmt::format("slide {}: {}", i + 1, deck->slides[i].remark));
  }
  const Result<std::string> bytes = ending == ".pdf" ? lesson::slides_pdf(*deck) : lesson::slides_html(*deck);
  if (!bytes) return refuse(bytes.error());
  if (const Status written = export_file(place.out, *bytes, place.force); !written) return refuse(written.error());
  print_line(fmt::format("{}  {}, {} bytes", place.out, counted(deck->slides.size(), "slide", "slides"), bytes->size()));
  return Exit::right;
}

Exit export_handout(const lesson::OpenLesson& opened, const PaperArguments& arguments, const PaperPlace& place) {
  const Result<lesson::HandoutKey> key = lesson::handout_key_of(arguments.key);
  if (!key) return misuse(key.error().message);
  const bool one_file = place.out.empty() || fs::path(place.out).extension() == ".tex";
  const Result<std::vector<lesson::HandoutFile>> files =
      lesson::handout(opened, {place.seed, *key, one_file, fs::path(place.file).filename().string()});
  if (!files) return refused(files.error(), place.file);
  if (place.out.empty()) {
    print_data(files->front().text);
    return Exit::right;
  }
  if (one_file) {
    const Status written = write_new(place.out, files->front().text, place.force);
    return written ? Exit::right : refuse(written.error());
  }
  if (const Status ready = make_folder(place.out); !ready) return refuse(ready.error());
  for (const lesson::HandoutFile& each : *files) {
    const Result<fs::path> path = path_in(place.out, each.name);
    if (!path) return refuse(path.error());
    if (const Status written = write_new(path->string(), each.text, place.force); !written) return refuse(written.error());
  }
  return Exit::right;
}

}  // namespace tessera
