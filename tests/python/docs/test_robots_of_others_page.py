# SPDX-License-Identifier: BSD-2-Clause
"""What docs/from-mujoco.md says of robots that others wrote is what docs/data/real_robots.json holds."""

import json
import sys

from repository import ROOT

sys.path.insert(0, str(ROOT / "bench"))

import real_robots


def test_the_page_shows_the_data():
    rows = json.loads((ROOT / "docs" / "data" / "real_robots.json").read_text())["results"]
    page = (ROOT / "docs" / "from-mujoco.md").read_text()
    assert len(rows) > 100
    for line in real_robots.by_package(rows):
        assert line in page
    for row in rows:
        if "error" in row or not row["calm_in_the_same_step"]:
            assert f"`{row['file']}`" in page  # named, with the reason
