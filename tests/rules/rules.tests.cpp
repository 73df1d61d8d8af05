// SPDX-License-Identifier: BSD-3-Clause
// The rules of docs/architecture.md, checked against the source tree.
#include <algorithm>
#include <cctype>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/rules/source_tree.hpp"
#include "tests/support/catch.hpp"

using namespace tessera::rules;

namespace {

// folder -> folders (each without the folders in it that have a row) and headers that it may include besides itself and core/base. The
// list of docs/architecture.md.
const std::map<std::string, std::vector<std::string>> kMayInclude = {
    {"core/base", {}},
    {"core/layout", {}},
    {"core/atom/instructions", {"core/layout"}},
    {"core/atom/mma", {"core/layout", "core/atom/instructions"}},
    {"core/atom/smem", {"core/layout", "core/atom/instructions", "core/atom/mma"}},
    {"core/atom/copy", {"core/layout", "core/atom/instructions", "core/atom/mma", "core/atom/smem"}},
    {"core/atom/tma", {"core/layout", "core/atom/instructions", "core/atom/mma", "core/atom/smem", "core/atom/copy"}},
    {"core/atom/advice", {"core/layout", "core/atom/instructions", "core/atom/mma", "core/atom/smem", "core/atom/copy", "core/atom/tma"}},
    {"core/gemm", {"core/layout", "core/atom/instructions", "core/atom/mma", "core/atom/copy"}},
    {"core/gemm/plan", {"core/layout", "core/atom/instructions", "core/atom/mma", "core/gemm"}},
    {"core/gemm/lower", {"core/layout", "core/atom/instructions", "core/gemm", "core/gemm/plan"}},
    {"core/gemm/run", {"core/layout", "core/atom/instructions", "core/atom/copy", "core/gemm", "core/gemm/plan"}},
    {"core/gemm/text", {"core/layout", "core/atom/instructions", "core/gemm", "core/gemm/plan"}},
    {"core/gemm/rungs", {"core/layout", "core/atom/instructions", "core/gemm", "core/gemm/plan", "core/gemm/lower"}},
    {"core/lang/syntax", {"core/layout", "core/atom/instructions"}},
    {"core/lang/values",
     {"core/layout", "core/atom/instructions", "core/atom/mma", "core/atom/copy", "core/atom/tma", "core/gemm", "core/gemm/lower/lower.hpp",
      "core/lang/syntax"}},
    {"core/lang/builtins",
     {"core/layout", "core/atom/instructions", "core/atom/mma", "core/atom/smem", "core/atom/copy", "core/atom/tma", "core/atom/advice",
      "core/gemm", "core/gemm/lower/lower.hpp", "core/gemm/plan", "core/gemm/run/race.hpp", "core/gemm/text/text.hpp", "core/gemm/rungs",
      "core/lang/syntax", "core/lang/values"}},
    {"core/lang/eval",
     {"core/layout", "core/atom/instructions", "core/atom/smem", "core/lang/syntax", "core/lang/values", "core/lang/builtins"}},
    {"core/lang/prints", {"core/layout", "core/atom/instructions", "core/lang/syntax", "core/lang/values", "core/lang/eval"}},
    {"core/lang/statements", {"core/atom/instructions", "core/lang/syntax", "core/lang/values", "core/lang/builtins", "core/lang/eval"}},
    {"core/lang/programs",
     {"core/layout", "core/atom/instructions", "core/atom/copy", "core/gemm", "core/lang/syntax", "core/lang/values", "core/lang/builtins",
      "core/lang/eval", "core/lang/prints", "core/lang/statements"}},
    {"core/lang/suggest",
     {"core/atom/instructions", "core/atom/smem", "core/lang/syntax", "core/lang/values", "core/lang/builtins", "core/lang/programs"}},
    {"core/lang/document", {"core/lang/syntax", "core/lang/values", "core/lang/statements", "core/lang/programs"}},
    {"core/diagram/scene", {"core/atom/instructions"}},
    {"core/diagram/parts",
     {"core/layout", "core/atom/instructions", "core/atom/mma", "core/atom/copy", "core/atom/tma", "core/gemm/pipeline_model.hpp",
      "core/gemm/plan", "core/diagram/scene"}},
    {"core/diagram/charts", {"core/atom/instructions", "core/diagram/scene", "core/diagram/parts"}},
    {"core/diagram/explain",
     {"core/layout", "core/atom/mma", "core/atom/copy", "core/diagram/scene", "core/diagram/parts", "core/diagram/charts"}},
    {"core/diagram/kinds",
     {"core/layout", "core/atom/instructions", "core/atom/mma", "core/atom/smem", "core/atom/copy", "core/atom/tma",
      "core/gemm/device_model.hpp", "core/gemm/plan", "core/gemm/run", "core/diagram/scene", "core/diagram/parts", "core/diagram/charts",
      "core/diagram/explain"}},
    {"core/render/shared", {"core/diagram/scene"}},
    {"core/render/detail", {"core/diagram/scene", "core/render/shared"}},
    {"core/render/tikz", {"core/diagram/scene", "core/render/shared", "core/render/detail"}},
    {"core/render/svg", {"core/render/shared", "core/render/detail"}},
    {"core/render/html", {"core/diagram/scene", "core/diagram/explain", "core/render/shared"}},
    {"core/render/raster", {"core/diagram/scene", "core/render/shared"}},
    {"core/render/text", {"core/render/shared"}},
    {"core/render/export",
     {"core/diagram/scene", "core/diagram/parts", "core/render/shared", "core/render/detail", "core/render/html", "core/render/raster"}},
    {"core/figure",
     {"core/layout", "core/atom/instructions", "core/gemm/plan", "core/gemm/lower", "core/lang/syntax", "core/lang/values",
      "core/lang/eval", "core/lang/statements", "core/lang/suggest", "core/lang/document", "core/diagram/scene", "core/diagram/parts",
      "core/diagram/charts", "core/diagram/kinds"}},
    {"core/lesson",
     {"core/layout", "core/gemm/plan", "core/gemm/run/race.hpp", "core/gemm/text/text.hpp", "core/lang/syntax", "core/lang/values",
      "core/lang/builtins", "core/lang/eval", "core/lang/document", "core/figure"}},
    {"core/lesson/rubric", {"core/lang/values", "core/lang/document", "core/lesson"}},
    {"core/lesson/words", {"core/lang/values", "core/lesson"}},
    {"core/lesson/page",
     {"core/layout", "core/gemm", "core/lang/values", "core/lang/document", "core/figure", "core/render/html", "core/lesson",
      "core/lesson/words"}},
    {"core/lesson/print",
     {"core/lang/values", "core/diagram/parts", "core/render/shared", "core/render/detail", "core/render/export", "core/figure",
      "core/lesson", "core/lesson/words"}},
    {"core/lesson/slides",
     {"core/lang/document", "core/diagram/scene", "core/render/shared", "core/render/detail", "core/render/html", "core/figure",
      "core/lesson", "core/lesson/words", "core/lesson/page", "core/lesson/print"}},
    {"core/lesson/quiz", {"core/lang/values", "core/lesson", "core/lesson/page"}},
    {"core/library",
     {"core/layout", "core/atom/instructions", "core/atom/mma", "core/atom/copy", "core/lang/values", "core/lang/programs",
      "core/diagram/scene", "core/diagram/kinds", "core/render/shared", "core/render/html", "core/render/export", "core/figure"}},
    {"kernels/codegen", {"core/layout", "core/atom/instructions", "core/atom/advice", "core/gemm", "core/gemm/plan", "core/gemm/lower"}},
    {"kernels/device", {}},
    {"kernels/runtime/device", {"kernels/codegen/kernel_source.hpp"}},
    {"kernels/runtime/compile", {"kernels/codegen/kernel_source.hpp", "kernels/runtime/device"}},
    {"kernels/runtime/cache", {"kernels/codegen/kernel_source.hpp", "kernels/runtime/device", "kernels/runtime/compile"}},
    {"kernels/runtime/measure",
     {"kernels/codegen/kernel_source.hpp", "kernels/runtime/device", "kernels/runtime/compile", "kernels/runtime/cache"}},
    {"kernels/runtime/worker",
     {"kernels/codegen/kernel_source.hpp", "kernels/runtime/device", "kernels/runtime/compile", "kernels/runtime/cache",
      "kernels/runtime/measure"}},
    {"app/session/files",
     {"core/atom/instructions", "core/lang/syntax", "core/lang/values", "core/lang/builtins", "core/lang/eval", "core/lang/programs",
      "core/lang/document", "core/diagram/kinds", "core/lesson", "kernels/runtime/worker"}},
    {"app/session/gemm", {"core/layout",           "core/atom/instructions",  "core/gemm",
                          "core/gemm/plan",        "core/gemm/lower",         "core/gemm/run",
                          "core/gemm/rungs",       "core/lang/syntax",        "core/lang/values",
                          "core/lang/builtins",    "core/lang/eval",          "core/lang/programs",
                          "core/lang/document",    "core/diagram/kinds",      "core/diagram/charts",
                          "kernels/codegen",       "kernels/runtime/device",  "kernels/runtime/compile",
                          "kernels/runtime/cache", "kernels/runtime/measure", "kernels/runtime/worker",
                          "app/session/files"}},
    {"app/session/document",
     {"core/atom/instructions", "core/lang/syntax", "core/lang/values", "core/lang/builtins", "core/lang/programs", "core/lang/document",
      "core/figure", "app/session/files", "app/session/gemm"}},
    {"app/session/actions",
     {"core/layout", "core/atom/instructions", "core/lang/syntax", "core/lang/values", "core/lang/builtins", "core/lang/eval",
      "core/lang/suggest", "core/lang/document", "core/diagram/scene", "core/diagram/kinds", "core/figure", "app/session/files",
      "app/session/gemm", "app/session/document"}},
    {"app/session/advice",
     {"core/layout", "core/atom/instructions", "core/atom/smem", "core/atom/copy", "core/atom/advice", "core/gemm", "core/gemm/lower",
      "core/gemm/run", "core/lang/syntax", "core/lang/values", "core/lang/programs", "core/lang/document", "app/session/files",
      "app/session/gemm", "app/session/document", "app/session/actions"}},
    {"app/session/source",
     {"core/gemm/device_model.hpp", "core/lang/syntax", "core/lang/values", "core/lang/statements", "core/lang/programs",
      "core/lang/document", "app/session/files", "app/session/advice"}},
    {"app/session/lesson",
     {"core/gemm", "core/lang/values", "core/figure", "core/lesson", "core/lesson/words", "app/session/files", "app/session/gemm",
      "app/session/source"}},
    {"app/cli",
     {"core/layout",
      "core/atom/instructions",
      "core/gemm",
      "core/gemm/plan",
      "core/gemm/lower",
      "core/gemm/run",
      "core/gemm/text",
      "core/gemm/rungs",
      "core/lang/syntax",
      "core/lang/values",
      "core/lang/prints",
      "core/lang/programs",
      "core/lang/suggest",
      "core/lang/document",
      "core/diagram/scene",
      "core/diagram/explain",
      "core/diagram/kinds",
      "core/render/shared",
      "core/render/detail",
      "core/render/html",
      "core/render/export",
      "core/figure",
      "core/lesson",
      "core/lesson/rubric",
      "core/lesson/page",
      "core/lesson/print",
      "core/lesson/slides",
      "core/lesson/quiz",
      "kernels/codegen",
      "kernels/runtime/device",
      "kernels/runtime/compile",
      "kernels/runtime/cache",
      "kernels/runtime/measure",
      "kernels/runtime/worker",
      "app/session/files",
      "app/session/gemm",
      "app/session/document",
      "app/session/actions",
      "app/session/advice"}},
    {"app/studio/widgets",
     {"core/render/shared", "core/render/html", "core/render/export", "core/figure", "app/session/files", "app/session/document",
      "app/session/actions"}},
    {"app/studio/paint", {"core/diagram/scene", "core/figure", "app/session/document", "app/session/actions", "app/studio/widgets"}},
    {"app/studio/text", {"app/session/files", "app/session/actions", "app/studio/widgets", "app/studio/paint"}},
    {"app/studio/panels",
     {"core/gemm", "core/gemm/plan", "core/lang/values", "core/lang/eval", "core/lang/suggest", "core/diagram/scene",
      "core/diagram/explain", "core/diagram/kinds", "core/render/export", "core/figure", "app/session/files", "app/session/gemm",
      "app/session/document", "app/session/actions", "app/studio/widgets", "app/studio/paint", "app/studio/text"}},
    {"app/studio/pages",
     {"core/atom/instructions", "core/gemm", "core/lang/values", "core/lang/builtins", "core/diagram/kinds", "core/render/detail",
      "core/render/export", "core/figure", "core/lesson", "app/session/gemm", "app/session/document", "app/session/actions",
      "app/session/advice", "app/session/source", "app/session/lesson", "app/studio/widgets", "app/studio/paint", "app/studio/text",
      "app/studio/panels"}},
    {"app/studio/frame",
     {"core/diagram/scene", "core/render/shared", "core/render/detail", "app/session/files", "app/session/gemm", "app/session/document",
      "app/session/actions", "app/session/source", "app/session/lesson", "app/studio/widgets", "app/studio/paint", "app/studio/text",
      "app/studio/panels", "app/studio/pages"}},
};

bool is_below(std::string_view name, std::string_view place) {
  return name == place || (name.starts_with(place) && name[place.size()] == '/');
}

// The folder with a row, deepest first, in which a file lies; empty: in none.
std::string folder_of(std::string_view file) {
  std::string deepest;
  for (const auto& [folder, allowed] : kMayInclude) {
    if (is_below(file, folder) && folder.size() > deepest.size()) deepest = folder;
  }
  return deepest;
}

std::string join(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

}  // namespace

TEST_CASE("a folder includes only the folders that the one-way street lets it") {
  std::vector<std::string> wrong;
  std::size_t seen = 0;
  for (const auto& [folder, allowed] : kMayInclude) {
    for (const std::string& file : sources(folder)) {
      if (folder_of(file) != folder) continue;
      for (const Include& include : includes(read(root() / file))) {
        if (!include.ours) continue;
        ++seen;
        const std::string from = folder_of(include.name);
        bool right = from == folder || from == "core/base";
        for (const std::string& place : allowed) right = right || place == from || place == include.name;
        if (!right) wrong.push_back(file + " includes " + include.name);
      }
    }
  }
  INFO(join(wrong));
  CHECK(wrong.empty());
  CHECK(seen > 100);
}

TEST_CASE("every folder of sources has its line in the list of the one-way street") {
  std::vector<std::string> unknown;
  for (const char* top : {"core", "kernels", "app"}) {
    for (const std::string& file : sources(top)) {
      const bool known = std::any_of(kMayInclude.begin(), kMayInclude.end(), [&](const auto& row) { return is_below(file, row.first); });
      if (!known) unknown.push_back(file);
    }
  }
  INFO(join(unknown));
  CHECK(unknown.empty());
}

TEST_CASE("docs/architecture.md states the list that is checked here") {
  const std::string page = read(root() / "docs/architecture.md");
  for (const auto& [folder, allowed] : kMayInclude) {
    std::string line = "| `" + folder + "` |";
    for (const std::string& place : allowed) line += " " + place;
    line += allowed.empty() ? " nothing |" : " |";
    INFO(line);
    CHECK(page.find(line) != std::string::npos);
  }
}

// docs/library.md promises the headers of core/library/tessera; what they include is installed with them, and nothing else is.
TEST_CASE("the headers that others get are those of core/library/public_headers.txt") {
  std::set<std::string> listed;
  std::istringstream lines(read(root() / "core/library/public_headers.txt"));
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line.front() != '#') listed.insert(line);
  }
  std::map<std::string, std::string> reached;  // with who includes it
  std::vector<std::string> waiting;
  for (const std::string& file : sources("core/library/tessera")) {
    reached[file] = "core/library/tessera";
    waiting.push_back(file);
  }
  while (!waiting.empty()) {
    const std::string file = waiting.back();
    waiting.pop_back();
    const std::string text = read(root() / file);
    for (const Include& include : includes(text)) {
      if (include.ours && reached.emplace(include.name, file).second) waiting.push_back(include.name);
      // Programs around the library may have no fmt, or another one.
      const bool standard = include.name.find_first_of("./") == std::string::npos;
      INFO(file << " includes <" << include.name << ">");
      if (!include.ours) CHECK((standard || text.find("#if __has_include(<" + include.name + ">)") != std::string::npos));
    }
  }
  std::vector<std::string> wrong;
  for (const auto& [header, by] : reached) {
    if (listed.count(header) == 0) wrong.push_back(header + " is private, and would be installed: " + by + " includes it");
  }
  for (const std::string& header : listed) {
    if (reached.count(header) == 0) wrong.push_back(header + " is listed as public, and no header of core/library/tessera reaches it");
  }
  INFO(join(wrong));
  CHECK(wrong.empty());
  CHECK(reached.size() > 40);
}

