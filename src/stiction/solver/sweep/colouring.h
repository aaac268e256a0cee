// SPDX-License-Identifier: BSD-2-Clause
// Colours of the blocks of a problem: two blocks of one colour do not touch each other, so that a Gauss-Seidel sweep may
// update all blocks of a colour at the same time and in any order with the same result.
//   touch        dense, block_sparse: a block G_ij or G_ji is stored (dense: is not zero); body_space: the two share a
//                velocity group, that is a tree of moving bodies. What stands still has no velocity and joins nobody.
//   first fit    blocks in natural order, or those with the most neighbours first (ties in natural order), get the
//                smallest colour that no neighbour has: at most 1 + the largest number of neighbours.
// A block stored as zeros counts as touching: reading a λ that another thread writes would be a race even times zero.
// The pattern is compared with that of the last call, and only another one is coloured. Cost: the number of neighbours,
// summed; a body with k contacts counts k². Reference: Matula, Beck 1983; Preclik, Rüde 2015 (contact problems).
#pragma once

#include <stiction/problem/delassus.h>

#include <vector>

namespace stiction {

class Colouring {
 public:
  void update(const Delassus& G, bool largest_first);

  int colours() const { return static_cast<int>(start_.size()) - 1; }
  const std::vector<int>& colour() const { return colour_; }  // of each block
  // Blocks [start()[c], start()[c + 1]) of order() have colour c, in ascending order.
  const std::vector<int>& order() const { return order_; }
  const std::vector<int>& start() const { return start_; }
  int updates() const { return updates_; }  // patterns coloured so far

 private:
  void read_pattern(const Delassus& G);
  void read_nonzero_blocks(const Delassus& G);
  void join_rows();
  void join_groups();
  void count_neighbours();
  void choose_sequence(bool largest_first);
  void fit_first();
  void sort_by_colour();
  template <class F>
  void each_neighbour(int block, F f) const;

  // What was coloured last: one list of integers, compared as a whole.
  //   [0, largest first, blocks, row starts …, columns …]   or   [1, largest first, blocks, groups, term starts …, groups …]
  std::vector<int> pattern_, last_pattern_;
  // Block i is in lists joined_[joined_start_[i]] …; all members of a list touch i.
  std::vector<int> joined_start_, joined_, member_start_, member_;
  std::vector<int> sequence_, neighbours_, mark_, colour_, order_, start_ = {0};
  int updates_ = 0;
};

}  // namespace stiction
