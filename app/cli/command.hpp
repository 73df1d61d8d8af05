// SPDX-License-Identifier: BSD-3-Clause
// A command below a subcommand, as `tessera cache list` is: its options fill its arguments, and it runs with these.
#pragma once

#include <memory>

#include "app/session/files/options.hpp"

namespace tessera {

template <class Arguments, class Run, class Declare>
Subcommand command(const char* name, const char* help, const char* example, Run run, Declare declare) {
  return {name,
          help,
          example,
          [=](Options& options) {
            auto a = std::make_shared<Arguments>();
            declare(options, *a);
            return [a, run] { return run(*a); };
          },
          {}};
}

}  // namespace tessera
