// SPDX-License-Identifier: BSD-3-Clause
// The parts of `verify`, each in a source of its own.
#pragma once

#include <cstdint>
#include <map>
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

Status check_names(const GemmPlan& plan);   // of tensors, barriers, rings ... and variables, in every operation
Status check_counts(const GemmPlan& plan);  // walks every role: arrivals, bytes, stores, and the order of stages below

// The stages of shared memory as one role of one CTA writes and reads them: a stage is written only when it is empty, read only when it is
// full, released when nobody here reads it any more, and holds the same tile of K of A and of B. A role's threads are ordered by the
// barriers that all of them pass, so that one walk speaks for every order of threads; of other roles it knows what mbarriers tell.
class Stages {
 public:
  Stages(const GemmPlan& plan, const Role& role, std::string who) : plan_(plan), role_(role), who_(std::move(who)) {}

  Status step(const Step& step, const Walk& walk);  // the next operation of the role
  Status end() const;                               // after the last one

 private:
  static constexpr std::int64_t kNever = -1;
  using Fill = std::pair<Id, std::int64_t>;  // of a ring
  // A stage of a tensor. Times are counts of barriers that the whole role has passed.
  struct Place {
    std::int64_t fill = 0, written = kNever, read = kNever, fenced = kNever;
    std::int64_t copied_by = kNever, stored_by = kNever;  // groups of cp_async and bulk that are not waited for
  };
  struct Groups {
    std::int64_t open = 0, done = 0;  // numbers: what is begun now belongs to `open`; below `done` all are waited for
  };

  Status copy(const Copy& of, const Step& step, const Walk& walk);
  Status write(const Copy& of, const Walk& walk);
  Status read(const At& at, bool one_thread, bool asynchronous, const Walk& walk);
  Status wait(const Wait& of, bool one_thread, const Walk& walk);
  Status release(const Arrive& of, const Walk& walk);
  Status follow_k_tile(const Copy& of, const Walk& walk);
  Status put_k_tile(const Tensor& to, std::int64_t k_tile, const At& at, const Walk& walk);

  const Tensor& tensor(const At& at) const { return plan_.tensors[plan_.partitions[at.partition].tensor]; }
  bool has_mbarriers(const Tensor& tensor) const { return tensor.ring != kNone && plan_.rings[tensor.ring].full != kNone; }
  Place& place(const At& at, const Walk& walk);
  std::string where(const At& at, const Walk& walk) const;  // "stage 2 of sA"
  std::string now(const Walk& walk) const;                  // "consumer 0 at k_tile 5"
  Groups& groups(GroupOf of) { return groups_[static_cast<std::size_t>(of)]; }

  const GemmPlan& plan_;
  const Role& role_;
  std::string who_;
  std::int64_t time_ = 0;  // barriers passed
  std::map<std::pair<Id, std::int64_t>, Place> places_;
  Groups groups_[3];
  std::map<Fill, bool> full_;                       // waited for, by every thread?
  std::set<Fill> empty_, released_;                 // waited for, given back
  std::map<Fill, std::int64_t> multiplied_;         // the last group of wgmma that reads it
  std::int64_t tiles_ = 0;                          // of C, begun
  std::map<Operand, std::set<std::int64_t>> read_;  // fills
  std::map<std::pair<Fill, Operand>, std::int64_t> k_tiles_;
  std::map<Operand, std::int64_t> fetched_;                                    // the tile of K that waits in registers
  std::map<std::pair<Operand, std::int64_t>, std::set<std::int64_t>> copied_;  // tiles of K, by tile of C
};

}  // namespace tessera::plan
