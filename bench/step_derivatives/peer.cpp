// SPDX-License-Identifier: BSD-2-Clause
#include "peer.h"

#include <pinocchio/algorithm/aba-derivatives.hpp>
#include <pinocchio/multibody.hpp>
#include <pinocchio/parsers/urdf.hpp>

namespace stiction::bench {

struct AbaDerivatives::Impl {
  pinocchio::Model model;
  pinocchio::Data data;
};

AbaDerivatives::AbaDerivatives(const std::string& urdf_text) : impl_(std::make_unique<Impl>()) {
  pinocchio::urdf::buildModelFromXML(urdf_text, pinocchio::JointModelFreeFlyer(), impl_->model);
  impl_->data = pinocchio::Data(impl_->model);
}
AbaDerivatives::~AbaDerivatives() = default;
int AbaDerivatives::nv() const { return impl_->model.nv; }
void AbaDerivatives::compute(const Vec& q, const Vec& v, const Vec& tau) {
  pinocchio::computeABADerivatives(impl_->model, impl_->data, q, v, tau);
}

}  // namespace stiction::bench
