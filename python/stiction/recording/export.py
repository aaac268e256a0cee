# SPDX-License-Identifier: BSD-2-Clause
"""Recordings as NumPy archives and tables of text."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from .._core import ContactMode, InvalidInput
from ..output.files import whole_file
from .messages import CONTACT, REPORT_NUMBERS
from .reader import Recording


def save(recording: Recording, path: str | os.PathLike[str]) -> list[Path]:
    """Write states, reports and contacts to a .npz archive, or to .csv tables (contacts get a second file NAME.contacts.csv)."""
    target = Path(path)
    if target.suffix == ".npz":
        return [_whole(target, lambda part: _save_npz(recording, part))]
    if target.suffix == ".csv":
        contacts = target.with_suffix(".contacts.csv")
        return [
            _whole(target, lambda part: _save_csv(part, state_header(recording), state_rows(recording))),
            _whole(contacts, lambda part: _save_csv(part, CONTACT_HEADER, contact_rows(recording))),
        ]
    raise InvalidInput(f"export.path is '{path}', expected a name that ends in .npz, .csv or .usda")


def _whole(target: Path, write: Callable[[Path], None]) -> Path:
    with whole_file(target) as part:
        write(part)
    return target


def arrays(recording: Recording) -> dict[str, Any]:
    """All arrays of a recording by name; `contacts` lists all points with their step, `info` is JSON."""
    steps = sorted(recording.contacts)
    found = [recording.contacts[step] for step in steps]
    return {
        "step": recording.step, "time": recording.time, "hash": recording.hash, "q": recording.q, "v": recording.v,
        **{f"report_{name}": values for name, values in recording.reports.items()},
        "contact_step": np.repeat(np.array(steps, dtype=np.int64), [len(c) for c in found]),
        "contacts": np.concatenate(found) if found else np.empty(0, CONTACT),
        "info": np.array(json.dumps({**recording.info, "complete": recording.complete})),
    }  # fmt: skip


def _save_npz(recording: Recording, part: Path) -> None:
    with open(part, "wb") as file:
        np.savez_compressed(file, **arrays(recording))


def _save_csv(part: Path, header: list[str], rows: Iterator[list[Any]]) -> None:
    with open(part, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(header)
        writer.writerows(rows)


def state_header(recording: Recording) -> list[str]:
    q, v = ([f"{name}{i}" for i in range(values.shape[1])] for name, values in (("q", recording.q), ("v", recording.v)))
    return ["step", "time", "hash", *q, *v, *REPORT_NUMBERS, "status"]


def state_rows(recording: Recording) -> Iterator[list[Any]]:
    """One row per state; the start has no report."""
    reports = recording.reports
    place = {int(step): i for i, step in enumerate(reports["step"])}
    for k, step in enumerate(recording.step):
        i = place.get(int(step))
        report = (
            [""] * (len(REPORT_NUMBERS) + 1)
            if i is None
            else [reports[name][i] for name in (*REPORT_NUMBERS, "status")]
        )
        yield [step, repr(float(recording.time[k])), recording.hash[k], *map(repr, recording.q[k].tolist()),
               *map(repr, recording.v[k].tolist()), *report]  # fmt: skip


_VECTORS = ("point", "normal", "force")
_SCALARS = ("gap", "slip", "body_a", "body_b", "geom_a", "geom_b")
CONTACT_HEADER = ["step", *(f"{name}_{axis}" for name in _VECTORS for axis in "xyz"), *_SCALARS, "mode"]


def contact_rows(recording: Recording) -> Iterator[list[Any]]:
    for step, points in sorted(recording.contacts.items()):
        for c in points:
            yield [
                step,
                *(repr(float(x)) for name in _VECTORS for x in c[name]),
                *(c[name] for name in _SCALARS),
                ContactMode(c["mode"]),
            ]
