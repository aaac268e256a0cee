// SPDX-License-Identifier: BSD-2-Clause
// Our solvers beside Pinocchio 4.1's on the contact problems of consecutive steps: ANYmal on four feet, Talos on eight
// points, standing and moving. Every solver gets the same G, g, mu and the same warm start, the λ of the step before.
//
// Fairness. One process, solvers alternating on every problem; a time is the least of `repeats` runs, the number printed
// the median over the problems. All answers are judged by our evaluate(), and times are compared at the same judged
// residual: Pinocchio's tolerance is the loosest of 1e-4, 10^-4.5, 1e-5, … for which as many of its answers are accepted
// as of our solver of the same name; where no tolerance does it, the one with the most accepted answers is taken and
// `accepted` says so. Its operators and models are built before the clock starts.
//
// usage: stiction_bench_solvers_vs_pinocchio [--json] [--steps N] [--repeats N]
#include <stiction/scene/robots/anymal_stand.h>
#include <stiction/scene/robots/quadruped.h>
#include <stiction/solver/catalog.h>
#include <stiction/solver/core/solver.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "solvers_vs_pinocchio/peer.h"

namespace stiction::bench {
namespace {

struct Sample {
  ContactProblem problem;
  Vec guess;  // λ of the step before
};
struct Sequence {
  std::string name;
  int contacts = 0;
  std::vector<Sample> samples;
};
struct Row {
  std::string solver;
  double microseconds = 0.0, iterations = 0.0, worst_ratio = 0.0, tolerance = 0.0;
  int accepted = 0;
};

double median(std::vector<double> x) {
  std::nth_element(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2), x.end());
  return x[x.size() / 2];
}

// Talos in its half-sitting posture on box feet; friction in the joints and their limits are left out, so that the
// problem has nothing but its eight contacts.
Scene talos_stand(double amplitude) {
  Scene scene;
  scene.dt = 1e-3;
  scene.kp = 1500.0, scene.kd = 30.0;
  scene.implicit_pd = true;
  scene.world.add_ground({});
  RobotOptions options;
  options.position = {0.0, 0.0, 1.02};
  const int robot = scene.world.add_urdf(
      std::string(STICTION_ROBOTS_DIR) + "/robots/talos_data/robots/talos_reduced_box.urdf", options);
  const std::vector<std::string> joints = scene.world.draft().robots[0].joint_names;
  WorldBuilder::JointValues bare;
  bare.dry_friction = 0.0, bare.lower = -kInfinity, bare.upper = kInfinity, bare.effort_limit = kInfinity;
  for (std::size_t j = 1; j < joints.size(); ++j) scene.world.set_joint_values(robot, joints[j], bare);
  for (const std::string side : {"left", "right"}) {
    const std::string leg = "leg_" + side, arm = "arm_" + side;
    const double mirror = side == "left" ? 1.0 : -1.0;
    scene.world.set_joint_position(robot, leg + "_3_joint", -0.411354);
    scene.world.set_joint_position(robot, leg + "_4_joint", 0.859395);
    scene.world.set_joint_position(robot, leg + "_5_joint", -0.448041);
    scene.world.set_joint_position(robot, arm + "_1_joint", 0.25847 * mirror);
    scene.world.set_joint_position(robot, arm + "_2_joint", 0.173046 * mirror);
    scene.world.set_joint_position(robot, arm + "_4_joint", -0.525366);
  }
  if (amplitude > 0.0) {
    const Vec centre = start_posture(*scene.world.compile());
    scene.drive = [=](Simulator& sim, double t) {
      Vec target = centre;
      for (Eigen::Index j = 0; j < target.size(); ++j)
        target[j] += amplitude * std::sin(2.0 * 3.141592653589793 * (1.0 + 0.07 * static_cast<double>(j)) * t);
      sim.set_target(target);
    };
  }
  return scene;
}

// The problems of `steps` steps after `settle` seconds. Kept are those with all their contacts, whose predecessor had
// the same ones.
Sequence capture(std::string name, const Scene& scene, int contacts, double settle, int steps) {
  Settings settings;
  settings.dt = scene.dt;
  settings.solver_options["tolerance"] = 1e-10;
  Simulator sim = make_simulator(scene, settings);
  const auto exact = make_solver("auto", {{"tolerance", 1e-10}});
  Sequence out{std::move(name), contacts, {}};
  Vec last;
  for (int k = 0; k < static_cast<int>(settle / scene.dt) + steps; ++k) {
    if (scene.drive) scene.drive(sim, sim.state().time);
    if (k * scene.dt >= settle) {
      const auto problems = sim.problems(Vec());
      const bool whole = problems.size() == 1 && problems[0].rows() == 3 * contacts &&
                         static_cast<int>(problems[0].blocks.size()) == contacts;
      if (whole && last.size() == problems[0].rows()) out.samples.push_back({problems[0], last});
      last = Vec::Zero(whole ? problems[0].rows() : 0);
      if (whole) exact->solve(problems[0], last);
    }
    sim.step();
  }
  return out;
}

// One run of every solver on every problem; times_[solver][problem] keeps the least.
class Run {
 public:
  Run(const Sequence& sequence, int repeats) : sequence_(sequence), repeats_(repeats) {}