TEST_CASE("core and kernels neither print nor end the process") {
  const std::regex forbidden(R"(\b(printf|fprintf|puts|putchar|cout|cerr|clog|abort|exit|quick_exit|terminate)\b\s*(\(|<<)|fmt::print)");
  std::vector<std::string> wrong;
  for (const char* top : {"core", "kernels"}) {
    for (const std::string& file : sources(top)) {
      std::istringstream lines(code_only(read(root() / file)));
      int number = 0;
      for (std::string line; std::getline(lines, line);) {
        ++number;
        if (std::regex_search(line, forbidden)) wrong.push_back(file + ":" + std::to_string(number) + ": " + line);
      }
    }
  }
  INFO(join(wrong));
  CHECK(wrong.empty());
}

TEST_CASE("ImGui and OpenGL stay in app/studio, CUDA in kernels/runtime") {
  const std::regex gui(R"(^(imgui.*|GL/.*|GLES.*|GLFW/.*|X11/.*|.*glad.*)$)");
  const std::regex cuda(R"(^(cuda.*|nvrtc.*|cublas.*|nvml.*)$)");
  std::vector<std::string> wrong;
  for (const char* top : {"core", "kernels", "app"}) {
    for (const std::string& file : sources(top)) {
      for (const Include& include : includes(read(root() / file))) {
        if (std::regex_match(include.name, gui) && !is_below(file, "app/studio")) wrong.push_back(file + " includes " + include.name);
        if (std::regex_match(include.name, cuda) && !is_below(file, "kernels/runtime")) wrong.push_back(file + " includes " + include.name);
      }
    }
  }
  INFO(join(wrong));
  CHECK(wrong.empty());
}

