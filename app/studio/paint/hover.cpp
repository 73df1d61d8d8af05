// SPDX-License-Identifier: BSD-3-Clause
// What the cell under the mouse is linked to.
#include "app/studio/paint/hover.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/session/actions/cell_table.hpp"

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

namespace {

// The tensor of the first link that has one: words come before addresses.
std::string tensor_of(const Scene& scene, std::span<const Subject> links) {
  const auto found = std::find_if(links.begin(), links.end(), [](const Subject& link) { return link.tensor >= 0; });
  return found == links.end() ? std::string() : tensor_name(scene, found->tensor);
}

// Every mark of the scene that says the same words: a leaf, its arrow and where that ends.
void add_same_words(const Scene& scene, std::int32_t words, const ElementId& here, std::vector<ElementId>& found) {
  for (std::uint32_t p = 0; p < scene.panels.size(); ++p) {
    const std::vector<Mark>& marks = scene.panels[p].marks;
    for (std::uint32_t m = 0; m < marks.size(); ++m) {
      const ElementId id{p, m, 0};
      if (id == here || std::holds_alternative<Grid>(marks[m])) continue;
      const std::vector<Subject> subjects = subjects_of(scene, id);
      if (std::any_of(subjects.begin(), subjects.end(), [&](const Subject& each) { return each.words == words; })) found.push_back(id);
    }
  }
}

}  // namespace

std::optional<Hovered> hover_at(const std::string& figure, const Scene& scene, float x, float y) {
  const std::optional<ElementId> element = pick(scene, x, y);
  if (!element) return std::nullopt;
  const Panel& panel = scene.panels[element->panel];
  const std::vector<Subject> links = subjects_of(scene, *element);
  const std::string tensor = tensor_of(scene, links);
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
    if (link.words >= 0 && figure == hovered.figure) add_same_words(scene, link.words, hovered.element, found.same);
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
