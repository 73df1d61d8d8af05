// SPDX-License-Identifier: BSD-3-Clause
// Private to app/session: letters of names that are searched without regard to their case.
#pragma once

namespace tessera {

// Of ASCII, whatever the locale.
inline char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace tessera
