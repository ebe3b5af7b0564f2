"""The speed of fuzzyrand against its peers: prints Markdown tables and writes RESULTS.md.

``make bench`` runs all of it. ``run.py --only min-add`` runs the sections whose name holds the
word, and writes nothing.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path

import certainty
import expected_information
import explaining
import growth
import hard_labels
import memory
import pairs
import random_models
import sparse_clusterings
import starting
import weighted
from measure import OtherLoad, environment, log
from report import Section, document, tables

HERE = Path(__file__).parent

SECTIONS: dict[str, Callable[[], Section]] = {
    "ari": hard_labels.ari,
    "many-clusters": hard_labels.many_clusters,
    "hard-fuzzy-small": pairs.hard_fuzzy_small,
    "hard-fuzzy-large": pairs.hard_fuzzy_large,
    "ndc": pairs.fuzzy_ndc,
    "min-add": pairs.min_add,
    "aci": pairs.aci,
    "aci-over-ndc": pairs.aci_over_ndc,
    "merged": pairs.merged_points,
    "every": random_models.every_model,
    "expected": random_models.expected_ndc,
    "fit": random_models.fit_mle,
    "certainty": certainty.certainty,
    "explain": explaining.explaining,
    "weights": weighted.weighted,
    "information": expected_information.expected_information,
    "sparse": sparse_clusterings.sparse,
    "memory": memory.memory,
}


def main() -> None:
    """Run the sections asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", metavar="WORD", help="only sections whose name holds this word")
    only = parser.parse_args().only
    started, load = time.perf_counter(), OtherLoad()
    sections = {}
    for name, section in {**SECTIONS, "starting": starting.starting}.items():
        if only is None or only in name:
            disturbance = OtherLoad()
            sections[name] = section()
            done = time.perf_counter() - started
            log(f"{done:5.0f} s  {name} done; other processes: {disturbance}")
    start = sections.pop("starting", None)
    grown = growth.growth() if only is None or only in "growth" else []
    body = tables(list(sections.values()), start, grown)
    print(body)
    if only is None:
        elapsed = time.perf_counter() - started
        (HERE / "RESULTS.md").write_text(
            document(body, environment(load), elapsed), encoding="utf-8"
        )
        log(f"{elapsed:5.0f} s  done")


if __name__ == "__main__":
    main()
