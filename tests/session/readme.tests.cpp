// SPDX-License-Identifier: BSD-3-Clause
// The pages' table of measurements and the README's chart of the ladder are what assets/recordings says. TESSERA_ACCEPT=1 writes them.
#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "app/session/files/document_io.hpp"
#include "app/session/gemm/ladder_chart.hpp"
#include "core/base/units.hpp"
#include "core/render/shared/render.hpp"
#include "kernels/runtime/measure/measurement.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/source_dir.hpp"

using namespace tessera;

namespace {

const std::filesystem::path kRoot = test::source_dir();

std::vector<Measurement> all_recordings() {
  std::vector<Measurement> found;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(kRoot / "assets/recordings", none)) {
    if (entry.path().extension() != ".json") continue;
    const std::string text = read_file(entry.path()).value();
    const Result<Measurement> measurement = measurement_from_json(text);
    INFO(entry.path().string() + (measurement ? "" : describe(measurement.error())));
    REQUIRE(measurement);
    CHECK(measurement->correctness.passed);
    found.push_back(*measurement);
  }
  std::sort(found.begin(), found.end(),
            [](const Measurement& a, const Measurement& b) { return std::tie(a.device.name, a.name) < std::tie(b.device.name, b.name); });
  return found;
}

std::string table() {
  std::string text =
      "| GEMM | size | types | GPU | median | p10 to p90 | rate | cuBLASLt | of cuBLASLt top-1 | of its best | date |\n| --- | --- | --- | "
      "--- | --- | --- "
      "| --- | --- | --- | --- | --- |\n";
  for (const Measurement& m : all_recordings()) {
    if (!m.timing) continue;
    const TimedMode& mode = m.timing->interleaved;
    text +=
        fmt::format("| {} | {}x{}x{} | {}, {} | {} | {} | {} to {} | {} | {} | {} | {} | {} |\n", m.name, m.m, m.n, m.k, m.type_a, m.type_c,
                    m.device.name, time_text(mode.kernel.median), time_text(mode.kernel.p10), time_text(mode.kernel.p90),
                    rate_text(1e12 * mode.kernel_tflops), mode.baseline_tflops ? rate_text(1e12 * *mode.baseline_tflops) : "not comparable",
                    mode.ratio ? percent_text(100 * *mode.ratio) : "",
                    m.timing->best ? percent_text(100 * *beside_best(*m.timing).ratio) : "not timed", m.date.substr(0, 10));
  }
  return text;
}

}  // namespace

TEST_CASE("the page's table of measurements equals assets/recordings") {
  CHECK(testing::golden_section("docs/measuring.md", "measurements", table()) == table());
}

// Of the recording alone: a kernel that changed makes no page stale.
TEST_CASE("the README's chart of the ladder is drawn from assets/recordings") {
  const MeasuredLadder ladder = read_ladder(read_file(kRoot / "assets/recordings/ladder/h200-4096.json").value()).value();
  const std::string svg = render_svg(draw_chart(ladder).value()).value();
  CHECK(svg == testing::golden("../../docs/images/ladder.svg", svg));
  CHECK(read_file(kRoot / "README.md")->find("(docs/images/ladder.svg)") != std::string::npos);
}
