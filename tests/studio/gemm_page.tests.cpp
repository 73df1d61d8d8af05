// SPDX-License-Identifier: BSD-3-Clause
// The live page of a GEMM: fields that are dragged, what follows from them, what is expected of a run, and the history of all runs.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "app/session/gemm/run_history.hpp"
#include "core/gemm/spec_fields.hpp"
#include "kernels/runtime/measure/measurement.hpp"
#include "kernels/runtime/worker/worker_protocol.hpp"
#include "tests/studio/studio_driver.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/source_dir.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace tessera;
using studio::LiveTab;
using test::StudioDriver;

namespace {

constexpr const char* kDocument =
    "let data = (4,8):(8,1)\n"
    "let tile = make_tiled_mma(SM70_8x8x4_F32F16F16F32_NT, (2,2):(2,1))\n"
    "let small = gemm(m=64, n=64, k=32, mma=tile, cta_tiler=(32,32,8))\n"
    "let other = gemm(m=32, n=32, k=8, mma=tile)\n";

struct LiveDriver : StudioDriver {
  explicit LiveDriver(std::string_view document = kDocument, int width = 1600, int height = 1400) : StudioDriver(document, width, height) {
    app.pending.push_back(studio::Do{"gemm.page"});
    settle();
  }
  studio::LiveState& live() { return app.bench.live; }
  // Until nothing is made beside the frames any more.
  void settle() {
    frames(3);
    for (int i = 0; i < 4000 && (live().waiting() || app.busy()); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      frames(1);
    }
    frames(3);
  }
  void open(LiveTab tab) {
    live().tab = tab;
    settle();
  }
  std::string expression(const char* name = "small") const { return std::string(app.session.expression(name)); }
  void act(const char* id, Arguments arguments = {}) {
    app.pending.push_back(studio::Do{id, std::move(arguments)});
    settle();
  }
  bool says(std::string_view role, std::string_view words) const {
    const auto& items = app.recorder.items();
    return std::any_of(items.begin(), items.end(),
                       [&](const studio::RecordedItem& item) { return item.role == role && item.label.find(words) != std::string::npos; });
  }
};

// A worker that answers every run of `small` with the next of these medians, in microseconds.
std::string fake_worker(const test::TemporaryFolder& folder, const std::vector<double>& medians, const std::string& name = "small") {
  for (std::size_t i = 0; i < medians.size(); ++i) {
    Measurement measurement;
    measurement.name = name;
    measurement.m = measurement.n = 64, measurement.k = 32;
    measurement.device.name = "Fake GPU";
    measurement.arch = {70, 0};
    measurement.correctness.passed = true;
    measurement.correctness.compared = 4096;
    measurement.timing.emplace();
    const double us = medians[i];
    measurement.timing->interleaved.kernel = spread_of({us, us, us});
    test::put(folder / ("answer" + std::to_string(i)),
              "{\"event\":\"result\",\"id\":1,\"measurement\":" + to_json(measurement, true) + "}\n");
  }
  test::put(folder / "worker.sh",
            "echo '{\"event\":\"hello\",\"program\":\"fake\",\"protocol\":1}'\n"
            "while read -r line; do\n"
            "  n=$(cat " +
                (folder / "count").string() +
                " 2>/dev/null || echo 0)\n"
                "  id=$(printf '%s' \"$line\" | sed 's/.*\"id\":\\([0-9]*\\).*/\\1/')\n"
                "  sed \"s/\\\"id\\\":1,/\\\"id\\\":$id,/\" " +
                (folder / "answer").string() +
                "$n\n"
                "  echo $((n + 1)) > " +
                (folder / "count").string() +
                "\n"
                "done\n");
  return "sh " + (folder / "worker.sh").string();
}

}  // namespace

TEST_CASE("the live page is of the selected GEMM, else of the document's first, and Escape closes it") {
  LiveDriver studio;
  CHECK(studio.live().open);
  CHECK(studio.live().binding == "small");
  CHECK(studio.shows("Live: small", "text"));
  REQUIRE(studio.live().shown);
  CHECK(studio.shows("live small", "canvas"));
  studio.click("other", "row");
  studio.settle();
  CHECK(studio.live().binding == "other");
  studio.click("data", "row");
  studio.settle();
  CHECK(studio.live().binding == "other");  // what is no GEMM leaves the page as it is
  studio.press(ImGuiKey_Escape);
  studio.frames(2);
  CHECK_FALSE(studio.live().open);
  studio.chord("F8");
  CHECK(studio.live().open);
}

