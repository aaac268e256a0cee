# SPDX-License-Identifier: BSD-2-Clause
"""Problems of simulations in files. Oracles: the step itself (forces of its contacts), the problem before it was written."""

import json

import numpy as np
import pytest

import stiction as st
from commands import stiction
from stiction.generate import robots as robot_steps
from stiction.problems.global_form import contact_rows

h5py = pytest.importorskip("h5py")


def sliding_box():
    world = st.World()
    world.add_ground(mu=0.5)
    box = world.add_box(size=(0.2, 0.2, 0.2), mass=1.0, position=(0, 0, 0.1))
    return st.Simulator(world, dt=1e-2), box


def test_problems_see_pending_wrenches():
    """Oracle: the forces of the step that follows. Pushed down with 20 N the floor carries 29.81 N."""
    sim, box = sliding_box()
    sim.step(n=5)
    sim.apply_wrench(box, force=(0, 0, -20.0))
    (problem,) = sim.problems()
    impulse, _ = st.solve(problem)
    sim.step()
    assert impulse[2::3].sum() / sim.dt == pytest.approx(29.81, abs=1e-6)
    assert sim.contacts()["force"][:, 2].sum() == pytest.approx(29.81, abs=1e-6)


def test_problems_leave_wrenches_and_state_alone():
    sim, box = sliding_box()
    sim.step(n=5)
    other = sim.clone()
    sim.apply_wrench(box, force=(3.0, 0, 0))
    other.apply_wrench(box, force=(3.0, 0, 0))
    before = sim.hash()
    sim.problems(), sim.problems(bodies=True)
    assert sim.hash() == before
    sim.step(), other.step()
    assert sim.hash() == other.hash()


def test_problems_see_the_drive_of_a_scene():
    """Oracle: the velocity that the step of the scene arrives at, of the whole robot, through the impulses."""
    sim = st.scene("starleth_push")
    while sim.time < 0.55:
        sim.step()  # the push has begun
    total = np.zeros(3)
    for problem in sim.problems():
        impulse, _ = st.solve(problem, tolerance=1e-10)
        rows = [b.row for b in problem.blocks if b.kind == "coulomb"]
        total[2] += sum(impulse[row + 2] for row in rows) / sim.dt
    sim.step()
    assert total[2] == pytest.approx(sim.contacts()["force"][:, 2].sum(), rel=1e-5)


def test_bodies_on_request():
    sim, _ = sliding_box()
    (dense,), (kept,) = sim.problems(), sim.problems(bodies=True)
    assert (dense.storage, kept.storage) == ("dense", "body_space")
    assert np.allclose(dense.G, kept.G, atol=1e-12 * np.abs(dense.G).max()) and np.array_equal(dense.g, kept.g)


@pytest.mark.parametrize("form", ["local", "global"])
def test_exported_problems_are_those_of_the_simulation(tmp_path, form):
    sim = st.scene("anymal_stand", targets="moving")
    twin = sim.clone()
    written = st.export.export(sim, range(0, 100, 20), tmp_path, form=form)
    assert len(written) >= 3 and {w.step for w in written} <= {0, 20, 40, 60, 80}
    for one in written:
        while round(twin.time / twin.dt) < one.step:
            twin.step()
        problem = twin.problems(bodies=form == "global")[one.island]
        again = st.fclib.load(tmp_path / one.file)
        assert again.storage == ("body_space" if form == "global" else "block_sparse")
        assert problem.contacts == one.contacts == int(one.file.split("-")[-2])
        found = st.fclib.reference(tmp_path / one.file)
        assert found.stored and found.residual.b3 <= 1e-9 and one.status == "converged"
        impulse, report = st.solve(again, tolerance=1e-10)
        assert report.status == "converged"
        u, wanted = (again.multiply(r) for r in (impulse, found.impulse))
        assert np.allclose(u, wanted, atol=1e-7)
        if all(block.kind == "coulomb" for block in problem.blocks):
            assert np.allclose(again.g, problem.g, atol=1e-15) and np.allclose(
                again.G, problem.G, atol=1e-12 * np.abs(problem.G).max()
            )


def test_condensed_again_is_the_local_file(tmp_path):
    sim = st.scene("kapla", storeys=1)
    (kept,) = st.export.export(sim.clone(), [1], tmp_path / "global", form="global")
    (local,) = st.export.export(sim, [1], tmp_path / "local")
    a = st.fclib.load(tmp_path / "global" / kept.file, condense=True)
    b = st.fclib.load(tmp_path / "local" / local.file)
    assert a.storage == b.storage == "block_sparse"
    x = np.cos(np.arange(a.rows))
    assert np.allclose(a.multiply(x), b.multiply(x), atol=1e-10 * np.abs(b.multiply(x)).max()) and np.allclose(
        a.g, b.g, atol=1e-13
    )


