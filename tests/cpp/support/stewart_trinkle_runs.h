// SPDX-License-Identifier: BSD-2-Clause
// Runs of Stewart and Trinkle's experiments, recorded in the columns of the golden files.
#pragma once

#include <gtest/gtest.h>
#include <stiction/scene/impact/four_spheres.h>
#include <stiction/scene/impact/rod.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace stiction::test {

inline Settings stewart_trinkle(double dt, int facets = 4, const OptionMap& options = {}) {
  Settings s;
  s.law = "pyramid", s.solver = "lemke", s.stepper = "stewart_trinkle", s.dt = dt;
  s.law_options = {{"facets", facets}}, s.stepper_options = options;
  return s;
}

inline MaterialValues material(double mu, double restitution = 0.0) {
  return {mu, std::nullopt, restitution, std::nullopt, std::nullopt, std::nullopt};
}

// t x z θ vx vz ω, normal impulses of the + and − end, friction of both along x; at the end of each step.
struct RodRow {
  double t, x, z, theta, vx, vz, omega, normal[2], friction[2];
};

inline std::vector<RodRow> run_rod(Simulator& sim, double theta, double duration) {
  std::vector<RodRow> rows;
  const double dt = sim.settings().dt;
  const int steps = static_cast<int>(std::lround(duration / dt));
  for (int i = 0; i < steps; ++i) {
    const StepReport report = sim.step();
    EXPECT_EQ(report.status, Status::converged) << "step " << i;
    const Pose pose = sim.pose(0);
    const Vec3 v = pose.rotation * sim.state().v.head<3>(), w = pose.rotation * sim.state().v.segment<3>(3);
    theta -= dt * w.y();
    RodRow row{sim.state().time, pose.translation.x(), pose.translation.z(), theta, v.x(), v.z(), -w.y(), {}, {}};
    for (const ContactView& c : sim.contacts()) {
      const int end = (c.point.x() > pose.translation.x()) == (std::cos(theta) > 0.0) ? 0 : 1;
      row.normal[end] += dt * c.force.z(), row.friction[end] += dt * c.force.x();
    }
    rows.push_back(row);
  }
  return rows;
}

inline std::vector<RodRow> run_rod(double dt, const OptionMap& options = {}, double duration = 0.65) {
  Simulator sim = make_simulator(rod(), stewart_trinkle(dt, 4, options));
  return run_rod(sim, Rod{}.angle, duration);
}

struct RodEvents {
  double impact = -1.0, slap = -1.0,
         rest = -1.0;  // starts of the first steps with one and with both ends; end of motion
};

inline RodEvents rod_events(const std::vector<RodRow>& rows, double dt) {
  RodEvents e;
  for (const RodRow& r : rows) {
    if (e.impact < 0.0 && r.normal[0] + r.normal[1] > 0.0) e.impact = r.t - dt;
    if (e.slap < 0.0 && r.normal[0] > 0.0 && r.normal[1] > 0.0) e.slap = r.t - dt;
    const bool still = std::max({std::abs(r.vx), std::abs(r.vz), std::abs(r.omega)}) < 1e-6;
    if (!still) e.rest = -1.0;
    if (still && e.rest < 0.0) e.rest = r.t;
  }
  return e;
}

// Positions and world velocities of the four balls, 24 each; angles are integrals of ω. Row 0 is the start.
struct SpheresRun {
  double dt;
  std::vector<Vec> q, v;
  int contacts = 0;
  double penetration = 0.0;
};

inline void record_spheres(const Simulator& sim, double dt, SpheresRun& run) {
  Vec q(24), v(24);
  for (int i = 0; i < 4; ++i) {
    const Pose pose = sim.pose(i);
    v.segment<3>(6 * i) = pose.rotation * sim.state().v.segment<3>(6 * i);
    v.segment<3>(6 * i + 3) = pose.rotation * sim.state().v.segment<3>(6 * i + 3);
    q.segment<3>(6 * i) = pose.translation;
    q.segment<3>(6 * i + 3).setZero();
    if (!run.q.empty()) q.segment<3>(6 * i + 3) = run.q.back().segment<3>(6 * i + 3) + dt * v.segment<3>(6 * i + 3);
  }
  run.q.push_back(q), run.v.push_back(v);
}

inline SpheresRun run_spheres(double dt, const OptionMap& options = {}, double duration = 1.0) {
  Simulator sim = make_simulator(four_spheres(), stewart_trinkle(dt, 8, options));
  SpheresRun run{dt, {}, {}};
  record_spheres(sim, dt, run);
  const int steps = static_cast<int>(std::lround(duration / dt));
  for (int i = 0; i < steps; ++i) {
    const StepReport report = sim.step();
    EXPECT_EQ(report.status, Status::converged) << "dt " << dt << ", step " << i;
    run.contacts = std::max(run.contacts, report.contacts);
    run.penetration = std::max(run.penetration, report.penetration);
    record_spheres(sim, dt, run);
  }
  return run;
}

// ∫|u − u_ref|∞ dt, max |q − q_ref|∞ on the common grid, and max over components of Σ|Δu|: Table 1 of the paper.
struct TableRow {
  double velocity = 0.0, position = 0.0, variation = 0.0;
};

inline TableRow table_row(const SpheresRun& run, const SpheresRun& reference) {
  TableRow row;
  const auto ratio = static_cast<std::size_t>(std::lround(run.dt / reference.dt));
  for (std::size_t i = 1; i < reference.v.size(); ++i)
    row.velocity += reference.dt * (run.v[(i - 1) / ratio + 1] - reference.v[i]).lpNorm<Eigen::Infinity>();
  Vec variation = Vec::Zero(24);
  for (std::size_t i = 0; i < run.q.size(); ++i) {
    row.position = std::max(row.position, (run.q[i] - reference.q[ratio * i]).lpNorm<Eigen::Infinity>());
    if (i > 0) variation += (run.v[i] - run.v[i - 1]).cwiseAbs();
  }
  row.variation = variation.maxCoeff();
  return row;
}

// The folder with trajectories of others; empty where STICTION_DATA is not set.
inline std::filesystem::path third_party_golden() {
  const char* data = std::getenv("STICTION_DATA");
  return data != nullptr && *data != '\0' ? std::filesystem::path(data) / "golden" : std::filesystem::path();
}

// The folder with our own.
inline std::filesystem::path own_golden() {
  return std::filesystem::path(STICTION_SOURCE_DIR) / "tests" / "data" / "golden";
}

// Rows of a file of numbers, one trajectory; no rows where there is no such file.
inline std::vector<std::vector<double>> golden(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::vector<std::vector<double>> rows;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream cells(line);
    std::vector<double>& row = rows.emplace_back();
    for (std::string cell; std::getline(cells, cell, ',');) row.push_back(std::stod(cell));
  }
  return rows;
}

}  // namespace stiction::test
