// SPDX-License-Identifier: BSD-3-Clause
// The figure of a GEMM in time: bars have the k-tile and the stage of what the roles do, and arrows go from what arrives to who waits.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/diagram/kinds/figures.hpp"
#include "core/diagram/kinds/timeline_operations.hpp"
#include "core/diagram/parts/steps.hpp"
#include "core/gemm/lower/lower.hpp"
#include "core/gemm/plan/explain_op.hpp"
#include "core/gemm/rungs/ladder.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/figures.hpp"
#include "tests/support/gemm_specs.hpp"

using namespace tessera;

namespace {

Scene drawn(const GemmSpec& gemm, std::string k_tiles = {}, std::string phases = "no") {
  FigureSpec spec;
  spec.kind = "timeline";
  spec.objects = {lower(gemm).value()};
  if (!k_tiles.empty()) spec.parameters["k_tiles"] = std::move(k_tiles);
  spec.parameters["phases"] = std::move(phases);
  const Result<Scene> scene = make_figure(spec);
  if (!scene) FAIL(describe(scene.error()));
  return *scene;
}

struct Found {
  std::multiset<std::string> bars;  // texts
  std::set<std::string> texts;      // of labels
  std::map<std::string, std::set<ColorIndex>> colors;
  std::size_t arrows = 0;
};
Found look(const Scene& scene) {
  Found found;
  for (const Mark& mark : scene.panels.front().marks) {
    if (const auto* cell = std::get_if<Cell>(&mark)) {
      const std::string text(scene.text_of(cell->label));
      found.bars.insert(text);
      found.colors[text].insert(cell->fill);
    }
    if (const auto* label = std::get_if<Label>(&mark)) found.texts.insert(std::string(scene.text_of(label->text)));
    found.arrows += std::holds_alternative<Arrow>(mark);
  }
  return found;
}

// Bars as their words say them.
struct Said {
  std::string words;
  long start = 0, end = 0;
  bool faint = false;
};
std::vector<Said> said_in(const Scene& scene) {
  std::vector<Said> found;
  for (const Mark& mark : scene.panels.front().marks) {
    const auto* cell = std::get_if<Cell>(&mark);
    if (!cell || cell->subject == kNoSubject) continue;
    Said said{std::string(scene.words_of(scene.subjects[cell->subject])), 0, 0, cell->faint};
    REQUIRE(std::sscanf(said.words.c_str() + said.words.rfind(", steps"), ", steps %ld to %ld", &said.start, &said.end) == 2);
    found.push_back(std::move(said));
  }
  return found;
}

GemmSpec skewed() { return support::hopper(Overlap::skewed, 512, 256, 384, 256, 128, 2); }

}  // namespace

TEST_CASE("a pipeline's timeline has a copy, its fragments and its product for each k-tile, coloured by stage") {
  const Found found = look(drawn(support::tensor(64, 64, 160, 64, 64, 32, 3)));
  for (const char* stage : {"stage 0", "stage 1", "stage 2"}) CHECK(found.texts.contains(stage));
  for (const char* k_tile : {"1", "2", "3"}) {
    CAPTURE(k_tile);
    CHECK(found.bars.count(k_tile) == 3);
    CHECK(found.colors.at(k_tile).size() == 1);  // all of a k-tile is in one stage
  }
  CHECK(found.colors.at("1") != found.colors.at("2"));
  CHECK(found.colors.at("0") == found.colors.at("3"));  // k-tile 3 follows k-tile 0 in stage 0
  CHECK(found.bars.count("tile 0 of C") == 1);
  CHECK(found.texts.contains("CTA"));
  CHECK(!found.texts.contains("waits for what is named"));  // a single role waits for nobody
}

