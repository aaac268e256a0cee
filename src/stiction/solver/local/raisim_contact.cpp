// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/local/raisim_contact.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace stiction {
namespace {

constexpr int kSamples = 72;       // of the angle, when Newton finds no minimum
constexpr int kNewtonSteps = 12;   // from a guess
constexpr int kBracketSteps = 80;  // Newton inside a bracket, with bisection as its guard
constexpr int kWalkSteps = 400;
constexpr double kRoundOff = 4e-16;

Vec2 turned(const Vec2& v) { return {-v.y(), v.x()}; }

}  // namespace

void RaisimContact::prepare(const double* w, double friction, const double* law) {
  coulomb_.prepare(w, friction);
  mu_ = friction;
  const double inverse = w[8] > 0.0 ? 1.0 / w[8] : 0.0, law_inverse = law[8] > 0.0 ? 1.0 / law[8] : 0.0;
  const Vec2 nt(w[6], w[7]);
  tn_ = inverse * Vec2(w[2], w[5]);
  b_ = mu_ * inverse * nt;
  d_ = mu_ * law_inverse * Vec2(law[6], law[7]);
  s_ << w[0], w[1], w[3], w[4];
  s_ -= tn_ * nt.transpose();
}

ContactMode RaisimContact::solve(RaisimVariant variant, const RaisimWalk& walk, const double* c, double shift,
                                 double* r) const {
  const double last[2] = {r[0], r[1]};
  const ContactMode mode = coulomb_.solve(c, r);  // the two laws open and stick alike
  if (mode == ContactMode::open || mode == ContactMode::stick || mu_ == 0.0) return mode;
  if (!(coulomb_.w_nn > 0.0)) return ContactMode::failed;
  const Slide s{-c[2] / coulomb_.w_nn, Vec2(c[0], c[1]) - tn_ * (c[2] + shift)};
  const double guess = std::atan2(r[1], r[0]);
  double theta = last[0] != 0.0 || last[1] != 0.0 ? std::atan2(last[1], last[0]) : guess;
  const bool found = variant == RaisimVariant::faithful
                         ? walk_and_bisect(s, walk, guess, theta)
                         : newton(s, theta) || newton(s, theta = guess) || search(s, 1, theta) || search(s, 4, theta);
  const Point at = point(s, theta);
  if (!found || !(at.inside > 0.0) || !std::isfinite(at.r_n)) {
    r[0] = r[1] = r[2] = 0.0;
    return ContactMode::failed;
  }
  r[0] = at.r_t.x(), r[1] = at.r_t.y(), r[2] = at.r_n;
  return ContactMode::slip;
}

// (1), (2).
RaisimContact::Point RaisimContact::point(const Slide& s, double theta) const {
  Point p;
  p.e = {std::cos(theta), std::sin(theta)};
  p.inside = 1.0 + b_.dot(p.e);
  p.r_n = s.height / p.inside;
  p.r_t = mu_ * p.r_n * p.e;
  p.q = s_ * p.r_t + s.c_bar;
  const Vec2 n = p.e + d_;
  p.phi = p.q.dot(turned(n));
  p.along = p.q.dot(n);
  return p;
}

// dr_T/dθ = ‖r_T‖/(1 + b·e) (e + b)⊥.
double RaisimContact::slope(const Slide&, const Point& at) const {
  const Vec2 tangent = mu_ * at.r_n / at.inside * turned(at.e + b_);
  return (s_ * tangent).dot(turned(at.e + d_)) - at.q.dot(at.e);
}

double RaisimContact::cost(const Slide& s, const Point& at) const { return at.r_t.dot(0.5 * (s_ * at.r_t) + s.c_bar); }

// Newton on φ to round-off. True if it ends at a minimum, by (3).
bool RaisimContact::newton(const Slide& s, double& theta) const {
  double last = std::numeric_limits<double>::infinity();
  for (int k = 0; k < kNewtonSteps; ++k) {
    const Point at = point(s, theta);
    if (!(at.inside > 0.0)) return false;
    const double rise = slope(s, at), size = std::abs(at.phi);
    if (!(rise > 0.0)) return false;
    const double step = at.phi / rise;
    if (std::abs(step) <= kRoundOff || (k > 2 && size >= last && std::abs(step) < 1e-12)) return at.along < 0.0;
    if (!(std::abs(step) < 0.5)) return false;
    theta -= step, last = size;
  }
  return false;
}

