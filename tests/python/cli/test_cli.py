# SPDX-License-Identifier: BSD-2-Clause
"""The command. Oracle: its own --json beside the table, the same calls through the API, exit codes."""

import json
import re

import pytest

import stiction as st
from commands import stiction
from mjcf_files import servo_scene


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    folder = tmp_path_factory.mktemp("demo")
    return stiction("demo", "--quick", cwd=folder), folder


def test_demo_prints_a_table_of_every_law(demo):
    done, _ = demo
    lines = done.stdout.splitlines()
    for entry in st.catalog()["laws"]:
        row = next(line for line in lines if line.split()[:1] == [entry.name])
        assert len(row.split()) == 8
    for column in ("slip", "penetration", "energy error", "NCP residual", "iterations", "us/step"):
        assert done.stdout.count(column) >= 2, f"{column} is a column and is explained"
    assert done.stderr == ""


def test_demo_report_opens_offline(demo):
    _, folder = demo
    page = (folder / "report.html").read_text()
    assert "http:" not in page and "https:" not in page and "<script" not in page
    assert page.count(' src="data:image/png;base64,') == page.count(" src=") == 5 * page.count("<figcaption>") > 0
    assert page.count("<svg") == 1 and page.rstrip().endswith("</html>")
    for law in st.catalog()["laws"]:
        assert f"<td>{law.name}</td>" in page


def test_report_has_the_same_bytes_again(tmp_path):
    from stiction.bench import measure, run_report

    runs = [measure.measure(lambda: st.scene("cube_slide"), 0.05, "cube", repeats=0)]
    for name in ("a.html", "b.html"):
        run_report.write(tmp_path / name, "title", "what", runs)
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()


def test_list():
    everything = stiction("list").stdout
    for kind in ("laws", "solvers", "steppers", "scenes"):
        for entry in st.catalog()[kind]:
            assert re.search(rf"^  {entry.name} ", everything, re.MULTILINE)
    assert "starleth" in everything
    detailed = stiction("list", "solvers").stdout
    assert "tolerance = 1e-08" in detailed


def test_run_is_the_same_as_the_api():
    result = json.loads(stiction("run", "cube_slide", "--duration", "0.1", "--set", "angle=0.4", "--json").stdout)
    sim = st.scene("cube_slide", angle=0.4)
    report = sim.step(n=round(0.1 / sim.dt))
    assert result["steps"] == report.steps and result["status"] == report.status
    assert result["ncp_residual_N"] == report.ncp.natural
    assert result["penetration_m"] == report.penetration
    table = stiction("run", "cube_slide", "--duration", "0.02").stdout
    assert "slip [mm]" in table and "converged" in table


def test_run_a_file(root):
    result = json.loads(
        stiction(
            "run", str(root / "models" / "anymal_prim.urdf"), "--duration", "0.05", "--dt", "0.005", "--json"
        ).stdout
    )
    assert result["steps"] == 10 and result["status"] == "converged"


def test_run_a_keyframe_of_a_file(tmp_path):
    """The same as the API: the file's own floor, time step and ctrl."""
    path = str(servo_scene(tmp_path))
    result = json.loads(stiction("run", path, "--keyframe", "home", "--duration", "0.1", "--json").stdout)
    assert result["dt_s"] == 0.002 and result["steps"] == 50 and result["contacts"] == 0
    stiction("run", path, "--keyframe", "home", "--duration", "0.1", "--record", "run.mcap", cwd=tmp_path)
    world = st.World()
    world.add_mjcf(path)
    sim = st.Simulator(world)
    sim.set_keyframe("home")
    sim.step(n=50)
    assert st.recording.load(tmp_path / "run.mcap").q[-1] == pytest.approx(sim.q, abs=1e-12)
    wrong = stiction("run", path, "--keyframe", "hom", code=2).stderr
    assert "unknown keyframe 'hom'" in wrong and "home, low" in wrong
    assert "no keyframes" in stiction("run", "starleth", "--keyframe", "home", code=2).stderr
    assert "start of its own" in stiction("run", "cube_slide", "--keyframe", "home", code=2).stderr


def test_compare(tmp_path):
    done = stiction(
        "compare", "cube_slide", "--laws", "coulomb,pyramid", "--solvers", "nsgs,pgs", "--duration", "0.02", "--json",
        "--report", "r.html", cwd=tmp_path,
    )  # fmt: skip
    result = json.loads(done.stdout)
    assert [r["label"] for r in result["runs"]] == ["coulomb nsgs", "coulomb pgs", "pyramid pgs"]
    assert len(result["refused"]) == 1 and "nsgs" in result["refused"][0] and "pyramid" in result["refused"][0]
    assert (tmp_path / "r.html").is_file()


