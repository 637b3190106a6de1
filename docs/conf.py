"""The site of these pages: `make docs` builds it with Sphinx. The pages are plain Markdown and read well without it."""

from __future__ import annotations

import sys

import waterglass
from waterglass import __version__

# Public types that a module imports for checkers alone: given to it here, so that signatures can name them.
for public in (getattr(waterglass, name) for name in waterglass.__all__):
    module = sys.modules.get(getattr(public, "__module__", ""))
    if module is not None:
        for name in waterglass.__all__:
            vars(module).setdefault(name, getattr(waterglass, name))

project = "Waterglass"
author = "Waterglass contributors"
release = version = __version__
html_title = f"Waterglass {__version__}"

extensions = ["myst_parser", "sphinx.ext.autodoc"]
source_suffix = {".md": "markdown"}
root_doc = "index"
exclude_patterns = ["queries"]
html_theme = "furo"
html_show_copyright = False
html_extra_path = ["schema"]  # the JSON Schemas lie beside the pages that name them
html_theme_options = {"top_of_page_buttons": []}

myst_heading_anchors = 4
# Links that lead out of this folder are right in the checkout; on the site they are shown as text.
suppress_warnings = ["myst.xref_missing", "myst.header", "misc.highlighting_failure"]
highlight_language = "none"

autodoc_typehints = "description"
autodoc_member_order = "groupwise"
autodoc_default_options = {"members": True, "undoc-members": False}
