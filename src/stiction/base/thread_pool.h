// SPDX-License-Identifier: BSD-2-Clause
// A fixed number of threads that share out indices. Assignment is static (thread k takes k, k + threads, …), so that a
// task sees the same indices in the same order in every run; results must not depend on which thread computes them.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace stiction {

class ThreadPool {
 public:
  explicit ThreadPool(int threads);  // ≥ 1; the calling thread is one of them
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const { return threads_; }

  // f(i, thread) for i in [0, n); returns when all are done. The first exception is thrown again here; the other
  // indices are still visited. Not reentrant: f must not call parallel_for of the same pool.
  void parallel_for(int n, const std::function<void(int index, int thread)>& f);

 private:
  void stop();  // ends all workers
  void work(int thread);
  void run_share(int thread);

  const int threads_;
  std::mutex mutex_;
  std::condition_variable start_, done_;
  const std::function<void(int, int)>* task_ = nullptr;
  int count_ = 0, running_ = 0;
  std::uint64_t round_ = 0;
  bool stopping_ = false;
  std::exception_ptr error_;
  std::vector<std::thread> workers_;
};

}  // namespace stiction
