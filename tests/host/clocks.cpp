// SPDX-License-Identifier: BSD-3-Clause
// Threads that passed the same barriers share one list of times, so that a barrier of all threads costs one list.
#include "tests/host/clocks.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <utility>

namespace tessera::host {
namespace {

void join_into(Clocks::Times& times, const Clocks::Times& other) {
  if (times.size() < other.size()) times.resize(other.size());
  for (std::size_t i = 0; i < other.size(); ++i) times[i] = std::max(times[i], other[i]);
}

std::uint32_t& at(Clocks::Times& times, int who, std::size_t entries) {
  if (times.size() < entries) times.resize(entries);
  return times[static_cast<std::size_t>(who)];
}

}  // namespace

Clocks::Clocks(int threads, int engines)
    : entries_(static_cast<std::size_t>(threads + engines)), threads_(static_cast<std::size_t>(threads)) {
  const auto nothing = std::make_shared<const Times>(entries_);
  for (Thread& thread : threads_) thread.before = thread.visible = nothing;
}

bool Clocks::shows(int thread, Stamp event) const {
  const Thread& each = threads_[static_cast<std::size_t>(thread)];
  return (event.who == thread ? each.fenced : (*each.visible)[static_cast<std::size_t>(event.who)]) >= event.when;
}

bool Clocks::alike(int a, int b) const {
  const Thread &one = threads_[static_cast<std::size_t>(a)], &other = threads_[static_cast<std::size_t>(b)];
  return one.before == other.before && one.visible == other.visible;
}

void Clocks::release(int thread, Knowledge& into) {
  Thread& each = threads_[static_cast<std::size_t>(thread)];
  if (each.before != into.joined_before) join_into(into.before, *(into.joined_before = each.before));
  if (each.visible != into.joined_visible) join_into(into.visible, *(into.joined_visible = each.visible));
  std::uint32_t &before = at(into.before, thread, entries_), &visible = at(into.visible, thread, entries_);
  before = std::max(before, each.own);
  visible = std::max(visible, each.fenced);
  ++each.own;
}

void Clocks::note(Knowledge& into, Stamp event) const {
  std::uint32_t& time = at(into.before, event.who, entries_);
  time = std::max(time, event.when);
}

Clocks::Released Clocks::end(Knowledge& gathered) const {
  gathered.before.resize(entries_), gathered.visible.resize(entries_);
  Released released{std::make_shared<const Times>(std::move(gathered.before)), std::make_shared<const Times>(std::move(gathered.visible))};
  gathered = {};
  return released;
}

Clocks::Shared Clocks::join(const Shared& a, const Shared& b) {
  if (a == b) return a;
  for (const Join& done : joins_) {
    if (done.a == a && done.b == b) return done.result;
  }
  Times both = *a;
  join_into(both, *b);
  const Shared result = both == *b ? b : both == *a ? a : std::make_shared<const Times>(std::move(both));
  joins_[next_join_++ % std::size(joins_)] = {a, b, result};
  return result;
}

void Clocks::acquire(int thread, const Released& from) {
  if (!from.before) return;  // of a barrier without an end of a phase yet
  Thread& each = threads_[static_cast<std::size_t>(thread)];
  each.before = join(each.before, from.before);
  each.visible = join(each.visible, from.visible);
}

void Clocks::learn(int thread, Stamp event) {
  Thread& each = threads_[static_cast<std::size_t>(thread)];
  if (learned_.from != each.before || learned_.event != event) {
    Times times = *each.before;
    std::uint32_t& time = times[static_cast<std::size_t>(event.who)];
    time = std::max(time, event.when);
    learned_ = {each.before, std::make_shared<const Times>(std::move(times)), event};
  }
  each.before = learned_.result;
}

void Clocks::fence(int thread) {
  Thread& each = threads_[static_cast<std::size_t>(thread)];
  each.visible = each.before;
  each.fenced = each.own++;
}

}  // namespace tessera::host
