// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/field.h>
#include <stiction/base/invalid_input.h>

#include <algorithm>
#include <numeric>

namespace stiction {
namespace {

// Levenshtein distance: insertions, deletions and substitutions that turn a into b.
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
    }
  }
  return row.back();
}

[[noreturn]] void wrong_type(const std::string& owner, const std::string& field, const char* wanted) {
  throw InvalidInput(owner + "." + field + " has the wrong type, expected " + wanted);
}

}  // namespace

std::string closest_name(const std::string& word, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const std::string& c : candidates) {
    const std::size_t d = edit_distance(word, c);
    if (d < best_distance) best_distance = d, best = c;
  }
  return best;
}

std::string unknown_name(const std::string& what, const std::string& word, const std::vector<std::string>& candidates) {
  std::string text = "unknown " + what + " '" + word + "'";
  if (const std::string close = closest_name(word, candidates); !close.empty())
    text += "; did you mean '" + close + "'?";
  else
    text += ";";
  text += " Known:";
  for (const std::string& c : candidates) text += " " + c;
  return text;
}

void throw_unknown_option(const std::string& owner, const std::string& field, const std::vector<std::string>& known) {
  throw InvalidInput(owner + ": " + unknown_name("option", field, known));
}

void assign_option(const std::string& owner, const std::string& field, const OptionValue& value, bool& out) {
  if (const auto* b = std::get_if<bool>(&value))
    out = *b;
  else
    wrong_type(owner, field, "True or False");
}

void assign_option(const std::string& owner, const std::string& field, const OptionValue& value, int& out) {
  if (const auto* i = std::get_if<int>(&value))
    out = *i;
  else
    wrong_type(owner, field, "an integer");
}

void assign_option(const std::string& owner, const std::string& field, const OptionValue& value, double& out) {
  if (const auto* d = std::get_if<double>(&value))
    out = *d;
  else if (const auto* i = std::get_if<int>(&value))
    out = *i;
  else
    wrong_type(owner, field, "a number");
}

void assign_option(const std::string& owner, const std::string& field, const OptionValue& value, std::string& out) {
  if (const auto* s = std::get_if<std::string>(&value))
    out = *s;
  else
    wrong_type(owner, field, "a string");
}

}  // namespace stiction
