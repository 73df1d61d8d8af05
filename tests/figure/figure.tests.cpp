// SPDX-License-Identifier: BSD-3-Clause
// Every kind of value either becomes a figure or says why not.
#include "core/figure/figure.hpp"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/atom/instructions/catalog.hpp"
#include "core/lang/document/document.hpp"
#include "core/lang/programs/evaluate.hpp"
#include "core/lang/values/scope.hpp"
#include "core/render/shared/render.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/figures.hpp"
#include "tests/support/source_dir.hpp"

using namespace tessera;

namespace {

Result<Scene> drawn(const std::string& text, const FigureOptions& options = {}) {
  const Result<Value> value = evaluate(text);
  INFO((value ? text : describe(value.error(), text)));
  REQUIRE(value);
  return figure_of(*value, text, options);
}

std::size_t cells(const std::string& text, const FigureOptions& options = {}) {
  const Result<Scene> scene = drawn(text, options);
  INFO((scene ? text : describe(scene.error())));
  REQUIRE(scene);
  return cell_count(*scene);
}

}  // namespace

TEST_CASE("layouts, atoms, tiled objects, GEMMs and figure calls are drawn") {
  CHECK(cells("(4,8):(8,1)") == 32);
  CHECK(cells("(4,8)") == 32);
  CHECK(cells("Sw<2,0,2> o 0 o (4,4):(4,1)") == 2 * 16 + 2 * 4);  // with it, without it, and an offset's bits before and after
  CHECK(cells("SM70_8x8x4_F32F16F16F32_NT") == 32 + 32 + 64);
  CHECK(cells("make_tiled_mma(SM70_8x8x4_F32F16F16F32_NT, (2,2):(2,1))") == 64 + 64 + 256);
  CHECK(cells("tv_figure(((2,4),(2,2)):((8,1),(4,16)), (4,8):(8,1))") == 32);
  CHECK(cells("gemm(m=16, n=16, k=8, mma=make_tiled_mma(SM70_8x8x4_F32F16F16F32_NT, (2,2):(2,1)))") > 0);
}

TEST_CASE("what a caller sets wins over what the expression says") {
  FigureOptions options;
  options.title = "mine";
  CHECK(drawn("layout_figure((4,8):(8,1), title=\"theirs\")", options).value().title == "mine");
  CHECK(drawn("layout_figure((4,8):(8,1), title=\"theirs\")").value().title == "theirs");
  options.kind = "tv_c";
  CHECK(cells("SM70_8x8x4_F32F16F16F32_NT", options) == 64);
}

TEST_CASE("a page folds a long figure, unless the expression says how it is folded") {
  FigureOptions options;
  options.room.fold = 3;
  const auto grids = [&](const std::string& text) {
    const Scene scene = drawn(text, options).value();
    std::ptrdiff_t count = 0;
    for (const Panel& panel : scene.panels)
      count += std::count_if(panel.marks.begin(), panel.marks.end(), [](const Mark& mark) { return std::holds_alternative<Grid>(mark); });
    return count;
  };
  CHECK(grids("(96,4):(4,1)") == 3);
  CHECK(grids("layout_figure((96,4):(4,1), fold=2)") == 2);
  CHECK(grids("layout_figure((96,4):(4,1), fold=1)") == 1);
}

TEST_CASE("a tensor whose element type was written colours its banks by it, through the functions that give its parts") {
  const auto bits_said = [](const std::string& text) {
    const Scene scene = drawn(text).value();
    for (const std::string& said : testing::texts_of(scene, LabelRole::note)) {
      if (said.starts_with("bank = ")) return said.substr(said.find("; ") + 2);
    }
    return std::string("nothing");
  };
  const std::string sixteen = "an element has 16 bits", unknown = "elements are taken to have 32 bits";
  const std::string atom = "GMMA::Layout_K_SW128_Atom<half_t>";
  CHECK(bits_said("layout_figure(" + atom + ", color=bank)") == sixteen);
  CHECK(bits_said("layout_figure(tile_to_shape(" + atom + ", (16,64)), color=bank)") == sixteen);
  CHECK(bits_said("layout_figure(Sw<3,4,3> o smem_ptr[16b](unset) o (8,64):(64,1), color=bank)") == sixteen);
  CHECK(bits_said("layout_figure(smem_ptr[16b](unset) o (8,64):(64,1), color=bank)") == sixteen);
  CHECK(bits_said("layout_figure(local_tile(" + atom + ", (4,8), (0,1)), color=bank)") == sixteen);
  CHECK(bits_said("layout_figure(recast_layout(" + atom + ", 16, 8), color=bank)") == "an element has 8 bits");
  CHECK(bits_said("layout_figure(upcast(" + atom + ", 2), color=bank)") == "an element has 32 bits");
  CHECK(bits_said("layout_figure(" + atom + ", color=bank, bits=8)") == "an element has 8 bits");  // what is asked for wins
  CHECK(bits_said("layout_figure((8,64):(64,1), color=bank)").starts_with(unknown));
  CHECK(bits_said("layout_figure((8,64):(64,1))") == "nothing");
}

