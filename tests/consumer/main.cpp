// SPDX-License-Identifier: BSD-3-Clause
// Asks the installed library for a composition, a refusal, an atom, a scene and files. Exit status 0 when all are as they should be.
#include <iostream>
#include <string>

#include <tessera/draw.hpp>

namespace core {  // a name that others have too, as folders and as this
int mine = 0;
}

namespace {

bool wrong(const char* what) {
  std::cerr << "wrong: " << what << '\n';
  return true;
}

}  // namespace

int main() {
  using namespace tessera;
  const auto layout = evaluate("composition((6,2):(8,2), (4,3):(3,1))");
  if (!layout || to_string(*layout) != "((2,2),3):((24,2),8)") return wrong("composition");
  const auto refused = evaluate("composition((6,2):(1,7), (3,2):(2,3))");
  if (refused || refused.error().code != ErrorCode::breaks_law) return wrong("refusal");
  const auto atom = find_mma_atom("SM80_16x8x16_F32F16F16F32_TN");
  if (!atom || to_string(atom->layout_c) != "((4,8),(2,2)):((32,1),(16,8))") return wrong("atom");
  const auto scene = figure_of(*layout, "layout");
  if (!scene || kinds_taking(*layout).empty()) return wrong("figure");
  for (const FigureFormat format : figure_formats()) {
    const auto file = draw(*layout, format);
#ifdef HAVE_CAIRO
    const bool can = true;
#else
    const bool can = format != FigureFormat::png && format != FigureFormat::pdf;
#endif
    if (file.has_value() != can || (can && file->bytes.empty())) return wrong(std::string(extension(format)).c_str());
  }
  std::cout << to_string(*layout) << '\n' << describe(refused.error()) << '\n' << to_string(atom->layout_c) << '\n';
  return core::mine;
}
