// SPDX-License-Identifier: BSD-3-Clause
// What the cell under the mouse is linked to.
#include "app/studio/hover.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace tessera::studio {
namespace {

std::string tensor_name(const Scene& scene, std::int64_t tensor) {
  return tensor >= 0 && static_cast<std::size_t>(tensor) < scene.tensors.size() ? scene.tensors[static_cast<std::size_t>(tensor)]
                                                                                : std::string();
}

// "C  M16 x N8  f32" -> "C"; a panel without a name shows its figure's.
std::string first_word(const std::string& name, const std::string& otherwise) {
  return name.empty() ? otherwise : name.substr(0, name.find(' '));
}

// "sA stage 0" -> "A": panels named after an operand or after its tensor.
std::string operand_of(const std::string& panel) {
  const std::string word = first_word(panel, {});
  if (word.empty() || word.size() > 2) return {};
  const bool known = word.size() == 1 || word[0] == 's' || word[0] == 'g' || word[0] == 'r';
  return known && word.back() >= 'A' && word.back() <= 'C' ? word.substr(word.size() - 1) : std::string();
}

std::string in_words(const std::string& figure, const Panel& panel, std::span<const Link> links, const std::string& coordinate,
                     const std::string& tensor, std::string_view label) {
  std::string words = first_word(panel.name, figure);
  const Link link = links.empty() ? Link{} : links.front();
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
  const Cell& cell = *std::get_if<Cell>(&panel.marks[element->mark]);
  const std::span<const Link> links = scene.links_of(cell);
  const std::string tensor = links.empty() ? std::string() : tensor_name(scene, links.front().tensor);
  const std::string coordinate = links.empty() ? std::string() : scene.coordinate_of(links.front());
  return Hovered{figure,
                 *element,
                 {links.begin(), links.end()},
                 tensor,
                 operand_of(panel.name),
                 coordinate,
                 in_words(figure, panel, links, coordinate, tensor, scene.text_of(cell.label))};
}

Highlights highlights_of(const Hovered& hovered, const std::string& figure, const Scene& scene, const SceneIndex& index) {
  Highlights found;
  if (figure == hovered.figure) found.same.push_back(hovered.element);
  for (const Link& link : hovered.links) {
    if (link.thread >= 0) {
      index.each_of_thread(link.thread, [&](const LinkEntry& entry) {
        const std::string operand = operand_of(scene.panels[entry.element.panel].name);
        const bool comparable = operand.empty() || hovered.operand.empty() || operand == hovered.operand;
        const bool same = comparable && link.value >= 0 && entry.second == link.value;
        (same ? found.same : found.mates).push_back(entry.element);
      });
    }
    if (link.address < 0) continue;
    index.each_of_address(link.address, [&](const LinkEntry& entry) {
      const std::string tensor = tensor_name(scene, entry.second);
      if (tensor.empty() || hovered.tensor.empty() || tensor == hovered.tensor) found.same.push_back(entry.element);
    });
  }
  return found;
}

}  // namespace tessera::studio
