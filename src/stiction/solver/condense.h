// SPDX-License-Identifier: BSD-2-Clause
// The same problem with G = H Hᵀ multiplied out to block-sparse storage: methods that work on the contact graph want it.
// Two blocks are coupled if they touch the same group of velocities. Allocates only to grow.
#pragma once

#include <stiction/problem/contact_problem.h>

#include <vector>

namespace stiction {

class Condenser {
 public:
  void run(const ContactProblem& body_space);
  const ContactProblem& problem() const { return out_; }

 private:
  void add_products(const BodySpace& body, int i, int term, const ContactProblem& problem);

  ContactProblem out_;
  std::vector<std::vector<int>> touching_;  // terms of each group
  std::vector<int> block_of_term_, neighbours_, place_;
  GrowingVec dense_;  // row of the velocities of one group
};

}  // namespace stiction
