"""Explanations for people who have never heard of the Rand index."""

from __future__ import annotations

from ..models import MODELS
from ..results.comparison import Comparison

#: What a random clustering is under each model, and the question that its adjusted index answers.
MODEL_WORDS: dict[str, tuple[str, str]] = {
    "perm": (
        "Keep every membership exactly as it is, but deal them out to the points anew, like "
        "shuffled cards.",
        "Given precisely these memberships, are the points they were given to alike in both "
        "clusterings? This is the classical adjusted Rand index, so it compares with published "
        "values.",
    ),
    "cat": (
        "Put every point into one cluster by drawing a lot; a cluster that holds 30% of the points "
        "here is drawn with a chance of 30%.",
        "Are the clusterings more alike than sorting the points at random into clusters of about "
        "these sizes?",
    ),
    "num": (
        "Take any division of the points into as many clusters as here, none of them empty, all "
        "divisions equally likely.",
        "Only the number of clusters was given beforehand, as in k-means: are the clusterings more "
        "alike than any two with those numbers of clusters?",
    ),
    "all": (
        "Take any division of the points whatsoever, into however many clusters, all equally "
        "likely.",
        "Nothing was given beforehand, not even the number of clusters: are the clusterings more "
        "alike than any two?",
    ),
    "fit": (
        "Draw the memberships of every point anew from the Dirichlet distribution that describes "
        "these best: clusters of about these sizes, points of about this fuzziness.",
        "Sizes and fuzziness belong to the data or the method: are the clusterings more alike than "
        "unrelated ones with about the same?",
    ),
    "sym": (
        "Draw the memberships of every point anew, with about this fuzziness, but with no cluster "
        "preferred to another.",
        "The number of clusters was given but not their sizes, as in fuzzy c-means or a mixture: "
        "are the clusterings more alike than unrelated ones with as many clusters?",
    ),
    "flat": (
        "Draw the memberships of every point anew, every mixture of the clusters being equally "
        "likely. Such clusterings are very fuzzy.",
        "Only the number of clusters is agreed upon, nothing about sizes or fuzziness: are the "
        "clusterings more alike than any two soft ones with those numbers?",
    ),
    "generalised": (
        "As fit, but every cluster may have a fuzziness of its own.",
        "The question of fit, where some clusters are sharp and others blurred.",
    ),
    "mixture": (
        "Draw the memberships of every point from one of several Dirichlet distributions, which "
        "together describe these.",
        "The question of fit, where points come in kinds: clear members of a cluster, and some "
        "between clusters.",
    ),
    "kernel": (
        "For every point pick the memberships of some point of this clustering, and blur them a "
        "little.",
        "The question of fit, for many points whose memberships have no simple shape.",
    ),
    "mixed": (
        "Make a point hard (in one cluster entirely) as often as here; otherwise draw its "
        "memberships with the fuzziness of the others.",
        "The question of fit, where some points are hard and the others clearly are not.",
    ),
    "empirical": (
        "For every point pick the memberships of some point of this clustering; the same may be "
        "picked twice.",
        "The question of perm, for points that are a sample of more.",
    ),
}
OWN_MODEL = (
    "Draw the memberships of every point from a distribution given by whoever ran the comparison.",
    "Are the clusterings more alike than unrelated ones of that distribution?",
)

INDEX_WORDS: dict[str, str] = {
    "ndc": "Two points agree in a clustering by the share of their memberships that they have in "
    "common: 1 in the same cluster, 0 in different ones, and something between if they are only "
    "partly in the same. The index is 1 minus the mean difference of the two agreements.",
    "rand": "The index is the share of pairs of points that both clusterings treat alike: together "
    "in both, or apart in both.",
    "brouwer": "Two points agree in a clustering by the cosine of their memberships. The index "
    "is the mean chance that both clusterings say the same, together or apart.",
    "consistency": "Two points agree in a clustering by the chance that both fall into the same "
    "cluster if each is put into one at random, by its memberships. The index is the mean chance "
    "that both clusterings then say the same.",
    "belief": "Two points agree in a clustering by the chance that both fall into the same cluster "
    "if each is put into one at random, by its memberships. The index is 1 minus the mean "
    "difference of the two agreements.",
    "jousselme": "Two points agree in a clustering by the chance that both fall into the same "
    "cluster if each is put into one at random, by its memberships. The index is 1 minus the mean "
    "squared difference of the two agreements.",
    "frobenius": "All pairs of points are compared at once, scaled so that a fuzzy clustering is 1 "
    "like itself.",
}

PAIRS = (
    "A clustering puts points into groups. To compare two, look at two points at a time: does the "
    "one clustering put them together, and does the other? The index adds this up over all pairs "
    "of points: 1 means that both say the same of every pair."
)
CHANCE = (
    "Even unrelated clusterings agree on many pairs by chance, so the index alone says little. The "
    "adjusted index starts from there: it is 0 for as much agreement as chance gives (the "
    "<em>expected</em> index) and 1 for perfect agreement, and it is negative for less than chance."
)


def index_words(index: str) -> str:
    """What the index measures; an index of somebody's own explains itself by its name only."""
    if index.startswith("ndc("):
        return INDEX_WORDS["ndc"] + " Differences are measured with other norms and powers here."
    return INDEX_WORDS.get(index, "The index was given by whoever ran the comparison.")


def model_words(c: Comparison) -> tuple[str, str]:
    """What a random clustering is, and which question that answers."""
    base = c.model.partition("(")[0]
    known = MODELS.get(base)
    # A model of somebody's own may be called anything, but not assume the same.
    if known is None or known.assumption != c.assumption:
        return OWN_MODEL
    return MODEL_WORDS[base]
