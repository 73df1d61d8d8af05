// SPDX-License-Identifier: BSD-3-Clause
#include "core/atom/copy/warp_access.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace tessera {
namespace {

constexpr std::int64_t kMatrixRowBytes = 16;

std::int64_t width(const WarpAccess& access) { return access.kind == WarpAccess::Kind::matrix ? kMatrixRowBytes : access.bytes; }

bool lanes_agree(const WarpAccess& access, int distance) {
  for (int lane = 0; lane < kLanes; ++lane) {
    const std::int64_t mine = access.address[static_cast<std::size_t>(lane)],
                       other = access.address[static_cast<std::size_t>(lane ^ distance)];
    if (mine >= 0 && other >= 0 && mine != other) return false;
  }
  return true;
}

int lanes_of_group(const WarpAccess& access) {
  if (access.kind == WarpAccess::Kind::matrix) return 8;
  if (access.bytes <= kBankBytes) return kLanes;
  const int lanes = access.bytes > 8 ? 8 : 16;
  return access.kind == WarpAccess::Kind::load && (lanes_agree(access, 1) || lanes_agree(access, 2)) ? 2 * lanes : lanes;
}

// The distinct words that a group of lanes asks each bank for, with the first lane that asks for each.
class AskedWords {
 public:
  struct Asked {
    std::int64_t word;
    int lane;
  };

  AskedWords(const WarpAccess& access, int first, int lanes) {
    for (int lane = first; lane < first + lanes; ++lane) {
      const std::int64_t address = access.address[static_cast<std::size_t>(lane)];
      if (address < 0) continue;
      for (std::int64_t word = address / kBankBytes; word <= (address + width(access) - 1) / kBankBytes; ++word) ask(word, lane);
    }
  }

  std::int64_t count() const { return count_; }
  std::int64_t most() const { return most_; }  // of one bank
  std::span<const Asked> at(int bank) const {
    const auto i = static_cast<std::size_t>(bank);
    return {of_bank_[i].data(), static_cast<std::size_t>(counts_[i])};
  }

 private:
  void ask(std::int64_t word, int lane) {
    const auto bank = static_cast<std::size_t>(word % kBanks);
    const auto known = static_cast<std::size_t>(counts_[bank]);
    for (std::size_t i = 0; i < known; ++i) {
      if (of_bank_[bank][i].word == word) return;
    }
    of_bank_[bank][known] = {word, lane};
    ++counts_[bank];
    ++count_;
    most_ = std::max<std::int64_t>(most_, counts_[bank]);
  }

  // A lane of up to 16 bytes that begins within a word touches 5 words, of 5 banks: a bank has one word of each lane.
  std::array<std::array<Asked, kLanes>, kBanks> of_bank_;
  std::array<int, kBanks> counts_{};
  std::int64_t count_ = 0, most_ = 0;
};

// 0, 2, 4, 6, and of four or more neighbours 0-31.
std::string numbers(const SmallVector<int, kLanes>& of) {
  constexpr std::size_t kFew = 3;  // that are named one by one
  std::string text;
  for (std::size_t i = 0; i < of.size();) {
    std::size_t last = i;
    while (last + 1 < of.size() && of[last + 1] == of[last] + 1) ++last;
    if (last - i < kFew) last = i;
    text += fmt::format("{}{}", i == 0 ? "" : ", ", of[i]);
    if (last > i) text += fmt::format("-{}", of[last]);
    i = last + 1;
  }
  return text;
}

}  // namespace

SmallVector<Phase, 4> phases(const WarpAccess& access) {
  SmallVector<Phase, 4> made;
  const int lanes = lanes_of_group(access);
  for (int first = 0; first < kLanes; first += lanes) {
    const AskedWords asked(access, first, lanes);
    if (asked.count() == 0) continue;
    made.push_back({first, lanes, asked.most(), (asked.count() + kBanks - 1) / kBanks});
  }
  return made;
}

