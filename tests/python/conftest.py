# SPDX-License-Identifier: BSD-2-Clause
"""Switches of the test run, shared by every test.

--full                    also run the tests marked `full` (long runs); without it they are deselected, not skipped
STICTION_REQUIRE_ALL=1    a skipped test is a failed test: nothing may be missing where this is set.
                          One exception: tests of third-party data stay skipped where the data folder is absent.
STICTION_DATA=DIR         where that data is; else ../shared/data beside the repository
"""

import os
import signal
from pathlib import Path

import pytest

from repository import DATA, ROOT

REQUIRE_ALL = os.environ.get("STICTION_REQUIRE_ALL") == "1"
NEEDS_DATA = "needs third-party data"

# shells start background jobs, and so our children, with it ignored
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of third-party data; the test is skipped where there is none."""
    if not DATA.is_dir():
        pytest.skip(f"{NEEDS_DATA}: no folder {DATA} (set STICTION_DATA)")
    return DATA


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository."""
    return ROOT


def pytest_addoption(parser):
    parser.addoption("--full", action="store_true", help="also run the tests marked `full`")


def pytest_collection_modifyitems(config, items):
    if config.getoption("--full"):
        return
    long_runs = [item for item in items if item.get_closest_marker("full")]
    items[:] = [item for item in items if not item.get_closest_marker("full")]
    config.hook.pytest_deselected(items=long_runs)


def _fail_if_skipped(report):
    """Turns the report of a skip into that of a failure; an expected failure (xfail) is not a skip."""
    if not REQUIRE_ALL or report.outcome != "skipped" or hasattr(report, "wasxfail"):
        return
    reason = str(report.longrepr)
    if NEEDS_DATA in reason and not DATA.is_dir():
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
