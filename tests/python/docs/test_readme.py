# SPDX-License-Identifier: BSD-2-Clause
"""The ten lines of the README run as printed. Oracle: a robot at rest presses on the ground with its weight, 26.82 kg · g."""

import re

import pytest


@pytest.mark.parametrize("page", ["README.md", "docs/overview.md"])
def test_the_ten_lines_run(root, page, capsys):
    code = re.search(r"```python\n(.*?)```", (root / page).read_text(), re.S).group(1)
    names = {}
    exec(compile(code, page, "exec"), names)
    assert capsys.readouterr().out
    assert names["report"].status == "converged"
    assert names["sim"].contacts()["force"][:, 2].sum() == pytest.approx(26.82 * 9.81, rel=1e-6)
