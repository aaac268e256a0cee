# SPDX-License-Identifier: BSD-2-Clause
"""What the workers of the tests do: policies are functions of a module."""

import numpy as np


def damp(observation):
    """A policy: push against the velocity, as PD targets; the last twelve numbers are those of the joints."""
    return np.tanh(observation[:, -12:]) * -0.1


SCRIPT = """
import os, pathlib, time

def run(gain, seed=0, law="coulomb"):
    print("scripts may print")
    if os.environ.get("SWEEP_SLOW"):
        time.sleep(float(os.environ["SWEEP_SLOW"]))
    victim = os.environ.get("SWEEP_KILL")  # a file: the first to remove it dies, in the middle of its run
    if victim and gain == 2 and seed == 3:
        try:
            os.unlink(victim)
            os.kill(os.getpid(), 9)
        except FileNotFoundError:
            pass
    if gain == 5:
        raise ValueError("five is too much")
    return dict(status="fine", score=gain * 0.1 + seed, nothing=float("nan"), law_used=law)
"""
