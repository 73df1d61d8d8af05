// SPDX-License-Identifier: BSD-3-Clause
// tessera atoms: the MMA and copy atoms that are known, by name or with their tables.
#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "app/cli/answer_json.hpp"
#include "app/cli/subcommands.hpp"
#include "app/cli/terminal.hpp"
#include "core/atom/instructions/catalog.hpp"
#include "core/base/characters.hpp"

namespace tessera {
namespace {

struct Arguments {
  std::string filter;
  bool json = false, mma = false, copy = false;
};

// Every word of the filter occurs in the name, whatever its case.
bool matches(std::string_view name, std::string_view filter) {
  const auto same = [](char a, char b) { return lower(a) == lower(b); };
  while (!filter.empty()) {
    const std::string_view word = filter.substr(0, filter.find(' '));
    filter.remove_prefix(std::min(word.size() + 1, filter.size()));
    if (std::search(name.begin(), name.end(), word.begin(), word.end(), same) == name.end()) return false;
  }
  return true;
}

struct Listing {
  std::string json;
  std::vector<std::vector<std::string>> rows;
  std::size_t count = 0;
};

void add_json(Listing& listing, const Value& value) {
  listing.json += '{';
  append_answer(listing.json, value);
  listing.json += "}\n";
}

Status list_mma(const Arguments& arguments, Listing& listing) {
  for (const std::string& name : mma_atom_names()) {
    if (!matches(name, arguments.filter)) continue;
    TESSERA_TRY(atom, find_mma_atom(name));
    ++listing.count;
    if (arguments.json)
      add_json(listing, Value{atom});
    else
      listing.rows.push_back({name, to_string(atom.arch), to_string(atom.shape_mnk), atom.ptx});
  }
  return Done{};
}

Status list_copy(const Arguments& arguments, Listing& listing) {
  for (const std::string& name : copy_atom_names()) {
    if (!matches(name, arguments.filter)) continue;
    TESSERA_TRY(atom, find_copy_atom(name));
    ++listing.count;
    if (arguments.json)
      add_json(listing, Value{atom});
    else
      listing.rows.push_back({name, to_string(atom.arch), "copy", atom.ptx});
  }
  return Done{};
}

Exit run(const Arguments& arguments) {
  Listing listing;
  if (!arguments.copy) {
    if (const Status status = list_mma(arguments, listing); !status) return refuse(status.error());
  }
  if (!arguments.mma) {
    if (const Status status = list_copy(arguments, listing); !status) return refuse(status.error());
  }
  if (arguments.json)
    print_data(listing.json);
  else
    print(table(listing.rows));
  if (listing.count > 0) return Exit::right;
  return refuse(Error{ErrorCode::unknown_atom, fmt::format("no atom's name contains \"{}\"", arguments.filter), {}, {}});
}

}  // namespace

Subcommand atoms_subcommand() {
  return {"atoms",
          "List the MMA and copy atoms",
          "  tessera atoms --filter \"sm80 f16\"\n  tessera atoms --mma --json",
          [](Options& options) {
            auto a = std::make_shared<Arguments>();
            options.option("--filter", a->filter, "only names with these words");
            options.flag("--mma", a->mma, "MMA atoms only");
            options.flag("--copy", a->copy, "copy atoms only");
            options.flag("--json", a->json, "one JSON object a line, with all tables");
            return [a] { return run(*a); };
          },
          {}};
}

}  // namespace tessera
