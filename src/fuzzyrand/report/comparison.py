"""The report of a comparison of two clusterings."""

from __future__ import annotations

from .._base.naming import shorten
from .._inputs.partition import Partition
from ..results import Comparison, ComparisonTable
from ..results.model_check import LEVELS
from ..results.table import DISTANCE
from .agreements import SideLaws, side_laws
from .clusterings import clustering_part
from .figures import law_drawing, law_top, scale_drawing
from .markup import SHORT, STANDARD_ERROR, esc, full_name, name, number, section
from .markup import table as html_table
from .page import page
from .words import CHANCE, PAIRS, index_words, model_words


def comparison_report(
    table: ComparisonTable,
    first: Partition,
    second: Partition,
    *,
    names: tuple[str, str],
    command: str,
    stdin: bool = False,
) -> str:
    """Write what was found about two clusterings as one HTML page.

    Parameters
    ----------
    table : ComparisonTable
        From :func:`compare` with a list of models.
    first, second : Partition
        The two clusterings.
    names : tuple of str
        What to call them: file names, say.
    command : str
        The command line that gives the same result.
    stdin : bool
        Does that command read standard input? The report then says that it needs the same.

    Returns
    -------
    str
        Complete HTML, to be written as UTF-8. It fetches nothing.

    Examples
    --------
    >>> import fuzzyrand as fr
    >>> one, two = fr.as_partition([0, 0, 1, 1, 2]), fr.as_partition([0, 0, 1, 1, 1])
    >>> found = fr.compare(one, two, model=["perm"])
    >>> html = comparison_report(found, one, two, names=("a.csv", "b.csv"), command="fuzzyrand")
    >>> html.startswith("<!DOCTYPE html>")
    True
    """
    main = _headline(table)
    parts = [
        _answer(table, main),
        _models_part(table),
        _words_part(table),
        section(
            "The two clusterings",
            '<div class="sides">',
            clustering_part(first, names[0], "first", main.fixed == "first"),
            clustering_part(second, names[1], "second", main.fixed == "second"),
            "</div>",
        ),
        _laws_part(main, side_laws(main), names),
        _computed_part(table),
    ]
    heading = f"<h1>How alike are {name(names[0])} and {name(names[1])}?</h1>"
    one, two = (shorten(each, SHORT) for each in names)
    title = f"{one} and {two}: adjusted {number(main.adjusted, 2)}"
    return page(title, heading, "\n".join(parts), command, stdin)


def _headline(table: ComparisonTable) -> Comparison:
    """The comparison that the answer is about: the library's default model, if it was asked."""
    return table["fit"] if "fit" in table.models else table[0]


def _answer(table: ComparisonTable, main: Comparison) -> str:
    parts = [f'<p class="answer">{esc(main.sentence)}</p>']
    if len(table) > 1:
        low, high = min(table, key=lambda c: c.adjusted), max(table, key=lambda c: c.adjusted)
        parts.append(
            f"<p>That is the model {name(main.model)}. Under the {len(table)} models asked, the "
            f"adjusted index lies between {number(low.adjusted, 2)} ({name(low.model)}) and "
            f"{number(high.adjusted, 2)} ({name(high.model)}): {_spread(low, high)}</p>"
        )
    facts = (
        ("observed index", main.observed, f"{esc(main.index)}, {main.n:,} points"),
        ("expected by chance", main.expected, f"under {name(main.model, SHORT)}"),
        ("adjusted index", main.adjusted, esc(main.accuracy)),
    )
    parts.append('<dl class="facts">')
    parts += [
        f"<div><dt>{what}</dt><dd>{number(value)}<small>{more}</small></dd></div>"
        for what, value, more in facts
    ]
    parts.append("</dl>")
    parts += [f'<p class="note">{esc(note)}</p>' for note in main.notes]
    return "".join(parts)


def _spread(low: Comparison, high: Comparison) -> str:
    if high.adjusted - low.adjusted < 0.05:
        return "what chance means makes little difference here."
    if low.adjusted < 0.0 < high.adjusted:
        return "whether they are more alike than chance depends on what chance means."
    return "how alike they are depends on what chance means; see below which question is yours."


def _models_part(found: ComparisonTable) -> str:
    legend = [
        '<span class="is-chance">expected by chance: 0 of the adjusted index</span>',
        '<span class="is-observed">observed</span>',
    ]
    if any(c.adjusted < 0.0 for c in found):
        legend.append('<span class="is-below">observed, less than chance</span>')
    caption = (
        "The bar is the way from chance to what was observed; the thin line goes on to 1, "
        f"{'perfect agreement' if found[0].maximum == 1.0 else 'agreement as of each with itself'}"
        ". The adjusted index is the share of the way that the bar covers."
    )
    skipped = "".join(
        f'<p class="small">Left out, {name(model)}: {esc(why)}</p>'
        for model, why in found.skipped.items()
    )
    return section(
        "The index under each model of chance",
        f'<figure>{scale_drawing(found)}<p class="legend">{"".join(legend)}</p>'
        f"<figcaption>{caption}</figcaption></figure>",
        _numbers(found),
        skipped,
    )


