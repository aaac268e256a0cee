# SPDX-License-Identifier: BSD-2-Clause
"""Oracles: the lock files, pyproject.toml and the installed wheel must say the same; pip and the loader are the judges."""

import importlib.metadata
import importlib.util
import os
import re
import subprocess
import sys
import types
from pathlib import Path

import pytest

from repository import ROOT
from stiction.bench.peers import mujoco_models
from stiction.problems import fclib_write

PACKAGE = Path(importlib.util.find_spec("stiction").origin).parent


def read(name):
    return (ROOT / name).read_text()


def pins(name):
    """{package: {versions}} of a lock file."""
    found = {}
    for line in read(f"requirements/{name}.txt").splitlines():
        if line and not line.startswith("#"):
            package, version = re.fullmatch(r"([\w.-]+)==([\w.]+)(?:;.*)?", line).groups()
            found.setdefault(package.lower().replace("_", "-"), set()).add(version)
    return found


def test_package_is_the_installed_wheel_not_the_source():
    assert not PACKAGE.is_relative_to(ROOT / "python")
    assert (PACKAGE / "py.typed").is_file()
    assert (PACKAGE / "_core.pyi").stat().st_size > 0


def test_models_are_package_data():
    installed = {str(p.relative_to(PACKAGE / "models")) for p in (PACKAGE / "models").rglob("*") if p.is_file()}
    assert installed == {str(p.relative_to(ROOT / "models")) for p in (ROOT / "models").rglob("*") if p.is_file()}
    assert installed


def test_one_version_everywhere():
    version = importlib.metadata.version("stiction")
    assert f'version = "{version}"' in read("pyproject.toml")
    assert f"VERSION {version}" in read("CMakeLists.txt")
    assert f"version: {version}" in read("CITATION.cff")
    assert f"## {version}" in read("CHANGELOG.md")


@pytest.mark.parametrize("package", ["libpinocchio", "libcoal"])
def test_unversioned_libraries_are_pinned_exactly(package):
    (version,) = pins("run")[package]
    assert f'"{package}=={version}"' in read("pyproject.toml")
    assert f"_VERSION {version})" in read("cmake/dependencies.cmake")
    assert importlib.metadata.version(package) == version


def test_run_lock_holds_no_test_packages_and_no_robots():
    assert not pins("run").keys() & {"mujoco", "pytest", "example-robot-data", "scipy", "pin", "viser"}


def test_locks_do_not_overlap():
    assert not pins("run").keys() & pins("test").keys()
    assert not pins("viewer").keys() & (pins("run").keys() | pins("test").keys())


def test_viewer_lock_is_the_extra():
    assert f'"viser=={next(iter(pins("viewer")["viser"]))}"' in read("pyproject.toml")


def test_extras_that_are_named_exist():
    """Messages and pages that say pip install 'stiction[...]' name extras of pyproject.toml, and every extra is in the table of install.md."""
    extras = set(
        re.findall(
            r"^(\w+) = \[",
            read("pyproject.toml").split("[project.optional-dependencies]")[1].split("\n[")[0],
            re.MULTILINE,
        )
    )
    assert {"bench", "viewer"} <= extras
    files = [*(ROOT / "python" / "stiction").rglob("*.py"), *(ROOT / "docs").rglob("*.md"), ROOT / "README.md"]
    named = {
        word
        for file in files
        for words in re.findall(r"stiction\[([\w,]+)\]", file.read_text())
        for word in words.split(",")
    }
    assert "bench" in named and named <= extras
    assert extras == set(
        re.findall(r"^\| `(\w+)` \|", read("docs/install.md").split("| extra |")[1].split("\n\n")[0], re.MULTILINE)
    )


@pytest.mark.parametrize(
    ("module", "extra", "load"), [("mujoco", "bench", mujoco_models.load), ("h5py", "fclib", fclib_write.h5py_module)]
)
def test_missing_extra_is_named(monkeypatch, module, extra, load):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ImportError, match=rf"pip install 'stiction\[{extra}\]'"):
        load()


