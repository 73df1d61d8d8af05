// SPDX-License-Identifier: BSD-3-Clause
// tessera batch: JSON lines {"id":..., "expr":...} in, one answer a line out, in the same order. A bad line is answered, never fatal.
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>

#include <fmt/format.h>

#include "app/cli/batch_line.hpp"
#include "app/cli/subcommands.hpp"
#include "app/cli/terminal.hpp"

namespace tessera {
namespace {

constexpr std::size_t kFlushAt = 1 << 16;  // bytes of output

// The next line without its newline; false at the end of the input. Of a line that is too long only the beginning is kept, so that no
// input can fill the memory.
bool read_line(std::streambuf& in, std::string& line) {
  using Traits = std::streambuf::traits_type;
  line.clear();
  Traits::int_type c = in.sbumpc();
  if (Traits::eq_int_type(c, Traits::eof())) return false;
  for (; !Traits::eq_int_type(c, Traits::eof()) && c != '\n'; c = in.sbumpc()) {
    if (line.size() <= kLongestLine) line += Traits::to_char_type(c);
  }
  return true;
}

Exit run(const std::string& path) {
  std::ios::sync_with_stdio(false);
  std::ifstream file;
  if (!path.empty() && path != "-") {
    std::error_code ignored;
    if (!std::filesystem::is_directory(path, ignored))
      file.open(path);
    else
      errno = EISDIR;
    if (!file.is_open()) return refuse(Error{ErrorCode::io, fmt::format("cannot read {}: {}", path, std::strerror(errno)), {}, {}});
  }
  std::istream& in = file.is_open() ? static_cast<std::istream&>(file) : std::cin;
  std::string out;
  for (std::string line; read_line(*in.rdbuf(), line);) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    append_answer_line(out, line);
    // Also when nothing more has arrived: whoever is at the other end may wait for this answer before asking on.
    if (out.size() >= kFlushAt || in.rdbuf()->in_avail() <= 0) {
      print(out);
      out.clear();
      if (std::fflush(stdout) != 0) return Exit::refused;  // nobody reads any more
    }
  }
  print(out);
  return std::fflush(stdout) == 0 ? Exit::right : Exit::refused;
}

}  // namespace

Subcommand batch_subcommand() {
  return {"batch",
          "Answer JSON lines of expressions",
          "  echo '{\"id\":\"a\",\"expr\":\"coalesce((2,4):(1,2))\"}' | tessera batch",
          [](Options& options) {
            auto path = std::make_shared<std::string>();
            options.positional("file", *path, "the requests; stdin by default", false);
            return [path] { return run(*path); };
          },
          {}};
}

}  // namespace tessera
