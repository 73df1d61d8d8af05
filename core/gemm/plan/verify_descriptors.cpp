// SPDX-License-Identifier: BSD-3-Clause
// verify: tensor maps and descriptors say the partitions that the operations name, element by element.
#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/base/budget.hpp"
#include "core/gemm/plan/descriptors.hpp"
#include "core/gemm/plan/edges.hpp"
#include "core/gemm/plan/register_file.hpp"
#include "core/gemm/plan/verify_parts.hpp"

namespace tessera::plan {

namespace {

// Values of a partition: those that an operation walks, and where they begin for each choice of the modes that it picks.
struct Values {
  std::vector<std::int64_t> walked{0}, begins{0};
};
Values values_of(const GemmPlan& plan, const At& at) {
  const Partition& partition = plan.partitions[at.partition];
  const Layout modes = plain_part(partition.layout)[1];
  Values values;
  std::int64_t weight = 1;
  for (std::size_t mode = 0; mode < partition.modes.size(); ++mode) {
    const std::int64_t extent = partition.modes.size() == 1 ? modes.size() : modes[mode].size();
    const bool picked = std::any_of(at.picks.begin(), at.picks.end(), [&](const Pick& pick) { return pick.mode == partition.modes[mode]; });
    std::vector<std::int64_t>& list = picked ? values.begins : values.walked;
    const std::size_t before = list.size();
    for (std::int64_t i = 1; i < extent; ++i) {
      for (std::size_t v = 0; v < before; ++v) list.push_back(list[v] + i * weight);
    }
    weight *= extent;
  }
  return values;
}

// Looks at each operation of the roles once, wherever it stands.
class Descriptors {
 public:
  explicit Descriptors(const GemmPlan& plan) : plan_(plan) {}

  Status check() {
    for (const Member& member : plan_.members()) {
      role_ = &member;
      TESSERA_CHECK(each_op_of(plan_, member.role->block, [&](const Op& op) -> Status {
        Status status = check(op);
        return status ? std::move(status) : at_line(std::move(status).error(), op);
      }));
    }
    return Done{};
  }

 private:
  Status check(const Op& op) {
    if (late()) return past_deadline("verifying what tensor maps and descriptors say");
    if (const auto* copy = std::get_if<Copy>(&op.op)) {
      if (copy->by == CopyBy::tma_load) return check_box(*copy, copy->from, copy->to);
      if (copy->by == CopyBy::tma_store) return check_box(*copy, copy->to, copy->from);
    }
    const auto* mma = std::get_if<Mma>(&op.op);
    if (mma == nullptr || mma->by != MmaBy::wgmma) return Done{};
    TESSERA_CHECK(check_operand(mma->a, mma->descriptor_a));
    return check_operand(mma->b, mma->descriptor_b);
  }

  const Tensor& tensor(const At& at) const { return plan_.tensors[plan_.partitions[at.partition].tensor]; }

  // Addresses in every stage are swizzled alike.
  Status check_periods(const Tensor& smem, std::string_view who, int swizzle_bytes) const {
    const std::int64_t period = std::max<std::int64_t>(kSwizzledRows * swizzle_bytes, 16);
    const std::int64_t stage = stages_of(plan_.rings, smem.ring) == 1 ? 0 : smem.stage_elements * bits(smem.type) / 8;
    if (smem.byte_offset % period == 0 && stage % period == 0) return Done{};
    return wrong(fmt::format(
        "{} swizzles by {} bytes, and {} begins at byte {}, with {} bytes from a stage to the next; both must be multiples of {}", who,
        swizzle_bytes, smem.name, smem.byte_offset, stage, period));
  }

  // A load brings whole rows; a store writes whole units of 16 bytes, also that in which a row ends.
  Status check_rows(const Copy& copy, const TensorMap& map, const MatrixOfRows& matrix, ValueType type) const {
    const std::int64_t columns = matrix.columns - map.left_over, unit = kStoredUnit * 8 / bits(type);
    if (map.left_over < 0 || columns < 1)
      return wrong(fmt::format("{} leaves over {} of the {} elements of a row", map.name, map.left_over, matrix.columns));
    if (copy.by == CopyBy::tma_load && map.left_over > 0)
      return wrong(fmt::format("{} loads by {}, which brings zeros for the last {} of {} elements of a row", role_->name, map.name,
                               map.left_over, matrix.columns),
                   "a map of the whole tensor");
    if (copy.by != CopyBy::tma_store || columns % unit == 0) return Done{};
    return wrong(fmt::format("{} stores rows of {} elements of {} by {}: TMA stores {} at once, and writes {} behind the last", role_->name,
                             columns, short_name(type), map.name, unit, unit - columns % unit),
                 fmt::format("a map that leaves over {}, and threads that store them", map.left_over + columns % unit));
  }

