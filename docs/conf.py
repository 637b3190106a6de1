"""The site of these pages: `make docs` builds it with Sphinx. The pages are plain Markdown and read well without it."""

from __future__ import annotations

from waterglass import __version__

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
suppress_warnings = ["myst.xref_missing", "myst.header"]
highlight_language = "none"

autodoc_typehints = "description"
autodoc_member_order = "groupwise"
autodoc_default_options = {"members": True, "undoc-members": False}
