// SPDX-License-Identifier: BSD-2-Clause
// Tables II and III of Le Lidec et al. 2024 as properties that are measured, not claimed. The table in docs/solvers.md is
// compared with what the solvers do here, so that it cannot lie:
//   hard      a 1000 kg cube on a 1 g cube is accepted without compliance
//   internal  from a cold start the pulled cube gets the minimum-norm impulse, to 1e-6: no internal forces
//   robust    the stack is accepted at every mass ratio from 1 to 1e6
#include <gtest/gtest.h>
#include <stiction/problem/reference_problems.h>
#include <stiction/solver/catalog.h>
#include <stiction/solver/core/solver.h>

#include <fstream>
#include <map>
#include <sstream>

#include "solver/solver_support.h"

namespace stiction {
namespace {

const char* yes_or_no(bool x) { return x ? "yes" : "no"; }

bool accepts(const std::string& solver, const ContactProblem& p) {
  return test::run(solver, p, {{"max_iterations", 10000}}).report.status == Status::converged;
}

// "yes | no | yes" as in the table.
std::string measured(const std::string& solver, FrictionLaw law) {
  const bool hard = accepts(solver, reference::rp2(law));
  const auto pulled = test::run(solver, reference::rp3(law), {{"max_iterations", 10000}, {"tolerance", 1e-10}});
  const Vec shortest = reference::rp3_minimum_norm();
  const bool short_enough = (pulled.lambda - shortest).norm() <= 1e-6 * shortest.norm();
  bool robust = true;
  for (const double ratio : {1.0, 1e2, 1e4, 1e6})
    robust = robust && accepts(solver, reference::heavy_on_light(ratio, law));
  return std::string(yes_or_no(hard)) + " | " + yes_or_no(short_enough) + " | " + yes_or_no(robust);
}

// Rows "| `pgs` | coulomb | yes | no | no | …" of the document, keyed "pgs coulomb".
std::map<std::string, std::string> documented() {
  std::ifstream file(STICTION_SOURCE_DIR "/docs/solvers.md");
  std::map<std::string, std::string> out;
  for (std::string line; std::getline(file, line);) {
    std::vector<std::string> cells;
    std::stringstream text(line);
    for (std::string cell; std::getline(text, cell, '|');) {
      const auto first = cell.find_first_not_of(" `"), last = cell.find_last_not_of(" `");
      cells.push_back(first == std::string::npos ? "" : cell.substr(first, last - first + 1));
    }
    const bool row =
        cells.size() >= 7 && (cells[3] == "yes" || cells[3] == "no") && cells[2].find(' ') == std::string::npos;
    if (row && (cells[2] == "coulomb" || cells[2] == "convex" || cells[2] == "pyramid" || cells[2] == "raisim"))
      out[cells[1] + " " + cells[2]] = cells[3] + " | " + cells[4] + " | " + cells[5];
  }
  return out;
}

TEST(PropertiesTable, IsWhatTheSolversDo) {
  const auto table = documented();
  std::size_t rows = 0;
  for (const SolverInfo& s : solver_catalog())
    for (const FrictionLaw::Kind law : s.laws) {
      const std::string key = s.name + " " + name(law);
      ++rows;
      const auto found = table.find(key);
      EXPECT_EQ(found == table.end() ? "no such row" : found->second, measured(s.name, {law})) << key;
    }
  EXPECT_EQ(table.size(), rows);
}

}  // namespace
}  // namespace stiction
