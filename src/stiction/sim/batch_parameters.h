// SPDX-License-Identifier: BSD-2-Clause
// What may differ from environment to environment of a batch beside the state: masses, friction, motors … without compiling anything again.
// A table per parameter, a row per environment, which begins with the values of the world. Before an environment is stepped its rows are
// written into the world and the model of the simulator that steps it, which are its own from then on: the bits are those of a simulator
// of a world that was compiled with these values. A parameter that nobody asked for costs nothing.
// Not here: what the structure of a world depends on, such as dry friction of joints, and shapes, which detection shares.
#pragma once

#include <stiction/sim/simulator.h>

#include <string>
#include <vector>

namespace stiction {

class ByteReader;
class ByteWriter;
class Hash;
struct Layout;
struct ParameterKind;

class BatchParameters {
 public:
  struct Table {
    const ParameterKind* kind = nullptr;
    std::vector<double> values;
    double* row(int i) { return values.data() + static_cast<std::ptrdiff_t>(i) * width; }
    const double* row(int i) const { return values.data() + static_cast<std::ptrdiff_t>(i) * width; }
    int width = 0;
  };

  BatchParameters(const Simulator& simulator, int n);

  static std::vector<std::string> names();
  static std::string meaning(const std::string& name);
  std::vector<int> shape(const std::string& name) const;            // of an environment's values
  std::vector<std::string> columns(const std::string& name) const;  // names of the first axis
  bool any() const { return !tables_.empty(); }
  bool has(const std::string& name) const;
  bool of_contacts() const;  // no other kind varies, or none at all
  // Its table, never moved once it is there. The first call begins it. Throws InvalidInput: unknown names, and worlds, laws and steppers
  // whose parameters cannot vary.
  double* use(const std::string& name);
  void reset(const std::vector<int>& which);  // these are as the world again

  void check(int i) const;  // throws InvalidInput: field, value, and what is wanted
  void apply(Simulator& own, int i) const;
  // The same for a simulator that goes its own way: its world has a fingerprint of its own.
  void give(Simulator& simulator, int i) const;
  std::uint64_t fingerprint(int i) const;  // of that world

  void add_to(Hash& hash) const;
  void save(ByteWriter& out) const;
  // Rows of `which`; parameters that the blob does not have go back to the values of the world. The first call, with no `which`, only reads.
  void restore(ByteReader& in, const std::vector<int>& which);

 private:
  const ParameterKind& kind_of(const std::string& name) const;
  std::vector<double> start_row(const ParameterKind& kind) const;
  void refuse_what_cannot_vary(const ParameterKind& kind) const;

  std::shared_ptr<const World> world_;  // as it was compiled
  Settings settings_;
  int n_;
  std::vector<std::unique_ptr<Table>> tables_;  // in the order of names()
};

}  // namespace stiction