  // The elements of a box lie in the tensor as its map counts rows and columns, and in shared memory row by row.
  Status check_box(const Copy& copy, const At& gmem, const At& smem) {
    const auto says = [&](const std::string& what) {
      return wrong(fmt::format("{} copies {} to {} by TMA{}", role_->name, plan_.partitions[copy.from.partition].name,
                               plan_.partitions[copy.to.partition].name, what));
    };
    if (copy.map == kNone) return says(" without a tensor map");
    const TensorMap& map = plan_.maps[copy.map];
    if (map.tensor != plan_.partitions[gmem.partition].tensor) return says(fmt::format(", and {} is of another tensor", map.name));
    const auto matrix = matrix_of_rows(tensor(gmem));
    if (!matrix || matrix->pitch < matrix->columns) return says(fmt::format(", and {} has no rows of neighbours", tensor(gmem).name));
    TESSERA_CHECK(check_rows(copy, map, *matrix, tensor(gmem).type));
    TESSERA_CHECK(check_periods(tensor(smem), map.name, map.swizzle_bytes));
    if (!seen_.insert({gmem.partition, smem.partition, copy.map, role_->first_thread}).second) return Done{};
    const Layout outside = plain_part(plan_.partitions[gmem.partition].layout),
                 inside = plain_part(plan_.partitions[smem.partition].layout);
    const Values far = values_of(plan_, gmem), near = values_of(plan_, smem);
    const std::int64_t thread = role_->first_thread, bytes = bits(tensor(smem).type) / 8;
    const ValueTable far_at(outside), near_at(plan_.partitions[smem.partition].layout), near_plain(inside);
    const std::int64_t far_thread = thread % far_at.size(0), near_thread = thread % near_at.size(0), first = far_at(far_thread, 0);
    if (far.walked.size() != near.walked.size() || static_cast<std::int64_t>(far.walked.size()) != map.box_rows * map.box_columns)
      return says(fmt::format(": {} elements to {}, and a box of {} has {} x {}", far.walked.size(), near.walked.size(), map.name,
                              map.box_rows, map.box_columns));
    std::vector<bool> there(far.walked.size(), false);
    const Id coordinates = plan_.partitions[gmem.partition].coordinates;  // by which rows and columns count where there is an edge
    std::optional<Coordinates> coordinate;
    if (coordinates != kNone) coordinate.emplace(plain_part(plan_.partitions[coordinates].layout));
    const auto row_and_column = [&](std::int64_t value) -> TwoModes {
      const std::int64_t distance = far_at(far_thread, value) - first;
      if (!coordinate) return {distance / matrix->pitch, distance % matrix->pitch};
      const TwoModes from = (*coordinate)(far_thread, 0), to = (*coordinate)(far_thread, value);
      const std::size_t rows = matrix->along_first ? 1 : 0;
      return {to[rows] - from[rows], to[1 - rows] - from[1 - rows]};
    };
    for (std::size_t i = 0; i < far.walked.size(); ++i) {
      const std::int64_t distance = far_at(far_thread, far.walked[i]) - first;
      const auto [row, column] = row_and_column(far.walked[i]);
      const std::int64_t place = row * map.box_columns + column;
      if (distance < 0 || row >= map.box_rows || column >= map.box_columns || there[static_cast<std::size_t>(place)])
        return says(fmt::format(", and its value {} is {} elements from its first, in no place of its own in {}'s {} x {}", far.walked[i],
                                distance, map.name, map.box_rows, map.box_columns));
      there[static_cast<std::size_t>(place)] = true;
      for (const std::int64_t begin : near.begins) {
        const std::int64_t want = swizzled(map.swizzle_bytes, (near_plain(near_thread, begin) + place) * bytes);
        const std::int64_t is = bytes * near_at(near_thread, begin + near.walked[i]);
        if (is != want)
          return says(fmt::format(": element ({},{}) of a box arrives at byte {} by {}, and the partition has it at {}", row, column, want,
                                  map.name, is));
      }
    }
    return Done{};
  }

  // The instruction reads what the partition names.
  Status check_operand(const At& at, Id id) {
    const Partition& partition = plan_.partitions[at.partition];
    const Tensor& smem = tensor(at);
    const MmaAtom& atom = plan_.mma->atom();
    const auto says = [&](const std::string& what) {
      return wrong(fmt::format("{} multiplies {} by wgmma{}", role_->name, partition.name, what));
    };
    if (id == kNone) return says(" without a descriptor");
    const Descriptor& descriptor = plan_.descriptors[id];
    if (smem.space != Space::shared || descriptor.tensor != partition.tensor)
      return says(fmt::format(", and {} is of another tensor", descriptor.name));
    const bool a = smem.operand == Operand::a;
    if (descriptor.mn_major != (a ? atom.mn_major_a : atom.mn_major_b))
      return says(fmt::format(", and {} says an operand along {}, where {} reads one along {}", descriptor.name,
                              descriptor.mn_major ? "MN" : "K", atom.name, descriptor.mn_major ? "K" : "MN"));
    TESSERA_CHECK(check_periods(smem, descriptor.name, descriptor.swizzle_bytes));
    if (!seen_.insert({at.partition, id, kNone, 0}).second) return Done{};
    const Layout plain = plain_part(partition.layout), &elements = a ? atom.layout_a : atom.layout_b;
    const std::int64_t values = elements[1].size(), extent = shape_extent(atom, a ? 0 : 1), bytes = bits(smem.type) / 8;
    if (plain[1].size() % values != 0)
      return says(fmt::format(", whose {} values are no whole instructions of {}", plain[1].size(), values));
    const ValueTable begins(plain), places(partition.layout), in_atom(elements);
    for (std::int64_t thread = 0; thread < plain[0].size(); thread += kWarpgroup) {
      for (std::int64_t i = 0; i < plain[1].size(); ++i) {
        const std::int64_t begin = begins(thread, i - i % values) * bytes, element = in_atom(0, i % values);
        const std::int64_t want =
            swizzled(descriptor.swizzle_bytes, begin + offset_of(descriptor, smem.type, element % extent, element / extent));
        const std::int64_t is = bytes * places(thread, i);
        if (is == want) continue;
        return says(fmt::format(": by {} it reads its value {} for thread {} at byte {} of a stage, and the partition has it at {}",
                                descriptor.name, i, thread, want, is));
      }
    }
    return Done{};
  }

  const GemmPlan& plan_;
  const Member* role_ = nullptr;
  std::set<std::array<std::int64_t, 4>> seen_;  // partitions, maps and descriptors that were compared
};

}  // namespace

Status check_descriptors(const GemmPlan& plan) { return Descriptors(plan).check(); }

}  // namespace tessera::plan
