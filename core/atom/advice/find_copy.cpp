// SPDX-License-Identifier: BSD-3-Clause
#include "core/atom/advice/find_copy.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/atom/copy/print_atoms.hpp"
#include "core/atom/instructions/catalog.hpp"
#include "core/base/budget.hpp"

namespace tessera {
namespace {

constexpr std::int64_t kMostBits = 128;                     // of one lane at once
constexpr std::int64_t kMostLooks = std::int64_t{1} << 26;  // elements times copies times sides
constexpr std::int64_t kWavefrontBytes = kBanks * kBankBytes;

// A factorization over the two modes, and which of them is fastest.
struct Grid {
  std::int64_t m = 1, n = 1;
  bool by_rows = false;  // mode 1 fastest

  std::int64_t row(std::int64_t i) const { return by_rows ? i / n : i % m; }
  std::int64_t column(std::int64_t i) const { return by_rows ? i % n : i / m; }
  Layout layout() const {  // (m, n) -> id
    const IntTuple shape = IntTuple::tuple({m, n});
    return by_rows ? make_layout_row_major(shape).value() : Layout::make_compact(shape).value();
  }
  // A layout's text; a tuple alone is a compact column-major one.
  std::string text() const { return by_rows && m > 1 && n > 1 ? to_string(layout()) : to_string(IntTuple::tuple({m, n})); }
};

struct Candidate {
  Grid threads, values;
  std::int64_t vector = 1;  // values of one instruction
  // The widest first, as they take the fewest instructions; of those the simplest.
  auto order() const {
    const int value_modes = (values.m > 1 ? 1 : 0) + (values.n > 1 ? 1 : 0);
    return std::tuple(-vector, value_modes, values.m * values.n, !threads.by_rows, threads.m, values.m, values.by_rows);
  }
};

std::vector<Grid> grids(std::int64_t n) {
  std::vector<Grid> made;
  for (std::int64_t m = 1; m <= n; ++m) {
    if (n % m != 0) continue;
    made.push_back({m, n / m, false});
    if (m > 1 && m < n) made.push_back({m, n / m, true});
  }
  return made;
}

std::optional<std::string> atom_name(const CopyTraits& instruction, std::int64_t wide) {
  if (instruction.kind == CopyKind::universal)
    return wide >= 8 ? std::optional(fmt::format("UniversalCopy<uint{}_t>", wide)) : std::nullopt;
  const std::string op = instruction.name.substr(0, instruction.name.find('<'));  // SM80_CP_ASYNC_CACHEGLOBAL
  if (wide == kMostBits) return fmt::format("{}<uint128_t>", op);
  if (wide < 32) return std::nullopt;
  const bool zfill = op.ends_with("_ZFILL");
  return fmt::format("SM80_CP_ASYNC_CACHEALWAYS{}<uint{}_t>", zfill ? "_ZFILL" : "", wide);
}

bool is_better(const CopyCheck& a, const CopyCheck& b) { return std::tuple(a.units, a.instructions) < std::tuple(b.units, b.instructions); }

class Search {
 public:
  Search(const TiledCopy& copy, const CopyCheck& now, const CopyTile& source, const CopyTile& destination, std::int64_t bits)
      : copy_(copy), source_(source), destination_(destination), bits_(bits) {
    best_ = now;
    sound_ = now.is_sound();
  }

  Result<CopySearch> run() {
    const CopyKind kind = copy_.atom().traits.kind;
    const Shape& tensor = shape(source_.layout);
    if (kind != CopyKind::universal && kind != CopyKind::cp_async) return other_sizes();
    if (!tensor.is_tuple() || tensor.rank() < 2) {
      made_.stopped = "copies are looked for that take two modes: give the tile a second one";
      return std::move(made_);
    }
    m_ = size(tensor[0]);
    n_ = size(tensor[1]);
    rest_ = size(tensor) / (m_ * n_);
    TESSERA_CHECK(load());
    bound();
    if (at_the_bound()) {
      made_.least = true;
      return std::move(made_);
    }
    std::vector<Candidate> all = candidates();
    std::stable_sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) { return a.order() < b.order(); });
    made_.candidates = static_cast<std::int64_t>(all.size());
    if (all.empty()) made_.stopped = fmt::format("no copy by {} threads covers the tile evenly", copy_.num_threads());
    const std::int64_t looks = 2 * size(tensor);
    for (const Candidate& each : all) {
      if ((made_.tried + 1) * looks > kMostLooks || late()) {
        made_.stopped = fmt::format("the search stopped after {} of {} copies; a tile of up to {} elements is searched whole", made_.tried,
                                    all.size(), kMostLooks / (2 * std::max<std::int64_t>(1, made_.candidates)));
        break;
      }
      ++made_.tried;
      look_at(each);
      if (at_the_bound()) {
        made_.least = true;
        break;
      }
    }
    TESSERA_CHECK(prove());
    return std::move(made_);
  }