TEST_CASE("every field has a row, and a drag of a number is one step of undo in the document") {
  LiveDriver studio;
  for (const SpecField& field : spec_fields()) {
    INFO(field.name);
    if (!field.is_label) CHECK(studio.shows(field.name, "text"));
  }
  const std::string before = studio.expression();
  const studio::RecordedItem number = studio.item("number 0 of cta_tiler", "number");
  studio.move(number.x + number.w / 2, number.y + number.h / 2);
  studio.hold_button(true);
  for (int i = 1; i <= 4; ++i) studio.move(number.x + number.w / 2 + 8.0f * 8 * static_cast<float>(i), number.y + number.h / 2);
  studio.hold_button(false);
  studio.settle();
  CHECK(studio.expression() == "gemm(m=64, n=64, k=32, mma=tile, cta_tiler=(64,32,8))");
  REQUIRE(studio.live().shown);
  CHECK(studio.live().shown->plan->blk_m == 64);
  studio.act("edit.undo");
  CHECK(studio.expression() == before);
  CHECK(studio.live().shown->plan->blk_m == 32);
  // A name of the document is written out where its numbers move.
  CHECK(studio.shows("number 1 of mma", "number"));
}

TEST_CASE("an extent that is dragged down and back in one drag is as it was, with its matrices") {
  const std::string expression = "gemm(m=64, n=64, k=32, mma=tile, gA=(64,32):(1,64))";
  LiveDriver studio("let tile = make_tiled_mma(SM70_8x8x4_F32F16F16F32_NT, (2,2):(2,1))\nlet small = " + expression + "\n");
  const studio::RecordedItem number = studio.item("number 0 of m", "number");
  const float x = number.x + number.w / 2, y = number.y + number.h / 2;
  studio.move(x, y);
  studio.hold_button(true);
  studio.move(x - 8 * 8, y);
  studio.settle();
  CHECK(studio.expression() == "gemm(m=56, n=64, k=32, mma=tile, gA=(56,32):(1,64))");
  studio.move(x, y);
  studio.settle();
  CHECK(studio.expression() == expression);
  studio.hold_button(false);
}

TEST_CASE("what is refused says its rule, and the last picture and numbers stay") {
  LiveDriver studio;
  const std::string plan = studio.live().shown->spec_text;
  studio.app.pending.push_back(studio::Edit{SetBinding{"small", "gemm(m=64, n=64, k=32, mma=tile, cta_tiler=(32,32,8), stages=99)"}});
  studio.settle();
  REQUIRE(studio.live().refused);
  CHECK(studio.shows("REFUSED", "text"));
  CHECK(studio.shows(studio.live().refused->message, "text"));
  CHECK(studio.live().shown->spec_text == plan);
  CHECK(studio.item("live small", "canvas").value != "no picture");
  CHECK(studio.item("Run", "button").value == "disabled");
  // The controls go on from there: the number that is too large can be dragged back.
  CHECK(studio.shows("number 0 of stages", "number"));
  studio.app.pending.push_back(studio::Edit{SetBinding{"small", "gemm(m=64, n=64, k=32, mma=tile, oops=1)"}});
  studio.settle();
  CHECK(studio.live().refused);
  studio.app.pending.push_back(studio::Edit{SetBinding{"small", "gemm(m=64, n=64, k=32, mma=tile, cta_tiler=(32,32,8))"}});
  studio.settle();
  CHECK_FALSE(studio.live().refused);
  CHECK_FALSE(studio.shows("REFUSED", "text"));
}

TEST_CASE("limits, models and counts stand beside the fields, each with the word for what it is") {
  LiveDriver studio;
  for (const char* what : {"occupancy", "waves", "roofline"}) {
    INFO(what);
    CHECK_FALSE(studio.item(what, "model").value.empty());
  }
  CHECK(studio.says("text", "MODELLED for H200, not measured"));
  CHECK(studio.says("text", "COUNTED"));
  CHECK(studio.says("model", "smem read of A"));
  CHECK(studio.shows("shared memory", "limit"));
  const std::string waves = studio.item("waves", "model").value;
  studio.click("models of H200", "button");
  studio.click("A100", "choice");
  studio.settle();
  CHECK(studio.item("waves", "model").value != waves);
}

TEST_CASE("names of fields stand one row apart, each in the middle of its value, and models are above the fold") {
  const std::string tour = test::contents(test::source_dir() + "/assets/presets/tour.tess");
  LiveDriver studio(tour, 1280, 800);
  REQUIRE(studio.live().binding == "article_gemm");
  const auto middle = [](const studio::RecordedItem& item) { return item.y + item.h / 2; };
  std::vector<float> rows;
  for (const SpecField& field : spec_fields()) {
    if (!field.is_label) rows.push_back(middle(studio.item(field.name, "text")));
  }
  const float row = rows[1] - rows[0];
  std::size_t longer = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const float apart = rows[i] - rows[i - 1];
    longer += apart > row + 2;
    CHECK((std::abs(apart - row) <= 1 || (apart > 1.8f * row && apart < 2.2f * row)));
  }
  CHECK(longer == 1);  // the MMA's atom, and below it how it is repeated
  CHECK(std::abs(middle(studio.item("number 0 of m", "number")) - rows[0]) <= 2);
  CHECK(std::abs(middle(studio.item("f32", "button")) - middle(studio.item("type_c", "text"))) <= 2);
  CHECK(std::abs(middle(studio.item("number 0 of stages", "number")) - middle(studio.item("stages", "text"))) <= 2);
  // What a value's first letter is, begins in one column.
  const float x = studio.item("number 0 of m", "number").x + 2;
  CHECK(std::abs(studio.item("f32", "button").x + 7 - x) <= 1);
  for (const char* what : {"occupancy", "waves", "roofline"}) {
    const studio::RecordedItem& model = studio.item(what, "model");
    INFO(what);
    CHECK(model.y + model.h <= studio.item("Result", "tab").y);
  }
}

