# SPDX-License-Identifier: BSD-2-Clause
"""Draws the figures of laws, solvers, steppers and soft contact: python docs/figures/make.py [FOLDER]

Everything comes out of the engine as it is installed; the same engine gives the same bytes. tests/python/docs/test_docs_site.py draws them
again and compares. (The figures fclib_* and hard_sweeps come from bench/solvers.)
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from matplotlib.figure import Figure

import stiction as st
from stiction.output.page import both_modes

HERE = Path(__file__).resolve().parent
STYLE = {"svg.hashsalt": "stiction", "svg.fonttype": "path", "font.size": 9, "axes.grid": True, "grid.linewidth": 0.3,
         "lines.linewidth": 1.3, "axes.spines.top": False, "axes.spines.right": False, "legend.frameon": False}  # fmt: skip
# Okabe and Ito: colour-blind readers tell them apart; dashes as well, for those who print in black.
COLOUR = {"coulomb": "#000000", "convex": "#0072B2", "pyramid": "#D55E00", "raisim": "#009E73", "anchored": "#CC79A7"}
DASH = {"coulomb": "-", "convex": "--", "pyramid": "-.", "raisim": ":", "anchored": (0, (5, 1))}
LAWS = ("coulomb", "convex", "pyramid", "raisim")


def law_line(law: str) -> dict[str, Any]:
    return {"color": COLOUR[law], "ls": DASH[law], "label": law}


def laws_cube() -> Figure:
    """A cube pushed off at 30 degrees to the axes, under every hard law: its path, and how high it hovers."""
    figure = Figure(figsize=(7.4, 2.7), layout="constrained")
    path, hover = figure.subplots(1, 2)
    for law in LAWS:
        sim = st.scene("cube_slide", law=law, dt=5e-3)
        rest, rows = sim.q[2], []
        for _ in range(60):
            sim.step()
            rows.append([sim.time, sim.q[0], sim.q[1], sim.q[2] - rest])
        t, x, y, z = np.array(rows).T
        along, aside = np.cos(np.pi / 6) * x + np.sin(np.pi / 6) * y, np.cos(np.pi / 6) * y - np.sin(np.pi / 6) * x
        path.plot(1e3 * along, 1e3 * aside, **law_line(law))
        hover.plot(t, 1e3 * z, **law_line(law))
    path.set(
        xlabel="travel along the push [mm]", ylabel="drift to the side [mm]", title="path: the exact one is straight"
    )
    hover.set(xlabel="time [s]", ylabel="height above the floor [mm]", title="hovering at dt 5 ms: the exact one is 0")
    hover.legend()
    return figure


def laws_friction() -> Figure:
    """One contact pushed in every direction: the friction that each law answers with. G couples all three rows."""
    G = np.array([[2.0, 0.4, 0.5], [0.4, 1.2, -0.3], [0.5, -0.3, 1.0]])  # T1, T2, N [1/kg]
    mu = 0.5
    figure = Figure(figsize=(7.4, 3.1), layout="constrained")
    friction, angle = figure.subplots(1, 2)
    turn = np.radians(np.arange(0.0, 361.0, 3.0))
    for law in LAWS:
        rows = []
        for a in turn:
            problem = st.ContactProblem(G, [3.0 * np.cos(a), 3.0 * np.sin(a), -1.0], mu=mu, dt=1e-3, law=law)
            impulse, _ = st.solve(problem, tolerance=1e-10)
            slip = G[:2] @ impulse + 3.0 * np.array([np.cos(a), np.sin(a)])
            off = np.arctan2(*impulse[1::-1]) - np.arctan2(*-slip[::-1])
            rows.append([*impulse[:2] / (mu * impulse[2]), np.degrees((off + np.pi) % (2 * np.pi) - np.pi)])
        x, y, off_axis = np.array(rows).T
        friction.plot(x, y, **law_line(law))
        angle.plot(np.degrees(turn), off_axis, **law_line(law))
    friction.set(
        aspect="equal",
        xlabel="friction T1 / (μ normal force)",
        ylabel="friction T2 / (μ normal force)",
        title="friction while sliding",
    )
    angle.set(
        xlabel="direction of the push [deg]",
        ylabel="angle to −slip [deg]",
        title="maximum dissipation asks for 0",
        xticks=range(0, 361, 90),
        ylim=(-50, 80),
    )
    angle.legend(fontsize=8, ncols=2)
    return figure


def solvers_residual() -> Figure:
    """How the judge's residual falls: a cube on four corners, and 1000 kg on 1 g."""
    figure = Figure(figsize=(7.4, 3.0), layout="constrained")
    axes = figure.subplots(1, 2, sharey=True)
    lines = {"pgs": ("#0072B2", "--"), "admm": ("#009E73", "-"), "apgd": ("#CC79A7", ":"), "ppa_newton": ("#E69F00", "-"),
             "interior_point": ("#56B4E9", "--"), "nsgs": ("#D55E00", "-.")}  # fmt: skip
    problems = (("a cube pulled sideways on four corners", st.reference.rp1()), ("1000 kg on 1 g", st.reference.rp2()))
    for axis, (title, problem) in zip(axes, problems, strict=True):
        for solver, (colour, dash) in lines.items():
            options = {"newton": 0} if solver == "admm" else {}
            _, report = st.solve(problem, solver=solver, tolerance=1e-8, max_iterations=1000, history=True, **options)
            steps = report.history
            axis.plot(steps["iteration"], np.maximum(steps["ratio"], 1e-4), color=colour, ls=dash, label=solver)
        axis.set(xscale="log", yscale="log", ylim=(1e-4, 1e11), xlabel="iterations of the method", title=title)
        axis.axhline(1.0, color="0.5", lw=0.8)
    axes[0].set_ylabel("error over tolerance (1: accepted)")
    axes[0].legend(fontsize=8)
    return figure


