# SPDX-License-Identifier: BSD-2-Clause
"""Whose gradient lies? Gradients of two motions for every law, solver, softness and step, against differences and against the truth:

    python bench/gradients/study.py [--scene drag foot] [--markdown FILE]

drag   a cube is pulled with k t and slips at t_s = mu m g/k. The gradients of x(1): by v(0.1), when it sticks (truth: 0, friction
       takes the push); by v(0.5), when it slides (truth: 0.5 s); by k, closed form.
foot   a quadruped on four point feet is pushed sideways and slides: where its foot is after 0.1 s by the speed at the start. No closed
       form: compare rows.

by steps  product of one-step derivatives in reverse (st.linearize); "-" where the law or the solver has none
by diff   central differences of the whole rollout, perturbed by 1e-6 (and by 1e-4, to see which rows are rough)
"""

import argparse
from pathlib import Path

import numpy as np

import stiction as st

MU, MASS, RATE, G = 0.4, 1.0, 20.0, 9.81
HARD = [
    ("coulomb", "auto"), ("coulomb", "nsgs"), ("coulomb", "admm"), ("coulomb", "ac_newton"), ("coulomb", "staggered"),
    ("convex", "auto"), ("convex", "admm"), ("convex", "interior_point"), ("pyramid", "lemke"), ("raisim", "bisection"),
]  # fmt: skip
SOFTNESS = (None, 1e6, 1e4)  # stiffness of every contact [N/m]; None: rigid
STEPS = {"drag": (1e-2, 1e-3), "foot": (2e-3, 5e-4)}


def truth_by_rate():
    s = 1.0 - MU * MASS * G / RATE
    return s**3 / (6 * MASS) + s**2 * MU * G / (2 * RATE)


def cube(stiffness, **settings):
    """The cube of cube_drag: it stands on four of eight small balls; with springs if there is a stiffness."""
    world = st.World()
    spring = {} if stiffness is None else {"stiffness": stiffness, "damping": 10.0}
    world.add_ground(mu=MU, **spring)
    body = world.add_box(size=(0.2, 0.2, 0.2), mass=MASS, position=(0, 0, 0.1), **spring)
    return st.Simulator(world, **settings), body


def drag_rollout(sim, body, steps, rate, push=None, at=0):
    for k in range(steps):
        if push is not None and k == at:
            sim.v[0] += push
        sim.apply_wrench(body, (rate * k * sim.dt, 0.0, 0.0), (0.0, 0.0, 0.0))
        sim.step()
    return sim.q[0]


def drag_by_steps(sim, body, steps, times):
    """x(1) by v at some steps, and by the rate: a force at the centre changes v by dt f/m before contacts act."""
    A, border = [], 0
    for k in range(steps):
        sim.apply_wrench(body, (RATE * k * sim.dt, 0.0, 0.0), (0.0, 0.0, 0.0))
        d = sim.step_derivatives()
        A.append(d.dx), sim.step()
        border += any(d.border)
    p = np.zeros(A[-1].shape[0])
    p[0], nv = 1.0, sim.nv
    by, by_rate = {}, 0.0
    for k in range(steps - 1, -1, -1):
        p = A[k].T @ p
        by[k] = p[nv]
        by_rate += p[nv] * sim.dt * k * sim.dt / MASS
    return [by[k] for k in times], by_rate, border / steps


def drag_row(law, solver, stiffness, dt):
    settings = {"law": law, "dt": dt}
    if law == "anchored":
        settings |= {"stepper": "exponential"}
    else:
        settings |= {"solver": solver, "solver_options": {"tolerance": 1e-12}}
    sim, body = cube(stiffness, **settings)
    start, steps = sim.save(), round(1.0 / dt)
    times = [round(0.1 / dt), round(0.5 / dt)]

    def run(rate=RATE, push=None, at=0):
        sim.restore(start)
        return drag_rollout(sim, body, steps, rate, push, at)

    x = run()
    by_diff = {}
    for e in (1e-4, 1e-6):
        by_diff[e] = [(run(push=e, at=k) - run(push=-e, at=k)) / (2 * e) for k in times] + [
            (run(RATE + e) - run(RATE - e)) / (2 * e)
        ]
    sim.restore(start)
    try:
        by, by_rate, border = drag_by_steps(sim, body, steps, times)
        by_steps = [*by, by_rate if law != "anchored" else None]
    except ValueError:
        by_steps, border = [None] * 3, None
    return x, by_steps, by_diff[1e-6], by_diff[1e-4], border


