"""Colours of clusters, the same in plots and reports."""

from __future__ import annotations

from colorsys import hsv_to_rgb

#: Colours of Okabe and Ito, which the colour-blind can distinguish.
SAFE = (
    "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#999999",
)  # fmt: skip
#: Matplotlib's "tab20", strong colours first.
TWENTY = (
    "#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd", "#8c564b", "#e377c2", "#7f7f7f",
    "#bcbd22", "#17becf", "#aec7e8", "#ffbb78", "#98df8a", "#ff9896", "#c5b0d5", "#c49c94",
    "#f7b6d2", "#c7c7c7", "#dbdb8d", "#9edae5",
)  # fmt: skip
#: Saturation and value of neighbouring hues, on a light and on a dark background.
SHADES = ((0.95, 0.85), (0.55, 0.95), (0.9, 0.55))
SHADES_ON_DARK = ((0.85, 0.95), (0.35, 1.0), (0.7, 0.7))


def palette(count: int, *, dark: bool = False) -> list[str]:
    """Return colours for clusters: safe for the colour-blind up to 8, distinct up to 20.

    Beyond 20, hues are evenly spaced, and neighbouring ones differ in lightness as well. On a dark
    background they are lighter.

    Examples
    --------
    >>> palette(2)
    ['#0072b2', '#e69f00']
    """
    if count <= len(SAFE):
        return list(SAFE[:count])
    if count <= len(TWENTY):
        return list(TWENTY[:count])
    shades = SHADES_ON_DARK if dark else SHADES
    return [
        _hexadecimal(hsv_to_rgb(number / count, *shades[number % len(shades)]))
        for number in range(count)
    ]


def _hexadecimal(colour: tuple[float, float, float]) -> str:
    return "#" + "".join(f"{round(255 * part):02x}" for part in colour)
