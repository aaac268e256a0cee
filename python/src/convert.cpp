// SPDX-License-Identifier: BSD-2-Clause
// Python values to C++ ones and back. Conversion is lenient (lists, tuples, float32, strides), checking is not.
#include <cmath>
#include <sstream>

#include "bind.h"

namespace stiction::python {
namespace {

std::string shape_text(nb::handle array) { return nb::cast<std::string>(nb::str(nb::object(array.attr("shape")))); }

// numpy.ascontiguousarray with a sentence instead of a traceback through NumPy.
nb::object as_array(nb::handle value, const std::string& field) {
  const nb::module_ numpy = nb::module_::import_("numpy");
  try {
    if (nb::cast<bool>(numpy.attr("iscomplexobj")(value)))
      throw InvalidInput(field + " has complex numbers, expected real ones");
    return numpy.attr("array")(value, "dtype"_a = "float64", "order"_a = "C", "copy"_a = nb::none());
  } catch (nb::python_error&) {
    throw InvalidInput(field + " cannot be read as numbers: " + nb::cast<std::string>(nb::repr(value)).substr(0, 120));
  }
}

// `columns` > 0: the numbers are a row-major matrix, and an entry is named by row and column.
void require_finite(const double* x, std::size_t n, const std::string& field, std::size_t columns = 0) {
  for (std::size_t i = 0; i < n; ++i)
    if (!std::isfinite(x[i])) {
      std::ostringstream text;
      text << field << "[";
      if (columns > 0)
        text << i / columns << ", " << i % columns;
      else
        text << i;
      text << "] is " << x[i] << ", expected a finite number";
      throw InvalidInput(text.str());
    }
}

}  // namespace

Vec read_vector(nb::handle value, const std::string& field, Eigen::Index size) {
  nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu> view;
  nb::object kept;  // owns converted numbers while they are copied
  if (!nb::try_cast(value, view, false)) {
    kept = as_array(value, field);
    if (!nb::try_cast(kept, view, false))
      throw InvalidInput(field + " has shape " + shape_text(kept) + ", expected a vector" +
                         (size < 0 ? "" : " of size " + std::to_string(size)));
  }
  const auto n = static_cast<Eigen::Index>(view.shape(0));
  if (size >= 0 && n != size)
    throw InvalidInput(field + " has size " + std::to_string(n) + ", expected " + std::to_string(size));
  require_finite(view.data(), view.shape(0), field);
  return Eigen::Map<const Vec>(view.data(), n);
}

Mat read_matrix(nb::handle value, const std::string& field, Eigen::Index rows, Eigen::Index cols) {
  const nb::object kept = as_array(value, field);
  nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu> view;
  const bool is_matrix = nb::try_cast(kept, view, false);
  const auto fits = [](Eigen::Index wanted, std::size_t found) {
    return wanted < 0 || wanted == static_cast<Eigen::Index>(found);
  };
  if (!is_matrix || !fits(rows, view.shape(0)) || !fits(cols, view.shape(1))) {
    const auto text = [](Eigen::Index n) { return n < 0 ? std::string("any") : std::to_string(n); };
    throw InvalidInput(field + " has shape " + shape_text(kept) + ", expected (" + text(rows) + ", " + text(cols) +
                       ")");
  }
  require_finite(view.data(), view.size(), field, view.shape(1));
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return Eigen::Map<const RowMajor>(view.data(), static_cast<Eigen::Index>(view.shape(0)),
                                    static_cast<Eigen::Index>(view.shape(1)));
}

Vec3 read_vec3(nb::handle value, const std::string& field) { return read_vector(value, field, 3); }

Quat read_rotation(nb::handle value, const std::string& field) {
  const Vec x = read_vector(value, field, 4);
  if (!(std::abs(x.norm() - 1.0) <= 1e-3)) {
    std::ostringstream text;
    text << field << " has length " << x.norm() << ", expected a unit quaternion (x, y, z, w)";
    throw InvalidInput(text.str());
  }
  return Quat(x[3], x[0], x[1], x[2]).normalized();
}

std::string read_words(nb::handle value, const std::string& field) {
  std::string out;
  if (!nb::try_cast(value, out)) throw InvalidInput(field + " is no text: it cannot be written as UTF-8");
  return out;
}

OptionMap read_options(const nb::dict& options, const std::string& field) {
  OptionMap out;
  for (auto [key, value] : options) {
    if (!nb::isinstance<nb::str>(key)) throw InvalidInput(field + " has a key that is not a string");
    const std::string name = read_words(key, "a key of " + field);
    double number = 0.0;
    if (nb::isinstance<nb::bool_>(value))
      out[name] = nb::cast<bool>(value);
    else if (nb::isinstance<nb::str>(value))
      out[name] = read_words(value, field + "." + name);
    else if (PyIndex_Check(value.ptr())) {
      int integer = 0;
      if (!nb::try_cast(nb::steal(PyNumber_Index(value.ptr())), integer))
        throw InvalidInput(field + "." + name + " is too large for an integer option");
      out[name] = integer;
    } else if (nb::try_cast(value, number)) {
      if (!std::isfinite(number)) throw InvalidInput(field + "." + name + " is not finite, expected a finite number");
      out[name] = number;
    } else {
      throw InvalidInput(field + "." + name + " is " + nb::cast<std::string>(nb::repr(value)).substr(0, 80) +
                         ", expected a number, a string, True or False");
    }
  }
  return out;
}

Choice read_choice(nb::handle name, nb::handle options, const std::string& field) {
  const std::string option_field = field + "_options";
  nb::dict values;
  if (!options.is_none()) {
    if (!PyMapping_Check(options.ptr()) || !nb::hasattr(options, "items"))
      throw InvalidInput(option_field + " is " + nb::cast<std::string>(nb::repr(options)).substr(0, 80) +
                         ", expected a dict or an object of stiction.options");
    values.update(options);
  }
  // Objects of stiction.options say which method they belong to, and to which kind: law, solver or stepper.
  const auto method_of = [&](nb::handle object, const std::string& where) {
    const std::string kind = nb::cast<std::string>(object.attr("kind"));
    if (kind != field)
      throw InvalidInput(where + " is " + nb::cast<std::string>(nb::repr(object)).substr(0, 80) +
                         ", which are options of a " + kind + ", expected those of a " + field);
    return nb::cast<std::string>(object.attr("method"));
  };
  if (nb::isinstance<nb::str>(name)) {
    const std::string wanted = read_words(name, field);
    if (nb::hasattr(options, "method"))
      if (const std::string method = method_of(options, option_field); method != wanted)
        throw InvalidInput(option_field + " are those of '" + method + "', but " + field + " is '" + wanted +
                           "'; say " + field + "='" + method + "', or give the object as " + field + "=");
    return {wanted, read_options(values, option_field)};
  }
  if (!nb::isinstance<nb::dict>(name) || !nb::hasattr(name, "method"))
    throw InvalidInput(field + " is " + nb::cast<std::string>(nb::repr(name)).substr(0, 80) +
                       ", expected a name or an object of stiction.options");
  if (nb::len(values) > 0) throw InvalidInput(field + " has options of its own; leave " + option_field + " away");
  return {method_of(name, field), read_options(nb::borrow<nb::dict>(name), option_field)};
}

nb::object to_python(const OptionValue& value) {
  return std::visit([](const auto& x) -> nb::object { return nb::cast(x); }, value);
}

FloatArray new_array(const double* data, std::size_t size) {
  double* copy = new double[size > 0 ? size : 1];
  nb::capsule owner(copy, [](void* p) noexcept { delete[] static_cast<double*>(p); });
  std::copy(data, data + size, copy);
  return nb::steal<FloatArray>(nb::cast(Array1(copy, {size}, owner)).release());
}

FloatArray new_matrix(const Mat& x) {
  const auto rows = static_cast<std::size_t>(x.rows()), cols = static_cast<std::size_t>(x.cols());
  double* copy = new double[rows * cols > 0 ? rows * cols : 1];
  nb::capsule owner(copy, [](void* p) noexcept { delete[] static_cast<double*>(p); });
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < cols; ++j)
      copy[i * cols + j] = x(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
  return nb::steal<FloatArray>(nb::cast(Array2(copy, {rows, cols}, owner)).release());
}

nb::typed<nb::tuple, FloatArray, FloatArray> new_pose(const Pose& pose) {
  const Quat r(pose.rotation);
  return nb::borrow<nb::typed<nb::tuple, FloatArray, FloatArray>>(
      nb::make_tuple(new_array(pose.translation), new_array(r.coeffs())));
}

}  // namespace stiction::python
