// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/scene/core/entry.h>

#include <cmath>
#include <sstream>

namespace stiction {

void require_positive(const std::string& scene, const std::string& field, double value) {
  require_option(value > 0.0 && std::isfinite(value), scene, field, value, "a positive number");
}

void require_not_negative(const std::string& scene, const std::string& field, double value) {
  require_option(value >= 0.0 && std::isfinite(value), scene, field, value, "a number that is not negative");
}

void require_finite(const std::string& scene, const std::string& field, double value) {
  require_option(std::isfinite(value), scene, field, value, "a finite number");
}

void require_within(const std::string& scene, const std::string& field, double value, double lo, double hi) {
  std::ostringstream wanted;
  wanted << "a value in [" << lo << ", " << hi << "]";
  require_option(value >= lo && value <= hi, scene, field, value, wanted.str());
}

}  // namespace stiction
