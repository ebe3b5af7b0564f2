"""What results have in common: text with notes, and pages that the package ``report`` writes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from html import escape
from os import PathLike
from pathlib import Path
from textwrap import fill
from typing import Any

from .._base.errors import ParameterError
from .._base.wording import PYTHON, Option, Sentence, Voice

#: Width of printed results.
WIDTH = 94
#: What clusterings are called where no names are given.
NAMES = ("first", "second")


def paragraphs(texts: Iterable[str], width: int = WIDTH) -> list[str]:
    """Return texts of a given width, without those that are empty."""
    return [fill(text, width) for text in texts if text]


def html_table(caption: str, headings: Iterable[str], rows: Iterable[str]) -> str:
    """Return a table for notebooks from markup: a caption, headings, and the cells of each row."""
    head = "".join(f"<th>{heading}</th>" for heading in headings)
    body = "".join(f"<tr>{cells}</tr>" for cells in rows)
    return (
        f"<table><caption>{caption}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{body}</tbody></table>"
    )


def html_cells(texts: Iterable[str]) -> str:
    """Return the cells of a row of such a table."""
    return "".join(f"<td>{text}</td>" for text in texts)


class Result(ABC):
    """A result that prints itself."""

    @property
    def note_sentences(self) -> tuple[Sentence, ...]:
        """The notes as objects that can be written in another voice."""
        return ()

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know before quoting the result; empty if there is nothing to say."""
        return tuple(str(note) for note in self.note_sentences)

    @abstractmethod
    def text(self) -> str:
        """Return what ``print`` shows."""

    def __str__(self) -> str:
        return self.text()

    def _note_lines(self, voice: Voice = PYTHON, width: int = WIDTH) -> list[str]:
        return paragraphs((f"Note: {note.text(voice)}" for note in self.note_sentences), width)

    def _html(self, texts: Iterable[str]) -> str:
        """Return texts and notes as a paragraph for notebooks."""
        notes = "".join(f"<br>Note: {escape(note)}" for note in self.notes)
        return f"<p>{escape(' '.join(texts))}{notes}</p>"

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self.text())}</pre>"


class Reported(Result):
    """A result that can be written as an HTML page."""

    def report(self, path: str | PathLike[str], *, command: str = "") -> None:
        """Write the result as an HTML page, which needs no network and can be printed.

        Parameters
        ----------
        path : str or path
            The file to write.
        command : str
            The command that gives the same result, which the page quotes if there is one.

        Raises
        ------
        MissingExtraError
            If Jinja2 is not installed.
        """
        write_page(path, self, command=command)


class Explorable(Result):
    """A result on two clusterings that can be written as an HTML page, and explored."""

    def report(
        self,
        path: str | PathLike[str],
        *,
        names: tuple[str, str] = NAMES,
        interactive: bool = False,
        xy: Any = None,
        command: str = "",
    ) -> None:
        """Write the result as an HTML page, which needs no network.

        Parameters
        ----------
        path : str or path
            The file to write.
        names : tuple of str
            Names of the clusterings.
        interactive : bool
            Whether to write a page that can be explored rather than printed, with the charts of
            :meth:`explore` and a list of the points that are chosen in them.
        xy : array-like of shape (points, 2), optional
            As in :meth:`explore`; only for an interactive page.
        command : str
            The command that gives the same result, which the page quotes if there is one.

        Raises
        ------
        MissingExtraError
            If Jinja2 is not installed, or for an interactive page Altair or vl-convert-python.
        """
        write_page(path, self, interactive, xy, names=names, command=command)

    def explore(self, xy: Any = None, *, names: tuple[str, str] = NAMES) -> Any:
        """Return linked charts of points, scores and clusters, which notebooks display.

        Dragging over scores or over the map, or a click on a cell of the table of overlaps, fades
        all other points. A menu changes the random model, and with it all scores.

        Parameters
        ----------
        xy : array-like of shape (points, 2), optional
            Coordinates of the points on the map, as in :func:`fuzzyrand.plot.points`. By default,
            two principal components of the memberships in both clusterings.
        names : tuple of str
            Names of the clusterings.

        Returns
        -------
        altair.ConcatChart
            The charts. With more than 5,000 points, they show the 2,500 with the lowest scores and
            2,500 others, drawn at random.

        Raises
        ------
        MissingExtraError
            If Altair is not installed.
        NotApplicableError
            If the index is not a mean over points or pairs of points, so that points have no
            scores.
        """
        from ..report import dispatch  # Deferred: reports are built on results.

        return dispatch.explorer_of(self, xy, names)


def write_page(
    path: str | PathLike[str],
    result: Result,
    interactive: bool = False,
    xy: Any = None,
    **options: Any,
) -> None:
    """Write a page that can be explored, or one that can be printed, which has no map."""
    from ..report import dispatch  # Deferred: reports are built on results.

    if interactive:
        page = dispatch.interactive_page_of(result, xy=xy, **options)
    elif xy is None:
        page = dispatch.page_of(result, **options)
    else:
        raise ParameterError(
            "{parameter} is for the map of an interactive page; add {interactive}.",
            parameter=Option("xy"),
            interactive=Option("interactive", True),
        )
    Path(path).write_text(page, encoding="utf-8")
