// SPDX-License-Identifier: BSD-2-Clause
// Newton's method on the fixed point of the dual ADMM (admm_dual.h). A fixed point is a t with y = P(t), z = σ(y − t),
//   u + Γ(u) = z,   u = (G + R)y + g   (Γ = 0 for convex)                                                         (1)
// The pass of ADMM turns t into t + α(x − y), F(x − y) = z − u − Γ with the constant matrix F. Newton's method does not
// change when its equations are multiplied by a constant matrix, so that neither F nor ρ is needed for its step. P is
// smooth inside each of its regions; with t̂ = t_T/‖t_T‖, c ⟂ t̂, d = (μt̂, 1), κ = μ y_N/‖t_T‖ the linearised (1) is
//   stuck, free   δy = δt                    (u + Wδy) = 0                    W = G + R + εI
//   sliding       δy = αd + βc               (u + Wδy)_N = 0, c·(u + Wδy) + σ(1 − κ)/κ β = 0    [convex: d· in place of N]
//   open, bound   δy = 0                     nothing
// one system of 3, 2 and 0 rows per contact; patches have as many c as directions across t̂. What is left of t follows from u + Wδy: its part along the dual.
// σ is the mean diagonal entry of each block. ε = 1e-7 of the mean of all is proximal: where G is singular, λ moves in the
// range of G only and keeps the internal impulses it came with.
// Guarantee: quadratic convergence from a t in the right regions (Qi, Sun 1993), none from elsewhere; the caller judges
// every step, and goes back to ADMM. Cost: m³/3 products for m rows (m³/6 if nothing slides), and 3 products with G.
// References: Ali, Wong, Kolter 2017 (semismooth Newton on the fixed point of a splitting method); Xiao et al. 2018.
#pragma once

#include <stiction/base/growing.h>
#include <stiction/problem/contact_problem.h>

#include <vector>

namespace stiction {

class AdmmNewton {
 public:
  // G is dense, row-major. False if G + R has no positive diagonal entry.
  bool begin(const ContactProblem& problem, const double* G);
  void start_from_impulse(const ContactProblem& problem, const double* lambda);  // t = y − (u + Γ)/σ
  void start_from_pair(const ContactProblem& problem, const double* y, const double* z);
  // One step; false if the system is singular. lambda() is in its set afterwards.
  bool step(const ContactProblem& problem);
  const GrowingVec& lambda() const { return y_; }

 private:
  static constexpr double kTip = 1e-9;  // κ below which a sliding contact cannot turn: y is at the tip of the cone
  enum class Region : unsigned char { fixed, free, sliding };
  struct Piece {
    Region region = Region::free;
    int column = 0;                        // first unknown
    double sigma = 1.0;                    // [1/kg]
    double a = 1.0, b = 0.0, kappa = 0.0;  // t̂ and κ of a sliding contact
    int basis = 0;                         // of a sliding patch: place of t̂ and of the directions across it
  };
  void classify(const ContactProblem& problem);
  void velocity(const ContactProblem& problem);
  void project_system(const ContactProblem& problem);
  void move(const ContactProblem& problem);
  void list_directions(const Block& block, const double* t, Piece& piece);
  const double* direction(const Block& block, const Piece& piece, int j) const {
    return basis_.data() + piece.basis + j * (block.size - 1);
  }
  double along(const Block& block, const Piece& piece, int j, const double* v) const {
    double sum = 0.0;
    for (int k = 0; k + 1 < block.size; ++k) sum += direction(block, piece, j)[k] * v[k];
    return sum;
  }
  int directions(const Block& block, const Piece& piece) const {  // columns of a sliding block
    return piece.kappa > kTip ? block.size - 1 : 1;
  }
  void project_patch(const Block& block, const Piece& piece, bool convex, const double* v, double* w) const;
  void move_patch(const Block& block, const Piece& piece, bool coulomb);
  void add_row(int row, double weight, double* column) const;
  bool solve_system();

  const double* G_ = nullptr;
  bool symmetric_ = true, slides_ = false;
  int rows_ = 0, unknowns_ = 0;
  double epsilon_ = 0.0;
  std::vector<Piece> pieces_;
  std::vector<int> pivot_;
  std::vector<double> basis_;             // directions of sliding patches, one after the other
  std::vector<double> columns_, matrix_;  // W V by columns; the projected system by columns
  GrowingVec t_, y_, u_, shift_, step_;   // shift: R + ε
};

}  // namespace stiction
