// SPDX-License-Identifier: BSD-2-Clause
// Anderson acceleration of a fixed-point map r ← G(r), window m:
//   f_k = G(r_k) − r_k,  ΔF = [f_j − f_{j−1}],  ΔG = [G(r_j) − G(r_{j−1})] over the last m steps
//   γ = argmin ‖f_k − ΔF γ‖,   r_{k+1} = G(r_k) − ΔG γ                                                     (1)
// The least squares go through modified Gram-Schmidt, newest column first; columns that keep less than 1e-10 of their
// length are left out. Safeguard: if ‖f_k‖ > 2 min ‖f_j‖ since the last restart, r goes back to the last accepted G(r)
// and the history is dropped. Projection of (1) on the sets is the caller's.
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

 private:
  bool restart(double* next);
  void push(const double* f, const double* g);
  void extrapolate(double* next);

  int rows_ = 0, window_ = 0, columns_ = 0, newest_ = 0, restarts_ = 0;
  bool has_last_ = false;
  double smallest_ = 0.0;  // min ‖f‖² since the last restart
  GrowingVec f_, last_f_, last_g_, delta_f_, delta_g_, basis_, triangle_, gamma_;
};

}  // namespace stiction