TEST_CASE("what cannot be drawn is refused in words") {
  for (const char* text : {"Sw<2,0,2>", "\"text\"", "size((4,8):(8,1)) == 32"}) {
    const Result<Value> value = evaluate(text);
    if (!value) continue;  // not every spelling is in the language
    const Result<Scene> scene = figure_of(*value, text);
    INFO(text);
    REQUIRE_FALSE(scene);
    CHECK(scene.error().code == ErrorCode::wrong_type);
  }
  CHECK(drawn("nonsense_figure((4,8):(8,1))").error().code == ErrorCode::unknown_name);
  CHECK(drawn("layout_figure((4,8):(8,1), colour=\"bank\")").error().code == ErrorCode::unknown_name);
  CHECK(drawn("(1048576,1048576):(1048576,1)").error().code == ErrorCode::limit);
  CHECK(figure_style("print_latec").error().code == ErrorCode::unknown_name);
}

TEST_CASE("arguments are what their kind of figure takes them for: a tiler, the bits of a load, figures") {
  CHECK(cells("divide_figure((4,8):(8,1), (2,4))") == 64);  // tiles of 2 x 4, not of 8 elements in a row
  CHECK(drawn("divide_figure((4,8):(8,1), (2,4))").value().panels[1].name == "zipped_divide:  ((2,4),(2,2)):((8,1),(16,4))");
  CHECK(cells("product_figure((2,2):(2,1), (2,3))") == 4 + 6 + 24);
  CHECK(cells("banks_figure(32, 32:2, bits=32)") == 64);
  CHECK(cells("banks_figure(SM75_U32x4_LDSM_N, (16,64):(64,1))") == 32 * 32);
  CHECK(cells("panels_figure((4,8):(8,1), tv_figure(((2,4),(2,2)):((8,1),(4,16)), (4,8):(8,1)))") == 64);
  CHECK(figure_kind_of(evaluate("Sw<3,3,3> o 0 o (8,64):(64,1)").value()).value() == "swizzle");
  CHECK(figure_kind_of(evaluate("Sw<0,3,3> o 0 o (8,64):(64,1)").value()).value() == "layout");
  const Error global = drawn("banks_figure(32, make_tensor(gmem_ptr[32b](unset), 32:2))").error();
  CHECK(global.message == "the second argument lies in global memory, which has no banks");
  CHECK(drawn("panels_figure((4,8):(8,1), 4.5)").error().message.find("of kind number") != std::string::npos);
}

TEST_CASE("each kind of value is offered as a drawing and drawn as a drawing, or refused by its kind") {
  struct Row {
    const char* text;
    bool offered;
    std::size_t cells;  // 0: refused
  };
  const std::string gemm = "gemm(m=16, n=16, k=8, mma=make_tiled_mma(SM70_8x8x4_F32F16F16F32_NT, (2,2):(2,1)))";
  for (const Row& row : {Row{"(4,8)", false, 32},
                         {"(4,8):(8,1)", true, 32},
                         {"Sw<2,0,2> o 0 o (4,4):(4,1)", true, 2 * 16 + 2 * 4},
                         {"Sw<2,0,2>", false, 0},
                         {"(4:1,8:1)", false, 0},
                         {"true", false, 0},
                         {"0.5", false, 0},
                         {"\"x\"", false, 0},
                         {"slice_and_offset((0,_),(4,8):(8,1))", true, 8},
                         {"slice_and_offset((1,_),(4,8):(8,1))", true, 8},
                         {"SM80_16x8x16_F32F16F16F32_TN", true, 16 * 16 + 8 * 16 + 16 * 8},
                         {"Copy_Atom<UniversalCopy<float>,float>", true, 1},
                         {"make_tiled_mma(SM70_8x8x4_F32F16F16F32_NT, (2,2):(2,1))", true, 64 + 64 + 256},
                         {gemm.c_str(), true, cells(gemm)},
                         {"layout_figure((4,8):(8,1))", true, 32}}) {
    INFO(row.text);
    const Value value = evaluate(row.text).value();
    CHECK(is_drawable(value) == row.offered);
    const Result<Scene> scene = figure_of(value, row.text);
    REQUIRE(static_cast<bool>(scene) == (row.cells > 0));
    if (scene) CHECK(cell_count(*scene) == row.cells);
    if (scene) CHECK(scene->expression == row.text);
    if (!scene) CHECK(scene.error().message.find("of kind " + std::string(kind_name(value))) != std::string::npos);
    if (!scene) CHECK_FALSE(scene.error().notes.empty());
  }
}

