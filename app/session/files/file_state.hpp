// SPDX-License-Identifier: BSD-3-Clause
// FileState: what a session knows of the file that its document came from or was saved to.
#pragma once

#include <string>
#include <variant>

#include "core/base/file.hpp"

namespace tessera {

struct Unsaved {};  // there is no file yet
struct Clean {      // the file holds what was opened or saved last
  FileFacts facts;
};
struct ChangedOnDisk {  // another program wrote it
  FileFacts was;
  FileContents now;
};
struct Gone {  // it was removed
  FileFacts was;
};

using FileState = std::variant<Unsaved, Clean, ChangedOnDisk, Gone>;

}  // namespace tessera
