// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/cone/box.h>
#include <stiction/cone/disc.h>
#include <stiction/cone/half_line.h>
#include <stiction/cone/metric_cone.h>
#include <stiction/cone/round_cone.h>
#include <stiction/solver/local/inverse_contact.h>

namespace stiction {
namespace {

// As for a contact; the projection in the metric of R by scaling with its roots.
void inverse_patch(const Block& block, bool convex, const double* c, double R_tangent, double R_normal,
                   double* lambda) {
  const int n = block.size - 1;
  for (int k = 0; k < n; ++k) lambda[k] = -c[k] / R_tangent;
  lambda[n] = -c[n] / R_normal;
  if (convex) {
    const double t = std::sqrt(R_tangent), z = std::sqrt(R_normal);
    for (int k = 0; k < n; ++k) lambda[k] *= t;
    lambda[n] *= z;
    RoundCone{block.mu * t / z, block.size}.project(lambda);
    for (int k = 0; k < n; ++k) lambda[k] /= t;
    lambda[n] /= z;
    return;
  }
  lambda[n] = HalfLine{}.project(lambda[n]);
  const double length = RoundCone::norm(lambda, n), radius = block.mu * lambda[n];
  for (int k = 0; k < n && length > radius; ++k) lambda[k] *= radius / length;
}

}  // namespace

void inverse_contact(const Block& block, const FrictionLaw& law, const double* c, double R_tangent, double R_normal,
                     double* lambda) {
  switch (block.kind) {
    case BlockKind::coulomb: {
      const Vec3 wish(-c[0] / R_tangent, -c[1] / R_tangent, -c[2] / R_normal);
      Eigen::Map<Vec3>{lambda} = law.kind == FrictionLaw::convex
                                     ? MetricCone{block.mu, R_tangent, R_normal}.project(wish)
                                     : project_horizontal(block.mu, wish);
      return;
    }
    case BlockKind::patch:
      return inverse_patch(block, law.kind == FrictionLaw::convex, c, R_tangent, R_normal, lambda);
    case BlockKind::unilateral:
      *lambda = HalfLine{}.project(-*c / R_normal);
      return;
    case BlockKind::box:
      *lambda = Box{block.lo, block.hi}.project(-*c / R_normal);
      return;
    case BlockKind::bilateral:
      for (int r = 0; r < block.size; ++r) lambda[r] = -c[r] / R_normal;
      return;
  }
}

}  // namespace stiction
