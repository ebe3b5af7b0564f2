"""Names of one clustering for the clusters of another, where the two are shown side by side."""

from __future__ import annotations

from dataclasses import replace

from ..._base.errors import NotApplicableError
from ..._base.wording import Sentence
from ..cluster_names import ClusterNames
from ..partition import Partition
from .cluster_labels import are_numbers, as_array, distinct, labels_of
from .series import partners

#: Most clusters whose own numbers a note lists.
LISTED = 12


def named_like(first: Partition, second: Partition) -> tuple[Partition, Sentence | None]:
    """Give clusters that are only numbered the names of their partners in another clustering.

    Numbers of clusters are arbitrary, and side by side the same number looks like the same cluster.
    Clusters that have names keep them, and so do all if no cluster would get another one.

    Parameters
    ----------
    first, second : Partition
        The clustering with the names, and the one whose clusters are named.

    Returns
    -------
    tuple of Partition and Sentence or None
        The second clustering, and a note that says which numbers its clusters had.
    """
    own = labels_of(second)
    if not are_numbers(own) or not own or not first.clusters:
        return second, None
    try:
        matched = {cluster: other for other, cluster in partners(first, second)}
    except NotApplicableError:  # too many clusters for a table of overlaps
        return second, None
    theirs = labels_of(first)
    rest = [cluster for cluster in range(len(own)) if cluster not in matched]
    spare = distinct([own[cluster] for cluster in rest], theirs, "second")
    names = {cluster: theirs[other] for cluster, other in matched.items()}
    names |= dict(zip(rest, spare, strict=True))
    new = [names[cluster] for cluster in range(len(own))]
    changed = [(str(a), str(b)) for a, b in zip(new, own, strict=True) if str(a) != str(b)]
    if not changed:
        return second, None
    listed = ", ".join(f"{now} was {before}" for now, before in changed[:LISTED])
    note = Sentence.of(
        "clusters of the second clustering are only numbered, so they got the names of the matched "
        "clusters of the first ({listed}{more}).",
        listed=listed,
        more="" if len(changed) <= LISTED else ", ...",
    )
    if second.noise_is_singletons and not second.is_hard:
        new += distinct(["noise"], new, "second")
    return replace(second, names=ClusterNames(as_array(new))), note
