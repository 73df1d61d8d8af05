// SPDX-License-Identifier: BSD-3-Clause
// Values that take longer than a person waits for a frame: the last ones stay, what comes is what is wanted by then.
#include "app/session/document/evaluation.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "app/session/document/session.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

// Walks so many cells that no frame would wait for it.
const char* const kSlow = "is_injective((n,1024,4):(1,n,1))";

struct Impatient : Session {
  explicit Impatient(const std::string& text) {
    be_patient(-1);
    REQUIRE(open_text(text, "test"));
    settle();
  }
  std::string value(std::string_view name) const {
    const EvaluatedBinding* const binding = find(name);
    if (!binding) return "none";
    return binding->value ? to_string(*binding->value) : is_awaited(*binding) ? "awaited" : "refused";
  }
};

std::string text_with_slow(const char* n = "1024") {
  return std::string("let n = ") + n + "\nlet data = (4,8):(8,1)\nlet slow = " + kSlow + "\nlet after = size(data)\n";
}

}  // namespace

TEST_CASE("while a change is evaluated, values are the last ones, and what had none is awaited") {
  Impatient session("let n = 4\nlet data = (n,8):(8,1)\n");
  REQUIRE(session.run(SetBinding{"data", "(n,16):(16,1)"}));
  REQUIRE(session.run(AddBinding{"more", "size(data)", 2}));
  CHECK(session.evaluating());
  CHECK(session.bindings().size() == session.document().bindings.size());
  CHECK(session.expression("data") == "(n,16):(16,1)");
  CHECK(session.value("data") == "(4,8):(8,1)");
  CHECK(session.value("more") == "awaited");
  const Result<Scene>& figure = session.figure("more");
  REQUIRE_FALSE(figure);
  CHECK(is_awaited(figure.error()));
  const std::uint64_t before = session.values_revision();
  session.settle();
  CHECK_FALSE(session.evaluating());
  CHECK(session.values_revision() != before);
  CHECK(session.value("data") == "(4,16):(16,1)");
  CHECK(session.value("more") == "64");
  CHECK_FALSE(session.collect());  // nothing else comes
}

TEST_CASE("a renamed binding keeps its value until it is evaluated under its new name") {
  Impatient session("let data = (4,8):(8,1)\nlet other = 3\n");
  REQUIRE(session.run(RenameBinding{"data", "tile"}));
  CHECK(session.evaluating());
  CHECK(session.value("tile") == "(4,8):(8,1)");
  CHECK(session.value("other") == "3");
}

TEST_CASE("a line that was refused and has another text is awaited: its fix is not offered for what stands there now") {
  Impatient session("let slip = coalsce((4,8):(1,4))\nlet n = 2\n");
  REQUIRE(session.find("slip")->value.error().fix);
  REQUIRE(session.run(SetBinding{"n", "3"}));
  CHECK(session.find("slip")->value.error().fix);  // the same text, the same refusal
  REQUIRE(session.run(SetBinding{"slip", "coalsc((4,8):(1,4))"}));
  CHECK(session.value("slip") == "awaited");
  session.settle();
  CHECK(session.value("slip") == "refused");
  CHECK(session.find("slip")->value.error().fix);
}

TEST_CASE("undo while a change is evaluated has the values at once, and the change's never come") {
  Impatient session(text_with_slow());
  const std::uint64_t before = session.values_revision();
  REQUIRE(session.run(SetBinding{"n", "2048"}));
  CHECK(session.evaluating());
  REQUIRE(session.undo());
  CHECK_FALSE(session.evaluating());
  CHECK(session.value("n") == "1024");
  CHECK(session.values_revision() != before);
  CHECK_FALSE(session.collect());
  REQUIRE(session.redo());
  session.settle();
  CHECK(session.value("n") == "2048");
  CHECK(session.document().bindings[0].expression == "2048");
}

