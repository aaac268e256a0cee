// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/find_named.h>
#include <stiction/law/anchored.h>
#include <stiction/law/catalog.h>
#include <stiction/law/compliant.h>
#include <stiction/law/relaxed.h>
#include <stiction/model/world/checks.h>

namespace stiction {
namespace {

std::vector<OptionInfo> hard_options(bool pyramid) {
  std::vector<OptionInfo> out;
  for (const OptionInfo& info : describe_options<LawOptions>())
    if (pyramid || (info.name != "angle" && info.name != "facets")) out.push_back(info);
  return out;
}

}  // namespace

const std::vector<LawInfo>& law_catalog() {
  static const std::vector<LawInfo> catalog = {
      {"coulomb", "exact Coulomb friction with Signorini's condition (NCP): K ∋ λ ⟂ u + Γ(u) ∈ K*",
       "De Saxcé, Feng 1998; Acary, Cadoux 2013", "several or infinitely many λ may give the same motion",
       FrictionLaw::coulomb, hard_options(false)},
      {"convex", "cone complementarity (CCP): K ∋ λ ⟂ u ∈ K*; a convex problem", "Anitescu 2006; Tasora, Anitescu 2011",
       "sliding bodies hover by dt·μ·‖u_T‖ and separate at impacts", FrictionLaw::convex, hard_options(false)},
      {"pyramid", "friction pyramid of four or any even number of facets (LCP)",
       "Stewart, Trinkle 1996; Anitescu, Potra 1997",
       "friction is pulled to the corners, up to √2 too strong, and biased in direction", FrictionLaw::pyramid,
       hard_options(true)},
      {"raisim", "Signorini and the Coulomb cone; sliding minimises ½λᵀG_iiλ + c̃ᵀλ at u_N = 0, contact by contact",
       "Hwangbo, Lee, Hutter 2018; Le Lidec et al. 2024, (24)",
       "sliding contacts do not dissipate the most: slip deviates from −λ_T by the coupling G_NT", FrictionLaw::raisim,
       hard_options(false)},
      {"anchored", "soft contact: a spring-damper to an anchor point that slips with the Coulomb cone",
       "Hammoud, Olivieri, Righetti, Carpentier, Del Prete 2022",
       "rests at a depth of weight/K; needs damping for impacts; contacts whose features change lose their stretch",
       FrictionLaw::coulomb, describe_options<AnchoredOptions>(), LawFamily::anchored},
      {"relaxed",
       "touching points are asked back to referential points: a regularised problem for forces, friction after",
       "Wakisaka, Sugihara 2014",
       "held forces chatter above compensation·dt = 0.343; plastic impacts; k_c d may add energy", FrictionLaw::coulomb,
       describe_options<RelaxedOptions>(), LawFamily::relaxed},
      {"compliant",
       "springs and dampers with a stick and a slip branch of friction, evaluated at the midpoint of the step",
       "Gehring, Diethelm, Siegwart, Nützi, Leine 2014, Algorithm 1",
       "unstable beyond c G dt² + 2 d G dt = 4; rests at a depth of weight/c; no impact law", FrictionLaw::coulomb,
       describe_options<CompliantOptions>(), LawFamily::compliant},
  };
  return catalog;
}

const LawInfo& find_law(const std::string& name) { return find_named("law", law_catalog(), name); }

void require_option(bool ok, const std::string& owner, const char* field, double value, const char* wanted) {
  if (!ok) throw InvalidInput(owner + ": " + field + " is " + text(value) + ", expected " + wanted);
}

HardContact make_hard_contact(const LawInfo& law, const OptionMap& options) {
  const std::string owner = "law '" + law.name + "'";
  if (law.kind != FrictionLaw::pyramid) {
    std::vector<std::string> names;
    for (const OptionInfo& info : law.options) names.push_back(info.name);
    for (const char* field : {"angle", "facets"})
      if (options.count(field)) throw_unknown_option(owner, field, names);
  }
  LawOptions o;
  assign_options(owner, options, o);
  check_options(owner, o);
  require_option(o.correction_speed > 0.0, owner, "correction_speed", o.correction_speed, "a speed > 0 m/s");
  require_option(o.restitution_threshold >= 0.0, owner, "restitution_threshold", o.restitution_threshold,
                 "a speed >= 0 m/s");
  require_option(o.facets >= 4 && o.facets % 2 == 0, owner, "facets", o.facets,
                 "an even number >= 4 (more than 4 need the solver 'lemke')");
  return {{law.kind, o.facets, o.angle}, o, o.softness == "file"};
}

}  // namespace stiction
