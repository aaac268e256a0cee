// SPDX-License-Identifier: BSD-2-Clause
// Problems with known answers (problem/reference_problems.h); the public names are in stiction/reference.py.
#include <stiction/problem/reference_problems.h>

#include <cmath>
#include <cstdint>
#include <string>

#include "bind.h"

namespace stiction::python {

void bind_reference(nb::module_& m) {
  m.def("reference_rp0", [] { return reference::rp0(); });
  m.def("reference_rp1", [] { return reference::rp1(); });
  m.def("reference_rp3", [](double dt, double pull) { return reference::rp3({}, dt, pull); }, "dt"_a, "pull"_a);
  m.def("reference_rp3_minimum_norm", [] { return new_array(reference::rp3_minimum_norm()); });
  m.def(
      "reference_heavy_on_light",
      [](double ratio, double dt, double floor_mu, double between_mu) {
        if (!(ratio > 0.0) || !std::isfinite(ratio))
          throw InvalidInput("heavy_on_light.ratio is " + std::to_string(ratio) + ", expected a finite value > 0");
        return reference::heavy_on_light(ratio, {}, dt, floor_mu, between_mu);
      },
      "ratio"_a, "dt"_a, "floor_mu"_a, "between_mu"_a);
  m.def(
      "reference_random_six",
      [](std::uint64_t seed, double mass_ratio, double mu) { return reference::random_six(seed, mass_ratio, mu); },
      "seed"_a, "mass_ratio"_a, "mu"_a);
}

}  // namespace stiction::python
