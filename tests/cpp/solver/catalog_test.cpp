// SPDX-License-Identifier: BSD-2-Clause
// The list itself: names, laws, options and the sentences with which they are refused.
#include <gtest/gtest.h>
#include <stiction/base/invalid_input.h>
#include <stiction/problem/reference_problems.h>
#include <stiction/solver/solver.h>

#include <cstring>
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
    require_law(find_solver("nsgs"), FrictionLaw::pyramid);
    FAIL();
  } catch (const InvalidInput& e) {
    EXPECT_NE(std::strstr(e.what(), "solver 'nsgs' solves coulomb, not pyramid"), nullptr) << e.what();
    EXPECT_NE(std::strstr(e.what(), "pgs"), nullptr) << e.what();
  }
  EXPECT_NO_THROW(require_law(find_solver("pgs"), FrictionLaw::pyramid));
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

// A fingerprint of what a solver did on problems that are easy, slow and impossible for it; same options, same bits.
std::vector<double> fingerprint(const SolverInfo& s, const OptionMap& options) {
  std::vector<double> out;
  for (const FrictionLaw::Kind law : s.laws) {
    std::vector<ContactProblem> problems = {impossible(law), reference::rp1({law}), reference::rp2({law}),
                                            reference::rp3({law})};
    for (unsigned seed = 0; seed < 3; ++seed) {
      problems.push_back(test::random_contacts(seed, 5, 0.6, {law}));
      problems.push_back(reference::random_six(seed, 1e4, 0.6, {law}));
    }
    problems.push_back(test::box_pile(test::cube_stack(6, 1e-3), 0.5, 1e-3));
    for (unsigned seed = 0; seed < 4; ++seed) problems.push_back(test::belly_quadruped(seed, 1.5, 1e-3));
    for (ContactProblem& p : problems) {
      p.law.kind = law;
      Vec lambda = Vec::Constant(p.rows(), 1e-3);
      const Report r = s.make(options)->solve(p, lambda);
      out.insert(out.end(), {static_cast<double>(r.status), double(r.iterations), double(r.factorisations)});
      out.insert(out.end(), lambda.begin(), lambda.end());
    }
  }
  return out;
}

// Other values worth trying for an option; one that changes something is enough.
std::vector<OptionValue> alternatives(const OptionValue& value) {
  if (const auto* b = std::get_if<bool>(&value)) return {!*b};
  if (const auto* i = std::get_if<int>(&value)) return {1, 0, *i + 1, 2 * *i, 7, 1000000};
  if (const auto* d = std::get_if<double>(&value)) return {1e-9, *d * 0.5, *d * 100.0, 0.5, 1e3, 1e6};
  return {std::string("contactbench"), std::string("pinocchio")};
}

// Some options matter only beside another one: that one is switched on for the comparison.
OptionMap companions(const SolverInfo& s, const OptionInfo& option) {
  const bool sweeps =
      std::any_of(s.options.begin(), s.options.end(), [](const auto& o) { return o.name == "anderson"; });
  return sweeps && option.name == "restart_budget" ? OptionMap{{"anderson", 5}} : OptionMap{};
}

TEST(Catalog, NoOptionIsSilent) {
  for (const SolverInfo& s : solver_catalog()) {
    ASSERT_EQ(fingerprint(s, {}), fingerprint(s, {})) << s.name << " does not repeat itself";
    for (const OptionInfo& o : s.options) {
      OptionMap options = companions(s, o);
      const std::vector<double> normal = fingerprint(s, options);
      bool heard = false;
      for (const OptionValue& v : alternatives(o.default_value)) {
        options[o.name] = v;
        if (heard || v == o.default_value || !refusal(s.name, options).empty()) continue;
        heard = fingerprint(s, options) != normal;
      }
      EXPECT_TRUE(heard) << s.name << "." << o.name << " changes nothing";
    }
  }
}

}  // namespace
}  // namespace stiction
