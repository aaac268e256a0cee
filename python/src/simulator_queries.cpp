// SPDX-License-Identifier: BSD-2-Clause
// What is true at the present q and v.
#include "simulator.h"

namespace stiction::python {
namespace {

template <class Handle, class Make>
std::vector<Handle> list_handles(const World& world, std::size_t count, Make make) {
  std::vector<Handle> out;
  for (std::size_t i = 0; i < count; ++i) out.push_back(make(world, static_cast<int>(i)));
  return out;
}

FloatArray new_six(const Vec6& x) { return new_array(x.data(), 6); }

}  // namespace

void bind_simulator_queries(SimulatorClass& c) {
  c.def(
       "pose",
       [](PySimulator& s, const nb::object& body) {
         const BodyId id = read_body(s.world(), body, "pose.body");
         return new_pose(s.run([id](Simulator& e) { return e.pose(id); }));
       },
       "body"_a, "(position, quaternion xyzw) of a body's frame in the world.")
      .def(
          "frame_pose",
          [](PySimulator& s, const nb::object& frame) {
            const int f = read_frame(s.world(), frame, "frame_pose.frame");
            return new_pose(s.run([f](Simulator& e) { return e.frame_pose(f); }));
          },
          "frame"_a, "(position, quaternion xyzw) of a frame, given by name (or \"robot/name\").")
      .def(
          "jacobian",
          [](PySimulator& s, const nb::object& frame) {
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
          "energy", [](PySimulator& s) { return s.run([](Simulator& e) { return e.energy(); }); },
          "Energy with .kinetic, .potential, .total [J].")
      .def(
          "momentum", [](PySimulator& s) { return new_six(s.run([](Simulator& e) { return e.momentum(); })); },
          "(6,) linear [kg m/s] and angular momentum about the world's origin [kg m^2/s].")
      .def(
          "net_wrench",
          [](PySimulator& s, const nb::object& body) {
            const BodyId id = read_body(s.world(), body, "net_wrench.body");
            return new_six(s.run([id](Simulator& e) { return e.net_wrench(id); }));
          },
          "body"_a, "(6,) force [N] and torque about the centre of mass [N m] of the last step's contacts on a body.")
      .def(
          "problems",
          [](PySimulator& s, const nb::object& tau, bool bodies) {
            const Vec torque =
                tau.is_none() ? Vec(Vec::Zero(s.world().ntau)) : read_vector(tau, "problems.tau", s.world().ntau);
            return s.run([&](Simulator&) { return s.problems(torque, bodies); });
          },
          "tau"_a = nb::none(), "bodies"_a = false,
          "The contact problems of the next step, one per island, with the wrenches that apply_wrench left for it and\n"
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
            return list_handles<BodyHandle>(s.world(), s.world().bodies.size(), body_handle);
          },
          "all moving bodies")
      .def_prop_ro(
          "robots",
          [](const PySimulator& s) {
            return list_handles<RobotHandle>(s.world(), s.world().robots.size(), robot_handle);
          },
          "all robots")
      .def_prop_ro(
          "pd_target",
          [](PySimulator& s) { return new_array(s.run([](Simulator& e) { return e.state().pd.target; })); },
          "copy of the PD target; empty while the PD is off");
}

}  // namespace stiction::python
