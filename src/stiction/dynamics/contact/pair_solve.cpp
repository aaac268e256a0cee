// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/pair.h>
#include <stiction/dynamics/contact/pair_solve.h>

namespace stiction {

void add_impulse_pair(const Layout& layout, const RowSet& rows, const RowBlock& i, const double* lambda,
                      const double* mu, double* whitened) {
  for (int k = 0; k < i.sides; ++k) {
    const RowSide& side = i.side[k];
    const int* chain = layout.chain.data() + layout.bodies[side.body].chain;
    const double* y = rows.values.data() + side.offset;
    if (i.rows == 3) {
      const double mixed[6] = {lambda[0], mu[0], lambda[1], mu[1], lambda[2], mu[2]};
      const Pair f0 = load_pair(mixed), f1 = load_pair(mixed + 2), f2 = load_pair(mixed + 4);
      for (int d = 0; d < side.length; ++d, y += 4) {
        double* w = whitened + 2 * chain[d];
        store_pair(w, load_pair(w) + (both(y[0]) * f0 + both(y[1]) * f1 + both(y[2]) * f2));
      }
    } else {
      const double mixed[2] = {lambda[0], mu[0]};
      const Pair f = load_pair(mixed);
      for (int d = 0; d < side.length; ++d) {
        double* w = whitened + 2 * chain[d];
        store_pair(w, load_pair(w) + both(y[d]) * f);
      }
    }
  }
}

void solve_lower_pair(const Layout& layout, const Tree& tree, const Kinematics& k, double* x) {
  for (int velocity = tree.v; velocity < tree.v + tree.nv; ++velocity) {
    const auto j = velocity;
    const int depth = layout.depth[j];
    const double* row = k.factor.data() + layout.row[j];
    const int* chain = layout.chain.data() + layout.chain_of[j];
    Pair even = load_pair(x + 2 * velocity), odd = both(0.0);  // two sums: the chain of additions is half as long
    int d = 0;
    for (; d + 1 < depth; d += 2) {
      even = even - both(row[d]) * load_pair(x + 2 * chain[d]);
      odd = odd + both(row[d + 1]) * load_pair(x + 2 * chain[d + 1]);
    }
    if (d < depth) even = even - both(row[d]) * load_pair(x + 2 * chain[d]);
    store_pair(x + 2 * velocity, (even - odd) * both(k.inverse_diagonal[j]));
  }
}

}  // namespace stiction
