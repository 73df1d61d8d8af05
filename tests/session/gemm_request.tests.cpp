// SPDX-License-Identifier: BSD-3-Clause
// The GEMM that a request names, and the kernels of the tour as a person last read them.
#include "app/session/gemm_request.hpp"

#include <filesystem>
#include <set>

#include "app/session/document_io.hpp"
#include "app/session/line_diff.hpp"
#include "kernels/codegen/emit_gemm.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/golden.hpp"

using namespace tessera;

namespace {

// What was and what is: the lines that changed, with two around them.
std::string changes(std::string_view was, std::string_view is) {
  constexpr std::size_t kAround = 2;
  const std::vector<DiffLine> lines = line_diff(was, is);
  std::vector<bool> shown(lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].kind == DiffLine::Kind::same) continue;
    for (std::size_t j = i < kAround ? 0 : i - kAround; j < std::min(i + kAround + 1, lines.size()); ++j) shown[j] = true;
  }
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!shown[i]) continue;
    if (i > 0 && !shown[i - 1]) text += "...\n";
    text += (lines[i].kind == DiffLine::Kind::same ? "  " : lines[i].kind == DiffLine::Kind::added ? "+ " : "- ") + lines[i].text;
  }
  return text;
}

void expect_golden(const std::string& name, const std::string& now) {
  const std::string was = testing::golden(name, now);
  INFO("tests/golden/" << name << " is not what is emitted now. Read the changes; TESSERA_ACCEPT=1 takes them.\n" << changes(was, now));
  CHECK(was == now);
}

}  // namespace

TEST_CASE("the kernel of each GEMM of the tour is the text that a person last read") {
  const Document tour = load_document(find_asset("presets/tour.tess").value()).value();
  std::set<std::string> expected;
  for (const EvaluatedBinding& binding : evaluate(tour)) {
    if (!binding.value || !std::holds_alternative<std::shared_ptr<const GemmSpec>>(binding.value->any)) continue;
    GemmRequest request;
    request.document = to_text(tour);
    request.binding = binding.name;
    const KernelSource source = emit_gemm(plan_of(request).value()).value();
    expect_golden("kernels/" + binding.name + ".cu", source.text);
    expected.insert(binding.name + ".cu");
    if (expected.size() > 1) continue;  // the frame of a whole program is the same for all
    expect_golden("kernels/" + binding.name + "_standalone.cu", standalone_program(source));
    expected.insert(binding.name + "_standalone.cu");
  }
  std::set<std::string> kept;
  for (const auto& file : std::filesystem::directory_iterator(testing::golden_path("kernels")))
    kept.insert(file.path().filename().string());
  CHECK(kept == expected);
}
