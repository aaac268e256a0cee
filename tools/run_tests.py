# SPDX-License-Identifier: BSD-2-Clause
"""./test: sets up, builds and runs the C++ and Python tests, counts them from their reports, prints the closing line."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import xml.etree.ElementTree as xml
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import setup

REPORTS = setup.BUILD / "reports"
CPP_TESTS = ("solver_tests", "engine_tests")
LONG_RUN = "STICTION_FULL=1"  # C++ tests that only --full runs say so when they skip
# what STICTION_REQUIRE_ALL allows to be skipped
ALLOWED = (
    "STICTION_DATA is not set",
    "recorded with another C library or processor",
    "this machine has no ",  # an instruction set
    "JAX is not installed",
    "PyTorch is not installed",
    "CasADi is not installed",
    "root may write everywhere",
)
DATA_FILTER = "ThirdPartyData.*"  # C++ tests that need it
SLOWEST = 25


@dataclass
class Count:
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    failures: list[str] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)

    def fail(self, name: str) -> None:
        self.failed += 1
        self.failures.append(name)

    def skip(self, reason: str) -> None:
        """A missing tool: a skip, or a failure where nothing may be missing."""
        print(f"skipped: {reason}", flush=True)
        if os.environ.get("STICTION_REQUIRE_ALL") == "1" and not any(words in reason for words in ALLOWED):
            self.fail(reason)
        else:
            self.skipped += 1

    def add_report(self, path: Path) -> None:
        """Adds a JUnit report: GoogleTest and pytest both write it."""
        for case in xml.parse(path).getroot().iter("testcase"):
            name = f"{case.get('classname')}.{case.get('name')}"
            skipped = case.find("skipped")
            self.seconds[name] = self.seconds.get(name, 0.0) + float(case.get("time") or 0.0)
            if case.find("failure") is not None or case.find("error") is not None:
                self.fail(name)
            elif case.get("status") == "notrun" or (skipped is not None and LONG_RUN in (skipped.get("message") or "")):
                pass  # filtered out, or a long run that was not asked for
            elif skipped is None or skipped.get("type") == "pytest.xfail":
                self.passed += 1
            else:
                self.skip(f"{name}: {skipped.get('message') or skipped.text or ''}".strip())

    def print_slowest(self) -> None:
        slowest = sorted(self.seconds.items(), key=lambda item: -item[1])[:SLOWEST]
        print(f"the {len(slowest)} slowest tests:")
        for name, seconds in slowest:
            print(f"{seconds:8.1f} s  {name}")

    def closing_line(self) -> str:
        return f"{self.passed} passed, {self.failed} failed" + (f", {self.skipped} skipped" if self.skipped else "")


def have_googletest() -> bool:
    command = [*setup.find_compiler().split(), "-std=c++20", "-fsyntax-only", "-x", "c++", "-"]
    return subprocess.run(command, input="#include <gtest/gtest.h>\n", capture_output=True, text=True).returncode == 0


def install_package(name: str) -> None:
    """A Debian package, where we may install one."""
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return
    setup.say(f"installing {name}")
    environment = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
    install = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", name]
    for command in (install, ["apt-get", "update", "-qq"], install):  # update only if the first try fails
        done = subprocess.run(command, env=environment, stdout=sys.stderr, stdin=subprocess.DEVNULL).returncode == 0
        if done and command is install:
            break


def find_chromium() -> str | None:
    """The browser that drives the viewer's tests; they look for it in the same way."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


@dataclass(frozen=True)
class Program:
    """A test program that writes reports/<name>.xml."""

    name: str
    command: list[str | Path]
    environment: dict[str, str] = field(default_factory=dict)

    @property
    def report(self) -> Path:
        return REPORTS / f"{self.name}.xml"

    def run(self) -> int:
        self.report.unlink(missing_ok=True)
        path = f"{setup.VENV / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}"
        environment = dict(os.environ, PATH=path, **self.environment)
        command = [str(word) for word in self.command]
        return subprocess.run(command, cwd=setup.ROOT, env=environment, stdin=subprocess.DEVNULL).returncode


def judge(count: Count, program: Program, code: int) -> None:
    """Adds the program's report. One that died without a report is a failure."""
    failed_before = count.failed
    if program.report.is_file():
        try:
            count.add_report(program.report)
        except xml.ParseError:
            count.fail(f"{program.name}: its report is not readable")
    elif not (program.name == "pytest" and code == 5):  # 5: no test was selected
        count.fail(f"{program.name} ended with code {code} and left no report")
    if code not in (0, 5) and count.failed == failed_before:
        count.fail(f"{program.name} ended with code {code}")


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def shards(name: str, chosen: str | None) -> list[Program]:
    """One C++ test program as one process per core, each with its part of the tests."""
    total, out = cores(), []
    for index in range(total):
        part = f"{name}_{index + 1}"
        options = [f"--gtest_output=xml:{REPORTS / part}.xml", "--gtest_brief=1"]
        options += [f"--gtest_filter={chosen}"] if chosen else []
        environment = {"GTEST_TOTAL_SHARDS": str(total), "GTEST_SHARD_INDEX": str(index)}
        out.append(Program(part, [setup.BUILD / name, *options], environment))
    return out


