# SPDX-License-Identifier: BSD-2-Clause
"""Solvers inside long simulations: does every step get accepted, how long does it take, and does anything creep?

Two subjects, one thread, CPU time of the calling thread, default tolerances:

tower    102 boxes laid dry, 872 contact points, dt 10 ms: at rest for 600 s; one box of the top layer kicked or kept at
         0.5 m/s; all boxes displaced by noise of 1e-7 to 1e-4 m, uniform in every coordinate.
anymal   a quadruped that sways, hops (a new start every second) or has fallen, dt 5 ms, 50 000 steps each, `auto` beside
         `nsgs` from the same states in chunks of 50 steps; chunks with a step that nsgs does not solve do not count.

Every row has its largest residual beside the times: natural map against exact Coulomb friction [N], and the judge's
ratio, accepted up to 1.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

import stiction as st

from ..output.suggest import unknown_name
from ..output.tables import number, text_table

Echo = Callable[[str], None] | None
Row = dict[str, Any]

CHUNK = 50  # steps per call where the mean is measured
EPISODE = 200  # steps of a hop


class Trace:
    """Times and residuals of single steps called from Python (about 1 us of each is the call)."""

    def __init__(self, steps: int) -> None:
        self.us = np.zeros(steps)
        self.accepted = np.zeros(steps, dtype=bool)
        self.iterations = self.made = self.contacts = 0
        self.residual = self.ratio = 0.0

    def step(self, sim: st.Simulator, **how: Any) -> st.StepReport:
        begin = time.thread_time_ns()
        report = sim.step(**how)
        self.us[self.made] = (time.thread_time_ns() - begin) / 1e3
        self.accepted[self.made] = report.unaccepted == 0
        self.made += 1
        self.iterations += report.iterations
        self.contacts = max(self.contacts, report.contacts)
        self.residual = max(self.residual, report.ncp.natural)
        self.ratio = max(self.ratio, report.own.ratio)
        return report

    def summary(self, dt: float) -> Row:
        us = self.us[: self.made]
        return {
            "steps": self.made, "unaccepted": int((~self.accepted[: self.made]).sum()),
            "unaccepted_steps": [int(i) for i in np.flatnonzero(~self.accepted[: self.made])[:50]],
            "first_step_ms": float(us[0]) / 1e3, "mean_ms": float(us.mean()) / 1e3, "p99_ms": float(np.quantile(us, 0.99)) / 1e3,
            "p999_ms": float(np.quantile(us, 0.999)) / 1e3, "max_ms": float(us.max()) / 1e3, "real_time": dt * 1e6 / float(us.mean()),
            "iterations_per_step": self.iterations / self.made, "contacts": self.contacts,
            "ncp_residual_N": self.residual, "judge_ratio": self.ratio,
        }  # fmt: skip


def _places(sim: st.Simulator) -> np.ndarray:
    return np.array(sim.q).reshape(-1, 7)[:, :3].copy()


def tower(steps: int) -> Row:
    """At rest: nothing moves."""
    sim = st.scene("kapla")
    start, trace = _places(sim), Trace(steps)
    for _ in range(steps):
        trace.step(sim)
    drift = float(np.linalg.norm(_places(sim) - start, axis=1).max())
    return {"case": f"at rest, {steps * sim.dt:g} s", **trace.summary(sim.dt), "drift_m": drift}


def tower_pushed(steps: int, axis: int, kept: bool) -> Row:
    """A box in the middle of the top layer starts at 0.5 m/s along x (lengthwise) or y, or is kept at that speed for 1 s."""
    sim = st.scene("kapla")
    start, trace = _places(sim), Trace(steps)
    box = len(start) - 9 + 1
    for i in range(steps):
        if i == 0 or (kept and i < 100):
            sim.v[6 * box + axis] = 0.5
        trace.step(sim)
    moved = np.linalg.norm(_places(sim) - start, axis=1)
    others = float(np.delete(moved, box).max())
    name = f"top box {'kept at' if kept else 'kicked to'} 0.5 m/s along {'xy'[axis]}"
    return {"case": name, **trace.summary(sim.dt), "drift_m": others, "box_moved_m": float(moved[box])}


def tower_noisy(steps: int, noise: float, seed: int = 1) -> Row:
    """Every coordinate of every box displaced at random; drift is what happens after that."""
    sim = st.scene("kapla")
    q = np.array(sim.q).reshape(-1, 7)
    q[:, :3] += np.random.default_rng(seed).uniform(-noise, noise, (len(q), 3))
    sim.q[:] = q.ravel()
    start, trace = _places(sim), Trace(steps)
    for _ in range(steps):
        trace.step(sim)
    drift = float(np.linalg.norm(_places(sim) - start, axis=1).max())
    late = int((~trace.accepted[round(3.0 / sim.dt) :]).sum())
    extra = {"drift_m": drift, "drift_over_noise": drift / noise, "unaccepted_from_3s": late}
    return {"case": f"noise {noise:g} m", **trace.summary(sim.dt), **extra}


def towers(quick: bool = False) -> list[Row]:
    """All cases of the tower."""
    long, push, rattle = (200, 60, 60) if quick else (60000, 300, 1000)
    rows = [tower(long)]
    rows += [tower_pushed(push, axis, kept) for kept in (False, True) for axis in (0, 1)]
    return rows + [tower_noisy(rattle, noise) for noise in (1e-7, 1e-6, 1e-5, 1e-4)]


def _targets(kind: str, steps: int) -> np.ndarray:
    from .peers import scene_targets

    return scene_targets(kind, steps)


class _Pair:
    """auto and nsgs along the same targets; nsgs starts every chunk where auto starts it."""

    def __init__(self, kind: str, steps: int) -> None:
        self.auto = st.scene("anymal_stand", targets=kind)
        self.nsgs = st.scene("anymal_stand", targets=kind, solver="nsgs")
        self.start, self.targets = self.auto.save(), _targets(kind, steps)
        self.episode = EPISODE if kind == "hopping" else 0
        self.steps = steps

    def chunks(self, size: int) -> Any:
        """Targets of one chunk after the other; the robot is put back at the beginning of an episode."""
        for at in range(0, self.steps, size):
            if self.episode and at % self.episode == 0:
                self.auto.restore(self.start)
            yield self.targets[at : at + size]

    def race(self) -> Row:
        """Mean times where nsgs succeeds, and what both do everywhere."""
        spent, all_us, counted, failed, unaccepted = np.zeros(2), 0.0, 0, 0, 0
        residual = 0.0
        for targets in self.chunks(CHUNK):
            self.nsgs.restore(self.auto.save())
            us, reports = np.zeros(2), []
            for k, sim in enumerate((self.auto, self.nsgs)):
                begin = time.thread_time_ns()
                reports.append(sim.step(target=targets))
                us[k] = (time.thread_time_ns() - begin) / 1e3
            all_us += us[0]
            unaccepted += reports[0].unaccepted
            failed += reports[1].unaccepted
            residual = max(residual, reports[0].ncp.natural)
            if reports[1].unaccepted == 0:
                spent, counted = spent + us, counted + len(targets)
        return {
            "mean_us": all_us / self.steps, "auto_us": spent[0] / max(1, counted), "nsgs_us": spent[1] / max(1, counted),
            "over_nsgs": spent[0] / spent[1], "counted_steps": counted, "unaccepted": unaccepted,
            "nsgs_unaccepted": failed, "ncp_residual_N": residual,
        }  # fmt: skip

    def single(self) -> Row:
        """Quantiles of single steps."""
        self.auto.restore(self.start)
        trace = Trace(self.steps)
        for targets in self.chunks(1):
            trace.step(self.auto, target=targets)
        row = trace.summary(self.auto.dt)
        row["unaccepted_single"] = row.pop("unaccepted")
        row["ncp_residual_N"] = trace.residual
        return row


def anymal(kind: str, quick: bool = False) -> Row:
    """One gait: moving, hopping or fallen."""
    pair = _Pair(kind, 400 if quick else 50000)
    race = pair.race()
    return {"case": kind, **pair.single(), **race}


def against_mujoco(kind: str, quick: bool = False) -> Row | None:
    """Ratio to MuJoCo with noslip 10 (bench/peers), or None where it is not installed."""
    from . import peers

    try:
        rows = peers.anymal(kind, quick)
    except (st.InvalidInput, ImportError):
        return None
    return next(row for row in rows if row["engine"] == "mujoco noslip10")


def _tower_table(rows: list[Row]) -> str:
    header = [
        "",
        "steps",
        "unaccepted",
        "first [ms]",
        "mean",
        "p99",
        "max",
        "x real time",
        "drift [m]",
        "NCP residual [N]",
        "ratio",
    ]
    cells = [
        [r["case"], str(r["steps"]), str(r["unaccepted"]), *(number(r[k]) for k in ("first_step_ms", "mean_ms", "p99_ms", "max_ms")),
         number(r["real_time"]), number(r["drift_m"]), number(r["ncp_residual_N"]), number(r["judge_ratio"], 2)]
        for r in rows
    ]  # fmt: skip
    return text_table(header, cells)


def _anymal_table(rows: list[Row]) -> str:
    header = ["", "steps", "unaccepted", "us/step", "over nsgs", "on steps", "nsgs failed", "p99.9 [us]", "max [us]",
              "MuJoCo noslip 10", "NCP residual [N]"]  # fmt: skip
    cells = [
        [r["case"], str(r["steps"]), str(r["unaccepted"]), number(r["mean_us"]), f"{r['over_nsgs']:.2f}x", str(r["counted_steps"]),
         str(r["nsgs_unaccepted"]), number(1e3 * r["p999_ms"]), number(1e3 * r["max_ms"]),
         f"{r['mujoco_ratio']:.2f}x" if r.get("mujoco_ratio") else "-", number(r["ncp_residual_N"])]
        for r in rows
    ]  # fmt: skip
    return text_table(header, cells)


def run(subject: str, quick: bool = False, echo: Echo = None) -> list[Row]:
    """`tower` or `anymal`."""
    if subject == "tower":
        rows = towers(quick)
        if echo:
            echo(_tower_table(rows))
        return rows
    if subject != "anymal":
        raise unknown_name("long run", subject, ["tower", "anymal"])
    rows = [anymal(kind, quick) for kind in ("moving", "hopping", "fallen")]
    for row in rows:
        peer = against_mujoco(row["case"], quick)
        row["mujoco_ratio"] = peer["ratio"] if peer else None
        row["mujoco_ratio_quartiles"] = peer["ratio_quartiles"] if peer else None
    if echo:
        echo(_anymal_table(rows))
    return rows
