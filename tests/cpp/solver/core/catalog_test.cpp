// SPDX-License-Identifier: BSD-2-Clause
// The list itself: names, laws, options and the sentences with which they are refused.
#include <gtest/gtest.h>
#include <stiction/base/invalid_input.h>
#include <stiction/problem/reference_problems.h>
#include <stiction/solver/catalog.h>
#include <stiction/solver/core/solver.h>

#include <cstring>
#include <map>
#include <regex>
#include <set>

#include "solver/newton_problems.h"
#include "solver/solver_support.h"

namespace stiction {
namespace {

using test::run;

std::string refusal(const std::string& solver, const OptionMap& options) {
  try {
    make_solver(solver, options);
  } catch (const InvalidInput& e) {
    return e.what();
  }
  return "";
}

TEST(Catalog, EveryEntryIsCompleteAndFound) {
  std::set<std::string> names;
  for (const SolverInfo& s : solver_catalog()) {
    EXPECT_TRUE(names.insert(s.name).second) << s.name << " twice";
    EXPECT_EQ(&find_solver(s.name), &s);
    EXPECT_FALSE(s.summary.empty() || s.reference.empty() || s.failure_modes.empty() || s.laws.empty()) << s.name;
    EXPECT_NE(make_solver(s.name), nullptr);
    for (const OptionInfo& o : s.options) {
      EXPECT_NE(o.doc.find('['), std::string::npos) << s.name << "." << o.name << " has no unit";
      EXPECT_NE(s.make({{o.name, o.default_value}}), nullptr) << s.name << "." << o.name << " refuses its own default";
    }
  }
  for (const char* wanted : {"nsgs", "pgs", "admm", "ppa_newton", "auto"}) EXPECT_TRUE(names.count(wanted)) << wanted;
}

TEST(Catalog, RefusesWithASentence) {
  try {
    find_solver("pgss");
    FAIL();
  } catch (const InvalidInput& e) {
    EXPECT_NE(std::strstr(e.what(), "did you mean 'pgs'"), nullptr) << e.what();
  }
  try {
    require_law(find_solver("nsgs"), {FrictionLaw::pyramid});
    FAIL();
  } catch (const InvalidInput& e) {
    EXPECT_NE(std::strstr(e.what(), "solver 'nsgs' solves coulomb, not pyramid"), nullptr) << e.what();
    EXPECT_NE(std::strstr(e.what(), "pgs"), nullptr) << e.what();
  }
  EXPECT_NO_THROW(require_law(find_solver("pgs"), {FrictionLaw::pyramid}));
  EXPECT_EQ(refusal("nsgs", {{"over_relaxation", 2.5}}), "nsgs.over_relaxation is 2.5, expected a value in ]0, 2[");
  EXPECT_NE(refusal("pgs", {{"over_relaxaton", 1.5}}).find("did you mean 'over_relaxation'"), std::string::npos);
}

TEST(Catalog, RangesOfOptions) {
  const double nan = std::nan("");
  for (const SolverInfo& s : solver_catalog()) {
    for (const double bad : {0.0, -1e-8, nan, HUGE_VAL})
      EXPECT_NE(refusal(s.name, {{"tolerance", bad}}), "") << s.name << " tolerance " << bad;
    for (const char* part : {"force_tolerance", "velocity_tolerance", "power_tolerance", "time_limit"}) {
      EXPECT_NE(refusal(s.name, {{part, -1.0}}), "") << s.name << " " << part;
      EXPECT_NE(refusal(s.name, {{part, nan}}), "") << s.name << " " << part;
    }
    EXPECT_NE(refusal(s.name, {{"max_iterations", 0}}), "") << s.name;
    EXPECT_NE(refusal(s.name, {{"max_iterations", 1.5}}), "") << s.name;
    EXPECT_NE(refusal(s.name, {{"cold_start", 1}}), "") << s.name;
    for (const OptionInfo& o : s.options) {
      if (o.name != "over_relaxation") continue;
      for (const double bad : {0.0, 2.0, -1.0, nan}) EXPECT_NE(refusal(s.name, {{o.name, bad}}), "") << s.name;
    }
  }
  EXPECT_NE(refusal("nsgs", {{"anderson", -1}}), "");
  EXPECT_NE(refusal("nsgs", {{"test_interval", 0}}), "");
  EXPECT_NE(refusal("pgs", {{"safe_step", true}, {"local_exact", true}}), "");
  EXPECT_NE(refusal("admm", {{"preset", std::string("drake")}}), "");
  EXPECT_NE(refusal("admm", {{"prox", 0.0}}), "");
}

TEST(Catalog, UnsupportedLawLeavesTheGuessAlone) {
  for (const SolverInfo& s : solver_catalog())
    for (const FrictionLaw::Kind law :
         {FrictionLaw::coulomb, FrictionLaw::convex, FrictionLaw::pyramid, FrictionLaw::raisim}) {
      if (test::solves(s, law)) continue;
      const ContactProblem p = reference::rp1({law});
      const Vec guess = Vec::LinSpaced(p.rows(), 1.0, 2.0);
      Vec lambda = guess;
      const Report r = make_solver(s.name)->solve(p, lambda);
      EXPECT_EQ(r.status, Status::invalid_problem) << s.name << " " << name(law);
      EXPECT_EQ(lambda, guess) << s.name << " " << name(law);
    }
}

// Two contacts, one of which nothing can move although it closes: no λ solves it.
ContactProblem impossible(FrictionLaw::Kind law) {
  Mat G = Mat::Identity(6, 6);
  G.row(5).setZero(), G.col(5).setZero();
  return ContactProblem::from_dense(G, Vec::Constant(6, -0.1), Vec::Constant(2, 0.5), {law}, 1e-3);
}

// A contact that can move along one line only, up a slope steeper than friction lets it slide: to separate it would have to slip
// by u_T = 10, and friction pushes the other way. No λ solves it under Coulomb's law, but no linear program can prove it.
ContactProblem jammed(FrictionLaw::Kind law) {
  Mat G = Mat::Identity(6, 6);
  const Vec3 line(1.0, 0.0, 0.1);
  G.topLeftCorner(3, 3) = line * line.transpose();
  Vec g = Vec::Constant(6, -0.1);
  g.head(3) = Vec3(0.0, 0.0, -1.0);
  return ContactProblem::from_dense(G, g, Vec::Constant(2, 0.5), {law}, 1e-3);
}

// What a solver did on problems that are easy, slow and impossible for it. Problems are made and solved one by one, so
// that the first difference ends a comparison.
class Trial {
 public:
  Trial(const SolverInfo& solver, OptionMap options) : solver_(solver), options_(std::move(options)) {}

