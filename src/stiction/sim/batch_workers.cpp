// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/sim/batch_workers.h>
#include <stiction/sim/simulator_impl.h>

#include <algorithm>
#include <utility>

namespace stiction {
namespace {

constexpr int kMostNeighbours = 16;  // states that lie together, while the last ones still spread over all threads
constexpr int kRoundsPerThread = 8;

}  // namespace

BatchWorkers::BatchWorkers(const Simulator& simulator, int threads)
    : share_([this](int, int thread) { work(thread); }), pool_(threads) {
  own_.reserve(static_cast<std::size_t>(threads));
  for (int k = 0; k < threads; ++k) {
    own_.push_back(simulator.clone());
    own_.back().set_interrupt([this, k] { return ask(k); });
  }
}

bool BatchWorkers::ask(int thread) {
  if (thread == 0 && interrupted_ != nullptr && (*interrupted_)()) stop_ = true;
  return stopped();
}

void BatchWorkers::work(int thread) {
  try {
    for (int first = next_.fetch_add(block_); first < count_; first = next_.fetch_add(block_))
      for (int i = first; i < std::min(first + block_, count_); ++i) {
        if (ask(thread)) return;
        (*task_)(own_[static_cast<std::size_t>(thread)], i);
      }
  } catch (...) {
    stop_ = true;
    throw;
  }
}

void BatchWorkers::for_each(int n, const Interrupted& interrupted, const Task& task) {
  task_ = &task;
  interrupted_ = interrupted ? &interrupted : nullptr;
  count_ = n;
  block_ = std::clamp(n / (kRoundsPerThread * threads()), 1, kMostNeighbours);
  next_ = 0, stop_ = false;
  pool_.parallel_for(threads(), share_);
}

LentState::LentState(Simulator& own, State& state, DetectionMemory& memory)
    : own_(own), state_(state), memory_(memory) {
  exchange();
  LookAhead& ahead = own_.impl_->work.detection.ahead;  // this thread may not have seen the world yet; the memory has
  for (std::vector<double>* x : {&ahead.way, &ahead.slack, &ahead.demand})
    if (x->size() != ahead.motion.size()) x->assign(ahead.motion.size(), 0.0);
}

void LentState::exchange() {
  DetectionWork& work = own_.impl_->work.detection;
  std::swap(own_.impl_->state, state_);
  std::swap(work.poses, memory_.poses);
  std::swap(work.ahead.motion, memory_.motion);
  std::swap(work.schedule, memory_.schedule);
}

}  // namespace stiction
