// SPDX-License-Identifier: BSD-2-Clause
// The sweep of gauss_seidel.h for the commonest robot problem, a dense G with coulomb blocks only: the same iteration,
// laid out for two-lane arithmetic. For each contact i in turn, with a packed copy M, f of the rows:
//   (t, n) = Σ_j M_ij λ_j + f_i,   λ_i ← rule_i(t, n)                                                         (1)
//   exact one-contact solve (nsgs)   M_ij = W_ij, M_ii = 0, f = g:  (t, n) is the b of local_contact.h
//   projection (pgs)                 M = I − diag(s) W without the column of λ_N in its own block, f = −diag(s) g, so that
//                                    λ_N = max(0, n) and λ_T = P_disc(μλ_N)(t − s_T W_TN λ_N)
// W = G + R and the steps s are folded in once per solve. What makes it fast: no branch on storage, kind or compliance;
// columns are stored as lanes (T1, T2), so that no sum runs across lanes but the normal's; every row begins with its own
// block and ends with the contact just solved, so that the product of a contact overlaps the solve of the one before;
// λ is written and read in the same 16-byte pieces, twice in a row (a ring), so that each row is one straight run.
// λ is all that is kept between sweeps (no drift); the root of a sliding contact serves as a guess only.
#pragma once

#include <stiction/base/pair.h>
#include <stiction/solver/core/progress.h>
#include <stiction/solver/local/local_contact.h>

#include <cmath>
#include <cstring>
#include <vector>

namespace stiction {

// Rule of nsgs.
struct ExactRule {
  static constexpr int kFirst = 1;  // M_ii = 0 is not read

  Pair tn, nt;       // W_TN / W_NN and W_NT
  Pair first, last;  // columns of S⁻¹
  double mu, inverse_nn;
  bool regular;  // μ > 0 and S regular: the closed test for sticking is valid
  double slip;   // ℓ of the last sweep, 0 if there was none
  LocalContact contact;

  void prepare(const double* w, double friction);
  void operator()(Pair& t, double& n, Pair old_t, double old_n) {
    if (regular && n < 0.0) {
      const Pair c = tn * n - t;
      const Pair r = first * c[0] + last * c[1], across = nt * r, squares = r * r;
      const double normal = -(n + (across[0] + across[1])) * inverse_nn, radius = mu * normal;
      if (normal >= 0.0 && squares[0] + squares[1] <= radius * radius) {
        t = r, n = normal;
        return;
      }
      return slide(t, n, c, old_t, old_n);
    }
    if (n >= 0.0) {
      t = both(0.0), n = 0.0;
      return;
    }
    solve(t, n);
  }

 private:
  void slide(Pair& t, double& n, Pair c, Pair old_t, double old_n);
  void solve(Pair& t, double& n) const;  // μ = 0, singular blocks, NaN
};

// Rule of pgs.
struct ProjectionRule {
  static constexpr int kFirst = 0;

  Pair tn;  // −s_T W_TN
  double mu;

  void operator()(Pair& t, double& n, Pair, double) const {
    n = n < 0.0 ? 0.0 : n;  // keeps NaN
    t += tn * n;
    const Pair squares = t * t;
    const double n2 = squares[0] + squares[1], radius = mu * n;
    if (n2 <= radius * radius) return;
    t *= (radius / n2) * std::sqrt(n2);  // root and quotient do not wait for each other
  }
};

class DenseSweep {
 public:
  static bool fits(const ContactProblem& problem);  // dense, coulomb blocks only, small enough to be copied

  void pack(const ContactProblem& problem);  // M = W without its diagonal blocks, f = g
  // M = I − diag(s) W and f = −diag(s) g; tn receives −s_T W_TN. Called for every contact.
  void pack(const ContactProblem& problem, int contact, double tangential, double normal, Pair& tn);
  void load(const double* lambda);
  void project_and_load(const ContactProblem& problem, double* lambda);  // λ on the cones first

  // One sweep; λ is also written to `lambda`.
  template <class Rule>
  Change sweep(Rule* rules, double* lambda) {
    return contacts_ == 4   ? sweep_fixed<4>(rules, lambda)
           : contacts_ == 8 ? sweep_fixed<8>(rules, lambda)
                            : sweep_fixed<0>(rules, lambda);
  }

 private:
  struct Columns {
    Pair t1, t2, n;  // columns of the block, rows T1 and T2
    Pair row;        // row N, columns T1 and T2
    Pair corner;     // row N, column N; 0
  };
  struct Impulse {
    Pair t1, t2, n;  // twice the same number
    Pair t;          // T1, T2
  };
  struct Free {
    Pair t, n;  // f; n has one lane
  };

  void resize(const ContactProblem& problem);
  void store(int contact, Pair t, double n) {
    const Impulse x = {both(t[0]), both(t[1]), both(n), t};
    ring_[contact] = x;
    ring_[contact + contacts_] = x;
  }

  // N: number of contacts known to the compiler, or 0.
  template <int N, class Rule>
  Change sweep_fixed(Rule* rules, double* lambda) {
    const int contacts = N > 0 ? N : contacts_;
    const Columns* m = columns_.data();
    Pair largest = both(0.0);
    for (int i = 0; i < contacts; ++i, m += contacts, lambda += 3) {
      const Impulse* x = ring_.data() + i;
      Pair a = free_[i].t, b = both(0.0), c = both(0.0);
      Pair n = free_[i].n, d = both(0.0);
      for (int j = Rule::kFirst; j < contacts; ++j) {
        a += m[j].t1 * x[j].t1, b += m[j].t2 * x[j].t2, c += m[j].n * x[j].n;
        n += m[j].row * x[j].t, d += m[j].corner * x[j].n;
      }
      n += d;
      Pair t = (a + b) + c;
      double normal = n[0] + n[1];
      const Pair old_t = x->t;
      const double old_n = x->n[0];
      rules[i](t, normal, old_t, old_n);
      store(i, t, normal);
      std::memcpy(lambda, &t, sizeof t);
      lambda[2] = normal;
      const Pair dt = t - old_t, step = Pair{normal - old_n, normal};
      const Pair changes = dt * dt, sizes = t * t;
      const Pair now = Pair{changes[0], sizes[0]} + Pair{changes[1], sizes[1]} + step * step;
      largest = largest > now ? largest : now;  // a NaN, which all later contacts share, is kept
    }
    return {largest[0], largest[1]};
  }

  int contacts_ = 0;
  std::vector<Columns> columns_;  // row i holds the blocks of contacts i, i + 1, …, n − 1, 0, …, i − 1
  std::vector<Impulse> ring_;     // λ twice
  std::vector<Free> free_;
};

}  // namespace stiction
