// SPDX-License-Identifier: BSD-3-Clause
// The parts of `verify`, each in a source of its own.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/gemm/plan/walk.hpp"
#include "core/gemm/refuse.hpp"

namespace tessera::plan {

inline Error wrong(std::string message, std::string what_to_try = {}) {
  return refuse(ErrorCode::bad_spec, std::move(message), std::move(what_to_try));
}

// With the line of the text that the operation was read from, if it was and none is said yet.
Error at_line(Error error, const Op& op);

Status check_names(const GemmPlan& plan);      // of tensors, barriers, rings ... and variables, in every operation
Status check_resources(const GemmPlan& plan);  // extents, modes and places that the other checks and the machine rely on
Status check_counts(const GemmPlan& plan,
                    std::vector<std::string>* notes);  // walks every role: arrivals, bytes, stores, and the order of stages below
Status check_edges(const GemmPlan& plan);              // does nothing but what has a predicate reach beyond a tensor?
Status check_descriptors(const GemmPlan& plan);        // of TMA and wgmma: do they say the partitions?

// The stages of shared memory as one role of one CTA writes and reads them: a stage is written only when it is empty, read only when it is
// full, released when nobody here reads it any more, and gets the same tile of K of A and of B. A role's threads are ordered by the
// barriers that all of them pass, so that one walk speaks for every order of threads; of other roles it knows what mbarriers tell.
// Not judged here: a tensor that several families of roles use without mbarriers, parts of a stage on their own, and writes by threads into
// a ring with mbarriers.
class StageOrder {
 public:
  StageOrder(const GemmPlan& plan, const Member& role, std::string who);

  Status step(const Step& step, const Walk& walk);  // the next operation of the role
  Status end() const;                               // after the last one

  // The tiles of K that the role copies: by operand and tile of C.
  using Copied = std::map<std::pair<Operand, std::int64_t>, std::set<std::int64_t>>;
  const Copied& copied() const { return copied_; }

 private:
  static constexpr std::int64_t kNever = -1;
  using Fill = std::pair<Id, std::int64_t>;  // of a ring
  struct Group {
    GroupOf of = GroupOf::cp_async;
    std::int64_t number = 0;
  };
  // A stage of a tensor that groups and barriers order. Times are counts of barriers that the whole role has passed.
  struct Place {
    std::int64_t fill = 0, written = kNever, read = kNever, fenced = kNever;
    std::optional<Group> writer, reader;  // begun, and not waited for
    bool arriving = false;                // by TMA, and not waited for
    bool read_alone = false;              // by the first thread, which may write next
  };
  // What the role knows of a fill of a ring that mbarriers order.
  struct Known {
    bool full = false, full_to_all = false, empty = false, empty_to_all = false, released = false;
    std::int64_t read = kNever;   // by threads: when
    std::optional<Group> reader;  // by wgmma or a bulk store
  };
  struct Groups {
    std::int64_t open = 0, done = 0;  // numbers: what is begun now belongs to `open`; below `done` all are waited for
    std::int64_t begun = 0;           // operations in the open one
    bool of_all = false;              // has every thread groups of its own?
  };

  Status copy(const Copy& of, const Step& step, const Walk& walk);
  Status opaque(const Opaque& of, const Step& step, const Walk& walk);
  Status write(const At& at, bool one_thread, const Walk& walk);  // may it be written now?
  void begin_write(const At& at, std::optional<GroupOf> group, bool arriving, const Walk& walk);
  Status read(const At& at, bool one_thread, std::optional<GroupOf> asynchronous, const Walk& walk);
  Status read_known(const At& at, bool one_thread, std::optional<GroupOf> asynchronous, const Walk& walk);
  Status commit(const Commit& of, bool one_thread, const Walk& walk);
  Status wait(const Wait& of, bool one_thread, const Walk& walk);
  Status wait(const WaitGroup& of, const Step& step, const Walk& walk);
  Status release(const Arrive& of, bool one_thread, const Walk& walk);
  Status follow_k_tile(const Copy& of, const Walk& walk);
  Status put_k_tile(const Tensor& to, std::int64_t k_tile, const At& at, const Walk& walk);

  const Tensor& tensor(const At& at) const { return plan_.tensors[plan_.partitions[at.partition].tensor]; }
  // Boxes of C are a role's own: groups and barriers order them, and a box that TMA fills has arrived where `full` was waited for.
  bool has_mbarriers(const Tensor& tensor) const {
    return tensor.ring != kNone && plan_.rings[tensor.ring].full != kNone && tensor.operand != Operand::c;
  }
  // sA or sB, of which each fill is a tile of K. Null: the operand has no tile in shared memory.
  const Tensor* smem_of(Operand operand) const {
    const Id id = operand == Operand::c ? kNone : plan_.path(operand).smem;
    return id == kNone ? nullptr : &plan_.tensors[id];
  }
  bool alone(bool one_thread) const { return one_thread && role_.threads > 1; }
  bool is_under_way(const std::optional<Group>& group) const { return group && group->number >= groups(group->of).done; }
  Place& place(const At& at, const Walk& walk);
  Known& known(Id ring, std::int64_t fill);
  Error read_too_early(const At& at, const Walk& walk, const std::string& why) const;
  Error written_too_early(const At& at, const Walk& walk, const std::string& why) const;
  // Why a stage's fill is not known to be full or empty: the role waits for that barrier too late, for other fills, or not at all.
  std::string unwaited(Id barrier, const At& at, const Walk& walk) const;
  std::string where(const At& at, const Walk& walk) const;  // "stage 2 of sA"
  std::string now(const Walk& walk) const;                  // "consumer 0 at k_tile 5"
  Groups& groups(GroupOf of) { return groups_[static_cast<std::size_t>(of)]; }
  const Groups& groups(GroupOf of) const { return groups_[static_cast<std::size_t>(of)]; }

  const GemmPlan& plan_;
  const Member& role_;
  std::string who_;
  std::set<Id> shared_;    // tensors that other families use too
  std::int64_t time_ = 0;  // barriers passed
  std::map<std::pair<Id, std::int64_t>, Place> places_;
  Groups groups_[3];
  std::map<Fill, Known> known_;
  std::set<Id> waited_;                             // mbarriers of rings, for whichever fill
  std::int64_t tiles_ = 0;                          // of C, begun
  std::map<Operand, std::set<std::int64_t>> read_;  // fills
  std::map<std::pair<Fill, Operand>, std::int64_t> k_tiles_;
  std::map<Operand, std::int64_t> fetched_;  // the tile of K that waits in registers
  Copied copied_;
  std::set<std::vector<std::int64_t>> copies_;  // operand, tile, tile of K, part
};

}  // namespace tessera::plan
