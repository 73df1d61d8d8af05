// SPDX-License-Identifier: BSD-3-Clause
// tessera gemm fastest: which tile and schedule of wgmma a product is computed by, and what the others would need.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/cli/gemm_arguments.hpp"
#include "app/cli/subcommands.hpp"
#include "app/cli/terminal.hpp"
#include "core/base/json.hpp"
#include "core/gemm/rungs/fastest.hpp"
#include "core/gemm/spec_fields.hpp"

namespace tessera {
namespace {

struct Arguments : GemmArguments {
  int multiprocessors = kHopperMultiprocessors;
  bool json = false;
};

Json json_of(const std::vector<FastestChoice>& choices, int best) {
  Json::List rows;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const FastestChoice& each = choices[i];
    rows.push_back(Json::object({{"name", each.name},
                                 {"tiles", each.tiles},
                                 {"waves", each.waves},
                                 {"multiply_clocks", each.multiply},
                                 {"fill_clocks", each.fill},
                                 {"clocks", each.clocks},
                                 {"refused", each.refused},
                                 {"gemm", each.refused.empty() ? to_string(each.spec) : std::string()},
                                 {"chosen", static_cast<int>(i) == best}}));
  }
  Json::Members members{{"choices", std::move(rows)}};
  if (best >= 0) members.push_back({"gemm", to_string(choices[static_cast<std::size_t>(best)].spec)});
  return Json::object(std::move(members));
}

Exit run(const Arguments& arguments) {
  if (arguments.multiprocessors < 1) return misuse("--multiprocessors is at least 1");
  const Result<GemmRequest> request = request_of(arguments);
  if (!request) return refuse(request.error());
  const Budget budget(request->limits);
  const Result<GemmSpec> spec = spec_of(*request);
  if (!spec) return refuse(spec.error());
  const Result<std::vector<FastestChoice>> choices = fastest_choices(*spec, arguments.multiprocessors);
  if (!choices) return refuse(choices.error());
  const int best = fastest_of(*choices);
  if (arguments.json)
    print_data(json_of(*choices, best).dump(2) + "\n");
  else
    print(fastest_text(*choices, arguments.multiprocessors));
  return best < 0 ? Exit::refused : Exit::right;
}

}  // namespace

std::string fastest_text(const std::vector<FastestChoice>& choices, std::int64_t multiprocessors) {
  const int best = fastest_of(choices);
  std::vector<std::vector<std::string>> rows{{"  choice", "tiles", "waves", "multiply", "fill", "clocks", ""}};
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const FastestChoice& each = choices[i];
    rows.push_back({fmt::format("{} {}", static_cast<int>(i) == best ? "*" : " ", each.name), fmt::format("{}", each.tiles),
                    fmt::format("{}", each.waves), fmt::format("{:.0f}", each.multiply), fmt::format("{:.0f}", each.fill),
                    fmt::format("{:.0f}", each.clocks), each.refused.empty() ? std::string() : "refused: " + each.refused});
  }
  std::string text = fmt::format(
      "clocks = waves x k-tiles x max(multiply, fill), on {} multiprocessors; the first that needs at most 1 % more than the least:\n",
      multiprocessors);
  text += table(rows);
  if (best >= 0) text += fmt::format("\n{}\n", to_string(choices[static_cast<std::size_t>(best)].spec));
  return text;
}

Subcommand gemm_fastest_subcommand() {
  return {"fastest",
          "The tile and schedule of wgmma that need the fewest clocks for a product, and what each of the others would need",
          "  tessera gemm fastest \"rung(16, 8192, 8192, 8192)\"\n  tessera gemm fastest article_gemm --m 4096 --n 14336 --k 4096\n\n"
          "Of the GEMM its product is taken: sizes, layouts and types in global memory, alpha, beta and batch.\n"
          "multiply: clocks of the tensor cores for a k-tile of 128 bytes; fill: clocks to bring one to shared memory.\n"
          "In a document the choice is fastest(gemm).",
          [](Options& options) {
            auto a = std::make_shared<Arguments>();
            declare_gemm(options, *a);
            options.option("--multiprocessors", a->multiprocessors, "how many the device has; by default 132, of an H100 or H200");
            options.flag("--json", a->json, "for machines");
            return [a] { return run(*a); };
          },
          {}};
}

}  // namespace tessera
