# SPDX-License-Identifier: BSD-2-Clause
"""A client of the viewer that renders nothing: it speaks viser's protocol and counts what arrives."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass


class Listener:
    """Counts, in a thread of its own, from the end of the replay of what was there before."""

    def __init__(self, viewer):
        self.poses = self.arrows = 0  # updates of the first body, of the normal forces
        self._url = viewer.url.replace("http", "ws")
        self._ready, self._over = threading.Event(), False
        self._thread = threading.Thread(target=self._listen, daemon=True)

    def __enter__(self):
        self._thread.start()
        assert self._ready.wait(60.0), "no replay arrived"
        return self

    def __exit__(self, *_):
        self._over = True
        self._thread.join(timeout=5.0)

    def wait_until(self, condition, seconds=60.0):
        end = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < end, "did not arrive"
            time.sleep(0.001)

    def _listen(self):
        import viser
        from websockets.sync.client import connect

        protocol = f"viser-v{viser.__version__}"
        with connect(self._url, subprotocols=[protocol], max_size=None, compression=None) as link:
            while not self._over:
                try:
                    self._read(link.recv(timeout=0.2))
                except TimeoutError:
                    continue

    def _read(self, raw):
        import msgspec
        import zstandard

        size = int.from_bytes(raw[8:16], "little")
        inner = zstandard.ZstdDecompressor().decompress(raw[16 : 16 + size])
        for message in msgspec.msgpack.decode(inner)["messages"]:
            kind = message["type"]
            if kind == "ReplayDoneMessage":
                self.poses = self.arrows = 0
                self._ready.set()
            self.poses += kind == "SetPositionMessage" and message["name"] == "/track0/body0"
            self.arrows += kind == "SceneNodeUpdateMessage" and message["name"] == "/track0/normal_forces"


@dataclass
class Seen:
    drawn: int  # frames that the player drew meanwhile
    poses: int  # different poses of the first body that arrived
    arrows: int  # updates of the normal forces that arrived
    seconds: float


def collect(viewer, seconds):
    """What arrives in so many seconds."""
    with Listener(viewer) as client:
        start, drawn, poses, arrows = time.perf_counter(), viewer.player.frames_drawn, client.poses, client.arrows
        time.sleep(seconds)
        return Seen(viewer.player.frames_drawn - drawn, client.poses - poses, client.arrows - arrows, time.perf_counter() - start)