TEST_CASE("a line of the source has its operation, and an operation its lines and the cells of its tensors") {
  LiveDriver studio;
  studio.open(LiveTab::plan);
  const auto& program = studio.live().shown->program;
  const auto copy = std::find_if(program.begin(), program.end(), [](const ProgramLine& line) {
    return line.op && std::holds_alternative<plan::Copy>(line.op->op) && line.text.find("sA") != std::string::npos;
  });
  REQUIRE(copy != program.end());
  const plan::Op* op = copy->op;
  const auto number = static_cast<std::size_t>(copy - program.begin());
  studio.click(copy->text, "plan line");
  studio.settle();
  CHECK(studio.live().tab == LiveTab::source);
  CHECK(studio.live().line == number);
  std::size_t selected = 0;
  for (const studio::RecordedItem& item : studio.app.recorder.items()) selected += item.role == "source line" && item.value == "selected";
  CHECK(selected > 0);
  CHECK(studio.says("operation", copy->text));
  // The cells that light up are those of sA, and of nothing else.
  studio.move(5, 5);
  studio.frames(2);
  const auto& lit = studio.live().lit.cells;
  REQUIRE_FALSE(lit.empty());
  const studio::Figure& figure = studio.app.figures.get(studio.app.session, View{"small", {}}, studio.app.textures);
  const std::vector<Touched> touched = touched_by(*studio.live().shown->plan, *op);
  for (const ElementId& id : {lit.front(), lit.back()}) {
    const auto& grid = std::get<Grid>(figure.scene->panels[id.panel].marks[id.mark]);
    const std::string& tensor = figure.scene->tensors[static_cast<std::size_t>(grid.of->tensor)];
    CHECK(std::any_of(touched.begin(), touched.end(), [&](const Touched& each) { return each.tensor == tensor; }));
  }
  CHECK(studio.says("operation", "[all of sA]"));  // the plan names no part of it
  // Another line of the source chooses its own operation.
  const auto& lines = **studio.live().settled->source;
  const auto other = std::find_if(lines.begin(), lines.end(), [&](const auto& line) { return line.op && line.op != op; });
  REQUIRE(other != lines.end());
  studio.live().line.reset();
  studio.frames(2);
  studio.live().reveal = 0;
  for (const studio::RecordedItem& item : std::vector(studio.app.recorder.items())) {
    if (item.role != "source line" || item.label != other->text || item.y < studio.item("Source", "tab").y) continue;
    studio.click_on(item);
    CHECK(studio.live().line.has_value());
    break;
  }
}