def soft_and_hard() -> Figure:
    """A ball of 1 kg falls 10 mm on the ground: force and height, rigid and on springs."""
    figure = Figure(figsize=(7.4, 2.8), layout="constrained")
    force, height = figure.subplots(1, 2)
    runs = (("coulomb", {}, 1e-3, "coulomb, rigid"), ("anchored", {"stiffness": 1e5, "damping": 300.0}, 1e-3, "anchored, 1e5 N/m"),
            ("anchored", {"stiffness": 2e4, "damping": 60.0}, 1e-3, "anchored, 2e4 N/m"))  # fmt: skip
    for (law, options, dt, label), dash in zip(runs, ("-", "--", ":"), strict=True):
        world = st.World()
        world.add_ground(mu=0.8)
        world.add_sphere(radius=0.1, mass=1.0, position=(0, 0, 0.11))
        sim = st.Simulator(
            world, law=law, dt=dt, law_options=dict(surface_anchoring=True, **options) if options else {}
        )
        rows = []
        while sim.time < 0.12:
            sim.step()
            rows.append([1e3 * sim.time, sim.contacts()["force"][:, 2].sum(), 1e3 * (sim.q[2] - 0.1)])
        t, f, z = np.array(rows).T
        look = {"color": COLOUR[law] if options.get("stiffness") != 2e4 else "#0072B2", "ls": dash, "label": label}
        force.plot(t, f, **look)
        height.plot(t, z, **look)
    force.axhline(9.81, color="0.6", lw=0.8)
    force.set(
        xlabel="time [ms]",
        ylabel="force of the ground [N]",
        title="force of the ground, dt 1 ms",
        yscale="symlog",
        ylim=(-1, 2000),
    )
    height.set(xlabel="time [ms]", ylabel="gap [mm]", title="height above the floor")
    height.legend(fontsize=8)
    return figure


def steppers_order() -> Figure:
    """Error after 20 ms of a mass held by a stiff spring-damper, against its closed form, for steps of 10 µs to 10 ms."""
    mass, stiffness, damping, end = 1.0, 1e5, 300.0, 0.02
    rate = damping / (2 * mass)
    omega = np.sqrt(stiffness / mass - rate**2)
    exact = np.exp(-rate * end) * (0.1 / omega) * np.sin(omega * end)  # starts at rest length with 0.1 m/s, no gravity
    lines = {"euler": ("#D55E00", "s", {}), "rk4": ("#009E73", "^", {}), "implicit_euler": ("#0072B2", "v", {}),
             "exponential": ("#CC79A7", "o", {"approximant": "1/2"}), "exponential exact": ("#000000", "D", {"approximant": "exact"})}  # fmt: skip
    figure = Figure(figsize=(5.2, 3.2), layout="constrained")
    axis = figure.subplots()
    for label, (colour, marker, options) in lines.items():
        rows = []
        for parts in (2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048):
            world = st.World()
            world.gravity = (0, 0, 0)
            body = world.add_sphere(radius=0.1, mass=mass, velocity=(0, 0, 0.1))
            world.add_contact_point(body, bilateral=True, stiffness=stiffness, damping=damping)
            sim = st.Simulator(world, law="anchored", stepper=label.split()[0], dt=end / parts, stepper_options=options)
            sim.step(n=parts)
            error = abs(sim.q[2] - exact)
            if np.isfinite(error) and error < 1e-2:
                rows.append([1e3 * end / parts, max(error, 1e-17)])
        axis.plot(*np.array(rows).T, color=colour, marker=marker, ms=4, label=label)
    axis.set(
        xscale="log",
        yscale="log",
        xlabel="step [ms]",
        ylabel="error of the position [m]",
        title="K = 1e5 N/m, B = 300 N s/m, 1 kg",
    )
    axis.legend(fontsize=8, loc="upper left")
    return figure


