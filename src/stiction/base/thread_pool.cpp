// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/invalid_input.h>
#include <stiction/base/thread_pool.h>

#include <string>
#include <system_error>
#include <utility>

namespace stiction {

ThreadPool::ThreadPool(int threads) : threads_(threads) {
  if (threads < 1) throw InvalidInput("ThreadPool.threads is " + std::to_string(threads) + ", expected at least 1");
  workers_.reserve(threads - 1);
  try {
    for (int k = 1; k < threads; ++k) workers_.emplace_back([this, k] { work(k); });
  } catch (const std::system_error&) {
    stop();
    throw InvalidInput("threads is " + std::to_string(threads) + ", but the system starts no more than " +
                       std::to_string(workers_.size() + 1));
  }
}

ThreadPool::~ThreadPool() { stop(); }

void ThreadPool::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  start_.notify_all();
  for (std::thread& w : workers_) w.join();
}

void ThreadPool::parallel_for(int n, const std::function<void(int, int)>& f) {
  {
    const std::lock_guard lock(mutex_);
    task_ = &f;
    count_ = n;
    running_ = threads_ - 1;
    error_ = nullptr;
    ++round_;
  }
  start_.notify_all();
  run_share(0);
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return running_ == 0; });
  task_ = nullptr;
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

void ThreadPool::run_share(int thread) {
  for (int i = thread; i < count_; i += threads_) {
    try {
      (*task_)(i, thread);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!error_) error_ = std::current_exception();
    }
  }
}

void ThreadPool::work(int thread) {
  std::uint64_t seen = 0;
  while (true) {
    {
      std::unique_lock lock(mutex_);
      start_.wait(lock, [&] { return stopping_ || round_ != seen; });
      if (stopping_) return;
      seen = round_;
    }
    run_share(thread);
    const std::lock_guard lock(mutex_);
    if (--running_ == 0) done_.notify_one();
  }
}

}  // namespace stiction
