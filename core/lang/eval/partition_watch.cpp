// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/eval/partition_watch.hpp"

#include <vector>

namespace tessera {
namespace {

thread_local std::vector<Partitioned>* current = nullptr;

}  // namespace

PartitionWatch::PartitionWatch(std::vector<Partitioned>& list) : before_(current) { current = &list; }
PartitionWatch::~PartitionWatch() { current = before_; }
std::vector<Partitioned>* PartitionWatch::list() { return current; }

}  // namespace tessera
