// SPDX-License-Identifier: BSD-2-Clause
// What the binding files share: one `bind_*` per file, and the conversions of Python values at the public edge.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <nanobind/typing.h>
#include <stiction/base/field.h>
#include <stiction/base/invalid_input.h>
#include <stiction/base/types.h>

#include <functional>
#include <optional>
#include <string>

namespace nb = nanobind;
using namespace nb::literals;

namespace stiction::python {

// Anything that NumPy turns into an array of numbers; the name is what help() and the stubs show.
class ArrayLike : public nb::object {
  static bool accept(nb::handle) { return true; }

 public:
  NB_OBJECT_DEFAULT(ArrayLike, nb::object, "numpy.typing.ArrayLike", accept)
};

// A NumPy array of doubles that is handed out.
class FloatArray : public nb::object {
  static bool accept(nb::handle) { return true; }

 public:
  NB_OBJECT_DEFAULT(FloatArray, nb::object, "numpy.typing.NDArray[numpy.float64]", accept)
};

// A NumPy array of records: contacts()["force"] is an array.
class RecordArray : public nb::object {
  static bool accept(nb::handle) { return true; }

 public:
  NB_OBJECT_DEFAULT(RecordArray, nb::object, "numpy.typing.NDArray[numpy.void]", accept)
};

// The name of a law, solver or stepper, or an object of stiction.options, which has the name and options in one.
template <class Kind>
class Choosing : public nb::object {
  static bool accept(nb::handle) { return true; }

 public:
  NB_OBJECT_DEFAULT(Choosing, nb::object, Kind::text, accept)
};
struct LawText {
  static constexpr char text[] = "str | stiction.options.LawOptions";
};
struct SolverText {
  static constexpr char text[] = "str | stiction.options.SolverOptions";
};
struct StepperText {
  static constexpr char text[] = "str | stiction.options.StepperOptions";
};
using LawLike = Choosing<LawText>;
using SolverLike = Choosing<SolverText>;
using StepperLike = Choosing<StepperText>;

// Options by name: a dict, an object of stiction.options, or None for none.
class OptionsLike : public nb::object {
  static bool accept(nb::handle) { return true; }

 public:
  NB_OBJECT_DEFAULT(OptionsLike, nb::object, "collections.abc.Mapping[str, object] | None", accept)
};

using Array1 = nb::ndarray<nb::numpy, double, nb::ndim<1>, nb::c_contig>;
using Array2 = nb::ndarray<nb::numpy, double, nb::ndim<2>, nb::c_contig>;

// Numbers out of any array-like. `field` names the argument in errors: wrong sizes and values that are not finite are
// refused with a sentence. size < 0 accepts any length.
Vec read_vector(nb::handle value, const std::string& field, Eigen::Index size = -1);
Mat read_matrix(nb::handle value, const std::string& field, Eigen::Index rows = -1, Eigen::Index cols = -1);
Vec3 read_vec3(nb::handle value, const std::string& field);
Quat read_rotation(nb::handle value, const std::string& field);  // (x, y, z, w), normalised
// Words of a Python string; InvalidInput for one that holds halves of characters.
std::string read_words(nb::handle value, const std::string& field);
OptionMap read_options(const nb::dict& options, const std::string& field);
nb::object to_python(const OptionValue& value);

// A law, solver or stepper and its options, checked to belong together; `field` is "law", "solver" or "stepper".
struct Choice {
  std::string name;
  OptionMap options;
};
Choice read_choice(nb::handle name, nb::handle options, const std::string& field);

// A new NumPy array that owns its numbers.
FloatArray new_array(const double* data, std::size_t size);
inline FloatArray new_array(const Vec& x) { return new_array(x.data(), static_cast<std::size_t>(x.size())); }
FloatArray new_matrix(const Mat& x);                                      // row-major, as NumPy users expect
nb::typed<nb::tuple, FloatArray, FloatArray> new_pose(const Pose& pose);  // (position, quaternion xyzw)

// Asked now and then without the GIL: whether a signal's handler raised, as that of Ctrl-C does. The error is then set.
std::function<bool()> signal_watch();

void bind_report(nb::module_& m);
void bind_problem(nb::module_& m);
void bind_solve(nb::module_& m);
void bind_polish(nb::module_& m);
void bind_feasibility(nb::module_& m);
void bind_handles(nb::module_& m);
void bind_geoms(nb::module_& m);
void bind_ray_hit(nb::module_& m);
void bind_world(nb::module_& m);
void bind_contact_mode(nb::module_& m);
void bind_simulator(nb::module_& m);
void bind_step_derivatives(nb::module_& m);
void bind_rollout(nb::module_& m);
void bind_batch_report(nb::module_& m);
void bind_batch(nb::module_& m);
void bind_catalog(nb::module_& m);
void bind_scene(nb::module_& m);
void bind_recording(nb::module_& m);
void bind_raster(nb::module_& m);
void bind_paint(nb::module_& m);
void bind_reference(nb::module_& m);
void bind_derivatives(nb::module_& m);
void bind_inverse_dynamics(nb::module_& m);

}  // namespace stiction::python
