// SPDX-License-Identifier: BSD-3-Clause
// The formats of `tessera lesson export` for a room: slides and a handout.
#pragma once

#include <cstdint>
#include <string>

#include "app/session/files/options.hpp"
#include "core/lesson/opened.hpp"

namespace tessera {

struct PaperArguments {
  std::string aspect = "16:9", key = "end";
};
void declare_paper(Options& options, PaperArguments& arguments);

struct PaperPlace {
  std::string file;  // of the lesson
  std::string out;   // empty: stdout
  std::uint64_t seed = 0;
  bool force = false;
};
Exit export_slides(const lesson::OpenLesson& opened, const PaperArguments& arguments, const PaperPlace& place);
Exit export_handout(const lesson::OpenLesson& opened, const PaperArguments& arguments, const PaperPlace& place);

}  // namespace tessera
