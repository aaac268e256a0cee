// SPDX-License-Identifier: BSD-2-Clause
// Bodies, masses and frames. With A_k = P_k J_k(q₀) the pose of body k in the one before, a body that carries the joints 1 … n has the
// pose A_1 … A_n in its parent, and joint k lies in its frame where B_k⁻¹ = (A_{k+1} … A_n)⁻¹ puts it.
#include <stiction/base/principal_axes.h>
#include <stiction/model/mjcf_writer/mjcf_text.h>
#include <stiction/model/world/draft.h>

#include <algorithm>

namespace stiction {
namespace {

constexpr double kLeastMass = 1e-14;  // [kg], [kg m²]: MuJoCo refuses bodies that move and have less than 1e-15

Pose placed_at_start(const World& world, BodyId id) {
  const Body& b = world.bodies[static_cast<std::size_t>(id)];
  if (b.joint == JointKind::spherical || b.joint == JointKind::translation || b.joint == JointKind::planar)
    return b.placement;
  return b.placement * joint_pose(b.joint, b.axis, world.q0.data() + b.q);
}

void set_inertial(MjcfText& text, const Body& body, Xml& inertial) {
  const Inertia& inertia = body.inertia;
  if (inertia.mass <= kLeastMass) {
    text.tell("written with a mass of 1e-14 kg, since MuJoCo refuses moving bodies without mass", body.name);
    inertial.set("mass", mjcf_numbers(Vec::Constant(1, kLeastMass)));
    inertial.set("pos", "0 0 0"), inertial.set("diaginertia", mjcf_numbers(Vec::Constant(3, kLeastMass)));
    return;
  }
  Mat3 axes = Mat3::Identity();
  Vec3 moments = inertia.about_com.diagonal();
  if (inertia.about_com != Mat3(moments.asDiagonal())) {
    const PrincipalAxes principal = principal_axes(inertia.about_com);
    axes = principal.axes, moments = principal.moments;
    if (axes.determinant() < 0.0) axes.col(0) = -axes.col(0);
  }
  inertial.set("pos", "0 0 0");  // MuJoCo wants it
  set_mjcf_pose(inertial, {axes, inertia.com});
  inertial.set("mass", mjcf_numbers(Vec::Constant(1, inertia.mass)));
  if (moments.minCoeff() < kLeastMass)
    text.tell("a moment of inertia is raised to 1e-14 kg m^2, since MuJoCo refuses less", body.name);
  moments = moments.cwiseMax(kLeastMass);
  if (moments.maxCoeff() > moments.sum() - moments.maxCoeff() + 1e-15)
    text.tell("MuJoCo refuses a moment of inertia larger than the sum of the other two (balanceinertia changes it)",
              body.name);
  inertial.set("diaginertia", mjcf_numbers(moments));
}

void write_chain(MjcfText& text, BodyId last) {
  const World& world = text.world;
  std::vector<BodyId> chain{last};
  while (world.bodies[static_cast<std::size_t>(chain.back())].parent != text.written_parent(last))
    chain.push_back(world.bodies[static_cast<std::size_t>(chain.back())].parent);
  std::reverse(chain.begin(), chain.end());
  Pose pose;
  for (const BodyId id : chain) pose = pose * placed_at_start(world, id);
  MjcfText::Parts& parts = text.parts_of(last);
  parts.element.set("name", text.body_names[static_cast<std::size_t>(last)]);
  set_mjcf_pose(parts.element, pose);
  for (std::size_t k = 0; k < chain.size(); ++k) {
    Pose behind;
    for (std::size_t j = k + 1; j < chain.size(); ++j) behind = behind * placed_at_start(world, chain[j]);
    write_mjcf_joints(text, chain[k], last, behind.inverse());
    text.order.push_back(chain[k]);
  }
  Xml inertial;
  set_inertial(text, world.bodies[static_cast<std::size_t>(last)], inertial);
  parts.own.insert(parts.own.begin(), {"inertial", std::move(inertial)});
  text.parts_of(text.written_parent(last)).children.push_back(last);
}

void write_frames(MjcfText& text) {
  for (const Robot& robot : text.world.robots)
    for (int i = robot.first_frame; i < robot.first_frame + robot.frames; ++i) {
      const Frame& f = text.world.frames[static_cast<std::size_t>(i)];
      const bool body = f.body != kWorldBody && same_pose(f.placement, {}) &&
                        text.world.bodies[static_cast<std::size_t>(f.body)].name == f.name;
      if (body || std::any_of(text.world.sites.begin(), text.world.sites.end(), [&](const Site& s) {
            return s.name == f.name && s.body == f.body && same_pose(s.placement, f.placement);
          }))
        continue;
      Xml site;
      site.set("name", text.name("site", f.name, robot.name));
      set_mjcf_pose(site, f.placement);
      text.parts_of(f.body).sites.push_back({"site", std::move(site)});
    }
}

}  // namespace

void write_mjcf_bodies(MjcfText& text) {
  const World& world = text.world;
  text.joint_names.resize(world.bodies.size());
  for (std::size_t i = 0; i < world.bodies.size(); ++i) {
    const Body& body = world.bodies[i];
    const auto id = static_cast<BodyId>(i);
    text.body_names.push_back(text.is_merged(id) ? "" : text.name("body", body.name, text.owner_of(id)));
  }
  for (std::size_t i = 0; i < world.bodies.size(); ++i)
    if (!text.is_merged(static_cast<BodyId>(i))) write_chain(text, static_cast<BodyId>(i));
  write_frames(text);
}

}  // namespace stiction
