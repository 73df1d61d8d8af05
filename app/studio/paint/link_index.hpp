// SPDX-License-Identifier: BSD-3-Clause
// LinkIndex: which cells of a scene stand for one thread, or for one address. Building it takes two walks over the cells, and asking
// only as long as the answer is; 16 bytes a cell.
//
//   bucket  =  starts[hash(key)] .. starts[hash(key) + 1]     into the entries
//   entry   =  a cell, and which of its owners is meant; its key stands in the scene
#pragma once

#include <cstdint>
#include <vector>

#include "core/diagram/scene/scene.hpp"

namespace tessera::studio {

struct LinkEntry {
  std::int64_t key = 0;     // thread, or address
  std::int32_t second = 0;  // value, or tensor
  ElementId element;
};

class LinkIndex {
 public:
  enum class By : std::uint8_t { thread, address };
  LinkIndex(const Scene& scene, By by);

  // Calls use(entry) for every owner of that key, in the order of the cells. `scene` is the one that was indexed.
  template <class Use>
  void each(const Scene& scene, std::int64_t key, Use use) const {
    if (starts_.empty() || key < 0) return;
    const std::size_t bucket = bucket_of(key);
    for (std::uint32_t i = starts_[bucket]; i < starts_[bucket + 1]; ++i) {
      const LinkEntry entry = entry_of(scene, entries_[i]);
      if (entry.key == key) use(entry);
    }
  }

 private:
  // A mark with cells: a grid, or a cell alone.
  struct Slot {
    std::uint32_t panel = 0, mark = 0;
  };
  struct Entry {
    std::uint32_t slot = 0, cell = 0, owner = 0;  // owner 0 is the one that is drawn
  };
  template <class Use>
  void walk(const Scene& scene, Use use) const;
  LinkEntry entry_of(const Scene& scene, const Entry& entry) const;
  std::size_t bucket_of(std::int64_t key) const {
    // Keys are often multiples of a power of two: the upper bits of this product differ all the same.
    return static_cast<std::size_t>((static_cast<std::uint64_t>(key) * 0x9e3779b97f4a7c15U) >> shift_);
  }

  By by_;
  int shift_ = 63;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> starts_;
  std::vector<Entry> entries_;
};

}  // namespace tessera::studio
