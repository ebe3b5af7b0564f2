"""Show ``name-dark.png`` on dark pages, wherever it lies beside ``name.png``.

The theme hides pictures of the class ``only-dark`` on light pages, and those of ``only-light`` on
dark ones.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.transforms import SphinxTransform


class DarkFigures(SphinxTransform):
    """Put the dark picture after the light one."""

    default_priority = 400  # before Sphinx collects pictures

    def apply(self, **kwargs: Any) -> None:
        folder = Path(self.env.doc2path(self.env.docname)).parent
        for image in list(self.document.findall(nodes.image)):
            light = Path(image["uri"])
            dark = light.with_stem(light.stem + "-dark")
            if "://" in image["uri"] or not (folder / dark).is_file():
                continue
            other = image.deepcopy()
            other["uri"] = dark.as_posix()
            image["classes"] = [*image["classes"], "only-light"]
            other["classes"] = [*other["classes"], "only-dark"]
            image.parent.insert(image.parent.index(image) + 1, other)


def setup(app: Any) -> dict[str, bool]:
    """Register the transform."""
    app.add_transform(DarkFigures)
    return {"parallel_read_safe": True}
