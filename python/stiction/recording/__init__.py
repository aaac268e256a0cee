# SPDX-License-Identifier: BSD-2-Clause
"""Recordings: every step of a simulator in an MCAP file that survives a crash and replays to the same bits.

For example:

    with st.record(sim, "run.mcap"):
        sim.step(n=1000)
    log = st.recording.load("run.mcap")
    print(log.time[-1], log.q.shape, st.recording.replay(log).exact)
"""

from . import needs as needs  # first: it may say what is missing
from .reader import Recording, load
from .recover import recover
from .replay import Replay, replay
from .source import RecordedSource, source
from .writer import Recorder, record

__all__ = ["RecordedSource", "Recorder", "Recording", "Replay", "load", "record", "recover", "replay", "source"]
