// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/invalid_input.h>
#include <stiction/model/coordinates/cut_joints.h>
#include <stiction/model/world/draft.h>

#include <algorithm>
#include <numeric>

namespace stiction {
namespace {

class Cutter {
 public:
  Cutter(const World& minimal, const std::vector<BodyId>& children)
      : in_(minimal), cut_(minimal.bodies.size(), false), root_(minimal.bodies.size()) {
    for (const BodyId child : children) cut_[child] = true;
    for (std::size_t i = 0; i < root_.size(); ++i) {
      const BodyId parent = in_.bodies[i].parent;
      root_[i] = cut_[i] || parent == kWorldBody ? static_cast<int>(i) : root_[parent];
    }
  }

  World run() {
    out_.gravity = in_.gravity, out_.timestep = in_.timestep;
    out_.material_names = in_.material_names, out_.pair_materials = in_.pair_materials;
    out_.excluded_pairs = in_.excluded_pairs;
    out_.ntau = in_.ntau, out_.tau_velocity.assign(in_.ntau, -1);
    number_bodies();
    for (const BodyId old : out_.public_id) add_body(old);
    move_origins();
    copy_velocity_values();
    for (Geom geom : in_.geoms)
      geom.placement = moved(geom.body, geom.placement), renumber(geom.body), out_.geoms.push_back(geom);
    for (Frame f : in_.frames) f.placement = moved(f.body, f.placement), renumber(f.body), out_.frames.push_back(f);
    for (const Loop& loop : in_.loops) add_loop(loop);
    for (int i = 0; i < static_cast<int>(in_.bodies.size()); ++i)
      if (cut_[i]) add_cut(i);
    for (const Robot& robot : in_.robots) add_robot(robot);
    add_drives();
    out_.fingerprint = fingerprint(out_);
    return std::move(out_);
  }

 private:
  // Trees contiguous, in the order of their roots; robots stay contiguous because their roots are.
  void number_bodies() {
    out_.public_id.resize(in_.bodies.size());
    std::iota(out_.public_id.begin(), out_.public_id.end(), 0);
    std::stable_sort(out_.public_id.begin(), out_.public_id.end(),
                     [this](BodyId a, BodyId b) { return root_[a] < root_[b]; });
    new_id_.resize(in_.bodies.size());
    for (std::size_t i = 0; i < new_id_.size(); ++i) new_id_[out_.public_id[i]] = static_cast<int>(i);
  }

  void add_body(BodyId old) {
    Body body = in_.bodies[old];
    const Tree& before = in_.trees[body.tree];
    if (cut_[old]) body.joint = JointKind::free, body.placement = Pose{}, body.parent = kWorldBody;
    renumber(body.parent);
    if (body.parent == kWorldBody) {
      Tree tree = before;  // name, robot and free_body of a tree that stays whole
      tree.name = body.name;
      tree.first_body = static_cast<int>(out_.bodies.size()), tree.bodies = 0;
      tree.q = out_.nq, tree.v = out_.nv, tree.nq = tree.nv = 0;
      tree.floating = body.joint == JointKind::free;
      out_.trees.push_back(tree);
    }
    Tree& tree = out_.trees.back();
    const JointSizes n = sizes(body.joint);
    tree.bodies += 1, tree.nq += n.nq, tree.nv += n.nv;
    body.tree = static_cast<int>(out_.trees.size()) - 1;
    body.q = out_.nq, body.v = out_.nv;
    out_.nq += n.nq, out_.nv += n.nv;
    out_.bodies.push_back(body);
  }

  // A lone free body turns about its centre of mass: constant M, closed-form inverse.
  void move_origins() {
    for (Tree& tree : out_.trees) {
      if (tree.bodies > 1) tree.free_body = false;
      const BodyId old = out_.public_id[tree.first_body];
      const bool changed = cut_[old] || tree.bodies < in_.trees[in_.bodies[old].tree].bodies;
      if (tree.bodies > 1 || !tree.floating || !changed) continue;
      Body& body = out_.bodies[tree.first_body];
      body.link_origin = -body.inertia.com;
      body.inertia.com.setZero();
      tree.free_body = true;
    }
  }

