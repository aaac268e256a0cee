// SPDX-License-Identifier: BSD-2-Clause
// Anderson acceleration of a fixed-point map r ← G(r), window m:
//   f_k = G(r_k) − r_k,  ΔF = [f_j − f_{j−1}],  ΔG = [G(r_j) − G(r_{j−1})] over the last m steps
//   γ = argmin ‖f_k − ΔF γ‖,   r_{k+1} = G(r_k) − ΔG γ                                                     (1)
// The least squares go through modified Gram-Schmidt, newest column first; columns that keep less than 1e-10 of their
// length are left out. Up to 64 rows, where a sweep costs no more than that, the normal equations ΔFᵀΔF γ = ΔFᵀf are
// tried first: their matrix is kept between steps, and they serve as long as every column has 1e-4 of its length outside
// the newer ones.
// Safeguard: if ‖f_k‖ > 2 min ‖f_j‖ since the last restart, r goes back to the last accepted G(r) and the history is
// dropped. Projection of (1) on the sets is the caller's. Steps may be left out between two calls.
// Failure mode: maps whose active set keeps changing; the caller counts restarts() and gives up.
// References: Anderson 1965; Walker, Ni 2011.
#pragma once

#include <stiction/base/growing.h>

namespace stiction {

class Anderson {
 public:
  void begin(int rows, int window);  // window ≥ 1; forgets everything, allocates only if larger than ever
  // next: G(r) on entry, r_{k+1} on return. True if next is not G(r) itself, so that it must be projected.
  bool advance(const double* r, double* next);
  int restarts() const { return restarts_; }
  bool started() const { return columns_ > 0; }

 private:
  bool restart(double* next);
  void push(const double* next);
  bool solve_normal_equations();
  void solve_gram_schmidt();
  void subtract_images(double* next) const;
  int slot(int j) const { return newest_ >= j ? newest_ - j : newest_ - j + window_; }  // of the j-th newest column

  int rows_ = 0, window_ = 0, columns_ = 0, newest_ = 0, restarts_ = 0;
  bool has_last_ = false;
  double smallest_ = 0.0;  // min ‖f‖² since the last restart
  GrowingVec f_, last_f_, last_g_, delta_f_, delta_g_, basis_;
  GrowingVec gram_, right_;      // ΔFᵀΔF and ΔFᵀf, by slots
  GrowingVec triangle_, gamma_;  // by age, newest first
};

}  // namespace stiction
