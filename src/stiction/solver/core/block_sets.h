// SPDX-License-Identifier: BSD-2-Clause
// Projection of a block of λ on the set its kind and the law give it. Bilateral blocks are free: nothing to do.
// Coulomb and convex use the Euclidean projection on the cone, the pyramid its horizontal one.
#pragma once

#include <stiction/cone/box.h>
#include <stiction/cone/coulomb_cone.h>
#include <stiction/cone/disc.h>
#include <stiction/cone/half_line.h>
#include <stiction/cone/pyramid_set.h>
#include <stiction/cone/round_cone.h>
#include <stiction/problem/contact_problem.h>

namespace stiction {

inline void store(const Vec3& x, double* out) { out[0] = x.x(), out[1] = x.y(), out[2] = x.z(); }

inline void project_block(const Block& block, const FrictionLaw& law, double* x) {
  switch (block.kind) {
    case BlockKind::coulomb: {
      const Vec3 y(x[0], x[1], x[2]);
      if (law.kind == FrictionLaw::pyramid)
        store(PyramidSet{block.mu, law.angle, law.facets}.project(y), x);
      else
        store(CoulombCone{block.mu}.project(y), x);
      return;
    }
    case BlockKind::unilateral:
      x[0] = HalfLine{}.project(x[0]);
      return;
    case BlockKind::box:
      x[0] = Box{block.lo, block.hi}.project(x[0]);
      return;
    case BlockKind::bilateral:
      return;
    case BlockKind::patch:
      RoundCone{block.mu, block.size}.project(x);
      return;
  }
}

// λ_T alone, on the disc or polygon of the λ_N at hand.
inline void project_tangent(const Block& block, const FrictionLaw& law, double* x) {
  const Vec2 t(x[0], x[1]);
  const double radius = block.mu * x[2];
  const Vec2 y = law.kind == FrictionLaw::pyramid
                     ? PyramidSet{block.mu, law.angle, law.facets}.project_tangent(t, radius)
                     : Disc{radius}.project(t);
  x[0] = y.x(), x[1] = y.y();
}

inline void project_blocks(const ContactProblem& problem, double* lambda) {
  for (const Block& block : problem.blocks) project_block(block, problem.law, lambda + block.row);
}

}  // namespace stiction