TEST_CASE("a slice's figure shows its elements at the slice's offset") {
  const auto labels = [](const std::string& text) {
    std::vector<std::string> said;
    const Scene scene = drawn(text).value();
    each_cell(scene, 0, [&](const CellView& cell) { said.emplace_back(cell.label); });
    return said;
  };
  CHECK(labels("slice_and_offset((1,_),(4,4):(4,1))") == std::vector<std::string>{"4", "5", "6", "7"});
  CHECK(labels("slice_and_offset((0,_),(4,4):(4,1))") == std::vector<std::string>{"0", "1", "2", "3"});
}

TEST_CASE("a palette is a string of the language: a name, or colours of one's own") {
  const auto fills = [](const Scene& scene) {
    std::vector<Rgb> out;
    each_cell(scene, 0, [&](const CellView& cell) { out.push_back(scene.palette.at(cell.fill)); });
    return out;
  };
  CHECK(fills(drawn("layout_figure((3,1):(1,3), color=row, palette=\"#0072b2,#e69f00 #093\")").value()) ==
        std::vector<Rgb>{{0, 114, 178}, {230, 159, 0}, {0, 153, 51}});
  CHECK(drawn("layout_figure((2,1):(1,2), palette=\"#0072b2,orange\")").error().message.starts_with("'orange' is not a colour"));
}

TEST_CASE("every parameter of a figure call is read, and what a caller sets wins over each") {
  const std::string call = "tv_figure(((2,4),(2,2)):((8,1),(4,16)), (4,8):(8,1), title=\"theirs\", palette=\"white\", thread=3)";
  const auto faint = [](const Scene& scene) {
    int count = 0;
    each_cell(scene, 0, [&](const CellView& cell) { count += cell.faint; });
    return count;
  };
  const Scene theirs = drawn(call).value();
  CHECK(theirs.title == "theirs");
  CHECK(theirs.style == FigureStyle::tessera);
  CHECK(faint(theirs) == 28);  // all but thread 3's
  FigureOptions options;
  options.title = "mine";
  CHECK(drawn(call, options)->title == "mine");
  options = {};
  options.parameters["thread"] = "99";
  CHECK((!drawn(call, options) || faint(*drawn(call, options)) != 28));
  options = {};
  options.palette = "nonsense";
  CHECK_FALSE(drawn(call, options));
  options = {};
  options.style = FigureStyle::print_latex;
  CHECK(drawn("layout_figure((4,8):(8,1))", options)->style == FigureStyle::print_latex);
  CHECK(drawn("layout_figure((4,8):(8,1), style=\"print_latex\")")->style == FigureStyle::print_latex);
  CHECK(drawn("layout_figure((4,8):(8,1), style=\"none\")").error().code == ErrorCode::unknown_name);
  for (const auto& [name, style] :
       {std::pair{"tessera", FigureStyle::tessera}, {"print_latex", FigureStyle::print_latex}, {"print_svg", FigureStyle::print_svg}})
    CHECK(figure_style(name).value() == style);
  CHECK(drawn("(4,8):(8,1)  # rows")->expression.starts_with("(4,8):(8,1)"));
}

TEST_CASE("every copy instruction is drawn, with the first common type that it moves whole") {
  for (const std::string& name : copy_atom_names()) {
    const Result<Value> value = evaluate(name);
    if (!value) continue;
    INFO(name);
    const Result<Scene> scene = figure_of(*value, name);
    if (!scene) CHECK(scene.error().code != ErrorCode::not_divisible);
  }
  // 128 bits of a thread are 8 halves, 64 are 4, 8 are a byte; both sides are alike.
  CHECK(cells("UniversalCopy<uint128_t>") == 8);
  CHECK(cells("UniversalCopy<uint64_t>") == 4);
  CHECK(cells("UniversalCopy<uint16_t>") == 1);
  CHECK(cells("UniversalCopy<uint8_t>") == 1);
}

