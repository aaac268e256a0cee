# SPDX-License-Identifier: BSD-2-Clause
"""What is done with a file of each format, as a user would: it is loaded, looked at and simulated for a moment.

As a program it is the fuzzer's worker: lines `kind seed` come in, a line with the outcome goes out. What it may do is
bounded; whatever ends the process is found by fuzz.py.
"""

import os
import re
import resource
import sys
import tempfile
import traceback
from pathlib import Path

import corpus
import mutate
import stiction as st
from stiction import check

MEMORY = 2 << 30  # bytes a case may take


def _run(sim: st.Simulator) -> None:
    sim.step(n=2)
    _ = sim.poses(), sim.geoms, [body.name for body in sim.bodies], sim.energy(), sim.contacts()


def _robot(path: Path) -> None:
    checked = check.robot(path)
    checked.text()
    world = st.World()
    world.add_ground()
    {".urdf": world.add_urdf, ".sdf": world.add_sdf, ".xml": world.add_mjcf}[path.suffix](path)
    world.describe()
    _run(st.Simulator(world, dt=1e-3))


def _mesh(path: Path) -> None:
    st.load_mesh(path)
    world = st.World()
    world.add_static_mesh(path)
    world.add_sphere(radius=0.5, mass=1.0, position=(0.3, 0.3, 0.3))
    _run(st.Simulator(world, dt=1e-3))


def _problem(path: Path) -> None:
    problem = st.problems.load(path).problem
    if path.suffix == ".hdf5":
        st.problems.fclib.load_solution(path)
        st.problems.fclib.load_guesses(path)
    if 0 < problem.rows <= 60:
        st.solve(problem, max_iterations=20)


def _world(path: Path) -> None:
    data, settings = path.read_bytes(), corpus.simulators()[0].settings
    try:
        sim = st._core.simulator_of_world(data, **settings)
    except st.InvalidInput as error:  # whoever makes a world up makes its fingerprint up as well
        found = re.search(r"that of what was read is (\d+)", str(error))
        if found is None:
            raise
        sim = st._core.simulator_of_world(mutate.sealed_world(data, int(found[1])), **settings)
    _run(sim)


def _state(path: Path) -> None:
    data, refused = path.read_bytes(), None
    for sim in corpus.simulators():
        other = sim.clone()
        try:
            other.restore(data)
        except st.InvalidInput as error:
            refused = error
            continue
        _run(other)
        return
    assert refused is not None
    raise refused


def _recording(path: Path) -> None:
    log = st.recording.load(path)
    _ = log.reports, log.contacts, log.inputs, log.snapshots, log.bodies
    st.recording.source(log).frame(len(log) - 1)
    st.recording.replay(log)


RUN = {**dict.fromkeys(("urdf", "sdf", "xml"), _robot), **dict.fromkeys(("obj", "stl", "dae"), _mesh),
       **dict.fromkeys(("hdf5", "dat", "npz"), _problem), "world": _world, "state": _state, "mcap": _recording}  # fmt: skip


def outcome(kind: str, seed: int, folder: Path) -> str:
    """`ran`, `refused`, or `bad` and why."""
    path = folder / f"case.{kind}"
    path.write_bytes(mutate.mutated(kind, seed, corpus.seeds(kind)))
    try:
        RUN[kind](path)
    except (st.InvalidInput, FileNotFoundError, ImportError):
        said = "refused"
    except Exception:
        said = "bad " + " | ".join(traceback.format_exc(limit=-3).split("\n")[-8:])
    else:
        said = "ran"
    if 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss > MEMORY:
        said = "bad it took more than 2 GB"
    return said


def main() -> None:
    if not os.environ.get("STICTION_SANITIZED"):  # sanitizers reserve terabytes of addresses
        resource.setrlimit(resource.RLIMIT_AS, (2 * MEMORY, 2 * MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with tempfile.TemporaryDirectory() as folder:
        for line in sys.stdin:
            kind, seed = line.split()
            said = outcome(kind, int(seed), Path(folder))
            sys.stdout.write(said.replace("\n", " ") + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
