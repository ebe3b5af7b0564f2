"""Remove from the examples what only doctest needs.

These are a last empty line, options in comments, and dots in place of the version.
"""

import re

from docutils import nodes
from sphinx.application import Sphinx

OPTION = re.compile(r" +# doctest: [+\-A-Z_, ]+$", re.MULTILINE)


def _tidy(app: Sphinx, doctree: nodes.document) -> None:
    for block in doctree.findall(nodes.literal_block):
        text = OPTION.sub("", block.astext()).rstrip()
        text = text.replace("fuzzyrand ...", f"fuzzyrand {app.config.release}")
        if text != block.astext():
            block.rawsource = text  # Sphinx highlights a block only if both are equal.
            block.children = [nodes.Text(text)]


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the clean-up with Sphinx."""
    app.connect("doctree-read", _tidy)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