TEST_CASE("a line lights the bars of its operation and no others, and a bar the lines of its operations") {
  const std::string document =
      "let tile = make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2))\n"
      "let small = gemm(m=128, n=128, k=128, mma=tile, cta_tiler=(64,64,32), stages=2)\n";
  LiveDriver studio(document);
  studio.click("In time", "button");
  studio.open(LiveTab::source);
  const LiveGemm& shown = *studio.live().shown;
  const studio::Figure& figure = studio.app.figures.get(studio.app.session, View{"small", {.kind = "timeline"}}, studio.app.textures);
  REQUIRE(figure.scene);
  const Scene& scene = *figure.scene;
  const auto& marks = scene.panels.front().marks;
  const BarOperations of_bars = timeline_operations(*shown.plan).value();
  std::size_t with_bars = 0;
  for (std::size_t i = 0; i < shown.program.size(); ++i) {
    const plan::Op* op = shown.program[i].op;
    if (!op || !std::holds_alternative<plan::Copy>(op->op)) continue;
    studio.live().line = i;
    studio.frames(2);
    const auto number =
        static_cast<std::int32_t>(std::find(shown.operations.begin(), shown.operations.end(), op) - shown.operations.begin());
    std::size_t bars = 0;
    for (const Mark& mark : marks) {
      const auto* cell = std::get_if<Cell>(&mark);
      if (!cell || cell->subject == kNoSubject) continue;
      const auto said = of_bars.find(scene.words_of(scene.subjects[cell->subject]));
      bars += said != of_bars.end() && std::find(said->second.begin(), said->second.end(), number) != said->second.end();
    }
    INFO(shown.program[i].text);
    CHECK(studio.live().lit.cells.size() == bars);
    CHECK(studio.says("operation", bars == 0 ? "[no bar" : bars == 1 ? "[1 bar]" : "[" + std::to_string(bars) + " bars]"));
    with_bars += bars > 0;
  }
  CHECK(with_bars > 2);
  // The other way round: the mouse on a bar lights its lines, and a press chooses the first.
  studio.live().line.reset();
  const studio::CanvasState& canvas = studio.app.bench.canvases.at("live small");
  const studio::RecordedItem area = studio.item("live small", "canvas");
  const auto bar = std::find_if(marks.begin(), marks.end(), [&](const Mark& mark) {
    const auto* cell = std::get_if<Cell>(&mark);
    return cell && cell->subject != kNoSubject &&
           scene.words_of(scene.subjects[cell->subject]).find(" multiplies") != std::string_view::npos;
  });
  REQUIRE(bar != marks.end());
  const Cell& cell = std::get<Cell>(*bar);
  const ImVec2 at = canvas.camera.to_screen(cell.x + cell.w / 2, cell.y + cell.h / 2);
  studio.move(area.x + at.x, area.y + at.y);
  REQUIRE_FALSE(studio.live().hot_ops.empty());
  for (const plan::Op* op : studio.live().hot_ops) CHECK(std::holds_alternative<plan::Mma>(op->op));
  CHECK(studio.says("operation", "mma"));
  studio.hold_button(true);
  studio.hold_button(false);
  studio.frames(5);
  REQUIRE(studio.live().line);
  CHECK(shown.program[*studio.live().line].op == studio.live().hot_ops.front());
  std::size_t lines = 0;
  for (const studio::RecordedItem& item : studio.app.recorder.items()) lines += item.role == "source line" && item.value == "selected";
  CHECK(lines > 0);
}

TEST_CASE("a call for one k-block lights the cells that it touches, and a cell the operations that touch it") {
  const std::string document =
      "let tile = make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2))\n"
      "let small = gemm(m=128, n=128, k=128, mma=tile, cta_tiler=(64,64,32), stages=2)\n";
  LiveDriver studio(document);
  studio.open(LiveTab::plan);
  const LiveGemm& shown = *studio.live().shown;
  std::size_t parts = 0;
  for (std::size_t i = 0; i < shown.program.size(); ++i) {
    const plan::Op* op = shown.program[i].op;
    if (!op) continue;
    const std::vector<Touched> touched = touched_by(*shown.plan, *op);
    const auto part = std::find_if(touched.begin(), touched.end(), [](const Touched& each) { return each.elements.has_value(); });
    if (part == touched.end() || part->tensor != "sA") continue;
    ++parts;
    studio.live().line = i;
    studio.frames(2);
    CHECK(part->elements->size() == 64 * 16);
    CHECK(studio.live().lit.cells.size() == 2 * 64 * 16);  // of sB as many
    CHECK(studio.says("operation", "[1024 of 2048 elements of sA, 1024 of 2048 elements of sB]"));
  }
  CHECK(parts > 0);
  // A cell of sA: who copies to it, and who reads it.
  const studio::Figure& figure = studio.app.figures.get(studio.app.session, View{"small", {}}, studio.app.textures);
  const studio::CanvasState& canvas = studio.app.bench.canvases.at("live small");
  const studio::RecordedItem area = studio.item("live small", "canvas");
  for (const Panel& panel : figure.scene->panels) {
    for (const Mark& mark : panel.marks) {
      const auto* grid = std::get_if<Grid>(&mark);
      if (!grid || grid->of->tensor < 0 || figure.scene->tensors[static_cast<std::size_t>(grid->of->tensor)] != "sA") continue;
      const ImVec2 at = canvas.camera.to_screen(grid->x + grid->w / 2, grid->y + grid->h / 2);
      studio.move(area.x + at.x, area.y + at.y);
    }
  }
  CHECK(studio.live().hot_ops.size() > 1);
  for (const plan::Op* op : studio.live().hot_ops) {
    const std::vector<Touched> touched = touched_by(*shown.plan, *op);
    CHECK(std::any_of(touched.begin(), touched.end(), [](const Touched& each) { return each.tensor == "sA"; }));
  }
}

