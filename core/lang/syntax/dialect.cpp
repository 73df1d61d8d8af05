// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/syntax/dialect.hpp"

#include <string_view>

namespace tessera {

namespace {
thread_local constinit Dialect current = Dialect::ours;
}

bool calls_dsl(std::string_view text) {
  return text.find("cute.") != std::string_view::npos || text.find("cutlass.") != std::string_view::npos ||
         text.find("self.") != std::string_view::npos;
}

Dialect current_dialect() { return current; }
DialectScope::DialectScope(Dialect dialect) : before_(current) { current = dialect; }
DialectScope::~DialectScope() { current = before_; }

}  // namespace tessera
