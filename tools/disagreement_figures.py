"""Draw the figures of docs/guide/where-they-disagree.md and write its table: ``make figures``.

The examples of the page are run, and their results are drawn. The topics are not an example on the
page, because docstrings differ between versions of Python.
"""

from __future__ import annotations

import ast
import doctest
import platform
import re
import sys
import sysconfig
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import sklearn
from both_grounds import ink, save_both
from sklearn.decomposition import LatentDirichletAllocation
from sklearn.feature_extraction.text import CountVectorizer

import fuzzyrand as fr

PAGE = "where-they-disagree.md"
TOPICS, ITERATIONS = 12, 50
#: Fewest words in the docstrings of a module, and number of words that name a topic.
FEWEST_WORDS, NAMED_BY = 150, 3
#: Folders of the library that hold tests, data, programs or installed packages.
LEFT_OUT = {
    "site-packages", "test", "tests", "idlelib", "lib2to3", "pydoc_data", "ensurepip", "turtledemo",
}  # fmt: skip
#: Kinds of nodes that have a docstring.
KINDS = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
#: Lines of the page between which the table is written.
START, END = "<!-- topics -->\n", "<!-- /topics -->"


def main(folder: Path) -> None:
    """Write the figures and the table into the folder of the page."""
    page = folder / PAGE
    names: dict[str, Any] = {}
    for example in doctest.DocTestParser().get_examples(page.read_text(encoding="utf-8")):
        exec(compile(example.source, PAGE, "single"), names)
    plt.close("all")
    save_both(folder / "where-digits.png", lambda: draw_digits(names))
    save_both(folder / "where-clusters.png", lambda: fr.plot.clusters(names["result"])[0])
    save_both(folder / "where-ancestry.png", lambda: draw_ancestry(names))
    write_topics(page, folder / "where-topics.png")


def draw_digits(names: dict[str, Any]) -> Any:
    """Draw points by score, bands between the runs, and the images that agree least."""
    result = names["result"]
    figure = plt.figure(figsize=(10.0, 6.0), layout="constrained")
    above, below = figure.subfigures(2, height_ratios=[4.6, 1.4])
    left, right = above.subplots(1, 2, width_ratios=[1.15, 1.0])
    fr.plot.points(names["components"][:, :2], result, ax=left)
    left.set_xlabel("first principal component")
    left.set_ylabel("second principal component")
    fr.plot.flow(names["matching"], ax=right)
    worst = result.worst(12)
    for ax, point in zip(below.subplots(1, len(worst)), worst, strict=True):
        ax.imshow(
            names["images"][point.position].reshape(8, 8),
            cmap="gray_r" if ink() == "black" else "gray",
        )
        ax.set_title(str(names["digits"][point.position]), fontsize=9)
        ax.set_xlabel(f"{point.score:z.2f}", fontsize=9)
        ax.set_xticks([])
        ax.set_yticks([])
    return figure


def draw_ancestry(names: dict[str, Any]) -> Any:
    """Draw the series in one column, by population."""
    return fr.plot.memberships(names["alignment"], groups=names["population"])[0]


def write_topics(page: Path, path: Path) -> None:
    """Fit topics from two starts, draw their overlaps, and write which of them match."""
    modules = docstrings()
    vectorizer = CountVectorizer(
        min_df=5, max_df=0.4, stop_words="english", token_pattern=r"[a-z]{3,}"
    )
    counts = vectorizer.fit_transform(modules.values())
    words = vectorizer.get_feature_names_out()
    first, second = (fit_topics(counts, words, seed, list(modules)) for seed in (0, 1))
    result = fr.explain(first, second, model="perm")
    runs = "the first run", "the second run"
    save_both(path, lambda: result.matching.plot(names=runs))
    block = [
        f"For {len(modules)} modules, {words.size:,} words and {TOPICS} topics, with Python "
        f"{platform.python_version()} and scikit-learn {sklearn.__version__}:",
        "",
        f"> {result.sentence} {result.difference_sentence}",
        "",
        *table_of_pairs(result.matching),
        "",
        "Fuzzy clusters share only a part even with themselves: a topic of the first run has on "
        f"average {with_itself(first):.0%} in common with itself. Shares are to be read against "
        "that, and not against 100%.",
        "",
        *table_of_documents(result.worst(6)),
    ]
    text = page.read_text(encoding="utf-8")
    before, after = text.index(START) + len(START), text.index(END)
    page.write_text(text[:before] + "\n".join([*block, text[after:]]), encoding="utf-8")


def docstrings() -> dict[str, str]:
    """Return all docstrings of each module of the standard library that has enough of them."""
    library = Path(sysconfig.get_path("stdlib"))
    texts = {}
    for path in sorted(library.rglob("*.py")):
        parts = path.relative_to(library).with_suffix("").parts
        if LEFT_OUT & set(parts):
            continue
        nodes = ast.walk(ast.parse(path.read_bytes()))
        text = " ".join(ast.get_docstring(node) or "" for node in nodes if isinstance(node, KINDS))
        if len(re.findall(r"[a-z]{3,}", text.lower())) >= FEWEST_WORDS:
            texts[".".join(parts).removesuffix(".__init__")] = text
    return texts


def fit_topics(counts: Any, words: Any, seed: int, modules: list[str]) -> pd.DataFrame:
    """Return the topics of each module, named by the words that are most frequent in them."""
    model = LatentDirichletAllocation(
        TOPICS, doc_topic_prior=0.1, topic_word_prior=0.05, max_iter=ITERATIONS, random_state=seed
    )
    shares = model.fit_transform(counts)
    names = [" ".join(words[np.argsort(-row)[:NAMED_BY]]) for row in model.components_]
    return pd.DataFrame(shares, index=modules, columns=names)


def table_of_pairs(matching: Any) -> list[str]:
    """Return a Markdown table of matched topics, the best pairs first."""
    rows = sorted(matching.rows, key=lambda row: -min(row[3], row[4]))
    return [
        "| Topic of the first run | Partner in the second run | Share of first | of second |",
        "|---|---|--:|--:|",
        *(f"| {a} | {b} | {of_a:.0%} | {of_b:.0%} |" for a, b, _, of_a, of_b in rows),
    ]


def with_itself(topics: pd.DataFrame) -> float:
    """Return the mean share that a fuzzy cluster has in common with itself."""
    shares = topics.to_numpy()
    return float(((shares**2).sum(axis=0) / shares.sum(axis=0)).mean())


def table_of_documents(worst: Any) -> list[str]:
    """Return a Markdown table of the documents that agree least."""
    return [
        "| Module | Score | Topics in the first run | Topics in the second run |",
        "|---|--:|---|---|",
        *(f"| `{p.id}` | {p.score:z.2f} | {listed(p.first)} | {listed(p.second)} |" for p in worst),
    ]


def listed(shares: dict[str, float]) -> str:
    """Return the largest topics of a document."""
    largest = [(name, share) for name, share in shares.items() if share >= 0.05][:2]
    return ", ".join(f"{name} {share:.0%}" for name, share in largest)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