def test_solve(tmp_path):
    pytest.importorskip("h5py")
    import numpy as np

    jacobian = np.random.default_rng(0).standard_normal((9, 12))
    st.fclib.save(tmp_path / "p.hdf5", st.ContactProblem(jacobian @ jacobian.T, np.arange(9) - 4.0, mu=0.5))
    (result,) = json.loads(stiction("solve", str(tmp_path / "p.hdf5"), "--json").stdout)
    assert result["status"] == "converged" and result["contacts"] == 3 and result["b3"] <= 1e-8
    assert "converged" in stiction("solve", str(tmp_path / "p.hdf5"), "--solver", "nsgs").stdout


@pytest.fixture
def files(tmp_path):
    """One problem of contacts as .dat, one LCP as .npz and .dat, whose solution is (4/3, 7/3)."""
    import numpy as np

    jacobian = np.random.default_rng(0).standard_normal((9, 12))
    st.siconos.save(tmp_path / "contacts.dat", st.ContactProblem(jacobian @ jacobian.T, np.arange(9) - 4.0, mu=0.5))
    M, q = np.array([[2.0, 1], [1, 2]]), np.array([-5.0, -6])
    st.lcp.save(tmp_path / "lcp.npz", M, q)
    st.siconos.save(tmp_path / "lcp.dat", st.lcp.problem(M, q))
    return tmp_path


def test_solve_every_format(files):
    import numpy as np

    results = json.loads(stiction("solve", "contacts.dat", "lcp.npz", "lcp.dat", "--json", cwd=files).stdout)
    assert [r["format"] for r in results] == ["Siconos local", "LCP", "Siconos LCP"]
    assert all(r["status"] == "converged" for r in results)
    assert "lcp_error" not in results[0] and results[1]["lcp_error"] <= 1e-8 and results[2]["lcp_error"] <= 1e-8
    assert "LCP error" in stiction("solve", "lcp.npz", cwd=files).stdout
    stiction("solve", "lcp.npz", "--output", "z.npz", "--history", "h.json", "--solver", "pgs", cwd=files)
    with np.load(files / "z.npz") as out:
        assert np.allclose(out["impulse"], [4 / 3, 7 / 3]) and np.allclose(out["velocity"], 0, atol=1e-6)
    (history,) = json.loads((files / "h.json").read_text())
    assert history["solver"] == "pgs" and len(history["history"]["b3"]) == history["history"]["iteration"][-1]


def test_solve_takes_options_and_says_when_it_failed(files):
    done = stiction(
        "solve", "contacts.dat", "--solver", "pgs", "--option", "max_iterations=1", "--json", cwd=files, code=1
    )
    (result,) = json.loads(done.stdout)
    assert result["status"] == "max_iterations" and result["iterations"] == 1
    turned = [
        json.loads(stiction("solve", "contacts.dat", "--law", "pyramid", "--angle", angle, "--json", cwd=files).stdout)[
            0
        ]
        for angle in ("0", "0.4")
    ]
    assert turned[0]["ncp_b3"] != turned[1]["ncp_b3"] and all(r["law"] == "pyramid" for r in turned)


def test_compare_problems(files):
    arguments = [
        "--problems",
        "contacts.dat",
        "lcp.npz",
        "--solvers",
        "nsgs,pgs",
        "--tolerances",
        "1e-4,1e-8",
        "--time-limit",
        "2",
    ]
    done = stiction(
        "compare", *arguments, "--repeats", "1", "--report", "r.html", "--records", "r.json", "--json", cwd=files
    )
    result = json.loads(done.stdout)
    assert len(result["records"]) == 8 and result["refused"] == []
    for record in result["records"]:
        assert record["limit"] == 2.0 and record["tolerance"] in (1e-4, 1e-8) and record["start"] == "cold"
        assert record["solved"] == (record["seconds"] is not None)
    assert (files / "r.html").is_file()
    other = [
        "--problems",
        "contacts.dat",
        "lcp.npz",
        "--solvers",
        "admm",
        "--tolerances",
        "1e-4,1e-8",
        "--repeats",
        "1",
        "--merge",
        "r.json",
    ]
    text = stiction("compare", *other, "--time-limit", "2", "--pairwise", cwd=files).stdout
    for words in ("rho(inf)", "B3 at 0.1 ms", "ms to 1e-8", "nsgs / admm", "Share solved", "LCP error"):
        assert words in text
    assert "cannot be mixed" in stiction("compare", *other, "--time-limit", "3", cwd=files, code=2).stderr


