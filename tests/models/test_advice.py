"""The table of advice on models, and that nothing else advises anything else."""

import inspect

import pytest

import fuzzyrand as fr
from fuzzyrand.models import MODELS
from fuzzyrand.models.advice import DEFAULT_KEEP, KEEPS, USES
from tools.advice_tables import PAGES, filled

from ..advice_in_text import (
    DEFAULT,
    KEY_PHRASES,
    faults,
    of_markdown,
    of_python,
    of_recipe,
    of_template,
)
from ..cli_process import ROOT

SOURCES = ROOT / "src" / "fuzzyrand"


def test_every_model_has_advice():
    assert list(USES) == list(MODELS)
    for keep, (_, fuzzy, hard, *_) in KEEPS.items():
        assert {USES[fuzzy].keep, USES[hard].keep} == {keep}
        assert not MODELS[fuzzy].hard_only


@pytest.mark.parametrize(
    "function",
    [
        fr.adjusted_similarity,
        fr.compare,
        fr.confidence_interval,
        fr.expected_similarity,
        fr.explain,
        fr.pairwise,
        fr.significance,
        fr.stability,
    ],
)
def test_the_default_is_that_of_the_table(function):
    default = inspect.signature(function).parameters["model"].default
    assert default == KEEPS[DEFAULT_KEEP].fuzzy == KEEPS[DEFAULT_KEEP].hard == DEFAULT


@pytest.mark.parametrize("page", PAGES)
def test_pages_have_the_tables(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    assert filled(page) == text, "out of date: run make tables"


def test_the_diagram_asks_about_everything_that_chance_can_keep(monkeypatch):
    pytest.importorskip("sklearn")
    pytest.importorskip("matplotlib")
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    from model_pictures import QUESTIONS

    assert {*QUESTIONS.values(), DEFAULT_KEEP} == set(KEEPS)


# --- advice elsewhere ----------------------------------------------------------------------------


def test_key_phrases_are_words_of_the_table():
    assert {*KEY_PHRASES, DEFAULT} == set(USES)
    for model, phrases in KEY_PHRASES.items():
        use = USES[model]
        keep = KEEPS[use.keep]
        entry = " | ".join((use.when, keep.given, keep.when, keep.drawn))
        assert phrases
        for phrase in phrases:
            assert phrase in entry, model


PLACES = {
    "pages": (
        of_markdown,
        [
            ROOT / "README.md",
            ROOT / "CONTRIBUTING.md",
            *(page for page in (ROOT / "docs").rglob("*.md") if "study" not in page.parts),
        ],
    ),
    "recipes": (of_recipe, [*(ROOT / "docs" / "recipes").glob("*.py")]),
    "lists of recipes": (of_markdown, [*(ROOT / "docs").rglob("*.rst")]),
    "docstrings and messages": (
        of_python,
        [path for path in SOURCES.rglob("*.py") if path != SOURCES / "models" / "advice.py"],
    ),
    "reports": (of_template, [*(SOURCES / "report" / "templates").glob("*.html")]),
}


@pytest.mark.parametrize("place", PLACES)
def test_nothing_advises_what_the_table_does_not(place):
    paragraphs_of, files = PLACES[place]
    assert files
    found = [
        f"{path.relative_to(ROOT)}: {fault}: {' '.join(paragraph.split())}"
        for path in files
        for paragraph in paragraphs_of(path.read_text(encoding="utf-8"))
        for fault in faults(paragraph)
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("paragraph", "told"),
    [
        ("In fuzzyrand the default is `fit`.", "calls fit the default"),
        ("`fit`, the default, draws memberships.", "calls fit the default"),
        ("The default model ``fit`` describes a random document.", "calls fit the default"),
        ("| `--model NAME` | default: `sym` |", "calls sym the default"),
        ("| Gaussian mixtures, fuzzy c-means | `fit` |", "advises fit"),
        ("| topic models, ancestry | `perm` | `sym` (hard: `num`) |", "advises num"),
        ('| Which random model? | `"fit"` | both are hard |', "advises fit"),
        ("| hard labels: k-means, Ward | `num`, the ARI |", "advises num"),
        ("If you are in doubt, use `fit`.", "advises fit"),
        ("Finding the right sizes should count, so the random model is ``sym``.", "advises sym"),
        ("If the sizes are very unequal, report `fit` as well.", "advises fit"),
        ("For rounded memberships, `fit` is enough: it finds the limit.", "advises fit"),
        ("`mixed` suits the memberships of HDBSCAN.", "advises mixed"),
        ("`flat` is right where only the number of clusters is known.", "advises flat"),
        ("Use {perm}, 'fit' or another model that keeps sizes.", "advises fit"),
        ("Use `sym`, or\n`num` if both are hard.", "advises sym"),
        ('We recommend `model="fit"` for mixtures.', "advises fit"),
        ("Choose `--model sym` for fuzzy c-means.", "advises sym"),
        ("Choose the model empirical for many points.", "advises empirical"),
        ("K-means: `num`.", "advises num"),
        ("Topic models should be compared under `fit`.", "advises fit"),
    ],
)
def test_other_advice_is_found(paragraph, told):
    assert told in faults(paragraph)


@pytest.mark.parametrize(
    "paragraph",
    [
        "Use `perm`, the default.",
        "Use `sym` if agreement about cluster sizes should count.",
        "| agreement about cluster sizes should count | `sym` (hard: `num`) |",
        "If the points are a sample, use `fit`.",
        "Do not use `fit` here.",
        "`fit` uses the rows, and `perm` is the default.",
        "| `fit`, hard: `cat` | about the given sizes |",
        "Compare methods under one model. The value under `fit` is 0.3.",
        "All models use all rows, and a fit to few points is biased.",
    ],
)
def test_advice_of_the_table_and_descriptions_pass(paragraph):
    assert not faults(paragraph)


def test_it_stands_for_the_model_in_its_docstring():
    source = 'class A:\n    """Rows.\n\n    Use it if some {} are hard."""\n    name: str = "mixed"'
    for what, told in ("rows", ["advises mixed"]), ("points", []):
        paragraphs = of_python(source.format(what))
        assert [fault for paragraph in paragraphs for fault in faults(paragraph)] == told


PAGE = """A page.

```python
>>> code
```

- one
- two

| head | model |
|------|-------|
| row  | `fit` |

<!-- models: begin -->
generated
<!-- models: end -->
The end.
"""


def test_a_page_is_read_without_code_and_what_is_generated():
    found = [" ".join(paragraph.split()) for paragraph in of_markdown(PAGE) if paragraph.strip()]
    assert found == ["A page.", "one", "two", "| row | `fit` |", "The end."]
