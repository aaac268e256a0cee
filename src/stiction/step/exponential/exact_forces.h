// SPDX-License-Identifier: BSD-2-Clause
// The averages of the linear contact problem (linear_contact.h) without approximation beyond round-off:
// in closed form where B = cK (decoupled_modes.h), else by the balanced dense exponential without cap
// (dense_exponential.h).
// Fails: not finite in, not finite out.
// Reference: Hammoud et al. (2022); Higham (2005).
#pragma once

#include <stiction/step/exponential/decoupled_modes.h>
#include <stiction/step/exponential/dense_exponential.h>

namespace stiction {

struct ExactWork {
  ModalWork modal;
  DenseWork dense;
  bool by_modes = false;  // how the last call went
};

// λ̄ and λ̿ [N]
inline void exact_forces(const LinearContact& contact, ExactWork& work, double* average, double* double_average) {
  double c = 0.0;
  work.by_modes = proportional(contact, c);
  if (work.by_modes)
    modal_forces(contact, c, work.modal, average, double_average);
  else
    dense_forces(contact, DenseOptions{}, work.dense, average, double_average);
}

}  // namespace stiction