def gradients_modes() -> Figure:
    """A ball of 1 kg and one step of 1 ms: what it does, the derivative in each mode, and the relaxed one."""
    figure = Figure(figsize=(7.4, 2.9), layout="constrained")
    slide, touch = figure.subplots(1, 2)
    world = st.World()
    world.add_ground(mu=0.5)
    world.add_box(size=(0.2, 0.2, 0.2), mass=1.0, position=(0, 0, 0.1 - 2e-4))
    sim = st.Simulator(world, dt=1e-3, solver_options={"tolerance": 1e-12})
    blob = sim.save()

    def pushed(force: float) -> tuple[float, float]:
        sim.restore(blob)
        sim.v[0] = force * sim.dt
        slope = sim.step_derivatives().dx[6, 6]
        sim.step()
        return sim.v[0], slope

    forces = np.linspace(0.0, 60.0, 121)
    slide.plot(forces, [1e3 * pushed(f)[0] for f in forces], color=COLOUR["coulomb"], label="velocity after the step")
    for f, mode in ((12.0, "stick: slope 0"), (50.0, "slide: slope 1")):
        v, slope = pushed(f)
        along = np.array([-8.0, 8.0])
        slide.plot(f + along, 1e3 * (v + slope * along * sim.dt), color=COLOUR["pyramid"], lw=4, alpha=0.5)
        slide.annotate(mode, (f, 1e3 * v), xytext=(-30, 14), textcoords="offset points", fontsize=8)
    slide.set(xlabel="push within the step [N]", ylabel="velocity [mm/s]", title="a box, stuck and sliding: a kink")
    world = st.World()
    world.add_ground(mu=0.5)
    world.add_sphere(radius=0.1, mass=1.0, position=(0, 0, 0.1))
    ball = st.Simulator(world, dt=1e-3, solver_options={"tolerance": 1e-12}, law_options={"margin": 1e-2})
    heights = np.linspace(-0.5e-3, 1.5e-3, 201)

    def slope(height: float, eps: float) -> float:
        ball.reset()
        ball.q[2], ball.v[2] = 0.1 + height, -0.5
        return ball.step_derivatives(smooth=eps).dx[8, 2]

    for eps, colour, dash in ((0.0, "#000000", "-"), (1e-4, "#0072B2", "--"), (1e-2, "#D55E00", "-.")):
        label = "the step itself" if eps == 0.0 else f"smooth={eps:g}"
        touch.plot(1e3 * heights, [slope(h, eps) for h in heights], color=colour, ls=dash, label=label)
    touch.set(xlabel="height [mm]", ylabel="velocity after by height [1/s]", title="a ball that falls at 0.5 m/s")
    touch.legend(fontsize=8)
    return figure


FIGURES: dict[str, Callable[[], Figure]] = {
    f.__name__: f for f in (laws_cube, laws_friction, solvers_residual, soft_and_hard, steppers_order, gradients_modes)
}


def draw(name: str, folder: Path) -> Path:
    """Draws one figure; without dates, with ids that depend on nothing but its content."""
    path = folder / f"{name}.svg"
    with matplotlib.rc_context(STYLE):
        FIGURES[name]().savefig(path, metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    path.write_text(both_modes(path.read_text(encoding="utf-8")), encoding="utf-8")
    return path


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
    for name in FIGURES:
        print(draw(name, folder))


if __name__ == "__main__":
    main()
