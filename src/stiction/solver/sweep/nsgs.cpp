// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/sweep/nsgs.h>

namespace stiction {

void NsgsOptions::check() const {
  const bool random = order == "shuffled" || order == "reshuffled", coloured = order == "coloured";
  if (!coloured && colouring != NsgsOptions{}.colouring)
    throw InvalidInput("nsgs.colouring is '" + colouring + "', expected it only beside order = 'coloured'");
  require_option(random || seed == 0, "nsgs", "seed", seed, "0 unless order is 'shuffled' or 'reshuffled'");
  require_option(coloured || threads == 1, "nsgs", "threads", threads, "1 unless order is 'coloured'");
}

SweepPlan NsgsOptions::plan() const {
  const SweepOrder which = order == "reversed"     ? SweepOrder::reversed
                           : order == "shuffled"   ? SweepOrder::shuffled
                           : order == "reshuffled" ? SweepOrder::reshuffled
                           : order == "coloured"   ? SweepOrder::coloured
                                                   : SweepOrder::natural;
  return {which, seed, colouring == "largest_first", threads, freeze};
}

Report Nsgs::solve(const ContactProblem& problem, VecOut lambda) {
  if (!solves<Nsgs>(problem)) return refuse(kName);
  start(problem, lambda, options_.pace());
  if (options_.over_relaxation == 1.0 && plan_.plain() && DenseSweep::fits(problem))
    run_dense(problem, lambda);
  else
    run(problem, lambda);
  return best_.finish(problem, kName, lambda);
}

void Nsgs::run(const ContactProblem& problem, VecOut lambda) {
  sweep_.local.prepare(problem, true);
  const auto update = [&, omega = options_.over_relaxation](const Block&, int i, double* u, double* x) {
    sweep_.local.solve(problem, i, omega, u, x);
  };
  if (plan_.plain())
    sweep_.run(problem, options_, best_, lambda, update);
  else
    sweep_.run_ordered(problem, options_, plan_, best_, lambda, ordered_, update);
}

void Nsgs::run_dense(const ContactProblem& p, VecOut lambda) {
  rules_.resize(p.blocks.size());
  for (std::size_t i = 0; i < p.blocks.size(); ++i) {
    double w[9];
    std::copy_n(p.G.diagonal_block(static_cast<int>(i)), 9, w);
    if (p.compliant())
      for (int r = 0; r < 3; ++r) w[4 * r] += p.compliance[p.blocks[i].row + r];
    rules_[i].prepare(w, p.blocks[i].mu);
  }
  dense_.pack(p);
  sweep_.run_dense(p, options_, best_, lambda, dense_, rules_.data());
}

}  // namespace stiction
