# SPDX-License-Identifier: BSD-2-Clause
"""./run with a wheel at hand. Oracle: pip's own answer to which tags fit this Python, and times of files that we set."""

import os
import platform
import subprocess
import sys

import pytest
from packaging.tags import Tag, sys_tags

from repository import ROOT

sys.path.insert(0, str(ROOT / "tools"))
import quick_start
import setup

NOW = sys.version_info[:2]
OWN = f"cp{NOW[0]}{NOW[1]}"
MACHINE = platform.machine()


@pytest.mark.parametrize("python", ["cp310", "cp311", "cp312", "cp313", "cp314"])
@pytest.mark.parametrize("abi", ["own", "abi3", "none"])
@pytest.mark.parametrize("system", ["linux_x86_64", "manylinux_2_17_x86_64", "linux_aarch64", "win_amd64"])
def test_wheels_fit_as_pip_says(python, abi, system):
    if abi == "none":
        name = f"stiction-0.1.0-py3-none-{system}.whl"
        assert not quick_start.fits(name, NOW, MACHINE), "the engine is compiled: such a wheel is not ours"
        return
    tag = Tag(python, python if abi == "own" else abi, system)
    name = f"stiction-0.1.0-{tag.interpreter}-{tag.abi}-{tag.platform}.whl"
    assert quick_start.fits(name, NOW, MACHINE) == (tag in set(sys_tags()))


@pytest.fixture
def clone(tmp_path, monkeypatch):
    """A clone of two files, made at the time 1000."""
    root = tmp_path / "clone"
    for name in ("src/a.cpp", "python/b.py"):
        (root / name).parent.mkdir(parents=True)
        (root / name).write_text("")
        os.utime(root / name, (1000, 1000))
    monkeypatch.setattr(setup, "ROOT", root)
    monkeypatch.setattr(setup, "BUILD", root / "build")
    monkeypatch.setattr(setup, "STAMP", root / ".venv" / "stamp")
    monkeypatch.setattr(setup, "INPUTS", ("src", "python"))
    return root


def put_wheel(folder, time):
    folder.mkdir(exist_ok=True)
    wheel = folder / f"stiction-0.1.0-{OWN}-{OWN}-linux_{MACHINE}.whl"
    wheel.write_text("")
    os.utime(wheel, (time, time))
    return wheel


@pytest.mark.parametrize("place", ["dist", "..", "../dist"])
def test_a_wheel_newer_than_the_sources_is_used(clone, place):
    assert quick_start.find_wheel() is None and not quick_start.is_expected()
    wheel = put_wheel(clone / place, 2000)
    assert quick_start.find_wheel().resolve() == wheel.resolve() and quick_start.is_expected()


def test_an_older_wheel_or_a_build_is_not_passed_over(clone):
    put_wheel(clone / "dist", 500)
    assert quick_start.find_wheel() is not None and not quick_start.is_expected(), "older than the sources"
    put_wheel(clone.parent, 2000)
    assert quick_start.is_expected()
    (clone / "src" / "a.cpp").write_text("changed")
    assert not quick_start.is_expected(), "a source was changed"
    os.utime(clone / "src" / "a.cpp", (1000, 1000))
    setup.BUILD.mkdir()
    assert quick_start.is_expected(), "compiled Python files are kept there, too"
    (setup.BUILD / "CMakeCache.txt").touch()
    assert not quick_start.is_expected(), "somebody builds here"


def test_without_a_wheel_the_sentence_says_where_to_put_one(clone):
    with pytest.raises(setup.SetupError, match=r"no wheel for CPython .* Put one there, or let \./run compile"):
        quick_start.run([])


def test_run_explains_itself():
    assert "--quick-start" in (ROOT / "run").read_text()
    done = subprocess.run(
        [sys.executable, "-c", "import quick_start"], cwd=ROOT / "tools", capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
