# SPDX-License-Identifier: BSD-2-Clause
"""To and from MuJoCo's qpos and qvel.

    qpos, qvel = st.convert.to_mujoco(sim)                 # of the present state, in our order of joints
    qpos, qvel = st.convert.to_mujoco(sim, model=m)        # in the order of an mjModel, matched by joint names
    sim.q, sim.v = st.convert.from_mujoco(sim, qpos, qvel, model=m)

What differs, joint by joint (R turns body axes into world axes):

| joint | ours | MuJoCo |
|---|---|---|
| free | x y z, qx qy qz qw; v, w in body axes | x y z, qw qx qy qz; R v in world axes, w in body axes |
| spherical (ball) | qx qy qz qw; w in body axes | qw qx qy qz; w in body axes |
| continuous | cos, sin | angle |
| revolute, prismatic | angle, displacement | the same |
| translation | three displacements | three slides |
| planar | x, y, cos, sin; v in body axes | slides x and y, hinge; R v |
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ._core import Body, InvalidInput, Simulator
from .output.arguments import named
from .rotations import rotation_matrix, wxyz, xyzw

_QPOS = {"free": 7, "spherical": 4, "continuous": 1, "scalar": 1, "translation": 3, "planar": 3}
_QVEL = {"free": 6, "spherical": 3, "continuous": 1, "scalar": 1, "translation": 3, "planar": 3}
# mjtJoint: free, ball, slide, hinge
_MODEL_KINDS = {0: ("free",), 1: ("spherical",), 2: ("scalar",), 3: ("scalar", "continuous")}


@dataclass(frozen=True)
class _Joint:
    """A joint of ours: its kind, its name, the body that it carries, its part of q and v."""

    kind: str
    name: str
    body: str
    q: slice
    v: slice


@dataclass(frozen=True)
class _Place:
    """Where a joint is in qpos and qvel."""

    joint: _Joint
    q: slice
    v: slice


def _kind(sim: Simulator, body: Body) -> str:
    """Sizes tell the kind; balls and planar joints, both (4, 3), differ in what a shift along x does to (0, 0, 1, 0)."""
    sizes = body.q_slice.stop - body.q_slice.start, body.v_slice.stop - body.v_slice.start
    known = {(7, 6): "free", (1, 1): "scalar", (2, 1): "continuous", (3, 3): "translation"}
    if sizes in known:
        return known[sizes]
    q, d = sim.q.copy(), np.zeros(sim.nv)
    q[body.q_slice] = 0.0, 0.0, 1.0, 0.0
    d[body.v_slice] = 1.0, 0.0, 0.0
    return "planar" if np.linalg.norm(sim.integrate(q, d)[body.q_slice]) > 1.2 else "spherical"


def _joints(sim: Simulator) -> list[_Joint]:
    """All joints in the order of q."""
    names: dict[int, str] = {}
    kinds = [_kind(sim, body) for body in sim.bodies]
    for robot in sim.robots:
        moving = [i for i in range(robot.base, robot.base + len(robot.body_names)) if kinds[i] != "free"]
        names.update(zip(moving, robot.joint_names, strict=True))
    return [
        _Joint(kind, names.get(i, ""), body.name, body.q_slice, body.v_slice)
        for i, (kind, body) in enumerate(zip(kinds, sim.bodies, strict=True))
    ]


def _in_our_order(joints: Sequence[_Joint]) -> list[_Place]:
    places, nq, nv = [], 0, 0
    for joint in joints:
        sizes = _QPOS[joint.kind], _QVEL[joint.kind]
        places.append(_Place(joint, slice(nq, nq + sizes[0]), slice(nv, nv + sizes[1])))
        nq, nv = nq + sizes[0], nv + sizes[1]
    return places


def _free_name(model: Any, joint: int) -> str:
    """Free joints go by the name of the body that they carry: files seldom name them."""
    return str(model.body(int(model.jnt_bodyid[joint])).name)


def _name(model: Any, joint: int) -> str:
    """Joints without a name are called by their body, as the loader does: leg_joint, or leg_joint_0 and leg_joint_1."""
    if name := str(model.joint(joint).name):
        return name
    body = int(model.jnt_bodyid[joint])
    number = joint - int(model.body_jntadr[body])
    owner = str(model.body(body).name) or f"body_{body}"
    return f"{owner}_joint" + (f"_{number}" if int(model.body_jntnum[body]) > 1 else "")


def _slides_of(model: Any, joints: Sequence[_Joint], named: dict[str, int]) -> tuple[dict[str, _Place], int]:
    """Planar joints and translations as World.save_mjcf writes them: three joints in a row, name_x, name_y, and name_z or name_turn."""
    places = {}
    for joint in joints:
        last = {"translation": "z", "planar": "turn"}.get(joint.kind)
        if last is None or f"{joint.name}_x" not in named:
            continue
        first = named[f"{joint.name}_x"]
        if [named.get(f"{joint.name}_{end}") for end in ("y", last)] != [first + 1, first + 2]:
            raise InvalidInput(f"convert: the MuJoCo model has no three joints {joint.name}_x, _y and _{last} in a row")
        q, v = int(model.jnt_qposadr[first]), int(model.jnt_dofadr[first])
        places[joint.name] = _Place(joint, slice(q, q + 3), slice(v, v + 3))
    return places, 3 * len(places)


def _in_order_of(model: Any, joints: Sequence[_Joint]) -> list[_Place]:
    named = {_name(model, j): j for j in range(model.njnt) if int(model.jnt_type[j]) != 0}
    free = {_free_name(model, j): j for j in range(model.njnt) if int(model.jnt_type[j]) == 0}
    together, theirs = _slides_of(model, joints, named)
    mine = [joint for joint in joints if joint.kind == "free"]
    if len(mine) == len(free) == 1:
        free = {mine[0].body: next(iter(free.values()))}
    places = []
    for joint in joints:
        if joint.name in together:
            places.append(together[joint.name])
            continue
        label = f"free body '{joint.body}'" if joint.kind == "free" else f"joint '{joint.name}'"
        other = free.get(joint.body) if joint.kind == "free" else named.get(joint.name)
        if other is None:
            raise InvalidInput(f"convert: the MuJoCo model has no {label}; names must agree")
        kind = int(model.jnt_type[other])
        if joint.kind not in _MODEL_KINDS[kind]:
            raise InvalidInput(f"convert: {label} is {joint.kind} here and of mjtJoint {kind} in the MuJoCo model")
        q, v = int(model.jnt_qposadr[other]), int(model.jnt_dofadr[other])
        places.append(_Place(joint, slice(q, q + _QPOS[joint.kind]), slice(v, v + _QVEL[joint.kind])))
    if len(places) - len(together) + theirs != model.njnt:
        raise InvalidInput(
            f"convert: the MuJoCo model has {model.njnt} joints, the simulator {len(places)}; load the same robots"
        )
    return places


def _places(sim: Simulator, model: Any) -> list[_Place]:
    joints = _joints(sim)
    return _in_our_order(joints) if model is None else _in_order_of(model, joints)


def _rotation(quaternion: np.ndarray) -> np.ndarray:
    return rotation_matrix(quaternion / np.linalg.norm(quaternion))


def _turn(c: float, s: float) -> np.ndarray:
    return np.array([[c, -s], [s, c]]) / np.hypot(c, s)


def _q_to(kind: str, q: np.ndarray) -> np.ndarray:
    if kind == "free":
        return np.concatenate([q[:3], wxyz(q[3:])])
    if kind == "spherical":
        return wxyz(q)
    if kind == "continuous":
        return np.array([np.arctan2(q[1], q[0])])
    if kind == "planar":
        return np.array([q[0], q[1], np.arctan2(q[3], q[2])])
    return q


def _q_from(kind: str, x: np.ndarray) -> np.ndarray:
    if kind == "free":
        return np.concatenate([x[:3], xyzw(x[3:] / np.linalg.norm(x[3:]))])
    if kind == "spherical":
        return xyzw(x / np.linalg.norm(x))
    if kind == "continuous":
        return np.array([np.cos(x[0]), np.sin(x[0])])
    if kind == "planar":
        return np.array([x[0], x[1], np.cos(x[2]), np.sin(x[2])])
    return x


def _v_to(kind: str, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """`q` is ours."""
    if kind == "free":
        return np.concatenate([_rotation(q[3:7]) @ v[:3], v[3:]])
    if kind == "planar":
        return np.concatenate([_turn(q[2], q[3]) @ v[:2], v[2:]])
    return v


def _v_from(kind: str, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    if kind == "free":
        return np.concatenate([_rotation(q[3:7]).T @ v[:3], v[3:]])
    if kind == "planar":
        return np.concatenate([_turn(q[2], q[3]).T @ v[:2], v[2:]])
    return v


def _vector(x: ArrayLike, size: int, field: str) -> np.ndarray:
    out = np.asarray(x, float)
    if out.shape != (size,):
        raise InvalidInput(f"{field} has shape {out.shape}, expected ({size},)")
    return out


@named
def to_mujoco(
    sim: Simulator, q: ArrayLike | None = None, v: ArrayLike | None = None, *, model: Any = None
) -> tuple[np.ndarray, np.ndarray]:
    """Our q and v as MuJoCo's qpos and qvel.

    Parameters
    ----------
    sim
        Says which joints there are; all robots and free bodies, in the order in which they were added.
    q, v
        Configuration and velocity; those of the simulator by default.
    model
        An mjModel: the result is in its order, matched by the names of joints (free joints: of bodies). Without one, in ours.

    Returns
    -------
    qpos, qvel
    """
    q = _vector(sim.q if q is None else q, sim.nq, "to_mujoco.q")
    v = _vector(sim.v if v is None else v, sim.nv, "to_mujoco.v")
    places = _places(sim, model)
    qpos, qvel = (
        np.zeros(max((p.q.stop for p in places), default=0)),
        np.zeros(max((p.v.stop for p in places), default=0)),
    )
    for place in places:
        kind, part = place.joint.kind, q[place.joint.q]
        qpos[place.q] = _q_to(kind, part)
        qvel[place.v] = _v_to(kind, part, v[place.joint.v])
    return qpos, qvel


@named
def from_mujoco(
    sim: Simulator, qpos: ArrayLike, qvel: ArrayLike | None = None, *, model: Any = None
) -> tuple[np.ndarray, np.ndarray]:
    """MuJoCo's qpos and qvel as our q and v, the reverse of to_mujoco; qvel is zero by default.

    Parameters
    ----------
    sim
        Whose q and v are wanted.
    qpos
        (nq,) of MuJoCo.
    qvel
        (nv,) of MuJoCo; None is zero.
    model
        MuJoCo's mjModel, whose joints are matched by name; without it, the order is ours.
    """
    places = _places(sim, model)
    x = _vector(qpos, max((p.q.stop for p in places), default=0), "from_mujoco.qpos")
    size = max((p.v.stop for p in places), default=0)
    dx = _vector(np.zeros(size) if qvel is None else qvel, size, "from_mujoco.qvel")
    q, v = np.zeros(sim.nq), np.zeros(sim.nv)
    for place in places:
        kind = place.joint.kind
        part = _q_from(kind, x[place.q])
        q[place.joint.q] = part
        v[place.joint.v] = _v_from(kind, part, dx[place.v])
    return q, v


@named
def keyframes(path: str | Path) -> dict[str, np.ndarray]:
    """qpos of every <key> of an MJCF file by name (or number), for from_mujoco.

    Parameters
    ----------
    path
        Of the file.
    """
    from .check import xml_lines

    root = xml_lines.read(Path(path))
    found: dict[str, np.ndarray] = {}
    for key in (
        e for part in [root, *xml_lines.included(root, Path(path).parent)] for e in part.walk() if e.tag == "key"
    ):
        if "qpos" in key.attributes:
            found[key.name or str(len(found))] = np.array([float(word) for word in key.attributes["qpos"].split()])
    return found
