# SPDX-License-Identifier: BSD-2-Clause
"""Cases that crashed, hung or were silently wrong. Each runs in a process of its own where a crash would end the tests."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest

import stiction as st

INERTIA = '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'


def run(code, **options):
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        **options,
    )


def test_judge_matches_points_by_identity():
    """A limit is left and a ball touches within one step: one point at its start, another one at its end."""
    found = run(f"""
        import stiction as st
        world = st.World()
        world.add_ground()
        world.add_urdf_text('''<robot name="r"><link name="a"/><link name="b"><inertial><mass value="1"/>{INERTIA}</inertial></link>
          <joint name="j" type="prismatic"><parent link="a"/><child link="b"/><axis xyz="1 0 0"/><limit lower="0" upper="1" effort="1" velocity="1"/></joint></robot>''',
          fixed=True, position=(5, 0, 5))
        world.add_sphere(radius=.1, mass=1., position=(0, 0, .1001), velocity=(0, 0, -.1))
        sim = st.Simulator(world, law="anchored", stepper="implicit_euler", dt=5e-3, law_options=dict(judge=True))
        sim.q[0], sim.v[0] = 1 + 1e-5, -.5
        for _ in range(40):
            sim.step()
        print("done", sim.time)
        """)
    assert found.returncode == 0 and "done" in found.stdout, found.stderr


def test_a_saved_world_is_not_trusted():
    """One number after the other is replaced and the checksum made anew: a sentence, or a world that runs."""
    found = run("""
        import numpy as np
        import stiction as st
        world = st.World()
        world.add_ground()
        world.add_box(size=(.1, .2, .3), mass=1., position=(0, 0, 1))
        world.add_urdf(st._core.model_path("starleth.urdf"), position=(0, 0, .6))
        sim = st.Simulator(world)
        good = sim.save_world()
        def checksum(data):
            words = [len(data)] + [int.from_bytes(data[i:i + 8], "little") for i in range(0, len(data), 8)]
            h = 0xcbf29ce484222325
            for w in words:
                h = ((h ^ w) * 0x100000001b3) % 2**64
                h ^= h >> 32
            h = ((h ^ (h >> 30)) * 0xbf58476d1ce4e5b9) % 2**64
            h = ((h ^ (h >> 27)) * 0x94d049bb133111eb) % 2**64
            return h ^ (h >> 31)
        head = 8 + 4 + 8
        assert int.from_bytes(good[12:20], "little") == checksum(good[head:]), "the hash is another one: change the test"
        rng = np.random.default_rng(1)
        refused = 0
        for _ in range(150):
            bad = bytearray(good)
            at = head + int(rng.integers(0, (len(good) - head) // 4)) * 4
            bad[at:at + 4] = int(rng.choice([2**31 - 1, 2**32 - 1, 1000, 7, 2**31])).to_bytes(4, "little")
            bad[12:20] = checksum(bad[head:]).to_bytes(8, "little")
            try:
                st._core.simulator_of_world(bytes(bad), **sim.settings).step(n=2)
            except ValueError:
                refused += 1
        print("refused", refused)
        """)
    assert found.returncode == 0, found.stderr[-2000:]
    assert int(found.stdout.split()[-1]) > 50


def test_threads_that_cannot_start():
    world = st.World()
    world.add_ground()
    world.add_sphere(radius=0.1, mass=1.0, position=(0, 0, 0.1))
    found = run("""
        import resource
        import numpy as np
        import stiction as st
        world = st.World()
        world.add_sphere(radius=.1, mass=1.)
        sim = st.Simulator(world)
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
        states = np.tile(np.concatenate([sim.q, sim.v]), (3000, 1))
        st.rollout(sim, states, steps=1, threads=3000)
        try:
            st.Simulator(world, solver="nsgs", solver_options=dict(threads=40000))
        except ValueError as refused:
            assert "threads" in str(refused)
        print("done")
        """)
    assert found.returncode == 0 and "done" in found.stdout, found.stderr[-2000:]


@pytest.mark.parametrize(
    "call",
    ["sim.step(n=10**9)", "st.rollout(sim, np.tile(np.concatenate([sim.q, sim.v]), (4, 1)), steps=10**7, threads=1)"],
)
def test_ctrl_c_stops_a_long_run(call):
    code = f"""
        import numpy as np
        import stiction as st
        world = st.World()
        world.add_ground()
        world.add_sphere(radius=.1, mass=1., position=(0, 0, .1))
        sim = st.Simulator(world)
        print("ready", flush=True)
        try:
            {call}
        except KeyboardInterrupt:
            print("stopped", np.isfinite(sim.q).all(), flush=True)
        """
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
    child = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)], env=environment, stdout=subprocess.PIPE, text=True
    )
    assert child.stdout.readline() == "ready\n"
    time.sleep(0.5)
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=20)
    assert child.returncode == 0 and "stopped True" in out


def test_a_wrench_of_another_thread_is_neither_lost_nor_read_half():
    world = st.World()
    world.gravity = (0, 0, 0)
    ball = world.add_sphere(radius=0.1, mass=1.0)
    sim = st.Simulator(world)
    calls, stop = 0, threading.Event()

    def step():
        while not stop.is_set():
            sim.step(n=200)

    worker = threading.Thread(target=step)
    worker.start()
    end = time.monotonic() + 1.0
    while time.monotonic() < end:
        sim.apply_wrench(ball, force=(1.0, 0, 0))
        calls += 1
    stop.set()
    worker.join()
    sim.step(n=200)
    assert calls > 0
    assert sim.v[0] == pytest.approx(0.2 * calls, rel=1e-9)


def link(name):
    return f'<link name="{name}"><inertial><mass value="1"/>{INERTIA}</inertial></link>'


def test_a_circle_beside_the_root_is_refused():
    joints = "".join(
        f'<joint name="{a}{b}" type="fixed"><parent link="{a}"/><child link="{b}"/></joint>' for a, b in ("bc", "cb")
    )
    with pytest.raises(ValueError, match="circle"):
        st.World().add_urdf_text(f'<robot name="r">{link("a")}{link("b")}{link("c")}{joints}</robot>')


def test_a_joint_of_a_link_to_itself_is_refused(tmp_path):
    sdf = tmp_path / "self.sdf"
    sdf.write_text(
        '<sdf version="1.7"><model name="m"><link name="a"/><link name="b"/>'
        '<joint name="j" type="revolute"><parent>b</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint></model></sdf>'
    )
    with pytest.raises(ValueError, match="itself"):
        st.World().add_sdf(sdf)


LONG = {
    "jor": "solver='jor', max_iterations=10**9, stop='change', relative_change=0., absolute_change=0., alpha=.003",
    "lemke": "solver='lemke'",
    "auto": "tolerance=1e-300",
}


@pytest.mark.parametrize("solver", LONG)
def test_ctrl_c_stops_a_long_solve(solver):
    """Each takes much longer than the test waits; Ctrl-C did nothing until the solve was over."""
    code = f"""
        import time
        import numpy as np
        import stiction as st
        rng = np.random.default_rng(0)
        n = 900
        A = rng.normal(size=(n, n // 2))
        problem = st.ContactProblem(A @ A.T, rng.normal(size=n), mu=.9, law={"pyramid" if solver == "lemke" else "coulomb"!r})
        print("ready", flush=True)
        try:
            st.solve(problem, {LONG[solver]})
        except KeyboardInterrupt:
            print("stopped", flush=True)
        """
    child = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)],
        env=dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path)),
        stdout=subprocess.PIPE,
        text=True,
    )
    assert child.stdout.readline() == "ready\n"
    time.sleep(0.3)
    begin = time.monotonic()
    child.send_signal(signal.SIGINT)
    assert child.stdout.readline() == "stopped\n"
    assert time.monotonic() - begin < 4.0
    child.communicate(timeout=60)


def test_a_forked_process_solves_with_threads():
    """Threads do not follow a fork: the child waited for them for ever."""
    found = run("""
        import os, signal
        import numpy as np
        import stiction as st
        rng = np.random.default_rng(0)
        A = rng.normal(size=(90, 200))
        problem = st.ContactProblem(A @ A.T, rng.normal(size=90), mu=.5)
        world = st.World()
        world.add_ground()
        for k in range(60):
            world.add_box(size=(.1, .1, .1), mass=1., position=(.1 * (k % 6), .03 * (k // 6 % 2), .0499 + .0999 * (k // 6)))
        sim = st.Simulator(world, solver="nsgs", solver_options=dict(threads=2, order="coloured", max_iterations=50))
        sim.step()
        blob = sim.save()
        sim.step(n=2)
        wanted = sim.hash()
        child = os.fork()
        if child == 0:
            signal.alarm(60)
            sim.restore(blob)
            sim.step(n=2)
            same = sim.hash() == wanted
            del sim
            os._exit(0 if same else 1)
        print("code", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        sim.step()
        """)
    assert found.returncode == 0 and found.stdout.strip() == "code 0", found.stdout + found.stderr[-1000:]
