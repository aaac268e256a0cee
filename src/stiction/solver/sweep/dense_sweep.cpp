// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/cone/coulomb_cone.h>
#include <stiction/solver/sweep/dense_sweep.h>

namespace stiction {
namespace {

constexpr int kLargest = 100;  // contacts: above it the copy would leave the second-level cache

}  // namespace

void ExactRule::prepare(const double* w, double friction) {
  contact.prepare(w, friction);
  mu = friction, inverse_nn = contact.inverse_nn;
  tn = Pair{contact.tn[0], contact.tn[1]}, nt = Pair{contact.nt[0], contact.nt[1]};
  first = Pair{contact.s[3], -contact.s[2]} * contact.inverse_det;
  last = Pair{-contact.s[1], contact.s[0]} * contact.inverse_det;
  regular = friction > 0.0 && contact.w_nn > 0.0 && contact.inverse_det > 0.0;
  slip = 0.0;
}

void ExactRule::slide(Pair& t, double& n, Pair c, Pair old_t, double old_n) {
  const double b[3] = {t[0], t[1], n}, plane[2] = {c[0], c[1]};
  if (!(slip > 0.0)) slip = contact.slip_of(b, old_t[0], old_t[1], old_n);
  double r[3];
  if (contact.slide(b, plane, slip, r) != ContactMode::slip) slip = 0.0;
  t = Pair{r[0], r[1]}, n = r[2];
}

void ExactRule::solve(Pair& t, double& n) const {
  const double b[3] = {t[0], t[1], n};
  double r[3];
  contact.solve(b, r);
  t = Pair{r[0], r[1]}, n = r[2];
}

bool DenseSweep::fits(const ContactProblem& p) {
  if (p.G.storage != Delassus::Storage::dense || p.blocks.size() > kLargest) return false;
  for (const Block& b : p.blocks)
    if (b.kind != BlockKind::coulomb) return false;
  return true;
}

void DenseSweep::resize(const ContactProblem& p) {
  contacts_ = static_cast<int>(p.blocks.size());
  const std::size_t n = p.blocks.size();
  columns_.resize(n * n), ring_.resize(2 * n), free_.resize(n);
}

void DenseSweep::load(const double* lambda) {
  for (int i = 0; i < contacts_; ++i) store(i, Pair{lambda[3 * i], lambda[3 * i + 1]}, lambda[3 * i + 2]);
}

void DenseSweep::project_and_load(const ContactProblem& p, double* lambda) {
  for (int i = 0; i < contacts_; ++i, lambda += 3) {
    const double mu = p.blocks[i].mu, radius = mu * lambda[2];
    if (!(lambda[2] >= 0.0 && lambda[0] * lambda[0] + lambda[1] * lambda[1] <= radius * radius)) {
      const Vec3 x = CoulombCone{mu}.project({lambda[0], lambda[1], lambda[2]});
      lambda[0] = x.x(), lambda[1] = x.y(), lambda[2] = x.z();
    }
    store(i, Pair{lambda[0], lambda[1]}, lambda[2]);
  }
}

void DenseSweep::pack(const ContactProblem& p) {
  resize(p);
  const int rows = 3 * contacts_;
  Columns* out = columns_.data();
  for (int i = 0; i < contacts_; ++i) {
    const double *t1 = p.G.dense.data() + 3 * i * rows, *t2 = t1 + rows, *n = t2 + rows, *g = p.g.data() + 3 * i;
    *out++ = {both(0.0), both(0.0), both(0.0), both(0.0), both(0.0)};  // R is on the diagonal only
    const auto copy = [&](int from, int to) {
      for (int c = 3 * from; c < 3 * to; c += 3)
        *out++ = {Pair{t1[c], t2[c]}, Pair{t1[c + 1], t2[c + 1]}, Pair{t1[c + 2], t2[c + 2]}, Pair{n[c], n[c + 1]},
                  Pair{n[c + 2], 0.0}};
    };
    copy(i + 1, contacts_), copy(0, i);
    free_[i] = {Pair{g[0], g[1]}, Pair{g[2], 0.0}};
  }
}

void DenseSweep::pack(const ContactProblem& p, int i, double tangential, double normal, Pair& tn) {
  if (i == 0) resize(p);
  const int rows = 3 * contacts_;
  const double *t1 = p.G.dense.data() + 3 * i * rows, *t2 = t1 + rows, *n = t2 + rows, *g = p.g.data() + 3 * i;
  const Pair s = both(-tangential), z = both(-normal);
  Columns* out = columns_.data() + i * contacts_;
  Columns& own = *out;
  const auto copy = [&](int from, int to) {
    for (int c = 3 * from; c < 3 * to; c += 3)
      *out++ = {s * Pair{t1[c], t2[c]}, s * Pair{t1[c + 1], t2[c + 1]}, s * Pair{t1[c + 2], t2[c + 2]},
                z * Pair{n[c], n[c + 1]}, z * Pair{n[c + 2], 0.0}};
  };
  copy(i, contacts_), copy(0, i);
  if (p.compliant()) {
    const double* R = p.compliance.data() + 3 * i;
    own.t1[0] -= tangential * R[0], own.t2[1] -= tangential * R[1], own.corner[0] -= normal * R[2];
  }
  own.t1[0] += 1.0, own.t2[1] += 1.0, own.corner[0] += 1.0;
  tn = own.n, own.n = both(0.0);
  free_[i] = {s * Pair{g[0], g[1]}, z * Pair{g[2], 0.0}};
}

}  // namespace stiction
