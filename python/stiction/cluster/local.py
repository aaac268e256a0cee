# SPDX-License-Identifier: BSD-2-Clause
"""Work on processes of this machine. A worker is a Python of its own (`stiction.cluster.worker`), so scripts need no
`if __name__ == "__main__"`; it gets a task on its input and writes the answer to its output. One that dies gives its task back."""

from __future__ import annotations

import os
import pickle
import selectors
import struct
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import IO, Any

from .._core import InvalidInput

MOST_DEATHS = 3  # of workers at one task, until it is given up
HEAD = struct.Struct("<Q")
Task = tuple[int, Any]


class Lost(RuntimeError):
    """The workers of a task died, again and again."""


def pickled(thing: Any, what: str) -> bytes:
    """By value where cloudpickle is installed, so that functions of notebooks and scripts travel too."""
    try:
        import cloudpickle

        return bytes(cloudpickle.dumps(thing))
    except ImportError:
        pass
    try:
        data = pickle.dumps(thing)
    except Exception as error:
        raise InvalidInput(f"{what} cannot be sent to other processes: {error}; pip install cloudpickle") from error
    if b"__main__" in data:
        raise InvalidInput(f"{what} is defined in the script itself; put it into a module, or pip install cloudpickle")
    return data


def read_message(stream: IO[bytes]) -> bytes | None:
    """None where the other side is gone, also in the middle."""
    head = stream.read(HEAD.size)
    if head is None or len(head) < HEAD.size:
        return None
    size = HEAD.unpack(head)[0]
    data = stream.read(size)
    return data if data is not None and len(data) == size else None


def write_message(stream: IO[bytes], data: bytes) -> None:
    stream.write(HEAD.pack(len(data)) + data)
    stream.flush()


class _Worker:
    def __init__(self, function: bytes) -> None:
        threads = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        modules = os.pathsep.join(folder or os.getcwd() for folder in sys.path)  # what we can import it can, too
        self.process = subprocess.Popen(
            [sys.executable, "-m", "stiction.cluster.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**threads, **os.environ, "PYTHONPATH": modules},
            start_new_session=True,  # Ctrl-C is for us alone: what is finished is still taken
        )
        self.task: Task | None = None
        self.send(function)

    @property
    def output(self) -> IO[bytes]:
        assert self.process.stdout is not None
        return self.process.stdout

    def send(self, data: bytes) -> None:
        assert self.process.stdin is not None
        with suppress(OSError):  # it is dead: its output says so
            write_message(self.process.stdin, data)

    def give(self, task: Task) -> None:
        self.task = task
        self.send(pickle.dumps(task[1]))

    def end(self) -> int:
        self.process.kill()
        code = self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            with suppress(OSError):
                pipe.close()  # type: ignore[union-attr]
        return code


class LocalPool:
    """``for number, result in LocalPool(function, workers).run(tasks)``: in the order in which they end."""

    def __init__(self, function: Callable[[Any], Any], workers: int) -> None:
        if workers < 1:
            raise InvalidInput(f"workers is {workers}, expected a whole number >= 1")
        self._function = pickled(function, "the function")
        self._count = workers
        self._workers: list[_Worker] = []
        self._selector = selectors.DefaultSelector()
        self._deaths: dict[int, int] = {}
        self.replaced = 0  # workers that died

    def run(self, tasks: Iterable[Task]) -> Iterator[tuple[int, Any]]:
        waiting, again = iter(tasks), deque[Task]()

        def next_task() -> Task | None:
            return again.popleft() if again else next(waiting, None)

        try:
            while True:
                self._feed(next_task)
                if not any(worker.task for worker in self._workers):
                    return
                for key, _ in self._selector.select():
                    worker: _Worker = key.data
                    data = read_message(worker.output)
                    if data is None:
                        lost = self._bury(worker)
                        if lost is not None:
                            yield from self._try_again(lost, worker, again)
                        continue
                    task, worker.task = worker.task, None
                    assert task is not None
                    yield task[0], _answer(data)
        finally:
            self.close()

    def _feed(self, next_task: Callable[[], Task | None]) -> None:
        for worker in [w for w in self._workers if w.task is None]:
            if (task := next_task()) is None:
                return
            worker.give(task)
        while len(self._workers) < self._count and (task := next_task()) is not None:
            worker = _Worker(self._function)
            self._workers.append(worker)
            self._selector.register(worker.output, selectors.EVENT_READ, worker)
            worker.give(task)

    def _bury(self, worker: _Worker) -> Task | None:
        self._selector.unregister(worker.output)
        self._workers.remove(worker)
        self.replaced += 1
        worker.end()
        return worker.task

    def _try_again(self, task: Task, worker: _Worker, again: deque[Task]) -> Iterator[tuple[int, Any]]:
        deaths = self._deaths[task[0]] = self._deaths.get(task[0], 0) + 1
        if deaths < MOST_DEATHS:
            again.append(task)
        else:
            code = worker.process.returncode
            how = f"signal {-code}" if code < 0 else f"exit code {code}"
            yield task[0], Lost(f"its worker died {deaths} times, the last time by {how}")

    def close(self) -> None:
        for worker in self._workers:
            worker.end()
        self._workers.clear()
        self._selector.close()


def _answer(data: bytes) -> Any:
    good, result = pickle.loads(data)
    if not good:
        raise result
    return result
