// SPDX-License-Identifier: BSD-3-Clause
// Documents on the command line: all their values in one call, and errors that name file, line and binding.
#include <string>
#include <string_view>

#include "tests/support/documents.hpp"

#include "app/session/files/share_text.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/source_dir.hpp"

using namespace tessera::test;

TEST_CASE("a text read from stdin and the same text as a document print the same lines") {
  for (const std::string_view text : kTextsOfManyLines) {
    const Run piped = shell("tessera eval -", std::string(text));
    const Run document = shell("cat > a.tess; tessera eval a.tess", std::string(text));
    INFO(text << piped.err << document.err);
    CHECK(piped.out == document.out);
    CHECK(piped.code == document.code);
  }
}

TEST_CASE("eval prints every binding of a document") {
  const Run run = shell("printf 'let a = (4,8):(8,1)\\nparam pad = 2..8\\nsize(a)\\n' > a.tess; tessera eval a.tess");
  CHECK(run.out == "a = (4,8):(8,1)\npad = 2\n32\n");
  CHECK(shell("tessera eval '" + source_dir() + "/assets/presets/tour.tess'").code == 0);
  CHECK(shell("printf 'param pad = 2..8\\n' > a.tess; tessera eval a.tess --let pad=5").out == "pad = 5\n");
}

TEST_CASE("an error of a document names its file, its line and its binding in every command") {
  const std::string setup = "printf '# head\\nlet good = 4\\nlet bad = (4,0):(1,4)\\nlet uses = bad\\nassert good == 5\\n' > a.tess; ";
  const Run eval = shell(setup + "tessera eval a.tess");
  CHECK(eval.code == 1);
  CHECK(has(eval.err, "a.tess:3: let bad: bad_extent: "));
  CHECK(has(eval.err, "a.tess:5: assert: breaks_law: "));
  CHECK(has(shell(setup + "tessera eval bad --file a.tess").err, "a.tess:3: let bad: "));
  CHECK(has(shell(setup + "tessera eval 'size(bad)' --file a.tess").err, "a.tess:3: let bad: "));
  CHECK(has(shell(setup + "tessera draw a.tess --to svg --out x").err, "a.tess:3: let bad: "));
  CHECK(has(shell(setup + "tessera gemm show bad --file a.tess").err, "a.tess:3: let bad: "));
  CHECK(has(shell(setup + "tessera batch --file a.tess", "{\"id\":1,\"expr\":\"size(bad)\"}\n").out, "a.tess:3: let bad: "));
  const Run warned = shell("printf 'let size = 4\\n' > a.tess; tessera eval size --file a.tess");
  CHECK(warned.out == "4\n");
  CHECK(has(warned.err, "a.tess:1: let size: warning: "));
}

TEST_CASE("batch gives its expressions a document's names") {
  const Run run = shell("printf 'let data = (4,8):(8,1)\\nlet a, b = (3,5)\\n' > a.tess; tessera batch --file a.tess",
                        "{\"id\":1,\"expr\":\"size(data)\"}\n{\"id\":2,\"expr\":\"a+b\"}\n{\"id\":3,\"expr\":\"nothing\"}\n");
  CHECK(has(run.out, "\"id\":1,\"ok\":true,\"kind\":\"int\",\"value\":\"32\""));
  CHECK(has(run.out, "\"id\":2,\"ok\":true,\"kind\":\"int\",\"value\":\"8\""));
  CHECK(has(run.out, "\"id\":3,\"ok\":false"));
  CHECK(shell("tessera batch --file nowhere.tess", "").code == 1);
}

TEST_CASE("a figure is not drawn of likely values") {
  const Run run = shell("printf 'auto sA = make_layout(make_shape(bM, 8));\\n' > a.tess; tessera draw a.tess --to svg");
  CHECK(run.code == 1);
  CHECK(run.out.empty());
  CHECK(has(run.err, "write let bM = "));
}

TEST_CASE("a share text stands in the place of a document, and a damaged one is refused with what happened to it") {
  const std::string word = tessera::share_text("let a = (2,3):(3,1)\nlet b = size(a)\n");
  CHECK(shell("tessera eval " + word).out == "a = (2,3):(3,1)\nb = 6\n");
  CHECK(shell("tessera eval b --file " + word).out == "6\n");
  CHECK(shell("tessera draw " + word + " --name a --to csv").out == shell("tessera draw '(2,3):(3,1)' --to csv").out);
  CHECK(shell("tessera do binding.rename " + word + " binding=a to=tile").out == "let tile = (2,3):(3,1)\nlet b = size(tile)\n");
  const Run cut = shell("tessera eval " + word.substr(0, word.size() - 4));
  CHECK(cut.code == 1);
  CHECK(cut.err.find("was cut off") != std::string::npos);
  CHECK(shell("tessera draw --to svg " + word.substr(0, 12) + "AAAA" + word.substr(16)).err.find("was changed") != std::string::npos);
}
