// SPDX-License-Identifier: BSD-3-Clause
// Jobs<T>: a thread that makes values of T beside the caller, one after another, in the order in which they were asked for.
//
//   Jobs<Picture> jobs;
//   const std::uint64_t order = jobs.ask([task](const std::stop_token& stop) { return or_refusal([&] { return make(task, stop); }, ...);
//   }); for (auto& made : jobs.take(0.01)) show(made.order, std::move(made.value));   // in a frame: what is ready by then
//
// One thread asks and takes. What a job is given belongs to it: nobody changes that meanwhile.
#pragma once

#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

namespace tessera {

// What `work` gives; what `refuse` makes of the words where it throws. Nobody above a thread would catch what a full memory throws.
template <class Work, class Refuse>
auto or_refusal(const Work& work, const Refuse& refuse) -> decltype(work()) {
  try {
    return work();
  } catch (const std::exception& thrown) {
    return refuse(thrown.what());
  }
}

template <class T>
class Jobs {
 public:
  using Work = std::function<T(const std::stop_token& stop)>;
  struct Made {
    std::uint64_t order = 0;  // the number that `ask` gave
    T value;
  };

  Jobs() : thread_([this](const std::stop_token& ends) { run(ends); }) {}
  // What has not been begun is forgotten; what has been is asked to stop, and waited for.
  ~Jobs() { forget_all(); }
  Jobs(const Jobs&) = delete;
  Jobs& operator=(const Jobs&) = delete;

  // The order's number, from 1. The work must not throw (or_refusal).
  std::uint64_t ask(Work work) {
    const std::lock_guard lock(mutex_);
    waiting_.push_back({++last_, std::move(work), std::stop_source()});
    changed_.notify_all();
    return last_;
  }
  // An order that has not been begun is never done. Others, and 0, are left alone.
  void forget(std::uint64_t order) {
    const std::lock_guard lock(mutex_);
    std::erase_if(waiting_, [&](const Order& each) { return each.number == order; });
  }
  // Nothing of what was asked for is wanted any more: what is under way is asked to stop, and nobody sees what comes of it.
  void forget_all() {
    const std::lock_guard lock(mutex_);
    waiting_.clear();
    ready_.clear();
    under_way_.request_stop();
    wanted_ = false;
  }
  // What was asked for so far is asked to stop; its values come all the same.
  void stop() {
    const std::lock_guard lock(mutex_);
    under_way_.request_stop();
    for (Order& each : waiting_) each.stop.request_stop();
  }
  // What is ready, after so many seconds at most (infinity: however long it takes); sooner as soon as nothing is left to do.
  std::vector<Made> take(double seconds) {
    std::unique_lock lock(mutex_);
    const auto is_idle = [this] { return waiting_.empty() && !wanted_; };
    if (std::isinf(seconds))
      changed_.wait(lock, is_idle);
    else if (seconds > 0)
      changed_.wait_for(lock, std::chrono::duration<double>(seconds), is_idle);
    return std::exchange(ready_, {});
  }

 private:
  struct Order {
    std::uint64_t number = 0;
    Work work;
    std::stop_source stop{std::nostopstate};
  };

  void run(const std::stop_token& ends) {
    while (true) {
      Order order;
      {
        std::unique_lock lock(mutex_);
        if (!changed_.wait(lock, ends, [this] { return !waiting_.empty(); })) return;
        order = std::move(waiting_.front());
        waiting_.pop_front();
        under_way_ = order.stop;
        wanted_ = true;
      }
      Made made{order.number, order.work(order.stop.get_token())};
      order.work = nullptr;  // what it was given is the caller's again as soon as its value can be seen
      const std::lock_guard lock(mutex_);
      if (std::exchange(wanted_, false)) ready_.push_back(std::move(made));
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<Order> waiting_;
  std::vector<Made> ready_;
  std::uint64_t last_ = 0;
  std::stop_source under_way_{std::nostopstate};
  bool wanted_ = false;  // what is under way, while something is
  std::jthread thread_;  // last: it ends before the rest does
};

}  // namespace tessera
