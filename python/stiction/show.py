# SPDX-License-Identifier: BSD-2-Clause
"""`stiction.view`: opens the viewer, whose modules are imported only then."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._core import Simulator
    from .viewer import Source, Viewer


def view(
    what: Simulator | Source | Sequence[Simulator | Source],
    *,
    compare: Sequence[str] = (),
    visuals: str | Path | None = None,
    host: str = "127.0.0.1",
    port: int = 8080,
    title: str = "stiction",
    block: bool = False,
) -> Viewer:
    """Open a viewer in the browser; needs the extra `viewer` (pip install 'stiction[viewer]').

    Parameters
    ----------
    what
        A simulator, or anything with frames (a recording), or several of them, shown side by side under one clock.
        Simulators are copied: what the viewer does with them does not reach yours.
    compare
        Further laws under which the same simulator is shown beside itself.
    visuals
        A URDF file whose <visual> shapes are drawn; found by itself for robots that were loaded by name.
    host, port
        Where the page is served: this machine only, unless host says otherwise. Port 0 is any free one.
    title
        Shown above the panel.
    block
        Wait until Ctrl-C instead of returning at once.

    Returns
    -------
    Viewer
        Has .url, the buttons as methods, .export(path) and .close(); in a notebook it shows itself.
    """
    from .viewer import launch

    return launch.view(what, compare=compare, visuals=visuals, host=host, port=port, title=title, block=block)
