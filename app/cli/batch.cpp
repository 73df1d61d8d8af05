// SPDX-License-Identifier: BSD-3-Clause
// tessera batch: JSON lines {"id":..., "expr":...} in, one answer a line out, in the same order. A bad line is answered, never fatal.
#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/batch_line.hpp"
#include "app/cli/input_lines.hpp"
#include "app/cli/subcommands.hpp"
#include "app/cli/terminal.hpp"
#include "app/session/files/shadows.hpp"

namespace tessera {
namespace {

constexpr std::size_t kFlushAt = 1 << 16;  // bytes

Exit cannot_read(const std::string& what, int error) {
  return refuse(Error{ErrorCode::io, fmt::format("cannot read {}: {}", what, std::strerror(error)), {}, {}});
}

struct Arguments {
  std::string path, document;
  std::vector<std::string> given;
  ClosedNames closed;
  Limits limits;  // of each line
};

void warn_of(const std::vector<std::string>& shadows, const std::string& path) {
  constexpr std::size_t kMostNamed = 12;
  if (shadows.empty()) return;
  const std::size_t named = std::min(shadows.size(), kMostNamed);
  const std::string more = shadows.size() > named ? fmt::format(" and {} more", shadows.size() - named) : "";
  note(
      fmt::format("{}: warning: it takes {}{} for itself: an expression that uses one means what the document binds, and its answer says "
                  "\"shadows\"\n  note: cute::NAME(...) is still the function NAME, and --closed refuses such a document",
                  path, fmt::join(shadows.begin(), shadows.begin() + static_cast<std::ptrdiff_t>(named), ", "), more));
}

Exit run(const Arguments& arguments) {
  if (const Status let = check_let(arguments.given, !arguments.document.empty()); !let) return refuse(let.error());
  if (const Status names = check_names(arguments.closed); !names) return misuse(names.error().message);
  if (arguments.closed && arguments.document.empty()) return misuse("--closed is of a document: --file names it");
  const std::string& path = arguments.path;
  const bool named = !path.empty() && path != "-";
  const int file = named ? ::open(path.c_str(), O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
  if (file < 0) return cannot_read(path, errno);
  OpenDocument document;
  Surroundings around;
  if (!arguments.document.empty()) {
    const Budget budget(arguments.limits);  // of the document, once
    const Result<GivenValues> parameters = given_values(arguments.given);
    if (!parameters) return misuse(parameters.error().message);
    Result<OpenDocument> opened = open_document(arguments.document, Wanted::named, *parameters);
    if (!opened) return refuse(opened.error());
    document = std::move(*opened);
    if (const Status open = check_closed(document.document, arguments.closed, document.path); !open) return refuse(open.error());
    around = {document.scope(), [&](Error& error) { document.explain(error); }, shadows_of(document.document)};
    warn_of(around.shadows, document.path);
  }
  InputLines lines(file, kLongestLine);
  std::string out;
  bool arrives = true;
  for (std::string line; arrives && lines.next(line);) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    append_answer_line(out, line, arguments.limits, around);
    // Also when nothing more has arrived: whoever is at the other end may wait for this answer before asking on.
    if (out.size() < kFlushAt && lines.has_line_ready()) continue;
    print_data(out);
    out.clear();
    arrives = flush_output();
  }
  print_data(out);
  if (named) ::close(file);
  if (lines.error() != 0) return cannot_read(named ? path : "stdin", lines.error());
  return Exit::right;  // lost output is seen to at the end
}

}  // namespace

Subcommand batch_subcommand() {
  return {"batch",
          "Answer JSON lines of expressions",
          "  echo '{\"id\":\"a\",\"expr\":\"coalesce((2,4):(1,2))\"}' | tessera batch",
          [](Options& options) {
            auto a = std::make_shared<Arguments>();
            options.positional("requests", a->path, "a file of them; stdin by default", false);
            options.option("--file", a->document, "a document whose names the expressions may use");
            declare_let(options, a->given, Let::parameters);
            declare_closed(options, a->closed);
            options.limits(a->limits);
            return [a] { return run(*a); };
          },
          {}};
}

}  // namespace tessera
