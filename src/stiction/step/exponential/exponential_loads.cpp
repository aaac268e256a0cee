// SPDX-License-Identifier: BSD-2-Clause
// The accelerations at which the dynamics are differentiated: equations (1) and (4) of exponential_derivatives.h.
#include <stiction/dynamics/derivatives/forward_derivatives.h>
#include <stiction/step/exponential/exponential_tangent.h>
#include <stiction/step/exponential/row_kernels.h>

#include <algorithm>

namespace stiction::tangent {
namespace {

using Force = double (SoftPoint::*)[3];

bool differ(const std::vector<SoftPoint>& points, const Force a, const Force b) {
  for (const SoftPoint& p : points)
    for (int r = 0; r < p.rows; ++r)
      if ((p.*a)[r] != (p.*b)[r]) return true;
  return false;
}

// f = ℓ r²/h of every pole, for the rows of one island.
void island_loads(Tangent& t, int number) {
  const Island island = island_of(t.c, number);
  const LinearContactWork& factors = t.factors(number);
  int load = 0;
  for (int k = 0; k < static_cast<int>(t.poles.size()); ++k) {
    const Pole& pole = t.poles[k];
    const double a = pole.r.real(), b = pole.r.imag(), x = (a * a - b * b) / t.step.h, y = 2.0 * a * b / t.step.h;
    const double *re = factors.load_re(k), *im = factors.load_im(k);
    int row = 0;
    for (const int* block = island.first; block != island.last; ++block)
      for (int r = 0; r < t.c.work.points[*block].rows; ++r, ++row) {
        double* out = row_of(t.w.loads, t.w.points.first[*block] + r, t.lanes) + load;
        out[0] = pole.pair ? x * re[row] - y * im[row] : x * re[row];
        if (pole.pair) out[1] = x * im[row] + y * re[row];
      }
    load += pole.pair ? 2 : 1;
  }
}

// a = L̂⁻¹(z + Yᵀf) of all loads at once, without z for the parts that are linear in the force.
void load_accelerations(Tangent& t) {
  const SoftWork& work = t.c.work;
  grow(t.w.accelerations, t.nv * t.lanes);
  for (int i = 0; i < t.nv; ++i) {
    double* a = row_of(t.w.accelerations, i, t.lanes);
    for (int l = 0; l < t.lanes; ++l) a[l] = l < t.loads && t.load[l].with_bias ? work.z[i] : 0.0;
  }
  add_transposed_rows(t.c.model.layout, work.rows, t.w.points.first.data(), t.w.loads.data(), t.lanes, t.lanes,
                      t.w.accelerations.data());
  solve_lower_many(t.c.world, t.c.model.layout, work.kinematics, t.lanes, t.lanes, t.w.accelerations.data());
}

inline double lane_of(double x, int) { return x; }
inline double lane_of(const Pair& x, int lane) { return x[lane]; }

// What the points that move over their body add to D and to the drift of load l + lane.
void add_motion(Tangent& t, int l, int lane, const Vec3& alpha, std::size_t i) {
  const SoftWork& work = t.c.work;
  const SoftPoint& p = work.points[i];
  const int row = t.w.points.first[i];
  const double* motion = t.w.points.motion_dq.data() + row * t.nv;
  const double* f = row_of(t.w.loads, row, t.lanes) + l + lane;
  const Vec3 force = p.frame.transpose() * Vec3(f[0], f[t.lanes], f[2 * t.lanes]);
  add_motion_force(t.c, p, motion, force, t.stride, t.w.whitened.data() + t.load[l + lane].column);
  if (l + lane >= t.loads - t.corrections) return;
  const Mat3& base = work.kinematics.base[t.c.model.layout.bodies[p.b].tree].rotation;
  add_motion_drift(t.c, p, motion, base * alpha, t.load[l + lane].with_bias,
                   t.w.drift.data() + ((l + lane) * t.rows + row) * t.nv);
}

// D of load l, or of l and the next one side by side, and ∂(J a + J̇v)/∂q of every point if contacts feel them.
template <class T>
void differentiate(Tangent& t, int l, Accelerations<T>& accelerations) {
  constexpr int lanes = std::is_same_v<T, Pair> ? 2 : 1;
  const SoftContext& c = t.c;
  const Layout& layout = c.model.layout;
  const SoftWork& work = c.work;
  ExponentialTangentWork& w = t.w;
  body_forces(work.points, w.loads.data() + l, t.lanes, lanes, w.forces);
  prepare_acceleration(c.world, layout, work.kinematics, w.data, w.accelerations.data() + l, t.lanes,
                       t.load[l].with_bias, accelerations);
  inverse_dynamics_dq(c.world, layout, work.kinematics, w.data, accelerations, w.forces.data(),
                      static_cast<int>(w.forces.size()), t.stride, w.whitened.data() + t.load[l].column,
                      lanes == 2 ? w.whitened.data() + t.load[l + 1].column : nullptr);
  for (std::size_t i = 0; i < work.points.size(); ++i) {
    const SoftPoint& p = work.points[i];
    if (p.of_joint()) continue;
    if (w.points.motion[i] == PointMotion::moves)
      for (int lane = 0; lane < lanes; ++lane) {
        const Triple<T>& alpha = accelerations.bodies[p.b].ang;
        add_motion(t, l, lane, {lane_of(alpha.x, lane), lane_of(alpha.y, lane), lane_of(alpha.z, lane)}, i);
      }
    if (l >= t.loads - t.corrections) continue;
    double* rows = w.drift.data() + (l * t.rows + w.points.first[i]) * t.nv;
    for (const PointRows& side : {PointRows{p.b, p.point_b, p.frame, 1.0}, PointRows{p.a, p.point_a, p.frame, -1.0}})
      add_point_acceleration(layout, work.kinematics, w.data, accelerations, side, t.nv, rows, rows + t.rows * t.nv);
  }
}

}  // namespace

Tangent plan(const SoftContext& c, const ExponentialStep& step, ExponentialTangentWork& work) {
  const int nv = c.world.nv, ntau = c.world.ntau, plain = 2 * nv + ntau;
  const int columns = plain + 3 * static_cast<int>(c.work.memory.size()), padded = four(columns);
  Tangent t{c,
            step,
            work,
            poles(step.options.approximant),
            nv,
            ntau,
            work.points.rows,
            plain,
            columns,
            padded,
            padded,
            0,
            0,
            0,
            0,
            0,
            {}};
  if (!step.single) t.width = 2 * padded;
  int column = nv + ntau;
  const auto add = [&](bool with_bias) { t.load[t.loads++] = {with_bias, column}, column += nv; };
  for (const Pole& pole : t.poles) {
    add(true);
    if (pole.pair) add(false);
  }
  t.felt = four(column);
  if (differ(c.work.points, &SoftPoint::average, &SoftPoint::projected) ||
      (!step.single && differ(c.work.points, &SoftPoint::double_average, &SoftPoint::double_projected))) {
    t.corrections = step.single ? 1 : 2;
    for (int i = 0; i < t.corrections; ++i) add(false);
  }
  t.stride = four(column);
  t.lanes = four(t.loads);
  return t;
}

void fill_loads(Tangent& t) {
  const SoftContext& c = t.c;
  grow(t.w.loads, t.rows * t.lanes);
  if (t.lanes > t.loads) std::fill_n(t.w.loads.begin(), t.rows * t.lanes, 0.0);
  const int islands = c.work.islands.count();
  if (islands > 1 && t.w.islands.size() < static_cast<std::size_t>(islands)) t.w.islands.resize(islands);
  for (int i = 0; i < islands; ++i) {
    if (islands > 1) {  // the step has kept the factor of its last island only
      AverageWork& a = t.w.averages;
      const LinearContact problem = gather(c, island_of(c, i), t.step.options, t.step.h, c.work.points, a);
      pole_forces(problem, t.step.options.approximant, t.w.islands[i], a.average.data(), a.double_average.data());
    }
    island_loads(t, i);
  }
  const auto correction = [&](int load, const Force to, const Force from) {
    double* out = t.w.loads.data() + load;
    for (const SoftPoint& p : c.work.points)
      for (int r = 0; r < p.rows; ++r, out += t.lanes) *out = (p.*to)[r] - (p.*from)[r];
  };
  if (t.corrections > 0) correction(t.loads - t.corrections, &SoftPoint::projected, &SoftPoint::average);
  if (t.corrections > 1) correction(t.loads - 1, &SoftPoint::double_projected, &SoftPoint::double_average);
}

void fill_whitened(Tangent& t) {
  const SoftContext& c = t.c;
  const Layout& layout = c.model.layout;
  const SoftWork& work = c.work;
  ExponentialTangentWork& w = t.w;
  const int solved = t.loads - t.corrections;
  grow(w.whitened, t.nv * t.stride);
  grow(w.drift, t.loads * t.rows * t.nv);  // a correction may ride in the second lane of a real pole
  grow(w.gain, t.nv);
  // Entries of unrelated velocities are zero and stay so, before and after whitening; all others are written, but for S.
  const bool clear = w.cleared == t.stride && w.cleared_loads == t.loads;
  const int from = clear ? t.nv : 0, to = clear ? t.nv + t.ntau : t.stride;
  for (int i = 0; i < t.nv; ++i)
    std::fill(row_of(w.whitened, i, t.stride) + from, row_of(w.whitened, i, t.stride) + to, 0.0);
  w.cleared = t.stride, w.cleared_loads = t.loads;
  std::fill_n(w.drift.begin(), std::min(solved + 1, t.loads) * t.rows * t.nv, 0.0);
  double* block = w.whitened.data();
  inverse_dynamics_dv(layout, work.kinematics, w.data, t.stride, block);
  load_accelerations(t);
  for (int l = 0; l < t.loads;) {
    const bool two = l + 1 < t.loads && !t.load[l + 1].with_bias;
    if (two)
      differentiate(t, l, w.accelerations_pair);
    else
      differentiate(t, l, w.acceleration);
    if (t.load[l].with_bias)
      add_smooth_tangents(c, work.q.data(), work.v.data(), t.stride, block + t.load[l].column, l == 0 ? block : nullptr,
                          w.gain.data());
    l += two ? 2 : 1;
  }
  for (int k = 0; k < t.ntau; ++k) {
    const int velocity = c.world.tau_velocity[k];
    block[velocity * t.stride + t.nv + k] = w.gain[velocity];
  }
  solve_transposed_many(c.world, layout, work.kinematics, t.stride, t.stride, block);
}

}  // namespace stiction::tangent
