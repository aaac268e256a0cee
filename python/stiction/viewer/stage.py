# SPDX-License-Identifier: BSD-2-Clause
"""One track in the 3D scene: shapes on their bodies, contact points, arrows for normal and friction forces.

Colours tell what a contact does: green sticks, red slips, grey carries nothing; the normal force is blue, a pull magenta.
Bodies are moved as nodes of the scene (two messages each). Many equal free bodies are one batch (two messages for all).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ..drawing.frame import Frame
from ..drawing.items import Drawing, Item
from ..rotations import wxyz

if TYPE_CHECKING:
    import viser

NORMAL, STICK, SLIP, OPEN, PULL = (40, 96, 235), (20, 160, 70), (220, 40, 40), (150, 150, 150), (205, 40, 190)
BATCH = 8  # equal bodies from which on they are drawn as one batch
MODE_COLOURS = np.array([OPEN, STICK, SLIP], np.uint8)  # by ContactMode


@dataclass
class Shown:
    """What of the contacts is drawn; shared by all stages, changed by the panel."""

    normal: bool = True
    friction: bool = True
    points: bool = True
    scale: float = 1.0  # of the arrows, times what the drawing suggests
    layers: set[str] = field(default_factory=lambda: {"always", "visual"})


class Stage:
    """Draws frames of one track below the node `root`, moved aside by `offset`."""

    def __init__(
        self, server: viser.ViserServer, drawing: Drawing, root: str, offset: Sequence[float], title: str = ""
    ) -> None:
        self.drawing, self.root = drawing, root
        self._scene = server.scene
        self._offset = np.asarray(offset, float)
        self.offset = self._offset  # of the track in the scene [m]
        self._root = self._scene.add_frame(root, show_axes=False, position=self._offset)
        self._metres_per_newton = 1.2 * drawing.extent / drawing.force_unit
        self._layer_nodes: dict[str, list[Any]] = {}
        self._add_planes()
        self._add_shapes()
        self._add_contacts()
        if title:
            above = drawing.centre + [0.0, 0.0, 0.8 * drawing.spread]
            self._label: Any = self._scene.add_label(f"{root}/title", title, position=above)

    def rename(self, title: str) -> None:
        if hasattr(self, "_label"):
            self._label.text = title

    # ---- what is made once ------------------------------------------------------------------------------------------

    def _add_planes(self) -> None:
        cell = 10.0 ** np.ceil(np.log10(max(self.drawing.spread, 1e-3)))
        for i, plane in enumerate(self.drawing.planes):
            self._scene.add_grid(
                f"{self.root}/plane{i}", 20 * cell, 20 * cell, cell_size=0.2 * cell, section_size=cell,
                cell_color=(222, 222, 222), section_color=(190, 190, 190), plane_color=(244, 244, 242), plane_opacity=1.0,
                shadow_opacity=0.3, fade_distance=12 * cell, position=plane.position, wxyz=wxyz(plane.rotation),
            )  # fmt: skip

    def _add_shapes(self) -> None:
        batches: dict[object, list[Item]] = {}
        items_of: dict[int, list[Item]] = {}
        for item in self.drawing.items:
            items_of.setdefault(item.body, []).append(item)
        for body, items in items_of.items():
            if len(items) == 1 and items[0].same is not None and body >= 0:
                batches.setdefault(items[0].same, []).append(items[0])
        self._batches = [items for items in batches.values() if len(items) >= BATCH]
        batched = {item.body for items in self._batches for item in items}
        self._batch_nodes = [self._add_batch(i, items) for i, items in enumerate(self._batches)]
        self._body_nodes: dict[int, Any] = {}
        for body, items in items_of.items():
            if body not in batched:
                self._add_body(body, items)

    def _add_body(self, body: int, items: list[Item]) -> None:
        name = f"{self.root}/static" if body < 0 else f"{self.root}/body{body}"
        node = self._scene.add_frame(name, show_axes=False)
        if body >= 0:
            self._body_nodes[body] = node
        for i, item in enumerate(items):
            mesh = self._scene.add_mesh_simple(
                f"{name}/{item.layer}{i}", item.vertices, item.triangles, color=item.colour,
                side="double" if item.layer == "visual" else "front",
            )  # fmt: skip
            self._layer_nodes.setdefault(item.layer, []).append(mesh)

    def _add_batch(self, index: int, items: list[Item]) -> Any:
        at_rest = np.tile([1.0, 0.0, 0.0, 0.0], (len(items), 1))
        return self._scene.add_batched_meshes_simple(
            f"{self.root}/batch{index}", items[0].vertices, items[0].triangles, at_rest, np.zeros((len(items), 3)),
            batched_colors=np.array([item.colour for item in items], np.uint8), lod="off",
        )  # fmt: skip

    def _add_contacts(self) -> None:
        nothing, size = np.zeros((0, 2, 3), np.float32), self.drawing.extent
        widths: Any = dict(shaft_radius=0.010 * size, head_radius=0.024 * size, head_length=0.05 * size)
        self._normals = self._scene.add_arrows(f"{self.root}/normal_forces", nothing, NORMAL, **widths)
        self._frictions = self._scene.add_arrows(
            f"{self.root}/friction_forces", nothing, np.zeros((0, 3), np.uint8), **widths
        )
        self._pull = self._scene.add_arrows(f"{self.root}/pull", nothing, PULL, **widths)
        self._points = self._scene.add_point_cloud(
            f"{self.root}/contact_points", np.zeros((0, 3), np.float32), np.zeros((0, 3), np.uint8), point_size=0.03 * size,
            point_shape="circle", precision="float32",
        )  # fmt: skip

    # ---- what moves -------------------------------------------------------------------------------------------------

    def show(self, frame: Frame, shown: Shown, pull: tuple[int, Sequence[float]] = (-1, (0.0, 0.0, 0.0))) -> None:
        positions, rotations = frame.poses[:, :3], wxyz(frame.poses[:, 3:])
        for body, node in self._body_nodes.items():
            node.position, node.wxyz = positions[body], rotations[body]
        for node, items in zip(self._batch_nodes, self._batches, strict=True):
            bodies = [item.body for item in items]
            node.batched_positions, node.batched_wxyzs = (
                positions[bodies].astype(np.float32),
                rotations[bodies].astype(np.float32),
            )
        self._show_contacts(frame.contacts, shown)
        self._show_pull(positions, shown.scale, *pull)
        for layer, nodes in self._layer_nodes.items():
            for mesh in nodes:
                if mesh.visible != (layer in shown.layers):
                    mesh.visible = layer in shown.layers

    def _show_contacts(self, contacts: np.ndarray, shown: Shown) -> None:
        scale = self._metres_per_newton * shown.scale
        points, force, normal = contacts["point"], contacts["force"], contacts["normal"]
        along = np.sum(force * normal, axis=1, keepdims=True) * normal
        colours = MODE_COLOURS[contacts["mode"]]
        _set_arrows(self._normals, points, scale * along, shown.normal)
        _set_arrows(self._frictions, points, scale * (force - along), shown.friction, colours)
        count = len(points) if shown.points else 0
        self._points.points, self._points.colors = points[:count].astype(np.float32), colours[:count]

    def _show_pull(self, positions: np.ndarray, scale: float, body: int, force: Sequence[float]) -> None:
        start = positions[[body]] if 0 <= body < len(positions) else np.zeros((0, 3))
        _set_arrows(
            self._pull, start, scale * self._metres_per_newton * np.tile(np.asarray(force, float), (len(start), 1))
        )


def _set_arrows(
    handle: Any, start: np.ndarray, along: np.ndarray, on: bool = True, colours: np.ndarray | None = None
) -> None:
    """Arrows too short to be seen are left out."""
    keep = (np.linalg.norm(along, axis=1) > 1e-3 * handle.head_length) & on
    if colours is not None:
        handle.colors = colours[keep]
    handle.points = np.stack([start[keep], start[keep] + along[keep]], axis=1).astype(np.float32)