TEST_CASE("a run that follows a change is asked about first, and the page says whether it came true") {
  const test::TemporaryFolder folder;
  LiveDriver studio;
  studio.app.request.worker = fake_worker(folder, {20, 10, 10});
  studio.click("Run", "button");
  CHECK_FALSE(studio.app.gemm.job);
  CHECK(studio.says("text", "Beside cuBLASLt: will it be faster"));
  studio.click("Run without saying", "button");
  studio.settle();
  REQUIRE(studio.live().history.runs().size() == 1);
  INFO(studio.live().history.runs()[0].refused);
  CHECK(studio.live().history.runs()[0].microseconds == 20);
  CHECK_FALSE(studio.live().history.runs()[0].prediction);
  CHECK(studio.shows("LIVE", "band"));
  // The same again asks nothing.
  studio.app.pending.push_back(studio::Edit{SetBinding{"small", "gemm(m=64, n=64, k=32, mma=tile, cta_tiler=(32,32,8), raster_group=2)"}});
  studio.settle();
  studio.click("Run", "button");
  CHECK(studio.says("text", "Beside the last result, 20.0 us"));
  studio.click("Faster", "button");
  studio.click("Say it and run", "button");
  studio.settle();
  REQUIRE(studio.live().history.runs().size() == 2);
  const RunRow& second = studio.live().history.runs()[1];
  INFO(second.refused);
  CHECK(second.prediction == Prediction{Prediction::Says::faster, 10});
  CHECK(second.changed == "raster_group: 0 -> 2");
  CHECK(second.verdict == "Right: you said faster by 10 %; beside the last result it was 2 times as fast: 100 % faster");
  CHECK(studio.shows(second.verdict, "verdict"));
  studio.click("Run", "button");  // the same again
  studio.settle();
  CHECK(studio.live().history.runs().size() == 3);
  CHECK(studio.live().history.runs()[2].changed == "the same again");
}

TEST_CASE("the worker and the GPU of a run are chosen on the page, and kept") {
  const test::TemporaryFolder folder;
  const std::string worker = fake_worker(folder, {20});
  std::vector<DeviceSummary> devices(2);
  devices[0].name = "First GPU";
  devices[1].index = 1, devices[1].name = "Second GPU";
  test::put(folder / "devices", to_line(WorkerEvent(DevicesEvent{1, devices})) + "\n");
  test::put(folder / "devices.sh",
            "echo '{\"event\":\"hello\",\"program\":\"fake\",\"protocol\":1}'\nread -r line\ncase $line in\n*devices*) cat " +
                (folder / "devices").string() + ";;\n*) printf '%s' \"$line\" > " + (folder / "asked").string() + "; cat " +
                (folder / "answer0").string() + ";;\nesac\n");
  LiveDriver studio;
  studio.app.settings.workers = {"sh -c 'exit 7'"};
  studio.click("runs on this machine, GPU 0", "button");
  CHECK(studio.shows("this machine", "choice"));
  CHECK(studio.item("this machine", "choice").value == "selected");
  // One that was used before, and does not answer any more: what to try stands beside it.
  studio.click("sh -c 'exit 7'", "choice");
  studio.settle();
  CHECK(studio.app.request.worker == "sh -c 'exit 7'");
  CHECK(studio.says("text", "ended with exit code 7"));
  CHECK(studio.says("text", "the worker: sh -c 'exit 7'"));
  CHECK(studio.says("text", "give the command in a terminal"));
  // Another is typed in, and its GPUs are there to be chosen from.
  studio.click("worker command", "edit");
  studio.type("sh " + (folder / "devices.sh").string());
  studio.press(ImGuiKey_Enter);
  studio.settle();
  CHECK(studio.app.settings.workers.front() == "sh " + (folder / "devices.sh").string());
  CHECK(studio.app.request.device == 0);
  studio.click("1: Second GPU, sm_0, 0 GiB", "choice");
  studio.settle();
  CHECK(studio.app.request.device == 1);
  CHECK(studio.app.settings.device == 1);
  CHECK(studio.says("button", "Second GPU"));
  // What is chosen is what runs.
  studio.click("Run", "button");
  studio.click("Run without saying", "button");
  studio.settle();
  CHECK(test::contents(folder / "asked").find("\"device\":1") != std::string::npos);
  REQUIRE(studio.live().history.runs().size() == 1);
  CHECK(studio.live().history.runs()[0].microseconds == 20);
  // A run of one that is gone says so in the page, with its command.
  studio.act("gemm.page", {{"worker", "sh -c 'exit 7'"}});
  studio.act("gemm.run", {{"binding", "small"}});
  CHECK(studio.shows("NO RESULT", "band"));
  CHECK(studio.says("text", "the worker: sh -c 'exit 7'"));
  studio.act("gemm.page", {{"worker", "this machine"}, {"device", "0"}});
  CHECK(studio.app.request.worker.empty());
}

TEST_CASE("a worker that hangs while one drags is stopped, and frames go on meanwhile") {
  LiveDriver studio;
  studio.app.request.worker = "sleep 1000";
  studio.click("Run", "button");
  studio.click("Run without saying", "button");
  REQUIRE(studio.app.gemm.job);
  CHECK(studio.item("Run", "button").value == "disabled");
  const auto begin = std::chrono::steady_clock::now();
  const studio::RecordedItem number = studio.item("number 0 of m", "number");
  studio.move(number.x + number.w / 2, number.y + number.h / 2);
  studio.drag(64, 0);
  studio.frames(20);
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20));
  CHECK(studio.expression().find("m=72") != std::string::npos);
  studio.click("Stop", "button");
  studio.settle();
  CHECK_FALSE(studio.app.gemm.job);
  REQUIRE(studio.live().history.runs().size() == 1);
  CHECK_FALSE(studio.live().history.runs()[0].refused.empty());
  CHECK(studio.live().history.runs()[0].spec.find("m=64") != std::string::npos);  // of the plan that it ran with
}

