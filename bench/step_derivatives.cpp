// SPDX-License-Identifier: BSD-2-Clause
// Time of the derivatives of one exponential step beside Pinocchio's computeABADerivatives on the same robot, in one run:
//   stiction_bench_step_derivatives [file.urdf] [repetitions]
// CPU time per call of the whole query (the step itself included), smallest mean over many batches, in microseconds; the
// two take turns, so that a busy machine slows both. Robot: the file, else Solo-12 of example-robot-data, else our own quadruped.
#include <stiction/model/world/world_builder.h>
#include <stiction/sim/simulator.h>
#include <stiction/step/exponential/exponential_derivatives.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "step_derivatives/peer.h"

namespace {

using namespace stiction;

double cpu_microseconds() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e6 * static_cast<double>(t.tv_sec) + 1e-3 * static_cast<double>(t.tv_nsec);
}

template <class F>
void keep_smallest(double& smallest, F&& call) {
  constexpr int kBatch = 100;
  const double start = cpu_microseconds();
  for (int i = 0; i < kBatch; ++i) call();
  smallest = std::min(smallest, (cpu_microseconds() - start) / kBatch);
}

// The file without collision shapes: the feet are points.
std::string read_robot(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  std::string xml = text.str();
  for (const std::string tag : {"collision", "visual"})
    for (std::size_t from = 0; (from = xml.find("<" + tag, from)) != std::string::npos;)
      xml.erase(from, xml.find("</" + tag + ">", from) + tag.size() + 3 - from);
  return xml;
}

Simulator standing(const std::string& xml, double mu, bool slip, const std::string& approximant) {
  WorldBuilder builder;
  MaterialValues floor;
  floor.mu = mu;
  builder.add_ground(floor);
  RobotOptions place;
  place.position = {0.0, 0.0, 0.22};
  const int robot = builder.add_urdf_text(xml, place);
  for (const char* leg : {"FL", "FR", "HL", "HR"}) {
    builder.set_joint_position(robot, std::string(leg) + "_HFE", -0.8);
    builder.set_joint_position(robot, std::string(leg) + "_KFE", 1.6);
  }
  for (const Frame& frame : builder.draft().frames)
    if (frame.name.find("_FOOT") != std::string::npos)
      builder.add_contact_point(frame.body, frame.placement.translation, false, 1e5, 300.0, floor);
  Settings settings;
  settings.law = "anchored", settings.stepper = "exponential", settings.dt = 2e-3;
  settings.stepper_options = {{"approximant", approximant}};
  Simulator sim(builder.compile(), settings);
  sim.set_pd(8.0, 0.2);
  sim.step(500);
  if (slip) sim.state().v[0] = 0.5, sim.step(2);
  return sim;
}

}  // namespace

int main(int count, char** arguments) {
  std::string path = STICTION_ROBOTS_DIR "/robots/solo_description/robots/solo12.urdf";
  if (!std::ifstream(path)) path = "models/quadruped_small.urdf";
  if (count > 1) path = arguments[1];
  const int repetitions = count > 2 ? std::atoi(arguments[2]) : 100;
  const std::string xml = read_robot(path);
  bench::AbaDerivatives peer(xml);
  std::printf("%s, nv %d\n", path.substr(path.rfind('/') + 1).c_str(), peer.nv());
  for (const bool slip : {false, true})
    for (const char* approximant : {"1/1", "1/2", "2/2", "2/3"}) {
      Simulator sim = standing(xml, slip ? 0.2 : 1.0, slip, approximant);
      const Vec q = sim.state().q, v = sim.state().v, tau = Vec::Constant(sim.world().ntau, 0.01);
      Vec force = Vec::Zero(peer.nv());
      force.tail(tau.size()) = tau;
      StepDerivatives out;
      sim.step_derivatives(tau, out);
      double ours = 1e9, theirs = 1e9, step = 1e9;
      Simulator other = sim.clone();
      const State state = sim.state();
      for (int i = 0; i < repetitions; ++i) {
        keep_smallest(ours, [&] { sim.step_derivatives(tau, out); });
        keep_smallest(theirs, [&] { peer.compute(q, v, force); });
        keep_smallest(step, [&] { other.state() = state, other.step(tau); });
      }
      std::printf(
          "%-6s %s  %zu points (%s)  step_derivatives %6.2f us  step %5.2f us  computeABADerivatives %6.2f us"
          "  ratio %.2f\n",
          slip ? "slip" : "stance", approximant, out.mode.size(), out.mode.empty() ? "" : describe(out.mode[0]).c_str(),
          ours, step, theirs, ours / theirs);
    }
}
