// SPDX-License-Identifier: BSD-3-Clause
// tessera gemm race: is a plan right in every order that its barriers leave open, and what is each of its waits good for?
#include <cstdint>
#include <memory>

#include "app/cli/gemm_arguments.hpp"
#include "app/cli/subcommands.hpp"
#include "app/cli/terminal.hpp"
#include "app/session/gemm/race_evidence.hpp"

namespace tessera {
namespace {

struct Arguments : GemmArguments {
  int orders = static_cast<int>(RaceOptions().drawn);
  bool removals = false, members = false, json = false;
};

Exit race(const Arguments& arguments) {
  const Result<GemmRequest> request = request_of(arguments);
  const Result<GemmSpec> spec = request ? spec_of(*request) : Result<GemmSpec>(request.error());
  if (!spec) return refuse(spec.error(), arguments.file.empty() ? arguments.what : "");
  RaceOptions options;
  options.drawn = static_cast<std::uint32_t>(arguments.orders), options.limits = arguments.limits;
  options.removals = arguments.removals || arguments.members, options.members = arguments.members;
  const Result<RaceEvidence> evidence = race_evidence(*spec, options);
  if (!evidence) return refuse(evidence.error());
  if (arguments.json)
    print_data(to_json(*evidence) + "\n");
  else
    print(evidence_text(*evidence));
  return evidence->fault || evidence->unnoticed() > 0 ? Exit::refused : Exit::right;
}

}  // namespace

Subcommand gemm_race_subcommand() {
  return {"race",
          "Run the plan on the CPU in many orders, and without each of its waits, arrivals and fences in turn",
          "  tessera gemm race tensor_gemm\n  tessera gemm race \"rung(16, 8192, 8192, 8192)\" --removals\n\n"
          "A product of more than 2^28 multiplications is looked at in a few tiles of it, which have the same operations.\n"
          "1 where the plan is wrong, or where nobody notices that an operation is missing and nothing says why.",
          [](Options& options) {
            auto a = std::make_shared<Arguments>();
            a->limits.seconds = 120;
            declare_gemm(options, *a);
            options.option("--orders", a->orders, "how many orders are drawn, beside the four that are named", Between{0, 100000});
            options.flag("--removals", a->removals, "leave out each wait, arrival, commit and fence in turn, and tell who notices");
            options.flag("--members", a->members, "the same, and of roles that do alike also one's own alone");
            options.flag("--json", a->json, "for machines");
            return [a] { return race(*a); };
          },
          {}};
}

}  // namespace tessera
