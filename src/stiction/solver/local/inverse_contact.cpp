// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/cone/box.h>
#include <stiction/cone/disc.h>
#include <stiction/cone/half_line.h>
#include <stiction/cone/metric_cone.h>
#include <stiction/solver/local/inverse_contact.h>

namespace stiction {

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
