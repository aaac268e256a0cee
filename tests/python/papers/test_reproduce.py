# SPDX-License-Identifier: BSD-2-Clause
"""`stiction reproduce`. Oracle: its contract: rows with eight keys, skips without data, exit code 1 if a row fails or, strictly, is skipped."""

import json
import os
import subprocess
import sys

import pytest

import stiction as st
from stiction import papers
from stiction.papers import exponential, rows
from stiction.papers.study import Section, Study

KEYS = {"name", "published", "measured", "ours", "tolerance", "compared_with", "status", "reason"}


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


def test_rows_have_eight_keys_and_a_status(without_data):
    found, _ = without_data
    assert len(found) > 20 and all(set(row) == KEYS for row in found)
    assert {row["status"] for row in found} == {"ok", "told", "skipped"}
    for row in found:
        kind = row["compared_with"].split(":")[0]
        assert kind in rows.KINDS if row["status"] == "ok" else kind == ""
    assert len({row["name"] for row in found}) == len(found)
    for row in found:
        assert isinstance(row["name"], str) and isinstance(row["tolerance"], str)
        assert (row["ours"] is None) == (row["status"] == "skipped")


def test_without_data_motions_of_our_own_run_and_published_rows_are_skipped(without_data):
    found, _ = without_data
    own = [row for row in found if "own motion" in row["name"]]
    assert {row["status"] for row in own} == {"ok", "told"}
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


OWN = rows.own_record("here")
GOOD = rows.at_most("good", 1.0, 2.0, against=OWN)
BAD = rows.at_most("bad", 3.0, 2.0, against=OWN)
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


def test_rows_are_judged_by_what_they_name():
    paper, other = rows.published("Table 1"), rows.closed_form("x")
    close = lambda ours, against: rows.close("x", 5.0, 2.0, ours, 0.1, against=against).status
    assert [close(2.0, other), close(2.0, paper), close(5.0, paper), close(5.0, other)] == [
        "ok",
        "failed",
        "ok",
        "failed",
    ]
    assert (
        rows.at_least("x", 1.0, 1.0, against=OWN).status == "ok"
        and rows.at_least("x", 0.9, 1.0, against=OWN).status == "failed"
    )
    halving = [rows.within_halving("x", 5.0, None, ours, against=paper).status for ours in (10.0, 5.0, 2.5, 2.4, 20.0)]
    assert halving == ["ok", "ok", "ok", "failed", "failed"]
    digits = [rows.printed("x", "0.3523", ours, against=paper).status for ours in (0.3525, 0.3521, 0.35251)]
    assert digits == ["ok", "ok", "failed"], "two units of the last digit"
    with pytest.raises(ValueError, match="no such number"):
        rows.close("x", None, 2.0, 2.0, 0.1, against=paper)
    with pytest.raises(ValueError, match="compared with"):
        rows.at_most("x", 1.0, 2.0, against="something")
    nan = float("nan")
    made = [rows.close("x", None, 2.0, nan, 0.1, against=other), rows.at_most("x", nan, 1.0, against=OWN), rows.at_least("x", nan, 1.0, against=OWN),
            rows.within_halving("x", 1.0, None, nan, against=paper), rows.missing("x", against=OWN)]  # fmt: skip
    assert [row.status for row in made] == ["failed"] * 5, "NaN never passes"
    assert json.dumps([row.as_json() for row in [*made, rows.told("x", nan)]], allow_nan=False)


def test_a_published_number_may_be_missed_with_a_reason_and_evidence():
    paper = lambda ours: rows.near("x", 0.25, None, ours, 0.01, against=rows.published("Fig. 12"))
    proof = lambda ours: rows.near("x", None, 0.2, ours, 0.01, against=rows.closed_form("y"))
    assert rows.differs(paper(0.2), proof(0.2), "why").status == "differs"
    assert rows.differs(paper(0.3), proof(0.3), "why").status == "failed", "neither the paper nor the evidence"
    assert rows.differs(paper(0.25), proof(0.25), "why").status == "ok"
    with pytest.raises(ValueError, match="without a reason"):
        rows.Row("x", 1.0, None, 2.0, "", "differs", rows.published("Fig. 1"))


def test_told_rows_are_not_counted_as_ok():
    text = rows.closing([GOOD, BAD, SKIPPED, rows.told("t", 1.0)])
    assert text == "1 ok, 1 failed, 0 differs, 1 told, 1 skipped (ok against: 1 own record)"


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
