// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/core/entry.h>

#include <cmath>
#include <sstream>

namespace stiction {
namespace {

void require_not_negative(const std::string& owner, const char* field, double value) {
  require_option(std::isfinite(value) && value >= 0.0, owner, field, value, "a finite value >= 0");
}

}  // namespace

void require_option(bool ok, const std::string& owner, const std::string& field, double value,
                    const std::string& wanted) {
  if (ok) return;
  std::ostringstream text;
  text << owner << "." << field << " is " << value << ", expected " << wanted;
  throw InvalidInput(text.str());
}

void check_common_options(const std::string& owner, const CommonOptions& o) {
  require_option(std::isfinite(o.tolerance) && o.tolerance > 0.0, owner, "tolerance", o.tolerance,
                 "a finite value > 0");
  require_not_negative(owner, "force_tolerance", o.force_tolerance);
  require_not_negative(owner, "velocity_tolerance", o.velocity_tolerance);
  require_not_negative(owner, "power_tolerance", o.power_tolerance);
  require_option(o.max_iterations >= 1, owner, "max_iterations", o.max_iterations, "an integer >= 1");
  require_option(std::isfinite(o.time_limit) && o.time_limit >= 0.0, owner, "time_limit", o.time_limit,
                 "a finite value >= 0, 0 for no limit");
}

}  // namespace stiction