def _numbers(found: ComparisonTable) -> str:
    judged = any(c.misfit is not None for c in found)
    head = ["model", "expected", "adjusted", STANDARD_ERROR]
    kinds = ["text", "num", "num", "num"]
    rows = [
        [
            name(c.model),
            number(c.expected),
            f"<strong>{number(c.adjusted)}</strong>",
            c.short_accuracy,
        ]
        for c in found
    ]
    caption = f"Observed index: {number(found.observed)}."
    if judged:
        head, kinds = [*head, "misfit"], [*kinds, "num both"]
        caption += f" {esc(DISTANCE)}"
        both = "<span> and</span> "  # a phone sets one below the other
        told = [c.short_misfit.replace(" and ", both) for c in found]
        rows = [[*row, misfit] for row, misfit in zip(rows, told, strict=True)]
    return html_table(head, rows, kinds, caption)


def _words_part(found: ComparisonTable) -> str:
    fixed = found[0].fixed
    side = ""
    if fixed:
        other = "second" if fixed == "first" else "first"
        side = (
            f"The {fixed} clustering is taken as given, a known truth for instance: only the "
            f"{other} is replaced by random ones."
        )
    models = "".join(
        f"<div><dt>{full_name(c.model)}</dt><dd>{what}</dd>"
        f"<dd><em>The question:</em> {question}</dd></div>"
        for c, (what, question) in ((c, model_words(c)) for c in found)
    )
    return section(
        "What these numbers mean",
        f"<p>{PAIRS} {index_words(found[0])}</p><p>{CHANCE}</p>",
        "<h3>What chance means</h3><p>Chance needs a model: a recipe for random clusterings. None "
        f"is right or wrong; each answers another question. {side}</p>"
        f'<dl class="words">{models}</dl>',
    )


def _laws_part(c: Comparison, laws: tuple[SideLaws, ...] | None, names: tuple[str, str]) -> str:
    title = "How far pairs of points agree"
    if laws is None:
        why = f"The index {name(c.index)} has no agreement of single pairs that could be shown."
        return section(title, intro=why)
    top = law_top([law for side in laws for law in (side.observed, side.model) if law])
    drawings = []
    for side, called in zip(laws, names, strict=True):
        label = f"Agreement of pairs in {called}: mean {number(side.observed.mean, 3)}"
        if side.model is not None:
            label += f", under the model {number(side.model.mean, 3)}"
        drawings.append(
            f"<figure><h3>{name(called)}</h3>"
            f"{law_drawing(label, side.observed, side.model, top)}"
            f"<figcaption>{_law_caption(c, side)}</figcaption></figure>"
        )
    legend = '<span class="is-bars">this clustering</span>'
    if any(side.model is not None for side in laws):
        legend += f'<span class="is-outline">under the model {name(c.model)}</span>'
    return section(
        title,
        f'<p class="legend">{legend}</p><div class="sides">{"".join(drawings)}</div>',
        _quantiles(c, laws, names),
        intro="An agreement of 1 says that two points sit in the same place within a clustering, 0 "
        "that they have nothing in common. The expected index needs nothing else of a clustering "
        "than how often each agreement occurs. Where the bars and the outline differ much, the "
        "model is unlike this clustering; whether that matters depends on the question.",
    )


def _law_caption(c: Comparison, side: SideLaws) -> str:
    across = "Agreement of two points; height: share of pairs."
    if side.model is not None:
        return across
    if side.fixed:
        return f"{across} This clustering is taken as given."
    if side.kept:
        return f"{across} The same under the model {name(c.model)}, which keeps the memberships."
    return f"{across} What the model {name(c.model)} makes of it is not drawn."


def _quantiles(c: Comparison, laws: tuple[SideLaws, ...], names: tuple[str, str]) -> str:
    rows = []
    for side, called in zip(laws, names, strict=True):
        for law, what in ((side.observed, name(called)), (side.model, f"… under {name(c.model)}")):
            if law is not None:
                values = (law.mean, *law.quantiles)
                rows.append([what, *(number(value, 3) for value in values)])
    head = ["agreement of pairs", "mean", *(f"{level:.0%}" for level in LEVELS)]
    caption = "Means, and what 5%, 25%, … of the pairs do not exceed."
    return html_table(head, rows, ["text", *["num"] * (len(LEVELS) + 1)], caption)


def _computed_part(found: ComparisonTable) -> str:
    first = found[0]
    seen = first.computed["observed_stderr"]
    error = "exactly" if seen == 0.0 else f"with a standard error of {seen:.1g}"
    models = "".join(
        f"<div><dt>{name(c.model)}</dt><dd>Expected index: {esc(c.computed['expected'])}. "
        f'Adjusted index: {esc(c.accuracy)}.</dd><dd class="small soft">{_law_texts(c)}</dd></div>'
        for c in found
    )
    return section(
        "How it was computed",
        f'<dl class="words">{models}</dl>',
        intro=f"The observed index was computed {error} ({esc(first.computed['observed'])}). "
        "<em>Exact</em> means that nothing was drawn at random; otherwise random draws went on "
        f"until the standard error of the adjusted index was at most {first.tol:g}, or the limit "
        "of draws was reached. The same seed gives the same random numbers.",
    )


def _law_texts(c: Comparison) -> str:
    one, two = (esc(law["text"]) for law in c.laws)
    return f"Both sides: {one}." if one == two else f"First: {one}.<br>Second: {two}."
