// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/field.h>
#include <stiction/base/invalid_input.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <sstream>

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

// Whether ">= 1…", "> 0…" or an interval like "]0, 2[" holds the value.
bool holds(const std::string& allowed, double value) {
  if (allowed.empty()) return true;
  if (!std::isfinite(value)) return false;
  char* rest = nullptr;
  if (allowed[0] == '>') {
    const bool equal = allowed[1] == '=';
    const double low = std::strtod(allowed.c_str() + (equal ? 2 : 1), nullptr);
    return equal ? value >= low : value > low;
  }
  const double low = std::strtod(allowed.c_str() + 1, &rest), high = std::strtod(rest + 1, &rest);
  return (allowed[0] == '[' ? value >= low : value > low) && (*rest == ']' ? value <= high : value < high);
}

void check_number(const std::string& owner, const char* field, const std::string& allowed, double value,
                  const char* ray, const char* interval) {
  require_option(holds(allowed, value), owner, field, value, (allowed[0] == '>' ? ray : interval) + allowed);
}

}  // namespace

void require_option(bool ok, const std::string& owner, const std::string& field, double value,
                    const std::string& wanted) {
  if (ok) return;
  std::ostringstream text;
  text << owner << "." << field << " is " << value << ", expected " << wanted;
  throw InvalidInput(text.str());
}

void check_option(const std::string&, const char*, const char*, bool) {}

void check_option(const std::string& owner, const char* field, const char* allowed, int value) {
  check_number(owner, field, allowed, value, "an integer ", "an integer in ");
}

void check_option(const std::string& owner, const char* field, const char* allowed, double value) {
  check_number(owner, field, allowed, value, "a finite value ", "a value in ");
}

void check_option(const std::string& owner, const char* field, const char* allowed, const std::string& value) {
  std::istringstream words(allowed);
  std::string word, list, last;
  while (words >> word) {
    if (value == word) return;
    if (!last.empty()) list += (list.empty() ? "" : ", ") + last;
    last = "'" + word + "'";
  }
  if (last.empty()) return;
  throw InvalidInput(owner + "." + field + " is '" + value + "', expected " + list + " or " + last);
}

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
