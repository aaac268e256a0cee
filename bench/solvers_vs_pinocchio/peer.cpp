// SPDX-License-Identifier: BSD-2-Clause
#include "peer.h"

#include <chrono>
#include <pinocchio/algorithm/delassus-operator.hpp>
#include <pinocchio/algorithm/solvers/admm-solver.hpp>
#include <pinocchio/algorithm/solvers/pgs-solver.hpp>
#include <pinocchio/constraints.hpp>
#include <pinocchio/multibody.hpp>
#include <vector>

namespace stiction::bench {
namespace {

using ContactModel = pinocchio::PointContactConstraintModel;
using ContactData = ContactModel::ConstraintData;

// What both solvers are given.
class Loaded : public Peer {
 public:
  void load(const ContactProblem& p) override {
    delassus_ = pinocchio::DelassusOperatorDense(p.G.densify());
    g_ = p.g.vec();
    models_.clear(), data_.clear();
    for (const Block& b : p.blocks) {
      models_.emplace_back(model_, 0);
      models_.back().setFriction(b.mu);
      data_.push_back(models_.back().createData());
    }
  }

 protected:
  template <class Solver, class Settings, class Result>
  PeerAnswer run(Solver& solver, const Settings& settings, Result& result, Vec& lambda) {
    result.setConstraintImpulseGuess(lambda);
    const auto start = std::chrono::steady_clock::now();
    const bool converged = solver.solve(delassus_, g_, models_, data_, settings, result);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    result.retrieveConstraintImpulses(lambda);
    return {static_cast<int>(result.iterations), converged, seconds};
  }

  pinocchio::Model model_;
  pinocchio::DelassusOperatorDense delassus_;
  Vec g_;
  std::vector<ContactModel> models_;
  std::vector<ContactData> data_;
};

template <class Settings>
Settings tolerances(double tolerance, int max_iterations) {
  Settings s;
  s.max_iterations = static_cast<std::size_t>(max_iterations);
  s.absolute_feasibility_tol = s.absolute_complementarity_tol = tolerance;
  s.relative_feasibility_tol = s.relative_complementarity_tol = tolerance;
  return s;
}

class Admm : public Loaded {
 public:
  PeerAnswer solve(double tolerance, int max_iterations, Vec& lambda) override {
    auto settings = tolerances<pinocchio::ADMMSolverSettings>(tolerance, max_iterations);
    settings.warmstart_rho_with_previous_result = true;
    return run(solver_, settings, result_, lambda);
  }

 private:
  pinocchio::ADMMConstraintSolver solver_;
  pinocchio::ADMMSolverResult result_;
};

class Pgs : public Loaded {
 public:
  PeerAnswer solve(double tolerance, int max_iterations, Vec& lambda) override {
    const auto settings = tolerances<pinocchio::PGSSolverSettings>(tolerance, max_iterations);
    return run(solver_, settings, result_, lambda);
  }

 private:
  pinocchio::PGSConstraintSolver solver_;
  pinocchio::PGSSolverResult result_;
};

}  // namespace

std::unique_ptr<Peer> pinocchio_admm() { return std::make_unique<Admm>(); }
std::unique_ptr<Peer> pinocchio_pgs() { return std::make_unique<Pgs>(); }

}  // namespace stiction::bench
