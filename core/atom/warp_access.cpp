// SPDX-License-Identifier: BSD-3-Clause
#include "core/atom/warp_access.hpp"

#include <algorithm>
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

// The distinct words of a group, by bank and word; with the first lane that asks for each.
struct Asked {
  std::int64_t bank, word;
  int lane;
};
using AskedWords = SmallVector<Asked, 64>;

void words_of_group(const WarpAccess& access, int first, int lanes, AskedWords& asked) {
  asked.shrink(asked.size());
  for (int lane = first; lane < first + lanes; ++lane) {
    const std::int64_t address = access.address[static_cast<std::size_t>(lane)];
    if (address < 0) continue;
    for (std::int64_t word = address / kBankBytes; word <= (address + width(access) - 1) / kBankBytes; ++word)
      asked.push_back({word % kBanks, word, lane});
  }
  std::sort(asked.begin(), asked.end(), [](const Asked& a, const Asked& b) {
    return a.bank != b.bank ? a.bank < b.bank : a.word != b.word ? a.word < b.word : a.lane < b.lane;
  });
  const auto end =
      std::unique(asked.begin(), asked.end(), [](const Asked& a, const Asked& b) { return a.bank == b.bank && a.word == b.word; });
  asked.shrink(static_cast<std::size_t>(asked.end() - end));
}

std::int64_t most_of_a_bank(const AskedWords& asked) {
  std::array<std::int64_t, kBanks> count{};
  std::int64_t most = 0;
  for (const Asked& each : asked) most = std::max(most, ++count[static_cast<std::size_t>(each.bank)]);
  return most;
}

std::string numbers(const SmallVector<int, kLanes>& of) {
  std::string text;
  for (const int n : of) text += fmt::format("{}{}", text.empty() ? "" : ", ", n);
  return text;
}

}  // namespace

SmallVector<Phase, 4> phases(const WarpAccess& access) {
  SmallVector<Phase, 4> made;
  AskedWords asked;
  const int lanes = lanes_of_group(access);
  for (int first = 0; first < kLanes; first += lanes) {
    words_of_group(access, first, lanes, asked);
    if (asked.size() == 0) continue;
    made.push_back({first, lanes, most_of_a_bank(asked), (static_cast<std::int64_t>(asked.size()) + kBanks - 1) / kBanks});
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

std::optional<BankConflict> first_conflict(const WarpAccess& access) {
  AskedWords asked;
  for (const Phase& phase : phases(access)) {
    if (phase.wavefronts <= phase.least) continue;
    words_of_group(access, phase.first_lane, phase.lanes, asked);
    const auto lanes_at = [&](std::int64_t bank) {
      SmallVector<int, kLanes> lanes;
      for (const Asked& each : asked) {
        if (each.bank == bank) lanes.push_back(each.lane);
      }
      std::sort(lanes.begin(), lanes.end());
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

std::string describe(const BankConflict& conflict, WarpAccess::Kind kind) {
  const std::string banks = conflict.first_bank == conflict.last_bank ? fmt::format("bank {}", conflict.first_bank)
                                                                      : fmt::format("banks {}-{}", conflict.first_bank, conflict.last_bank);
  return fmt::format("phase {}: lanes {} {} {}", conflict.phase, numbers(conflict.lanes),
                     kind == WarpAccess::Kind::store  ? "write"
                     : kind == WarpAccess::Kind::load ? "read"
                                                      : "meet in",
                     banks);
}

std::int64_t gmem_sectors(const WarpAccess& access) {
  std::vector<std::int64_t> sectors;
  for (const std::int64_t address : access.address) {
    for (std::int64_t s = address / kSectorBytes; address >= 0 && s <= (address + access.bytes - 1) / kSectorBytes; ++s)
      sectors.push_back(s);
  }
  std::sort(sectors.begin(), sectors.end());
  return std::unique(sectors.begin(), sectors.end()) - sectors.begin();
}

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
