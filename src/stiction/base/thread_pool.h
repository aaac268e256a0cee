// SPDX-License-Identifier: BSD-2-Clause
// A fixed number of threads that share out indices. Assignment is static (thread k takes k, k + threads, …), so that a
// task sees the same indices in the same order in every run; results must not depend on which thread computes them.
// A process that was forked has none of the threads: there the caller does their share as well.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
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
  // What the threads share; beside the pool, since a forked process can neither use nor destroy it.
  struct Shared {
    std::mutex mutex;
    std::condition_variable start, done;
    const std::function<void(int, int)>* task = nullptr;
    int count = 0, running = 0;
    std::uint64_t round = 0;
    bool stopping = false;
    std::exception_ptr error;
    std::vector<std::thread> workers;
  };

  bool forked() const;  // since the pool was made
  void stop();          // ends all workers
  void work(int thread);
  void run_share(int thread);
  void run_alone(int n, const std::function<void(int, int)>& f) const;

  const int threads_, forks_;
  std::unique_ptr<Shared> shared_;
};

}  // namespace stiction
