# SPDX-License-Identifier: BSD-2-Clause
"""What the documentation site promises, as far as it can be seen without building it (tools/build_docs.py, called by .ci/run, does that)."""

import ast
import importlib.util
import inspect
import json
import re
from pathlib import Path

import pytest

import stiction as st
from repository import ROOT
from stiction import _core

DOCS = ROOT / "docs"
LARGEST = 150_000  # bytes of a picture


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


make = load(DOCS / "figures" / "make.py")
PAGES = sorted(page for page in DOCS.rglob("*.md") if page.name != "index.md")


def listed_pages():
    """Pages that a toctree of index.md names, its patterns written out."""
    found = set()
    for block in re.findall(r"^```\{toctree\}\n(.*?)^```", (DOCS / "index.md").read_text(), re.MULTILINE | re.DOTALL):
        for line in block.splitlines():
            if line and not line.startswith(":"):
                found |= {p for p in DOCS.glob(f"{line}.*") if p.suffix in (".md", ".rst")}
    return found


def test_every_page_is_in_the_table_of_contents():
    missing = [str(page.relative_to(DOCS)) for page in PAGES if page not in listed_pages()]
    assert not missing, f"add to a toctree of docs/index.md: {missing}"


def test_every_public_name_is_in_the_api_reference():
    text = "".join(page.read_text() for page in (DOCS / "api").glob("*.rst"))
    assert [
        name for name in st.__all__ if not re.search(rf":: stiction(\.problems)?\.{name}$", text, re.MULTILINE)
    ] == []


def public(names):
    return {name for name in names if not name.startswith("_")}


def public_things():
    """Name -> thing: all of st.__all__, what its modules list in their own __all__, and the members of all these classes."""
    found = {}

    def add(name, thing):
        found[name] = thing
        if inspect.ismodule(thing):
            for key in getattr(thing, "__all__", []):
                add(f"{name}.{key}", getattr(thing, key))
        elif inspect.isclass(thing):
            found.update({f"{name}.{key}": value for key, value in vars(thing).items() if not key.startswith("_")})

    for name in st.__all__:
        add(name, getattr(st, name))
    return found


def test_every_public_name_has_a_docstring():
    bare, told = [], 0
    for name, thing in public_things().items():
        if not (callable(thing) or isinstance(thing, property) or inspect.ismodule(thing)):
            continue
        told += 1
        lines = (inspect.getdoc(thing) or "").splitlines()
        if not [line for line in lines if line.strip() and not re.match(r"\w+\(", line)]:  # without signatures
            bare.append(name)
    assert bare == []
    assert told > 500  # the modules were walked


def member_name(node):
    """Of a method, an annotated attribute or a member of an enum."""
    target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
    return getattr(node, "name", None) or getattr(target, "id", "_")


def test_stub_shows_everything_that_the_compiled_module_has():
    """Oracle: the module itself."""
    stub = ast.parse((Path(st.__file__).parent / "_core.pyi").read_text())
    shown = {}
    for node in stub.body:
        if isinstance(node, ast.ClassDef):
            shown[node.name] = public(member_name(n) for n in node.body)
        elif isinstance(node, ast.FunctionDef):
            shown[node.name] = set()
        elif isinstance(node, ast.AnnAssign):
            shown[node.target.id] = set()
    assert public(dir(_core)) - shown.keys() == set()
    for name, members in shown.items():
        if inspect.isclass(getattr(_core, name)):
            assert public(vars(getattr(_core, name))) - members == set(), name


def test_no_argument_of_a_public_method_is_a_bare_object():
    """Types that say nothing would make the API reference and editors useless."""
    lines = (Path(st.__file__).parent / "_core.pyi").read_text().splitlines()
    bare = [line.strip()[:60] for line in lines if re.search(r"\b(def) (?!_)\w+\(self.*: object\b|-> object:", line)]
    plumbing = ("def record_solve(", "def observe(")  # a history, a weak reference: what they are is said in words
    assert [line for line in bare if not line.startswith(plumbing)] == []