def build_cpp(count: Count, chosen: str | None) -> list[Program]:
    """The C++ test programs, built."""
    if not have_googletest():
        count.skip("C++ tests: GoogleTest is missing; Debian, Ubuntu: apt install libgtest-dev")
        return []
    with setup.lock_repository():
        setup.configure(STICTION_TESTS="ON")
        try:
            setup.compile_target("stiction_tests")
        except setup.SetupError:
            count.fail("the C++ tests do not build")
            return []
    programs = []
    for name in CPP_TESTS:
        if (setup.BUILD / name).is_file():
            programs += shards(name, chosen)
        else:
            count.fail(f"{name} was not built")
    return programs


def processes(arguments: list[str]) -> list[str]:
    """pytest-xdist, one process per core; not where the arguments choose another number or ask for a debugger."""
    own = any(a == "--pdb" or a.startswith(("-n", "--numprocesses", "--dist", "-pno:xdist")) for a in arguments)
    return [] if own or "no:xdist" in arguments else ["-n", str(cores()), "--dist", "loadgroup"]


def pytest_program(arguments: list[str]) -> Program:
    report = f"--junitxml={REPORTS / 'pytest.xml'}"
    return Program("pytest", [setup.PYTHON, "-m", "pytest", "-q", report, *processes(arguments), *arguments])


def run(count: Count, cpp: list[Program], python: Program | None) -> None:
    """Python tests wait for browsers and for other processes: C++ tests run beside them, on half of the cores."""
    with ThreadPoolExecutor(1) as beside, ThreadPoolExecutor(max(1, cores() // 2) if python else cores()) as pool:
        last = beside.submit(python.run) if python else None
        for program, code in zip(cpp, list(pool.map(Program.run, cpp)), strict=True):
            judge(count, program, code)
        if python:
            judge(count, python, last.result())


def install_tools(python: bool, cpp: bool) -> None:
    """What tests need beside the package."""
    setup.install_lock("viewer")
    setup.install_lock("test")
    if cpp and not have_googletest():
        install_package("libgtest-dev")
    if python and find_chromium() is None:  # without a browser the tests that need it say so and are skipped
        install_package("chromium")


def prepare(python: bool, cpp: bool) -> None:
    setup.ensure_ready(beside=lambda: install_tools(python, cpp))
    with setup.lock_repository():
        install_tools(python, cpp)
    REPORTS.mkdir(parents=True, exist_ok=True)


def parse(arguments: list[str]) -> tuple[argparse.Namespace, list[str]]:
    parser = argparse.ArgumentParser(
        prog="./test", allow_abbrev=False, description="Builds what changed and runs the tests."
    )
    parser.add_argument("--full", action="store_true", help="also the long runs")
    parser.add_argument("-k", metavar="WORD", help="only tests whose name contains WORD, C++ and Python")
    parser.add_argument("--data", action="store_true", help="only the tests that need the data of STICTION_DATA")
    only = parser.add_mutually_exclusive_group()
    only.add_argument("--cpp", action="store_true", help="only the C++ tests")
    only.add_argument("--python", action="store_true", help="only the Python tests; further arguments go to pytest")
    return parser.parse_known_args(arguments)


def main(arguments: list[str]) -> None:
    options, rest = parse(arguments)
    if options.full:
        os.environ["STICTION_FULL"] = "1"  # C++ tests ask for it
        rest = ["--full", *rest]
    chosen = None
    if options.k:
        rest, chosen = ["-k", options.k, *rest], f"*{options.k}*"
    if options.data:
        if not os.environ.get("STICTION_DATA"):
            sys.exit("STICTION_DATA is not set; expected the folder of the data (docs/install.md)")
        rest, chosen = ["-m", "data", *rest], DATA_FILTER
    count = Count()
    try:
        prepare(python=not options.cpp, cpp=not options.python)
        cpp = [] if options.python else build_cpp(count, chosen)
        setup.keep_bytecode()
        run(count, cpp, None if options.cpp else pytest_program(rest))
    except setup.SetupError as error:
        count.fail(str(error))
    if count.passed + count.failed == 0:
        count.fail("no test ran")
    count.print_slowest()
    for name in count.failures:
        print(f"FAILED: {name}")
    print(count.closing_line(), flush=True)
    sys.exit(1 if count.failed else 0)


if __name__ == "__main__":
    setup.guard(main, sys.argv[1:])