TEST_CASE("a sweep is drawn as bars of its numbers, and a report without points is not") {
  const Scene scene = drawn("sweep(access(128, (32,32):(p,1)), p=32..56, step=8)").value();
  std::vector<std::string> said;
  for (const Mark& mark : scene.panels.front().marks) {
    if (const auto* label = std::get_if<Label>(&mark)) said.emplace_back(scene.text_of(label->text));
  }
  const auto says = [&](std::string_view text) { return std::count(said.begin(), said.end(), text); };
  CHECK(says("p = 40") == 1);
  CHECK(says("wavefronts") >= 1);
  FigureOptions options;
  options.parameters["column"] = "instructions";
  CHECK(drawn("sweep(access(128, (32,32):(p,1)), p=32..56, step=8)", options));
  options.parameters["column"] = "conflict";
  CHECK(drawn("sweep(access(128, (32,32):(p,1)), p=32..56, step=8)", options).error().notes.at(0).find("wavefronts") != std::string::npos);
  CHECK_FALSE(is_drawable(evaluate("waves(4096,4096,(128,128),132)").value()));
  CHECK(figure_kind_of(evaluate("sweep(p, p=1..64)").value()).value() == "chart");
  CHECK(figure_kind_of(evaluate("sweep(p, p=1..65)").value()).value() == "series");  // more than bars can be
  CHECK_FALSE(is_drawable(evaluate("sweep((p,p), p=1..65)").value()));
  CHECK_FALSE(drawn("chart_figure((4,8):(8,1))"));
}

TEST_CASE("print_layout and print write what CuTe's functions wrote, byte for byte") {
  std::ifstream file(test::source_dir() + "/tests/oracle/latex/texts.jsonl");
  std::string line;
  int rows = 0;
  while (std::getline(file, line)) {
    const nlohmann::json row = nlohmann::json::parse(line);
    const std::string object = row["object"], kind = row["kind"];
    const Result<Value> value = evaluate(object);
    INFO(kind << " " << object);
    REQUIRE(value);
    const Result<std::string> text = text_of(*value, kind);
    REQUIRE(text);
    CHECK(*text == row["text"].get<std::string>());
    ++rows;
  }
  CHECK(rows == 27);
}

TEST_CASE("print_layout refuses what is no table of numbers") {
  const auto refused = [](const char* text) { return text_of(evaluate(text).value(), "print_layout").error(); };
  CHECK(refused("(2,3,4)").code == ErrorCode::rank_mismatch);
  CHECK(refused("(2,3,4):(1,2,6)").message.find("two modes") != std::string::npos);
  CHECK(refused("make_identity_layout((2,3))").message.find("coordinates") != std::string::npos);
  CHECK(refused("(100000,100000):(1,100000)").code == ErrorCode::limit);
  CHECK(refused("SM70_8x8x4_F32F16F16F32_NT").code == ErrorCode::wrong_type);
}

TEST_CASE("threads are written as one likes, and drawn alike") {
  const auto lit = [](const std::string& thread) {
    const Result<Scene> scene = drawn("tv_figure(((2,4),(2,2)):((8,1),(4,16)), (4,8):(8,1), thread=" + thread + ")");
    INFO(thread);
    if (!scene) FAIL(describe(scene.error()));
    std::set<std::int32_t> threads;
    each_cell(*scene, 0, [&](const CellView& cell) {
      if (!cell.faint) threads.insert(subject_of(*scene, cell.id).value().thread);
    });
    return threads;
  };
  for (const char* four : {"0-3", "\"0-3\"", "0..3", "(0,1,2,3)", "\"0,1-3\"", "0 - 3"})
    CHECK(lit(four) == std::set<std::int32_t>{0, 1, 2, 3});
  CHECK(lit("5") == std::set<std::int32_t>{5});
  CHECK(lit("(0,1)") == std::set<std::int32_t>{0, 1});
  CHECK(lit("4 - 4") == std::set<std::int32_t>{4});
  for (const char* wrong : {"3-1", "-3", "\"a\"", "(0,(1,2))", "1.5"})
    CHECK_FALSE(drawn("tv_figure(((2,4),(2,2)):((8,1),(4,16)), (4,8):(8,1), thread=" + std::string(wrong) + ")"));
}

