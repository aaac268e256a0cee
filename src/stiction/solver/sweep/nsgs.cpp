// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/invalid_input.h>
#include <stiction/solver/core/entry.h>
#include <stiction/solver/sweep/nsgs.h>

#include <algorithm>
#include <iterator>

namespace stiction {

namespace {

constexpr int kMostThreads = 256;

struct NamedOrder {
  const char* name;
  SweepOrder order;
};
constexpr NamedOrder kOrders[] = {{"natural", SweepOrder::natural},
                                  {"reversed", SweepOrder::reversed},
                                  {"shuffled", SweepOrder::shuffled},
                                  {"reshuffled", SweepOrder::reshuffled},
                                  {"coloured", SweepOrder::coloured}};

}  // namespace

void NsgsOptions::check() const {
  const char* owner = Nsgs::kName;
  check_sweep(owner);
  if (std::none_of(std::begin(kOrders), std::end(kOrders), [&](const NamedOrder& o) { return order == o.name; }))
    throw InvalidInput("nsgs.order is '" + order +
                       "', expected 'natural', 'reversed', 'shuffled', 'reshuffled' or 'coloured'");
  if (colouring != "first_fit" && colouring != "largest_first")
    throw InvalidInput("nsgs.colouring is '" + colouring + "', expected 'first_fit' or 'largest_first'");
  const bool random = order == "shuffled" || order == "reshuffled", coloured = order == "coloured";
  if (!coloured && colouring != NsgsOptions{}.colouring)
    throw InvalidInput("nsgs.colouring is '" + colouring + "', expected it only beside order = 'coloured'");
  require_option(seed >= 0, owner, "seed", seed, "an integer >= 0");
  require_option(random || seed == 0, owner, "seed", seed, "0 unless order is 'shuffled' or 'reshuffled'");
  require_option(threads >= 1 && threads <= kMostThreads, owner, "threads", threads, "an integer from 1 to 256");
  require_option(coloured || threads == 1, owner, "threads", threads, "1 unless order is 'coloured'");
  require_option(freeze >= 0, owner, "freeze", freeze, "an integer >= 0, 0 for none");
}

SweepPlan NsgsOptions::plan() const {
  SweepPlan p;
  for (const NamedOrder& o : kOrders)
    if (order == o.name) p.order = o.order;
  p.seed = seed, p.threads = threads, p.freeze = freeze;
  p.largest_first = colouring == "largest_first";
  return p;
}

template <class Update>
Report Nsgs::sweep_with(const ContactProblem& problem, VecOut lambda, Update update) {
  return plan_.plain() ? sweep_.run(problem, options_, kName, lambda, update)
                       : sweep_.run_ordered(problem, options_, plan_, kName, lambda, ordered_, update);
}

Report Nsgs::solve(const ContactProblem& problem, VecOut lambda) {
  if (problem.law.kind != FrictionLaw::coulomb) return refuse(kName);
  const double omega = options_.over_relaxation;
  if (omega == 1.0 && plan_.plain() && DenseSweep::fits(problem)) return solve_dense(problem, lambda);
  sweep_.local.prepare(problem, true);
  const LocalBlocks& local = sweep_.local;
  if (omega == 1.0)
    return sweep_with(problem, lambda, [&local](const Block& block, int i, double* u, double* x) {
      if (block.kind == BlockKind::coulomb)
        local.solve_contact(i, u, x);
      else
        local.solve_other_using(block, i, 1.0, u, x);
    });
  return sweep_with(problem, lambda, [&](const Block& block, int i, double* u, double* x) {
    if (block.kind != BlockKind::coulomb) return local.solve_other_using(block, i, omega, u, x);
    const double old[3] = {x[0], x[1], x[2]};
    local.solve_contact(i, u, x);
    for (int r = 0; r < 3; ++r) x[r] = omega * x[r] + (1.0 - omega) * old[r];
    project_block(block, problem.law, x);
  });
}

Report Nsgs::solve_dense(const ContactProblem& p, VecOut lambda) {
  rules_.resize(p.blocks.size());
  for (std::size_t i = 0; i < p.blocks.size(); ++i) {
    double w[9];
    std::copy_n(p.G.diagonal_block(static_cast<int>(i)), 9, w);
    if (p.compliant())
      for (int r = 0; r < 3; ++r) w[4 * r] += p.compliance[p.blocks[i].row + r];
    rules_[i].prepare(w, p.blocks[i].mu);
  }
  dense_.pack(p);
  return sweep_.run_dense(p, options_, kName, lambda, dense_, rules_.data());
}

SolverInfo nsgs_info() {
  return describe_solver<Nsgs>("nonsmooth Gauss-Seidel with exact one-contact solves and Anderson acceleration",
                               "Jourdan, Alart, Jean 1998; Acary, Bremond, Huber 2017",
                               "limit cycles; slow on hyperstatic stacks and large mass ratios",
                               {FrictionLaw::coulomb});
}

}  // namespace stiction
