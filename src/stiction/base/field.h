// SPDX-License-Identifier: BSD-2-Clause
// Options say their names once. A struct of options lists its members as Fields; command line, Python keywords, JSON
// and the test that no parameter is silent all walk that list.
//
//   struct PgsOptions {
//     int max_iterations = 1000;
//     static constexpr auto fields() { return std::tuple{Field{"max_iterations", &PgsOptions::max_iterations, "sweeps allowed [-]"}}; }
//   };
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

namespace stiction {

template <class Owner, class T>
struct Field {
  const char* name;
  T Owner::* member;
  const char* doc;  // meaning and unit in brackets
};

using OptionValue = std::variant<bool, int, double, std::string>;
using OptionMap = std::map<std::string, OptionValue>;

struct OptionInfo {
  std::string name, doc;
  OptionValue default_value;
};

// The closest of `candidates` to `word` if it is close enough to be a typing error, else "".
std::string closest_name(const std::string& word, const std::vector<std::string>& candidates);
// "unknown solver 'pgss'; did you mean 'pgs'? Known: …"
std::string unknown_name(const std::string& what, const std::string& word, const std::vector<std::string>& candidates);
// Throws InvalidInput naming owner.field if the value's type does not fit T (int to double is accepted).
void assign_option(const std::string& owner, const std::string& field, const OptionValue& value, bool& out);
void assign_option(const std::string& owner, const std::string& field, const OptionValue& value, int& out);
void assign_option(const std::string& owner, const std::string& field, const OptionValue& value, double& out);
void assign_option(const std::string& owner, const std::string& field, const OptionValue& value, std::string& out);

[[noreturn]] void throw_unknown_option(const std::string& owner, const std::string& field,
                                       const std::vector<std::string>& known);

template <class Options>
std::vector<OptionInfo> describe_options() {
  std::vector<OptionInfo> out;
  const Options defaults{};
  std::apply([&](const auto&... f) { (out.push_back({f.name, f.doc, OptionValue(defaults.*(f.member))}), ...); },
             Options::fields());
  return out;
}

// Copies the map into the options; unknown names are refused with the closest known one.
template <class Options>
void assign_options(const std::string& owner, const OptionMap& map, Options& options) {
  for (const auto& [key, value] : map) {
    bool found = false;
    const auto try_one = [&](const auto& f) {
      if (key == f.name) {
        assign_option(owner, key, value, options.*(f.member));
        found = true;
      }
    };
    std::apply([&](const auto&... f) { (try_one(f), ...); }, Options::fields());
    if (!found) {
      std::vector<std::string> names;
      for (const auto& info : describe_options<Options>()) names.push_back(info.name);
      throw_unknown_option(owner, key, names);
    }
  }
}

}  // namespace stiction
