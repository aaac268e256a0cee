# SPDX-License-Identifier: BSD-2-Clause
"""The checker of prose counts as a reader would. Oracle: pages written by hand."""

import importlib.util

import pytest

from repository import ROOT

spec = importlib.util.spec_from_file_location("check_prose", ROOT / "tools" / "check_prose.py")
check_prose = importlib.util.module_from_spec(spec)
__import__("sys").modules["check_prose"] = check_prose
spec.loader.exec_module(check_prose)


def read(tmp_path, text):
    page = tmp_path / "page.md"
    page.write_text(text)
    return check_prose.read(page)


def test_sentences_and_words_are_counted(tmp_path):
    """A link is its text, code is one word, e.g. ends nothing; code blocks and headings are no sentences."""
    page = read(
        tmp_path,
        "# A heading. With two parts.\n\nOne two [three](a.md) `four five`. Six, e.g. seven eight?\n\n    code here. And here.\n\n"
        "- an item\n- another one with `code`\n\n```\nnot. counted. Here.\n```\n",
    )
    assert [s.words for s in page.sentences] == [4, 4, 2, 4]
    assert page.mean == pytest.approx(14 / 4)


def test_a_sentence_goes_over_lines_and_may_begin_with_a_letter_of_mathematics(tmp_path):
    page = read(tmp_path, "It goes\non here. λ is a force. c is a length. i.e. the same.\n")
    assert [s.words for s in page.sentences] == [4, 4, 4, 3]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("word " * 41 + "end.", "a sentence of 42 words"),
        ("| a | " + "word " * 41 + "|", "a sentence of 41 words"),
        (("Word " * 19 + "end. ") * 3, "20.0 words per sentence in the mean"),
        ("a " * 61, "122 characters, at most 120"),
        ("The colors.", "American spelling: colors"),
        ("We optimized it.", "American spelling: optimized"),
        ("Neighbors.", "American spelling: Neighbors"),
    ],
)
def test_what_is_wrong_is_told(text, sentence, tmp_path):
    assert any(sentence in problem for problem in read(tmp_path, text).problems), read(tmp_path, text).problems


@pytest.mark.parametrize(
    "text",
    [
        "The colour of `color`. *Optimization in robotics*, a title.",
        "word " * 10 + "\n" + "word " * 20 + "end. Short. Short.",
        "| " + "word " * 20 + "| " + "word " * 8 + "|",
        "x" * 200,  # an address cannot be broken
    ],
)
def test_what_is_right_is_not_told(text, tmp_path):
    assert read(tmp_path, text).problems == []
