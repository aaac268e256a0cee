// SPDX-License-Identifier: BSD-2-Clause
// Named scenes as simulators; their drive runs inside step().
#include <stiction/scene/catalog.h>
#include <stiction/scene/core/scene.h>

#include "simulator.h"

namespace stiction::python {
namespace {

std::unique_ptr<PySimulator> make(const std::string& name, const nb::dict& parameters, const LawLike& law,
                                  const SolverLike& solver, const StepperLike& stepper, std::optional<double> dt,
                                  const OptionsLike& law_options, const OptionsLike& solver_options,
                                  const OptionsLike& stepper_options, const std::string& coordinates,
                                  const std::vector<std::string>& cut) {
  const OptionMap physical = read_options(parameters, "scene '" + name + "'");
  const Scene scene = make_scene(name, physical);
  const Settings settings = read_settings(law, solver, stepper, dt.value_or(scene.dt), law_options, solver_options,
                                          stepper_options, coordinates, cut);
  auto out = std::make_unique<PySimulator>(make_simulator(scene, settings), scene.drive, scene.duration, name);
  out->parameters = physical;
  return out;
}

}  // namespace

void bind_scene(nb::module_& m) {
  m.def("scene", &make, "name"_a, "parameters"_a, "law"_a, "solver"_a, "stepper"_a, "dt"_a.none(),
        "law_options"_a.none(), "solver_options"_a.none(), "stepper_options"_a.none(), "coordinates"_a, "cut"_a,
        "stiction.scene documents it.");
  m.def(
      "scene_world",
      [](const std::string& name, const nb::dict& parameters) {
        return make_scene(name, read_options(parameters, "scene '" + name + "'")).world;
      },
      "name"_a, "parameters"_a, "The builder of a scene's world, to be changed further.");
  m.def("model_path", &model_path, "file"_a, "Where a file of models/ is.");
  m.def("set_model_directory", &set_model_directory, "directory"_a, "Where models/ is.");
}

}  // namespace stiction::python