  const std::vector<double>& outcome(std::size_t k) {
    while (outcomes_.size() <= k) {
      const ContactProblem& p = problems(solver_)[outcomes_.size()];
      Vec lambda = Vec::Constant(p.rows(), 1e-3);
      const Report r = solver_.make(options_)->solve(p, lambda);
      std::vector<double> out = {static_cast<double>(r.status), double(r.iterations), double(r.factorisations)};
      out.insert(out.end(), lambda.begin(), lambda.end());
      outcomes_.push_back(std::move(out));
    }
    return outcomes_[k];
  }
  bool differs(Trial& other) {
    for (std::size_t k = 0; k < problems(solver_).size(); ++k)
      if (outcome(k) != other.outcome(k)) return true;
    return false;
  }

 private:
  static const std::vector<ContactProblem>& problems(const SolverInfo& s) {
    static std::map<std::string, std::vector<ContactProblem>> cache;
    std::vector<ContactProblem>& out = cache[s.name];
    if (!out.empty()) return out;
    const auto add = [&](ContactProblem p, FrictionLaw::Kind law) {
      p.law.kind = law;
      out.push_back(std::move(p));
    };
    for (const FrictionLaw::Kind law : s.laws) {
      add(impossible(law), law), add(jammed(law), law), add(reference::rp1(), law), add(reference::rp3(), law),
          add(reference::rp2(), law);
      for (unsigned seed = 0; seed < 3; ++seed) {
        add(test::random_contacts(seed, 5, 0.6), law);
        add(reference::random_six(seed, 1e4, 0.6), law);
        add(test::random_mix(seed, 2, 3, true, 1e-3), law);
      }
      ContactProblem soft = test::random_contacts(7, 4, 0.6);
      soft.compliance.assign(12, 0.02);
      add(soft, law);
    }
    for (const FrictionLaw::Kind law : s.laws) {  // dear ones last
      for (unsigned seed = 0; seed < 4; ++seed) add(test::belly_quadruped(seed, 1.5, 1e-3), law);
      add(test::box_pile(test::cube_stack(6, 1e-3), 0.5, 1e-3), law);
    }
    return out;
  }