  std::vector<Row> measure() {
    const std::vector<std::string> ours = {"nsgs", "pgs", "admm"};
    std::vector<Row> rows;
    std::vector<std::unique_ptr<Solver>> solvers;
    for (const std::string& name : ours) {
      solvers.push_back(make_solver(name));
      rows.push_back(judge_ours(name, *solvers.back()));
    }
    auto pgs = pinocchio_pgs(), admm = pinocchio_admm();
    rows.push_back(tune("pinocchio pgs", *pgs, rows[1].accepted));
    rows.push_back(tune("pinocchio admm", *admm, rows[2].accepted));
    std::vector<std::vector<double>> least(rows.size(), std::vector<double>(sequence_.samples.size(), 1e9));
    for (std::size_t i = 0; i < sequence_.samples.size(); ++i) {
      const Sample& s = sequence_.samples[i];
      pgs->load(s.problem), admm->load(s.problem);
      for (int r = 0; r < repeats_; ++r) {
        for (std::size_t k = 0; k < solvers.size(); ++k) keep(least[k][i], time_ours(*solvers[k], s));
        Vec x = s.guess;
        keep(least[3][i], pgs->solve(rows[3].tolerance, kIterations, x).seconds);
        x = s.guess;
        keep(least[4][i], admm->solve(rows[4].tolerance, kIterations, x).seconds);
      }
    }
    for (std::size_t k = 0; k < rows.size(); ++k) rows[k].microseconds = 1e6 * median(least[k]);
    return rows;
  }

 private:
  static constexpr int kIterations = 5000;
  static void keep(double& least, double seconds) { least = std::min(least, seconds); }

  double time_ours(Solver& solver, const Sample& s) {
    lambda_ = s.guess;
    const auto start = std::chrono::steady_clock::now();
    solver.solve(s.problem, lambda_);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

  void count(const Sample& s, const Vec& lambda, int iterations, Row& row) {
    const double ratio = evaluate(s.problem, lambda).ratio;
    row.accepted += ratio <= 1.0 ? 1 : 0;
    row.worst_ratio = std::max(row.worst_ratio, std::isnan(ratio) ? kInfinity : ratio);
    row.iterations += iterations / static_cast<double>(sequence_.samples.size());
  }

  Row judge_ours(const std::string& name, Solver& solver) {
    Row row;
    row.solver = name, row.tolerance = CommonOptions{}.tolerance;
    for (const Sample& s : sequence_.samples) {
      Vec x = s.guess;
      const int iterations = solver.solve(s.problem, x).iterations;
      count(s, x, iterations, row);
    }
    return row;
  }

  Row tune(const std::string& name, Peer& peer, int wanted) {
    Row best;
    best.accepted = -1;
    for (double exponent = -4.0; exponent >= -15.0; exponent -= 0.5) {
      Row row;
      row.solver = name, row.tolerance = std::pow(10.0, exponent);
      for (const Sample& s : sequence_.samples) {
        Vec x = s.guess;
        peer.load(s.problem);
        const int iterations = peer.solve(row.tolerance, kIterations, x).iterations;
        count(s, x, iterations, row);
      }
      if (row.accepted > best.accepted) best = row;
      if (best.accepted >= wanted) break;
    }
    return best;
  }

  const Sequence& sequence_;
  int repeats_;
  Vec lambda_;
};

void print_table(const Sequence& s, const std::vector<Row>& rows) {
  std::printf("\n%s: %d contacts, %zu problems\n%-16s %10s %11s %10s %12s %10s %14s\n", s.name.c_str(), s.contacts,
              s.samples.size(), "solver", "us", "iterations", "accepted", "worst ratio", "tolerance", "peer/ours");
  for (const Row& r : rows) {
    std::printf("%-16s %10.3f %11.1f %10d %12.2g %10.1g", r.solver.c_str(), r.microseconds, r.iterations, r.accepted,
                r.worst_ratio, r.tolerance);
    for (const Row& peer : rows)
      if (peer.solver == "pinocchio " + r.solver) std::printf(" %14.1f", peer.microseconds / r.microseconds);
    std::printf("\n");
  }
}

void print_json(const Sequence& s, const std::vector<Row>& rows, bool first) {
  for (const Row& r : rows) {
    std::printf(
        "%s{\"scene\": \"%s\", \"contacts\": %d, \"problems\": %zu, \"solver\": \"%s\", \"us\": %.4f, "
        "\"iterations\": %.2f, \"accepted\": %d, \"worst_ratio\": %.4g, \"tolerance\": %.3g}",
        first ? "[" : ",\n ", s.name.c_str(), s.contacts, s.samples.size(), r.solver.c_str(), r.microseconds,
        r.iterations, r.accepted, r.worst_ratio, r.tolerance);
    first = false;
  }
}

int main(int argc, char** argv) {
  bool json = false;
  int steps = 200, repeats = 30;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--json") == 0) json = true;
    if (std::strcmp(argv[i], "--steps") == 0 && i + 1 < argc) steps = std::atoi(argv[++i]);
    if (std::strcmp(argv[i], "--repeats") == 0 && i + 1 < argc) repeats = std::atoi(argv[++i]);
  }
  AnymalStand moving;
  moving.targets = "moving";
  const Sequence sequences[] = {capture("anymal standing", anymal_stand(), 4, 1.0, steps),
                                capture("anymal moving", anymal_stand(moving), 4, 1.0, steps),
                                capture("talos standing", talos_stand(0.0), 8, 0.5, steps),
                                capture("talos moving", talos_stand(0.003), 8, 0.5, 2 * steps)};
  bool first = true;
  for (const Sequence& s : sequences) {
    if (s.samples.empty()) {
      std::fprintf(stderr, "%s: no step had its %d contacts\n", s.name.c_str(), s.contacts);
      continue;
    }
    const auto rows = Run(s, repeats).measure();
    json ? print_json(s, rows, first) : print_table(s, rows);
    first = false;
  }
  if (json) std::printf("]\n");
  return 0;
}

}  // namespace
}  // namespace stiction::bench

int main(int argc, char** argv) { return stiction::bench::main(argc, argv); }
