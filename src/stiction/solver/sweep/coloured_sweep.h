// SPDX-License-Identifier: BSD-2-Clause
// A Gauss-Seidel sweep colour by colour (colouring.h) on several threads:
//   for each colour in turn:  visit all its blocks at once;  barrier
// Blocks of a colour do not touch each other: none reads a λ, nor in body space a velocity, that another one writes. What a
// sweep computes is therefore the same to the last bit for any number of threads, and the same as a sweep of one thread
// in the order of the colours. The largest change is a maximum, which does not depend on the order either.
// A colour is cut into even pieces of at least kLeastPiece blocks, so small colours run on one thread; so does every
// colour of a dense G, whose row products read all of λ.
// Failure mode: a barrier per colour costs some 10 µs; below about a thousand contacts one thread is faster.
// References: Preclik, Rüde 2015; Acary, Brémond, Huber 2018 (NSGS by colours in Siconos).
#pragma once

#include <stiction/base/thread_pool.h>
#include <stiction/solver/sweep/block_visit.h>
#include <stiction/solver/sweep/colouring.h>

#include <algorithm>
#include <memory>
#include <vector>

namespace stiction {

class ColouredSweep {
 public:
  void begin(const ContactProblem& problem, bool largest_first, int threads) {
    colouring_.update(problem.G, largest_first);
    shared_ = threads > 1 && problem.G.storage != Delassus::Storage::dense;
    if (!shared_ || (pool_ && pool_->threads() == threads)) return;
    pool_ = std::make_unique<ThreadPool>(threads);
    pieces_.resize(threads);
  }
  const Colouring& colouring() const { return colouring_; }

  // visit(i, thread) → Change, for every block; of the threads, only the one named uses its scratch.
  template <class Visit>
  Change run(Visit& visit);

 private:
  static constexpr int kLeastPiece = 4;  // blocks for which a thread is woken

  struct alignas(64) Piece {
    Change found;
  };

  template <class Visit>
  Change run_piece(int first, int last, int thread, Visit& visit) const;

  Colouring colouring_;
  std::unique_ptr<ThreadPool> pool_;  // none for one thread
  std::vector<Piece> pieces_;
  bool shared_ = false;  // more than one thread works
};

template <class Visit>
Change ColouredSweep::run_piece(int first, int last, int thread, Visit& visit) const {
  Change all;
  const int* order = colouring_.order().data();
  for (int k = first; k < last; ++k) all.include(visit(order[k], thread));
  return all;
}

template <class Visit>
Change ColouredSweep::run(Visit& visit) {
  Change all;
  const std::vector<int>& start = colouring_.start();
  for (std::size_t c = 0; c + 1 < start.size(); ++c) {
    const int first = start[c], count = start[c + 1] - first;
    const int pieces = shared_ ? std::min(pool_->threads(), count / kLeastPiece) : 1;
    if (pieces < 2) {
      all.include(run_piece(first, first + count, 0, visit));
      continue;
    }
    struct Work {
      ColouredSweep& sweep;
      Visit& visit;
      int first, count, pieces;
    } work{*this, visit, first, count, pieces};
    pool_->parallel_for(pieces, [&work](int k, int thread) {  // one reference: no allocation
      const int from = work.first + work.count * k / work.pieces, to = work.first + work.count * (k + 1) / work.pieces;
      work.sweep.pieces_[k].found = work.sweep.run_piece(from, to, thread, work.visit);
    });
    for (int k = 0; k < pieces; ++k) all.include(pieces_[k].found);
  }
  return all;
}

}  // namespace stiction
