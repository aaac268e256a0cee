// SPDX-License-Identifier: BSD-2-Clause
// Which linear relation between dλ and du holds at a solution, block by block (used by derivatives.h).
//
//   x = λ − ρ(u + Γ(u)),  ρ = k/tr(G_ii + R_ii)        the point whose projection is λ; Γ = 0 for the convex law
//   open   x ∈ −K*       dλ = 0
//   bound  box at lo, hi dλ = 0
//   stick  x ∈ K         du = 0
//   slide  else          with d = x_T/‖x_T‖ = −u_T/‖u_T‖ (friction points along d), e = (−d₂, d₁), ν = √(1+μ²):
//            dλ = b₀ y₀ + b₁ y₁ + m dμ,  b₀ = (μd, 1)/ν,  b₁ = (e, 0),  m = λ_N (d, −μ)/ν²
//            c₀ᵀ du = r₀ dμ,  c₁ᵀ du + κ y₁ = 0,  c₁ = b₁,  κ = ‖u_T‖/(μ λ_N)
//            coulomb  c₀ = (0, 0, 1), r₀ = 0        convex  c₀ = b₀, r₀ = ‖u_T‖/ν
//          a patch has as many e, b₁ and y₁ as there are directions across d
// b₀, b₁, m are orthogonal, so that the shortest y gives the shortest dλ. With μ = 0 there is no b₁.
// The region is decided on x because λ and u each carry the solver's error, but at most one of them is small.
// A block is flagged when x is within threshold · max(‖λ_i‖, ρ‖u_i‖, ρ‖g_i‖, 1e-3 ρ max|u|, 1e-3 ρ max|g|) of another region:
// there the solution has a kink, and the relation of the region that x is in gives a one-sided derivative. The last two terms
// flag contacts that only graze: beside faster ones their own velocity is round-off, or what a solver leaves.
#pragma once

#include <stiction/problem/contact_problem.h>

#include <cstdint>

namespace stiction {

enum class BlockMode : std::uint8_t { open, stick, slide, bound };

constexpr const char* name(BlockMode m) {
  switch (m) {
    case BlockMode::open:
      return "break";
    case BlockMode::stick:
      return "stick";
    case BlockMode::slide:
      return "slide";
    case BlockMode::bound:
      return "bound";
  }
  return "unknown";
}

struct BlockTangent {
  BlockMode mode = BlockMode::open;
  bool boundary = false;
  int row = 0, column = 0, width = 0;  // first row; first unknown y and their number
  int size = 0;                        // rows of the block
  // slide only
  double d[kMostPatchRows - 1] = {};                           // d
  double across[kMostPatchRows - 2][kMostPatchRows - 1] = {};  // c₁ = b₁ = (e, 0), one per direction across d
  double b0[kMostPatchRows] = {}, c0[kMostPatchRows] = {};
  double m[kMostPatchRows] = {};      // dλ/dμ beside y
  double creep = 0.0, rate_mu = 0.0;  // κ and r₀
};

double largest_velocity(const ContactProblem& problem, const double* u);  // of all rows, with and without impulses

// `largest` is largest_velocity(); `column` is left to the caller.
BlockTangent classify_block(const ContactProblem& problem, int block, const double* lambda, const double* u,
                            double threshold, double largest);

}  // namespace stiction
