// SPDX-License-Identifier: BSD-3-Clause
// What stands in the place of a text and is none: a folder, a closed stdin, more than is read.
#include <string>

#include "tests/support/catch.hpp"
#include "tests/support/shell.hpp"

using namespace tessera::test;

TEST_CASE("a folder, a closed stdin and one without an end are refused with a word by whoever reads stdin") {
  for (const char* command : {"tessera eval -", "tessera explain -", "tessera advise -", "tessera batch", "tessera batch -",
                              "tessera eval - --json", "tessera explain - --json", "tessera advise - --json"}) {
    for (const char* from : {"< /tmp", "<&-", "0> /dev/null"}) {
      const Run run = shell(std::string(command) + " " + from);
      INFO(command << " " << from << "\n" << run.out << run.err);
      CHECK(run.code == 1);
      CHECK(run.out.empty());
      CHECK(has(run.err, "cannot read stdin: "));
    }
  }
  for (const char* command : {"tessera eval -", "tessera explain -", "tessera advise -"}) {
    const Run run = shell(std::string(command) + " < /dev/zero");
    INFO(command << "\n" << run.err);
    CHECK(run.code == 1);
    CHECK(has(run.err, "stdin has more than 4194304 bytes"));
  }
}

TEST_CASE("an empty stdin is a text without statements") {
  CHECK(shell("tessera eval - < /dev/null").code == 0);
  CHECK(shell("tessera batch < /dev/null").code == 0);
  CHECK(shell("tessera explain - < /dev/null").code == 0);
}

TEST_CASE("a folder in the place of a file is refused by whoever reads one") {
  for (const char* command : {"tessera batch /tmp", "tessera batch --file /tmp", "tessera eval x --file /tmp", "tessera explain /tmp",
                              "tessera advise /tmp", "tessera draw x --file /tmp --to svg", "tessera gemm show --file /tmp x",
                              "tessera explain-cell x --file /tmp --at 0", "tessera draw - --to svg", "mkdir d.tess; tessera eval d.tess",
                              "mkdir d.csv; tessera draw d.csv --to svg", "mkdir d.svg; tessera draw d.svg --to svg"}) {
    const Run run = shell(command);
    INFO(command << "\n" << run.out << run.err);
    CHECK(run.code == 1);
    CHECK(run.out.empty());
    CHECK_FALSE(run.err.empty());
  }
}