Wavefronts smem_wavefronts(const WarpAccess& access) {
  Wavefronts sum;
  for (const Phase& phase : phases(access)) {
    sum.count += phase.wavefronts;
    sum.least += phase.least;
  }
  return sum;
}

std::vector<ServedWord> served_words(const WarpAccess& access) {
  std::vector<ServedWord> served;
  int number = 0;
  for (const Phase& phase : phases(access)) {
    const AskedWords asked(access, phase.first_lane, phase.lanes);
    for (int bank = 0; bank < kBanks; ++bank) {
      int wavefront = 0;
      for (const AskedWords::Asked& each : asked.at(bank)) {
        ServedWord word{number, wavefront++, bank, each.word, {}};
        for (int lane = phase.first_lane; lane < phase.first_lane + phase.lanes; ++lane) {
          const std::int64_t address = access.address[static_cast<std::size_t>(lane)];
          if (address >= 0 && address / kBankBytes <= each.word && (address + width(access) - 1) / kBankBytes >= each.word)
            word.lanes.push_back(lane);
        }
        served.push_back(std::move(word));
      }
    }
    ++number;
  }
  return served;
}

std::optional<BankConflict> first_conflict(const WarpAccess& access) {
  for (const Phase& phase : phases(access)) {
    if (phase.wavefronts <= phase.least) continue;
    const AskedWords asked(access, phase.first_lane, phase.lanes);
    const auto lanes_at = [&](int bank) {
      SmallVector<int, kLanes> lanes;
      for (const AskedWords::Asked& each : asked.at(bank)) lanes.push_back(each.lane);
      return lanes;
    };
    for (int bank = 0; bank < kBanks; ++bank) {
      const auto lanes = lanes_at(bank);
      if (static_cast<std::int64_t>(lanes.size()) < phase.wavefronts) continue;
      BankConflict found{phase.first_lane / phase.lanes, lanes, bank, bank};
      const auto same = [&](int other) {
        const auto others = lanes_at(other);
        return others.size() == lanes.size() && std::equal(others.begin(), others.end(), lanes.begin());
      };
      while (found.last_bank + 1 < kBanks && same(found.last_bank + 1)) ++found.last_bank;
      return found;
    }
  }
  return std::nullopt;
}

std::string describe(const BankConflict& conflict, bool writes) {
  const std::string banks = conflict.first_bank == conflict.last_bank ? fmt::format("bank {}", conflict.first_bank)
                                                                      : fmt::format("banks {}-{}", conflict.first_bank, conflict.last_bank);
  return fmt::format("phase {}: lanes {} {} {}", conflict.phase, numbers(conflict.lanes), writes ? "write" : "read", banks);
}

namespace {
// Distinct segments of so many bytes.
std::int64_t segments(const WarpAccess& access, std::int64_t bytes) {
  std::vector<std::int64_t> met;
  for (const std::int64_t address : access.address) {
    for (std::int64_t s = address / bytes; address >= 0 && s <= (address + access.bytes - 1) / bytes; ++s) met.push_back(s);
  }
  std::sort(met.begin(), met.end());
  return std::unique(met.begin(), met.end()) - met.begin();
}
}  // namespace

std::int64_t gmem_sectors(const WarpAccess& access) { return segments(access, kSectorBytes); }
std::int64_t gmem_lines(const WarpAccess& access) { return segments(access, kLineBytes); }

std::int64_t least_gmem_sectors(const WarpAccess& access) {
  std::vector<std::int64_t> bytes;  // that any lane asks for: several lanes may ask for the same
  for (const std::int64_t address : access.address) {
    for (std::int64_t i = 0; address >= 0 && i < access.bytes; ++i) bytes.push_back(address + i);
  }
  std::sort(bytes.begin(), bytes.end());
  const std::int64_t distinct = std::unique(bytes.begin(), bytes.end()) - bytes.begin();
  return (distinct + kSectorBytes - 1) / kSectorBytes;
}

}  // namespace tessera