@pytest.mark.parametrize("name", make.FIGURES)
def test_picture_is_what_the_code_draws_now(name, tmp_path):
    """Oracle: the committed picture. Numbers of the drawing (points, 1/72 inch) may differ by what another processor's libm may do."""
    kept, now = (DOCS / "figures" / f"{name}.svg").read_text(), make.draw(name, tmp_path).read_text()
    assert len(now) < LARGEST
    number = re.compile(r"(?<![#\w])-?\d+\.?\d*(?:e-?\d+)?")
    assert number.sub("", kept) == number.sub("", now), "run: python docs/figures/make.py"
    pairs = zip(number.findall(kept), number.findall(now), strict=True)
    assert max(abs(float(a) - float(b)) for a, b in pairs) < 0.05, "run: python docs/figures/make.py"


def test_pictures_are_small_used_and_load_nothing():
    text = "".join(page.read_text() for page in DOCS.rglob("*.md"))
    for picture in (DOCS / "figures").glob("*.svg"):
        assert picture.stat().st_size < LARGEST, picture.name
        assert f"figures/{picture.name})" in text, f"{picture.name} is on no page"
        assert not re.search(r'(?:href|src)="(?!#)', picture.read_text()), picture.name


def test_addresses_that_a_page_would_load_are_found(tmp_path):
    build_docs = load(ROOT / "tools" / "build_docs.py")
    (tmp_path / "good.html").write_text(
        '<a href="https://example.org">x</a><script src="_static/a.js"></script><img src="data:image/png;base64,AA">'
    )
    assert build_docs.outside_addresses(tmp_path) == []
    bad = {
        "script.html": '<script src="https://example.org/a.js"></script>',
        "style.html": '<link rel="stylesheet" href="//example.org/a.css">',
        "picture.html": '<img srcset="https://example.org/a.png 2x">',
        "inline.html": "<style>@import url(https://example.org/a.css);</style>",
        "sheet.css": "@font-face { src: url('http://example.org/a.woff2') }",
        "drawing.svg": '<svg><image xlink:href="https://example.org/a.png"/></svg>',
    }
    for name, content in bad.items():
        (tmp_path / name).write_text(content)
    found = build_docs.outside_addresses(tmp_path)
    assert sorted(line.split()[0] for line in found) == sorted(bad)


def test_docstrings_become_markup():
    """Oracle: written by hand. Both ways to list parameters, a list, code, and characters that markup would eat."""
    convert = load(DOCS / "_extension" / "plain_docstrings.py").convert
    text = """Push |x| of `body` by 2 * dt.

    sim.step()

gap : distance [m],
      negative is overlap

Parameters
----------
force, torque : world axes
    [N, N m]
point
    Where, or None.

Returns
-------
array (3,)"""
    lines = [line for line in convert(text.splitlines()) if line]
    assert lines == [
        r"Push \|x\| of ``body`` by 2 \* dt.", "::", "        sim.step()", "- ``gap``: distance [m],", "  negative is overlap",
        "**Parameters**", "- ``force, torque``: world axes [N, N m]", "- ``point``: Where, or None.", "**Returns**", "- array (3,)",
    ]  # fmt: skip


def test_raw_data_of_the_performance_page_says_where_it_comes_from():
    page = (DOCS / "performance.md").read_text()
    files = sorted((DOCS / "data").glob("*.json"))
    assert files
    for path in files:
        assert f"(data/{path.name})" in page
        content = json.loads(path.read_text())
        assert {"processor", "threads", "system", "python", "compiler", "stiction", "commit"} <= content[
            "machine"
        ].keys()
        assert all(content["machine"].values()), path.name
        assert content["results"]


def test_citation_has_what_the_format_asks_for():
    """Oracle: the required keys of Citation File Format 1.2.0."""
    text = (ROOT / "CITATION.cff").read_text()
    keys = dict(re.findall(r"^([\w-]+): ?(.*)$", text, re.MULTILINE))
    assert keys["cff-version"] == "1.2.0"
    assert {"message", "title", "authors"} <= keys.keys()
    assert keys["type"] in ("software", "dataset")
    assert f'license = "{keys["license"]}"' in (ROOT / "pyproject.toml").read_text()


def test_lock_of_the_documentation_agrees_with_the_others():
    """A package pinned in two locks has one version."""
    pins = {}
    for lock in (ROOT / "requirements").glob("*.txt"):
        for line in lock.read_text().splitlines():
            if line and not line.startswith("#"):
                requirement, _, marker = line.partition(";")
                package, version = requirement.strip().split("==")
                pins.setdefault((package.lower().replace("_", "-"), marker.strip()), set()).add(version)
    assert {key: versions for key, versions in pins.items() if len(versions) > 1} == {}