 private:
  // No copy takes fewer units than its distinct bytes fill, nor fewer instructions than its warps' widest.
  void bound() {
    const auto up = [](std::int64_t a, std::int64_t b) { return (a + b - 1) / b; };
    const std::int64_t instructions = up(size(shape(source_.layout)) * bits_, kLanes * kMostBits);
    for (std::size_t s = 0; s < 2; ++s) {
      const CopyTile& tile = s == 0 ? source_ : destination_;
      if (!tile.space) continue;
      std::vector<std::int64_t> places = offsets_[s];
      std::sort(places.begin(), places.end());
      const std::int64_t distinct = std::unique(places.begin(), places.end()) - places.begin();
      least_units_ += up(distinct * bits_, 8 * (*tile.space == AccessSpace::smem ? kWavefrontBytes : kSectorBytes));
      least_instructions_ = copy_.atom().traits.kind == CopyKind::cp_async ? instructions : least_instructions_ + instructions;
    }
  }
  bool at_the_bound() const { return sound_ && best_.units <= least_units_ && best_.instructions <= least_instructions_; }

  Status load() {
    for (std::size_t s = 0; s < 2; ++s) {
      const CopyTile& tile = s == 0 ? source_ : destination_;
      if (!tile.space) continue;
      TESSERA_TRY(offsets, element_offsets(tile.layout));
      for (std::int64_t& each : offsets) each += tile.offset;
      offsets_[s] = std::move(offsets);
    }
    return Done{};
  }

  std::vector<Candidate> candidates() const {
    std::set<std::int64_t> counts{size(copy_.layout_tv().shape()[1])};
    for (std::int64_t vector = 1; vector * bits_ <= kMostBits; vector *= 2) counts.insert(vector);
    std::vector<Candidate> made;
    for (const Grid& threads : grids(copy_.num_threads())) {
      for (const std::int64_t count : counts) {
        for (const Grid& values : grids(count)) {
          if (m_ % (threads.m * values.m) != 0 || n_ % (threads.n * values.n) != 0) continue;
          const std::int64_t along = values.by_rows || values.m == 1 ? values.n : values.m;
          for (std::int64_t vector = 1; vector * bits_ <= kMostBits; vector *= 2) {
            if (along % vector == 0 && atom_name(copy_.atom().traits, vector * bits_)) made.push_back({threads, values, vector});
          }
        }
      }
    }
    return made;
  }

  // The elements that raked_product(threads, values) gives each (value, thread), tile by tile.
  AccessPattern pattern_of(const Candidate& each, CopySide side) const {
    AccessPattern pattern;
    pattern.side = side;
    pattern.form = copy_.atom().traits.kind == CopyKind::cp_async ? AccessPattern::Form::async : AccessPattern::Form::plain;
    pattern.at_once = each.vector;
    pattern.threads = each.threads.m * each.threads.n;
    const std::int64_t tile_m = each.threads.m * each.values.m, tile_n = each.threads.n * each.values.n;
    const std::int64_t count = each.values.m * each.values.n, tiles = m_ / tile_m * (n_ / tile_n) * rest_;
    pattern.each = count * tiles;
    pattern.element.reserve(static_cast<std::size_t>(pattern.each * pattern.threads));
    for (std::int64_t tile = 0; tile < tiles; ++tile) {
      const std::int64_t m0 = tile % (m_ / tile_m) * tile_m, t = tile / (m_ / tile_m), n0 = t % (n_ / tile_n) * tile_n;
      for (std::int64_t v = 0; v < count; ++v) {
        for (std::int64_t thread = 0; thread < pattern.threads; ++thread) {
          const std::int64_t m = m0 + each.threads.row(thread) * each.values.m + each.values.row(v);
          const std::int64_t n = n0 + each.threads.column(thread) * each.values.n + each.values.column(v);
          pattern.element.push_back(m + m_ * (n + n_ * (t / (n_ / tile_n))));
        }
      }
    }
    return pattern;
  }

