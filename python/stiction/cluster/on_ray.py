# SPDX-License-Identifier: BSD-2-Clause
"""The same work on a Ray cluster (extra `cluster`). Tasks whose worker or node died are sent again; if the whole cluster is gone, what
is in the table stays, and the sweep is resumed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from .._core import InvalidInput
from .local import MOST_DEATHS, Lost, Task


def _ray() -> Any:
    try:
        import ray
    except ImportError as error:
        raise ImportError("sweeps on a cluster need Ray: pip install 'stiction[cluster]'") from error
    return ray


def _packed_call(function: Callable[[Any], Any], thing: Any) -> Any:
    return function(thing)


class RayPool:
    """As LocalPool; `address` is "local" for a cluster of its own on this machine, or that of one that runs."""

    def __init__(self, function: Callable[[Any], Any], address: str, workers: int | None = None) -> None:
        self._ray, self._own = _ray(), False
        if not self._ray.is_initialized():
            settings: dict[str, Any] = dict(log_to_driver=False, logging_level="ERROR")
            if address == "local":
                settings |= dict(num_cpus=workers, include_dashboard=False)
            try:
                self._ray.init(address=address, **settings)
            except ConnectionError as error:
                raise InvalidInput(f"no Ray cluster answers at '{address}': {error}") from error
            self._own = True
        self._call = self._ray.remote(_packed_call).options(num_cpus=1, max_retries=0)
        self._function = self._ray.put(function)
        self._at_once = workers
        self.replaced = 0

    def _width(self) -> int:
        return 2 * max(1, self._at_once or int(self._ray.cluster_resources().get("CPU", 1)))

    def run(self, tasks: Iterable[Task]) -> Iterator[tuple[int, Any]]:
        waiting = iter(tasks)
        running: dict[Any, Task] = {}
        deaths: dict[int, int] = {}
        again: list[Task] = []
        died = (
            self._ray.exceptions.WorkerCrashedError,
            self._ray.exceptions.NodeDiedError,
            self._ray.exceptions.ObjectLostError,
        )
        try:
            while True:
                while (
                    len(running) < self._width() and (task := again.pop() if again else next(waiting, None)) is not None
                ):
                    running[self._call.remote(self._function, task[1])] = task
                if not running:
                    return
                for reference in self._ray.wait(list(running))[0]:
                    task = running.pop(reference)
                    try:
                        yield task[0], self._ray.get(reference)
                    except died as error:
                        self.replaced += 1
                        deaths[task[0]] = deaths.get(task[0], 0) + 1
                        if deaths[task[0]] < MOST_DEATHS:
                            again.append(task)
                        else:
                            yield task[0], Lost(f"its worker died {deaths[task[0]]} times: {type(error).__name__}")
        finally:
            self.close()

    def close(self) -> None:
        if self._own and self._ray.is_initialized():
            self._ray.shutdown()