TEST_CASE("an object too many is refused, and labels are never blank") {
  const auto refusal = [](const std::string& text) {
    const Result<Scene> scene = drawn(text);
    return scene ? std::string() : scene.error().message;
  };
  for (const char* text : {"layout_figure((4,8):(8,1), (2,2))", "mma_figure(SM70_8x8x4_F32F16F16F32_NT, (2,2))",
                           "copy_figure(make_tiled_copy(Copy_Atom<UniversalCopy<half_t>, half_t>, (4,8):(8,1)), (4,8):(8,1))",
                           "tv_figure(((2,4),(2,2)):((8,1),(4,16)), (4,8):(8,1), (4,8):(8,1))"}) {
    INFO(text);
    CHECK(refusal(text).find("draws") != std::string::npos);
  }
  CHECK(refusal("tv_figure(((2,4),(2,2)):((8,1),(4,16)), labels=offset)").find("data layout") != std::string::npos);
  CHECK(refusal("mma_figure(SM70_8x8x4_F32F16F16F32_NT, labels=offset)").find("none of this figure's choices") != std::string::npos);
  CHECK(refusal("tv_figure(((2,4),(2,2)):((8,1),(4,16)), (4,8):(8,1), labels=offset)").empty());
}

TEST_CASE("hierarchical coordinates are those of the modes' own modes") {
  const Scene scene = drawn("layout_figure((4,(2,4)):(8,(4,1)), labels=hier_coordinate)").value();
  std::vector<std::string> labels;
  each_cell(scene, 0, [&](const CellView& cell) { labels.emplace_back(cell.label); });
  for (const char* each : {"(0,(0,0))", "(3,(1,3))", "(2,(1,0))"}) CHECK(std::count(labels.begin(), labels.end(), each) == 1);
}

namespace {

std::size_t lit(const Scene& scene) {
  std::size_t count = 0;
  each_cell(scene, 0, [&](const CellView& cell) { count += !cell.faint; });
  return count;
}

}  // namespace

TEST_CASE("selectors are written bare, in parentheses or as a text, and mean themselves") {
  const std::string tv = "tv_figure(((2,4),(2,2)):((8,1),(4,16)), (4,8):(8,1), ";
  for (const auto& [text, count] : {std::pair{"highlight=T3", 4},
                                    {"highlight=T0-3", 16},
                                    {"highlight=(2,5)", 1},
                                    {"highlight=(T0, Q1)", 20},
                                    {"highlight=\"T0-3, rows=2\"", 24},
                                    {"highlight=V0", 8}}) {
    INFO(text);
    const Result<Scene> scene = drawn(tv + text + ")");
    INFO((scene ? "" : describe(scene.error())));
    REQUIRE(scene);
    CHECK(lit(*scene) == static_cast<std::size_t>(count));
  }
  FigureOptions options;
  options.parameters = {{"highlight", "T0-3"}, {"crop", "rows=0-1"}, {"caption", "no"}};
  CHECK(lit(drawn("tv_figure(((2,4),(2,2)):((8,1),(4,16)), (4,8):(8,1))", options).value()) == 16);
  CHECK(drawn(tv + "title=no, legend=no, crop=\"cols=0-3\")").value().title.empty());
}

TEST_CASE("a layout of colours is written as a layout, a binding's value or a text") {
  const std::string legend = "colour: the value of (4,8):(1,4)";
  const auto says = [&](const Result<Scene>& scene) {
    INFO((scene ? "" : describe(scene.error())));
    REQUIRE(scene);
    return scene->text.find(legend) != std::string::npos;
  };
  CHECK(says(drawn("layout_figure((4,8):(8,1), color=(4,8):(1,4))")));
  CHECK(says(drawn("layout_figure((4,8):(8,1), color=\"(4,8):(1,4)\")")));
  const Value colors = evaluate("(4,8):(1,4)").value();
  const Scope scope = [&](std::string_view name) { return name == "warps" ? &colors : nullptr; };
  const Value bound = evaluate("layout_figure((4,8):(8,1), color=warps)", scope).value();
  CHECK(says(figure_of(bound, "f")));
  FigureOptions options;
  options.parameters = {{"color", "(4,8):(1,4)"}};
  CHECK(says(drawn("(4,8):(8,1)", options)));
  options.parameters = {{"color", "row"}};  // what a caller says wins
  CHECK_FALSE(says(drawn("layout_figure((4,8):(8,1), color=(4,8):(1,4))", options)));
  CHECK_FALSE(drawn("layout_figure((4,8):(8,1), color=\"(4,8):(1\")"));
  CHECK_FALSE(drawn("layout_figure((4,8):(8,1), color=(8,4):(1,8))"));
}

