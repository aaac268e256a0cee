// SPDX-License-Identifier: BSD-2-Clause
// The pyramid law as a linear complementarity problem w = M z + q, 0 ≤ z ⟂ w ≥ 0, any even number K of facets.
//   λ = λ₀ + A z,   u = (G + R) λ + g                                                                              (1)
// per coulomb block, with d_k the unit vectors to the corners of the polygon (at angle + (2k+1)π/K) and c = 1/cos(π/K):
//   λ_T = Σ β_k d_k                                                                                                (2)
//   0 ≤ β_k ⟂ d_kᵀ u_T + σ ≥ 0,   0 ≤ λ_N ⟂ u_N ≥ 0,   0 ≤ σ ⟂ c μ λ_N − Σ β_k ≥ 0                                 (3)
// so that (2, 3) describe the same circumscribed polygon as cone/pyramid_set.h and the judge. While sliding
// σ = max_k −d_kᵀu_T. Contacts without friction have the normal row only.
//   unilateral            z = λ
//   box, both bounds      z = (λ − lo, s),  w = (u + s, hi − λ)
//   box, one bound        z = λ − lo, or z = hi − λ with w = −u
//   box without bounds    λ = z₊ − z₋
// M = Aᵀ(G + R)A + (the ±1, cμ of (3)) is copositive if G is positive semidefinite. Bilateral blocks are not known here.
//
// Scaling (`equilibrate`): impulse-like variables of a block by s = 1/√(mean diagonal of G_ii + R_ii), velocity-like ones
// by 1/s, rows as their columns. The solution is the same; the covering vector of Lemke then suits every block.
// Reference: Stewart, Trinkle 1996; Anitescu, Potra 1997.
#pragma once

#include <stiction/base/growing.h>
#include <stiction/problem/contact_problem.h>

#include <vector>

namespace stiction {

class PyramidLcp {
 public:
  // False if the problem has bilateral blocks.
  bool load(const ContactProblem& problem, bool equilibrate);

  int size() const { return static_cast<int>(variables_.size()); }
  const double* M() const { return M_.data(); }  // row-major
  const double* q() const { return q_.data(); }
  // (1), without the velocity-like variables.
  void to_lambda(const double* z, double* lambda) const;
  // A z whose positive entries are those that λ asks for: λ_T on two neighbouring corners, σ only on the polygon's edge.
  void from_lambda(const ContactProblem& problem, const double* lambda, double* z);

 private:
  struct Variable {
    int row[2];  // rows of λ that it moves; −1 for none
    double weight[2];
    double scale;  // z = scale · (what M and q are about), w likewise divided
  };
  struct Coupling {  // an entry of M that is not of AᵀGA
    int row, column;
    double value;
  };

  void write_matrix(const ContactProblem& problem);
  void add_contact(const FrictionLaw& law, const Block& block, double scale);
  void add_box(const Block& block, double scale);
  void add(int row, double weight, double scale, double constant = 0.0);
  void assemble(const ContactProblem& problem);
  void read_contact(const FrictionLaw& law, const Block& block, const double* lambda, double* z);
  void read_box(const Block& block, double lambda, double u, double* z) const;

  std::vector<Variable> variables_;
  std::vector<Coupling> couplings_;
  std::vector<int> first_;                 // first variable of each block
  std::vector<double> matrix_, half_, M_;  // G + R; (G + R)A; M
  GrowingVec q_, offset_, unit_, u_, scratch_;
};

}  // namespace stiction
