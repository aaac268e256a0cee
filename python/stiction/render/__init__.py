# SPDX-License-Identifier: BSD-2-Clause
"""Pictures and films without a window or a graphics card, for papers.

For example:

    st.render.picture(sim, "still.png")
    st.render.film(st.recording.source("run.mcap"), "run.gif")

Modules:

    camera, surface, picture   where from, what of, how bright: one picture
    film, painter              pictures in a row, of simulators and of recordings
"""

from .film import Film
from .painter import Filming, Painter, film, picture

__all__ = ["Film", "Filming", "Painter", "film", "picture"]
