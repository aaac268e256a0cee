# SPDX-License-Identifier: BSD-2-Clause
"""Models of Pinocchio in and out: ``load(model, world)`` and ``export(world)``. Needs its Python package: pip install pin."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from xml.sax.saxutils import quoteattr

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from . import _core


class Loaded(NamedTuple):
    """A robot, and where its numbers are: ``sim.q[loaded.q]`` and ``sim.v[loaded.v]`` are in the order of the model."""

    robot: _core.Robot
    q: NDArray[np.intp]
    v: NDArray[np.intp]


def _pinocchio() -> Any:
    try:
        import pinocchio
    except ImportError as missing:
        raise ImportError("stiction.pinocchio_model needs Pinocchio's Python package: pip install pin") from missing
    return pinocchio


def load(model: Any, world: _core.World, **options: Any) -> Loaded:
    """Adds the robot of a ``pinocchio.Model`` to a world.

    Joints about and along one axis, with or without limits, on a fixed base or behind a free flyer. Limits of positions and efforts,
    armature and the frames of the model come along. A model has no shapes: add contact points at its frames
    (``world.add_contact_point``) or load the URDF.

    Parameters
    ----------
    model
        ``pinocchio.Model``.
    **options
        As for ``world.add_urdf_text``, but for ``fixed``.
    """
    pin = _pinocchio()
    floating = model.njoints > 1 and model.joints[1].shortname() == "JointModelFreeFlyer"
    robot = world.add_urdf_text(_urdf(pin, model, floating), fixed=not floating, **options)
    first = 2 if floating else 1
    for i in range(first, model.njoints):
        armature = float(np.asarray(model.armature).ravel()[model.idx_vs[i]])
        if armature > 0.0:
            world.set_joint(robot, model.names[i], armature=armature)
    order = list(robot.joint_names)
    widths = {model.names[i]: model.nqs[i] for i in range(first, model.njoints)}
    start_q, start_v, at_q, at_v = {}, {}, robot.q_slice.start + 7 * floating, robot.v_slice.start + 6 * floating
    for name in order:
        start_q[name], start_v[name] = at_q, at_v
        at_q, at_v = at_q + widths[name], at_v + 1
    q = list(range(robot.q_slice.start, robot.q_slice.start + 7 * floating))
    v = list(range(robot.v_slice.start, robot.v_slice.start + 6 * floating))
    for i in range(first, model.njoints):
        name = model.names[i]
        q += range(start_q[name], start_q[name] + widths[name])
        v.append(start_v[name])
    return Loaded(robot, np.array(q, dtype=np.intp), np.array(v, dtype=np.intp))


def export(world: _core.World) -> Any:
    """The ``pinocchio.Model`` of a world: every body with its mass, its joints and frames. Contacts, friction and loops are not part of such a model.

    By way of an MJCF file, as ``world.save_mjcf`` writes it.
    """
    pin = _pinocchio()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "world.xml"
        world.save_mjcf(path)
        made = pin.buildModelFromMJCF(str(path))
    return made[0] if isinstance(made, tuple) else made


def _numbers(x: Any) -> str:
    return " ".join(repr(float(a)) for a in np.ravel(x))


def _origin(pin: Any, placement: Any) -> str:
    return (
        f'<origin xyz="{_numbers(placement.translation)}" rpy="{_numbers(pin.rpy.matrixToRpy(placement.rotation))}"/>'
    )


def _link(name: str, inertia: Any) -> str:
    if not inertia.mass > 0.0:
        return f"<link name={quoteattr(name)}/>"
    about = inertia.inertia
    parts = " ".join(
        f'{n}="{float(about[i, j])!r}"'
        for n, i, j in (("ixx", 0, 0), ("ixy", 0, 1), ("ixz", 0, 2), ("iyy", 1, 1), ("iyz", 1, 2), ("izz", 2, 2))
    )
    return (
        f'<link name={quoteattr(name)}><inertial><origin xyz="{_numbers(inertia.lever)}"/><mass value="{float(inertia.mass)!r}"/>'
        f"<inertia {parts}/></inertial></link>"
    )


def _urdf(pin: Any, model: Any, floating: bool) -> str:
    data, q = model.createData(), pin.neutral(model)
    pin.computeJointJacobians(model, data, q)
    root = 1 if floating else 0
    out = ['<?xml version="1.0"?><robot name="model">', _link(_link_name(model, root), model.inertias[root])]
    for i in range(root + 1, model.njoints):
        joint, name, at = model.joints[i], model.names[i], model.idx_vs[i]
        if model.nvs[i] != 1:
            raise ValueError(
                f"joint {name!r} of the model is a {joint.shortname()}; only joints of one velocity can be loaded, behind a free flyer at most"
            )
        screw = pin.getJointJacobian(model, data, i, pin.ReferenceFrame.LOCAL)[:, at]
        slides, turns = np.linalg.norm(screw[:3]) > 1e-12, np.linalg.norm(screw[3:]) > 1e-12
        if slides == turns:
            raise ValueError(
                f"joint {name!r} of the model is a {joint.shortname()}; only turns about and shifts along an axis can be loaded"
            )
        kind = "prismatic" if slides else "continuous" if model.nqs[i] == 2 else "revolute"
        limit = f'effort="{_bounded(_effort(model)[at])}" velocity="{_bounded(_speed(model)[at])}"'
        if kind != "continuous":
            low, high = model.lowerPositionLimit[model.idx_qs[i]], model.upperPositionLimit[model.idx_qs[i]]
            limit += f' lower="{_bounded(low)}" upper="{_bounded(high)}"'
        out.append(_link(_link_name(model, i), model.inertias[i]))
        out.append(
            f'<joint name={quoteattr(name)} type="{kind}"><parent link={quoteattr(_link_name(model, model.parents[i]))}/>'
            f"<child link={quoteattr(_link_name(model, i))}/>{_origin(pin, model.jointPlacements[i])}"
            f'<axis xyz="{_numbers(screw[:3] if slides else screw[3:])}"/><limit {limit}/></joint>'
        )
    taken = {_link_name(model, i) for i in range(model.njoints)} | set(model.names)
    for frame in model.frames:
        if (
            frame.type not in (pin.FrameType.OP_FRAME, pin.FrameType.BODY)
            or frame.name in taken
            or frame.parentJoint < root
        ):
            continue
        taken.add(frame.name)
        out.append(
            f'<link name={quoteattr(frame.name)}/><joint name={quoteattr(frame.name + "_fixed")} type="fixed">'
            f"<parent link={quoteattr(_link_name(model, frame.parentJoint))}/>"
            f"<child link={quoteattr(frame.name)}/>{_origin(pin, frame.placement)}</joint>"
        )
    return "".join([*out, "</robot>"])


def _link_name(model: Any, joint: int) -> str:
    return f"body_of_{model.names[joint]}"


def _bounded(x: float) -> str:
    """URDF has no word for infinity; beyond this nothing is reached."""
    return repr(float(np.clip(x, -1e9, 1e9)))


def _effort(model: Any) -> Any:
    return model.upperEffortLimit if hasattr(model, "upperEffortLimit") else model.effortLimit


def _speed(model: Any) -> Any:
    return model.upperVelocityLimit if hasattr(model, "upperVelocityLimit") else model.velocityLimit
