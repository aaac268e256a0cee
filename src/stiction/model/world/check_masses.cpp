// SPDX-License-Identifier: BSD-2-Clause
// A robot can be simulated if every joint has mass to move: the diagonal blocks Sᵀ I S of the mass matrix, with I the inertia
// of all that the joint carries at the start, must be positive definite. Points and rods (inertia of rank 0 or 2) are
// allowed inside a chain; a negative moment is not.
#include <stiction/base/invalid_input.h>
#include <stiction/base/principal_axes.h>
#include <stiction/model/world/checks.h>
#include <stiction/model/world/draft.h>

namespace stiction {
namespace {

Mat3 cross(const Vec3& a) { return (Mat3() << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0).finished(); }

// Spatial inertia about the origin of the frame that `pose` leads to, rows (linear, angular).
Mat6 spatial(const Inertia& inertia, const Pose& pose) {
  const Mat3 c = cross(pose * inertia.com);
  Mat6 m;
  m.topLeftCorner<3, 3>() = inertia.mass * Mat3::Identity();
  m.topRightCorner<3, 3>() = -inertia.mass * c;
  m.bottomLeftCorner<3, 3>() = inertia.mass * c;
  m.bottomRightCorner<3, 3>() = pose.rotation * inertia.about_com * pose.rotation.transpose() - inertia.mass * c * c;
  return m;
}

// Motion subspace of a joint in its body's frame.
Mat motion(const Body& b) {
  Mat s = Mat::Zero(6, sizes(b.joint).nv);
  switch (b.joint) {
    case JointKind::free:
      s.setIdentity();
      break;
    case JointKind::revolute:
    case JointKind::continuous:
      s.bottomRows<3>() = b.axis;
      break;
    case JointKind::prismatic:
      s.topRows<3>() = b.axis;
      break;
    case JointKind::spherical:
      s.bottomRows<3>().setIdentity();
      break;
    case JointKind::translation:
      s.topRows<3>().setIdentity();
      break;
    case JointKind::planar:
      s(0, 0) = s(1, 1) = s(5, 2) = 1.0;
      break;
  }
  return s;
}

// Pivots of the elimination, each relative to its diagonal entry: free of units.
bool positive_definite(Mat m) {
  const Vec diagonal = m.diagonal();
  for (Eigen::Index k = 0; k < m.rows(); ++k) {
    if (!(m(k, k) > 1e-12 * diagonal[k] && m(k, k) > 0.0)) return false;
    for (Eigen::Index i = k + 1; i < m.rows(); ++i) m.row(i) -= m(i, k) / m(k, k) * m.row(k);
  }
  return true;
}

void check_one(const Body& b, const std::string& place, std::vector<std::string>& warnings) {
  check_not_negative(place + " mass", b.inertia.mass);
  check_finite(place + " centre of mass", b.inertia.com);
  const Mat3& m = b.inertia.about_com;
  if (m.cwiseAbs().maxCoeff() <= 1e-12 * b.inertia.mass) return;  // a point: radius of gyration below a micrometre
  const Vec3 moments = principal_moments(m);
  if (moments.x() > 1e-12 * moments.z()) {
    if (const std::string w = check_inertia(place + " inertia", m); !w.empty()) warnings.push_back(w);
  } else if (moments.x() >= -1e-9 * moments.z() && b.inertia.mass > 0.0) {
    warnings.push_back(place + " inertia has principal moments " + text(moments) +
                       " kg m^2, as a rod without thickness has");
  } else {
    check_inertia(place + " inertia", m);
  }
}

}  // namespace

void check_masses(RobotModel& robot, const std::string& file) {
  std::vector<Pose> pose(robot.bodies.size());
  for (std::size_t i = 0; i < robot.bodies.size(); ++i) {
    const Body& b = robot.bodies[i];
    check_one(b, file + ": link '" + b.name + "'", robot.warnings);
    const Pose own = b.placement * joint_pose(b.joint, b.axis, robot.q0.data() + b.q);
    pose[i] = b.parent == kWorldBody ? own : pose[b.parent] * own;
  }
  for (std::size_t i = 0; i < robot.bodies.size(); ++i) {
    const Body& b = robot.bodies[i];
    Mat6 carried = Mat6::Zero();  // in the frame of body i: bodies of a tree follow their parents
    for (std::size_t j = i; j < robot.bodies.size(); ++j) {
      BodyId up = static_cast<BodyId>(j);
      while (up > static_cast<BodyId>(i)) up = robot.bodies[up].parent;
      if (up == static_cast<BodyId>(i)) carried += spatial(robot.bodies[j].inertia, pose[i].inverse() * pose[j]);
    }
    const Mat s = motion(b);
    Mat block = s.transpose() * carried * s;
    block.diagonal() += robot.armature.segment(b.v, sizes(b.joint).nv);
    if (positive_definite(block)) continue;
    throw InvalidInput(file + ": joint '" + robot.joint_names[i] + "' of link '" + b.name + "' moves " +
                       (carried(0, 0) > 0.0 ? "mass without inertia about its axes" : "no mass") +
                       "; give the links it carries an inertial element that is positive definite, or fix the joint");
  }
}

}  // namespace stiction
