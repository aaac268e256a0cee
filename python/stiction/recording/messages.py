# SPDX-License-Identifier: BSD-2-Clause
"""What a recording says: five kinds of message, their schemas (ROS 2 message definitions) and their bytes (CDR).

The schemas travel inside of the file, so that other programs (Foxglove, PlotJuggler, the mcap tools) read it without stiction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from .cdr import Reader, Writer

FORMAT = 1

STATE = """\
uint64 step      # steps made since the recording began; 0 is its start
float64 time     # simulated time [s]
uint64 hash      # of all the bits that the future depends on: Simulator.hash()
float64[] q      # configuration after the step
float64[] v      # velocity after the step
"""
INPUT = """\
uint64 step              # the step that it was given to; steps without input have no message
float64 time             # at the end of that step [s]
uint32 table             # 1: the target was a row of a table, which replaces the drive of a scene
float64[] tau            # joint efforts, empty for none
float64[] target         # of the joint PD, empty for none
Wrench[] wrenches        # that pushed bodies during the step
================================================================================
MSG: stiction_msgs/Wrench
float64[3] force         # world axes [N]
float64[3] torque        # world axes [N m]
float64[3] point         # world axes [m]; the centre of mass if at_point is 0
int32 body
int32 at_point
"""
CONTACTS = """\
uint64 step
float64 time             # [s]
Contact[] contacts
================================================================================
MSG: stiction_msgs/Contact
float64[3] point         # world axes [m]
float64[3] normal        # from body a to body b
float64[3] force         # on body b, world axes [N]
float64 gap              # at the start of the step, negative is overlap [m]
float64 slip             # tangential speed after the step [m/s]
int32 body_a             # -1 is the world
int32 body_b
int32 geom_a
int32 geom_b
int32 mode               # 0 open, 1 stick, 2 slip
int32 index              # place in the step's list
"""
REPORT = """\
uint64 step
float64 time             # [s]
float64 ncp              # distance from exact rigid Coulomb friction [N]
float64 own              # distance from the law's own rules [N]
float64 ratio            # largest error over what the tolerance allows
float64 signorini_power  # power that normal forces exchange although rigid contact exchanges none [W]
float64 penetration      # deepest overlap [m]
float64 kinetic          # energy [J]
float64 potential        # energy [J]
int32 iterations
int32 contacts
int32 islands
int32 unaccepted         # 1 if the judge did not accept the step
string status
"""
SNAPSHOT = """\
uint64 step              # after which it was taken
float64 time             # [s]
string reason            # start, period, edited (somebody wrote to the state) or end
uint8[] blob             # Simulator.save()
"""

SCHEMAS = {"/state": ("State", STATE), "/input": ("Input", INPUT), "/contacts": ("Contacts", CONTACTS),
           "/report": ("Report", REPORT), "/snapshot": ("Snapshot", SNAPSHOT)}  # fmt: skip
TOPICS = tuple(SCHEMAS)

CONTACT: Any = np.dtype(
    [("point", "<f8", 3), ("normal", "<f8", 3), ("force", "<f8", 3), ("gap", "<f8"), ("slip", "<f8"), ("body_a", "<i4"),
     ("body_b", "<i4"), ("geom_a", "<i4"), ("geom_b", "<i4"), ("mode", "<i4"), ("index", "<i4")]
)  # fmt: skip
WRENCH: Any = np.dtype(
    [("force", "<f8", 3), ("torque", "<f8", 3), ("point", "<f8", 3), ("body", "<i4"), ("at_point", "<i4")]
)
REPORT_NUMBERS = ("ncp", "own", "ratio", "signorini_power", "penetration", "kinetic", "potential",
                  "iterations", "contacts", "islands", "unaccepted")  # fmt: skip
_NONE = np.empty(0)


@dataclass
class State:
    step: int
    time: float
    hash: int
    q: np.ndarray
    v: np.ndarray

    def encode(self) -> bytes:
        return Writer().pack("QdQ", self.step, self.time, self.hash).array(self.q).array(self.v).bytes()

    @staticmethod
    def decode(data: bytes | memoryview) -> State:
        r = Reader(data)
        step, time, number = r.unpack("QdQ")
        return State(step, time, number, r.array(), r.array())


@dataclass
class Input:
    step: int
    time: float
    table: int
    tau: np.ndarray
    target: np.ndarray
    wrenches: np.ndarray

    @staticmethod
    def of(step: int, time: float, tau: Any, target: Any, wrenches: Sequence[Any]) -> Input | None:
        """What step() was given, or None if that was nothing."""
        if tau is None and target is None and not wrenches:
            return None
        wanted = _NONE if target is None else np.asarray(target, float)
        rows = np.zeros(len(wrenches), WRENCH)
        for row, (body, force, torque, point) in zip(rows, wrenches, strict=True):
            row["force"], row["torque"], row["body"] = force, torque, body
            row["point"], row["at_point"] = (0.0, 0) if point is None else (point, 1)
        return Input(
            step,
            time,
            int(wanted.ndim == 2),
            _NONE if tau is None else np.asarray(tau, float),
            wanted.reshape(-1),
            rows,
        )

    def encode(self) -> bytes:
        w = Writer().pack("Qd", self.step, self.time).pack("I", self.table)
        return w.array(self.tau).array(self.target).array(self.wrenches).bytes()

    @staticmethod
    def decode(data: bytes | memoryview) -> Input:
        r = Reader(data)
        (step, time), (table,) = r.unpack("Qd"), r.unpack("I")
        return Input(step, time, table, r.array(), r.array(), r.array(WRENCH))


def encode_contacts(step: int, time: float, contacts: np.ndarray) -> bytes:
    """`contacts` is what Simulator.contacts() gives."""
    rows = np.zeros((len(contacts), CONTACT.itemsize), np.uint8)
    if len(contacts):
        given = np.ascontiguousarray(contacts).view(np.uint8).reshape(len(contacts), -1)
        to, where = _moves(contacts.dtype)
        rows[:, to] = given[:, where]  # one copy instead of one per field
        rows.view(CONTACT)["index"][:, 0] = np.arange(len(contacts))
    return Writer().pack("Qd", step, time).array(rows.view(CONTACT).reshape(-1)).bytes()


def _offset(record: np.dtype[Any], field: str) -> int:
    fields: Any = record.fields
    return int(fields[field][1])


@cache
def _moves(given: np.dtype[Any]) -> tuple[np.ndarray, np.ndarray]:
    """Places of bytes in CONTACT and in the records of Simulator.contacts()."""
    to, where = [], []
    for name in ("point", "normal", "force", "gap", "slip", "body_a", "body_b", "geom_a", "geom_b", "mode"):
        kind, at, source = CONTACT[name], _offset(CONTACT, name), _offset(given, name)
        to.append(np.arange(at, at + kind.itemsize))
        where.append(np.arange(source, source + kind.itemsize))
    return np.concatenate(to), np.concatenate(where)


def decode_contacts(data: bytes | memoryview) -> tuple[int, np.ndarray]:
    """Step, and records of the type CONTACT."""
    r = Reader(data)
    step, _ = r.unpack("Qd")
    return step, r.array(CONTACT)


def encode_report(step: int, time: float, report: Any, energy: Any) -> bytes:
    ncp, own = report.ncp, report.own
    w = Writer().pack(
        "Q8d4i", step, time, ncp.natural, own.natural, own.ratio, ncp.signorini_power, report.penetration,
        energy.kinetic, energy.potential, report.iterations, report.contacts, report.islands, report.unaccepted,
    )  # fmt: skip
    return w.text(report.status).bytes()


def decode_report(data: bytes | memoryview) -> dict[str, Any]:
    r = Reader(data)
    step, time, *numbers = r.unpack("Q8d4i")
    return {"step": step, "time": time, **dict(zip(REPORT_NUMBERS, numbers, strict=True)), "status": r.text()}


@dataclass
class Snapshot:
    step: int
    time: float
    reason: str
    blob: bytes

    def encode(self) -> bytes:
        return Writer().pack("Qd", self.step, self.time).text(self.reason).blob(self.blob).bytes()

    @staticmethod
    def decode(data: bytes | memoryview) -> Snapshot:
        r = Reader(data)
        step, time = r.unpack("Qd")
        return Snapshot(step, time, r.text(), r.blob())
