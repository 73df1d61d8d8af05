// SPDX-License-Identifier: BSD-3-Clause
// The subcommands of `tessera`, one file each.
#pragma once

#include "app/session/files/options.hpp"

namespace tessera {

Subcommand eval_subcommand();
Subcommand explain_subcommand();
Subcommand explain_cell_subcommand();
Subcommand advise_subcommand();
Subcommand trace_subcommand();
Subcommand batch_subcommand();
Subcommand draw_subcommand();
Subcommand atoms_subcommand();
Subcommand gemm_subcommand();
Subcommand cache_subcommand();
Subcommand devices_subcommand();
Subcommand worker_subcommand();
Subcommand do_subcommand();
Subcommand lesson_subcommand();
Subcommand grade_subcommand();
Subcommand tour_subcommand();

}  // namespace tessera