TEST_CASE("arrows of a timeline lie over its bars, and a k-tile that is multiplied while it is loaded is said") {
  const Scene scene = drawn(support::tensor(256, 256, 256, 64, 64, 32, 3));
  std::size_t last_bar = 0, first_arrow = scene.panels.front().marks.size();
  for (std::size_t i = 0; i < scene.panels.front().marks.size(); ++i) {
    const Mark& mark = scene.panels.front().marks[i];
    if (const auto* cell = std::get_if<Cell>(&mark); cell && cell->subject != kNoSubject) last_bar = i;
    if (std::holds_alternative<Arrow>(mark)) first_arrow = std::min(first_arrow, i);
  }
  CHECK(last_bar < first_arrow);
  const std::vector<std::string> notes = testing::texts_of(scene, LabelRole::note);
  CHECK(std::count(notes.begin(), notes.end(),
                   "the products of k-tile 7 begin before all fragments are loaded: each waits only for its own") == 1);
}

TEST_CASE("a tile that waits in registers for its stage has a bar and a colour of its own, and is no store") {
  GemmSpec spec = support::tensor(64, 64, 160, 64, 64, 32, 1);
  spec.copies = Copies::ahead;
  const Found found = look(drawn(spec));
  CHECK(found.texts.contains("k-tile in registers"));
  for (const char* k_tile : {"1", "2", "3"}) {
    CAPTURE(k_tile);
    CHECK(found.bars.count(k_tile) == 4);  // fetched, put, its fragments, multiplied
    CHECK(found.colors.at(k_tile).size() == 2);
    CHECK(found.colors.at(k_tile) == found.colors.at("2"));
  }
  for (const auto& color : found.colors.at("tile 0 of C")) CHECK_FALSE(found.colors.at("2").contains(color));
  CHECK_FALSE(look(drawn(support::tensor(64, 64, 160, 64, 64, 32, 3))).texts.contains("k-tile in registers"));
}

TEST_CASE("a timeline without stages has fragments and a product for each k-tile, in one colour") {
  const Scene scene = drawn(support::element_a_thread(true));
  const Found found = look(scene);
  CHECK(found.texts.contains("a k-tile"));
  for (const Panel& panel : scene.panels) {
    for (const Mark& mark : panel.marks) {
      const auto* label = std::get_if<Label>(&mark);
      if (label != nullptr) CHECK(scene.text_of(label->text).find("stage") == std::string_view::npos);
    }
  }
  CHECK_FALSE(found.texts.contains("copies"));
  for (const char* k_tile : {"0", "1", "2"}) {
    CAPTURE(k_tile);
    CHECK(found.bars.count(k_tile) == 2);
    CHECK(found.colors.at(k_tile) == found.colors.at("0"));
    CHECK(found.colors.at(k_tile).size() == 1);
  }
  CHECK(found.texts.contains("tile 0 of C"));  // beside its bar, which has no room for the words
}

TEST_CASE("the timeline of a producer and consumers has a lane for either, and arrows from arrivals to waits") {
  const Found found = look(drawn(skewed()));
  for (const char* role : {"producer", "consumer, 0 and 1", "waits for what is named", "stage 2"}) CHECK(found.texts.contains(role));
  CHECK(found.bars.count("tile 0 of C") == 2);
  CHECK(found.bars.count("tile 1 of C") == 2);
  CHECK(found.bars.count("5") == 6);  // two tiles: copied once, multiplied by two consumers
  CHECK(found.arrows > 4);
}

