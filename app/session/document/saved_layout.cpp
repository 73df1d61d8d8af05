// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/document/saved_layout.hpp"

#include <string>
#include <string_view>
#include <utility>

#include "core/base/json.hpp"

namespace tessera {

std::string layout_text(const Workspace& workspace) {
  return Json::object({{"figures", to_json(workspace.arrangement)},
                       {"list", !workspace.list_hidden},
                       {"side", !workspace.side_hidden},
                       {"by_hand", workspace.by_hand}})
      .dump();
}

Result<Workspace> with_layout(Workspace workspace, std::string_view text) {
  TESSERA_TRY(json, parse_json(text, kFileJson, ErrorCode::corrupt));
  JsonReader in(ErrorCode::corrupt, "the layout cannot be read");
  const std::string figures = in.text(json, "figures");
  workspace.list_hidden = !in.truth(json, "list");
  workspace.side_hidden = !in.truth(json, "side");
  workspace.by_hand = in.truth(json, "by_hand");
  TESSERA_TRY(read, in.done(std::move(workspace)));
  TESSERA_TRY(arrangement, arrangement_of(figures));
  read.arrangement = std::move(arrangement);
  read.maximised.clear();
  return read;
}

}  // namespace tessera
