// SPDX-License-Identifier: BSD-2-Clause
// Which joints a coordinate set cuts, and which cannot be cut.
#include <stiction/base/field.h>
#include <stiction/base/invalid_input.h>
#include <stiction/model/coordinates/cut_joints.h>

#include <algorithm>

namespace stiction {
namespace {

struct NamedJoint {
  std::string name, robot;
  BodyId child;
};

// Every joint of every robot that is not the free root of a tree.
std::vector<NamedJoint> all_joints(const World& world) {
  std::vector<NamedJoint> joints;
  for (const Robot& robot : world.robots)
    for (int i = 0; i < robot.bodies; ++i) {
      const Body& body = world.bodies[robot.first_body + i];
      if (body.joint == JointKind::free && body.parent == kWorldBody) continue;
      joints.push_back({robot.joint_names[i], robot.name, robot.first_body + i});
    }
  return joints;
}

// Joints on the root link: on a floating base its children, on a fixed one the root joints themselves.
bool on_root_link(const World& world, BodyId child) {
  const BodyId parent = world.bodies[child].parent;
  return parent == kWorldBody ||
         (world.bodies[parent].parent == kWorldBody && world.bodies[parent].joint == JointKind::free);
}

const NamedJoint& find(const std::vector<NamedJoint>& joints, const std::string& wanted) {
  const NamedJoint* found = nullptr;
  std::vector<std::string> names;
  for (const NamedJoint& joint : joints) {
    names.push_back(joint.name);
    if (joint.robot + "/" + joint.name == wanted) return joint;
    if (joint.name != wanted) continue;
    if (found != nullptr)
      throw InvalidInput("cut: joint '" + wanted + "' is in robots '" + found->robot + "' and '" + joint.robot +
                         "'; write '" + found->robot + "/" + wanted + "'");
    found = &joint;
  }
  if (found == nullptr) throw InvalidInput("cut: " + unknown_name("joint", wanted, names));
  return *found;
}

bool massless(const Body& body) { return !(body.inertia.mass > 0.0); }

void require_cuttable(const World& world, const NamedJoint& joint) {
  const Body& body = world.bodies[joint.child];
  const std::string owner = "coordinates: joint '" + joint.name + "' of robot '" + joint.robot + "' cannot be cut: ";
  switch (body.joint) {
    case JointKind::revolute:
    case JointKind::continuous:
    case JointKind::prismatic:
    case JointKind::spherical:
      break;
    case JointKind::free:
    case JointKind::translation:
    case JointKind::planar:
      throw InvalidInput(owner +
                         "no loop holds what a free, translation or planar joint holds; cut other joints by name with "
                         "coordinates='extended', cut=[…]");
  }
  for (const BodyId link : {joint.child, body.parent})
    if (link != kWorldBody && massless(world.bodies[link]))
      throw InvalidInput(owner + "link '" + world.bodies[link].name +
                         "' has no mass of its own; give it one, or cut other joints by name with "
                         "coordinates='extended', cut=[…]");
}

}  // namespace

std::vector<BodyId> joints_to_cut(const World& minimal, const std::string& coordinates,
                                  const std::vector<std::string>& names) {
  const std::vector<std::string> known = {"minimal", "extended", "maximal"};
  if (std::find(known.begin(), known.end(), coordinates) == known.end())
    throw InvalidInput(unknown_name("coordinates", coordinates, known));
  if (coordinates != "extended" && !names.empty())
    throw InvalidInput("cut names joints, but coordinates is '" + coordinates + "'; take coordinates='extended'");
  std::vector<BodyId> children;
  if (coordinates == "minimal") return children;
  const std::vector<NamedJoint> joints = all_joints(minimal);
  const auto take = [&](const NamedJoint& joint) {
    require_cuttable(minimal, joint);
    children.push_back(joint.child);
  };
  for (const std::string& name : names) take(find(joints, name));
  for (const NamedJoint& joint : joints)
    if (names.empty() && (coordinates == "maximal" || on_root_link(minimal, joint.child))) take(joint);
  std::sort(children.begin(), children.end());
  children.erase(std::unique(children.begin(), children.end()), children.end());
  return children;
}

}  // namespace stiction
