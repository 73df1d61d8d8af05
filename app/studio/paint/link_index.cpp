// SPDX-License-Identifier: BSD-3-Clause
#include "app/studio/paint/link_index.hpp"

#include <cstdint>
#include <variant>
#include <vector>

namespace tessera::studio {

LinkIndex::LinkIndex(const Scene& scene, By by) : by_(by) {
  for (std::uint32_t p = 0; p < scene.panels.size(); ++p) {
    const std::vector<Mark>& marks = scene.panels[p].marks;
    for (std::uint32_t m = 0; m < marks.size(); ++m) {
      if (std::holds_alternative<Grid>(marks[m]) || std::holds_alternative<Cell>(marks[m])) slots_.push_back({p, m});
    }
  }
  std::size_t count = 0;
  walk(scene, [&](std::int64_t, const Entry&) { ++count; });
  if (count == 0) return;
  while (shift_ > 32 && (std::size_t{1} << (64 - shift_)) < count) --shift_;
  starts_.resize((std::size_t{1} << (64 - shift_)) + 1);
  walk(scene, [&](std::int64_t key, const Entry&) { ++starts_[bucket_of(key) + 1]; });
  for (std::size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
  entries_.resize(count);
  // Each start moves to its bucket's end while that is filled, and so becomes the next one's start.
  walk(scene, [&](std::int64_t key, const Entry& entry) { entries_[starts_[bucket_of(key)]++] = entry; });
  starts_.insert(starts_.begin(), 0);
  starts_.pop_back();
}

// Calls use(key, entry) for everything that has a key.
template <class Use>
void LinkIndex::walk(const Scene& scene, Use use) const {
  const auto one = [&](std::int64_t key, const Entry& entry) {
    if (key >= 0) use(key, entry);
  };
  for (std::uint32_t s = 0; s < slots_.size(); ++s) {
    const Mark& mark = scene.panels[slots_[s].panel].marks[slots_[s].mark];
    if (const auto* cell = std::get_if<Cell>(&mark)) {
      if (cell->subject == kNoSubject) continue;
      if (by_ == By::address) one(scene.subjects[cell->subject].address, {s, 0, 0});
      for (std::uint32_t k = 0; by_ == By::thread && k < cell->subject_count; ++k) one(scene.subjects[cell->subject + k].thread, {s, 0, k});
      continue;
    }
    const GridColumns& of = *std::get<Grid>(mark).of;
    const std::vector<std::int64_t>& addresses = of.address;
    for (std::uint32_t i = 0; by_ == By::address && i < addresses.size(); ++i) one(addresses[i], {s, i, 0});
    if (by_ == By::address || (of.thread.empty() && (of.others.empty() || !of.has_subjects()))) continue;
    for (std::uint32_t i = 0; i < of.size(); ++i) {
      if (!of.thread.empty()) one(of.thread[i], {s, i, 0});
      std::uint32_t owner = 0;
      for (const Owner& other : of.others_of(i)) one(other.thread, {s, i, ++owner});
    }
  }
}

LinkEntry LinkIndex::entry_of(const Scene& scene, const Entry& entry) const {
  const Slot& slot = slots_[entry.slot];
  const Mark& mark = scene.panels[slot.panel].marks[slot.mark];
  const ElementId id{slot.panel, slot.mark, entry.cell};
  if (const auto* cell = std::get_if<Cell>(&mark)) {
    const Subject& subject = scene.subjects[cell->subject + entry.owner];
    return by_ == By::address ? LinkEntry{subject.address, subject.tensor, id} : LinkEntry{subject.thread, subject.value, id};
  }
  const GridColumns& of = *std::get<Grid>(mark).of;
  if (by_ == By::address) return {of.address[entry.cell], of.tensor, id};
  if (entry.owner > 0) {
    const Owner& owner = of.others_of(entry.cell)[entry.owner - 1];
    return {owner.thread, owner.value, id};
  }
  return {of.thread[entry.cell], of.value.empty() ? -1 : of.value[entry.cell], id};
}

}  // namespace tessera::studio