def test_locks_are_complete():
    """pip check: every installed package finds what it requires, in a version that it accepts."""
    done = subprocess.run([sys.executable, "-m", "pip", "check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_licence_and_entry_point():
    metadata = importlib.metadata.metadata("stiction")
    assert metadata["License-Expression"] == "BSD-2-Clause"
    (script,) = [e for e in importlib.metadata.entry_points(group="console_scripts") if e.name == "stiction"]
    assert script.value == "stiction.cli:main"


def test_extension_finds_its_libraries_in_the_same_site_packages():
    """No path of the build machine, no library left unfound, one copy of each."""
    (extension,) = PACKAGE.glob("_core*.so")
    done = subprocess.run(
        ["ldd", extension],
        capture_output=True,
        text=True,
        env={k: v for k, v in os.environ.items() if k != "LD_LIBRARY_PATH"},
    )
    assert "not found" not in done.stdout
    found = re.findall(r"lib(?:pinocchio|coal|boost|urdfdom)\S* => (\S+)", done.stdout)
    assert found
    prefix = (PACKAGE.parent / "cmeel.prefix").resolve()
    assert [path for path in found if not Path(path).resolve().is_relative_to(prefix)] == []


def test_pinocchio_can_be_imported_beside_us():
    """Both see the same libraries: each is mapped once."""
    pytest.importorskip("pinocchio")
    code = (
        "import stiction, pinocchio, re\n"
        "names = {m for m in re.findall(r'\\S+/lib(?:pinocchio_default|coal)\\.so\\S*', open('/proc/self/maps').read())}\n"
        "print(len(names)); pinocchio.buildSampleModelManipulator()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "2"


def test_solver_tests_link_no_engine_library():
    binary = ROOT / "build" / "solver_tests"
    if not binary.is_file():
        pytest.skip("the C++ tests are not built")
    done = subprocess.run(["ldd", binary], capture_output=True, text=True)
    assert done.returncode == 0
    assert not re.search(r"pinocchio|coal|boost|urdfdom", done.stdout)


def test_commands_work_from_another_folder_and_name_what_is_missing(tmp_path):
    """With an empty PATH no Python is found: ./run says so and how to get one."""
    for tool in ("dirname", "sh"):
        (tmp_path / tool).symlink_to(Path("/usr/bin") / tool)
    for script in ("run", "test"):
        done = subprocess.run(
            ["/bin/sh", ROOT / script], cwd=tmp_path, env={"PATH": str(tmp_path)}, capture_output=True, text=True
        )
        assert done.returncode == 1
        assert "Python >= 3.10" in done.stderr and "apt install python3" in done.stderr


@pytest.mark.parametrize(
    "missing, words",
    [("compiler", ["C++20 compiler", "apt install g++"]), ("cmake", ["CMake >= 3.25", "apt install cmake"])],
)
def test_setup_names_a_missing_tool_with_the_fix(missing, words, tmp_path):
    code = f"import sys; sys.path.insert(0, {str(ROOT / 'tools')!r}); import setup; setup.guard(setup.check_{missing})"
    done = subprocess.run([sys.executable, "-c", code], env={"PATH": str(tmp_path)}, capture_output=True, text=True)
    assert done.returncode == 1
    assert all(word in done.stderr for word in words)
    assert "Traceback" not in done.stderr


def load_setup():
    spec = importlib.util.spec_from_file_location("stiction_setup", ROOT / "tools" / "setup.py")
    setup = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(setup)
    return setup


@pytest.mark.parametrize("chosen", [{}, {"PYTHONPYCACHEPREFIX": "/elsewhere"}])
def test_compiled_modules_are_kept_where_python_may_not_write_them(chosen):
    setup = load_setup()
    setup.os = types.SimpleNamespace(environ=dict(chosen))
    setup.keep_bytecode()
    assert setup.os.environ == chosen
    setup.os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    setup.keep_bytecode()
    assert setup.os.environ == {"PYTHONPYCACHEPREFIX": str(setup.BUILD / "pycache"), **chosen}


def test_stamp_sees_every_change(tmp_path):
    """Fingerprint of a tree: same twice; another one after an edit, a new file, a removed file, a move."""
    setup = load_setup()
    setup.ROOT = tmp_path / "one"
    (setup.ROOT / "src").mkdir(parents=True)
    source = setup.ROOT / "src" / "a.cpp"
    source.write_text("1")
    seen = [setup.fingerprint()]
    assert setup.fingerprint() == seen[0]
    source.write_text("22")
    seen.append(setup.fingerprint())
    (setup.ROOT / "src" / "b.cpp").write_text("")
    seen.append(setup.fingerprint())
    source.unlink()
    seen.append(setup.fingerprint())
    setup.ROOT = setup.ROOT.rename(tmp_path / "two")
    seen.append(setup.fingerprint())
    assert len(set(seen)) == 5
