// SPDX-License-Identifier: BSD-2-Clause
// EPA [vandenBergen01]: a polytope inside C around the origin; its face nearest to the origin is pushed out to the support
// point of C along its normal, until C has nothing beyond it. Then its distance is the depth, its normal the direction.
//   A support point sees the faces that it is in front of, or level with: they are removed, and their rim is joined to it.
// Level faces count as seen, so points that are collinear with an edge (aligned boxes) make no face without area.
// Failure modes: a rim that is not one loop, a flat C, or no room for more faces: the nearest face so far is returned, which
// is a bound on both sides (depth of the face ≤ depth ≤ support along its normal); `found` if they agree to kGood.
#include <stiction/geometry/gjk.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction {
namespace {

constexpr double kLevel = 1e-13, kProgress = 1e-12, kGood = 1e-8;  // relative to the size of C

class Polytope {
 public:
  Polytope(const Difference& c, EpaScratch& scratch) : c_(c), x_(scratch) {}

  bool start(const Simplex& s) {
    points_ = s.count;
    std::copy_n(s.p.begin(), s.count, x_.points.begin());
    if (!complete()) return false;
    const Vec3 &p = at(0), &q = at(1), &r = at(2);
    const bool out = (q - p).cross(r - p).dot(at(3) - p) > 0.0;  // corner 3 must be behind the face 0, 1, 2
    if (out) std::swap(x_.points[1], x_.points[2]);
    for (int i = 0; i < 4; ++i) size_ = std::max(size_, at(i).norm());
    return add(0, 1, 2, {1, 2, 3}) == 0 && add(0, 3, 1, {3, 2, 0}) == 1 && add(1, 3, 2, {1, 3, 0}) == 2 &&
           add(0, 2, 3, {0, 2, 1}) == 3;
  }

  CoreSeparation run() {
    int best = nearest_face();
    bool exact = false;
    double beyond = 0.0;
    while (best >= 0) {
      const EpaScratch::Face& f = x_.faces[best];
      const DifferencePoint w = c_.support(f.normal);
      size_ = std::max(size_, w.w.norm());
      beyond = (f.normal.dot(w.w) - f.offset) / f.normal.norm();
      exact = beyond <= kProgress * size_;
      if (exact || points_ == EpaScratch::kPoints) break;
      x_.points[points_] = w;
      if (!expand(best)) break;
      best = nearest_face();
    }
    return best < 0 ? CoreSeparation{CoreSeparation::failed, 0.0, Vec3::UnitZ(), Vec3::Zero(), Vec3::Zero()}
                    : answer(x_.faces[best], beyond <= kGood * size_);
  }

 private:
  const Vec3& at(int i) const { return x_.points[i].w; }

  // Points in other directions until there are four that span a volume.
  bool complete() {
    double size = 0.0;
    for (int i = 0; i < points_; ++i) size = std::max(size, at(i).norm());
    for (int i = 0; i < 6 && points_ == 1; ++i) {
      const DifferencePoint p = c_.support((i % 2 ? -1.0 : 1.0) * Vec3::Unit(i / 2));
      size = std::max(size, p.w.norm());
      if ((p.w - at(0)).norm() > 1e-9 * size) x_.points[points_++] = p;
    }
    if (points_ == 2) {
      const Vec3 along = (at(1) - at(0)).normalized(), u = along.unitOrthogonal(), v = along.cross(u);
      for (int i = 0; i < 6 && points_ == 2; ++i) {
        const double phi = M_PI / 3.0 * i;
        const DifferencePoint p = c_.support(std::cos(phi) * u + std::sin(phi) * v);
        if ((p.w - at(0)).cross(along).norm() > 1e-9 * size) x_.points[points_++] = p;
      }
    }
    if (points_ == 3) {
      const Vec3 n = (at(1) - at(0)).cross(at(2) - at(0)).normalized();
      for (int i = 0; i < 2 && points_ == 3; ++i) {
        const DifferencePoint p = c_.support(i ? Vec3(-n) : n);
        if (std::abs(n.dot(p.w - at(0))) > 1e-9 * size) x_.points[points_++] = p;
      }
    }
    return points_ == 4;
  }

