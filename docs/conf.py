"""Configuration of the documentation; ``make docs`` builds it."""

import os
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_extensions"))
# Import all public names at once, so that Sphinx sees them.
os.environ["EAGER_IMPORT"] = "1"

import fuzzyrand  # noqa: E402

project = "fuzzyrand"
author = "The fuzzyrand developers"
copyright = author
version = release = fuzzyrand.__version__

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
    "dark_figures",
    "mathml",
    "tidy_examples",
]
exclude_patterns = ["_build", "recipes", "_templates"]
templates_path = ["_templates"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
nitpicky = True

# Markdown
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3

# Docstrings
autosummary_generate = True
autodoc_typehints = "none"
numpydoc_show_class_members = False
numpydoc_xref_param_type = False

# Recipes: every file is run when the site is built, and an error in one stops the build.
sphinx_gallery_conf = {
    "examples_dirs": "recipes",
    "gallery_dirs": "auto_recipes",
    "filename_pattern": r"/plot_",
    "ignore_pattern": r"/_",
    "abort_on_example_error": True,
    "download_all_examples": False,
    "show_memory": False,
    "show_signature": False,
    "write_computation_times": False,
    "min_reported_time": 1_000,
    "remove_config_comments": True,
    "within_subsection_order": "recipe_order.RecipeOrder",
    "image_scrapers": ("matplotlib",),
    "image_srcset": ["2x"],
    "backreferences_dir": "reference/used",
    "doc_module": ("fuzzyrand",),
}

# Pages
LOGO = "_static/logo.svg"
html_theme = "pydata_sphinx_theme"
html_title = "fuzzyrand documentation"
html_favicon = LOGO
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sourcelink = False
html_copy_source = False
html_math_renderer = "mathml"
html_sidebars = {"index": [], "start": []}
html_theme_options = {
    "logo": {"text": "fuzzyrand", "image_light": LOGO, "image_dark": LOGO},
    "github_url": "https://github.com/fuzzyrand/fuzzyrand",
    "navbar_align": "left",
    "header_links_before_dropdown": 7,
    "show_toc_level": 2,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "navigation_with_keys": False,
}
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

# Links to this project work once it is published.
linkcheck_ignore = [r"https://github\.com/fuzzyrand/.*", r"https://fuzzyrand\.github\.io/.*"]


def _without_constructor(app, what, name, obj, options, signature, returns):
    """Leave out the long constructors of results, which functions return."""
    if what == "class" and obj.__module__.startswith("fuzzyrand.results"):
        return "", None
    return None


def setup(app):
    app.connect("autodoc-process-signature", _without_constructor)