def test_texts_say_where_it_came_from(tmp_path):
    sim, _ = sliding_box()
    (one,) = st.export.export(sim, [3], tmp_path, name="box")
    assert one.file == "box-i00003-4-0.hdf5"
    with h5py.File(tmp_path / one.file) as file:
        text = {key: file[f"fclib_local/info/{key}"][()].decode() for key in ("title", "description", "math_info")}
    assert text["title"] == "box, step 3, island 0" and "t = 0.03 s" in text["description"]
    assert "law coulomb" in text["description"] and "Solution by auto: converged, B3" in text["math_info"]


def test_steps_must_ascend(tmp_path):
    sim, _ = sliding_box()
    with pytest.raises(ValueError, match="ascending"):
        st.export.export(sim, [3, 1], tmp_path)


def test_command_export(tmp_path):
    done = stiction("export", "cube_slide", "--steps", "10:14:2", "--output", "out", "--json", cwd=tmp_path)
    files = json.loads(done.stdout)
    assert [f["step"] for f in files] == [10, 12] and all((tmp_path / "out" / f["file"]).is_file() for f in files)
    table = stiction(
        "export", "cube_slide", "--steps", "10", "--form", "global", "--output", "out", cwd=tmp_path
    ).stdout
    assert "cube_slide-i00010-4-0.hdf5" in table and "converged" in table
    solved = stiction("solve", f"out/{files[0]['file']}", cwd=tmp_path).stdout
    assert "converged" in solved


def test_command_export_of_a_robot(tmp_path):
    done = stiction(
        "export", "starleth", "--height", "0.4", "--steps", "0:200:50", "--output", ".", "--json", cwd=tmp_path
    )
    assert any(f["contacts"] >= 1 for f in json.loads(done.stdout))


def test_command_generate(tmp_path):
    done = stiction(
        "generate",
        "wall",
        "--count",
        "2",
        "--set",
        "columns=2",
        "--set",
        "rows=2",
        "--output",
        "w",
        "--json",
        cwd=tmp_path,
    )
    assert [f["file"] for f in json.loads(done.stdout)] == ["wall_0.hdf5", "wall_1.hdf5"]
    again = st.fclib.load(tmp_path / "w" / "wall_1.hdf5")
    assert np.array_equal(again.g, st.generate.wall(2, 2, seed=1).g)
    assert (
        "stack_20_4.hdf5"
        in stiction("generate", "stack", "--contacts", "20", "--seed", "4", "--form", "global", cwd=tmp_path).stdout
    )


@pytest.mark.parametrize("arguments, words", [
    (["generate", "wal"], "unknown family 'wal'"),
    (["generate", "wall", "--set", "colour=1"], "no parameter 'colour'"),
    (["generate", "wall", "--contacts", "9", "--set", "rows=2"], "not both"),
    (["export", "cube_slide", "--output", ".", "--steps", "a:b"], "--steps needs numbers"),
    (["export", "cube_slide", "--output", ".", "--steps", "5:5"], "holds no step"),
    (["export", "cube_slid", "--output", "."], "did you mean 'cube_slide'"),
])  # fmt: skip
def test_wrong_commands_are_one_sentence(tmp_path, arguments, words):
    done = stiction(*arguments, cwd=tmp_path, code=2)
    assert words in done.stderr and done.stderr.count("\n") == 1 and done.stdout == ""


@pytest.mark.parametrize("form", ["local", "global"])
def test_joint_limits_and_dry_friction_are_exported(tmp_path, form):
    """Talos has both. Oracle: the simulation's own problem, solved with its own rows."""
    if "talos" not in robot_steps.available():
        pytest.skip("the models of example-robot-data are not installed")
    world = st.World()
    world.add_ground(mu=0.7)
    st.robots.load("talos_reduced", world, position=(0, 0, 1.1))
    sim = st.Simulator(world, dt=5e-3)
    sim.step(n=100)
    kinds = {block.kind for problem in sim.problems() for block in problem.blocks}
    assert "box" in kinds
    (one,) = st.export.export(sim, [0], tmp_path, name="talos", form=form)
    assert one.file and not one.note
    again = st.fclib.load(tmp_path / one.file)
    assert st.fclib.reference(tmp_path / one.file).residual.b3 <= 1e-8
    impulse, report = st.solve(again, tolerance=1e-10)
    own, _ = st.solve(sim.problems()[0].with_dt(None), tolerance=1e-10)
    assert report.status == "converged"
    rows = contact_rows(sim.problems()[0], "test")
    stored = rows.impulse(own)
    assert np.allclose(again.multiply(impulse), again.multiply(stored), atol=1e-6 * np.abs(again.g).max())
