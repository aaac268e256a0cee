// SPDX-License-Identifier: BSD-2-Clause
// Materials and what happens where two of them meet. Value by value:
//   1. an entry of the pair wins;
//   2. if one side names the value, that one;
//   3. if both do: the smaller mu, the larger restitution (normal, tangential), the smaller stiffness, the larger damping
//      (two springs in series are softer than the softer one; what a user states once should act as stated);
//   4. if none does: mu 0.8, restitution 0, stiffness infinite (rigid), damping 0, mu_torsion and mu_rolling 0.
// mu_torsion and mu_rolling are combined like mu; a pair with mu = 0 has no friction at all.
// Static friction: who names mu alone also says mu_static = mu, so that a pair or a side that is slippery on purpose does
// not stick with the other side's mu_static. Combined like mu, then raised to mu if it is smaller.
// A material may be used before it is described. At compile time one that is neither described nor in any pair is taken
// for a typing error.
#pragma once

#include <stiction/model/world/world_builder.h>

#include <map>
#include <string>
#include <vector>

namespace stiction {

bool names_nothing(const MaterialValues& values);
void check_material(const std::string& owner, const MaterialValues& values);
PairMaterial combine(const MaterialValues& a, const MaterialValues& b, const MaterialValues& pair);

class MaterialTable {
 public:
  MaterialTable();

  void describe(const std::string& name, const MaterialValues& values);
  void set_pair(const std::string& a, const std::string& b, const MaterialValues& values);
  // Checks without changing anything: a name or values, not both.
  static void check(const std::string& owner, const std::string& name, const MaterialValues& values);
  // Index of a named material, or of an anonymous one with these values (equal values share one).
  int index(const std::string& name, const MaterialValues& values);

  // Fills material_names and pair_materials; `used` are the indices that geometry refers to.
  void compile(const std::vector<int>& used, World& world) const;

 private:
  struct Entry {
    std::string name;
    MaterialValues values;
    bool described = false, paired = false, anonymous = false;
  };
  int named(const std::string& name);
  void check_known(int index) const;

  std::vector<Entry> entries_;  // the first is the default: it names nothing
  std::map<std::string, int> by_name_;
  std::map<std::vector<double>, int> by_values_;
  std::map<std::pair<int, int>, MaterialValues> pairs_;  // (smaller, larger)
};

}  // namespace stiction
