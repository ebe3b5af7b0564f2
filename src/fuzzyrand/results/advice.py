"""Advice on two clusterings: which model and index to report, why, and with what cautions."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from html import escape
from textwrap import fill
from typing import Any

import numpy as np

from .._base.decimals import decimals
from .._base.jsonable import ready_for_json
from .._base.wording import PYTHON, Call, Option, Sentence, Voice, capitalised
from ..indices import INDICES, Index
from ..models import Model
from .comparison import Comparison
from .comparison_text import headlines
from .result import WIDTH

#: Text for each verdict on a model.
VERDICTS = {True: "yes", False: "no", None: "–"}
#: Explanation of the table of models.
LEGEND = Sentence.of(
    "Misfit: how far the co-memberships of pairs under the model lie, on average, from those here; "
    "see {check}. Close enough: the misfit may be due to chance, or hardly changes the value.",
    check=Call("check_model"),
)


@dataclass(frozen=True)
class ModelAdvice:
    """The findings about one model for two clusterings.

    Attributes
    ----------
    model : str
        Its name.
    comparison : Comparison or None
        The comparison under it; None if the model does not apply or equals another one here.
    describes : bool or None
        Whether it describes the clusterings that it replaces closely enough for the value. None if
        it has no value, and for ``perm``, which keeps them as they are.
    same_as : str
        The model that it equals here; empty if there is none.
    refusal : Sentence or None
        Why there is no value.
    """

    model: str
    comparison: Comparison | None
    describes: bool | None
    same_as: str = ""
    refusal: Sentence | None = None

    @property
    def applies(self) -> bool:
        """Whether there is a value under the model."""
        return self.comparison is not None or bool(self.same_as)

    @property
    def adjusted(self) -> float | None:
        """The adjusted index under the model, if there is one."""
        return None if self.comparison is None else self.comparison.adjusted

    @property
    def misfit(self) -> float | None:
        """The larger of the misfits of the clusterings that the model replaces."""
        if self.comparison is None or self.comparison.misfit is None:
            return None
        known = (distance for distance in self.comparison.misfit if distance is not None)
        return max(known, default=None)

    @ready_for_json
    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values, ready for JSON."""
        return {
            "model": self.model,
            "applies": self.applies,
            "adjusted": self.adjusted,
            "describes": self.describes,
            "misfit": self.misfit,
            "same_as": self.same_as or None,
            "reason": None if self.refusal is None else str(self.refusal),
        }


