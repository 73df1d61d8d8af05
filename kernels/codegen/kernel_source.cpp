// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/codegen/kernel_source.hpp"

#include <string>
#include <string_view>

#include "core/base/sha256.hpp"

namespace tessera {
namespace {

// A line without spaces at its ends and without a comment behind it; what stands between quotes is kept as it is.
std::string_view code_of_line(std::string_view line) {
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (quoted && line[i] == '\\') {
      ++i;
    } else if (line[i] == '"') {
      quoted = !quoted;
    } else if (!quoted && line.substr(i).starts_with("//")) {
      line = line.substr(0, i);
    }
  }
  const std::size_t begin = line.find_first_not_of(" \t");
  return begin == line.npos ? std::string_view() : line.substr(begin, line.find_last_not_of(" \t") + 1 - begin);
}

}  // namespace

std::string code_hash(const KernelSource& source) {
  Sha256 hash;
  for (std::string_view rest = source.text; !rest.empty();) {
    const std::size_t end = rest.find('\n');
    if (const std::string_view code = code_of_line(rest.substr(0, end)); !code.empty()) hash.update(code).update("\n");
    rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
  }
  return hash.hex_digest();
}

KernelSource::KernelSource() = default;
KernelSource::KernelSource(const KernelSource& other) = default;
KernelSource::KernelSource(KernelSource&& other) noexcept = default;
KernelSource& KernelSource::operator=(const KernelSource& other) = default;
KernelSource& KernelSource::operator=(KernelSource&& other) noexcept = default;
KernelSource::~KernelSource() = default;

}  // namespace tessera
