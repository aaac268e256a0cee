# SPDX-License-Identifier: BSD-2-Clause
"""No silence: whatever an MJCF file says either changes the compiled world or is named in its warnings, with its line.
Oracle: MuJoCo accepts every file of the list, so that each entry means something."""

import re

import pytest

import mjcf_grammar
import stiction as st

ENTRIES = [(slot, value) for slot, values in mjcf_grammar.LIST.items() for value in values]


def compiled(tmp_path, text):
    path = tmp_path / "grammar.xml"
    path.write_text(text)
    world = st.World()
    world.add_mjcf(path)
    return st.Simulator(world).save_world(), list(world.warnings)


@pytest.fixture(scope="module")
def usual(tmp_path_factory):
    return compiled(tmp_path_factory.mktemp("grammar"), mjcf_grammar.write())


@pytest.mark.parametrize(("slot", "value"), ENTRIES)
def test_acts_or_is_told(slot, value, usual, tmp_path):
    world, warnings = compiled(tmp_path, mjcf_grammar.write(slot, value))
    assert world != usual[0] or warnings != usual[1], f"{slot} {value} is read over"
    for text in set(warnings) - set(usual[1]):
        if "left out" in text:
            assert re.search(r"grammar\.xml:\d+: ", text), text


def test_mujoco_accepts_the_list(tmp_path):
    mujoco = pytest.importorskip("mujoco")
    refused = []
    for slot, value in [("", ""), *ENTRIES]:
        try:
            mujoco.MjModel.from_xml_string(mjcf_grammar.write(slot, value))
        except ValueError as error:
            refused.append(f"{slot} {value}: {error}")
    assert not refused, "\n".join(refused)
