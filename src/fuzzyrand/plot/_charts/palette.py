"""Colours, the same in plots and reports."""

from __future__ import annotations

from colorsys import hsv_to_rgb

#: What was observed, and what chance gives, on a light and on a dark background.
OBSERVED, OBSERVED_ON_DARK = "#1b4f8a", "#7db1ea"
CHANCE, CHANCE_ON_DARK = "#d07c0c", "#f2a53f"
#: Clusters. The first six are of Okabe and Ito; the others were chosen one by one so that the
#: smallest distance of any two is largest, with normal colour vision and as seen by people who
#: lack one kind of cone. None is grey, which is left for what has no cluster.
CLUSTERS = (
    "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#900000", "#0bf4ff",
    "#43377a", "#f4d32c", "#bcdeb1", "#907ae9", "#9bbc85", "#b1430b", "#6f2143", "#644e7a",
    "#164eb1", "#854e4e", "#4ed3ff", "#906485",
)  # fmt: skip
CLUSTERS_ON_DARK = (
    "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#ccffc2", "#ccd699",
    "#b83d0a", "#f5c233", "#99ffff", "#9985ff", "#fff53d", "#b8b87a", "#8f4785", "#8566e0",
    "#a3e0d6", "#527052", "#1fd6f5", "#8fc2b8",
)  # fmt: skip
#: Scores from the lowest to the highest. Lightness rises or falls all the way, so that the order
#: is also seen in greyscale, and low scores stand out from the background.
SCORES = ("#3d0f4e", "#8c2a6b", "#cf4a5b", "#e87d5a", "#f0b07a")
SCORES_ON_DARK = ("#ffe7bd", "#fbb07c", "#ec6a60", "#a8447a", "#6b3a86")
#: Saturation and value of neighbouring hues, on a light and on a dark background.
SHADES = ((0.9, 0.8), (0.5, 0.9), (0.85, 0.5))
SHADES_ON_DARK = ((0.8, 0.9), (0.35, 1.0), (0.7, 0.65))


def palette(count: int, *, dark: bool = False) -> list[str]:
    """Return colours for clusters: distinct for the colour-blind, too, up to 20.

    Beyond 20, hues are evenly spaced, and neighbouring ones differ in lightness as well. On a dark
    background they are lighter.

    Examples
    --------
    >>> palette(2)
    ['#0072b2', '#e69f00']
    """
    if count <= len(CLUSTERS):
        return list((CLUSTERS_ON_DARK if dark else CLUSTERS)[:count])
    shades = SHADES_ON_DARK if dark else SHADES
    return [
        _hexadecimal(hsv_to_rgb(number / count, *shades[number % len(shades)]))
        for number in range(count)
    ]


def _hexadecimal(colour: tuple[float, float, float]) -> str:
    return "#" + "".join(f"{round(255 * part):02x}" for part in colour)