def test_bench_smoke():
    out = stiction("bench", "cube_slide", "--quick").stdout
    assert "steps/s" in out and "cube_slide" in out
    result = json.loads(stiction("bench", "cube_slide", "--quick", "--json").stdout)
    assert result["machine"]["compiler"] and result["results"][0]["steps"] == 20


def test_bench_tells_the_time_of_each_stage():
    stages = ["kinematics", "detect", "factor", "assemble", "solve", "integrate", "rest"]
    assert all(word in stiction("bench", "pile", "--profile", "--quick").stdout for word in stages)
    result = json.loads(stiction("bench", "pile", "--profile", "--quick", "--json").stdout)["results"][0]
    assert list(result["us"]) == stages and all(us > 0 for us in result["us"].values())
    assert "take one" in stiction("bench", "pile", "--profile", "--peers", code=2).stderr


@pytest.mark.parametrize("scene", ["static", "moving", "hopping", "fallen", "pile"])
def test_peers_smoke(scene):
    pytest.importorskip("mujoco")
    result = json.loads(stiction("bench", scene, "--peers", "--quick", "--json").stdout)["results"]
    ours, *peers = result
    assert ours["engine"] == "stiction" and ours["ratio"] == 1.0 and peers
    for row in peers:
        assert row["ratio"] > 0 and row["ratio_range"][0] <= row["ratio"] <= row["ratio_range"][1]


def test_version():
    assert stiction("version").stdout.strip() == f"stiction {st.__version__}"
    assert stiction("--version").stdout.strip().endswith(st.__version__)


WRONG = {
    "scene": (["run", "cube_slid"], "did you mean 'cube_slide'"),
    "law": (["run", "cube_slide", "--law", "coulom"], "did you mean 'coulomb'"),
    "pair": (["run", "cube_slide", "--law", "pyramid", "--solver", "nsgs"], "nsgs"),
    "dt": (["run", "cube_slide", "--dt", "-1"], "dt"),
    "parameter": (["run", "cube_slide", "--set", "angel=1"], "did you mean 'angle'"),
    "file": (["run", "nowhere.urdf"], "nowhere.urdf"),
    "problem": (["solve", "nowhere.hdf5"], "nowhere.hdf5"),
    "kind of file": (["solve", "p.txt"], "p.txt"),
    "no problem": (["solve", __file__], "FCLIB"),
    "solver of a problem": (["compare", "--problems", "p.dat", "--solvers", "nsg"], "nsg"),
    "problem of compare": (["compare", "--problems", "nowhere.dat"], "nowhere.dat"),
    "tolerances": (["compare", "--problems", "p.dat", "--tolerances", "small"], "--tolerances"),
    "two scenes": (["compare", "cube_slide", "pile"], "one scene"),
    "flag of scenes": (["compare", "--problems", "p.dat", "--dt", "0.1"], "--dt"),
    "flag of problems": (["compare", "cube_slide", "--pairwise"], "--problems"),
    "option of a solver": (["solve", "p.dat", "--option", "fast"], "name=value"),
    "facets": (["solve", "p.dat", "--facets", "8"], "--law pyramid"),
    "one output": (["solve", "a.dat", "b.dat", "--output", "x.npz"], "one problem"),
    "list": (["list", "lawz"], "lawz"),
    "option": (["run", "cube_slide", "--fast"], "--fast"),
    "command": (["dance"], "dance"),
    "peer scene": (["bench", "dance", "--peers"], "dance"),
    "laws": (["compare", "cube_slide", "--laws", "coulom"], "did you mean 'coulomb'"),
}


@pytest.mark.parametrize("case", WRONG)
def test_errors_are_one_sentence(case, tmp_path):
    arguments, words = WRONG[case]
    done = stiction(*arguments, cwd=tmp_path, code=2)
    assert words in done.stderr and done.stdout == ""
    assert done.stderr.startswith("stiction: ") and done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr


def test_convert_writes_mjcf(tmp_path):
    """A robot and a scene: the file reads back with as many bodies."""
    for what in ("quadruped_small", "rolling"):
        out = tmp_path / f"{what}.xml"
        result = stiction("convert", what, str(out), "--json")
        world = st.World()
        world.add_mjcf(out)
        assert len(world.bodies) == json.loads(result.stdout)["bodies"] > 10
