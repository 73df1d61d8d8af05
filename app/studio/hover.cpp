// SPDX-License-Identifier: BSD-3-Clause
// What the cell under the mouse is linked to.
#include "app/studio/hover.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "app/session/cell_table.hpp"

namespace tessera::studio {
namespace {

// "C  M16 x N8  f32" -> "C"; a panel without a name shows its figure's.
std::string first_word(const std::string& name, const std::string& otherwise) {
  return name.empty() ? otherwise : name.substr(0, name.find(' '));
}

std::string in_words(const std::string& figure, const Panel& panel, std::span<const Subject> links, const std::string& coordinate,
                     const std::string& tensor, std::string_view label, std::string_view said) {
  std::string words = first_word(panel.name, figure);
  if (!said.empty()) return std::string(said);
  const Subject link = links.empty() ? Subject{} : links.front();
  if (!coordinate.empty()) words += " " + coordinate;
  if (link.thread >= 0) words += fmt::format("  T{}", link.thread);
  if (link.value >= 0) words += fmt::format("{}V{}", link.thread >= 0 ? " " : "  ", link.value);
  for (std::size_t i = 1; i < std::min<std::size_t>(links.size(), 4); ++i)
    words += fmt::format(", T{} V{}", links[i].thread, links[i].value);
  if (links.size() > 4) words += fmt::format(" and {} more", links.size() - 4);
  if (link.address >= 0) words += fmt::format("  offset {}{}", link.address, tensor.empty() ? "" : " of " + tensor);
  if (link.bank >= 0) words += fmt::format("  bank {}", link.bank);
  if (links.empty() && !label.empty()) {
    std::string flat(label);
    std::replace(flat.begin(), flat.end(), '\n', ' ');
    words += "  " + flat;
  }
  return words;
}

}  // namespace

std::optional<Hovered> hover_at(const std::string& figure, const Scene& scene, float x, float y) {
  const std::optional<ElementId> element = pick(scene, x, y);
  if (!element) return std::nullopt;
  const Panel& panel = scene.panels[element->panel];
  const std::vector<Subject> links = subjects_of(scene, *element);
  const std::string tensor = links.empty() ? std::string() : tensor_name(scene, links.front().tensor);
  const std::string coordinate = links.empty() ? std::string() : scene.coordinate_of(links.front());
  return Hovered{figure,
                 *element,
                 links,
                 tensor,
                 panel.operand,
                 coordinate,
                 in_words(figure, panel, links, coordinate, tensor, cell_of(scene, *element).label,
                          links.empty() ? std::string_view() : scene.words_of(links.front()))};
}

Highlights highlights_of(const Hovered& hovered, const std::string& figure, const Scene& scene, const SceneIndex& index) {
  Highlights found;
  if (figure == hovered.figure) found.same.push_back(hovered.element);
  for (const Subject& link : hovered.links) {
    if (link.thread >= 0) {
      index.each_of_thread(scene, link.thread, [&](const LinkEntry& entry) {
        const PanelOperand operand = scene.panels[entry.element.panel].operand, none = PanelOperand::none;
        const bool comparable = operand == none || hovered.operand == none || operand == hovered.operand;
        const bool same = comparable && link.value >= 0 && entry.second == link.value;
        (same ? found.same : found.mates).push_back(entry.element);
      });
    }
    if (link.address < 0) continue;
    index.each_of_address(scene, link.address, [&](const LinkEntry& entry) {
      const std::string tensor = tensor_name(scene, entry.second);
      if (tensor.empty() || hovered.tensor.empty() || tensor == hovered.tensor) found.same.push_back(entry.element);
    });
  }
  return found;
}

}  // namespace tessera::studio
