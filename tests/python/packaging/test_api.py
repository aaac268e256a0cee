# SPDX-License-Identifier: BSD-2-Clause
"""The public face. Oracle: the names of docs (a contract), and closed forms of one ball on a floor."""

import subprocess
import sys
import threading

import numpy as np
import pytest

import stiction as st


def ball_world(**options):
    world = st.World()
    world.add_ground(mu=0.8)
    options = {"radius": 0.1, "mass": 1.0, "position": (0, 0, 0.1)} | options
    return world, world.add_sphere(**options)


@pytest.fixture
def ball():
    world, body = ball_world()
    return st.Simulator(world, dt=1e-3), body


NAMES = {
    st: "World Simulator BatchSimulator BatchReport ContactProblem solve evaluate rollout catalog scene fclib robots ContactMode "
    "InvalidInput control problems options __version__",
    st.World: "add_ground add_urdf add_mjcf add_sdf add_sphere add_box add_capsule add_cylinder add_convex add_mesh "
    "add_heightfield add_static_sphere add_static_box add_static_capsule add_static_cylinder add_static_convex "
    "add_static_mesh add_contact_point add_material set_material_pair add_loop gravity warnings",
    st.Simulator: "q v time step set_pd apply_wrench contacts pose frame_pose jacobian mass_matrix bias com energy momentum "
    "net_wrench save restore hash problems joints set_joints reset set_keyframe",
    st.BatchSimulator: "q v ctrl act time step reset save restore hash set_pd clear_pd apply_wrench simulator threads",
    st.BatchReport: "status ok failed steps unaccepted contacts residual refused",
    st.Robot: "joint_names q_slice v_slice tau_slice frames name index keyframes",
    st.StepReport: "status ok iterations ncp own contacts unaccepted penetration",
    st.Report: "status ok iterations ncp own path",
    st.Residual: "primal dual complementarity natural b3 b4 ratio accepted",
    st.fclib: "load save",
    st.robots: "list load",
}


@pytest.mark.parametrize("owner", NAMES, ids=lambda o: o.__name__)
def test_names_of_the_contract_exist_and_explain_themselves(owner):
    for name in NAMES[owner].split():
        assert hasattr(owner, name), name
    assert owner.__doc__
    for name in NAMES[owner].split():
        member = getattr(owner, name)
        assert callable(member) is False or member.__doc__, f"{owner.__name__}.{name} has no docstring"