  // A placement in the link's frame, in that of the body.
  Pose moved(BodyId old, Pose placement) const {
    if (old != kWorldBody) placement.translation += out_.bodies[new_id_[old]].link_origin;
    return placement;
  }
  void renumber(BodyId& id) const {
    if (id != kWorldBody) id = new_id_[id];
  }

  void copy_velocity_values() {
    const int nv = out_.nv;
    out_.q0.resize(out_.nq), out_.v0 = Vec::Zero(nv);
    out_.lower = Vec::Constant(nv, -kInfinity), out_.upper = Vec::Constant(nv, kInfinity);
    out_.effort_limit = Vec::Constant(nv, kInfinity);
    out_.joint_damping = out_.dry_friction = out_.armature = out_.stiffness = Vec::Zero(nv);
    out_.actuation_lower = out_.lower, out_.actuation_upper = out_.upper;
    out_.spring_q = Vec::Zero(out_.nq);
    for (std::size_t i = 0; i < out_.bodies.size(); ++i) {
      const Body& body = out_.bodies[i];
      const Body& old = in_.bodies[out_.public_id[i]];
      const JointSizes n = sizes(body.joint);
      if (body.joint == JointKind::free && body.parent == kWorldBody) {
        const Pose link = start_pose(in_, out_.public_id[i]);
        out_.q0.segment<3>(body.q) = link * Vec3(-body.link_origin);
        out_.q0.segment<4>(body.q + 3) = Quat(link.rotation).normalized().coeffs();
      } else {
        out_.q0.segment(body.q, n.nq) = in_.q0.segment(old.q, n.nq);
      }
      if (cut_[out_.public_id[i]]) continue;
      const auto copy = [&](const Vec& from, Vec& to) { to.segment(body.v, n.nv) = from.segment(old.v, n.nv); };
      copy(in_.v0, out_.v0), copy(in_.lower, out_.lower), copy(in_.upper, out_.upper);
      copy(in_.joint_damping, out_.joint_damping), copy(in_.dry_friction, out_.dry_friction);
      copy(in_.armature, out_.armature), copy(in_.effort_limit, out_.effort_limit);
      copy(in_.stiffness, out_.stiffness);
      copy(in_.actuation_lower, out_.actuation_lower), copy(in_.actuation_upper, out_.actuation_upper);
      out_.spring_q.segment(body.q, n.nq) = in_.spring_q.segment(old.q, n.nq);
      for (int k = 0; k < in_.ntau; ++k)
        if (const int d = in_.tau_velocity[k] - old.v; d >= 0 && d < n.nv) out_.tau_velocity[k] = body.v + d;
    }
  }

  void add_loop(Loop loop) {
    loop.frame_a = moved(loop.a, loop.frame_a), loop.frame_b = moved(loop.b, loop.frame_b);
    renumber(loop.a), renumber(loop.b);
    out_.loops.push_back(std::move(loop));
  }

  void add_cut(BodyId child) {
    const Body& old = in_.bodies[child];
    CutJoint joint;
    joint.kind = old.joint;
    joint.loop = static_cast<int>(out_.loops.size());
    joint.slot = out_.bodies[new_id_[child]].v;
    joint.tau =
        static_cast<int>(std::find(in_.tau_velocity.begin(), in_.tau_velocity.end(), old.v) - in_.tau_velocity.begin());
    const int n = sizes(old.joint).nv;
    if (n == 1) joint.lower = in_.lower[old.v], joint.upper = in_.upper[old.v];
    for (int i = 0; i < n; ++i) {
      joint.damping[i] = in_.joint_damping[old.v + i], joint.dry_friction[i] = in_.dry_friction[old.v + i];
      joint.armature[i] = in_.armature[old.v + i], joint.effort_limit[i] = in_.effort_limit[old.v + i];
    }
    out_.cuts.push_back(joint);
    Loop loop;
    const Tree& tree = in_.trees[old.tree];
    loop.name = in_.robots[tree.robot].joint_names[child - in_.robots[tree.robot].first_body];
    loop.kind = old.joint == JointKind::prismatic   ? Loop::slider
                : old.joint == JointKind::spherical ? Loop::point
                                                    : Loop::hinge;
    loop.a = old.parent, loop.b = child, loop.frame_a = old.placement, loop.axis = old.axis;
    add_loop(loop);
  }

