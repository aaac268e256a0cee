// SPDX-License-Identifier: BSD-2-Clause
// Rows of joints (dry friction, limits, loops) by an active set around the contacts.
//
// A joint that sticks couples all contacts of its robot, and sweeps over rows are slow then. But such a row has two states only:
//   held    u = 0, λ is sought       bilateral rows; friction that sticks; a limit that carries
//   pushed  λ is a bound, u follows  friction that slides; an open limit (λ = 0)
// Held rows are eliminated and pushed ones are constants, so that the contacts are left alone. With S held, P pushed, C of contacts,
// G_SS + R_S = L Lᵀ and W = G_CS L⁻ᵀ:
//   u_C = (G_CC − W Wᵀ + R_C) λ_C + g_C + G_CP λ_P − W y,   y = L⁻¹ (g_S + G_SP λ_P)                         (1)
//   λ_S = −L⁻ᵀ (y + Wᵀ λ_C)                                                                                  (2)
// A round solves (1) by any method and looks: held rows outside their bounds are pushed, pushed rows whose u has the wrong sign
// are held. The guess says how the rows were in the last step, so that most problems take one round.
//
// Rows of S that depend on others (a loop held twice, friction of a joint at its limit) get λ = 0. Contacts that no velocity is
// left for (an arm whose joints all stick) keep the λ of the guess; if they approach, the joints that bear on them are pushed.
// Failure modes: the states may cycle; the caller has a limit of rounds and another method.
#pragma once

#include <stiction/base/growing.h>
#include <stiction/problem/contact_problem.h>

#include <vector>

namespace stiction {

class JointRows {
 public:
  // The rows and their states after the guess; false if this is not the way: no such rows, no dense G, or too many rows.
  bool load(const ContactProblem& problem, const double* guess);
  // Forms (1); false if contacts approach that no joint lets go.
  bool reduce(const ContactProblem& problem);
  const ContactProblem& contacts() const { return contacts_; }  // (1); no rows if there is no contact that can move
  GrowingVec& contact_impulses() { return contact_lambda_; }
  // λ of all rows from that of the contacts, and new states: how many rows changed. `one`: the first one only.
  int expand(const ContactProblem& problem, bool one, double* lambda);

 private:
  struct Row {
    int row;
    double lo, hi;
    bool held;
    double pushed;  // λ while it is not held
  };
  struct ContactRows {
    int block, row;  // of the problem
    bool locked;     // no velocity is left
    double lambda[3];
  };
  void add_joint_row(const ContactProblem& problem, const Block& block, int row, double guess, bool cold);
  void fill(const ContactProblem& problem);
  void eliminate();
  int push_bearing_joints(int contact);
  void form_contacts(const ContactProblem& problem);
  bool change(const ContactProblem& problem, Row& joint, const double* lambda, double slack) const;
  void solve_held(double* x) const;  // x ← L⁻ᵀ x
  double* line(int i) { return A_.data() + static_cast<std::ptrdiff_t>(i) * columns_; }
  const double* line(int i) const { return A_.data() + static_cast<std::ptrdiff_t>(i) * columns_; }

  std::vector<Row> joints_;
  std::vector<ContactRows> all_contacts_;
  std::vector<int> held_;   // as indices of joints_
  std::vector<int> order_;  // rows of the problem: held ones, then those of contacts
  int columns_ = 0;         // held rows and rows of contacts
  // Lower triangle of G in that order, and [g + G_P λ_P] as last line; after eliminate() L, W, y and (1). A row that depends on
  // others has zeros in L.
  GrowingVec A_, column_, inverse_, work_;
  ContactProblem contacts_;
  GrowingVec contact_lambda_;
};

}  // namespace stiction
