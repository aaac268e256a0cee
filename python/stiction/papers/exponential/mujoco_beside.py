# SPDX-License-Identifier: BSD-2-Clause
"""The same motions in MuJoCo: same robot without shapes, small spheres at the feet, the same controller and step.

The feet are spheres of 1 mm whose lowest point at rest is the contact point: the floor lies lower by their radius. Contact is
MuJoCo's own soft model with its default parameters, friction 1; nothing is tuned, neither there nor here. The controller sees
MuJoCo's state through our queries.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ... import convert
from ...control.worlds import _read as read_without_shapes
from ...output.tables import number
from ..study import Section, Table
from .methods import METHODS
from .published import MU
from .stability import Run, run
from .tasks import Task

RADIUS = 1e-3  # of the feet [m]
# integrator, and contacts as stiff as MuJoCo allows at this step (solref 2 steps) instead of the default 20 ms
VARIANTS = {
    "default": ("EULER", False), "implicitfast": ("IMPLICITFAST", False), "discrete": ("DISCRETE", False), "RK4": ("RK4", False),
    "default, stiffest": ("EULER", True), "implicitfast, stiffest": ("IMPLICITFAST", True), "discrete, stiffest": ("DISCRETE", True),
}  # fmt: skip
OURS = ("1/2", "midpoint 1/2")
TEXT = (
    "A table, not a bar: the same robot, controller and steps in MuJoCo {version}, friction 1, small spheres as feet; contact model "
    "and integrator are its own. Default: its semi-implicit Euler and contacts with a time constant of 20 ms; stiffest: 2 steps, the "
    "shortest that it allows. Bounded as in the stability section. Its contacts are not those of K = 1e5 N/m, so the motions are not "
    "the same; what is compared is whether a reference can be followed at this step.\n"
    "Columns: bounded or when not [s]; height of the base at the end [m]; largest |v| at control instants."
)


def model(task: Task, variant: str) -> Any:
    """The robot of a task in MuJoCo, one step per control period."""
    import mujoco

    spec = mujoco.MjSpec.from_string(read_without_shapes(task.urdf))
    spec.compiler.balanceinertia = True
    robot, world = task.legged.robot, task.legged.world
    spec.bodies[1].add_freejoint(name="root")
    for foot in task.legged.feet:
        body, (position, _) = world.frame(foot)
        link = spec.body(robot.body_names[body.id - robot.base])
        link.add_geom(type=mujoco.mjtGeom.mjGEOM_SPHERE, size=[RADIUS, 0, 0], pos=position, mass=0.0, contype=1, conaffinity=0,
                      condim=3, friction=(MU, 0.005, 0.0001))  # fmt: skip
    spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[0, 0, 1], pos=[0, 0, -RADIUS], contype=0, conaffinity=1,
                            condim=3, friction=(MU, 0.005, 0.0001))  # fmt: skip
    spec.option.timestep = task.period
    integrator, stiff = VARIANTS[variant]
    spec.option.integrator = getattr(mujoco.mjtIntegrator, f"mjINT_{integrator}")
    made = spec.compile()
    if stiff:
        made.geom_solref[:] = (2.0 * task.period, 1.0)
    made.jnt_limited[:] = 0
    made.dof_damping[:] = made.dof_frictionloss[:] = made.dof_armature[:] = 0.0
    return made


class Peer:
    """A MuJoCo run whose state is read through one of our simulators."""

    def __init__(self, task: Task, variant: str) -> None:
        import mujoco

        self.mujoco, self.model = mujoco, model(task, variant)
        self.data = mujoco.MjData(self.model)
        self.sim = task.simulator(METHODS["1/2"], 1)
        self.torque = task.begin(self.sim)
        names = self.sim.robots[0].joint_names
        self.v_at = np.array([self.model.joint(name).dofadr[0] for name in names])
        self.data.qpos[:], self.data.qvel[:] = convert.to_mujoco(self.sim, model=self.model)

    def step(self, k: int) -> None:
        """One control step; then our simulator holds MuJoCo's state."""
        self.data.qfrc_applied[self.v_at] = self.torque(self.sim, k)
        self.mujoco.mj_step(self.model, self.data)
        q, v = self.data.qpos, self.data.qvel
        if not (np.isfinite(q).all() and np.isfinite(v).all()):
            return
        self.sim.q[:], self.sim.v[:] = convert.from_mujoco(self.sim, q, v, model=self.model)


def run_peer(task: Task, variant: str) -> Run:
    """As stability.run: until the end or out of bounds. MuJoCo resets a run that diverges; its warning counts as failure."""
    peer = Peer(task, variant)
    largest = 0.0
    for k in range(task.stability_steps):
        peer.step(k)
        bad = any(int(w.number) for w in peer.data.warning)
        largest = max(largest, float(np.abs(peer.sim.v).max()))
        if bad or not largest <= task.bound:
            return Run(False, k + 1, largest, float(peer.sim.q[2]), 0)
    return Run(True, task.stability_steps, largest, float(peer.sim.q[2]), 0)


def _cell(task: Task, result: Run) -> str:
    end = "bounded" if result.stable else f"until {result.steps * task.period:.2f} s"
    return f"{end}, {result.height:.3f} m, {number(result.largest)}"


def section(tasks: Sequence[Task]) -> Section:
    """Beside MuJoCo; a sentence where it is not installed. Motions that switch by measured contact need our contacts: left out."""
    try:
        import mujoco
    except ImportError:
        return Section("Beside MuJoCo", "Not run: MuJoCo is not installed (pip install 'stiction[bench]').")
    out = Section("Beside MuJoCo", TEXT.format(version=mujoco.__version__))
    tasks = [task for task in tasks if task.published or task.name != "jump"]
    lines = [
        [f"stiction, {METHODS[name].label}", *(_cell(t, run(t, METHODS[name], 1)) for t in tasks)] for name in OURS
    ]
    for variant, (integrator, _) in VARIANTS.items():
        if hasattr(mujoco.mjtIntegrator, f"mjINT_{integrator}"):
            lines.append([f"MuJoCo, {variant}", *(_cell(t, run_peer(t, variant)) for t in tasks)])
    header = ["", *(f"{t.name} {1e3 * t.period:g} ms ({'published' if t.published else 'own'} motion)" for t in tasks)]
    out.tables.append(Table("One step per control period", header, lines))
    return out
