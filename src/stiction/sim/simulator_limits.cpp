// SPDX-License-Identifier: BSD-2-Clause
// What a step may take of the machine: threads and time.
#include <stiction/base/invalid_input.h>
#include <stiction/law/catalog.h>
#include <stiction/model/world/checks.h>
#include <stiction/sim/simulator_impl.h>

namespace stiction {
namespace {

constexpr double kMostBudget = 1e6;  // more seconds do not fit a clock

}  // namespace

void Simulator::set_interrupt(std::function<bool()> interrupted) { impl_->interrupted = std::move(interrupted); }

void Simulator::set_budget(double seconds) {
  if (!(seconds >= 0.0) || !(seconds < kMostBudget))
    throw InvalidInput("budget is " + text(seconds) + ", expected seconds >= 0 and < 1e6");
  if (seconds > 0.0 && find_law(impl_->settings.law).family != LawFamily::hard)
    throw InvalidInput("law '" + impl_->settings.law +
                       "' gives its forces itself: its steps have no solve that a budget could end");
  impl_->budget = seconds;
}
double Simulator::budget() const { return impl_->budget; }

void Simulator::set_threads(int threads) {
  Impl& s = *impl_;
  s.work.detection.pool = nullptr;
  s.threads.reset();
  if (threads == 1) return;
  if (threads < 1) throw InvalidInput("threads is " + std::to_string(threads) + ", expected at least 1");
  s.threads = std::make_unique<IslandThreads>(threads, [&s] { return s.new_solver(); }, *s.world);
  s.work.detection.pool = &s.threads->pool();
}
int Simulator::threads() const { return impl_->threads ? impl_->threads->threads() : 1; }

}  // namespace stiction
