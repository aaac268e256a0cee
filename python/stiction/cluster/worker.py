# SPDX-License-Identifier: BSD-2-Clause
"""A worker process: `python -m stiction.cluster.worker`. Input: a pickled function, then tasks; output: (good, result) for each."""

from __future__ import annotations

import os
import pickle
import sys
from typing import Any

from .local import read_message, write_message


def main() -> None:
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a script prints goes where errors go
    source = sys.stdin.buffer
    packed = read_message(source)
    if packed is None:
        return
    try:
        function = pickle.loads(packed)
    except Exception as error:
        failure = f"a worker cannot load the function: {type(error).__name__}: {error}"

        def function(task: Any) -> Any:
            raise RuntimeError(failure)

    while (task := read_message(source)) is not None:
        answer: tuple[bool, Any]
        try:
            answer = True, function(pickle.loads(task))
        except Exception as error:
            answer = False, error if type(error) is RuntimeError else RuntimeError(f"{type(error).__name__}: {error}")
        write_message(output, pickle.dumps(answer))


if __name__ == "__main__":
    main()
