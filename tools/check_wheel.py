# SPDX-License-Identifier: BSD-2-Clause
"""Packs wheels and tries them as a stranger would: python tools/check_wheel.py [--keep] [--all | --python PATH …]

1. A wheel from what is compiled already (dist/); it must hold stubs, py.typed, models and the libraries' dependencies.
2. A fresh virtual environment, `pip install dist/….whl` and nothing else: pip finds the dependencies itself.
3. There, without any extra: `stiction version`, `stiction demo --quick`, an example, and mypy --strict over all Python examples.
4. What the environment holds beside Python: at most LARGEST megabytes.

--python tries the wheel of each Python that is named, --all that of each that is found (tools/wheel_builds.py); instead of types, tests
of the repository are run there, with pytest and nothing else. One line per check; the exit code is 1 if one fails. --keep leaves dist/
and the environments behind.
"""

from __future__ import annotations

import argparse
import functools
import os
import re
import shutil
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import setup
import wheel_builds

DIST = wheel_builds.DIST
FRESH = setup.BUILD / "wheel-venv"
LARGEST = 450  # MB on disk; packed it is 80 MB
FEWEST = 100  # tests that have to pass
TESTS = (  # which need nothing but pytest
    "packaging/test_api.py",
    "engine/test_wrong_input.py",
    "engine/test_geoms.py",
    "engine/test_option_objects.py",
    "engine/test_determinism.py",
    "sensors/test_sensors.py",
    "steppers/test_soft_options.py",
)
LEFT_OUT = "not heavy_ones"  # of these, what imports extras
IN_THE_WHEEL = (
    "stiction/py.typed",
    "stiction/_core.pyi",
    "stiction/__init__.py",
    "stiction/cli/__init__.py",
    "stiction/models/starleth.urdf",
)


def check_content(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    missing = [name for name in IN_THE_WHEEL if name not in names]
    if missing or not any(name.startswith("stiction/_core.") and name.endswith(".so") for name in names):
        raise setup.SetupError(f"{wheel.name} lacks {', '.join(missing) or 'the compiled module'}")
    foreign = sorted({name.split("/")[0] for name in names} - {"stiction", wheel.name.rsplit("-", 3)[0] + ".dist-info"})
    if foreign:
        raise setup.SetupError(f"{wheel.name} would put {', '.join(foreign)} into site-packages")


def install(wheel: Path, python: Path) -> None:
    shutil.rmtree(FRESH, ignore_errors=True)
    setup.call(python, "-m", "venv", FRESH)
    start = time.monotonic()
    pip_install(wheel)
    print(f"    pip install: {time.monotonic() - start:.0f} s", flush=True)


def pip_install(what: str | Path) -> None:
    setup.call(
        FRESH / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary=:all:", what,
        quiet=True,
    )  # fmt: skip


def run(*command: str | Path) -> str:
    """Runs in an empty folder, without our variables: nothing of the clone can help."""
    there = FRESH / "empty"
    there.mkdir(exist_ok=True)
    environment = {
        "PATH": f"{FRESH / 'bin'}{os.pathsep}/usr/bin{os.pathsep}/bin",
        "HOME": str(there),
        "MPLBACKEND": "Agg",
    }
    done = subprocess.run([str(c) for c in command], cwd=there, env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        raise setup.SetupError(
            f"in a fresh environment this failed: {' '.join(map(str, command))}\n{done.stdout}{done.stderr}"
        )
    return done.stdout


def check_installed() -> None:
    python = FRESH / "bin" / "python"
    version = run(python, "-c", "import stiction; print(stiction.__version__)").strip()
    if run("stiction", "version").split() != ["stiction", version]:
        raise setup.SetupError("`stiction version` and stiction.__version__ differ")
    (FRESH / "empty" / "report.html").unlink(missing_ok=True)
    if "coulomb" not in run("stiction", "demo", "--quick"):
        raise setup.SetupError("`stiction demo --quick` printed no table")
    run(python, "-m", "pip", "check")
    run(python, setup.ROOT / "examples" / "01_drop_a_ball.py")


def check_tests() -> None:
    """Tests of the repository against the installed wheel."""
    pip_install("pytest")
    files = [setup.ROOT / "tests" / "python" / name for name in TESTS]
    told = run(FRESH / "bin" / "python", "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", LEFT_OUT, *files)
    found = re.search(r"(\d+) passed", told)
    print(f"    {told.strip().splitlines()[-1]}", flush=True)
    if found is None or int(found.group(1)) < FEWEST:
        raise setup.SetupError(f"fewer than {FEWEST} tests passed:\n{told}")


def check_size() -> None:
    """Packages that pip brought, without pip itself."""
    (folder,) = FRESH.glob("lib/python*/site-packages")
    sizes = {part.name: sum(f.lstat().st_size for f in part.rglob("*") if f.is_file()) for part in folder.iterdir()}
    total = sum(size for name, size in sizes.items() if not name.startswith("pip")) / 1e6
    print(f"    installed: {total:.0f} MB, the largest: {sorted(sizes, key=lambda name: -sizes[name])[:3]}", flush=True)
    if total > LARGEST:
        raise setup.SetupError(f"the packages take {total:.0f} MB, at most {LARGEST} are allowed")


def check_types() -> None:
    """mypy of .venv, looking at the packages of the fresh environment; one file at a time: names that begin with a digit are no modules."""
    for example in sorted((setup.ROOT / "examples").glob("[0-9]*.py")):
        run(
            setup.PYTHON,
            "-m",
            "mypy",
            "--strict",
            "--python-executable",
            FRESH / "bin" / "python",
            "--cache-dir",
            setup.BUILD / "mypy-wheel",
            "--config-file=",
            example,
        )


def try_wheel(wheel: Path, python: Path, last: tuple[str, Callable[[], None]]) -> None:
    for name, check in (("content", functools.partial(check_content, wheel)),
                        ("pip install in a fresh environment", functools.partial(install, wheel, python)),
                        ("import, stiction version, demo --quick, pip check, an example", check_installed),
                        ("size", check_size), last):  # fmt: skip
        check()
        print(f"ok  {wheel.name}: {name}", flush=True)


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="check_wheel.py", description="Packs wheels and tries them.")
    parser.add_argument("--keep", action="store_true", help="leave dist/ and the environments behind")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--python", nargs="+", type=Path, metavar="PATH", help="interpreters whose wheels are tried")
    which.add_argument("--all", action="store_true", help="every CPython >= 3.10 that is found, one per minor version")
    wanted = parser.parse_args(arguments)
    setup.ensure_ready()
    shutil.rmtree(DIST, ignore_errors=True)
    pythons = wheel_builds.find_all() if wanted.all else wanted.python
    if pythons is None:
        with setup.lock_repository():
            setup.install_lock("test")
            wheel = wheel_builds.pack_own()
        try_wheel(wheel, setup.PYTHON, ("mypy --strict over the examples", check_types))
    for python in pythons or ():
        print(f"{python}: CPython {'.'.join(map(str, wheel_builds.version_of(python) or ()))}", flush=True)
        with setup.lock_repository():
            wheel = wheel_builds.pack_for(python)
        try_wheel(wheel, python, (f"tests with pytest alone, at least {FEWEST}", check_tests))
    if not wanted.keep:
        for folder in (FRESH, DIST, setup.BUILD / "wheels"):
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    setup.guard(main, sys.argv[1:])