  // A cut joint has no velocity of its own that an actuator, a spring or a coupling could act on.
  void require_whole(BodyId old, const std::string& what) const {
    if (old == kWorldBody || !cut_[old]) return;
    throw InvalidInput("the joint that carries '" + in_.bodies[old].name + "' cannot be cut: " + what +
                       " acts on it; take coordinates='minimal', or 'extended' with other joints");
  }

  void add_drives() {
    out_.activations = in_.activations;
    for (std::size_t i = 0; i < in_.bodies.size(); ++i)
      if (!in_.stiffness.segment(in_.bodies[i].v, sizes(in_.bodies[i].joint).nv).isZero(0.0))
        require_whole(static_cast<int>(i), "a spring");
    for (Actuator a : in_.actuators) {
      if (a.target == Actuator::joint || a.target == Actuator::joint_in_parent)
        require_whole(a.body, "the actuator '" + a.name + "'");
      a.placement = moved(a.body, a.placement), renumber(a.body);
      a.reference = moved(a.reference_body, a.reference), renumber(a.reference_body);
      out_.actuators.push_back(std::move(a));
    }
    for (Coupling c : in_.couplings) {
      if (c.tendon_a < 0)
        require_whole(c.a, "the coupling '" + c.name + "'"), require_whole(c.b, "the coupling '" + c.name + "'"),
            renumber(c.a), renumber(c.b);
      out_.couplings.push_back(std::move(c));
    }
    for (Tendon t : in_.tendons) {
      for (TendonJoint& j : t.joints) require_whole(j.body, "the tendon '" + t.name + "'"), renumber(j.body);
      for (PathPoint& p : t.path) {
        p.placement = moved(p.body, p.placement), renumber(p.body);
        p.side = moved(p.side_body, Pose{Mat3::Identity(), p.side}).translation, renumber(p.side_body);
      }
      out_.tendons.push_back(std::move(t));
    }
    for (GravityCompensation g : in_.gravity_compensation) {
      g.point = moved(g.body, Pose{Mat3::Identity(), g.point}).translation, renumber(g.body);
      out_.gravity_compensation.push_back(g);
    }
    for (FluidPart part : in_.fluid) {
      part.placement = moved(part.body, part.placement), renumber(part.body);
      out_.fluid.push_back(std::move(part));
    }
  }

  void add_robot(Robot robot) {
    const std::vector<std::string> names = robot.joint_names;
    robot.nq = robot.nv = 0;
    for (int i = 0; i < robot.bodies; ++i) {
      const Body& body = out_.bodies[robot.first_body + i];
      if (i == 0) robot.q = body.q, robot.v = body.v;
      robot.nq += sizes(body.joint).nq, robot.nv += sizes(body.joint).nv;
      robot.joint_names[i] = names[out_.public_id[robot.first_body + i] - robot.first_body];
    }
    out_.robots.push_back(std::move(robot));
  }

  const World& in_;
  World out_;
  std::vector<bool> cut_;
  std::vector<BodyId> root_, new_id_;  // per old body: root of its new tree (old number), new number
};

}  // namespace

std::shared_ptr<const World> cut_joints(const World& minimal, const std::vector<BodyId>& children) {
  return std::make_shared<const World>(Cutter(minimal, children).run());
}

}  // namespace stiction
