// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/dynamics/derivatives/forward_derivatives.h>
#include <stiction/dynamics/derivatives/integrate_derivatives.h>
#include <stiction/step/exponential/exponential_tangent.h>
#include <stiction/step/exponential/row_kernels.h>

#include <algorithm>
#include <complex>

namespace stiction {
namespace {

using namespace tangent;
using Complex = std::complex<double>;

// α/r² of (3), or 2α/r³; twice for a pair.
Complex weight_of(const Pole& pole, bool twice) {
  const Complex weight = (pole.pair ? 2.0 : 1.0) * pole.ratio * pole.inverse;
  return twice ? 2.0 * weight * pole.inverse : weight;
}

// r/h and (r/h) K/G of one row.
struct Rates {
  Complex velocity, stretch;
};
Rates rates_of(const Pole& pole, double h, double stiffness, double damping) {
  const Complex rate = pole.r / h, step = h * pole.inverse;
  const Complex G(damping + stiffness * step.real(), stiffness * step.imag());
  return {rate, rate * std::conj(G) * (stiffness / std::norm(G))};
}

// The right-hand side of (2) for one row of a point.
void fill_rhs(const Tangent& t, int row, const Rates& rates, bool pair, int load, double* __restrict re,
              double* __restrict im) {
  const ExponentialTangentWork& w = t.w;
  const std::size_t start = row * t.nv;
  const double* Y = w.projected.data() + row * t.stride;
  const double *J = w.points.J.data() + start, *u_dq = w.points.velocity_dq.data() + start;
  const double *s_dq = w.points.stretch_dq.data() + start, *s_dv = w.points.stretch_dv.data() + start;
  const double* drift_dv = w.points.drift_dv.data() + start;
  const double* drift_dq = w.drift.data() + load * t.rows * t.nv + start;
  const double* D = Y + t.load[load].column;
  const double a = rates.velocity.real(), b = rates.stretch.real();
  for (int j = 0; j < t.nv; ++j) re[j] = D[j] - drift_dq[j] - a * u_dq[j] - b * s_dq[j];
  for (int j = 0; j < t.nv; ++j) re[t.nv + j] = Y[j] - drift_dv[j] - a * J[j] - b * s_dv[j];
  for (int j = 0; j < t.ntau; ++j) re[2 * t.nv + j] = -Y[t.nv + j];
  std::fill(re + t.plain, re + t.padded, 0.0);
  if (!pair) return;
  const double* D_im = Y + t.load[load + 1].column;
  const double* drift_im = drift_dq + static_cast<std::ptrdiff_t>(t.rows) * t.nv;
  const double c = rates.velocity.imag(), d = rates.stretch.imag();
  for (int j = 0; j < t.nv; ++j) im[j] = D_im[j] - drift_im[j] - c * u_dq[j] - d * s_dq[j];
  for (int j = 0; j < t.nv; ++j) im[t.nv + j] = -c * J[j] - d * s_dv[j];
  std::fill(im + 2 * t.nv, im + t.padded, 0.0);
}

// (2) by the point's own anchor: −(r/h) G⁻¹K ∂Δp/∂p₀.
void fill_anchor_columns(const Tangent& t, std::size_t point, int r, const Rates& rates, bool pair, double* re,
                         double* im) {
  const int before = t.w.points.before[point];
  if (before < 0) return;
  const int column = t.plain + 3 * before;
  for (int k = 0; k < 3; ++k) {
    const double slope = t.w.points.stretch_da[point](r, k);
    re[column + k] = -rates.stretch.real() * slope;
    if (pair) im[column + k] = -rates.stretch.imag() * slope;
  }
}

// out = (or +=) the real part of weight · (re + i im)
void real_part(const Complex& weight, bool pair, const double* __restrict re, const double* __restrict im, int n,
               bool add, double* __restrict out) {
  const double a = weight.real(), b = weight.imag();
  if (pair && add)
    for (int j = 0; j < n; ++j) out[j] += a * re[j] - b * im[j];
  else if (pair)
    for (int j = 0; j < n; ++j) out[j] = a * re[j] - b * im[j];
  else if (add)
    for (int j = 0; j < n; ++j) out[j] += a * re[j];
  else
    for (int j = 0; j < n; ++j) out[j] = a * re[j];
}

// (2) and (3) for one island and one pole.
void pole_tangents(const Tangent& t, int number, int k, int load) {
  ExponentialTangentWork& w = t.w;
  const Island island = island_of(t.c, number);
  const Pole& pole = t.poles[k];
  const int width = t.padded;
  int row = 0;
  for (const int* b = island.first; b != island.last; ++b) {
    const SoftPoint& p = t.c.work.points[*b];
    for (int r = 0; r < p.rows; ++r, ++row) {
      const Rates rates = rates_of(pole, t.step.h, p.stiffness[r], p.damping[r]);
      double *re = row_of(w.rhs_re, row, width), *im = row_of(w.rhs_im, row, width);
      fill_rhs(t, w.points.first[*b] + r, rates, pole.pair, load, re, im);
      fill_anchor_columns(t, *b, r, rates, pole.pair, re, im);
    }
  }
  solve_with_pole_many(t.factors(number), pole, k, width, w.rhs_re.data(), w.rhs_im.data());
  const Complex once = weight_of(pole, false), twice = weight_of(pole, true);
  row = 0;
  for (const int* b = island.first; b != island.last; ++b)
    for (int r = 0; r < t.c.work.points[*b].rows; ++r, ++row) {
      const double *re = row_of(w.rhs_re, row, width), *im = row_of(w.rhs_im, row, width);
      double* out = row_of(w.force, w.points.first[*b] + r, t.width);
      real_part(once, pole.pair, re, im, width, k > 0, out);
      if (!t.step.single) real_part(twice, pole.pair, re, im, width, k > 0, out + width);
    }
}

// dλ̄ and dλ̿ of (3), before the cone map.
void average_tangents(const Tangent& t) {
  ExponentialTangentWork& w = t.w;
  grow(w.force, t.rows * t.width);
  for (std::vector<double>* x : {&w.rhs_re, &w.rhs_im}) grow(*x, t.rows * t.padded);
  for (int i = 0; i < t.c.work.islands.count(); ++i) {
    int load = 0;
    for (int k = 0; k < static_cast<int>(t.poles.size()); ++k) {
      pole_tangents(t, i, k, load);
      load += t.poles[k].pair ? 2 : 1;
    }
  }
}

// Rows ← Λ rows.
void apply_cone(const ConeTangent& cone, int rows, int n, int stride, double* x) {
  if (cone.mode == ConeMode::stick) return;
  if (cone.mode == ConeMode::clipped) {
    for (int r = 0; r < rows; ++r) std::fill_n(x + r * stride, n, 0.0);
    return;
  }
  const Mat3& m = cone.map;
  double *u = x, *v = x + stride;
  const double* normal = v + stride;
  for (int j = 0; j < n; ++j) {
    const double a = u[j], b = v[j];
    u[j] = m(0, 0) * a + m(0, 1) * b + m(0, 2) * normal[j];
    v[j] = m(1, 0) * a + m(1, 1) * b + m(1, 2) * normal[j];
  }
}

void project_on_cones(const Tangent& t, StepDerivatives& out) {
  const std::vector<SoftPoint>& points = t.c.work.points;
  out.mode.resize(points.size());
  out.exact = true;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const SoftPoint& p = points[i];
    const ConeTangent once = cone_tangent(p, p.average), twice = cone_tangent(p, p.double_average);
    double* rows = row_of(t.w.force, t.w.points.first[i], t.width);
    apply_cone(once, p.rows, t.padded, t.width, rows);
    if (!t.step.single) apply_cone(twice, p.rows, t.padded, t.width, rows + t.padded);
    out.mode[i] = {p.kind, p.kind == SoftKind::contact && !p.known, t.w.points.pass[i].mode, once.mode, twice.mode};
    out.exact = out.exact && t.w.points.motion[i] != PointMotion::unknown;
  }
  out.dforce.resize(t.rows, t.plain);
  for (int r = 0; r < t.rows; ++r) std::copy_n(row_of(t.w.force, r, t.width), t.plain, out.dforce.data() + r * t.plain);
}

// (4), still whitened: Yᵀ dλ + S dτ − D̄ dx.
void whitened_motion(const Tangent& t) {
  ExponentialTangentWork& w = t.w;
  grow(w.motion, t.nv * t.width);
  for (int half = 0; half < (t.step.single ? 1 : 2); ++half) {
    for (int i = 0; i < t.nv; ++i) {
      const double* x = row_of(w.whitened, i, t.stride);
      double* out = row_of(w.motion, i, t.width) + half * t.padded;
      bool add = false;
      int load = 0;
      for (const Pole& pole : t.poles) {
        const double* D = x + t.load[load].column;
        real_part(-weight_of(pole, half == 1), pole.pair, D, D + (pole.pair ? t.nv : 0), t.nv, add, out);
        load += pole.pair ? 2 : 1;
        add = true;
      }
      if (t.corrections > 0) add_scaled(-1.0, x + t.load[t.loads - t.corrections + half].column, t.nv, out);
      for (int j = 0; j < t.nv; ++j) out[t.nv + j] = -x[j];
      std::copy_n(x + t.nv, t.ntau, out + 2 * t.nv);
      std::fill(out + t.plain, out + t.padded, 0.0);
    }
  }
  add_transposed_rows(t.c.model.layout, t.c.work.rows, w.points.first.data(), w.force.data(), t.width, t.width,
                      w.motion.data());
}

// The accelerations' derivatives become those of (q⁺, v⁺).
void advance_tangents(const Tangent& t, StepDerivatives& out) {
  const int n = t.columns, nv = t.nv;
  const double h = t.step.h;
  const SoftWork& work = t.c.work;
  const Layout& layout = t.c.model.layout;
  out.by_all.resize(2 * nv, n);
  double *dq = out.by_all.data(), *dv = dq + static_cast<std::ptrdiff_t>(nv) * n;
  std::fill_n(dq, static_cast<std::ptrdiff_t>(nv) * n, 0.0);
  double* dmean = t.w.motion.data() + (t.step.single ? 0 : t.padded);
  for (int i = 0; i < nv; ++i) {
    double *a = row_of(t.w.motion, i, t.width), *mean = dmean + i * t.width, *end = dv + i * n;
    for (int j = 0; j < n; ++j) end[j] = h * a[j];
    for (int j = 0; j < n; ++j) mean[j] *= 0.5 * h;
    end[nv + i] += 1.0, mean[nv + i] += 1.0;
  }
  advance_derivative(layout, h, work.mean.data(), work.next_v.data(), n, t.width, dmean, n, dv, dq);
  add_transport(layout, h, work.mean.data(), n, dq);
}

// Where the anchors are after the pass at the start of the step: p₀ = p − Δp, so dp₀ = J dq − dΔp.
void anchor_tangents(const Tangent& t, StepDerivatives& out) {
  const SoftWork& work = t.c.work;
  out.ntau = t.ntau;
  out.anchors_before.clear(), out.anchors_after.clear();
  for (const AnchorRecord& r : work.memory) out.anchors_before.push_back(r.key);
  for (const AnchorRecord& r : work.records) out.anchors_after.push_back(r.key);
  out.anchor_rows.resize(3 * static_cast<Eigen::Index>(work.records.size()), t.columns);
  out.anchor_rows.setZero();
  const SoftTangent& points = t.w.points;
  for (std::size_t i = 0; i < work.points.size(); ++i) {
    const SoftPoint& p = work.points[i];
    if (p.kind != SoftKind::contact) continue;
    for (int r = 0; r < 3; ++r) {
      const std::size_t start = (points.first[i] + r) * t.nv;
      double* row = out.anchor_rows.data() + static_cast<std::ptrdiff_t>(3 * p.record + r) * t.columns;
      for (int j = 0; j < t.nv; ++j) row[j] = points.J[start + j] - points.stretch_dq[start + j];
      for (int j = 0; j < t.nv; ++j) row[t.nv + j] = -points.stretch_dv[start + j];
      if (points.before[i] < 0) continue;
      for (int k = 0; k < 3; ++k) row[t.plain + 3 * points.before[i] + k] = -points.stretch_da[i](r, k);
    }
  }
}

}  // namespace

void exponential_derivatives(const SoftContext& c, const ExponentialStep& step, ExponentialTangentWork& work,
                             StepDerivatives& out) {
  const Layout& layout = c.model.layout;
  if (work.data.bodies.size() != c.world.bodies.size()) {
    work.data.resize(c.world);
    work.acceleration.resize(c.world), work.accelerations_pair.resize(c.world);
  }
  prepare_derivatives(c.world, layout, c.work.kinematics, work.data);
  point_tangents(c, work.data, c.work.points, c.work.records, work.points);
  Tangent t = plan(c, step, work);
  fill_loads(t);
  fill_whitened(t);
  grow(work.projected, t.rows * t.stride);
  multiply_rows(layout, c.work.rows, work.points.first.data(), work.whitened.data(), t.stride, t.felt,
                work.projected.data());
  average_tangents(t);
  project_on_cones(t, out);
  whitened_motion(t);
  solve_lower_many(c.world, layout, c.work.kinematics, t.width, t.width, work.motion.data());
  advance_tangents(t, out);
  anchor_tangents(t, out);
}

}  // namespace stiction
