# SPDX-License-Identifier: BSD-2-Clause
"""Sphinx over the markdown pages of this folder, which are readable without it, and the docstrings of the package.

Built by tools/build_docs.py with every warning an error. The pages load nothing from elsewhere: formulas are text, fonts
are the reader's own. Links that leave docs/ (a source file, an example) become copies that the site carries along.
"""

import sys
from pathlib import Path

import stiction

sys.path.insert(0, str(Path(__file__).parent / "_extension"))

project = "stiction"
author = "The stiction developers"
copyright = "the stiction developers, BSD-2-Clause"  # sphinx's own name for it
version = release = stiction.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "plain_docstrings"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
exclude_patterns = ["_extension"]
highlight_language = "none"
nitpicky = True

# markdown: anchors as GitHub makes them, so that one link works there and here
myst_heading_anchors = 4
myst_links_external_new_tab = False

html_theme = "furo"
html_title = f"stiction {release}"
html_copy_source = False
html_show_sphinx = False
html_last_updated_fmt = None  # the same tree gives the same pages
html_theme_options = {"navigation_with_keys": True}
html_static_path = ["_static"]
html_css_files = ["tables.css"]

autodoc_member_order = "groupwise"
autodoc_typehints = "signature"
python_use_unqualified_type_names = True
# Checked are references to public names, stiction.Simulator; for types of other packages there is no index without the network.
nitpick_ignore_regex = [("py:.*", r"(?!stiction\.[A-Z]\w*$).*")]


def drop_empty_patterns(app, docname, source):
    """A pattern in a toctree of index.md may wait for its pages; sphinx would warn."""

    def waits(line):
        return line.endswith("*") and " " not in line and not any(Path(app.srcdir).glob(f"{line}.*"))

    if docname == "index":
        source[0] = "\n".join(line for line in source[0].splitlines() if not waits(line))


def setup(app):
    app.connect("source-read", drop_empty_patterns)