TEST_CASE("only core/base/json.cpp includes the JSON library, so that nothing foreign is read without bounds") {
  std::vector<std::string> users;
  for (const char* top : {"core", "kernels", "app"}) {
    for (const std::string& file : sources(top)) {
      for (const Include& include : includes(read(root() / file))) {
        if (include.name.starts_with("nlohmann/")) users.push_back(file);
      }
    }
  }
  CHECK(users == std::vector<std::string>{"core/base/json.cpp"});
}

TEST_CASE("tests include Catch2 by tests/support/catch.hpp, which knows both of its versions") {
  std::vector<std::string> users;
  for (const std::string& file : sources("tests")) {
    for (const Include& include : includes(read(root() / file))) {
      const bool of_catch =
          include.name.starts_with("catch2/") || include.name == "rapidcheck/catch.h";  // which is of the first version alone
      if (of_catch && (users.empty() || users.back() != file)) users.push_back(file);
    }
  }
  std::sort(users.begin(), users.end());
  CHECK(users == std::vector<std::string>{"tests/support/catch.hpp", "tests/support/main.cpp"});
}

TEST_CASE("every source begins with the licence and one sentence on what it is for") {
  std::vector<std::string> wrong;
  for (const char* top : {"core", "kernels", "app", "tests"}) {
    for (const std::string& file : sources(top)) {
      if (file.ends_with(".cuh")) continue;  // pasted into kernels, whose first line is their own
      std::istringstream lines(read(root() / file));
      std::string first, second;
      std::getline(lines, first);
      std::getline(lines, second);
      // The sentence on x.cpp may stand in x.hpp.
      const bool has_header = file.ends_with(".cpp") && fs::exists(root() / (file.substr(0, file.size() - 3) + "hpp"));
      const bool has_sentence = has_header || (second.starts_with("// ") && second.size() >= 12);
      if (first != "// SPDX-License-Identifier: BSD-3-Clause" || !has_sentence) wrong.push_back(file);
    }
  }
  INFO(join(wrong));
  CHECK(wrong.empty());
}

