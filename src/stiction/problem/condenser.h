// SPDX-License-Identifier: BSD-2-Clause
// G = H Hᵀ multiplied out to block-sparse storage: methods that work on the contact graph want it. Two blocks are coupled if they
// touch the same group of velocities. Allocates only to grow, so that solvers may call it.
#pragma once

#include <stiction/problem/delassus.h>

#include <vector>

namespace stiction {

class Condenser {
 public:
  void run(const Delassus& body_space, Delassus& out);

 private:
  void add_products(const Delassus& G, int i, int term, Delassus& out);

  std::vector<std::vector<int>> touching_;  // terms of each group
  std::vector<int> block_of_term_, neighbours_, place_;
  GrowingVec dense_;  // row of the velocities of one group
};

}  // namespace stiction
