"""What a report says about each clustering."""

import numpy as np
import pandas as pd

import fuzzyrand as fr
from fuzzyrand._base.naming import shorten

from ..reports import EVIL, HARD, LONG, Outline, made, report


def test_sizes_and_fuzziness_are_counted():
    rows = fr.as_partition([[0.995, 0.005], [0.6, 0.4], [0.95, 0.05], [0.2, 0.8], [0.5, 0.5]])
    text = Outline(report(rows, fr.as_partition([0, 0, 0, 1, 1]), ["perm"])).text
    for part in ("above 0.99120%", "0.9 to 0.99120%", "0.7 to 0.9120%", "0.5 to 0.7120%"):
        assert part in text
    assert "0.5 or less120%" in text
    assert "Mean 0.769" in text
    assert "13.265%" in text  # cluster 1 has 3.245 of 5
    assert "0360%" in text  # the label 0: three of five points


def test_many_clusters_are_summed_up():
    assert "180 more" in Outline(made("many clusters")).text


def test_empty_clusters_are_told():
    sparse = fr.Partition.from_labels(HARD.codes, clusters=9)
    html = report(sparse, HARD, ["perm"])
    assert "9 clusters, 6 of them empty" in html
    assert html.count(">not used<") == 6


def test_clusters_have_the_names_that_they_were_given():
    labels = fr.as_partition([EVIL, LONG, "", EVIL])
    soft = np.array([0.5, 0.9, 0.1, 0.3])
    frame = fr.as_partition(pd.DataFrame({"topic a": soft, "b": 1.0 - soft}))
    html = report(labels, frame, ["perm"])
    text = Outline(html).text
    assert f"{shorten(EVIL, 28)}250%" in text  # two of four points
    assert f'<bdi title="{LONG}">{shorten(LONG, 28)}</bdi>' in html
    assert "“”125%" in text
    assert "topic a1.845%" in text
    assert "Clusters are numbered" not in text
    assert "Clusters are numbered as the columns are, from 1." in made("many clusters")