def test_modules_are_reached_from_the_package_and_heavy_ones_wait():
    """In a fresh interpreter: `import stiction` alone loads no packages that only some need, and every name of the contract is there."""
    names = "fclib siconos lcp export reference convert robots generate check recording render control problems view record scene"
    heavy = (
        "mcap",
        "matplotlib",
        "viser",
        "scipy",
        "h5py",
        "mujoco",
        "stiction.bench",
        "stiction.viewer",
        "stiction.control",
    )
    code = (
        f"import sys, stiction as st; print([name for name in {heavy} if name in sys.modules]); "
        f"print([name for name in '{names} rollout catalog'.split() if not getattr(st, name).__doc__ or name not in st.__all__])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.split("\n") == ["[]", "[]", ""], done.stdout + done.stderr


def test_q_and_v_are_views(ball):
    sim, _ = ball
    q = sim.q
    sim.q[0] = 3.0
    assert q[0] == 3.0 and np.shares_memory(q, sim.q)
    address = sim.q.ctypes.data
    blob = sim.save()
    sim.v[0] = 1.0
    sim.step(n=10)
    assert q[0] > 3.0, "the old view shows the new state"
    sim.restore(blob)
    assert q[0] == 3.0 and sim.q.ctypes.data == address


def test_views_keep_the_simulator_alive():
    q = st.Simulator(ball_world()[0]).q
    assert q[2] == 0.1


def test_assignment_copies_and_checks(ball):
    sim, _ = ball
    sim.q = [1, 2, 3, 0, 0, 0, 1]
    assert np.array_equal(sim.q, [1, 2, 3, 0, 0, 0, 1])
    before = sim.q.copy()
    with pytest.raises(ValueError, match=r"Simulator\.q has size 3, expected 7"):
        sim.q = [1, 2, 3]
    with pytest.raises(ValueError, match=r"Simulator\.v\[1\] is nan"):
        sim.v = [0, np.nan, 0, 0, 0, 0]
    assert np.array_equal(sim.q, before)


def test_strided_and_float32_inputs_are_accepted(ball):
    sim, _ = ball
    sim.q = np.array([[0, 9], [0, 9], [5, 9], [0, 9], [0, 9], [0, 9], [1, 9]], np.float32)[:, 0]
    assert sim.q[2] == 5.0


def test_status_is_its_name_and_force_carries_the_weight(ball):
    sim, body = ball
    report = sim.step(n=200)
    assert report.status == "converged" and report.steps == 200 and report.unaccepted == 0
    contacts = sim.contacts()
    assert contacts.dtype.names == (
        "body_a", "body_b", "geom_a", "geom_b", "point", "normal", "gap", "force", "slip", "mode", "torque",
    )  # fmt: skip
    assert len(contacts) == 1 and contacts["body_a"][0] == -1 and contacts["body_b"][0] == body.id
    assert contacts["mode"][0] == st.ContactMode.STICK
    assert np.allclose(contacts["force"][0], [0, 0, 9.81], atol=1e-6)
    assert np.allclose(sim.net_wrench(body), [0, 0, 9.81, 0, 0, 0], atol=1e-6)
    assert np.allclose(contacts["normal"][0], [0, 0, 1])


def test_no_contact_gives_an_empty_array():
    sim = st.Simulator(ball_world(position=(0, 0, 5))[0])
    sim.step()
    assert len(sim.contacts()) == 0 and sim.contacts()["force"].shape == (0, 3)


def test_queries_of_a_free_ball():
    world, body = ball_world(position=(1, 2, 3), velocity=(1, 0, 0), angular_velocity=(0, 0, 2))
    sim = st.Simulator(world)
    position, quaternion = sim.pose(body)
    assert np.allclose(position, [1, 2, 3]) and np.allclose(quaternion, [0, 0, 0, 1])
    assert np.allclose(sim.com(), [1, 2, 3])
    inertia = 0.4 * 0.1**2
    assert np.allclose(sim.mass_matrix(), np.diag([1, 1, 1] + [inertia] * 3))
    assert sim.energy().kinetic == pytest.approx(0.5 + 0.5 * inertia * 4)
    assert sim.energy().potential == pytest.approx(9.81 * 3)
    momentum = sim.momentum()
    assert np.allclose(momentum[:3], [1, 0, 0]) and np.allclose(
        momentum[3:], np.cross([1, 2, 3], [1, 0, 0]) + [0, 0, 2 * inertia]
    )


def test_bodies_may_be_given_as_handle_id_or_name():
    world, body = ball_world(name="marble")
    sim = st.Simulator(world)
    for way in (body, body.id, "marble"):
        assert np.allclose(sim.pose(way)[0], [0, 0, 0.1])
    with pytest.raises(ValueError, match="did you mean 'marble'"):
        sim.pose("marbel")


def test_wrench_lasts_for_one_call():
    world, body = ball_world(position=(0, 0, 50))
    world.gravity = (0, 0, 0)
    sim = st.Simulator(world, dt=1e-3)
    sim.apply_wrench(body, force=(2, 0, 0))
    sim.step(n=100)
    assert sim.v[0] == pytest.approx(0.2)
    sim.step(n=100)
    assert sim.v[0] == pytest.approx(0.2)


def test_gravity_is_a_view():
    world, _ = ball_world()
    world.gravity[2] = -1.0
    assert np.array_equal(world.gravity, [0, 0, -1])


def test_later_edits_do_not_reach_a_simulator():
    world, _ = ball_world()
    sim = st.Simulator(world)
    world.add_box(size=(1, 1, 1), mass=1)
    world.gravity = (0, 0, 0)
    assert sim.nq == 7
    sim.step()
    assert sim.contacts()["force"][0, 2] == pytest.approx(9.81, abs=1e-6)


def test_pd_holds_a_robot():
    sim = st.scene("anymal_stand")
    robot = sim.robots[0]
    assert len(robot.joint_names) == 12 and robot.tau_slice == slice(0, 12) and robot.floating
    start = sim.q[2]
    report = sim.step(target=sim.pd_target, n=200)
    assert report.status == "converged" and abs(sim.q[2] - start) < 0.15
    frame = robot.frames[-1]
    jacobian = sim.jacobian(frame)
    assert jacobian.shape == (6, sim.nv) and sim.frame_pose(frame)[0].shape == (3,)


def test_step_changes_the_frame_as_the_jacobian_says():
    """Oracle: finite differences of frame_pose along the motion."""
    sim = st.scene("anymal_stand")
    frame = sim.robots[0].frames[-1]
    sim.q[2] += 1.0  # in the air
    sim.v[:] = np.linspace(-1, 1, sim.nv)
    before = sim.frame_pose(frame)[0]
    sim.step()
    velocity = (sim.frame_pose(frame)[0] - before) / sim.dt
    assert np.allclose(velocity, (sim.jacobian(frame) @ sim.v)[:3], atol=0.05)


def test_solve_and_judge():
    problem = st.ContactProblem(np.eye(3) / 2, [1, 0, -0.5], mu=0.5, dt=1e-3)
    impulse, report = st.solve(problem, tolerance=1e-10)
    assert report.status == "converged"
    assert np.allclose(impulse, [-0.5, 0, 1], atol=1e-9)
    assert st.evaluate(problem, impulse, tolerance=1e-9).accepted
    assert not st.evaluate(problem, impulse + [0.1, 0, 0]).accepted
    assert not st.evaluate(problem, np.zeros(3)).accepted


def test_sparse_dense_and_triple_are_the_same_problem():
    sparse = pytest.importorskip("scipy.sparse")
    random = np.random.default_rng(1)
    jacobian = random.standard_normal((12, 9))
    jacobian[:6, :4] = 0.0
    jacobian[6:, 5:] = 0.0
    dense = jacobian @ jacobian.T
    g, mu = random.standard_normal(12), [0.3, 0.5, 0.7, 0.9]
    matrix = sparse.csr_matrix(dense)
    forms = [dense, matrix, matrix.tocsc(), matrix.tocoo(), (matrix.indptr, matrix.indices, matrix.data)]
    for form in forms:
        problem = st.ContactProblem(form, g, mu=mu)
        assert np.allclose(problem.G, dense, atol=1e-15) and problem.symmetric and problem.contacts == 4
        x = random.standard_normal(12)
        assert np.allclose(problem.multiply(x), dense @ x)
    unsymmetric = dense.copy()
    unsymmetric[0, 7] += 1e-6  # more would make it indefinite beyond round-off
    assert not st.ContactProblem(sparse.csr_matrix(unsymmetric), g, mu=mu).symmetric


def test_blocks_of_every_kind():
    """Oracle: decoupled rows with G = I have closed forms."""
    blocks = [st.Block.coulomb(0.5), st.Block.unilateral(), st.Block.bilateral(2), st.Block.box(-0.1, 0.1)]
    g = [0.1, 0, -1, -2, 3, -4, 5]
    problem = st.ContactProblem(np.eye(7), g, blocks=blocks, dt=1e-3)
    assert [b.row for b in problem.blocks] == [0, 3, 4, 6]
    impulse, report = st.solve(problem)
    assert report.status == "converged"
    assert np.allclose(impulse, [-0.1, 0, 1, 2, -3, 4, -0.1], atol=1e-6)


def test_problems_of_a_simulator_are_solvable(ball):
    sim, _ = ball
    state = sim.hash()
    (problem,) = sim.problems()
    impulse, report = st.solve(problem)
    assert report.status == "converged" and impulse[2] == pytest.approx(9.81e-3, rel=1e-6)
    assert sim.hash() == state, "a query changes nothing"


def test_threads_share_a_simulator_without_harm(ball):
    sim, _ = ball
    threads = [threading.Thread(target=sim.step, kwargs={"n": 500}) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sim.time == pytest.approx(2.0)


def test_catalog_entries():
    everything = st.catalog()
    assert set(everything) == {"laws", "solvers", "steppers", "scenes"}
    assert {"coulomb", "convex", "pyramid"} <= {e.name for e in everything["laws"]}
    assert {"auto", "nsgs", "pgs", "admm", "ppa_newton"} <= {e.name for e in everything["solvers"]}
    assert {"semi_implicit"} <= {e.name for e in everything["steppers"]}
    for kind, entries in everything.items():
        for entry in entries:
            assert entry.summary and (kind == "scenes" or entry.references), entry.name
            assert entry.truth or kind != "scenes"
            for option in entry.options:
                assert option.doc and option.unit and entry.defaults[option.name] == option.default


def test_clone_is_independent(ball):
    sim, _ = ball
    other = sim.clone()
    assert other.hash() == sim.hash()
    other.step(n=3)
    assert other.hash() != sim.hash() and sim.time == 0.0


def test_a_table_of_targets_gives_every_step_its_own():
    # Oracle: the same targets handed over one step at a time.
    def robot():
        world = st.World()
        world.add_ground()
        st.robots.load("starleth", world, position=(0, 0, 0.5))
        sim = st.Simulator(world, dt=1e-3)
        sim.set_pd(kp=100.0, kd=5.0, implicit=True)
        return sim

    one, table = robot(), robot()
    targets = np.random.default_rng(3).uniform(-0.2, 0.2, (20, one.ntau))
    for target in targets:
        one.step(target=target)
    report = table.step(target=targets)
    assert report.steps == 20
    assert one.hash() == table.hash()
    with pytest.raises(ValueError, match="rows of target"):
        table.step(target=targets, n=7)
    with pytest.raises(ValueError, match="target"):
        table.step(target=targets[:, 1:])
