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
  const char* doc;           // meaning and unit in brackets
  const char* allowed = "";  // numbers: ">= 1", "> 0", "]0, 2["; words: "one two three". More after ">= 0" is a remark
};

// The fields of a base and those of its heir.
template <class... Base, class... Own>
constexpr auto extend(const std::tuple<Base...>& base, Own... own) {
  return std::tuple_cat(base, std::tuple<Own...>{own...});
}

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

// "nsgs.over_relaxation is 2.5, expected a value in ]0, 2["; `wanted` is the text after "expected".
void require_option(bool ok, const std::string& owner, const std::string& field, double value,
                    const std::string& wanted);
// The same by what a Field allows; values that are not finite never fit.
void check_option(const std::string& owner, const char* field, const char* allowed, bool value);
void check_option(const std::string& owner, const char* field, const char* allowed, int value);
void check_option(const std::string& owner, const char* field, const char* allowed, double value);
void check_option(const std::string& owner, const char* field, const char* allowed, const std::string& value);

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

// Throws InvalidInput at the first option that is not allowed.
template <class Options>
void check_options(const std::string& owner, const Options& options) {
  std::apply([&](const auto&... f) { (check_option(owner, f.name, f.allowed, options.*(f.member)), ...); },
             Options::fields());
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
