// SPDX-License-Identifier: BSD-3-Clause
// `tessera do`: the studio's actions on a document, from a shell.
#include <string>

#include <nlohmann/json.hpp>

#include "app/session/actions/actions.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/shell.hpp"

using namespace tessera;
using namespace tessera::test;

namespace {

const std::string kWrite = "printf '# kept\\nlet data = (4,8):(8,1)\\nlet picture = layout_figure(data)\\n' > a.tess; ";

}  // namespace

TEST_CASE("an action's document goes to stdout, and with --write to its file") {
  const Run shown = shell(kWrite + "tessera do binding.rename a.tess binding=data to=smem; cat a.tess");
  CHECK(shown.code == 0);
  CHECK(shown.out ==
        "# kept\nlet smem = (4,8):(8,1)\nlet picture = layout_figure(smem)\n# kept\nlet data = (4,8):(8,1)\nlet picture = "
        "layout_figure(data)\n");
  const Run written = shell(kWrite + "tessera do binding.delete a.tess binding=data --write && cat a.tess");
  CHECK(written.code == 0);
  CHECK(written.out == "let picture = layout_figure(data)\n");
  CHECK(has(written.err, "a.tess: Remove data"));
}

TEST_CASE("what an action cannot do is refused, and the file stays") {
  const auto refused = [](const std::string& words, int code, const std::string& says) {
    const Run run = shell(kWrite + "cp a.tess b.tess; tessera do " + words + " --write; code=$?; cmp a.tess b.tess || exit 99; exit $code");
    INFO(run.err);
    CHECK(run.code == code);
    CHECK(has(run.err, says));
  };
  refused("binding.rename a.tess binding=nobody to=x", 1, "there is no binding \"nobody\"");
  refused("binding.rename a.tess binding=data to=picture", 1, "there is a binding \"picture\" already");
  refused("binding.rename a.tess binding=data to='1x'", 1, "is no name");
  refused("binding.rname a.tess", 1, "the nearest: binding.rename");
  refused("binding.rename a.tess data smem", 2, "\"data\" is not NAME=VALUE");
  refused("binding.rename nowhere.tess binding=data to=x", 1, "nowhere.tess");
  refused("file.save a.tess", 1, "the studio does it");
  refused("binding.rename", 2, "name an action and a document");
  const Run looked = shell(kWrite + "tessera do binding.select a.tess binding=data --write; cat a.tess");
  CHECK(looked.code == 0);
  CHECK(has(looked.err, "the document is as it was"));
}

TEST_CASE("the table of actions is listed for people and for programs") {
  const Run text = shell("tessera do --list");
  const auto json = nlohmann::json::parse(shell("tessera do --list --json").out);
  REQUIRE(json.size() == actions().size());
  for (std::size_t i = 0; i < json.size(); ++i) {
    CHECK(json[i]["id"] == std::string(actions()[i].id));
    CHECK(json[i]["parameters"].size() == actions()[i].parameters.size());
    CHECK(has(text.out, std::string(actions()[i].help)));
  }
}
