# SPDX-License-Identifier: BSD-2-Clause
"""Controllers for legged robots on stiction's own dynamics queries.

For example:

    from stiction import control
    legged = control.small_quadruped_world()
    sim = legged.simulator(dt=1e-3)
    squat = control.Squat(sim, legged.feet)
    for k in range(100):                                    # torques held over 40 ms
        sim.step(squat.torque(sim, 0.04 * k), n=40)
"""

from .active_set import ActiveSetResult, solve_qp
from .centroidal import Body, CentroidalMpc, CentroidalOptions
from .feedback import LinearFeedback, Reference, load_reference, published_reference
from .force_distribution import ForceDistribution, ForceLimits
from .jump import Jump, JumpGains
from .least_squares import Solution, Task, com_task, foot_task, inverse_dynamics, posture_task
from .legs import Legs
from .lipm import Walk, WalkPlan, compare_published
from .mpc_trot import MpcTrot, MpcTrotGains
from .planning import Mpc, Plan, Planned, Quadratic, StateCost, ilqr, jump_plan, standing_torque
from .record import Controller, joint_gains, record_reference
from .squat import Squat, SquatGains
from .starleth import starleth_control, starleth_joints, starleth_legs, starleth_posture, starleth_world
from .terms import Terms, read_terms, touching
from .trot import Trot, TrotGains
from .virtual_model import VirtualModel, VirtualModelGains
from .walking import WalkGains, WalkingController
from .worlds import LeggedWorld, legged_world, romeo_world, small_quadruped_world, solo_world

__all__ = [
    "ActiveSetResult",
    "Body",
    "CentroidalMpc",
    "CentroidalOptions",
    "Controller",
    "ForceDistribution",
    "ForceLimits",
    "Jump",
    "JumpGains",
    "LeggedWorld",
    "Legs",
    "LinearFeedback",
    "Mpc",
    "MpcTrot",
    "MpcTrotGains",
    "Plan",
    "Planned",
    "Quadratic",
    "Reference",
    "Solution",
    "Squat",
    "SquatGains",
    "StateCost",
    "Task",
    "Terms",
    "Trot",
    "TrotGains",
    "VirtualModel",
    "VirtualModelGains",
    "Walk",
    "WalkGains",
    "WalkPlan",
    "WalkingController",
    "com_task",
    "compare_published",
    "foot_task",
    "ilqr",
    "inverse_dynamics",
    "joint_gains",
    "jump_plan",
    "legged_world",
    "load_reference",
    "posture_task",
    "published_reference",
    "read_terms",
    "record_reference",
    "romeo_world",
    "small_quadruped_world",
    "solo_world",
    "solve_qp",
    "standing_torque",
    "starleth_control",
    "starleth_joints",
    "starleth_legs",
    "starleth_posture",
    "starleth_world",
    "touching",
]
