// SPDX-License-Identifier: BSD-3-Clause
// The three texts of one cache entry: its record (JSON), its machine code and its PTX; made, read and checked, in memory alone.
//
// A record begins with a hash of all that follows it and of the cubin, and holds the PTX's own: every byte of an entry is under a hash.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/result.hpp"
#include "kernels/runtime/cache/cache_key.hpp"
#include "kernels/runtime/device/cubin.hpp"

namespace tessera {

inline constexpr std::size_t kLargestCubin = std::size_t{256} << 20;  // bytes, also of PTX

// Where an entry is from: for people, no part of the key.
struct EntryOrigin {
  std::int64_t made = 0;     // seconds since 1970
  std::string by = {};       // "tessera 0.1.0"
  std::string problem = {};  // "4096 x 4096 x 4096 TN, f16 f16 f32"; of a kernel that is no GEMM's: nothing
  std::string plan = {};     // KernelSource::plan_text
};

struct EntryRecord {
  CacheKey key;
  EntryOrigin origin;
  std::string log;  // of NVRTC and ptxas
  std::size_t cubin_bytes = 0, ptx_bytes = 0;
  std::string ptx_sha256;  // of no bytes where none was kept
};

struct EntryTexts {
  std::string record, cubin, ptx;
  std::size_t bytes() const { return record.size() + cubin.size() + ptx.size(); }
};

EntryTexts make_entry(const CacheKey& key, const Cubin& cubin, const EntryOrigin& origin);

// It is not as it was written, `words` says where.
inline Error damage(std::string words) { return Error{ErrorCode::corrupt, std::move(words), {}, {}}; }

// What is not taken, by the error's code:
//   corrupt   it is not as it was written
//   limit     it is whole, and of another format than this Tessera's
Result<EntryRecord> read_record(std::string_view text);
// The record and the cubin; the PTX too where `with_ptx`.
Result<EntryRecord> check_entry(const EntryTexts& texts, bool with_ptx);

// What is launched of it.
Cubin cubin_of(const EntryRecord& record, std::string bytes, ArchTarget arch);

std::string problem_in_words(const KernelSource& source);  // TN: A along K, B along K

std::string age_in_words(std::int64_t seconds);  // "2 minutes ago"
std::string date_in_words(std::int64_t made);    // "2026-11-22 12:33:01 UTC"

}  // namespace tessera