TEST_CASE("a run of the history is brought back as one step, with a note, and ten thousand of them stay fluent") {
  LiveDriver studio;
  const std::string larger = "gemm(m=64, n=64, k=32, mma=tile, cta_tiler=(64,64,8))";
  studio.app.pending.push_back(studio::Edit{SetBinding{"small", larger}});
  studio.settle();
  const std::string spec_of_larger = studio.live().of_text;
  studio.act("edit.undo");
  std::vector<RunRow> many;
  for (int i = 0; i < 10000; ++i) {
    RunRow run;
    run.at_ns = 1'000'000'000LL * (i + 1);
    run.binding = "small";
    run.expression = i == 9999 ? larger : "gemm(m=32, n=32, k=8, mma=gone)";
    run.spec = i == 9999 ? spec_of_larger : "gemm(m=32, n=32, k=8, mma=make_tiled_mma(SM70_8x8x4_F32F16F16F32_NT, (2,2):(2,1)))";
    run.correct = true;
    run.microseconds = 5;
    many.push_back(run);
  }
  studio.live().history.merge(many);
  studio.open(LiveTab::history);
  std::size_t rows = 0;
  for (const studio::RecordedItem& item : studio.app.recorder.items()) rows += item.role == "run";
  CHECK(rows > 3);
  CHECK(rows < 100);
  const std::string before = studio.expression();
  // One click selects: what it was stands beside the list, and nothing moves or changes.
  const studio::RecordedItem row = studio.item("1970-01-01 02:46:40 UTC", "run");
  studio.click_on(row);
  CHECK(studio.item("1970-01-01 02:46:40 UTC", "run").value.starts_with("selected"));
  CHECK(studio.item("1970-01-01 02:46:40 UTC", "run").y == row.y);
  CHECK(studio.says("text", "cta_tiler=(64,64,8)"));
  CHECK(studio.expression() == before);
  studio.frames(60);  // so that the next click is no second one
  studio.click_on(row);
  studio.settle();
  CHECK(studio.expression() == before);
  studio.retype("note", "the tile is larger");
  CHECK(studio.live().history.runs()[9999].note == "the tile is larger");
  studio.click("Restore the fields", "button");
  studio.settle();
  CHECK(studio.expression() == "gemm(m=64, n=64, k=32, mma=tile, cta_tiler=(64,64,8))");
  CHECK(studio.item("Restore the fields", "button").value == "disabled");
  CHECK(studio.shows("The fields are those of this run.", "text"));
  studio.act("edit.undo");
  CHECK(studio.expression() == before);
  // Two clicks restore. Of an expression whose names stand for something else by now, what it stood for.
  const studio::RecordedItem older = studio.item("1970-01-01 02:46:39 UTC", "run");
  studio.frames(60);
  studio.click_on(older);
  CHECK(studio.expression() == before);
  studio.click_on(older);
  studio.settle();
  CHECK(studio.expression() == many[0].spec);
  // One that is forgotten is gone, and can be kept after all.
  studio.click("Forget", "button");
  CHECK(studio.live().history.runs().size() == 9999);
  CHECK_FALSE(studio.shows("1970-01-01 02:46:39 UTC", "run"));
  studio.click("Keep it after all", "button");
  CHECK(studio.live().history.runs().size() == 10000);
  CHECK(studio.shows("1970-01-01 02:46:39 UTC", "run"));
  studio.click("Pin as A", "button");
  REQUIRE(studio.live().pinned);
  CHECK(studio.live().pinned->run.at_ns == many[9998].at_ns);
}

TEST_CASE("the finder knows the live page by what it is for") {
  StudioDriver studio(kDocument);
  for (const char* words : {"lecture", "live gemm"}) {
    INFO(words);
    studio.chord("Ctrl+K");
    studio.type(words);
    CHECK(studio.shows("Live GEMM", "entry"));
    studio.press(ImGuiKey_Escape);
    studio.frames(2);
  }
}

TEST_CASE("runs and their notes are there in the next session, where settings are kept") {
  const test::TemporaryFolder folder;
  const test::TemporaryEnvironment state("XDG_STATE_HOME", folder.path().string());
  const auto settled = [](LiveDriver& studio) {
    for (int i = 0; i < 2000 && (i < 3 || studio.app.kept_runs.under_way); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      studio.frames(1);
    }
  };
  {
    LiveDriver studio;
    studio.app.keeps_settings = true;
    settled(studio);
    studio.click("Simulate", "button");
    studio.settle();
    REQUIRE(studio.live().history.runs().size() == 1);
    studio.live().history.set_note(0, "as it was");
    settled(studio);
  }
  LiveDriver next;
  next.app.keeps_settings = true;
  settled(next);
  REQUIRE(next.live().history.runs().size() == 1);
  CHECK(next.live().history.runs()[0].note == "as it was");
  CHECK(next.live().history.runs()[0].emulated);
  next.open(LiveTab::history);
  CHECK(next.says("run", "UTC"));
}

