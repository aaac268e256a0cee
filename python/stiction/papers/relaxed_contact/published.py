# SPDX-License-Identifier: BSD-2-Clause
"""Numbers of the paper and of an independent implementation (gains 300 1/s, 1 kg^-2, 100 s/m; none of them is printed in the paper)."""

WALL_TIME = {"micro": 160.8, "macro": 7.59, "proposed": 22.3}  # for 5 s of motion [s]
MICRO_BY_PROPOSED = WALL_TIME["micro"] / WALL_TIME["proposed"]  # 7.2
PROPOSED_BY_MACRO = WALL_TIME["proposed"] / WALL_TIME["macro"]  # 2.9

FIRST_CONTACT = 0.181  # start of the step [s]
IMPACT = (0.0, 5.76865, 83.42576, 47.80541, 0.0)  # normal force per vertex, steps from 0.181 to 0.185 s [N]
MACRO_JUMP = 55.0  # largest change of a normal force between steps of the stand-in, held [N]
MONOTONE = 0.343  # k_c dt up to which a held force returns points without overshoot: 6 - 4 sqrt(2)
SMOOTH, CHATTERING = (200.0, 300.0, 343.0), (500.0, 700.0)  # k_c at dt 1 ms [1/s]
SWING_ENERGY = 2.65  # [J]