TEST_CASE("a bar of a timeline names its operations by their numbers, in every plan that equals the one that was drawn") {
  for (const GemmSpec& spec : {support::tensor(64, 64, 160, 64, 64, 32, 3), skewed()}) {
    const Scene scene = drawn(spec, {}, "yes");
    const GemmPlan plan = lower(spec).value();
    const std::vector<const plan::Op*> operations = operations_of(plan);
    const BarOperations bars = timeline_operations(plan).value();
    std::size_t copies = 0, products = 0, phases = 0;
    for (const Mark& mark : scene.panels.front().marks) {
      const auto* cell = std::get_if<Cell>(&mark);
      if (!cell || cell->subject == kNoSubject) continue;
      const Subject& subject = scene.subjects[cell->subject];
      const std::string words(scene.words_of(subject));
      INFO(words);
      if (words.find(" is in phase ") != std::string::npos) {
        ++phases;
        CHECK_FALSE(bars.contains(words));
        continue;
      }
      REQUIRE(bars.contains(words));
      const std::vector<std::int32_t>& said = bars.at(words);
      REQUIRE_FALSE(said.empty());
      CHECK(std::set(said.begin(), said.end()).size() == said.size());
      for (const std::int32_t number : said) {
        REQUIRE(static_cast<std::size_t>(number) < operations.size());
        const plan::AnyOp& op = operations[static_cast<std::size_t>(number)]->op;
        const bool multiplies = words.find(" multiplies") != std::string::npos, copy = words.find(" copies ") != std::string::npos;
        products += multiplies, copies += copy;
        if (multiplies) CHECK(std::holds_alternative<plan::Mma>(op));
        if (copy) CHECK(std::holds_alternative<plan::Copy>(op));
        if (words.find(" waits ") != std::string::npos)
          CHECK((std::holds_alternative<plan::Wait>(op) || std::holds_alternative<plan::WaitGroup>(op)));
      }
      if (words.find(" copies A and B ") != std::string::npos) CHECK(said.size() > 1);
    }
    CHECK(copies > 0);
    CHECK(products > 0);
    CHECK((phases > 0) == (spec.overlap == Overlap::skewed));  // only these have mbarriers
  }
}

TEST_CASE("the phases of a timeline's barriers end with the copies that fill a stage, and the parity turns with each") {
  const Scene scene = drawn(skewed(), "0-5");
  const Scene with = drawn(skewed(), "0-5", "yes");
  std::map<std::pair<long, long>, long> copied;  // stage, lap -> the step at which the copy is over
  std::map<long, long> laps;
  for (const Said& said : said_in(scene)) {
    long stage = 0, k_tile = 0;
    if (std::sscanf(said.words.c_str(), "CTA 0, producer copies A and B of k_tile %ld to stage %ld", &k_tile, &stage) != 2) continue;
    copied[{stage, laps[stage]++}] = said.end;
  }
  REQUIRE(copied.size() > 8);
  std::size_t seen = 0;
  std::map<std::string, long> last;  // barrier -> where its phase before ended
  for (const Said& said : said_in(with)) {
    char barrier[16] = {};
    long stage = 0, phase = 0, parity = 0;
    if (std::sscanf(said.words.c_str(), "CTA 0, %15s of stage %ld is in phase %ld, of parity %ld", barrier, &stage, &phase, &parity) != 4)
      continue;
    INFO(said.words);
    CHECK(parity == phase % 2);
    const std::string name = std::string(barrier) + std::to_string(stage);
    if (phase > 0) CHECK(last.at(name) == said.start);
    last[name] = said.end;
    const auto found = copied.find({stage, phase});
    if (std::string_view(barrier) != "full" || found == copied.end()) continue;
    CHECK(said.end == found->second);
    ++seen;
  }
  CHECK(seen == copied.size());
  CHECK(last.size() == 2 * laps.size());  // full and empty
  CHECK(look(with).texts.contains("barriers"));
  CHECK_FALSE(look(scene).texts.contains("barriers"));
}

TEST_CASE("a bar that is too narrow for its name has it beside") {
  GemmSpec spec = find_rung(13)->spec(4096, 4096, 4096).value();
  spec.cluster = IntTuple::tuple({2, 1});
  const Scene scene = drawn(spec);
  std::size_t beside = 0;
  for (const Mark& mark : scene.panels.front().marks) {
    const auto* label = std::get_if<Label>(&mark);
    if (!label || scene.text_of(label->text) != "empty") continue;
    ++beside;
    CHECK(label->anchor == Anchor::left);
  }
  CHECK(beside == 1);
}

TEST_CASE("what all roles wait for before their work and after it is no part of a timeline") {
  for (const bool clustered : {true, false}) {
    GemmSpec spec = skewed();
    if (!clustered) spec.cluster = 1;
    const Found found = look(drawn(spec));
    CHECK(found.texts.contains("waits for what is named"));
    for (const char* barrier : {"cluster", "cta"}) CHECK_FALSE(found.bars.contains(barrier));
  }
}