  // Its index, −1 if there is no room or the face has no area.
  int add(int a, int b, int c, const std::array<int, 3>& across) {
    if (unused_ == 0 && faces_ == EpaScratch::kFaces) return -1;
    const Vec3 n = (at(b) - at(a)).cross(at(c) - at(a));
    const double square = n.squaredNorm();
    if (!(square > 0.0)) return -1;
    const int index = unused_ > 0 ? x_.unused[--unused_] : faces_++;
    EpaScratch::Face& f = x_.faces[index];
    f = {n, n.dot(at(a)), {a, b, c}, across, true};
    x_.order[index] = f.offset * std::abs(f.offset) / square;
    return index;
  }

  int nearest_face() const {
    const auto end = x_.order.begin() + faces_, best = std::min_element(x_.order.begin(), end);
    return best == end || std::isinf(*best) ? -1 : static_cast<int>(best - x_.order.begin());
  }

  // Replaces the faces that the newest point (points_, not yet counted) sees, beginning at `from`. If it fails, `from` itself
  // is still as it was, and the search is over.
  bool expand(int from) {
    const Vec3& w = at(points_);
    int seen = 0, rim = 0;
    const auto remove = [&](int f) {
      x_.faces[f].alive = false, x_.order[f] = std::numeric_limits<double>::infinity(), x_.seen[seen++] = f;
    };
    const auto sees = [&](const EpaScratch::Face& f) {
      return f.normal.dot(w) - f.offset > -kLevel * size_ * f.normal.cwiseAbs().sum();
    };
    remove(from);
    for (int i = 0; i < seen; ++i)
      for (int k = 0; k < 3; ++k) {
        const int g = x_.faces[x_.seen[i]].across[k];
        if (!x_.faces[g].alive) continue;
        if (sees(x_.faces[g]))
          remove(g);
        else if (rim < EpaScratch::kPoints)
          x_.rim[rim++] = 3 * x_.seen[i] + k;
        else
          return false;
      }
    if (!join(rim)) return false;
    std::copy_n(x_.seen.begin(), seen, x_.unused.begin() + unused_);
    unused_ += seen, ++points_;
    return true;
  }

  // New faces between the edges of the rim and the newest point; false if the rim is not one loop.
  bool join(int rim) {
    if (rim < 3) return false;
    std::fill_n(x_.starts.begin(), points_, -1);
    int first = -1;
    for (int i = 0; i < rim; ++i) {
      const EpaScratch::Face& f = x_.faces[x_.rim[i] / 3];
      const int k = x_.rim[i] % 3, a = f.corner[k], b = f.corner[(k + 1) % 3], beyond = f.across[k];
      if (x_.starts[a] >= 0 || (first = add(a, b, points_, {beyond, -1, -1})) < 0) return false;
      x_.starts[a] = first;
      EpaScratch::Face& g = x_.faces[beyond];
      for (int m = 0; m < 3; ++m)
        if (g.corner[m] == b) g.across[m] = first;
    }
    int f = first, length = 0;
    do {
      const int next = x_.starts[x_.faces[f].corner[1]];
      if (next < 0) return false;
      x_.faces[f].across[1] = next, x_.faces[next].across[2] = f;
      f = next;
    } while (++length < rim && f != first);
    return f == first && length == rim;
  }

  CoreSeparation answer(const EpaScratch::Face& f, bool good) const {
    const Vec3 &p = at(f.corner[0]), &q = at(f.corner[1]), &r = at(f.corner[2]);
    const double length = f.normal.norm(), depth = f.offset / length;
    const Vec3 n = f.normal / length, x = depth * n;
    const double wp = n.dot((q - x).cross(r - x)), wq = n.dot((r - x).cross(p - x)), wr = n.dot((p - x).cross(q - x));
    const double sum = wp + wq + wr;
    CoreSeparation out{good ? CoreSeparation::found : CoreSeparation::failed, -depth, n, p, p};
    const DifferencePoint* const c[3] = {&x_.points[f.corner[0]], &x_.points[f.corner[1]], &x_.points[f.corner[2]]};
    out.on_a = (wp * c[0]->a + wq * c[1]->a + wr * c[2]->a) / sum;
    out.on_b = out.on_a - x;
    return out;
  }

  const Difference& c_;
  EpaScratch& x_;
  int points_ = 0, faces_ = 0, unused_ = 0;
  double size_ = 0.0;
};

}  // namespace

CoreSeparation epa(const Difference& c, const Simplex& simplex, EpaScratch& scratch) {
  Polytope polytope(c, scratch);
  if (!polytope.start(simplex)) return {CoreSeparation::failed, 0.0, Vec3::UnitZ(), Vec3::Zero(), Vec3::Zero()};
  return polytope.run();
}

}  // namespace stiction
