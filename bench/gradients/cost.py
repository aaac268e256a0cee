# SPDX-License-Identifier: BSD-2-Clause
"""What a derivative of the rigid step costs, beside the step and beside Pinocchio's computeABADerivatives:

    python bench/gradients/cost.py [--repeat 12] [--robots anymal starleth talos_reduced]

CPU time per call from Python, smallest of some batches, all in turns in one process. The derivative includes the step. "solve" is the
derivative of the contact problem alone: st.derivatives and one product per column of (q, v, tau).
"""

import argparse
import time

import numpy as np
import pinocchio as pin

import stiction as st


def standing(name, law):
    """On its feet, pressed: a robot that has stood for a while under PD."""
    world = st.World()
    world.add_ground(mu=0.8)
    st.robots.load(name, world)
    sim = st.Simulator(world, law=law, dt=1e-3)
    sim.set_pd(kp=200.0, kd=5.0)
    sim.step(target=sim.q[7:], n=1500)
    return sim


def pinocchio_model(name):
    return pin.buildModelFromUrdf(str(st.robots.paths()[name]), pin.JointModelFreeFlyer())


def smallest(calls, repeat):
    best = [np.inf] * len(calls)
    for _ in range(repeat):
        for i, call in enumerate(calls):
            count, start = 0, time.process_time()
            while time.process_time() - start < 0.02:
                call()
                count += 1
            best[i] = min(best[i], (time.process_time() - start) / count)
    return [1e6 * b for b in best]


def measure(name, law, repeat):
    sim = standing(name, law)
    model = pinocchio_model(name)
    data = model.createData()
    q, v, tau = np.array(sim.q), np.array(sim.v), np.zeros(model.nv)
    if model.nq != sim.nq:
        q, v = pin.neutral(model), np.zeros(model.nv)
    other, blob = sim.clone(), sim.save()

    def step():
        other.restore(blob)
        other.step()

    restored = sim.clone()
    problems = sim.problems()
    solved = [(p, st.solve(p)[0]) for p in problems]
    columns = 2 * sim.nv + sim.ntau
    rng = np.random.default_rng(0)

    def solve_derivative():
        for p, impulse in solved:
            d = st.derivatives(p, impulse)
            for x in changes[len(impulse)]:
                d.jvp(dg=x)

    changes = {len(i): rng.normal(size=(columns, len(i))) for _, i in solved}
    calls = [
        lambda: pin.computeABADerivatives(model, data, q, v, tau),
        step,
        lambda: restored.restore(blob),
        sim.step_derivatives,
        solve_derivative,
    ]
    aba, with_restore, restore, derivative, solve = smallest(calls, repeat)
    own = with_restore - restore
    rows = sum(len(i) for _, i in solved)
    print(
        f"| {name} | {law} | {sim.nv} | {rows} | {own:.0f} | {derivative:.0f} | {derivative / own:.1f} | {aba:.0f} | {solve:.0f} "
        f"| {derivative / (aba + solve):.2f} |",
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=12)
    parser.add_argument("--robots", nargs="+", default=["anymal", "starleth", "talos_reduced"])
    arguments = parser.parse_args()
    print(
        "| standing | law | nv | rows | step [us] | derivative [us] | ratio | computeABADerivatives [us] | solve derivative [us] | ratio to both |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|")
    for name in arguments.robots:
        for law in ("coulomb", "convex"):
            measure(name, law, arguments.repeat)


if __name__ == "__main__":
    main()
