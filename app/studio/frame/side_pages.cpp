// SPDX-License-Identifier: BSD-3-Clause
#include "app/studio/frame/side_pages.hpp"

#include <cstddef>
#include <span>
#include <string>

#include "app/studio/frame/live.hpp"

namespace tessera::studio {
namespace {

bool is_gemm(const EvaluatedBinding& binding) { return binding.value && kind_name(*binding.value) == "gemm"; }

Answer draw_inspector_page(App& app, Ui& ui, const ScreenRect& area) {
  const EvaluatedBinding* selected = app.session.find(app.selected());
  const GemmPage* page = selected && is_gemm(*selected) ? &app.pages.get(app.session, selected->name, app.request) : nullptr;
  return draw_inspector(ui, app.session, app.hovered ? &*app.hovered : nullptr, page, app.bench.inspector, area);
}

Answer draw_gemm_page(App& app, Ui& ui, const ScreenRect& area) {
  static const GemmPage nothing;
  const std::string binding = gemm_in_question(app.session.bindings(), app.selected());
  return draw_gemm(ui, {binding, binding.empty() ? nothing : app.pages.get(app.session, binding, app.request), run_of(app, binding)}, area);
}

constexpr SidePageRow kPages[] = {
    {"Inspector", [](const EvaluatedBinding&) { return true; }, draw_inspector_page},
    {"GEMM", is_gemm, draw_gemm_page},
};

}  // namespace

std::span<const SidePageRow> side_pages() { return kPages; }

std::size_t side_page_of(const EvaluatedBinding& selected) {
  std::size_t page = std::size(kPages) - 1;
  while (page > 0 && !kPages[page].comes_with(selected)) --page;
  return page;
}

}  // namespace tessera::studio
