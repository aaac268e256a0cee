# SPDX-License-Identifier: BSD-2-Clause
"""Small random contact problems. A seed is a problem, the same for ever unless this file changes; its remainder by four says of which kind."""

from __future__ import annotations

import numpy as np

import stiction as st


def _log(random: np.random.Generator, low: float, high: float) -> float:
    return float(10.0 ** random.uniform(low, high))


def _mu(random: np.random.Generator) -> float:
    """0 for one in ten, to 1.5 for most, .01 to 10 for one in five."""
    return float(random.choice([0.0, random.uniform(0.0, 1.5), _log(random, -2.0, 1.0)], p=[0.1, 0.7, 0.2]))


def _step(random: np.random.Generator) -> float | None:
    return None if random.random() < 0.5 else 1e-3


def dense(random: np.random.Generator, law: str) -> st.ContactProblem:
    """One to six contacts, now and then with other rows; G = A A' of any rank, rows and columns of different size; one in seven may have no
    solution."""
    blocks = [st.Block.coulomb(_mu(random)) for _ in range(int(random.integers(1, 7)))]
    if random.random() < 0.2:
        blocks.append(st.Block.unilateral(angular=True))
    if random.random() < 0.1:
        blocks.append(st.Block.box(-float(random.exponential()), float(random.exponential()), angular=True))
    if random.random() < 0.1:
        blocks.append(st.Block.bilateral(int(random.integers(1, 4))))
    n = sum(b.size for b in blocks)
    m = max(1, round(n * random.choice([1.0, random.uniform(0.35, 1.0), random.uniform(1.0, 2.0)])))
    A = random.standard_normal((n, m))
    if random.random() < 0.3:
        A *= 10.0 ** random.uniform(-1.5, 1.5, (n, 1))
    if random.random() < 0.3:
        A *= 10.0 ** random.uniform(-1.0, 0.5, (1, m))
    g = A @ random.standard_normal(m) if random.random() < 0.85 else random.standard_normal(n)
    return st.ContactProblem(A @ A.T, g, blocks=blocks, law=law, dt=_step(random))


def _cross(r: np.ndarray) -> np.ndarray:
    return np.array([[0.0, -r[2], r[1]], [r[2], 0.0, -r[0]], [-r[1], r[0], 0.0]])


def _frame(random: np.random.Generator) -> np.ndarray:
    """Rows: two tangents and the normal; upright for half of the contacts, as on a floor."""
    turn = np.linalg.qr(random.standard_normal((3, 3)))[0]
    if random.random() < 0.5:
        a = random.uniform(0.0, 2.0 * np.pi)
        return np.array([[np.cos(a), np.sin(a), 0.0], [-np.sin(a), np.cos(a), 0.0], [0.0, 0.0, 1.0]])
    return turn


def bodies(random: np.random.Generator, law: str) -> st.ContactProblem:
    """One to four rigid bodies with masses over six orders of magnitude and one to three motors' joints, two to ten contacts on the ground and
    between them (points that repeat each other among them), loops, joint limits and dry friction. Velocity zero can be reached: there is a
    solution."""
    count, joints = int(random.integers(1, 5)), int(random.integers(0, 4))
    size = 6 * count + joints
    inverse = np.empty(size)
    for b in range(count):
        mass, radius = (
            _log(random, -3.0, 3.0) if random.random() < 0.5 else _log(random, -0.5, 0.5),
            _log(random, -2.0, 0.0),
        )
        inverse[6 * b : 6 * b + 3] = 1.0 / mass
        inverse[6 * b + 3 : 6 * b + 6] = 1.0 / (mass * radius**2 * random.uniform(0.2, 1.0, 3))
    inverse[6 * count :] = [1.0 / _log(random, -3.0, 1.0) for _ in range(joints)]

    def rows(frame: np.ndarray, arms: tuple[np.ndarray, np.ndarray], pair: tuple[int, int]) -> np.ndarray:
        """Velocity of a point of body a less that of body b; -1 is the ground. Joints carry the point along."""
        out = np.zeros((len(frame), size))
        for sign, body, arm in ((1.0, pair[0], arms[0]), (-1.0, pair[1], arms[1])):
            if body >= 0:
                out[:, 6 * body : 6 * body + 6] += sign * frame @ np.hstack([np.eye(3), -_cross(arm)])
        if joints and random.random() < 0.5:
            out[:, 6 * count :] = frame @ random.standard_normal((3, joints)) * 0.3
        return out

    def pair() -> tuple[int, int]:
        a = int(random.integers(count))
        b = int(random.integers(-1, count))
        return (a, -1) if a == b else (a, b)

    blocks, J = [], []
    for _ in range(int(random.integers(2, 11))):
        blocks.append(st.Block.coulomb(_mu(random)))
        if J and random.random() < 0.15:
            J.append(J[-1].copy())  # the same contact twice
        else:
            J.append(rows(_frame(random), tuple(random.uniform(-0.5, 0.5, (2, 3))), pair()))  # type: ignore[arg-type]
    for joint in range(joints):
        row = np.zeros((1, size))
        row[0, 6 * count + joint] = random.choice([-1.0, 1.0])
        what = random.random()
        if what < 0.3:
            blocks.append(st.Block.unilateral(angular=True))
        elif what < 0.6:
            bound = _log(random, -5.0, 0.0)
            blocks.append(st.Block.box(-bound, bound, angular=True))
        else:
            continue
        J.append(row)
    if random.random() < 0.25:
        axes = int(random.integers(1, 4))
        blocks.append(st.Block.bilateral(axes))
        J.append(rows(_frame(random)[:axes], tuple(random.uniform(-0.5, 0.5, (2, 3))), pair()))  # type: ignore[arg-type]
    A = np.vstack(J)
    fall = np.zeros(size)
    fall[2 : 6 * count : 6] = -9.81e-3
    v = fall + random.standard_normal(size) * (_log(random, -3.0, 1.0) if random.random() < 0.7 else 0.0)
    if np.abs(A @ v).max() < 1e-9:  # all fall together: g would be round-off
        v += random.standard_normal(size)
    return st.ContactProblem((A * inverse) @ A.T, A @ v, blocks=blocks, law=law, dt=_step(random))


def deficient(random: np.random.Generator, law: str) -> st.ContactProblem:
    """Two to eight contacts whose rows span a third to two thirds of their number, with friction to 10; u = 0 can be reached."""
    contacts = int(random.integers(2, 9))
    n = 3 * contacts
    m = max(1, round(n * random.uniform(0.3, 0.67)))
    A = random.standard_normal((n, m))
    if random.random() < 0.5:
        A *= np.repeat(10.0 ** random.uniform(-1.5, 1.5, contacts), 3)[:, None]
    blocks = [
        st.Block.coulomb(_mu(random) if random.random() < 0.7 else _log(random, -1.0, 1.0)) for _ in range(contacts)
    ]
    return st.ContactProblem(A @ A.T, A @ random.standard_normal(m), blocks=blocks, law=law, dt=_step(random))


def make(law: str, seed: int) -> st.ContactProblem:
    if seed % 4 == 3:  # up to 24 contacts, condition to 1e6
        return st.generate.adversarial(seed=seed).with_law(law)
    return (dense, bodies, deficient)[seed % 4](np.random.default_rng([5, seed]), law)


KINDS = ("dense", "bodies", "deficient", "adversarial")
