// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/step/core/step_report.h>

#include <algorithm>
#include <cmath>

namespace stiction {

StepReport StepReport::of_one_step() {
  StepReport report;
  report.steps = report.substeps = 1;
  return report;
}

void merge(StepReport& total, const StepReport& later) {
  total.status = worse(total.status, later.status);
  total.iterations += later.iterations;
  total.factorisations += later.factorisations;
  total.steps += later.not_made() ? 0 : later.steps;
  total.unaccepted += later.unaccepted;
  total.contacts = later.contacts;
  total.islands = later.islands;
  keep_largest(later.own, total.own);
  keep_largest(later.ncp, total.ncp);
  total.penetration = std::max(total.penetration, later.penetration);
  total.fallbacks += later.fallbacks;
  total.corrections_dropped += later.corrections_dropped;
  total.turning_bounded += later.turning_bounded;
  total.excess = std::max(total.excess, later.excess);
  total.imbalance = std::max(total.imbalance, later.imbalance);
  total.substeps += later.substeps;
  total.switches += later.switches;
  total.exact_solves += later.exact_solves;
  total.estimate = std::max(total.estimate, later.estimate);
}

void keep_largest(const Residual& from, Residual& into) {
  const auto larger = [](double a, double& b) {
    if (a > b || std::isnan(a)) b = a;
  };
  larger(from.primal, into.primal), larger(from.dual, into.dual), larger(from.complementarity, into.complementarity);
  larger(from.signorini_power, into.signorini_power), larger(from.signorini_velocity, into.signorini_velocity);
  larger(from.natural, into.natural), larger(from.mdp_angle, into.mdp_angle), larger(from.mdp_defect, into.mdp_defect);
  larger(from.b3, into.b3), larger(from.b4, into.b4), larger(from.floor, into.floor), larger(from.ratio, into.ratio);
  larger(from.force_scale, into.force_scale), larger(from.velocity_scale, into.velocity_scale);
}

}  // namespace stiction
