// SPDX-License-Identifier: BSD-2-Clause
// Arguments of a BatchSimulator: rows, masks, noise. Conversion is lenient, checking is not.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "batch.h"

namespace stiction::python {
namespace {

std::string shown(nb::handle value) { return nb::cast<std::string>(nb::repr(value)).substr(0, 80); }

std::string shape_of(nb::handle array) { return nb::cast<std::string>(nb::str(nb::object(array.attr("shape")))); }

nb::object numbers(nb::handle value, const std::string& field) {
  const nb::module_ numpy = nb::module_::import_("numpy");
  try {
    if (nb::cast<bool>(numpy.attr("iscomplexobj")(value)))
      throw InvalidInput(field + " has complex numbers, expected real ones");
    return numpy.attr("array")(value, "dtype"_a = "float64", "order"_a = "C", "copy"_a = nb::none());
  } catch (nb::python_error&) {
    throw InvalidInput(field + " cannot be read as numbers: " + shown(value));
  }
}

void require_finite_rows(const double* x, int rows, int width, const std::string& field) {
  for (std::ptrdiff_t k = 0; k < static_cast<std::ptrdiff_t>(rows) * width; ++k)
    if (!std::isfinite(x[k]))
      throw InvalidInput(field + "[" + (rows > 1 ? std::to_string(k / width) + ", " : "") + std::to_string(k % width) +
                         "] is " +
                         (std::isnan(x[k]) ? "nan"
                          : x[k] > 0       ? "inf"
                                           : "-inf") +
                         ", expected a finite number");
}

// One scale for all velocities, or one for each.
Vec read_scale(nb::handle value, const std::string& field, int nv) {
  if (value.is_none()) return {};
  double one = 0.0;
  const Vec scale = nb::try_cast(value, one) ? Vec(Vec::Constant(nv, one)) : read_vector(value, field, nv);
  for (Eigen::Index k = 0; k < scale.size(); ++k)
    if (!(scale[k] >= 0.0) || !std::isfinite(scale[k]))
      throw InvalidInput(field + " is " + std::to_string(scale[k]) + ", expected a finite number >= 0");
  return scale.isZero(0.0) ? Vec() : scale;
}

}  // namespace

ReadRows read_rows(nb::handle value, const std::string& field, int n, int width, Finite finite) {
  if (value.is_none()) return {};
  ReadRows out{numbers(value, field), {}};
  nb::ndarray<const double, nb::c_contig, nb::device::cpu> view;
  const bool read = nb::try_cast(out.kept, view, false);
  const auto is = [&](std::size_t axis, int size) { return view.shape(axis) == static_cast<std::size_t>(size); };
  const bool one = read && view.ndim() == 1 && is(0, width),
             each = read && view.ndim() == 2 && is(0, n) && is(1, width);
  if (!one && !each)
    throw InvalidInput(field + " has shape " + shape_of(out.kept) + ", expected (" + std::to_string(n) + ", " +
                       std::to_string(width) + "), or (" + std::to_string(width) + ",) for all environments alike");
  out.rows = {view.data(), each ? width : 0};
  if (one || finite == Finite::all) require_finite_rows(view.data(), one ? 1 : n, width, field);
  return out;
}

std::vector<int> read_which(const MaskLike& mask, const std::string& field, int n) {
  std::vector<int> out;
  if (mask.is_none()) {
    out.resize(static_cast<std::size_t>(n));
    std::iota(out.begin(), out.end(), 0);
    return out;
  }
  const nb::module_ numpy = nb::module_::import_("numpy");
  const nb::object array = numpy.attr("asarray")(mask);
  const std::string kind = nb::cast<std::string>(array.attr("dtype").attr("kind"));
  const std::string wanted = ", expected " + std::to_string(n) + " bools, one per environment, or indices";
  const auto ndim = nb::cast<int>(array.attr("ndim"));
  if (nb::cast<int>(array.attr("size")) == 0 && ndim == 1) return out;
  if (kind == "b") {
    if (ndim != 1 || static_cast<int>(nb::len(array)) != n)
      throw InvalidInput(field + " has shape " + shape_of(array) + wanted);
    return nb::cast<std::vector<int>>(numpy.attr("flatnonzero")(array).attr("tolist")());
  }
  if ((kind != "i" && kind != "u") || ndim > 1) throw InvalidInput(field + " is " + shown(mask) + wanted);
  for (nb::handle item : nb::list(numpy.attr("atleast_1d")(array).attr("tolist")())) {
    long long i = 0;
    if (!nb::try_cast(item, i) || i < -n || i >= n)
      throw InvalidInput(field + " has the index " + nb::cast<std::string>(nb::str(item)) + ", expected 0 to " +
                         std::to_string(n - 1));
    out.push_back(static_cast<int>(i < 0 ? i + n : i));
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

BatchNoise read_noise(nb::handle noise, const World& world) {
  if (noise.is_none()) return {};
  if (!nb::isinstance<nb::dict>(noise))
    return {read_scale(noise, "reset.noise", world.nv), read_scale(noise, "reset.noise", world.nv)};
  BatchNoise out;
  for (auto [key, value] : nb::borrow<nb::dict>(noise)) {
    std::string name;
    if (!nb::try_cast(key, name, false) || (name != "q" && name != "v"))
      throw InvalidInput("reset.noise has the key " + shown(key) + ", expected 'q' or 'v'");
    (name == "q" ? out.q : out.v) = read_scale(value, "reset.noise['" + name + "']", world.nv);
  }
  return out;
}

}  // namespace stiction::python