  const SolverInfo& solver_;
  OptionMap options_;
  std::vector<std::vector<double>> outcomes_;
};

// The names that a refusal offers: "admm.preset is '', expected 'pinocchio' or 'contactbench'".
std::vector<OptionValue> offered_names(const SolverInfo& s, const std::string& option) {
  const std::string sentence = refusal(s.name, {{option, std::string("?")}});
  std::vector<OptionValue> names;
  const std::regex quoted("'([a-z_0-9]+)'");
  for (std::sregex_iterator i(sentence.begin(), sentence.end(), quoted), end; i != end; ++i)
    names.emplace_back((*i)[1].str());
  return names;
}

// Other values worth trying for an option; one that changes something is enough.
std::vector<OptionValue> alternatives(const SolverInfo& s, const OptionInfo& o) {
  if (const auto* b = std::get_if<bool>(&o.default_value)) return {!*b};
  if (const auto* i = std::get_if<int>(&o.default_value)) return {1, 0, *i + 1, 2 * *i, 7, 1000000};
  if (const auto* d = std::get_if<double>(&o.default_value)) return {1e-9, *d * 0.5, *d * 100.0, 0.5, 1e3, 1e6, 0.0};
  return offered_names(s, o.name);
}

// Some options matter only beside another one: switches and names of the others are tried as company.
std::vector<OptionMap> companies(const SolverInfo& s, const OptionInfo& option) {
  std::vector<OptionMap> out = {{}};
  if (option.name.ends_with("_tolerance")) {  // one part of the tolerance decides where the others let everything pass
    OptionMap loose = {{"force_tolerance", 1e6}, {"velocity_tolerance", 1e6}, {"power_tolerance", 1e6}};
    out.push_back(loose);
    loose["max_iterations"] = 1;
    out.push_back(loose);
    loose = {{"tolerance", 1e-30}, {"force_tolerance", 1e6}, {"velocity_tolerance", 1e6}, {"power_tolerance", 1e6}};
    loose.erase(option.name);
    out.push_back(loose);
  }
  for (const OptionInfo& other : s.options) {
    if (other.name == option.name) continue;
    if (other.name == "anderson") out.push_back({{"anderson", 5}});
    if (other.default_value.index() == 0 || other.default_value.index() == 3)
      for (const OptionValue& v : alternatives(s, other)) out.push_back({{other.name, v}});
  }
  return out;
}

// Changes the result or the work, in some company; or its only other values are refused.
bool is_heard(const SolverInfo& s, const OptionInfo& o) {
  bool all_refused = true;
  for (const OptionMap& company : companies(s, o)) {
    if (!refusal(s.name, company).empty()) continue;
    Trial normal(s, company);
    for (const OptionValue& v : alternatives(s, o)) {
      OptionMap options = company;
      options[o.name] = v;
      if (v == o.default_value || !refusal(s.name, options).empty()) continue;
      all_refused = false;
      Trial other(s, options);
      if (normal.differs(other)) return true;
    }
  }
  return all_refused && std::holds_alternative<bool>(o.default_value);
}

// Options that may change the time and nothing else; that they do not is as much a promise as that the others do.
bool is_only_speed(const SolverInfo& s, const OptionInfo& o) { return s.name == "nsgs" && o.name == "threads"; }

TEST(Catalog, NoOptionIsSilent) {
  for (const SolverInfo& s : solver_catalog()) {
    Trial once(s, {}), twice(s, {});
    ASSERT_FALSE(once.differs(twice)) << s.name << " does not repeat itself";
    for (const OptionInfo& o : s.options)
      EXPECT_NE(is_heard(s, o), is_only_speed(s, o)) << s.name << "." << o.name << " changes nothing, or should not";
  }
}

}  // namespace
}  // namespace stiction