// Root of φ between an angle where it is negative and one where it is positive. Newton, unless the bracket has not halved
// in two steps: towards the end of an open branch φ grows like a pole, and Newton would creep.
double RaisimContact::bracketed(const Slide& s, double low, double high) const {
  double theta = 0.5 * (low + high), wanted = high - low;
  for (int k = 0; k < kBracketSteps && high - low > kRoundOff * (1.0 + std::abs(theta)); ++k) {
    const Point at = point(s, theta);
    if (at.phi == 0.0) break;
    (at.phi < 0.0 ? low : high) = theta;
    const double next = theta - at.phi / slope(s, at);
    const bool creeps = k % 3 == 2 && high - low > wanted;
    if (k % 3 == 2) wanted = 0.5 * (high - low);
    if (next == theta) break;
    theta = next > low && next < high && !creeps ? next : 0.5 * (low + high);
  }
  return theta;
}

// Every bracket of φ on a grid over the admissible angles. Towards the ends of an open branch the cost grows for ever, so
// that they count as the right signs. `crowding` > 1 draws the samples to the ends, where a long ellipse turns quickly.
bool RaisimContact::search(const Slide& s, int crowding, double& theta) const {
  const double length = b_.norm(), middle = std::atan2(b_.y(), b_.x());
  const bool open = length >= 1.0;
  const double reach = open ? std::acos(-1.0 / length) * (1.0 - 1e-12) : std::numbers::pi;
  const auto sample = [&](int k) {
    const double t = 2.0 * k / kSamples - 1.0, rest = 1.0 - std::abs(t);
    return middle + std::copysign(reach * (1.0 - std::pow(rest, crowding)), t);
  };
  double best = std::numeric_limits<double>::infinity(), low = sample(0);
  bool found = false;
  double before = open ? -1.0 : point(s, low).phi;
  for (int k = 1; k <= kSamples; ++k) {
    const double high = sample(k), after = open && k == kSamples ? 1.0 : point(s, high).phi;
    if (before < 0.0 && after >= 0.0) {
      const double root = bracketed(s, low, high);
      const Point at = point(s, root);
      const double value = cost(s, at);
      if (at.along < 0.0 && (!found || value < best)) best = value, theta = root, found = true;
    }
    low = high, before = after;
  }
  return found;
}

// The published walk. `start` is the angle to take if −W⁻¹c does not exist.
bool RaisimContact::walk_and_bisect(const Slide& s, const RaisimWalk& walk, double start, double& theta) const {
  const double det = s_.determinant();
  const bool regular = det > 1e-14 * s_.trace() * s_.trace();
  Vec2 stick = Vec2::Zero();
  if (regular)
    stick = {-(s_(1, 1) * s.c_bar.x() - s_(0, 1) * s.c_bar.y()) / det,
             -(s_(0, 0) * s.c_bar.y() - s_(1, 0) * s.c_bar.x()) / det};
  const double stick_n = s.height - b_.dot(stick) / mu_;
  theta = regular ? std::atan2(stick.y(), stick.x()) : start;
  if (!(point(s, theta).inside > 0.0)) theta = start;
  const Point first = point(s, theta);
  if (!(first.inside > 0.0)) return false;
  if (first.phi == 0.0) return true;
  double step = first.phi > 0.0 ? -walk.first_angle : walk.first_angle;
  Point now = first;
  bool crossed = false;
  for (int k = 0; k < kWalkSteps && !crossed && std::abs(step) > kRoundOff; ++k) {
    const Point next = point(s, theta + step);
    const bool hidden = regular && next.e.dot(stick - next.r_t) - mu_ * (stick_n - next.r_n) < 0.0;
    if (!(next.inside > 0.0) || hidden) {
      step *= walk.backtrack;
      continue;
    }
    crossed = next.phi * first.phi <= 0.0;
    if (crossed) break;
    theta += step, now = next;
    step *= walk.growth;
  }
  if (!crossed) return true;  // as near as the walk comes
  double far = theta + step;
  for (int k = 0; k < kBracketSteps; ++k) {
    const double middle = 0.5 * (theta + far);
    const Point at = point(s, middle);
    const double moved = std::max((at.r_t - now.r_t).cwiseAbs().maxCoeff(), std::abs(at.r_n - now.r_n));
    (at.phi * first.phi > 0.0 ? theta : far) = middle;
    now = at;
    if (moved < walk.tolerance) break;
  }
  theta = 0.5 * (theta + far);
  return true;
}

}  // namespace stiction
