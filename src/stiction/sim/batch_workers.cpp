// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/dynamics/lanes/row_kernels.h>
#include <stiction/sim/batch_workers.h>
#include <stiction/sim/simulator_impl.h>

#include <algorithm>
#include <utility>

namespace stiction {
namespace {

constexpr int kMostNeighbours = 16;  // states that lie together, while the last ones still spread over all threads
constexpr int kRoundsPerThread = 8;

}  // namespace

void BatchWorkers::choose_lanes(const Simulator& simulator) {
  const Simulator::Impl& s = *simulator.impl_;
  const LaneKernels* kernels = chosen_lanes();
  wide_rows_ = kernels != nullptr && kernels->width >= kRowWidth;
  if (kernels == nullptr || !s.stepper->has_lanes()) return;
  plan_ = std::make_unique<LanePlan>(*s.world, s.model->layout);
  if (!plan_->any()) return;
  width_ = kernels->width;
  for (int k = 0; k < pool_.threads(); ++k) runners_.emplace_back(*plan_, *kernels);
}

BatchWorkers::BatchWorkers(const Simulator& simulator, int threads)
    : share_([this](int, int thread) { work(thread); }), pool_(threads) {
  choose_lanes(simulator);
  own_.reserve(static_cast<std::size_t>(threads * width_));
  for (int k = 0; k < threads * width_; ++k) {
    own_.push_back(simulator.clone());
    own_.back().set_interrupt([this, thread = k / width_] { return ask(thread); });
  }
}

bool BatchWorkers::ask(int thread) {
  if (thread == 0 && interrupted_ != nullptr && (*interrupted_)()) stop_ = true;
  return stopped();
}

void BatchWorkers::work(int thread) {
  const std::span<Simulator> own(own_.data() + static_cast<std::ptrdiff_t>(thread) * width_,
                                 static_cast<std::size_t>(width_));
  GroupRunner* runner = runners_.empty() ? nullptr : &runners_[static_cast<std::size_t>(thread)];
  try {
    for (int first = next_.fetch_add(block_); first < count_; first = next_.fetch_add(block_)) {
      const int end = std::min(first + block_, count_);
      for (int i = first; i < end; i += width_) {
        if (ask(thread)) return;
        (*task_)(own.first(static_cast<std::size_t>(std::min(width_, end - i))), runner, i);
      }
    }
  } catch (...) {
    stop_ = true;
    throw;
  }
}

void BatchWorkers::for_each_group(int n, const Interrupted& interrupted, const GroupTask& task) {
  task_ = &task;
  interrupted_ = interrupted ? &interrupted : nullptr;
  count_ = n;
  const int groups = (n + width_ - 1) / width_;
  block_ = width_ * std::clamp(groups / (kRoundsPerThread * threads()), 1, std::max(1, kMostNeighbours / width_));
  next_ = 0, stop_ = false;
  use_row_kernels(wide_rows_);
  pool_.parallel_for(threads(), share_);
}

void BatchWorkers::for_each(int n, const Interrupted& interrupted, const Task& task) {
  for_each_group(n, interrupted, [this, &task](std::span<Simulator> own, GroupRunner*, int first) {
    for (std::size_t l = 0; l < own.size() && !stopped(); ++l) task(own.front(), first + static_cast<int>(l));
  });
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