TEST_CASE("a caller's layout of colours may be a name or an expression of names; the figures' own words stay words") {
  const Value colors = evaluate("(4,8):(1,4)").value(), atom = evaluate("SM70_8x8x4_F32F16F16F32_NT").value();
  const Scope scope = [&](std::string_view name) { return name == "c1" || name == "row" ? &colors : name == "instr" ? &atom : nullptr; };
  const auto written = [&](const std::string& color) {
    FigureOptions options;
    options.parameters = {{"color", color}, {"caption", "no"}};
    const Status status = write_out_layouts(options, scope);
    return status ? options.parameters["color"] : status.error().message;
  };
  CHECK(written("c1") == "(4,8):(1,4)");
  CHECK(written("coalesce(c1)") == "32:1");
  CHECK(written("composition(c1, (4,2):(1,4))") == "(4,2):(1,4)");
  CHECK(written("(4,8):(8,1)") == "(4,8):(8,1)");
  CHECK(written("row") == "row");
  CHECK(written("rows") == "rows");  // the figure says which words it has
  CHECK(written("").empty());
  CHECK(written("c1 +").starts_with("color=c1 +: "));
  CHECK(written("instr").starts_with("color=instr: "));
  for (const std::string object : {"(4,8):(8,1)", "tv_figure(((2,4),(2,2)):((8,1),(4,16)), (4,8):(8,1))",
                                   "copy_figure(make_tiled_copy(Copy_Atom<UniversalCopy<float>, float>{}, (4,8):(8,1), (1,1):(0,0)))"}) {
    FigureOptions options;
    options.parameters = {{"color", "c1"}};
    REQUIRE(write_out_layouts(options, scope));
    const Result<Scene> scene = drawn(object, options);
    INFO(object << (scene ? "" : describe(scene.error())));
    REQUIRE(scene);
    CHECK(scene->text.find("colour: the value of (4,8):(1,4)") != std::string::npos);
  }
}

TEST_CASE("a style is read by the name that it is written with") {
  for (const FigureStyle style : {FigureStyle::tessera, FigureStyle::print_latex, FigureStyle::print_svg}) {
    const Result<FigureStyle> read = figure_style(name_of(style));
    REQUIRE(read);
    CHECK(*read == style);
  }
  CHECK_FALSE(figure_style(""));
  CHECK_FALSE(figure_style("print"));
}

TEST_CASE("a word of a parameter means itself, whatever is bound to its name, and a number in the place of one is the number") {
  const auto drawn = [](std::string_view text) {
    const auto bindings = evaluate(*parse_document(text));
    for (const EvaluatedBinding& each : bindings) {
      if (!each.value) return describe(each.value.error());
    }
    const Result<Scene> scene = figure_of(*bindings.back().value, "f");
    return scene ? std::string() : scene.error().message;
  };
  CHECK(drawn("let k = 64\nlet f = mma_figure(SM80_16x8x16_F32F16F16F32_TN, steps=k)\n").empty());
  CHECK(drawn("let offset = 7\nlet f = layout_figure((4,8):(8,1), labels=offset)\n").empty());
  CHECK(drawn("let t = 3\nlet f = tv_figure(((2,4),(2,2)):((8,1),(4,16)), (4,8):(8,1), thread=t)\n").empty());
  CHECK_FALSE(drawn("let t = 300\nlet f = tv_figure(((2,4),(2,2)):((8,1),(4,16)), (4,8):(8,1), thread=t)\n").empty());
}

TEST_CASE("kinds that are called by what a reader sees are the same under both names") {
  const std::string tv = "((2,4),(2,2)):((8,1),(4,16))";
  for (const auto& [old_name, new_name] : {std::pair<std::string, std::string>{"tv", "owners"}, {"tv_inverse", "owned"}}) {
    const auto drawn = [&](const std::string& function, const std::string& kind) {
      FigureOptions options;
      options.kind = kind;
      const Value value = evaluate(function + "_figure(" + tv + ", (4,8):(8,1), thread=3)").value();
      const Scene scene = figure_of(value, "mine", options).value();
      return render_svg(scene).value();
    };
    CHECK(drawn(new_name, "") == drawn(old_name, ""));
    CHECK(drawn("tv", new_name) == drawn("tv", old_name));
    CHECK(has_parameter(new_name, "thread"));
    CHECK(kind_called(new_name) == old_name);
    CHECK(figure_kind_of(evaluate(new_name + "_figure(" + tv + ", (4,8):(8,1))").value()).value() == old_name);
  }
  CHECK(kind_called("nobody") == "nobody");
}
