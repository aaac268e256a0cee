# SPDX-License-Identifier: BSD-2-Clause
"""Switches of the test run, shared by every test.

--full                    also run the tests marked `full` (long runs); without it they are deselected, not skipped
STICTION_DATA=DIR         a folder with data of others (docs/install.md); without it the tests that need it, which are marked
                          `data`, are deselected, and one test per set says so
STICTION_REQUIRE_ALL=1    a skipped test is a failed test: nothing may be missing where this is set.
                          Exceptions: those tests that say that STICTION_DATA is not set, bits recorded elsewhere, instruction
                          sets that the machine lacks, JAX, PyTorch and CasADi, which are large, and what root cannot test.
"""

import os
import signal
from pathlib import Path

import pytest

from repository import ROOT, THIRD_PARTY

REQUIRE_ALL = os.environ.get("STICTION_REQUIRE_ALL") == "1"
ALLOWED = (
    "STICTION_DATA is not set",
    "this machine has no ",
    "recorded with another C library or processor",
    "JAX is not installed",
    "PyTorch is not installed",
    "CasADi is not installed",
    "root may write everywhere",
)

# shells start background jobs, and so our children, with it ignored
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def third_party() -> Path:
    """The folder with data of others. Tests that ask for it are marked `data`."""
    assert THIRD_PARTY is not None and THIRD_PARTY.is_dir(), f"STICTION_DATA is {THIRD_PARTY}, expected a folder"
    return THIRD_PARTY


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository."""
    return ROOT


def pytest_addoption(parser):
    parser.addoption("--full", action="store_true", help="also run the tests marked `full`")


def pytest_itemcollected(item):
    """`data` for those that ask for data of others; one worker for those that share the costly things of their module."""
    if "third_party" in item.fixturenames:
        item.add_marker("data")
    shared = any(
        found[-1].scope in ("module", "class") for found in item._fixtureinfo.name2fixturedefs.values() if found
    )
    if shared and item.get_closest_marker("xdist_group") is None:
        item.add_marker(pytest.mark.xdist_group(Path(item.path).stem))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    left_out = set() if config.getoption("--full") else {"full"}
    if THIRD_PARTY is None:
        left_out.add("data")
    kept, gone = [], []
    for item in items:
        (gone if any(item.get_closest_marker(name) for name in left_out) else kept).append(item)
    items[:] = kept
    config.hook.pytest_deselected(items=gone)


def _fail_if_skipped(report):
    """Turns the report of a skip into that of a failure; an expected failure (xfail) is not a skip."""
    if not REQUIRE_ALL or report.outcome != "skipped" or hasattr(report, "wasxfail"):
        return
    reason = str(report.longrepr)
    if any(words in reason for words in ALLOWED):
        return
    report.outcome = "failed"
    report.longrepr = f"skipped, but STICTION_REQUIRE_ALL=1 allows no skip: {reason}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    _fail_if_skipped(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    report = yield
    _fail_if_skipped(report)
    return report
