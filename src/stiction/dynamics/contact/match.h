// SPDX-License-Identifier: BSD-2-Clause
// The identity of contact points from step to step: same ContactKey, same contact. Its frame is carried along with the normal, and
// with the frame the force of the last step.
#pragma once

#include <stiction/dynamics/contact/detect.h>

namespace stiction {

// A frame of rows (T1, T2, N): T1 is the first of `axes` that is not nearly along the normal, made tangential.
Mat3 fresh_frame(const Vec3& normal, const Mat3& axes);
// The old frame turned by the smallest rotation that maps its normal to the new one.
Mat3 transported_frame(const Mat3& old, const Vec3& normal);

// Finds each contact's record, transports its frame and force to the new normal; new ones get a frame of their own.
void match(const Layout& layout, const Kinematics& k, const std::vector<ContactRecord>& memory,
           std::vector<Contact>& contacts);

}  // namespace stiction