TEST_CASE("a timeline shows the k-tiles that are asked for, the first and the last where none are") {
  const GemmSpec spec = support::tensor(4096, 4096, 4096);
  const Found first_and_last = look(drawn(spec));
  CHECK(first_and_last.bars.contains("3"));
  CHECK(first_and_last.bars.contains("127"));
  CHECK(!first_and_last.bars.contains("60"));
  CHECK(first_and_last.texts.contains("k-tiles 6-123 alike"));
  const std::vector<std::string> notes = testing::texts_of(drawn(spec), LabelRole::note);
  CHECK(std::count(notes.begin(), notes.end(), "drawn from copy to product: k-tiles 0-3, 126-127; steps between torn edges are left out") ==
        1);
  const Found asked = look(drawn(spec, "60-61"));
  CHECK(asked.bars.contains("60"));
  CHECK(asked.texts.contains("k-tiles 64-127"));  // the last ones are not like the others
  CHECK(!asked.bars.contains("127"));
  FigureSpec beyond;
  beyond.kind = "timeline", beyond.objects = {lower(spec).value()}, beyond.parameters["k_tiles"] = "128";
  const auto refused = make_figure(beyond);
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().message == "k_tile 128 is not one of the 128 tiles of K");
  beyond.objects = {support::layout(4, 1)};
  REQUIRE_FALSE(make_figure(beyond).has_value());
}

TEST_CASE("a bar says who does what to which k-tile, and in which steps of the simulation") {
  const auto has = [](const std::vector<Said>& all, std::string_view words) {
    return std::any_of(all.begin(), all.end(), [&](const Said& said) { return said.words.starts_with(words); });
  };
  const std::vector<Said> pipeline = said_in(drawn(support::tensor(64, 64, 160, 64, 64, 32, 3)));
  for (const char* words :
       {"CTA 0, cta copies A and B of k_tile 4 to stage 1, steps ", "CTA 0, cta loads fragments of A and B of k_tile 0, steps ",
        "CTA 0, cta multiplies k_tile 3, steps ", "CTA 0, cta stores tile 0 of C, steps "}) {
    CAPTURE(words);
    CHECK(has(pipeline, words));
  }
  const std::vector<Said> roles = said_in(drawn(skewed()));
  CHECK(has(roles, "CTA 0, producer copies A and B of k_tile 0 to stage 0, steps "));
  CHECK(has(roles, "CTA 0, producer waits on the barrier empty of stage 0 ("));
  CHECK(has(roles, "CTA 0, consumer 1 multiplies k_tile 5, steps "));
}

TEST_CASE("a timeline's step has what has begun until then, lights what goes on, and says what begins") {
  const Scene whole = drawn(skewed());
  const std::vector<Said> all = said_in(whole);
  REQUIRE(whole.steps.size() > 10);
  long before = -1;
  for (std::size_t i = 0; i < whole.steps.size(); ++i) {
    CAPTURE(i);
    const std::string& caption = whole.steps[i].caption;
    std::size_t number = 0, of = 0;
    long time = 0;
    REQUIRE(std::sscanf(caption.c_str(), "Step %zu of %zu, at %ld of the simulation: ", &number, &of, &time) == 3);
    CHECK(number == i + 1);
    CHECK(of == whole.steps.size());
    const std::vector<Said> there = said_in(at_step(whole, i).value());
    CHECK(static_cast<long>(there.size()) == std::count_if(all.begin(), all.end(), [&](const Said& said) { return said.start <= time; }));
    for (const Said& said : there) {
      CHECK(said.start <= time);
      CHECK(said.faint == (said.start < time && said.end <= time));
      const std::string what = said.words.substr(7, said.words.rfind(", steps") - 7);
      if (said.start > before) CHECK(caption.find(what) != std::string::npos);
    }
    before = time;
  }
  CHECK(look(at_step(whole, 0).value()).arrows == 0);  // nobody's wait has ended
  CHECK(look(at_step(whole, whole.steps.size() - 1).value()).arrows == look(whole).arrows);
}

