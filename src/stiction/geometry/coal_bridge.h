// SPDX-License-Identifier: BSD-2-Clause
// Everything that stiction asks of Coal, without Coal's types: hulls (Qhull), mesh files (Assimp), distances (GJK, EPA).
#pragma once

#include <stiction/geometry/convex_mesh.h>
#include <stiction/geometry/support.h>

#include <memory>
#include <string>
#include <vector>

namespace stiction {

// Hull vertices and outward triangles of points that span a volume.
std::shared_ptr<const CoalHull> hull_of(const std::vector<Vec3>& points, std::vector<Vec3>& vertices,
                                        std::vector<Eigen::Vector3i>& triangles);

// Vertices and triangles of a mesh file. InvalidInput names the file and what is wrong with it.
void read_mesh(const std::string& path, const Vec3& scale, std::vector<Vec3>& vertices,
               std::vector<Eigen::Vector3i>& triangles);

struct Separation {
  double distance;  // signed: negative is penetration depth [m]
  Vec3 normal;      // unit, from a to b
  Vec3 point_a, point_b;
  bool valid;  // false if the iterations failed
};

// GJK and EPA. Holds scratch; the answer depends on the arguments alone.
class DistanceQuery {
 public:
  DistanceQuery();
  ~DistanceQuery();
  DistanceQuery(DistanceQuery&&) noexcept;
  DistanceQuery& operator=(DistanceQuery&&) noexcept;

  // Shapes of Placed. Attempts 1 and 2 are other ways to the same answer, for pairs on which attempt 0 fails.
  Separation operator()(const Placed& a, const Placed& b, int attempt = 0);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace stiction
