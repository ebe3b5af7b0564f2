"""
Ancestry: which populations come back from K = 2 to 8?
======================================================

*I ran ADMIXTURE five times for each K from 2 to 8. Which ancestral populations are found again and
again, and which only with some K or in some runs?*

:doc:`plot_admixture` shows how to draw such runs and for which K they agree. Here the question is
asked of each population: :func:`fuzzyrand.recurrence` puts the columns of all Q matrices, whatever
their K, into families that are the same population.

The genotypes are simulated, and the estimation is real: the EM algorithm of Tang et al. (Genetic
Epidemiology 28, 2005). There are five populations. Two are close to each other, and one is mixed.
"""

# %%
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import fuzzyrand as fr

rng = np.random.default_rng(0)


def drifted(frequencies, fst):
    """Return allele frequencies after drift (Balding and Nichols)."""
    a = frequencies * (1 - fst) / fst
    b = (1 - frequencies) * (1 - fst) / fst
    return rng.beta(a, b).clip(0.005, 0.995)


root = rng.uniform(0.1, 0.9, 500)
north = drifted(root, 0.1)
populations = [
    drifted(north, 0.05), drifted(north, 0.05),
    drifted(root, 0.15), drifted(root, 0.12),
]  # fmt: skip
shares = np.repeat(np.eye(4), 30, axis=0)
mixed = rng.dirichlet([0.1, 0.1, 6, 4], 30)
ancestry = np.vstack([shares, mixed])
home = np.repeat(["Alder", "Birch", "Cedar", "Dogwood", "Elm"], 30)
genotypes = rng.binomial(2, ancestry @ populations)
people = [f"{place}{i % 30:02d}" for i, place in enumerate(home)]


def admixture(k, seed, steps=300):
    """Return shares of k ancestral populations, from a random start."""
    start = np.random.default_rng(seed)
    q = start.dirichlet(np.ones(k), len(genotypes))
    f = start.uniform(0.1, 0.9, (k, genotypes.shape[1]))
    for _ in range(steps):
        p = q @ f
        one, two = genotypes / p, (2 - genotypes) / (1 - p)
        ones, twos = f * (q.T @ one), (1 - f) * (q.T @ two)
        q = (q * (one @ f.T + two @ (1 - f).T)).clip(1e-5)
        q /= q.sum(axis=1, keepdims=True)
        f = (ones / (ones + twos)).clip(1e-5, 1 - 1e-5)
    return pd.DataFrame(q, index=people)


runs = {
    f"K{k}r{run}": admixture(k, run)
    for k in range(2, 9)
    for run in range(1, 6)
}

# %%
# The populations that come back
# ------------------------------
result = fr.recurrence(runs)
print(result)

# %%
# The picture reads from left to right: as K grows, bands split. A band without gaps is a population
# that every run finds from some K on; one with gaps depends on the start.
fr.plot.recurrence(result)
plt.show()

# %%
# Who is in them? The core of a family are the individuals that belong to it in at least 90% of the
# runs in which it occurs.
for family in result.families[:8]:
    core = pd.Series([name[:-2] for name in family.core], dtype=str)
    counts = core.value_counts()
    places = ", ".join(f"{n} {place}" for place, n in counts.items())
    ks = [runs[run].shape[1] for run, _ in family.members]
    print(
        f"family {family.number}: K {min(ks)} to {max(ks)}, "
        f"{family.runs} runs; core: {places or 'nobody'}"
    )

# %%
# Runs that tell the same story
# -----------------------------
# Runs of a mode are so alike that one picture shows all of them: the consensus of the mode.
for mode in result.modes[:4]:
    print(f"{mode.share:.0%} of runs: {', '.join(mode.runs)}")

large = [mode for mode in result.modes if len(mode.runs) > 2][:4]
pictures = {
    f"{mode.medoid} and {len(mode.runs) - 1} more": mode.consensus
    for mode in large
}
fr.plot.memberships(pictures, groups=home)
plt.show()

# %%
# .. rubric:: What to report
#
# The number of runs for each K; for each population that you discuss, the K from which it is found
# and the share of runs; and a picture of each mode rather than of one run.
#
# .. rubric:: Pitfall
#
# The share of runs depends on which K you ran: a population that is found from K = 4 on cannot be
# in the runs with K = 2 and 3. Read the share together with the picture. A population that comes
# back may still be an artefact of sampling: close relatives form one in every run.