TEST_CASE("a timeline's arrows lead from a copy to the left side of who reads it first, and from there to the next copy into the stage",
          "[timeline]") {
  const Scene scene = drawn(support::tensor(64, 64, 160, 64, 64, 32, 3));
  std::map<std::string, const Cell*> bars;  // by their words
  std::vector<const Arrow*> arrows;
  std::size_t first_bar = scene.panels.front().marks.size(), last_way = 0;
  for (std::size_t i = 0; i < scene.panels.front().marks.size(); ++i) {
    const Mark& mark = scene.panels.front().marks[i];
    const auto* cell = std::get_if<Cell>(&mark);
    if (cell && cell->subject != kNoSubject) {
      const std::string_view words = scene.words_of(scene.subjects[cell->subject]);
      bars[std::string(words.substr(0, words.rfind(", steps")))] = cell;
      first_bar = std::min(first_bar, i);
    }
    if (const auto* line = std::get_if<Line>(&mark); line && line->color != kNoColor && line->role == StrokeRole::boundary) last_way = i;
    if (const auto* arrow = std::get_if<Arrow>(&mark)) arrows.push_back(arrow);
  }
  CHECK(last_way < first_bar);  // behind the bars of other stages
  const auto ends_at = [&](const Cell& bar) {
    return std::count_if(arrows.begin(), arrows.end(), [&](const Arrow* arrow) {
      return arrow->x1 == Approx(bar.x) && arrow->y1 == Approx(bar.y + bar.h / 2) && arrow->y0 == arrow->y1 && arrow->x0 < arrow->x1;
    });
  };
  CHECK(arrows.size() == 7);  // five copies arrive, and two of them follow others in their stage
  for (int k = 0; k < 5; ++k) {
    CAPTURE(k);
    CHECK(ends_at(*bars.at("CTA 0, cta loads fragments of A and B of k_tile " + std::to_string(k))) == 1);
    CHECK(ends_at(*bars.at("CTA 0, cta copies A and B of k_tile " + std::to_string(k) + " to stage " + std::to_string(k % 3))) ==
          (k < 3 ? 0 : 1));
  }
  const std::vector<std::string> notes = testing::texts_of(scene, LabelRole::note);
  CHECK(std::count(notes.begin(), notes.end(), "dashed: when a k-tile is done with, the next one is copied into its stage") == 1);
}

TEST_CASE("a timeline's sentence is left out where its title says it", "[timeline]") {
  FigureSpec spec;
  spec.kind = "timeline", spec.title = "Copies run ahead of the products, in a ring of 3 stages";
  spec.objects = {lower(support::tensor(64, 64, 160, 64, 64, 32, 3)).value()};
  CHECK(testing::texts_of(make_figure(spec).value(), LabelRole::note).front().starts_with("number in a bar"));
}

TEST_CASE("a timeline says which copy runs under which product, and that none does where none does", "[timeline]") {
  const Scene ahead = drawn(support::tensor(64, 64, 160, 64, 64, 32, 3));
  CHECK(look(ahead).texts.contains("while k-tile 1 is multiplied, k-tile 3 is copied to stage 0"));
  CHECK(testing::texts_of(ahead, LabelRole::note).front().starts_with("Copies run ahead of the products, in a ring of 3 stages."));
  GemmSpec spec = support::tensor(64, 64, 160, 64, 64, 32, 1);
  spec.copies = Copies::waited_for;
  CHECK(
      testing::texts_of(drawn(spec), LabelRole::note).front().starts_with("No copy runs under a multiplication: a k-tile is copied, read"));
  spec.copies = Copies::ahead;
  CHECK(testing::texts_of(drawn(spec), LabelRole::note).front().starts_with("The next k-tile is read into registers before this one"));
}

