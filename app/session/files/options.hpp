// SPDX-License-Identifier: BSD-3-Clause
// Options of a program or a subcommand, each bound to a variable. A thin front of CLI11, which only options.cpp includes: it takes longer
// to compile than any ten sources of ours.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/session/files/program.hpp"
#include "core/base/budget.hpp"

namespace CLI {
class App;
}

namespace tessera {

// What a number of the command line may be; both ends belong to it.
struct Between {
  double least = 0, most = 0;
};

class Options {
 public:
  explicit Options(CLI::App& app) : app_(app) {}

  void positional(const char* name, std::string& value, const char* help, bool required = true);
  void positionals(const char* name, std::vector<std::string>& values, const char* help);  // any number, none too
  void option(const char* name, std::string& value, const char* help);
  void option(const char* name, std::vector<std::string>& values, const char* help);  // may be repeated
  void option(const char* name, std::optional<std::int64_t>& value, const char* help);
  void option(const char* name, int& value, const char* help, std::optional<Between> between = {});
  void option(const char* name, double& value, const char* help, std::optional<Between> between = {});
  void option(const char* name, std::optional<double>& value, const char* help);                     // nothing: not given
  void option(const char* name, std::optional<std::vector<std::string>>& values, const char* help);  // any number behind it, none too
  void choice(const char* name, std::string& value, const std::vector<std::string>& choices, const char* help);
  void flag(const char* name, bool& value, const char* help);
  void limits(Limits& limits);  // --limit-seconds, --limit-bytes, --limit-cells: of every subcommand that evaluates or draws

 private:
  CLI::App& app_;
};

using Action = std::function<Exit()>;

// One subcommand: what it is called, and a function that declares its options and returns what to run afterwards. A group such as
// `gemm` has children instead.
struct Subcommand {
  const char* name;
  const char* help;     // one line
  const char* example;  // lines of a shell, shown by --help
  std::function<Action(Options&)> declare;
  std::vector<Subcommand> children;
};

// What a program says of itself.
struct ProgramWords {
  const char* name;
  const char* version;
  const char* help;                  // one sentence
  const char* footer;                // shown at the end of --help
  std::string (*facts)() = nullptr;  // lines that --version --verbose adds; null: there is no --verbose
};

// Parses the command line and runs what it names. Usage errors go to stderr, help to stdout.
int run_command_line(const ProgramWords& words, const std::vector<Subcommand>& subcommands, int argc, char** argv);
// The same for a program without subcommands.
int run_command_line(const ProgramWords& words, const std::function<Action(Options&)>& declare, int argc, char** argv);

}  // namespace tessera
