// SPDX-License-Identifier: BSD-2-Clause
// The contact problem of an island as a plain linear complementarity problem, where ContactProblem has no words for it: friction
// directions of the user's, and the decompression of Poisson's impact.
//   λ = λ₀ + A z,  u = (G + R) λ + g,  w = Aᵀu + C z + d,  0 ≤ z ⟂ w ≥ 0                                                     (1)
// per contact z = (c, β, σ):   0 ≤ c ⟂ u_N,   0 ≤ β_k ⟂ d_kᵀu_T + σ,   0 ≤ σ ⟂ μ(c + c₀) − Σβ                              (2)
//   unilateral: z = λ.   bilateral: λ = z₊ − z₋.   box: λ = lo + z₁, w = (u + z₂, hi − λ)
// Poisson (Anitescu, Potra 1997): with the compression's λ_c, the impulse e c_c of every impacting contact is given back,
// λ₀ = λ_c + e c_c N and c₀ = e c_c, and (1) is solved for what must be added; box blocks stay as they are.
// Solved by Lemke's method. Failure modes: rays (the status says so, λ is finite).
#pragma once

#include <stiction/law/assemble.h>
#include <stiction/solver/core/solver.h>
#include <stiction/step/hard/friction_directions.h>

#include <memory>
#include <vector>

namespace stiction {

class DirectedLcp {
 public:
  DirectedLcp();
  // Blocks of angular rows that follow a contact are its torsion if the directions have any.
  Report solve(const AssembleInput& in, const Assembly& assembly, int island, const ContactProblem& problem,
               const DirectionSets& directions, VecOut lambda);
  // λ is that of the compression on entry. Without impacts nothing happens.
  Report decompress(const AssembleInput& in, const Assembly& assembly, int island, const ContactProblem& problem,
                    const DirectionSets& directions, VecOut lambda);

 private:
  struct Column {  // of A; a torsional direction has three entries
    int count, row[3];
    double weight[3];
  };
  struct Coupling {
    int row, column;
    double value;
  };

  void load(const AssembleInput& in, const Assembly& assembly, int island, const ContactProblem& problem,
            const DirectionSets& directions, bool extra);
  void add_contact(const Block& block, int torsion_row, const FrictionDirections& directions, double returned);
  void add_box(const Block& block);
  int add(const Column& column, double constant = 0.0);
  void assemble(const ContactProblem& problem);
  Report pivot(const ContactProblem& problem, VecOut lambda);

  std::unique_ptr<Solver> lemke_;
  FrictionDirections corners_;  // of the law's polygon
  std::vector<Column> columns_;
  std::vector<Coupling> couplings_;  // of C
  std::vector<double> constant_;     // d
  std::vector<double> returned_;     // c₀ per block
  GrowingVec base_;                  // λ₀
  GrowingVec u_, z_, unit_, scratch_;
  Delassus dense_;
  ContactProblem lcp_;
};

}  // namespace stiction
