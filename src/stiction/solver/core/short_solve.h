// SPDX-License-Identifier: BSD-2-Clause
// A first try. While a ShortSolve lives, the long search of `auto` (solver/automatic) ends in this thread after as much counted work as
// so many Newton steps on the problem: for a caller that has an easier problem to fall back on. No clock: the same bits everywhere.
#pragma once

namespace stiction {

class ShortSolve {
 public:
  explicit ShortSolve(double newton_steps);
  ~ShortSolve();
  ShortSolve(const ShortSolve&) = delete;
  ShortSolve& operator=(const ShortSolve&) = delete;

  bool taken() const;            // whether a solver has asked for the limit since: others search as long as ever
  static double newton_steps();  // of the innermost one of this thread; 0: no limit
  static double around();  // the same, asked by a caller that hands it on to other threads: `taken` stays what it is

 private:
  double around_;
};

}  // namespace stiction
