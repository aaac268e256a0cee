# SPDX-License-Identifier: BSD-2-Clause
"""The engine, its C++ tests and the Python extension under sanitizers.

    python tools/check_sanitizers.py asan-engine      addresses and undefined behaviour; asserts of Eigen and the standard library on
    python tools/check_sanitizers.py tsan             races: what runs on several threads
    python tools/check_sanitizers.py debug            asserts alone
    python tools/check_sanitizers.py asan-engine --python-only -k world

Builds the preset of that name (an hour of CPU time from nothing), runs its C++ tests, then Python tests with the extension of that build.
Ends with code 1 at the first finding. What libraries of others do may be ignored, one line each: tests/sanitizers.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTHON_TESTS = {
    "asan-engine": [
        *("tests/python/engine/test_never_crashes.py", "tests/python/engine/test_refused_by_name.py"),
        *("tests/python/engine/test_guard.py", "tests/python/stress", "tests/python/fuzz"),
    ],
    "tsan": ["tests/python/engine/test_never_crashes.py", "tests/python/engine/test_determinism.py"],
    "debug": [],
}
LIMITED = (
    "threads_that_cannot_start or five_minutes"  # a limit of memory leaves no room for the sanitizer's own; long runs
)
RUNTIME = {"asan-engine": "libasan.so", "tsan": "libtsan.so"}


def run(command: list[str], **environment: str) -> int:
    print("$", *command, flush=True)
    return subprocess.run(command, cwd=ROOT, env=dict(os.environ, **environment)).returncode


def options(preset: str, python: bool) -> dict[str, str]:
    """How the sanitizers behave. Python itself frees little at its end: leaks are looked for in C++ alone."""
    folder = ROOT / "tests" / "sanitizers"
    return {
        "ASAN_OPTIONS": f"detect_leaks={0 if python else 1}:strict_init_order=1:allocator_may_return_null=1",
        "LSAN_OPTIONS": f"suppressions={folder / 'address.txt'}",
        "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1",
        "TSAN_OPTIONS": f"halt_on_error=1:second_deadlock_stack=1:suppressions={folder / 'thread.txt'}",
        "STICTION_SANITIZED": preset,
    }


def build(preset: str, jobs: int) -> int:
    targets = ["solver_tests", "engine_tests"] + (["_core"] if PYTHON_TESTS[preset] else [])
    configure = ["cmake", "--preset", preset, "--log-level=WARNING"]
    return run(configure) or run(
        ["cmake", "--build", "--preset", preset, "--parallel", str(jobs), "--target", *targets]
    )


def run_cpp(preset: str) -> int:
    return any(
        run([str(ROOT / "build" / preset / program), "--gtest_brief=1"], **options(preset, python=False))
        for program in ("solver_tests", "engine_tests")
    )


def package(preset: str) -> Path:
    """A folder with the package `stiction` whose extension is that of the preset."""
    tree = ROOT / "build" / preset
    out = tree / "overlay" / "stiction"
    shutil.rmtree(out.parent, ignore_errors=True)
    out.mkdir(parents=True)
    for part in (ROOT / "python" / "stiction").iterdir():
        (out / part.name).symlink_to(part)
    for extension in (tree / "python").glob("_core*.so"):
        (out / extension.name).symlink_to(extension)
    (out / "models").symlink_to(ROOT / "models")
    return out.parent


def run_python(preset: str, arguments: list[str]) -> int:
    if not PYTHON_TESTS[preset]:
        return 0
    compiler = os.environ.get("CXX", "c++")
    found = []
    for name in (
        RUNTIME[preset],
        "libstdc++.so.6",
    ):  # Python brings no C++: without the second one no exception can be thrown
        asked = subprocess.run([compiler, f"-print-file-name={name}"], capture_output=True, text=True, check=True)
        found.append(asked.stdout.strip())
    library = " ".join(found)
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *PYTHON_TESTS[preset]]
    selected = arguments or ["-k", f"not ({LIMITED})"]
    return run(
        [*command, *selected], LD_PRELOAD=library, PYTHONPATH=str(package(preset)), **options(preset, python=True)
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("preset", choices=PYTHON_TESTS)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--python-only", action="store_true", help="neither builds nor runs C++ tests")
    given, rest = parser.parse_known_args()
    if not given.python_only and (build(given.preset, given.jobs) or run_cpp(given.preset)):
        return 1
    return 1 if run_python(given.preset, rest) else 0


if __name__ == "__main__":
    sys.exit(main())
