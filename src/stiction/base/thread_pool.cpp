// SPDX-License-Identifier: BSD-2-Clause
#include <pthread.h>
#include <stiction/base/invalid_input.h>
#include <stiction/base/thread_pool.h>

#include <atomic>
#include <string>
#include <system_error>
#include <utility>

namespace stiction {
namespace {

std::atomic<int> forks{0};  // between the first process and this one, since the first pool was made

int count_forks() {
  static const int watched = pthread_atfork(nullptr, nullptr, [] { ++forks; });
  return watched == 0 ? forks.load() : 0;
}

}  // namespace

ThreadPool::ThreadPool(int threads) : threads_(threads), forks_(count_forks()), shared_(std::make_unique<Shared>()) {
  if (threads < 1) throw InvalidInput("ThreadPool.threads is " + std::to_string(threads) + ", expected at least 1");
  std::vector<std::thread>& workers = shared_->workers;
  workers.reserve(threads - 1);
  try {
    for (int k = 1; k < threads; ++k) workers.emplace_back([this, k] { work(k); });
  } catch (const std::system_error&) {
    stop();
    throw InvalidInput("threads is " + std::to_string(threads) + ", but the system starts no more than " +
                       std::to_string(workers.size() + 1));
  }
}

ThreadPool::~ThreadPool() {
  if (forked()) {
    [[maybe_unused]] const auto* left_alone = shared_.release();  // its threads are not here
  } else {
    stop();
  }
}

bool ThreadPool::forked() const { return forks.load() != forks_; }

void ThreadPool::stop() {
  {
    const std::lock_guard lock(shared_->mutex);
    shared_->stopping = true;
  }
  shared_->start.notify_all();
  for (std::thread& w : shared_->workers) w.join();
}

void ThreadPool::parallel_for(int n, const std::function<void(int, int)>& f) {
  if (forked()) return run_alone(n, f);
  Shared& s = *shared_;
  {
    const std::lock_guard lock(s.mutex);
    s.task = &f;
    s.count = n;
    s.running = threads_ - 1;
    s.error = nullptr;
    ++s.round;
  }
  s.start.notify_all();
  run_share(0);
  std::unique_lock lock(s.mutex);
  s.done.wait(lock, [&s] { return s.running == 0; });
  s.task = nullptr;
  if (s.error) std::rethrow_exception(std::exchange(s.error, nullptr));
}

void ThreadPool::run_alone(int n, const std::function<void(int, int)>& f) const {
  std::exception_ptr error;
  for (int thread = 0; thread < threads_; ++thread)
    for (int i = thread; i < n; i += threads_) {
      try {
        f(i, thread);
      } catch (...) {
        if (!error) error = std::current_exception();
      }
    }
  if (error) std::rethrow_exception(error);
}

void ThreadPool::run_share(int thread) {
  Shared& s = *shared_;
  for (int i = thread; i < s.count; i += threads_) {
    try {
      (*s.task)(i, thread);
    } catch (...) {
      const std::lock_guard lock(s.mutex);
      if (!s.error) s.error = std::current_exception();
    }
  }
}

void ThreadPool::work(int thread) {
  Shared& s = *shared_;
  std::uint64_t seen = 0;
  while (true) {
    {
      std::unique_lock lock(s.mutex);
      s.start.wait(lock, [&] { return s.stopping || s.round != seen; });
      if (s.stopping) return;
      seen = s.round;
    }
    run_share(thread);
    const std::lock_guard lock(s.mutex);
    if (--s.running == 0) s.done.notify_one();
  }
}

}  // namespace stiction
