// SPDX-License-Identifier: BSD-2-Clause
// What is true at the present q and v.
#include <cmath>

#include "simulator.h"

namespace stiction::python {
namespace {

template <class Handle, class Make>
std::vector<Handle> list_handles(const World& world, std::size_t count, Make make) {
  std::vector<Handle> out;
  for (std::size_t i = 0; i < count; ++i) out.push_back(make(world, static_cast<int>(i)));
  return out;
}

// Number in the stepped world of a body that the face calls `id`.
BodyId engine_body(const World& world, BodyId id) {
  for (BodyId i = 0; i < static_cast<BodyId>(world.bodies.size()); ++i)
    if (world.public_body(i) == id) return i;
  return id;
}

// Joints of a robot in q and v as they are stepped.
void place_joints(const PySimulator& s, const Robot& stepped, RobotHandle& h) {
  std::size_t joint = 0;
  for (std::size_t i = 0; i < h.body_names.size(); ++i) {
    const Body& minimal = s.minimal_world().bodies[static_cast<std::size_t>(h.base) + i];
    if (minimal.joint == JointKind::free) continue;
    const BodyId id = engine_body(s.world(), h.base + static_cast<int>(i));
    const Body& body = s.world().bodies[static_cast<std::size_t>(id)];
    const bool cut = body.joint != minimal.joint;
    h.places[joint].q = cut ? -1 : body.q - stepped.q;
    h.places[joint].v = cut ? -1 : body.v - stepped.v;
    ++joint;
  }
}

FloatArray new_six(const Vec6& x) { return new_array(x.data(), 6); }

}  // namespace

void bind_simulator_queries(SimulatorClass& c) {
  c.def(
       "pose",
       [](PySimulator& s, const BodyLike& body) {
         const BodyId id = read_body(s.minimal_world(), body, "pose.body");
         return new_pose(s.run([id](Simulator& e) { return e.pose(id); }));
       },
       "body"_a, "(position, quaternion xyzw) of a body's frame in the world.")
      .def(
          "frame_pose",
          [](PySimulator& s, const FrameLike& frame) {
            const int f = read_frame(s.world(), frame, "frame_pose.frame");
            return new_pose(s.run([f](Simulator& e) { return e.frame_pose(f); }));
          },
          "frame"_a, "(position, quaternion xyzw) of a frame, given by name (or \"robot/name\").")
      .def(
          "jacobian",
          [](PySimulator& s, const FrameLike& frame) {
            const int f = read_frame(s.world(), frame, "jacobian.frame");
            return new_matrix(s.run([f](Simulator& e) { return e.jacobian(f); }));
          },
          "frame"_a, "(6, nv): velocity (linear, angular) of a frame's origin in world axes = jacobian @ sim.v.")
      .def(
          "mass_matrix", [](PySimulator& s) { return new_matrix(s.run([](Simulator& e) { return e.mass_matrix(); })); },
          "(nv, nv) joint-space inertia.")
      .def(
          "bias", [](PySimulator& s) { return new_array(s.run([](Simulator& e) { return e.bias(); })); },
          "(nv,) Coriolis, centrifugal and gravity terms.")
      .def(
          "com", [](PySimulator& s) { return new_array(Vec(s.run([](Simulator& e) { return e.com(); }))); },
          "(3,) centre of all moving mass [m].")
      .def(
          "frame_velocity",
          [](PySimulator& s, const FrameLike& frame) {
            const int f = read_frame(s.world(), frame, "frame_velocity.frame");
            return new_six(s.run([f](Simulator& e) { return e.frame_velocity(f); }));
          },
          "frame"_a, "(6,) velocity (linear, angular) of a frame's origin in world axes.")
      .def(
          "frame_drift",
          [](PySimulator& s, const FrameLike& frame) {
            const int f = read_frame(s.world(), frame, "frame_drift.frame");
            return new_six(s.run([f](Simulator& e) { return e.frame_drift(f); }));
          },
          "frame"_a,
          "(6,) acceleration of a frame's origin in world axes while v stays constant: (classical linear, angular).\n"
          "The whole acceleration is jacobian @ v_dot + frame_drift, v_dot in Pinocchio's convention as sim.v.")
      .def(
          "com_jacobian",
          [](PySimulator& s) { return new_matrix(s.run([](Simulator& e) { return e.com_jacobian(); })); },
          "(3, nv): velocity of the centre of mass = com_jacobian @ sim.v.")
      .def(
          "com_drift", [](PySimulator& s) { return new_array(Vec(s.run([](Simulator& e) { return e.com_drift(); }))); },
          "(3,) acceleration of the centre of mass while v stays constant.")
      .def_prop_ro(
          "mass", [](PySimulator& s) { return s.run([](Simulator& e) { return e.mass(); }); },
          "mass of all that moves [kg]")
      .def(
          "difference",
          [](PySimulator& s, const ArrayLike& q0, const ArrayLike& q1) {
            const Vec a = read_vector(q0, "difference.q0"), b = read_vector(q1, "difference.q1");
            return new_array(s.run([&](Simulator& e) { return e.difference(a, b); }));
          },
          "q0"_a, "q1"_a,
          "(nv,) the velocity that leads from q0 to q1 in one second (Pinocchio's difference; log6 for bases).")
      .def(
          "integrate",
          [](PySimulator& s, const ArrayLike& q, const ArrayLike& d) {
            const Vec a = read_vector(q, "integrate.q"), b = read_vector(d, "integrate.d");
            return new_array(s.run([&](Simulator& e) { return e.integrate(a, b); }));
          },
          "q"_a, "d"_a, "(nq,) where q gets in one second at the velocity d (Pinocchio's integrate; exp6 for bases).")
      .def(
          "interpolate",
          [](PySimulator& s, const ArrayLike& q0, const ArrayLike& q1, double part) {
            const Vec a = read_vector(q0, "interpolate.q0"), b = read_vector(q1, "interpolate.q1");
            if (!std::isfinite(part)) throw InvalidInput("interpolate.part is not finite, expected a number");
            return new_array(s.run([&](Simulator& e) { return e.interpolate(a, b, part); }));
          },
          "q0"_a, "q1"_a, "part"_a, "(nq,) integrate(q0, part * difference(q0, q1)).")
      .def(
          "energy", [](PySimulator& s) { return s.run([](Simulator& e) { return e.energy(); }); },
          "Energy with .kinetic, .potential, .total [J].")
      .def(
          "momentum", [](PySimulator& s) { return new_six(s.run([](Simulator& e) { return e.momentum(); })); },
          "(6,) linear [kg m/s] and angular momentum about the world's origin [kg m^2/s].")
      .def(
          "net_wrench",
          [](PySimulator& s, const BodyLike& body) {
            const BodyId id = read_body(s.minimal_world(), body, "net_wrench.body");
            return new_six(s.run([id](Simulator& e) { return e.net_wrench(id); }));
          },
          "body"_a, "(6,) force [N] and torque about the centre of mass [N m] of the last step's contacts on a body.")
      .def(
          "problems",
          [](PySimulator& s, const ArrayLike& tau, bool bodies) {
            const Vec torque =
                tau.is_none() ? Vec(Vec::Zero(s.world().ntau)) : read_vector(tau, "problems.tau", s.world().ntau);
            return s.run([&](Simulator&) { return s.problems(torque, bodies); });
          },
          "tau"_a = nb::none(), "bodies"_a = false,
          "The contact problems of the next step under torques tau (ntau,) [N m], one per island, with the wrenches "
          "that apply_wrench left for it and\n"
          "what drives the scene. The state is not changed. bodies=True keeps small problems in body space too;\n"
          "otherwise their G is dense.")
      .def_prop_ro(
          "nq", [](const PySimulator& s) { return s.world().nq; }, "size of q")
      .def_prop_ro(
          "nv", [](const PySimulator& s) { return s.world().nv; }, "size of v")
      .def_prop_ro(
          "ntau", [](const PySimulator& s) { return s.world().ntau; }, "size of tau and target")
      .def_prop_ro(
          "bodies",
          [](const PySimulator& s) {
            return list_handles<BodyHandle>(s.minimal_world(), s.minimal_world().bodies.size(),
                                            [&](const World&, int i) {
                                              BodyHandle h = body_handle(s.world(), engine_body(s.world(), i));
                                              h.id = i;
                                              return h;
                                            });
          },
          "all moving bodies")
      .def_prop_ro(
          "robots",
          [](const PySimulator& s) {
            return list_handles<RobotHandle>(s.minimal_world(), s.world().robots.size(),
                                             [&](const World& world, int i) {
                                               RobotHandle h = robot_handle(world, i);
                                               const Robot& stepped = s.world().robots[static_cast<std::size_t>(i)];
                                               h.q = stepped.q, h.nq = stepped.nq, h.v = stepped.v, h.nv = stepped.nv;
                                               place_joints(s, stepped, h);
                                               return h;
                                             });
          },
          "all robots")
      .def_prop_ro(
          "pd_target",
          [](PySimulator& s) { return new_array(s.run([](Simulator& e) { return e.state().pd.target; })); },
          "copy of the PD target; empty while the PD is off");
}

}  // namespace stiction::python