def foot_world(stiffness):
    from stiction.control import small_quadruped_world

    return small_quadruped_world(mu=0.3, stiffness=stiffness, damping=None if stiffness is None else 30.0)


def foot_row(law, solver, stiffness, dt):
    settings = {"law": law, "dt": dt}
    if law == "anchored":
        settings |= {"stepper": "exponential"}
    else:
        settings |= {"solver": solver, "solver_options": {"tolerance": 1e-12}}
    made = foot_world(stiffness)
    sim = made.simulator(**settings)
    sim.set_pd(kp=8.0, kd=0.2)
    target, steps = np.array(sim.q[7:]), round(0.1 / dt)
    sim.step(target=target, n=round(0.1 / dt))
    sim.v[:] = 0.0
    sim.v[1] = 0.5
    start, foot = sim.save(), made.feet[0]

    def run(change):
        sim.restore(start)
        sim.v[1] += change
        sim.step(target=target, n=steps)
        return sim.frame_pose(foot)[0][1]

    y = run(0.0)
    by_diff = {e: [(run(e) - run(-e)) / (2 * e)] for e in (1e-4, 1e-6)}
    sim.restore(start)
    try:
        line = st.linearize(sim, np.zeros((steps, sim.ntau)))  # the PD keeps its target
        end = sim.clone()
        end.q[:], end.v[:] = line.q[-1], line.v[-1]
        bar = np.zeros(2 * sim.nv)
        e = 1e-6
        for j in range(sim.nv):
            places = []
            for s in (e, -e):
                end.q[:] = sim.integrate(line.q[-1], s * np.eye(sim.nv)[j])
                places.append(end.frame_pose(foot)[0][1])
            bar[j] = (places[0] - places[1]) / (2 * e)
        by_steps, border = [line.backward(bar).x0[sim.nv + 1]], float(np.mean(line.border))
    except ValueError:
        by_steps, border = [None], None
    return y, by_steps, by_diff[1e-6], by_diff[1e-4], border


def cell(x):
    return "-" if x is None else f"{x:.6g}"


def table(name, row, names):
    head = ["law", "solver", "stiffness", "dt", "end [m]"]
    for n in names:
        head += [f"{n}: by steps", "by diff 1e-6", "by diff 1e-4"]
    lines = ["| " + " | ".join([*head, "steps with a border"]) + " |", "|" + "---|" * (len(head) + 1)]
    cases = [(law, solver, stiffness) for law, solver in HARD for stiffness in SOFTNESS] + [
        ("anchored", "-", 1e6),
        ("anchored", "-", 1e4),
    ]
    for law, solver, stiffness in cases:
        for dt in STEPS[name]:
            try:
                x, by_steps, small, large, border = row(law, solver, stiffness, dt)
            except ValueError as refused:
                print(f"   {law} {solver} {stiffness} {dt}: {refused}", flush=True)
                continue
            cells = [law, solver, "rigid" if stiffness is None else f"{stiffness:.0e}", f"{dt:g}", f"{x:.5f}"]
            for a, b, c in zip(by_steps, small, large, strict=True):
                cells += [cell(a), cell(b), cell(c)]
            cells.append("-" if border is None else f"{100 * border:.0f} %")
            lines.append("| " + " | ".join(cells) + " |")
            print(lines[-1], flush=True)
    return [f"### {name}", "", *lines, ""]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scene", nargs="+", default=["drag", "foot"], choices=["drag", "foot"])
    parser.add_argument("--markdown")
    arguments = parser.parse_args()
    out = []
    if "drag" in arguments.scene:
        s = 1.0 - MU * MASS * G / RATE
        print(f"truth: x(1) = {RATE * s**3 / 6:.5f} m, by v(0.1) 0, by v(0.5) 0.5, by k {truth_by_rate():.6g}")
        out += table("drag", drag_row, ("by v(0.1)", "by v(0.5)", "by k"))
    if "foot" in arguments.scene:
        out += table("foot", foot_row, ("by v(0)",))
    if arguments.markdown:
        Path(arguments.markdown).write_text("\n".join(out))


if __name__ == "__main__":
    main()
