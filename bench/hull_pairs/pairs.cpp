// SPDX-License-Identifier: BSD-2-Clause
#include "pairs.h"

#include <stiction/geometry/convex_mesh.h>
#include <stiction/geometry/gjk.h>

#include <fstream>
#include <iomanip>
#include <random>

namespace stiction::bench {
namespace {

std::mt19937 engine(7);

Vec3 random_unit() {
  std::normal_distribution<double> n;
  const double x = n(engine), y = n(engine), z = n(engine);
  return Vec3(x, y, z).normalized();
}

Mat3 random_rotation() {
  std::normal_distribution<double> n;
  const double w = n(engine), x = n(engine), y = n(engine), z = n(engine);
  return Quat(w, x, y, z).normalized().toRotationMatrix();
}

void write_pose(std::ostream& out, const Pose& pose) {
  const Quat q(pose.rotation);
  const Vec3& t = pose.translation;
  out << " pos=\"" << t.x() << " " << t.y() << " " << t.z() << "\" quat=\"" << q.w() << " " << q.x() << " " << q.y()
      << " " << q.z() << "\"";
}

}  // namespace

Shape random_hull(unsigned seed, const Vec3& scale) {
  engine.seed(seed);
  std::vector<Vec3> points;
  for (int i = 0; i < 200; ++i) points.push_back(random_unit().cwiseProduct(scale));
  return make_convex(points);
}

std::vector<Case> make_cases(const Shape& a, const Shape& b, int count) {
  std::vector<Case> cases{{"apart", {}}, {"touching", {}}};
  ConvexQuery distance;
  for (Case& c : cases)
    for (int i = 0; i < count; ++i) {
      const Pose pa{random_rotation(), Vec3::Zero()};
      Pose pb{random_rotation(), random_unit()};
      const Separation s = distance({&a, pa, nullptr}, {&b, pb, nullptr}, 1e9);
      std::uniform_real_distribution<double> gap(c.name == "apart" ? 5e-3 : -1e-3, c.name == "apart" ? 2e-2 : 0.0);
      pb.translation += (gap(engine) - s.distance) * s.normal;
      c.pairs.push_back({pa, pb});
    }
  return cases;
}

void write_mjcf(const std::string& path, const Shape& a, const Shape& b, const Case& pairs) {
  std::ofstream out(path);
  out << std::setprecision(17) << "<mujoco><asset>\n";
  for (const Shape* s : {&a, &b}) {
    out << "<mesh name=\"" << (s == &a ? "a" : "b") << "\" vertex=\"";
    for (const Vec3& v : s->convex->vertices) out << v.x() << " " << v.y() << " " << v.z() << " ";
    out << "\"/>\n";
  }
  out << "</asset><worldbody>\n";
  for (std::size_t i = 0; i < pairs.pairs.size(); ++i)
    for (const bool first : {true, false}) {
      const char side = first ? 'a' : 'b';
      out << "<body";
      write_pose(out, first ? pairs.pairs[i].a : pairs.pairs[i].b);
      out << "><freejoint/><geom name=\"" << side << i << "\" type=\"mesh\" mesh=\"" << side
          << "\" contype=\"0\" conaffinity=\"0\"/></body>\n";
    }
  out << "</worldbody><contact>\n";
  for (std::size_t i = 0; i < pairs.pairs.size(); ++i)
    out << "<pair geom1=\"a" << i << "\" geom2=\"b" << i << "\" margin=\"" << kMargin << "\"/>\n";
  out << "</contact></mujoco>\n";
}

}  // namespace stiction::bench