@dataclass(frozen=True)
class Alternative:
    """The comparison to report if something else were known about the clusterings.

    Attributes
    ----------
    when : Sentence
        What would have to be known.
    option : Option
        The option that says so.
    comparison : Comparison
        The comparison that would be reported.
    """

    when: Sentence
    option: Option
    comparison: Comparison

    @ready_for_json
    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values, ready for JSON."""
        return {
            "when": str(self.when),
            "option": PYTHON.option(self.option),
            "model": self.comparison.model,
            "fixed": self.comparison.fixed,
            "adjusted": self.comparison.adjusted,
        }


@dataclass(frozen=True, repr=False)
class Advice:
    """Result of :func:`advise`: which model and index to report, why, and what to be careful about.

    ``print`` shows it on about one screen.

    Attributes
    ----------
    report : Comparison
        The comparison to report, under the model that is advised.
    model : Model
        That model; :func:`compare` and the other functions take it.
    index : Index
        The index.
    keep : str
        What random clusterings keep of the given ones: "number", "sizes", "memberships" or
        "nothing".
    assumed : bool
        Whether ``keep`` was assumed because it was not given.
    models : tuple of ModelAdvice
        Every model: whether it applies, and if not, why; whether it describes the clusterings; its
        value.
    alternatives : tuple of Alternative
        What to report if something else were known about the clusterings.
    reasons : tuple of str
        Why this model and index.
    cautions : tuple of str
        What a reader must know before quoting the value; empty if there is nothing to say.
    call, command : str
        The call and the command that compute the value again: in Python, where ``index`` stands for
        an index of your own, and on the command line, for files A and B.

    See Also
    --------
    advise : The function that returns it.

    Examples
    --------
    >>> import fuzzyrand as fr
    >>> advice = fr.advise([0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1], keep="number")
    >>> advice
    Advice(adjusted Rand index under num: 0.333)
    >>> advice.call
    'fr.compare(a, b, index="rand", model="num")'
    >>> [row.model for row in advice.models if not row.applies]
    ['flat']
    """

    report: Comparison
    model: Model
    index: Index
    keep: str
    assumed: bool
    models: tuple[ModelAdvice, ...]
    alternatives: tuple[Alternative, ...]
    #: Reasons and cautions as objects that can be written in another voice.
    reason_sentences: tuple[Sentence, ...] = field(default=(), repr=False)
    caution_sentences: tuple[Sentence, ...] = field(default=(), repr=False)
    #: How the clusterings were read.
    options: tuple[Option, ...] = field(default=(), repr=False)

    @property
    def left_out(self) -> tuple[int, int]:
        """Numbers of points of each clustering that were left out, because another lacks them."""
        return self.report.left_out

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why this model and index."""
        return tuple(str(reason) for reason in self.reason_sentences)

    @property
    def cautions(self) -> tuple[str, ...]:
        """What a reader must know before quoting the value; empty if there is nothing to say."""
        return tuple(str(caution) for caution in self.caution_sentences)

    @property
    def call(self) -> str:
        """The call of :func:`compare` that computes the value again."""
        chosen = _options_of(self.model)
        inside = ", ".join(f"{name}={_quoted(value)}" for name, value in chosen.items())
        model = f"fr.{type(self.model).__name__}({inside})" if chosen else _quoted(self.model.name)
        given = (*self._index_and_side, *self.options)
        options = [f"{option.name}={_quoted(option.value)}" for option in given]
        if self.index.name not in INDICES:
            options[0] = "index=index"
        return f"fr.compare({', '.join(['a', 'b', *options, f'model={model}'])})"

    @property
    def command(self) -> str:
        """The command that computes the value again, with a test, an interval and a text.

        Empty for an index that the command line has no name for, such as ``NDC(p=2)``.
        """
        if self.index.name not in INDICES:
            return ""
        return self.command_for(" ".join(["A B", *map(_typed, self.options)]))

    def command_for(self, files: str) -> str:
        """Return the command for the given files, with the options that say how they are read."""
        options = {option.name: option.value for option in self._index_and_side}
        options |= {"model": self.model.name, **_options_of(self.model)}
        words = [f"--{name} {value}" for name, value in options.items()]
        return " ".join(["fuzzyrand compare", files, *words, "--test --confidence --methods"])

    @property
    def _index_and_side(self) -> Iterator[Option]:
        if self.index.name != "ndc":
            yield Option("index", self.index.name)
        if self.report.fixed is not None:
            yield Option("fixed", self.report.fixed)

    def methods_text(self) -> str:
        """Return a paragraph for the methods section of a paper, with references."""
        return self.report.methods_text()

    # --- printing --------------------------------------------------------------------------------

    def __repr__(self) -> str:
        c = self.report
        return f"Advice({c.adjusted_title}: {c.adjusted:z.3f})"

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self.text())}</pre>"

    def text(self, voice: Voice = PYTHON, command: str = "") -> str:
        """Return what ``print`` shows, with options and functions written in the given voice.

        Parameters
        ----------
        voice : Voice
            How options and functions are written.
        command : str
            The command to run next; by default the call in Python.
        """
        c = self.report
        fixed = "" if c.held is None else f"; {c.held} clustering fixed"
        lines = [
            *headlines(c, fixed),
            "",
            f"Report the {c.adjusted_title}: {c.adjusted:z.3f}, {c.accuracy}",
            _indented(c.sentence),
            "Why",
            *(_item(reason.text(voice)) for reason in self.reason_sentences),
        ]
        if self.caution_sentences:
            lines.append("Before you quote it")
            lines += [_item(caution.text(voice)) for caution in self.caution_sentences]
        if self.alternatives:
            lines.append("Report another value if")
            lines += [_item(_alternative(other, voice)) for other in self.alternatives]
        lines += ["", *self._table(voice), "", "Next"]
        lines += [f"  {command}" if command else f"  {self.call}"]
        if not command:
            lines.append(
                "  significance() adds a p-value, confidence_interval() a confidence interval"
            )
        return "\n".join(lines)

    def _table(self, voice: Voice) -> Iterator[str]:
        compared = [row for row in self.models if row.comparison is not None]
        width = max(len(row.model) for row in compared)
        yield f"  {'model':<{width}}  adjusted   misfit  close enough"
        for row in compared:
            assert row.comparison is not None
            mark = ">" if row.model == self.report.model else " "
            misfit = "–" if row.misfit is None else decimals(row.misfit)
            yield (
                f"{mark} {row.model:<{width}}  {row.comparison.adjusted:z8.3f}  {misfit:>7}  "
                f"{VERDICTS[row.describes]}"
            )
        yield _indented(LEGEND.text(voice))
        same = [row.model for row in self.models if row.same_as]
        if same:
            yield f"  Same as cat here: {', '.join(same)}."
        groups: dict[str, list[ModelAdvice]] = {}
        for row in self.models:
            if row.refusal is not None:
                groups.setdefault(row.refusal.template, []).append(row)
        for rows in groups.values():
            assert rows[0].refusal is not None
            names = ", ".join(row.model for row in rows)
            why = capitalised(rows[0].refusal.text(voice))
            yield _indented(f"Without a value: {names}. {why}")

    @ready_for_json
    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values, ready for JSON."""
        return {
            "model": str(self.model),
            "index": self.index.name,
            "fixed": self.report.fixed,
            "adjusted": self.report.adjusted,
            "keep": self.keep,
            "assumed": self.assumed,
            "report": self.report.to_dict(),
            "reasons": self.reasons,
            "cautions": self.cautions,
            "alternatives": [other.to_dict() for other in self.alternatives],
            "models": [row.to_dict() for row in self.models],
            "call": self.call,
            "command": self.command,
            "methods": self.methods_text(),
        }


def _indented(text: str) -> str:
    return fill(text, WIDTH, initial_indent="  ", subsequent_indent="  ")


def _item(text: str) -> str:
    return fill(text, WIDTH, initial_indent="  - ", subsequent_indent="    ")


def _alternative(other: Alternative, voice: Voice) -> str:
    c = other.comparison
    value = f"{c.adjusted:z.3f} under {c.model}"
    return f"{other.when.text(voice)}: {value} ({voice.option(other.option)})"


def _options_of(model: Model) -> dict[str, Any]:
    """Return the options of a model that differ from their defaults."""
    return {
        option.name: getattr(model, option.name)
        for option in fields(model)
        if getattr(model, option.name) != option.default
    }


def _quoted(value: Any) -> str:
    value = value.item() if isinstance(value, np.generic) else value
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)


def _typed(option: Option) -> str:
    """Return an option as it is typed on the command line."""
    if (option.name, option.value) == ("points", "common"):
        return "--common"
    name = f"--{option.name.replace('_', '-')}"
    return name if option.value is True else f"{name} {shlex.quote(str(option.value))}"