TEST_CASE("a timeline's steps are equally wide but for what is cut out, which its numbers say", "[timeline]") {
  const Scene scene = drawn(support::tensor(4096, 4096, 4096));
  std::map<long, float> numbers;
  for (const Mark& mark : scene.panels.front().marks) {
    const auto* label = std::get_if<Label>(&mark);
    const std::string text = label ? std::string(scene.text_of(label->text)) : std::string();
    if (label && label->role == LabelRole::axis && !text.empty() && text.find_first_not_of("0123456789") == std::string::npos)
      numbers[std::stol(text)] = label->x;
  }
  REQUIRE(numbers.size() > 6);
  const float step = (std::next(numbers.begin())->second - numbers.begin()->second) /
                     static_cast<float>(std::next(numbers.begin())->first - numbers.begin()->first);
  int cuts = 0;
  for (auto it = std::next(numbers.begin()); it != numbers.end(); ++it) {
    const auto before = std::prev(it);
    const float wide = step * static_cast<float>(it->first - before->first);
    if (it->second - before->second < 0.9F * wide)
      ++cuts;
    else
      CHECK(it->second - before->second == Approx(wide).margin(0.01));
  }
  CHECK(cuts == 2);  // k-tiles alike, and a long store
  CHECK(look(scene).texts.contains("steps of the simulation: an order, not times"));
}

TEST_CASE("copies stand in lines that name their stages, and waits for groups name what they wait for", "[timeline]") {
  const Found found = look(drawn(support::tensor(64, 64, 160, 64, 64, 32, 3)));
  for (const char* line : {"copy to stage 0", "copy to stage 1", "copy to stage 2"}) CHECK(found.texts.contains(line));
  const std::vector<std::string> notes = testing::texts_of(drawn(skewed()), LabelRole::note);
  CHECK(std::any_of(notes.begin(), notes.end(),
                    [](const std::string& note) { return note.starts_with("not drawn: ") && note.find("arrivals") != std::string::npos; }));
}

TEST_CASE("bars that are too many are left out in words", "[timeline]") {
  const Scene scene = drawn(support::tensor(64, 64, 4096, 64, 64, 32, 3), "0-127");
  const std::vector<std::string> notes = testing::texts_of(scene, LabelRole::note);
  CHECK(std::count_if(notes.begin(), notes.end(), [](const std::string& note) { return note.starts_with("left out: the last "); }) == 1);
}

TEST_CASE("a family of roles has one lane, in which each member has lines of its own with its index beside them") {
  for (const GemmSpec& gemm : {skewed(), support::hopper(Overlap::none, 512, 256, 384, 256, 128, 2)}) {
    const Scene scene = drawn(gemm);
    std::multiset<std::string> lanes;
    std::vector<std::pair<float, std::string>> lines;  // middles of a member's lines, with the index beside them
    for (const Mark& mark : scene.panels.front().marks) {
      const auto* label = std::get_if<Label>(&mark);
      if (label == nullptr || label->anchor != Anchor::right) continue;
      const std::string text(scene.text_of(label->text));
      if (label->role == LabelRole::panel_name) lanes.insert(text);
      if (label->role == LabelRole::axis && (text == "0" || text == "1")) lines.emplace_back(label->y, text);
    }
    CHECK(lanes == std::multiset<std::string>{"consumer, 0 and 1", "producer"});
    std::map<std::string, int> seen;
    for (const Mark& mark : scene.panels.front().marks) {
      const auto* cell = std::get_if<Cell>(&mark);
      if (!cell || cell->subject == kNoSubject) continue;
      const std::string words(scene.words_of(scene.subjects[cell->subject])), start = "CTA 0, consumer ";
      if (!words.starts_with(start)) continue;
      const std::string index = words.substr(start.size(), 1);
      CAPTURE(words);
      const auto nearest = std::min_element(lines.begin(), lines.end(), [&](const auto& a, const auto& b) {
        const float middle = cell->y + cell->h / 2;
        return std::abs(a.first - middle) < std::abs(b.first - middle);
      });
      REQUIRE(nearest != lines.end());
      CHECK(nearest->second == index);
      ++seen[index];
    }
    CHECK(seen["0"] > 2);
    CHECK(seen["1"] > 2);
  }
}
