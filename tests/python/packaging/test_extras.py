# SPDX-License-Identifier: BSD-2-Clause
"""stiction works with NumPy and click alone; what needs more names its extra. Each case runs in a process in which the packages
of the extras cannot be imported. Oracle: pyproject.toml says which extra brings which package."""

import re
import subprocess
import sys

import pytest

from repository import ROOT
from stiction.output.extras import EXTRA

MISSING = ("matplotlib", "PIL", "mcap", "lz4", "zstandard", "tqdm", "viser", "mujoco", "scipy", "h5py")
BLOCK = f"import sys\nfor name in {MISSING}:\n    sys.modules[name] = None\n"


def run(code, folder):
    return subprocess.run([sys.executable, "-c", BLOCK + code], cwd=folder, capture_output=True, text=True, timeout=300)


def test_dependencies_are_few():
    text = (ROOT / "pyproject.toml").read_text()
    (dependencies,) = re.findall(r"^dependencies = \[(.*?)\]$", text, re.MULTILINE | re.DOTALL)
    assert re.findall(r'"([\w-]+)', dependencies) == ["libpinocchio", "libcoal", "numpy", "click"]


def test_extras_bring_what_they_are_named_for():
    text = (ROOT / "pyproject.toml").read_text().split("[project.optional-dependencies]")[1].split("\n[")[0]
    brought = {"PIL": "matplotlib", "lz4": "mcap", "zstandard": "mcap"}  # by whom
    for module, extra in EXTRA.items():
        (line,) = re.findall(rf"^{extra} = \[(.*?)\]", text, re.MULTILINE)
        assert brought.get(module, module) in line
    (everything,) = re.findall(r'^all = \["stiction\[([\w,]+)\]"\]', text, re.MULTILINE)
    assert set(everything.split(",")) | {"all"} == set(re.findall(r"^(\w+) = ", text, re.MULTILINE))


def test_demo_runs_without_any_extra(tmp_path):
    done = run("from stiction.cli import main\nsys.argv = ['stiction', 'demo', '--quick']\nmain()", tmp_path)
    assert done.returncode == 0, done.stderr
    assert "coulomb" in done.stdout and "pip install 'stiction[report]'" in done.stdout
    assert not (tmp_path / "report.html").exists()


@pytest.mark.parametrize(
    ("command", "extra"),
    [
        ("run cube_slide --duration 0.01 --record run.mcap", "record"),
        ("run cube_slide --duration 0.01 --video run.gif", "report"),
        ("compare cube_slide --duration 0.01 --laws coulomb --no-work --report report.html", "report"),
        ("view cube_slide", "viewer"),
    ],
)
def test_a_command_names_the_extra_that_it_needs(command, extra, tmp_path):
    done = run(f"from stiction.cli import main\nsys.argv = ['stiction', *{command.split()!r}]\nmain()", tmp_path)
    assert done.returncode == 2
    assert f"pip install 'stiction[{extra}]'" in done.stderr
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_recording_names_its_extra(tmp_path):
    done = run("import stiction as st\ntry:\n    st.record\nexcept ImportError as error:\n    print(error)", tmp_path)
    assert "pip install 'stiction[record]'" in done.stdout, done.stderr


def test_extras_are_listed_with_what_pip_is_to_be_told():
    """Oracle: pyproject.toml, and what is installed here."""
    tomllib = pytest.importorskip("tomllib")
    from stiction.output.extras import packages

    with open(ROOT / "pyproject.toml", "rb") as file:
        written = tomllib.load(file)["project"]["optional-dependencies"]
    names = lambda words: {re.match(r"[\w.-]+", word).group().lower() for word in words}
    found = packages()
    assert set(found) == set(written) - {"all"}
    for extra, wants in found.items():
        assert names(wanted for wanted, _ in wants) == names(written[extra]), extra
    state = {wanted: there for wants in found.values() for wanted, there in wants}
    assert all(state[wanted] for wanted in state if wanted.startswith(("matplotlib", "mcap", "scipy")))
