// SPDX-License-Identifier: BSD-3-Clause
// explain-cell says of a figure's cell the offset and the bank that the layout gives it, as the picture does.
#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tests/attack/attack.hpp"
#include "tests/attack/model.hpp"
#include "tests/pictures/cells.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace tessera::pictures;
using tessera::attack::Dice;
using tessera::attack::Function;
using tessera::attack::Plain;

TEST_CASE("an explained cell of a figure has the offset and the bank that its picture says", "[pictures]") {
  struct Cell {
    std::string figure;
    Int offset = 0, bank = 0;
  };
  Dice dice(228);
  std::vector<Cell> cells;
  std::string run = "set -e";
  while (cells.size() < 30) {
    Plain layout = tessera::attack::some_layout(dice);
    if (rank(layout) < 2 || size(layout) > 300) continue;
    const Function function = dice.one_in(2) ? tessera::attack::swizzled(tessera::attack::some_swizzle(dice), dice.up_to(9), layout)
                                             : tessera::attack::plain(layout);
    const std::vector<Int> image = tessera::attack::image(function);
    if (*std::max_element(image.begin(), image.end()) > 600) continue;
    const Int bits = dice.of({4, 6, 8, 16, 32, 64, 128}), index = dice.up_to(size(layout) - 1);
    const Int rows = size(mode(layout, 0)), cols = size(mode(layout, 1));
    const std::string rest = rest_of(layout, index / rows / cols);
    const std::string at = fmt::format("({},{}{}{})", index % rows, index / rows % cols, rest.empty() ? "" : ",", rest);
    const char* kind = rank(layout) > 2 && dice.one_in(2) ? "stack" : "memory";
    const Int offset = tessera::attack::at(function, index);
    cells.push_back({fmt::format("{}_figure({}, bits={}) at {}", kind, to_text(function), bits, at), offset, offset * bits / 32 % 32});
    run += fmt::format("; tessera explain-cell '{}_figure({}, bits={})' --at '{}' --json", kind, to_text(function), bits, at);
  }
  const tessera::test::TemporaryFolder home;
  const tessera::test::Run done = tessera::test::shell_in(home.path(), run);
  INFO(done.err);
  REQUIRE(done.code == 0);
  std::istringstream lines(done.out);
  for (const Cell& cell : cells) {
    std::string line;
    REQUIRE(std::getline(lines, line));
    INFO(cell.figure << "\n" << line);
    const nlohmann::json said = nlohmann::json::parse(line);
    CHECK(said.at("offset") == cell.offset);
    CHECK(said.at("steps").back().at("to") == fmt::format("bank {}", cell.bank));
  }
}
