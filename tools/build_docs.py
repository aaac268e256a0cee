# SPDX-License-Identifier: BSD-2-Clause
"""Builds the documentation into build/docs: python tools/build_docs.py [--no-setup]

Sets the repository up (as ./run does), installs requirements/docs.txt into .venv, runs sphinx with every warning an error, and
reads the pages that came out: none may load anything from another address. Offline once the packages are there.
The exit code is 1 if something is wrong, with one line per problem. --no-setup takes .venv as it is.
"""

from __future__ import annotations

import re
import shutil
import sys
from html.parser import HTMLParser
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import setup

PAGES = setup.BUILD / "docs"
# what a browser fetches by itself; <a href> is only followed by a reader
LOADED = {
    "script": "src",
    "img": "src",
    "iframe": "src",
    "source": "src",
    "video": "src",
    "audio": "src",
    "embed": "src",
    "object": "data",
    "link": "href",
    "image": "href",
    "use": "href",
}
OUTSIDE = re.compile(r"\s*(?:[a-z][a-z0-9+.-]*:)?//", re.IGNORECASE)
CSS_LOADS = re.compile(r"""(?:@import\s+url\(|@import|url\()\s*["']?([^"')\s;]+)""")


class Loads(HTMLParser):
    """Addresses that a page fetches when it is opened."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.in_style = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name.removeprefix("xlink:"): value or "" for name, value in attrs}
        self.in_style = tag == "style"
        if (
            tag in LOADED
            and LOADED[tag] in given
            and not (tag == "link" and given.get("rel") in ("canonical", "license"))
        ):
            self.found.append(given[LOADED[tag]])
        self.found += [part.split()[0] for part in given.get("srcset", "").split(",") if part.strip()]
        self.found += CSS_LOADS.findall(given.get("style", ""))

    def handle_data(self, data: str) -> None:
        if self.in_style:
            self.found += CSS_LOADS.findall(data)


def outside_addresses(folder: Path) -> list[str]:
    """One line per file and address of another place that opening it would contact."""
    problems = []
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".html", ".svg"):
            page = Loads()
            page.feed(path.read_text(encoding="utf-8"))
            loads = page.found
        elif path.suffix == ".css":
            loads = CSS_LOADS.findall(path.read_text(encoding="utf-8"))
        else:
            continue
        problems += [f"{path.relative_to(folder)} loads {address}" for address in loads if OUTSIDE.match(address)]
    return problems


def build() -> None:
    """Sphinx, all pages anew: what is not rebuilt cannot warn."""
    shutil.rmtree(PAGES, ignore_errors=True)
    setup.call(
        setup.PYTHON,
        "-m",
        "sphinx",
        "--builder",
        "html",
        "--fail-on-warning",
        "--keep-going",
        "--nitpicky",
        "--quiet",
        "--doctree-dir",
        setup.BUILD / "doctrees",
        "--fresh-env",
        setup.ROOT / "docs",
        PAGES,
    )


def main(arguments: list[str]) -> None:
    if arguments not in ([], ["--no-setup"]):
        raise setup.SetupError("usage: build_docs.py [--no-setup]")
    if not arguments:
        setup.ensure_ready()
        with setup.lock_repository():
            setup.install_lock("docs")
    build()
    problems = outside_addresses(PAGES)
    for problem in problems:
        print(problem)
    print(
        f"documentation: {PAGES / 'index.html'}, {sum(1 for _ in PAGES.rglob('*.html'))} pages, {len(problems)} outside addresses"
    )
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    setup.guard(main, sys.argv[1:])