  void look_at(const Candidate& each) {
    CopyCheck sum;
    for (std::size_t s = 0; s < 2; ++s) {
      const CopyTile& tile = s == 0 ? source_ : destination_;
      if (!tile.space) continue;
      const AccessPattern pattern = pattern_of(each, s == 0 ? CopySide::source : CopySide::destination);
      const Result<AccessReport> report = measure(pattern, offsets_[s], bits_, *tile.space);
      if (!report || report->bits < each.vector * bits_) return;
      sum.units += report->units;
      sum.instructions = pattern.form == AccessPattern::Form::async ? std::max(sum.instructions, report->instructions)
                                                                    : sum.instructions + report->instructions;
      if (sound_ && is_better(best_, sum)) return;
    }
    if ((sound_ && !is_better(sum, best_)) || !cuts(each)) return;
    best_ = std::move(sum);
    sound_ = true;
    found_ = each;
  }

  Result<TiledCopy> copy_of(const Candidate& each) const {
    TESSERA_TRY(traits, find_copy_atom(*atom_name(copy_.atom().traits, each.vector * bits_)));
    TESSERA_TRY(atom, CopyAtom::make(std::move(traits), copy_.atom().value_type));
    return make_tiled_copy(atom, each.threads.layout(), each.values.layout());
  }
  // Does CuTe cut the tiles into its threads' parts?
  bool cuts(const Candidate& each) const {
    const Result<TiledCopy> copy = copy_of(each);
    return copy && (!source_.space || copy->partition_s(source_.layout, 0, Law::as_cute)) &&
           (!destination_.space || copy->partition_d(destination_.layout, 0, Law::as_cute));
  }

  // The copy that was found, made and checked as any other.
  Status prove() {
    if (!found_) return Done{};
    TESSERA_TRY(copy, copy_of(*found_));
    TESSERA_TRY(name, print(copy.atom(), Spelling::tessera));
    TESSERA_TRY(check, check_copy(copy, source_, destination_, bits_));
    if (!check.is_sound() || check.units != best_.units || check.instructions != best_.instructions)
      return Error{
          ErrorCode::breaks_law, fmt::format("the copy {} was found with {} units and has {}", name, best_.units, check.units), {}, {}};
    made_.better = {std::move(copy), fmt::format("make_tiled_copy({}, {}, {})", name, found_->threads.text(), found_->values.text()),
                    std::move(check)};
    return Done{};
  }

  // ldmatrix and stmatrix: the same threads and values by another number of matrices.
  Result<CopySearch> other_sizes() {
    const CopyTraits& now = copy_.atom().traits;
    for (const std::string& name : copy_atom_names()) {
      auto traits = find_copy_atom(name);
      if (!traits || traits->kind != now.kind || traits->name == now.name || traits->arch != now.arch) continue;
      auto atom = CopyAtom::make(*traits, copy_.atom().value_type);
      if (!atom) continue;
      auto copy = TiledCopy::make(*atom, copy_.layout_tv(), copy_.tiler_mn(), copy_.operand());
      if (!copy) continue;
      auto check = check_copy(*copy, source_, destination_, bits_);
      if (!check) continue;
      ++made_.candidates;
      ++made_.tried;
      if (!check->is_sound() || !check->no_partition.empty() || (sound_ && !is_better(*check, best_))) continue;
      TESSERA_TRY(text, print(*copy, Spelling::tessera));
      best_ = *check;
      sound_ = true;
      made_.better = {std::move(*copy), std::move(text), std::move(*check)};
    }
    if (made_.tried == 0) made_.stopped = "no other size of the instruction fits its threads and values";
    return std::move(made_);
  }

  const TiledCopy& copy_;
  const CopyTile &source_, &destination_;
  std::int64_t bits_;
  std::int64_t m_ = 1, n_ = 1, rest_ = 1;
  std::int64_t least_units_ = 0, least_instructions_ = 0;
  std::vector<std::int64_t> offsets_[2];
  CopyCheck best_;
  bool sound_ = false;
  std::optional<Candidate> found_;
  CopySearch made_;
};

}  // namespace

Result<CopySearch> find_copy(const TiledCopy& copy, const CopyCheck& now, const CopyTile& source, const CopyTile& destination,
                             std::int64_t bits) {
  return Search(copy, now, source, destination, bits).run();
}

}  // namespace tessera
