// SPDX-License-Identifier: BSD-2-Clause
// Gauss-Seidel sweeps that are not the plain one: another order of the blocks, colours on several threads, blocks at rest.
//   reversed     from the last block to the first
//   shuffled     a random order, drawn from `seed` at the start of a solve and kept
//   reshuffled   a new random order before every sweep
//   coloured     colour by colour, in parallel                                                      coloured_sweep.h
// Freezing: a block whose step was below kSmall of the largest step of the sweep before is left out of the next `freeze`
// sweeps. The block that moved most never rests, and a sweep in which all would rest wakes them all.
// Every order has the same fixed points; which of them is reached, in how many sweeps, and whether a limit cycle is met
// depend on it (docs/solvers/nsgs.md has numbers). Same seed, same bits, on every machine.
// References: Acary, Brémond, Huber 2018 (shuffling, freezing); Durstenfeld 1964 (the shuffle).
#pragma once

#include <stiction/base/growing.h>
#include <stiction/base/random.h>
#include <stiction/solver/sweep/coloured_sweep.h>

#include <cstdint>
#include <vector>

namespace stiction {

enum class SweepOrder : std::uint8_t { natural, reversed, shuffled, reshuffled, coloured };

struct SweepPlan {
  SweepOrder order = SweepOrder::natural;
  int seed = 0;
  bool largest_first = false;  // coloured only, as is `threads`
  int threads = 1;
  int freeze = 0;  // sweeps that a block rests, 0 for none

  bool plain() const { return order == SweepOrder::natural && freeze == 0; }
};

class OrderedSweep {
 public:
  void begin(const ContactProblem& problem, const SweepPlan& plan);
  // One sweep: update(block, i, u_i, λ_i) replaces λ_i in place and may use u_i as scratch; several threads call it.
  template <class Update>
  Change run(const ContactProblem& problem, double* lambda, double* velocity, Update& update);
  const Colouring& colouring() const { return coloured_.colouring(); }

 private:
  static constexpr double kSmall = 1e-2;  // step of a block that may rest, of the largest one
  static constexpr int kLine = 16;        // integers in a cache line, which no two threads share

  template <class Visit>
  Change visit_all(Visit& visit);
  void shuffle();
  bool rests(int block);
  void rest_if_small(int block, double change);
  bool wake_all();

  SweepPlan plan_;
  std::vector<int> order_;
  Random random_;
  ColouredSweep coloured_;
  std::vector<int> rest_;     // sweeps that a block still rests
  std::vector<int> awake_;    // per thread, blocks visited in this sweep
  double last_change_ = 0.0;  // largest ‖Δλ_i‖² of the sweep before
  GrowingVec scratch_;        // per thread, room for u and Δλ of one block
  int room_ = 0;
};

template <class Visit>
Change OrderedSweep::visit_all(Visit& visit) {
  if (plan_.order == SweepOrder::coloured) return coloured_.run(visit);
  Change all;
  for (const int i : order_) all.include(visit(i, 0));
  return all;
}

template <class Update>
Change OrderedSweep::run(const ContactProblem& p, double* lambda, double* velocity, Update& update) {
  if (plan_.order == SweepOrder::reshuffled) shuffle();
  const BlockVisit block(p, p.G, lambda, velocity);
  auto visit = [&](int i, int thread) {
    if (plan_.freeze > 0 && rests(i)) return Change{};
    double* room = scratch_.data() + thread * room_;
    const Change c = block(i, room, room + room_ / 2, update);
    if (plan_.freeze > 0) rest_if_small(i, c.change), ++awake_[thread * kLine];
    return c;
  };
  Change c = visit_all(visit);
  if (plan_.freeze > 0 && wake_all()) c = visit_all(visit);
  last_change_ = c.change;
  return c;
}

}  // namespace stiction