TEST_CASE("a worker answers the last question alone, also where it has begun with another") {
  const auto read = [](const std::string& text) { return std::make_shared<const Document>(parse_document(text).value()); };
  const std::shared_ptr<const Document> slow = read(text_with_slow()), quick = read("let a = 8:1\n");
  const auto nothing = std::make_shared<const Evaluation>();
  const auto known = std::make_shared<KnownValues>();
  EvaluationWorker worker;
  ask(worker, known, nothing, slow);
  std::this_thread::sleep_for(std::chrono::milliseconds(60));  // it has begun
  worker.forget_all();
  ask(worker, known, nothing, quick);
  const std::vector<EvaluationWorker::Made> made = worker.take(std::numeric_limits<double>::infinity());
  REQUIRE(made.size() == 1);
  CHECK(made.front().value.document == quick);
  CHECK(worker.take(0).empty());
}

TEST_CASE("of many changes in a row only what was wanted last is shown") {
  Impatient session(text_with_slow());
  for (int i = 0; i < 20; ++i) REQUIRE(session.run(SetBinding{"n", std::to_string(1000 + i)}, true));
  session.settle();
  CHECK(session.value("n") == "1019");
  REQUIRE(session.undo());
  session.settle();
  CHECK(session.value("n") == "1024");
}

TEST_CASE("an opened document is awaited as a whole, and a session ends while it is evaluated") {
  Session session;
  session.be_patient(0);
  REQUIRE(session.open_text(text_with_slow(), "test"));
  CHECK(session.evaluating());
  CHECK(is_awaited(*session.find("slow")));
  Session moved = std::move(session);
  moved.settle();
  CHECK(to_string(*moved.find("after")->value) == "32");
  REQUIRE(moved.run(SetBinding{"n", "2048"}));
  CHECK(moved.evaluating());
}

TEST_CASE("what took long is not evaluated again for a change elsewhere, not even for one that is refused") {
  Impatient session(text_with_slow());
  const auto seconds = [&](const char* name, const char* expression) {
    const auto begin = std::chrono::steady_clock::now();
    REQUIRE(session.run(SetBinding{name, expression}));
    session.settle();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  const double slow = std::min(seconds("n", "1023"), seconds("n", "1022"));
  const double refused = std::min({seconds("data", "(4,8):(8"), seconds("data", "(4,8):(9"), seconds("data", "(4,8):(7")});
  CHECK(session.value("data") == "refused");
  CHECK(session.value("slow") == "false");
  CHECK(refused < slow);
}

TEST_CASE("what is pinned after undo is drawn as itself, though the document is the one that another binding was pinned in") {
  Session session;
  REQUIRE(session.open_text("let plain = (4,8):(8,1)  # (m, n) -> offset\nlet padded = (4,8):(9,1)\n", "pins"));
  const Workspace before = session.workspace();
  const auto pin = [&](const Pin& pinned) {
    Workspace next = session.workspace();
    next.pinned = pinned;
    session.change(next, "pin");
  };
  const auto drawn = [&] { return session.pinned_figure().value().expression; };
  pin(Pin{"plain", before.document});
  CHECK(drawn() == "(4,8):(8,1)");
  CHECK(session.pinned_figure()->panels.front().axes.down == "m");  // as the binding's own figure
  REQUIRE(session.undo());
  pin(Pin{"padded", before.document});
  CHECK(drawn() == "(4,8):(9,1)");
  pin(Pin{"plain", before.document, "padded"});
  CHECK(drawn() == "(4,8):(9,1)");
}

TEST_CASE("a pin that is set keeps the values that are there") {
  Impatient session("let data = (4,8):(8,1)\n");
  Workspace next = session.workspace();
  next.pinned = Pin{"data", next.document};
  session.change(next, "pin");
  REQUIRE(session.run(SetBinding{"data", "(2,2):(1,2)"}));
  CHECK(to_string(*session.pinned_value()) == "(4,8):(8,1)");
  session.settle();
  CHECK(to_string(*session.pinned_value()) == "(4,8):(8,1)");
}
