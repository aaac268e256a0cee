# SPDX-License-Identifier: BSD-2-Clause
"""Packs a wheel from build/ and tries it as a stranger would: python tools/check_wheel.py [--keep]

1. A wheel from what is compiled already (dist/); it must hold stubs, py.typed, models and the libraries' dependencies.
2. A fresh virtual environment, `pip install dist/….whl` and nothing else: pip finds the dependencies itself.
3. There, without any extra: `stiction version`, `stiction demo --quick`, an example, and mypy --strict over all Python examples.
4. What the environment holds beside Python: at most LARGEST megabytes.

One line per check; the exit code is 1 if one fails. --keep leaves dist/ and the environment (build/wheel-venv) behind.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import setup

DIST = setup.ROOT / "dist"
FRESH = setup.BUILD / "wheel-venv"
LARGEST = 450  # MB on disk; packed it is 80 MB
IN_THE_WHEEL = (
    "stiction/py.typed",
    "stiction/_core.pyi",
    "stiction/__init__.py",
    "stiction/cli/__init__.py",
    "stiction/models/starleth.urdf",
)


def pack() -> Path:
    """scikit-build-core finds build/ up to date: nothing is compiled again."""
    shutil.rmtree(DIST, ignore_errors=True)
    setup.call(
        setup.PYTHON,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--disable-pip-version-check",
        "--no-build-isolation",
        "--no-deps",
        f"--config-settings=build-dir={setup.BUILD}",
        "--wheel-dir",
        DIST,
        setup.ROOT,
        quiet=True,
    )
    (wheel,) = DIST.glob("stiction-*.whl")
    return wheel


def check_content(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    missing = [name for name in IN_THE_WHEEL if name not in names]
    if missing or not any(name.startswith("stiction/_core.") and name.endswith(".so") for name in names):
        raise setup.SetupError(f"{wheel.name} lacks {', '.join(missing) or 'the compiled module'}")
    foreign = sorted({name.split("/")[0] for name in names} - {"stiction", wheel.name.rsplit("-", 3)[0] + ".dist-info"})
    if foreign:
        raise setup.SetupError(f"{wheel.name} would put {', '.join(foreign)} into site-packages")


def install(wheel: Path) -> None:
    shutil.rmtree(FRESH, ignore_errors=True)
    setup.call(setup.PYTHON, "-m", "venv", FRESH)
    setup.call(
        FRESH / "bin" / "python",
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--only-binary=:all:",
        wheel,
        quiet=True,
    )


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


def main(arguments: list[str]) -> None:
    if arguments not in ([], ["--keep"]):
        raise setup.SetupError("usage: check_wheel.py [--keep]")
    setup.ensure_ready()
    with setup.lock_repository():
        setup.install_lock("test")
        wheel = pack()
    for name, check in (("content", lambda: check_content(wheel)), ("pip install in a fresh environment", lambda: install(wheel)),
                        ("import, stiction version, demo --quick, pip check, an example", check_installed),
                        ("size", check_size),
                        ("mypy --strict over the examples", check_types)):  # fmt: skip
        check()
        print(f"ok  {wheel.name}: {name}", flush=True)
    if not arguments:
        shutil.rmtree(FRESH, ignore_errors=True)
        shutil.rmtree(DIST, ignore_errors=True)


if __name__ == "__main__":
    setup.guard(main, sys.argv[1:])