TEST_CASE("A is pinned, and B has what differs in fields, times, plan and source") {
  LiveDriver studio;
  studio.click("Simulate", "button");
  studio.settle();
  CHECK(studio.shows("SIMULATED", "band"));
  studio.click("Pin this as A", "button");
  CHECK(studio.live().tab == LiveTab::compare);
  studio.settle();
  CHECK(studio.shows("both ask for the same kernel", "text"));
  studio.app.pending.push_back(studio::Edit{SetBinding{"small", "gemm(m=64, n=64, k=32, mma=tile, cta_tiler=(32,32,16))"}});
  studio.settle();
  studio.settle();
  CHECK(studio.shows("cta_tiler: (32,32,8) -> (32,32,16)", "text"));
  REQUIRE(studio.live().difference);
  REQUIRE(*studio.live().difference);
  studio.click("Their sources", "tab");
  CHECK(studio.live().differs_in_source);
  studio.click("Bring A back", "button");
  studio.settle();
  CHECK(studio.expression() == "gemm(m=64, n=64, k=32, mma=tile, cta_tiler=(32,32,8))");
}

TEST_CASE("A and B run in turn in one run, and the result says faster, slower or no measurable difference") {
  const test::TemporaryFolder folder;
  // A worker that is asked to compare, and says these medians of A and B.
  const auto worker = [&](double a, double b) {
    const auto measured = [](double us, double other) {
      Measurement made;
      made.name = "gemm";
      made.m = made.n = 64, made.k = 32;
      made.device.name = "Fake GPU";
      made.arch = {70, 0};
      made.correctness.passed = true, made.correctness.compared = 4096;
      made.timing.emplace();
      made.timing->interleaved.kernel = spread_of({us, us, us});
      made.timing->interleaved.baseline = spread_of({other});
      made.timing->interleaved.ratio = other / us;
      made.timing->ratio_control = 1.01;
      return made;
    };
    test::put(folder / "answer", to_line(WorkerEvent(ComparisonEvent{1, {measured(a, b), measured(b, a)}})) + "\n");
    test::put(folder / "worker.sh",
              "echo '{\"event\":\"hello\",\"program\":\"fake\",\"protocol\":1}'\nread -r line\nprintf '%s' \"$line\" > " +
                  (folder / "asked").string() + "\ncat " + (folder / "answer").string() + "\n");
    return "sh " + (folder / "worker.sh").string();
  };
  LiveDriver studio;
  studio.open(LiveTab::compare);
  studio.click("Pin this as A", "button");
  studio.settle();
  studio.app.pending.push_back(studio::Edit{SetBinding{"small", "gemm(m=64, n=64, k=32, mma=tile, cta_tiler=(32,32,16))"}});
  studio.settle();
  studio.app.request.worker = worker(20, 10);
  studio.click("Run A and B in turn", "button");
  studio.settle();
  CHECK(studio.shows("B beside A, launched in turn: 2 times as fast: 100 % faster", "in turn"));
  CHECK(studio.says("text", "20.0 us"));
  // One question, with both.
  const std::string asked = test::contents(folder / "asked");
  CHECK(asked.find("\"op\":\"compare\"") != std::string::npos);
  CHECK(asked.find("cta_tiler=(32,32,8)") != std::string::npos);
  CHECK(asked.find("cta_tiler=(32,32,16)") != std::string::npos);
  // B's run is in the history, with what A did to it.
  REQUIRE(studio.live().history.runs().size() == 1);
  CHECK(studio.live().history.runs()[0].microseconds == 10);
  CHECK(studio.live().history.runs()[0].note == "in turn with A: 2 times as fast: 100 % faster");
  studio.app.request.worker = worker(10, 10.01);
  studio.click("Run A and B in turn", "button");
  studio.settle();
  CHECK(studio.says("in turn", "no measurable difference"));
  // What is edited since is another B.
  studio.app.pending.push_back(studio::Edit{SetBinding{"small", "gemm(m=64, n=64, k=32, mma=tile, cta_tiler=(64,64,16))"}});
  studio.settle();
  CHECK_FALSE(studio.says("in turn", "B beside A"));
  // One that hangs is stopped, and nothing else runs meanwhile.
  studio.app.request.worker = "sleep 1000";
  studio.click("Run A and B in turn", "button");
  REQUIRE(studio.app.gemm.in_turn);
  CHECK(studio.shows("RUNNING", "band"));
  CHECK(studio.item("Run", "button").value == "disabled");
  studio.click("Stop", "button");
  studio.settle();
  CHECK_FALSE(studio.app.gemm.in_turn);
  CHECK(studio.item("Run", "button").value.empty());
}

