// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/model/tendons/wrap.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stiction {
namespace {

constexpr double kTiny = 1e-15;

// A way in the plane of the circle.
struct FlatWrap {
  Vec2 first, last;
  double length;
};

double cross(const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); }
Vec2 clockwise(const Vec2& a) { return {a.y(), -a.x()}; }

bool segments_cross(const Vec2& a, const Vec2& a_end, const Vec2& b, const Vec2& b_end) {
  const Vec2 u = a_end - a, w = b_end - b;
  const double det = cross(u, w);
  if (std::abs(det) < kTiny) return false;
  const double s = cross(b - a, w) / det, t = cross(b - a, u) / det;
  return s >= 0.0 && s <= 1.0 && t >= 0.0 && t <= 1.0;
}

// The point of the segment that is nearest to the origin.
Vec2 nearest_to_origin(const Vec2& a, const Vec2& b) {
  const Vec2 u = b - a;
  return a + std::clamp(-u.dot(a) / u.squaredNorm(), 0.0, 1.0) * u;
}

// sign 1: clockwise round the circle, −1: the other way.
FlatWrap way_round(const Vec2& a, const Vec2& b, double r, double sign) {
  const auto tangent = [r](const Vec2& p, double s) {
    const double square = p.squaredNorm();
    return Vec2((r * r * p + s * r * std::sqrt(square - r * r) * clockwise(p)) / square);
  };
  FlatWrap out{tangent(a, sign), tangent(b, -sign), 0.0};
  double angle = -sign * std::atan2(cross(out.first, out.last), out.first.dot(out.last));
  if (angle < 0.0) angle += 2.0 * std::numbers::pi;
  out.length = r * angle;
  return out;
}

std::optional<FlatWrap> wrap_outside(const Vec2& a, const Vec2& b, double r, const Vec2* side) {
  if (a.squaredNorm() < r * r || b.squaredNorm() < r * r || (b - a).squaredNorm() < kTiny) return {};
  const Vec2 nearest = nearest_to_origin(a, b);
  const bool free = nearest.squaredNorm() > r * r;
  // the side counts where it lies between a and b on one of the two ways
  const bool sided = side != nullptr && cross(a, *side) * cross(*side, b) > 0.0;
  if (free && !(sided && side->dot(nearest) < 0.0)) return {};
  std::optional<FlatWrap> best;
  for (const double sign : {1.0, -1.0}) {
    if (sided && sign * cross(a, *side) > 0.0) continue;
    const FlatWrap way = way_round(a, b, r, sign);
    if (segments_cross(a, way.first, b, way.last)) continue;
    if (!best || (way.first - way.last).squaredNorm() <= (best->first - best->last).squaredNorm()) best = way;
  }
  return best;
}

// With φ the angle between the wall's normal and both lines, asin(A sin φ) and asin(B sin φ) are the angles between a, b and the lines, and
// the angles at the centre add up to the angle G between a and b:
//   g(φ) = asin(A sin φ) + asin(B sin φ) − 2φ + G = 0,   A = r/|a|, B = r/|b|
// g falls all the way from g(0) = G to g(π/2), which is negative but for round-off if the straight way is free: Newton's method within
// shrinking bounds.
double angle_at_wall(double A, double B, double G) {
  double low = 0.0, high = 0.5 * std::numbers::pi, x = high;
  for (int i = 0; i < 100; ++i) {
    const double s = std::sin(x), c = std::cos(x);
    const double g = std::asin(A * s) + std::asin(B * s) - 2.0 * x + G;
    if (std::abs(g) < 1e-15 || (g > 0.0 && x == high)) break;
    (g > 0.0 ? low : high) = x;
    const auto slope = [s, c](double k) { return k * c / std::sqrt(1.0 - k * k * s * s); };
    const double next = x - g / (slope(A) + slope(B) - 2.0);
    x = next > low && next < high ? next : 0.5 * (low + high);
  }
  return x;
}

std::optional<FlatWrap> wrap_inside(const Vec2& a, const Vec2& b, double r) {
  const double length_a = a.norm(), length_b = b.norm();
  if (length_a <= r || length_b <= r || r < kTiny) return {};
  if ((b - a).squaredNorm() > kTiny && nearest_to_origin(a, b).norm() <= r) return {};
  const double A = r / length_a, B = r / length_b, turn = std::atan2(cross(a, b), a.dot(b));
  const double x = angle_at_wall(A, B, std::abs(turn));
  const double angle = std::copysign(x - std::asin(A * std::sin(x)), turn);
  const Vec2 start = a / length_a, wall = r * (std::cos(angle) * start - std::sin(angle) * clockwise(start));
  return FlatWrap{wall, wall, 0.0};
}

// The plane of the circle: two unit vectors.
struct Plane {
  Vec3 x = Vec3::UnitX(), y = Vec3::UnitY();
  Vec2 flat(const Vec3& p) const { return {x.dot(p), y.dot(p)}; }
  Vec3 solid(const Vec2& p) const { return p.x() * x + p.y() * y; }
};

// Through the origin, a and b; any plane if they are on a line.
Plane plane_through(const Vec3& a, const Vec3& b) {
  Plane out;
  out.x = a.normalized();
  Vec3 normal = a.cross(b);
  if (normal.norm() < kTiny) {
    Eigen::Index largest = 0;
    out.x.cwiseAbs().maxCoeff(&largest);
    Vec3 other = Vec3::Ones();
    other[largest] = 0.0;
    normal = out.x.cross(other);
  }
  out.y = normal.cross(out.x).normalized();
  return out;
}

// A helix rises evenly along straight lines and arc.
void rise(double a, double b, double before, double after, Vec3& first, Vec3& last, double& length) {
  const double whole = before + length + after;
  first.z() = a + (b - a) * before / whole, last.z() = a + (b - a) * (before + length) / whole;
  length = std::hypot(length, last.z() - first.z());
}

}  // namespace

std::optional<Wrap> wrap(const Vec3& a, const Vec3& b, const WrapBody& body, const Vec3* side) {
  const auto local = [&](const Vec3& p) { return Vec3(body.pose.rotation.transpose() * (p - body.pose.translation)); };
  const Vec3 from = local(a), to = local(b);
  if (from.norm() < kTiny || to.norm() < kTiny) return {};
  const Plane plane = body.cylinder ? Plane{} : plane_through(from, to);
  const Vec2 flat_from = plane.flat(from), flat_to = plane.flat(to);
  const Vec3 third = side != nullptr ? local(*side) : Vec3(Vec3::Zero());
  const Vec2 flat_side = plane.flat(third);
  const std::optional<FlatWrap> way = side != nullptr && third.norm() < body.radius
                                          ? wrap_inside(flat_from, flat_to, body.radius)
                                          : wrap_outside(flat_from, flat_to, body.radius, side ? &flat_side : nullptr);
  if (!way) return {};
  Vec3 first = plane.solid(way->first), last = plane.solid(way->last);
  double length = way->length;
  if (body.cylinder)
    rise(from.z(), to.z(), (flat_from - way->first).norm(), (flat_to - way->last).norm(), first, last, length);
  return Wrap{body.pose * first, body.pose * last, length};
}

}  // namespace stiction
