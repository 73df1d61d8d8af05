// SPDX-License-Identifier: BSD-3-Clause
// The limits of a request at the command line: each input that once took the machine's memory or minutes is refused in a process whose
// memory ends at a quarter more than the limit, in little processor time.
#include <string>

#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace tessera::test;

namespace {

// With 1.25 GiB of address space beside the program itself, and twice the limit of seconds of processor time.
Run bounded(const std::string& command, const std::string& in = "") { return shell("ulimit -v 1500000; ulimit -t 20; " + command, in); }

const std::string kHugeMma = "make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN,(1024,65536))";

}  // namespace

TEST_CASE("expressions beyond the limits are refused with estimate, limit and flag, before memory is taken") {
  const std::string expression =
      GENERATE(std::string("readers_A(") + kHugeMma + ",0,0)",
               std::string("readers_A(make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN,(1024,2147483648)),0,0)"),
               std::string("readers_C(") + kHugeMma + ",0,0)", std::string("is_injective((1048576,1048576):(3,5))"),
               std::string("gaps((4194304,1048576):(7,5))"));
  const Run run = bounded("tessera eval '" + expression + "'");
  INFO(expression << "\n" << run.err);
  CHECK(run.code == 1);
  CHECK(has(run.err, "takes "));
  CHECK(has(run.err, "the limit of one request is 16777216"));
  CHECK(has(run.err, "--limit-cells "));
}

TEST_CASE("figures beyond the limits are refused in every format, before memory is taken") {
  const std::string what =
      GENERATE_COPY(std::string("(8192,8192):(8192,1)"), kHugeMma, "tv_c_figure(" + kHugeMma + ")",
                    std::string("make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN,(2,1,1):(1000000000,1,1))"),
                    std::string("tv_figure((2,2):(1,4611686018427387))"), std::string("tv_inverse_figure((2097152,4):(4,1))"),
                    std::string("make_tiled_copy(Copy_Atom<UniversalCopy<half_t>,half_t>,(4096,1024):(1024,1),(1,8))"));
  const Run run = bounded("tessera draw '" + what + "' --to svg");
  INFO(what << "\n" << run.err);
  CHECK(run.code == 1);
  CHECK(has(run.err, "limit: "));
}

TEST_CASE("each flag raises or lowers its limit, and names itself when it is met") {
  CHECK(has(shell("tessera eval 'is_surjective((64,64):(64,1))' --limit-cells 4095").err, "--limit-cells "));
  CHECK(shell("tessera eval 'is_surjective((64,64):(64,1))' --limit-cells 4096").code == 0);
  CHECK(has(shell("tessera eval 'is_surjective((64,64):(64,1))' --limit-bytes 16KiB").err, "--limit-bytes "));
  CHECK(has(shell("tessera eval 'size((64,64))' --limit-seconds 0").err, "--limit-seconds "));
  CHECK(has(shell("tessera draw '(64,64):(64,1)' --to svg --limit-cells 4095").err, "--limit-cells "));
  CHECK(has(shell("tessera draw '(64,64):(64,1)' --out a.pdf --limit-bytes 1MiB").err, "--limit-bytes "));
  CHECK(has(shell("tessera gemm simulate article_gemm --limit-seconds 0").err, "--limit-seconds "));
  CHECK(has(shell("tessera gemm simulate article_gemm --limit-bytes 100kb").err, "--limit-bytes "));
  CHECK(shell("tessera eval '4:1' --limit-cells few").code == 2);
  CHECK(shell("tessera eval '4:1' --limit-seconds -1").code == 2);
}

TEST_CASE("every subcommand that evaluates or draws has the three flags") {
  for (const char* name :
       {"eval", "batch", "draw", "worker", "tour", "gemm show", "gemm simulate", "gemm emit", "gemm compile", "gemm run"}) {
    const Run help = shell(fmt::format("tessera {} --help", name));
    for (const char* flag : {"--limit-seconds", "--limit-bytes", "--limit-cells"}) {
      INFO(name << " " << flag);
      CHECK(has(help.out, flag));
    }
  }
}

TEST_CASE("each line of a batch has the limits for itself") {
  std::string lines;
  for (int i = 0; i < 5; ++i) lines += fmt::format("{{\"id\":{},\"expr\":\"is_surjective((64,64):(64,1))\"}}\n", i);
  const Run run = shell("tessera batch --limit-cells 4096", lines + "{\"id\":9,\"expr\":\"is_surjective((64,65):(65,1))\"}\n");
  CHECK(run.code == 0);
  CHECK(has(run.out, "{\"id\":4,\"ok\":true"));
  CHECK(has(run.out, "{\"id\":9,\"ok\":false"));
  CHECK(has(run.out, "the limit of one request is 4096"));
}

TEST_CASE("documents of doubling values, many bindings and unknown names end within the limits") {
  const std::string script = GENERATE(
      std::string("i=1; echo 'let a0 = (1,1)'; while [ $i -lt 60 ]; do echo \"let a$i = (a$((i-1)),a$((i-1)))\"; i=$((i+1)); done"),
      std::string("i=1; echo 'let a0 = (1,1):(0,0)'; while [ $i -lt 60 ]; do echo \"let a$i = make_layout(a$((i-1)),a$((i-1)))\"; "
                  "i=$((i+1)); done"),
      std::string("i=1; echo 'let a0 = 4:1'; while [ $i -lt 60 ]; do echo \"let a$i = tv_figure(a$((i-1)),a$((i-1)))\"; i=$((i+1)); done"),
      std::string("seq 1 500 | sed 's/.*/let a& = is_injective((1024,1024):(1024,&))/'"),
      std::string("seq 1 20000 | sed 's/.*/let name_& = another_&/'"), std::string("seq 1 100000 | sed 's/.*/let a& = (4,8):(8,1)/'"));
  const Run run = bounded("{ " + script + "; } > many.tess; tessera eval 'size((4,8))' --file many.tess");
  INFO(script << "\n" << run.err);
  CHECK(run.code == 0);
  CHECK(run.out == "32\n");
}
