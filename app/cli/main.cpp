// SPDX-License-Identifier: BSD-3-Clause
// tessera: the command line.
#include "app/cli/subcommands.hpp"
#include "app/session/files/program.hpp"

int main(int argc, char** argv) {
  return tessera::run_program("tessera", [&] {
    return tessera::run_command_line(
        {"tessera", TESSERA_VERSION, "See, check and run CuTe layouts.",
         "\nExit codes: 0 right, 1 refused input, 2 usage, 3 something is missing on this machine (no GPU, no NVRTC, no memory).\n"
         "\nExample:\n  tessera eval \"composition((4,8):(8,1), (2,4):(1,2))\"\n  tessera draw \"SM70_8x8x4_F32F16F16F32_NT\" --out "
         "atom.svg"},
        {tessera::eval_subcommand(), tessera::explain_subcommand(), tessera::explain_cell_subcommand(), tessera::advise_subcommand(),
         tessera::trace_subcommand(), tessera::batch_subcommand(), tessera::draw_subcommand(), tessera::atoms_subcommand(),
         tessera::gemm_subcommand(), tessera::cache_subcommand(), tessera::devices_subcommand(), tessera::worker_subcommand(),
         tessera::do_subcommand(), tessera::lesson_subcommand(), tessera::grade_subcommand(), tessera::tour_subcommand()},
        argc, argv);
  });
}
