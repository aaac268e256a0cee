# SPDX-License-Identifier: BSD-2-Clause
"""Clients of the viewer: two that render nothing and speak viser's protocol, and the flags of one that renders, in software."""

from __future__ import annotations

import shutil
import threading
import time
from dataclasses import dataclass

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--disable-gpu-rasterization", "--disable-accelerated-2d-canvas"]  # fmt: skip


def connect(viewer, **options):
    """A websocket to the viewer, as a page opens it."""
    import viser
    from websockets.sync import client

    protocol = f"viser-v{viser.__version__}"
    return client.connect(
        viewer.url.replace("http", "ws"), subprotocols=[protocol], max_size=None, compression=None, **options
    )


def widgets(viewer, label):
    """The server's side of the widgets with a label: what has arrived there is their value."""
    return [widget for widget in viewer.server.gui._gui_input_handle_from_uuid.values() if widget.label == label]


class Listener:
    """Counts, in a thread of its own, from the end of the replay of what was there before."""

    def __init__(self, viewer):
        self.poses = self.arrows = 0  # updates of the first body, of the normal forces
        self._viewer = viewer
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
        with connect(self._viewer) as link:
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


class Hand:
    """Uses widgets by their labels, as fast as the socket takes it: no page in between that throttles."""

    def __init__(self, viewer):
        self._viewer = viewer

    def __enter__(self):
        self._link = connect(self._viewer)
        here = {"wxyz": (1, 0, 0, 0), "position": (1, 0, 0), "look_at": (0, 0, 0), "up_direction": (0, 0, 1)}
        # viser waits for it
        self._send("ViewerCameraMessage", **here, fov=1.0, near=0.1, far=10.0, image_height=10, image_width=10)
        return self

    def __exit__(self, *_):
        self._link.close()

    def use(self, label, value):
        [widget] = widgets(self._viewer, label)
        self._send("GuiUpdateMessage", uuid=widget._impl.uuid, updates={"value": value})

    def _send(self, kind, **fields):
        import msgspec

        self._link.send(msgspec.msgpack.encode({"type": kind, **fields}))


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
        return Seen(
            viewer.player.frames_drawn - drawn,
            client.poses - poses,
            client.arrows - arrows,
            time.perf_counter() - start,
        )
