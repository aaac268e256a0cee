// SPDX-License-Identifier: BSD-2-Clause
// Python's BatchSimulator beside the engine's: a mutex, and the simulator whose copies batch[i] are. Reading of its arguments.
#pragma once

#include <stiction/sim/batch_simulator.h>

#include "simulator.h"

namespace stiction::python {

// Which environments: None for all, one bool per environment, or indices.
class MaskLike : public nb::object {
  static bool accept(nb::handle) { return true; }

 public:
  NB_OBJECT_DEFAULT(MaskLike, nb::object, "numpy.typing.ArrayLike | None", accept)
};

// How far starts are scattered: one number, one per velocity, or these for q and v.
class NoiseLike : public nb::object {
  static bool accept(nb::handle) { return true; }

 public:
  NB_OBJECT_DEFAULT(NoiseLike, nb::object,
                    "numpy.typing.ArrayLike | collections.abc.Mapping[str, numpy.typing.ArrayLike]", accept)
};

class PyBatch {
 public:
  PyBatch(PySimulator& simulator, int n, std::optional<int> threads);

  // Runs f(engine) alone, without the GIL.
  template <class F>
  auto run(F f) {
    nb::gil_scoped_release release;
    const std::lock_guard<std::mutex> lock(mutex_);
    return f(*engine_);
  }

  int size() const { return engine_->size(); }
  const World& world() const { return engine_->simulator().world(); }
  const World& minimal_world() const { return engine_->simulator().minimal_world(); }
  const BatchSimulator& engine() const { return *engine_; }
  std::unique_ptr<PySimulator> simulator(const State& state) const;  // a copy in this state
  std::unique_ptr<PySimulator> environment(int i);                   // a copy of environment i, with its parameters

 private:
  std::unique_ptr<PySimulator> model_;
  std::unique_ptr<BatchSimulator> engine_;
  std::mutex mutex_;
};

// Numbers of environments out of an array-like (n, width), or (width) for all alike. What is converted is kept here.
struct ReadRows {
  nb::object kept;
  BatchRows rows;
};
enum class Finite {
  all,
  rows_apart
};  // rows_apart: of (n, width) a row that is not finite concerns its environment alone
ReadRows read_rows(nb::handle value, const std::string& field, int n, int width, Finite finite);
std::vector<int> read_which(const MaskLike& mask, const std::string& field, int n);
BatchNoise read_noise(nb::handle noise, const World& world);

using BatchClass = nb::class_<PyBatch>;
void bind_batch_state(BatchClass& c);
void bind_batch_readings(BatchClass& c);
void bind_batch_parameters(nb::module_& m, BatchClass& c);

}  // namespace stiction::python
