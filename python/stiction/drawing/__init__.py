# SPDX-License-Identifier: BSD-2-Clause
"""What is drawn, without anything that draws: `render` and `viewer` both build on it.

Modules:

    items      `Drawing`: the shapes of a world; solids: triangles of the primitive shapes; visuals: those of URDF files
    frame      `Frame`: one moment of a run
    source     `Source`: frames in the order of time, from a simulation or a recording
"""

from .frame import Frame, frame_of
from .items import Drawing, Item
from .source import Source

__all__ = ["Drawing", "Frame", "Item", "Source", "frame_of"]
