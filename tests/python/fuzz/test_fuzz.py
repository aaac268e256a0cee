# SPDX-License-Identifier: BSD-2-Clause
"""Broken files of every format: a sentence or a simulation, never a signal, a hang, 2 GB or a traceback. Longer: fuzz.py."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import corpus
import fuzz

KEPT = (
    "dae:12",
    "dae:69",
    "urdf:303",
    "dat:240",
    "world:80",
    "world:2268",
    "stl:2400",
    "xml:4301",
    "dae:5478",
)  # cases that failed once


def told(found):
    return "\n".join(f"{case}  {said}" for case, said in found.failures)


def test_broken_files_are_refused_or_run():
    """The same cases in every run: what a longer one finds is mended and kept."""
    found = fuzz.run(seconds=300.0, count=60)
    assert not found.failures, told(found)
    assert found.cases == 60 * len(corpus.KINDS)


@pytest.mark.full
def test_broken_files_for_five_minutes():
    found = fuzz.run(seconds=300.0, first=1000)
    assert not found.failures, told(found)


def test_every_whole_file_runs(tmp_path):
    """The corpus itself is sound, or the fuzzer would test nothing but refusals."""
    import targets

    for kind in corpus.KINDS:
        for i, data in enumerate(corpus.seeds(kind)):
            path = tmp_path / f"{i}.{kind}"
            path.write_bytes(data)
            targets.RUN[kind](path)


def test_the_fuzzer_finds_what_is_wrong(monkeypatch):
    """A worker that dies or says `bad` is a failure with its case."""
    monkeypatch.setattr(fuzz.Worker, "run", lambda self, kind, seed: "bad ended with code -11")
    found = fuzz.run(seconds=0.2, kinds=("urdf",))
    assert found.failures and found.failures[0][0] == "urdf:0"


@pytest.mark.parametrize("case", KEPT)
def test_cases_that_failed_once(case):
    kind, number = case.split(":")
    worker = fuzz.Worker()
    said = worker.run(kind, int(number))
    worker.close()
    assert said in ("ran", "refused")
