// SPDX-License-Identifier: BSD-3-Clause
// The only file that knows CLI11.
#include "app/session/files/options.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "core/base/utf8.hpp"
#include "core/lang/builtins/builtins.hpp"

namespace tessera {
namespace {

// CLI11 takes the nearest number that there is for one that is too large.
std::string fits_a_word(const std::string& text) {
  errno = 0;
  (void)std::strtoll(text.c_str(), nullptr, 0);
  return errno == ERANGE ? text + " is more than 64 bits hold" : "";
}
// It reads "nan" and "inf" too, and compares the first with no end of a range.
std::string is_finite(const std::string& text) {
  return std::isfinite(std::strtod(text.c_str(), nullptr)) ? "" : text + " is no number that can be counted with";
}

// CLI11 from 2.4 on has one name for a positional and an option of it, and ends the program; older ones say nothing.
void check_new(const CLI::App& app, std::string_view name) {
  name.remove_prefix(std::min(name.find_first_not_of('-'), name.size()));
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_name(true) == name || option->check_lname(std::string(name))) throw CLI::OptionAlreadyAdded(std::string(name));
  }
}

// Declares a subcommand and its children; `chosen` becomes the action of the one that was given.
void declare(CLI::App& parent, const Subcommand& subcommand, Action& chosen) {
  CLI::App* app = parent.add_subcommand(subcommand.name, subcommand.help);
  app->footer(std::string("\nExample:\n") + subcommand.example);
  if (subcommand.declare) {
    Options options(*app);
    app->callback([action = subcommand.declare(options), &chosen] { chosen = action; });
  }
  for (const Subcommand& child : subcommand.children) declare(*app, child, chosen);
  if (!subcommand.children.empty()) app->require_subcommand(1);
}

// What is said of "evl" where a subcommand is wanted, which CLI11 calls a missing one. Empty where no word is unknown.
std::string unknown_subcommand(const CLI::App& app, int argc, char** argv) {
  const CLI::App* at = &app;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const std::vector<const CLI::App*> children = at->get_subcommands([](const CLI::App*) { return true; });
    if (children.empty() || word.starts_with('-')) return "";
    const auto found = std::find_if(children.begin(), children.end(), [&](const CLI::App* child) { return child->get_name() == word; });
    if (found == children.end()) {
      std::vector<std::string> names;
      for (const CLI::App* child : children) names.push_back(child->get_name());
      std::string text = fmt::format("{} has no subcommand {}", at->get_name(), word);
      for (const std::string& each : nearest_of(word, names)) text += "\n  note: " + each;
      return text;
    }
    at = *found;
  }
  return "";
}

// Parses, then runs what `chosen` has become.
int parse_and_run(CLI::App& app, const ProgramWords& words, const Action& chosen, int argc, char** argv) {
  app.footer(words.footer);
  app.set_version_flag("--version", std::string(words.name) + " " + words.version);
  bool verbose = false;
  if (words.facts) app.add_flag("--verbose", verbose, "With --version: the libraries, and what draws");
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForVersion& version) {
    const bool wants_facts = words.facts && app.get_option("--verbose")->count() > 0;
    write_output(std::string(version.what()) + "\n" + (wants_facts ? words.facts() + "\n" : std::string()));
    return static_cast<int>(Exit::right);
  } catch (const CLI::ParseError& error) {  // CLI11 speaks by exceptions; they end here
    std::ostringstream help, complaint;
    const int code = app.exit(error, help, complaint);
    write_output(help.str());
    if (code == 0) return static_cast<int>(Exit::right);
    const std::string unknown = unknown_subcommand(app, argc, argv);
    say(printable(unknown.empty() ? error.what() : unknown, Lines::kept) + "\nRun with --help for more information.");
    return static_cast<int>(Exit::usage);
  }
  return static_cast<int>(chosen());
}

}  // namespace

void Options::positional(const char* name, std::string& value, const char* help, bool required) {
  check_new(app_, name);
  app_.add_option(name, value, help)->required(required);
}
void Options::positionals(const char* name, std::vector<std::string>& values, const char* help) {
  check_new(app_, name);
  app_.add_option(name, values, help);
}
void Options::option(const char* name, std::string& value, const char* help) {
  check_new(app_, name);
  app_.add_option(name, value, help);
}
void Options::option(const char* name, std::vector<std::string>& values, const char* help) {
  app_.add_option(name, values, help)->allow_extra_args(false);
}
void Options::option(const char* name, std::optional<std::int64_t>& value, const char* help) {
  app_.add_option(name, value, help)->check(fits_a_word);
}
void Options::option(const char* name, int& value, const char* help, std::optional<Between> between) {
  CLI::Option* option = app_.add_option(name, value, help);
  if (between) option->check(CLI::Range(static_cast<int>(between->least), static_cast<int>(between->most)));
}
void Options::option(const char* name, double& value, const char* help, std::optional<Between> between) {
  CLI::Option* option = app_.add_option(name, value, help);
  if (between) option->check(is_finite)->check(CLI::Range(between->least, between->most));
}
void Options::option(const char* name, std::optional<double>& value, const char* help) { app_.add_option(name, value, help); }
void Options::option(const char* name, std::optional<std::vector<std::string>>& values, const char* help) {
  const std::function<void(const std::vector<std::string>&)> take = [&values](const std::vector<std::string>& given) {
    values = given;
    std::erase(*values, std::string());  // CLI11 gives one empty text where there is none
  };
  app_.add_option_function(name, take, help)->expected(0, -1);
}
void Options::choice(const char* name, std::string& value, const std::vector<std::string>& choices, const char* help) {
  app_.add_option(name, value, help)->check(CLI::IsMember(choices));
}
void Options::limits(Limits& limits) {
  constexpr const char* kGroup = "Limits of one request";
  app_.add_option(std::string(kLimitSecondsFlag), limits.seconds, "seconds that it may take")
      ->check(CLI::NonNegativeNumber)
      ->check(is_finite)
      ->capture_default_str()
      ->group(kGroup);
  app_.add_option(std::string(kLimitBytesFlag), limits.bytes, "bytes of memory that it may use; 4GiB and the like are read too")
      ->transform(CLI::AsSizeValue(false))
      ->check(CLI::NonNegativeNumber)
      ->check(fits_a_word)
      ->capture_default_str()
      ->group(kGroup);
  app_.add_option(std::string(kLimitCellsFlag), limits.cells, "coordinates and cells that it may walk or draw")
      ->check(CLI::NonNegativeNumber)
      ->check(fits_a_word)
      ->capture_default_str()
      ->group(kGroup);
}
void Options::flag(const char* name, bool& value, const char* help) { app_.add_flag(name, value, help); }

int run_command_line(const ProgramWords& words, const std::vector<Subcommand>& subcommands, int argc, char** argv) {
  CLI::App app(words.help, words.name);
  app.require_subcommand(1);
  Action chosen;
  for (const Subcommand& subcommand : subcommands) declare(app, subcommand, chosen);
  char help[] = "--help";
  char* asked[] = {argc > 0 ? argv[0] : help, help};
  if (argc < 2) return parse_and_run(app, words, chosen, 2, asked);  // whoever asks for nothing wants to know what there is
  return parse_and_run(app, words, chosen, argc, argv);
}

int run_command_line(const ProgramWords& words, const std::function<Action(Options&)>& declare, int argc, char** argv) {
  CLI::App app(words.help, words.name);
  Options options(app);
  return parse_and_run(app, words, declare(options), argc, argv);
}

}  // namespace tessera
