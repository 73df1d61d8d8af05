// SPDX-License-Identifier: BSD-3-Clause
// Timelines as a person last looked at them: the article's one tile, a pipeline of cp.async, and the skewed schedule of wgmma.
#include <string>
#include <utility>

#include "core/diagram/kinds/figures.hpp"
#include "core/gemm/lower/lower.hpp"
#include "core/render/shared/render.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/gemm_specs.hpp"
#include "tests/support/golden.hpp"

using namespace tessera;
using namespace tessera::testing;

TEST_CASE("timelines look as they did when a person looked at them") {
  const std::pair<const char*, GemmSpec> specs[] = {{"article", support::article()},
                                                    {"pipeline", support::tensor(128, 128, 512, 128, 128, 32, 3)},
                                                    {"skewed", support::hopper(Overlap::skewed, 512, 256, 384, 256, 128, 2)}};
  for (const auto& [name, gemm] : specs) {
    CAPTURE(name);
    FigureSpec spec;
    spec.kind = "timeline";
    spec.objects = {lower(gemm).value()};
    spec.expression = std::string("timeline_figure(") + name + ")";
    const std::string svg = render_svg(make_figure(spec).value()).value();
    CHECK(svg == golden(std::string("figures/timeline_") + name + ".svg", svg));
  }
}
