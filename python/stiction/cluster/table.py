# SPDX-License-Identifier: BSD-2-Clause
"""The table of a sweep: a SQLite file, one row per finished run.

SQLite and not Parquet, because a row is safe as soon as it is written (Parquet is written in groups and closed by a footer: a file whose
writer was killed cannot be read), because it can be read while the sweep runs, and because Python brings it along.
`pandas.read_sql("SELECT * FROM runs", sqlite3.connect(path))` reads it."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import sqlite3
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any

from .._core import InvalidInput
from ..output.arguments import named
from .grid import Sweep
from .job import TIMES


class Table:
    """A table that is being filled by one process."""

    def __init__(self, path: str | os.PathLike[str], sweep: Sweep, resume: bool = False) -> None:
        self.path = Path(path)
        there = self.path.exists()
        if there and not resume:
            raise InvalidInput(f"'{self.path}' exists; go on with it by resume (--resume), or give another --out")
        if not self.path.parent.is_dir():
            raise FileNotFoundError(f"the folder '{self.path.parent}' of the table does not exist")
        identity = sweep.identity()
        self._lock = open(self.path, "ab")  # noqa: SIM115  (open as long as the table)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self._lock.close()
            raise InvalidInput(
                f"'{self.path}' is being filled by another sweep; wait for it, or give another --out"
            ) from error
        try:
            self._db = sqlite3.connect(self.path, isolation_level=None, timeout=10.0)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = NORMAL")
            self._db.execute("CREATE TABLE IF NOT EXISTS sweep (identity TEXT)")
            self._db.execute("CREATE TABLE IF NOT EXISTS runs (run INTEGER PRIMARY KEY)")
            known = self._db.execute("SELECT identity FROM sweep").fetchone()
        except sqlite3.OperationalError as error:
            raise InvalidInput(f"'{self.path}' cannot be written: {error}") from error
        except sqlite3.DatabaseError as error:
            raise InvalidInput(f"'{self.path}' is not the table of a sweep: {error}") from error
        if known is None:
            self._db.execute("INSERT INTO sweep VALUES (?)", (json.dumps(identity),))
        else:
            self._check_same(json.loads(known[0]), identity)
        self._columns = [line[1] for line in self._db.execute("PRAGMA table_info(runs)")]
        self.done = {int(number) for (number,) in self._db.execute("SELECT run FROM runs")}

    def _check_same(self, old: dict[str, Any], new: dict[str, Any]) -> None:
        differs = [key for key in sorted(old.keys() | new.keys()) if old.get(key) != new.get(key)]
        if differs:
            self._db.close()
            self._lock.close()
            told = ", ".join("its text" if key == "source" else f"{key} ({old.get(key)})" for key in differs)
            raise InvalidInput(
                f"'{self.path}' is of another sweep: {told}; resume with the same settings, or give another --out"
            )

    def add(self, row: dict[str, Any]) -> None:
        """On disk when this returns. New names become columns."""
        for key in row:
            if key not in self._columns:
                self._db.execute(f"ALTER TABLE runs ADD COLUMN {_quoted(key)}")
                self._columns.append(key)
        names = ", ".join(_quoted(key) for key in row)
        marks = ", ".join("?" * len(row))
        self._db.execute(f"INSERT OR REPLACE INTO runs ({names}) VALUES ({marks})", list(row.values()))
        self.done.add(int(row["run"]))

    def close(self) -> None:
        """One file, without its journal."""
        with suppress(sqlite3.OperationalError):  # somebody reads it
            self._db.execute("PRAGMA journal_mode = DELETE")
        self._db.close()
        self._lock.close()

    def __enter__(self) -> Table:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


@named
def rows(path: str | os.PathLike[str], times: bool = True) -> list[dict[str, Any]]:
    """The rows of a table in the order of the grid; without `seconds` and `worker` two tables of one sweep are equal.

    Parameters
    ----------
    path
        Of the table.
    times
        With the columns `seconds` and `worker`.
    """
    if not Path(path).is_file():
        raise FileNotFoundError(f"the table '{path}' was not found")
    db = sqlite3.connect(path)
    try:
        kind = db.execute("SELECT type FROM sqlite_master WHERE name = 'runs'").fetchone()
        if kind is not None and kind[0] != "table":  # a view may count for ever
            raise InvalidInput(f"'{path}' is not the table of a sweep: its runs are a {kind[0]}")
        cursor = db.execute("SELECT * FROM runs ORDER BY run")
        names = sorted(line[0] for line in cursor.description)
        order = [line[0] for line in cursor.description]
        found = [dict(zip(order, row, strict=True)) for row in cursor]
    except sqlite3.DatabaseError as error:
        raise InvalidInput(f"'{path}' is not the table of a sweep: {error}") from error
    finally:
        db.close()
    return [{name: row[name] for name in names if times or name not in TIMES} for row in found]


@named
def digest(path: str | os.PathLike[str]) -> str:
    """A number of all rows but their times: equal for equal tables.

    Parameters
    ----------
    path
        Of the table.
    """
    text = json.dumps(rows(path, times=False), sort_keys=True, default=repr)  # bytes, in tables that others wrote
    return hashlib.sha256(text.encode()).hexdigest()[:16]
