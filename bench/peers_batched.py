# SPDX-License-Identifier: BSD-2-Clause
"""Environment steps per second of batches: stiction.BatchSimulator beside mujoco.rollout, ANYmals that follow random targets at 50 Hz.

    python bench/peers_batched.py [--environments 1024] [--threads 1] [--rounds 5] [--thrash]

Both start in the same posture and are given the same targets, drawn anew every four steps of 5 ms. Timed: CPU time of the process for a
second of simulated time; stiction is called once for every new target, as a policy would, and mujoco.rollout once for all of them (its best
case) on threads that stay. Median of alternating rounds; each round begins at the start. --thrash: targets so wide that the robots
fall and thrash about. --wall: wall-clock time instead, for more than one thread.
"""

from __future__ import annotations

import argparse
import time

import mujoco
import mujoco.rollout
import numpy as np

import stiction as st
from stiction.bench.peers import mujoco_models as mj

STEPS, HOLD = 200, 4  # steps of a round; steps with one target
FULL = mujoco.mjtState.mjSTATE_FULLPHYSICS


def our_round(batch: st.BatchSimulator, targets: np.ndarray) -> np.ndarray:
    batch.reset()
    return np.sum([batch.step(target=targets[:, k], n=HOLD).unaccepted for k in range(targets.shape[1])], axis=0)


class Peer:
    """mujoco.rollout with one contact setting."""

    def __init__(self, variant: str, sim: st.Simulator, targets: np.ndarray, threads: int) -> None:
        self.model = mj.anymal("noslip10", sim.dt, 40.0, 1.0)
        if variant == "default":
            self.model.opt.noslip_iterations = 0
        self.data = [mujoco.MjData(self.model) for _ in range(threads)]
        self.data[0].qpos[:] = mj.to_qpos(sim, self.model)
        state = np.empty(mujoco.mj_stateSize(self.model, FULL))
        mujoco.mj_getState(self.model, self.data[0], state, FULL)
        self.states = np.tile(state, (len(targets), 1))
        self.control = np.repeat(targets[:, :, mj.joint_order(sim, self.model)], HOLD, axis=1)
        self.out = np.empty((len(targets), STEPS, state.size))

    def round(self) -> None:
        mujoco.rollout.rollout(
            self.model, self.data, self.states, self.control, state=self.out, persistent_pool=True, skip_checks=False
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--environments", type=int, default=1024)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--thrash", action="store_true")
    parser.add_argument("--wall", action="store_true")
    asked = parser.parse_args()
    n, clock = asked.environments, time.perf_counter if asked.wall else time.process_time
    sim = st.scene("anymal_stand")
    wide = 1.5 if asked.thrash else 0.2
    noise = np.random.default_rng(0).uniform(-wide, wide, (n, STEPS // HOLD, 12))
    targets = np.array(sim.pd_target) + noise
    batch = st.BatchSimulator(sim, n, asked.threads)
    peers = {name: Peer(name, sim, targets, asked.threads) for name in ("noslip 10", "default")}

    def rate(run) -> float:
        begin = clock()
        run()
        return n * STEPS / (clock() - begin)

    unaccepted = our_round(batch, targets)
    found: dict[str, list[float]] = {"stiction": [], **{name: [] for name in peers}}
    for _ in range(asked.rounds):
        found["stiction"].append(rate(lambda: our_round(batch, targets)))
        for name, peer in peers.items():
            found[name].append(rate(peer.round))
    low = (batch.q[:, 2] < 0.3).mean()
    print(
        f"{n} ANYmals, {asked.threads} threads, {'wall-clock' if asked.wall else 'CPU'} time; "
        f"{unaccepted.sum() / (n * STEPS):.2%} of our steps not accepted, {low:.0%} of the robots down at the end"
    )
    for name, rates in found.items():
        ratio = np.array(found["stiction"]) / np.array(rates)
        quartiles = f"{np.quantile(ratio, 0.25):.2f} .. {np.quantile(ratio, 0.75):.2f}"
        label = name if name == "stiction" else f"mujoco.rollout {name}"
        print(f"{label:26} {np.median(rates):9.0f} steps/s   stiction / this {np.median(ratio):5.2f} ({quartiles})")


if __name__ == "__main__":
    main()