TEST_CASE("no tracked file carries a path of somebody's machine") {
  // Written in two pieces, since this file is tracked too.
  const std::vector<std::string> places = {std::string("/ho") + "me/", std::string("/ro") + "ot/", std::string("/wo") + "rk/",
                                           std::string("/Us") + "ers/"};
  std::vector<std::string> wrong;
  for (const std::string& file : tracked_files()) {
    const std::string text = read(root() / file);
    if (text.find('\0') != std::string::npos) continue;  // fonts, pictures
    for (const std::string& place : places) {
      for (std::size_t at = text.find(place); at != std::string::npos; at = text.find(place, at + 1)) {
        const bool inside_a_path = at > 0 && (std::isalnum(static_cast<unsigned char>(text[at - 1])) || text[at - 1] == '.');
        const bool made_up = text.substr(at + place.size()).starts_with("someone");  // an example
        if (!inside_a_path && !made_up) wrong.push_back(file + " contains " + text.substr(at, 40));
      }
    }
  }
  INFO(join(wrong));
  CHECK(wrong.empty());
}

TEST_CASE("the top level holds what a reader looks for first, and nothing else") {
  const std::set<std::string> allowed = {
      "app",          "core",           "kernels",           "assets",         "docs",        "tests",
      "dev",          "README.md",      "CMakeLists.txt",    "LICENSE",        "SECURITY.md", "CHANGELOG.md",
      "CITATION.cff", "pyproject.toml", "CMakePresets.json", "CONTRIBUTING.md"};
  std::set<std::string> seen;
  for (const std::string& file : tracked_files()) {
    const std::string top = file.substr(0, file.find('/'));
    INFO(file);
    CHECK((top.starts_with('.') || allowed.count(top) == 1));
    seen.insert(top);
  }
  CHECK(seen.size() > 10);
}

// CMakeLists.txt decides it; `tessera --version` says that one.
TEST_CASE("the version is the same wherever a page says it") {
  const auto first_of = [](const char* file, const char* pattern) {
    const std::string text = read(root() / file);
    std::smatch match;
    return std::regex_search(text, match, std::regex(pattern)) ? match[1].str() : file + std::string(" says none");
  };
  const std::string version = first_of("CMakeLists.txt", R"(project\(tessera VERSION ([0-9.]+))");
  CHECK(first_of("CITATION.cff", R"(\nversion: ([0-9.]+))") == version);
  CHECK(first_of("CHANGELOG.md", R"(\n## ([0-9.]+))") == version);
}

TEST_CASE("the checks themselves see what they look for") {
  const std::string text =
      "#include \"core/base/error.hpp\"\nint f() { return printf(\"exit(1)\"); }  // abort()\n/* cout << 1 */ R\"(abort())\"";
  CHECK(includes(text).size() == 1);
  const std::string code = code_only(text);
  CHECK(code.find("printf(") != std::string::npos);
  CHECK(code.find("exit") == std::string::npos);
  CHECK(code.find("abort") == std::string::npos);
  CHECK(code.find("cout") == std::string::npos);
}
