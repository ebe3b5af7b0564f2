"""Colours that differ for everybody, also for people who lack one kind of cone."""

from importlib.resources import files

import numpy as np
import pytest

from fuzzyrand.plot._charts import palette as colours

#: What people see who lack one kind of cone, for linear sRGB: G. M. Machado, M. M. Oliveira and
#: L. A. F. Fernandes (2009), A physiologically-based model for simulation of color vision
#: deficiency, IEEE Transactions on Visualization and Computer Graphics 15(6), severity 1.
VISIONS = {
    "normal": np.eye(3),
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
#: OKLab: B. Ottosson (2020), A perceptual color space for image processing. Distances of about 0.02
#: can just be noticed side by side.
TO_CONES = [
    [0.4122214708, 0.5363325363, 0.0514459929],
    [0.2119034982, 0.6806995451, 0.1073969566],
    [0.0883024619, 0.2817188376, 0.6299787005],
]
TO_LAB = [
    [0.2104542553, 0.7936177850, -0.0040720468],
    [1.9779984951, -2.4285922050, 0.4505937099],
    [0.0259040371, 0.7827717662, -0.8086757660],
]


def seen(hexes, vision):
    """Return colours in OKLab, as people with this vision see them."""
    parts = np.array([[int(colour[i : i + 2], 16) for i in (1, 3, 5)] for colour in hexes]) / 255
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    simulated = np.clip(linear @ np.transpose(VISIONS[vision]), 0.0, 1.0)
    return np.cbrt(simulated @ np.transpose(TO_CONES)) @ np.transpose(TO_LAB)


def least_distance(hexes, vision):
    lab = seen(hexes, vision)
    distances = np.linalg.norm(lab[:, None] - lab, axis=-1)
    return distances[np.triu_indices(len(lab), 1)].min()


def test_grey_stays_grey_and_red_and_green_become_alike():
    """The simulation itself."""
    for vision in VISIONS:
        white = seen(["#ffffff"], vision)
        np.testing.assert_allclose(white, [[1.0, 0.0, 0.0]], atol=1e-4)
    red_and_green = ["#b04030", "#707000"]
    assert least_distance(red_and_green, "deuteranopia") < 0.06
    assert least_distance(red_and_green, "normal") > 0.12


@pytest.mark.parametrize("vision", VISIONS)
def test_colours_of_clusters_can_be_told_apart(vision):
    for dark in (False, True):
        assert least_distance(colours.palette(16, dark=dark), vision) > 0.075
        assert least_distance(colours.palette(20, dark=dark), vision) > 0.065
        # Grey is what has no cluster.
        lab = seen(colours.palette(20, dark=dark), "normal")
        assert np.hypot(*lab[:, 1:].T).min() > 0.04
        assert lab[:, 0].min() > 0.5 if dark else lab[:, 0].max() < 0.9


@pytest.mark.parametrize("vision", VISIONS)
def test_observed_and_chance_can_be_told_apart(vision):
    light = [colours.OBSERVED, colours.CHANCE]
    dark = [colours.OBSERVED_ON_DARK, colours.CHANCE_ON_DARK]
    assert min(least_distance(pair, vision) for pair in (light, dark)) > 0.1


@pytest.mark.parametrize("vision", VISIONS)
def test_scores_get_steadily_lighter_or_darker(vision):
    for scale, sign in ((colours.SCORES, 1.0), (colours.SCORES_ON_DARK, -1.0)):
        assert (sign * np.diff(seen(scale, vision)[:, 0]) > 0.05).all()


def test_pages_have_the_colours_of_plots():
    style = files("fuzzyrand.report").joinpath("style.css").read_text()
    light, dark = style.split("prefers-color-scheme: dark")[:2]
    for sheet, observed, chance in (
        (light, colours.OBSERVED, colours.CHANCE),
        (dark, colours.OBSERVED_ON_DARK, colours.CHANCE_ON_DARK),
    ):
        assert f"--blue: {observed};" in sheet
        assert f"--orange: {chance};" in sheet
