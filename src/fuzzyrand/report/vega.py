"""What interactive charts are made of: Altair, Vega's scripts, and colours that follow the page."""

from __future__ import annotations

from functools import cache
from typing import Any

from .._base.errors import MissingExtraError

#: Colours of the page by name, as on a light background; scripts change them on a dark one.
COLOURS = {
    "ink": "#1b1f24",
    "soft": "#59636e",
    "line": "#d3d9e0",
    "paper": "#ffffff",
    "blue": "#1b4f8a",
    "orange": "#d07c0c",
}
INK, SOFT, LINE, PAPER, BLUE, ORANGE = ({"expr": name} for name in COLOURS)


def altair() -> Any:
    """Return the module Altair, which is an extra."""
    try:
        import altair as module  # Deferred: an extra.
    except ImportError:
        raise MissingExtraError(
            'interactive charts need Altair: pip install "fuzzyrand[interactive]".'
        ) from None
    return module


@cache
def vega_scripts() -> str:
    """Return Vega, Vega-Lite and Vega-Embed as one script, which sets ``vegaEmbed``."""
    try:
        import vl_convert  # Deferred: an extra.
    except ImportError:
        raise MissingExtraError(
            'interactive pages need vl-convert-python: pip install "fuzzyrand[interactive]".'
        ) from None
    return vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")


def variables(**values: Any) -> list[Any]:
    """Return variables of a chart: those given, and its colours."""
    alt = altair()
    given = {**COLOURS, **values}
    return [alt.VariableParameter(name=name, value=value) for name, value in given.items()]


def theme() -> dict[str, Any]:
    """Return the configuration of a chart, with colours by name."""
    text = {"labelColor": SOFT, "titleColor": SOFT, "titleFontWeight": "normal"}
    lines = {"domainColor": LINE, "tickColor": LINE, "gridColor": LINE}
    return {
        "background": "transparent",
        "font": "system-ui, sans-serif",
        "view": {"stroke": None},
        "axis": {**text, **lines},
        "legend": text,
        "title": {"color": INK, "anchor": "start", "fontSize": 13},
    }
