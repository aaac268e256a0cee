// SPDX-License-Identifier: BSD-2-Clause
// Keyframes: those of all robots by name, the others at their start; and 'start', where the world does not begin at rest at the
// reference positions of the file.
//   free: position, quaternion (w x y z); velocities of the origin in world axes and about body axes
#include <stiction/model/mjcf_writer/mjcf_text.h>
#include <stiction/model/world/checks.h>

#include <cmath>

namespace stiction {
namespace {

void append(std::vector<double>& out, std::initializer_list<double> x) { out.insert(out.end(), x); }

Mat3 turn_of(const Vec& q, int at) {
  return Quat(q[at + 3], q[at], q[at + 1], q[at + 2]).normalized().toRotationMatrix();
}

void append_q(const Body& b, const Vec& q, std::vector<double>& out) {
  const int i = b.q;
  switch (b.joint) {
    case JointKind::free:
      return append(out, {q[i], q[i + 1], q[i + 2], q[i + 6], q[i + 3], q[i + 4], q[i + 5]});
    case JointKind::spherical:
      return append(out, {q[i + 3], q[i], q[i + 1], q[i + 2]});
    case JointKind::continuous:
      return append(out, {std::atan2(q[i + 1], q[i])});
    case JointKind::translation:
      return append(out, {q[i], q[i + 1], q[i + 2]});
    case JointKind::planar:
      return append(out, {q[i], q[i + 1], std::atan2(q[i + 3], q[i + 2])});
    case JointKind::revolute:
    case JointKind::prismatic:
      return append(out, {q[i]});
  }
}

void append_v(const Body& b, const Vec& q, const Vec& v, std::vector<double>& out) {
  const int i = b.v;
  if (b.joint == JointKind::free) {
    const Vec3 linear = turn_of(q, b.q + 3) * Vec3(v.segment<3>(i));
    return append(out, {linear.x(), linear.y(), linear.z(), v[i + 3], v[i + 4], v[i + 5]});
  }
  if (b.joint == JointKind::planar) {
    const double c = q[b.q + 2], s = q[b.q + 3];
    return append(out, {c * v[i] - s * v[i + 1], s * v[i] + c * v[i + 1], v[i + 2]});
  }
  for (int k = 0; k < sizes(b.joint).nv; ++k) out.push_back(v[i + k]);
}

std::string joined(const std::vector<double>& x) {
  return mjcf_numbers(Eigen::Map<const Vec>(x.data(), static_cast<Eigen::Index>(x.size())));
}

struct Moment {
  double time = 0.0;
  Vec q, v, act, ctrl;
  bool acts = false, controls = false;
};

void add_key(MjcfText& text, const std::string& name, const Moment& at) {
  std::vector<double> q, v;
  for (const BodyId id : text.order) {
    const Body& b = text.world.bodies[static_cast<std::size_t>(id)];
    append_q(b, at.q, q), append_v(b, at.q, at.v, v);
  }
  Xml key;
  key.set("name", text.name("key", name));
  set_number(key, "time", at.time, 0.0);
  if (!q.empty()) key.set("qpos", joined(q));
  if (!at.v.isZero(0.0)) key.set("qvel", joined(v));
  if (at.acts) key.set("act", mjcf_numbers(at.act));
  if (at.controls) key.set("ctrl", mjcf_numbers(at.ctrl));
  text.keyframe.push_back({"key", std::move(key)});
}

// The robot's part of a keyframe of the whole file.
void put(const World& w, int robot, const Keyframe& key, Moment& at) {
  const Robot& r = w.robots[static_cast<std::size_t>(robot)];
  at.time = key.time;
  at.q.segment(r.q, r.nq) = key.q, at.v.segment(r.v, r.nv) = key.v;
  Eigen::Index ctrl = 0, act = 0;
  for (std::size_t i = 0; i < w.actuators.size(); ++i) {
    const Actuator& a = w.actuators[i];
    if (a.robot != robot) continue;
    if (ctrl < key.ctrl.size()) at.ctrl[static_cast<Eigen::Index>(i)] = key.ctrl[ctrl], at.controls = true;
    ++ctrl;
    if (a.activation < 0) continue;
    if (act < key.act.size()) at.act[a.activation] = key.act[act], at.acts = true;
    ++act;
  }
}

}  // namespace

void write_mjcf_keyframes(MjcfText& text) {
  const World& w = text.world;
  const Moment start{0.0, w.q0, w.v0, Vec::Zero(w.activations),
                     Vec::Zero(static_cast<Eigen::Index>(w.actuators.size()))};
  std::vector<std::string> names;
  std::map<std::string, Moment> keys;
  for (std::size_t r = 0; r < w.robots.size(); ++r)
    for (const Keyframe& key : w.robots[r].keyframes) {
      if (keys.try_emplace(key.name, start).second) names.push_back(key.name), keys.at(key.name).v.setZero();
      put(w, static_cast<int>(r), key, keys.at(key.name));
    }
  bool rests = w.v0.isZero(0.0);
  if (!rests) text.tell("the velocities of the start are only in the keyframe 'start'", "the world");
  for (const Body& b : w.bodies) {
    if (b.joint == JointKind::spherical)
      rests = rests && Vec(w.q0.segment<4>(b.q)) == Vec(Eigen::Vector4d(0.0, 0.0, 0.0, 1.0));
    if (b.joint == JointKind::translation) rests = rests && w.q0.segment<3>(b.q).isZero(0.0);
    if (b.joint == JointKind::planar)
      rests = rests && Vec(w.q0.segment<4>(b.q)) == Vec(Eigen::Vector4d(0.0, 0.0, 1.0, 0.0));
  }
  if (!rests) add_key(text, "start", start);
  for (const std::string& name : names) add_key(text, name, keys.at(name));
}

}  // namespace stiction
