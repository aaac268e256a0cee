// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/invalid_input.h>
#include <stiction/solver/diagnose/diagnosis.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace stiction {
namespace {

constexpr std::size_t kMostViolations = 10;

std::string number(double x) {
  std::ostringstream s;
  s.precision(3);
  s << x;
  return s.str();
}

std::string join(const std::vector<int>& numbers) {
  constexpr std::size_t most = 8;
  std::string out;
  const std::size_t shown = std::min(numbers.size(), most);
  for (std::size_t i = 0; i < shown; ++i)
    out += (i == 0 ? "" : i + 1 == numbers.size() ? " and " : ", ") + std::to_string(numbers[i]);
  return numbers.size() > most ? out + " and " + std::to_string(numbers.size() - most) + " more" : out;
}

std::string named(const char* one, const std::vector<int>& numbers) {
  return std::string(one) + (numbers.size() > 1 ? "s " : " ") + join(numbers);
}

// "contacts 3 and 7, limit 4 and joint 2", by the numbers of the blocks.
std::string name_blocks(const ContactProblem& p, const std::vector<int>& blocks) {
  std::vector<int> kinds[3];
  for (const int i : blocks) {
    const BlockKind kind = p.blocks[i].kind;
    const bool contact = kind == BlockKind::coulomb || kind == BlockKind::patch;
    kinds[contact ? 0 : kind == BlockKind::bilateral ? 2 : 1].push_back(i);
  }
  const char* const words[] = {"contact", "limit", "joint"};
  std::string out;
  for (int k = 0; k < 3; ++k)
    if (!kinds[k].empty()) out += (out.empty() ? "" : " with ") + named(words[k], kinds[k]);
  return out;
}

std::vector<int> blocks_of(const ContactProblem& p, const Vec& y) {
  std::vector<int> out;
  for (std::size_t i = 0; i < p.blocks.size(); ++i)
    if (y.segment(p.blocks[i].row, p.blocks[i].size).cwiseAbs().maxCoeff() > 0.0) out.push_back(static_cast<int>(i));
  return out;
}

std::vector<int> groups_of(const ContactProblem& p, const std::vector<int>& blocks) {
  std::vector<int> all, out;
  if (p.G.storage != Delassus::Storage::body_space) return out;
  const BodySpace& body = p.G.body;
  for (const int i : blocks) {
    std::vector<int> own;
    for (int t = body.term_start[i]; t < body.term_start[i + 1]; ++t) own.push_back(body.terms[t].group);
    std::sort(own.begin(), own.end());
    all.insert(all.end(), own.begin(), std::unique(own.begin(), own.end()));
  }
  std::sort(all.begin(), all.end());
  for (std::size_t i = 1; i < all.size(); ++i)
    if (all[i] == all[i - 1] && (out.empty() || out.back() != all[i])) out.push_back(all[i]);
  return out;
}

std::string explain_infeasible(const ContactProblem& p, const Diagnosis& d) {
  const auto count = [&](auto wanted) {
    return std::count_if(d.blocks.begin(), d.blocks.end(), [&](int i) { return wanted(p.blocks[i].kind); });
  };
  const auto joints = count([](BlockKind k) { return k == BlockKind::bilateral; });
  const bool joints_only = joints == static_cast<std::ptrdiff_t>(d.blocks.size());
  const std::string who = name_blocks(p, d.blocks), speed = number(d.closing_speed);
  const std::string body = d.groups.empty() ? "" : " through body " + join(d.groups);
  if (joints_only)
    return who + (d.blocks.size() > 1 ? " contradict each other" : " contradicts itself") + body +
           ": whatever the impulses, a velocity error of at least " + speed + " m/s stays";
  if (d.blocks.size() == 1)
    return who + " closes at " + speed + " m/s and nothing that it touches can give way: no impulse stops it";
  return who + " push against each other" + body + ": closing speed " + speed +
         " m/s cannot be stopped; whatever the impulses, at least one of them keeps closing that fast";
}

std::string explain_worst(const ContactProblem& p, const Diagnosis& d) {
  if (d.violations.empty()) return "no block stands out";
  const Violation& worst = d.violations.front();
  const bool impulse = worst.component == Violation::cone;
  return "worst is " + name_blocks(p, {worst.block}) + ", " + name(worst.component) + " " + number(worst.amount) +
         (impulse ? " N s" : " m/s") + " (" + number(worst.relative) + " relative)";
}

std::string explain(const ContactProblem& p, const Diagnosis& d) {
  const bool exists = (p.law.kind == FrictionLaw::coulomb || p.law.kind == FrictionLaw::convex) && p.G.symmetric;
  switch (d.verdict) {
    case Diagnosis::solved:
      return "solved: the judge accepts the impulse";
    case Diagnosis::infeasible:
      return explain_infeasible(p, d);
    case Diagnosis::jammed:
      return name_blocks(p, d.blocks) + (d.blocks.size() > 1 ? " are" : " is") +
             " jammed: impulses there can grow without moving anything, so that a solution need not exist; " +
             explain_worst(p, d);
    case Diagnosis::unsolved:
      return (exists ? std::string("a solution exists, this impulse is none; ")
                     : std::string("nothing is jammed, this impulse is no solution; ")) +
             explain_worst(p, d);
    case Diagnosis::undecided:
      return "whether a solution exists is not decided; " + explain_worst(p, d);
  }
  return "";
}

void check(const ContactProblem& p, const VecRef& lambda) {
  if (lambda.size() != p.rows())
    throw InvalidInput("diagnose: lambda has size " + std::to_string(lambda.size()) + ", expected " +
                       std::to_string(p.rows()));
  if (!lambda.allFinite()) throw InvalidInput("diagnose: lambda is not finite, expected finite numbers");
}

}  // namespace

const char* name(Diagnosis::Verdict v) {
  switch (v) {
    case Diagnosis::solved:
      return "solved";
    case Diagnosis::infeasible:
      return "infeasible";
    case Diagnosis::jammed:
      return "jammed";
    case Diagnosis::unsolved:
      return "unsolved";
    case Diagnosis::undecided:
      return "undecided";
  }
  return "unknown";
}

Diagnosis diagnose(const ContactProblem& p, const VecRef& lambda, const Tolerance& tolerance) {
  check(p, lambda);
  Diagnosis d;
  d.residual = evaluate(p, lambda, tolerance);
  if (d.residual.accepted()) {
    d.verdict = Diagnosis::solved;
    d.sentence = explain(p, d);
    return d;
  }
  const Feasibility f = check_feasibility(p);
  d.violations = find_violations(p, lambda, tolerance.relative);
  if (d.violations.size() > kMostViolations) d.violations.resize(kMostViolations);
  if (!p.general) d.wedges = find_wedges(p);
  if (f.verdict == Feasibility::infeasible) {
    d.verdict = Diagnosis::infeasible;
    d.y = f.certificate, d.closing_speed = f.closing_speed;
  } else if (f.jammed.size() > 0) {
    d.verdict = Diagnosis::jammed;
    d.y = f.jammed;
  } else {
    d.verdict = f.verdict == Feasibility::feasible ? Diagnosis::unsolved : Diagnosis::undecided;
    for (const Violation& v : d.violations) d.blocks.push_back(v.block);
  }
  if (d.y.size() > 0) {
    d.blocks = blocks_of(p, d.y);
    d.groups = groups_of(p, d.blocks);
  }
  d.sentence = explain(p, d);
  return d;
}

}  // namespace stiction
