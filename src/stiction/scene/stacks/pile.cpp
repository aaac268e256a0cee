// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/scene/core/entry.h>
#include <stiction/scene/stacks/pile.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

namespace stiction {
namespace {

// Lines "x,y,z" below a heading.
std::vector<Vec3> read_points(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  std::vector<Vec3> points;
  for (int number = 2; std::getline(file, line); ++number) {
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream words(line);
    Vec3 x;
    if (!(words >> x.x() >> x.y() >> x.z()))
      throw InvalidInput(path + ", line " + std::to_string(number) + ": expected three numbers x,y,z, found '" + line +
                         "'");
    points.push_back(x);
  }
  return points;
}

double squared_depth(double gap) { return gap >= 0.0 ? 0.0 : gap * gap; }  // NaN stays NaN

}  // namespace

Scene pile(const Pile& p) {
  check_parameters(p);
  Scene scene;
  scene.dt = 1e-2;
  scene.duration = 10.0;
  scene.world.add_material("pile", surface(p.mu, p.restitution));
  scene.world.add_ground({}, "pile");
  for (const Vec3& position : read_points(model_path("positions_666.csv"))) {
    BodyOptions sphere;
    sphere.material = "pile";
    sphere.position = position;
    scene.world.add_body(make_sphere(kPileRadius), 10.0, sphere);
  }
  return scene;
}

double pile_overlap(const VecRef& q) {
  const int n = static_cast<int>(q.size()) / 7;
  double sum = 0.0;
  for (int i = 0; i < n; ++i) {
    const Vec3 a = q.segment<3>(7 * i);
    sum += squared_depth(a.z() - kPileRadius);
    for (int j = 0; j < i; ++j) sum += squared_depth((a - q.segment<3>(7 * j)).norm() - 2.0 * kPileRadius);
  }
  return sum;
}

}  // namespace stiction
