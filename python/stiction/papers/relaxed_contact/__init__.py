# SPDX-License-Identifier: BSD-2-Clause
"""Wakisaka, Sugihara 2014, "Fast and reasonable contact force computation in forward dynamics based on momentum-level penetration
compensation": the 6-DOF pendulum with the proposed method and three others, and the cost of the contact-space model."""

from __future__ import annotations

from ..study import Section, Settings, Study
from . import contact_cost, gains, pendulum, stability, stacks

TITLE = "Relaxed macroscopic contact"
TEXT = (
    "N. Wakisaka, T. Sugihara, Fast and reasonable contact force computation in forward dynamics based on momentum-level penetration "
    "compensation, IROS 2014. Published: the paper. Measured: an independent implementation. Ours: this run.\n"
    "What differs here. The contact problem is solved exactly: the paper's rule, to omit points with a negative normal force, lets tips "
    "sink by centimetres (unilateral='omit' has it). The sign of kinetic friction is against the slip. Gains are not printed in the "
    "paper: k_c = 300 1/s, lambda_r = 1 kg^-2, k_w = 100 s/m, K = 2e4 N/m and D = 20 N s/m here. The macroscopic method is a stand-in of "
    "our own (pseudo-inverse, omit rule, no position feedback), not the method of Fujimoto et al. Hybrid is our reading of the method "
    "that the paper improves: equation 11 plus soft springs to the referential points."
)


def run(settings: Settings) -> Study:
    """Everything; settings.quick shortens the runs of the microscopic method and leaves out the bisection and the long chains."""
    study = Study(TITLE, settings)
    study.add(Section("What this is", TEXT))
    study.add(pendulum.section(settings.quick))
    study.add(gains.section(settings.quick))
    study.add(pendulum.timing(settings.quick))
    if not settings.quick:
        study.add(stability.section())
    study.add(stacks.section(settings.quick))
    study.add(contact_cost.section(settings.quick))
    return study


__all__ = ["run"]
