# SPDX-License-Identifier: BSD-2-Clause
"""`stiction reproduce`. Oracle: its contract: rows with six keys, skips without data, exit code 1 if a row fails or, strictly, is skipped."""

import json
import os
import subprocess
import sys

import pytest

import stiction as st
from stiction import papers
from stiction.papers import exponential, rows
from stiction.papers.study import Section, Study

KEYS = {"name", "published", "measured", "ours", "tolerance", "status"}


def stiction(*arguments, cwd=None, code=0, data=None):
    environment = {key: value for key, value in os.environ.items() if key != "STICTION_DATA"}
    if data is not None:
        environment["STICTION_DATA"] = str(data)
    done = subprocess.run([sys.executable, "-m", "stiction.cli", *arguments], cwd=cwd, capture_output=True, text=True, timeout=600,
                          env=environment)  # fmt: skip
    assert done.returncode == code, f"{done.stdout}\n{done.stderr}"
    return done


@pytest.fixture(scope="module")
def without_data(tmp_path_factory):
    """One quick run without anybody's data: JSON and the page."""
    folder = tmp_path_factory.mktemp("reproduce")
    done = stiction("reproduce", "exponential", "--quick", "--json", "--report", "report.html", cwd=folder)
    return json.loads(done.stdout), folder / "report.html"


def test_rows_have_six_keys_and_a_status(without_data):
    found, _ = without_data
    assert len(found) > 20 and all(set(row) == KEYS for row in found)
    assert {row["status"] for row in found} == {"ok", "skipped"}
    assert len({row["name"] for row in found}) == len(found)
    for row in found:
        assert isinstance(row["name"], str) and isinstance(row["tolerance"], str)
        assert (row["ours"] is None) == (row["status"] == "skipped")


def test_without_data_motions_of_our_own_run_and_published_rows_are_skipped(without_data):
    found, _ = without_data
    own = [row for row in found if "own motion" in row["name"]]
    assert {row["status"] for row in own} == {"ok"}
    for task, step in (("squat", 40.0), ("jump", 10.0), ("trot", 2.0)):
        row = next(r for r in found if r["name"] == f"stable step [ms], {task}, exponential exact")
        assert row["status"] == "skipped" and row["published"] == step
        row = next(r for r in own if r["name"] == f"stable step [ms], {task}, exponential [1/2], own motion")
        assert row["ours"] == step


def test_page_opens_offline(without_data):
    _, path = without_data
    page = path.read_text()
    assert "http:" not in page and "https:" not in page and "<script" not in page and " src=" not in page
    assert page.count("<svg") >= 2 and page.rstrip().endswith("</html>")
    for title in (
        "Stability (Table II)",
        "Accuracy (Figs. 2 and 3)",
        "Stiffness and damping (Fig. 4)",
        "Contact forces",
        "Beside MuJoCo",
    ):
        assert title in page


def fake(monkeypatch, *made):
    """A reproduction that has these rows."""

    def run(settings):
        study = Study("fake", settings)
        study.add(Section("fake", rows=[*made]))
        return study

    monkeypatch.setattr(exponential, "run", run)


GOOD = rows.at_most("good", 1.0, 2.0)
BAD = rows.at_most("bad", 3.0, 2.0)
SKIPPED = rows.skipped("missing", "--data DIR")


@pytest.mark.parametrize(("made", "strict", "code"), [
    ([GOOD], [], 0), ([GOOD, BAD], [], 1), ([GOOD, SKIPPED], [], 0), ([GOOD, SKIPPED], ["--strict"], 1),
])  # fmt: skip
def test_exit_code(monkeypatch, made, strict, code, capsys):
    from stiction import cli

    fake(monkeypatch, *made)
    monkeypatch.delenv("STICTION_DATA", raising=False)
    monkeypatch.setattr(sys, "argv", ["stiction", "reproduce", "exponential", *strict])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == code
    out = capsys.readouterr().out
    assert ("skipped (needs --data DIR)" in out) == (SKIPPED in made and not strict)
    assert out.splitlines()[-1].startswith("1 ok, ")


def test_rows_are_judged():
    assert (
        rows.close("x", None, 2.0, 2.19, 0.1).status == "ok"
        and rows.close("x", None, 2.0, 2.21, 0.1).status == "failed"
    )
    assert rows.close("x", 5.0, 2.0, 2.0, 0.1).status == "ok", "the measured value counts where there is one"
    assert rows.close("x", 5.0, None, 5.0, 0.1).status == "ok"
    assert rows.at_least("x", 1.0, 1.0).status == "ok" and rows.at_least("x", 0.9, 1.0).status == "failed"
    halving = [rows.within_halving("x", 5.0, 2.5, ours).status for ours in (10.0, 5.0, 1.25, 0.625, 20.0)]
    assert halving == ["ok", "ok", "ok", "failed", "failed"]
    nan = float("nan")
    made = [rows.close("x", None, 2.0, nan, 0.1), rows.at_most("x", nan, 1.0), rows.at_least("x", nan, 1.0), rows.within_halving("x", 1.0, None, nan),
            rows.told("x", nan)]  # fmt: skip
    assert [row.status for row in made] == ["failed"] * 5, "NaN never passes"
    assert json.dumps([row.as_json() for row in made], allow_nan=False)


def test_the_same_numbers_give_the_same_page(tmp_path):
    import numpy as np

    from stiction.papers.exponential import figures
    from stiction.papers.exponential.forces import Prediction

    t = np.linspace(0.0, 0.02, 5)
    prediction = Prediction(0.1, t, np.ones((5, 4)), np.ones((5, 4)))
    study = Study("title", papers.Settings())
    study.add(Section("forces", "words", [GOOD], figures=[lambda: figures.predictions([prediction])]))
    for name in ("a.html", "b.html"):
        study.write(tmp_path / name)
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()


def test_wrong_input_is_one_sentence(tmp_path):
    done = stiction("reproduce", "backflip", code=2)
    assert done.stderr == f"stiction: unknown paper 'backflip'; known: {' '.join(papers.PAPERS)}\n"
    done = stiction("reproduce", "exponential", "--data", str(tmp_path / "nowhere"), code=2)
    assert "expected a folder" in done.stderr and done.stderr.count("\n") == 1
    (tmp_path / "trot_feedback.npy").touch()
    done = stiction("reproduce", "exponential", data=tmp_path, code=2)
    assert "lacks solo12_v3.2.0.urdf, jump_reference_states.npy" in done.stderr
    with pytest.raises(st.InvalidInput, match="unknown paper"):
        papers.reproduce("backflip")
