// SPDX-License-Identifier: BSD-3-Clause
// verify: what threads read and write in global memory is inside the tensor, or has a predicate that says where it is not.
#include <cstdint>
#include <set>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "core/base/budget.hpp"
#include "core/gemm/plan/edges.hpp"
#include "core/gemm/plan/explain_op.hpp"
#include "core/gemm/plan/verify_parts.hpp"

namespace tessera::plan {

namespace {

// Looks at each operation of the roles and functions once.
class Edges {
 public:
  explicit Edges(const GemmPlan& plan) : plan_(plan) {}

  Status check() {
    return each_op(plan_, [&](const Op& op) -> Status {
      Status status = check(op);
      return status ? std::move(status) : at_line(std::move(status).error(), op);
    });
  }

 private:
  Status check(const Op& op) {
    if (const auto* copy = std::get_if<Copy>(&op.op)) {
      const bool clipped = copy->by == CopyBy::tma_load || copy->by == CopyBy::tma_store;
      if (copy->beyond != kNone) TESSERA_CHECK(check_beyond(op, *copy));
      TESSERA_CHECK(check(op, copy->from, copy->predicate, clipped, clipped ? 1 : copy->vector, false));
      return check(op, copy->to, copy->predicate, clipped, clipped ? 1 : copy->vector, true);
    }
    const auto* convert = std::get_if<Convert>(&op.op);
    if (convert == nullptr || convert->c.partition == kNone) return Done{};
    return check(op, convert->c, convert->predicate, false, 1, false);
  }

  Status check(const Op& op, const At& at, Id predicate, bool clipped, std::int64_t vector, bool writes) {
    const Partition& partition = plan_.partitions[at.partition];
    const Tensor& tensor = plan_.tensors[partition.tensor];
    if (tensor.space != Space::global || !has_edge(plan_, tensor.operand)) return Done{};
    if (seen_.insert(at.partition).second) TESSERA_CHECK(check_coordinates(partition, tensor));
    if (clipped) return Done{};
    const TwoModes extents = plan::extents(plan_, tensor.operand);
    if (predicate != partition.coordinates) {
      return wrong(fmt::format("{} reaches beyond {}'s {} x {} elements in tiles of {} x {}, and {}", explain(plan_, op), tensor.name,
                               extents[0], extents[1], tile_extents(plan_, tensor.operand)[0], tile_extents(plan_, tensor.operand)[1],
                               predicate == kNone ? "has no predicate" : "its predicate is of another partition"),
                   fmt::format("the predicate {}", plan_.partitions[partition.coordinates].name));
    }
    return vector > 1 ? check_vectors(op, partition, tensor, vector, writes) : Status(Done{});
  }

  // What a map leaves over is stored one by one, by threads that know where it begins.
  Status check_beyond(const Op& op, const Copy& copy) const {
    const TensorMap& map = plan_.maps[copy.beyond];
    const Tensor& to = plan_.tensors[plan_.partitions[copy.to.partition].tensor];
    if (copy.by == CopyBy::load_store && copy.vector == 1 && copy.predicate != kNone &&
        (map.left_over > 0 || plan_.extents == Extents::arguments) && &plan_.tensors[map.tensor] == &to)
      return Done{};
    return wrong(
        fmt::format("{}: what {} leaves over of {}, {} elements of a row, is stored by threads, an element at once, with a predicate",
                    explain(plan_, op), map.name, plan_.tensors[map.tensor].name, map.left_over));
  }

  // Each value lies where the tensor has the element of its coordinate.
  Status check_coordinates(const Partition& partition, const Tensor& tensor) const {
    if (partition.coordinates == kNone) {
      return wrong(fmt::format("{} has no coordinates, and the tiles of {} reach beyond it", partition.name, tensor.name));
    }
    const Partition& is = plan_.partitions[partition.coordinates];
    const Layout &places = plain_part(partition.layout), &layout = plain_part(is.layout);
    if (plan_.tensors[is.tensor].space != Space::coordinates || plan_.tensors[is.tensor].operand != tensor.operand ||
        is.modes != partition.modes || layout[0].size() != places[0].size() || layout.size() != places.size())
      return wrong(fmt::format("{} = {} is no partition of {}'s coordinates with the modes of {}", is.name, to_string(layout), tensor.name,
                               partition.name));
    const Coordinates coordinates(layout);
    const TwoModes tile = tile_extents(plan_, tensor.operand);
    const ValueTable place(places), in_tile(make_layout({tensor.tiles[0], Layout()}));
    const std::int64_t threads = places[0].size();
    for (std::int64_t i = 0; i < places.size(); ++i) {
      if (late()) return past_deadline("verifying the coordinates of partitions");
      const std::int64_t thr = i % threads, value = i / threads;
      const auto [first, second] = coordinates(thr, value);
      if (first >= 0 && second >= 0 && first < tile[0] && second < tile[1] && in_tile(first + tile[0] * second, 0) == place(thr, value))
        continue;
      return wrong(fmt::format("value {} of {} is at {} in the tile of {}, and {} says ({},{})", i, partition.name, place(thr, value),
                               tensor.name, is.name, first, second));
    }
    return Done{};
  }

  // A vector that is written is inside or outside; one that is read may end outside.
  Status check_vectors(const Op& op, const Partition& partition, const Tensor& tensor, std::int64_t vector, bool writes) const {
    const Layout& layout = plain_part(plan_.partitions[partition.coordinates].layout);
    const Coordinates coordinates(layout);
    const std::int64_t threads = layout[0].size();
    const auto inside = [&](std::int64_t thr, std::int64_t value) {
      const TwoModes at = coordinates(thr, value);
      for (const std::size_t mode : {0U, 1U}) {
        if (has_edge(plan_, tensor.operand, mode) && at[mode] >= rest(plan_, tensor.operand, mode)) return false;
      }
      return true;
    };
    for (std::int64_t thr = 0; thr < threads; ++thr) {
      for (std::int64_t value = 0; value < layout[1].size(); ++value) {
        if (late()) return past_deadline("verifying the vectors at edges");
        const bool first = inside(thr, value - value % vector), here = inside(thr, value);
        if (here == first || (here < first && !writes)) continue;
        return wrong(fmt::format("{}: {} elements of thread {} go at once, of which the first is {} {} and another is not",
                                 explain(plan_, op), vector, thr, first ? "inside" : "outside", tensor.name),
                     "a narrower vector");
      }
    }
    return Done{};
  }

  const GemmPlan& plan_;
  std::set<Id> seen_;  // partitions whose coordinates were compared
};

}  // namespace

Status check_edges(const GemmPlan& plan) { return Edges(plan).check(); }

}  // namespace tessera::plan