TEST_CASE("a compiler that hangs or crashes leaves the page as it was, and is stopped by a button") {
  const test::TemporaryFolder folder;
  const auto program = [&](const char* lines) {
    test::put(folder / "compiler", std::string("#!/bin/sh\n") + lines);
    std::filesystem::permissions(folder / "compiler", std::filesystem::perms::owner_all);
    return (folder / "compiler").string();
  };
  LiveDriver studio;
  studio.live().compiler.path = program("kill -SEGV $$\n");
  studio.open(LiveTab::ptx);
  studio.click("Compile", "button");
  studio.settle();
  CHECK(studio.says("text", "killed by signal 11"));
  studio.click("Compile again", "button");
  studio.live().compiler.path = program("sleep 1000\n");
  studio.click("Compile", "button");
  const auto begin = std::chrono::steady_clock::now();
  studio.frames(20);
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(10));
  studio.click("Stop compiling", "button");
  studio.settle();
  CHECK(studio.says("text", "the compilation was stopped"));
  studio.click("Compile again", "button");
  studio.live().compiler.path = program("echo '{\"ptx\":{\"text\":\".target sm_70\"},\"sass\":{\"text\":\"HMMA\"}}'\n");
  studio.click("Compile", "button");
  studio.settle();
  CHECK(studio.shows(".target sm_70", "machine line"));
  studio.open(LiveTab::sass);
  CHECK(studio.shows("HMMA", "machine line"));
}

TEST_CASE("what ptxas remarks of the machine code stands above it, and beside the result") {
  const test::TemporaryFolder folder;
  test::put(
      folder / "compiler",
      "#!/bin/sh\necho '{\"ptx\":{\"text\":\"p\"},\"sass\":{\"text\":\"s\"},\"ptxas\":[\"C7510: slow\",\"C7517 (allowed): fine\"]}'\n");
  std::filesystem::permissions(folder / "compiler", std::filesystem::perms::owner_all);
  LiveDriver studio;
  studio.live().compiler.path = (folder / "compiler").string();
  studio.open(LiveTab::ptx);
  CHECK_FALSE(studio.shows("ptxas: C7510: slow", "ptxas"));
  studio.click("Compile", "button");
  studio.settle();
  for (const LiveTab tab : {LiveTab::ptx, LiveTab::sass, LiveTab::result}) {
    studio.open(tab);
    CHECK(studio.shows("ptxas: C7510: slow", "ptxas"));
    CHECK(studio.shows("ptxas: C7517 (allowed): fine", "ptxas"));
  }
  studio.open(LiveTab::plan);
  CHECK_FALSE(studio.shows("ptxas: C7510: slow", "ptxas"));
}

TEST_CASE("a GEMM that vanishes from the document leaves the page to another, or to words") {
  LiveDriver studio;
  studio.act("binding.delete", {{"binding", "small"}});
  CHECK(studio.live().binding == "other");
  studio.act("binding.delete", {{"binding", "other"}});
  CHECK(studio.live().binding.empty());
  CHECK(studio.says("text", "The document has no GEMM"));
  studio.act("edit.undo");
  CHECK(studio.live().binding == "other");
}

TEST_CASE("a recording is shown for its own plan alone, and in a small window all is in one column") {
  const std::string tour = test::contents(test::source_dir() + "/assets/presets/tour.tess");
  LiveDriver studio(tour, 800, 600);
  studio.act("binding.select", {{"binding", "article_gemm"}});
  REQUIRE(studio.live().binding == "article_gemm");
  CHECK(studio.shows("RECORDED", "band"));
  std::string edited = studio.expression("article_gemm");
  edited.replace(edited.find("beta=-1.0"), 9, "beta=0.0");
  studio.app.pending.push_back(studio::Edit{SetBinding{"article_gemm", edited}});
  studio.settle();
  CHECK_FALSE(studio.shows("RECORDED", "band"));
  CHECK(studio.shows("NOT RUN", "band"));
}

TEST_CASE("what was recorded is covered while a prediction is asked, so that the answer does not stand beside the question") {
  LiveDriver studio(test::contents(test::source_dir() + "/assets/presets/tour.tess"));
  studio.act("binding.select", {{"binding", "tensor_gemm"}});
  REQUIRE(studio.live().binding == "tensor_gemm");
  REQUIRE(studio.shows("RECORDED", "band"));
  studio.click("Run", "button");
  studio.settle();
  REQUIRE(studio.shows("Say it and run", "button"));
  CHECK_FALSE(studio.shows("RECORDED", "band"));
  CHECK(studio.says("text", "is shown again when the question is answered"));
  studio.click("Not now", "button");
  CHECK(studio.shows("RECORDED", "band"));
}
