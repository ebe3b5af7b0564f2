"""
Ancestry: which number of populations do the runs agree on?
===========================================================

*I ran ADMIXTURE or STRUCTURE several times for each K. Which runs say the same, and which K can I
show?*

Both programs estimate, for each individual, the shares of its genome that come from K ancestral
populations: a matrix Q, in a file with a row for each individual. Each run numbers populations in
its own way, and for some K runs end in different solutions. :func:`fuzzyrand.align` puts all runs
into a common order, and :func:`fuzzyrand.pairwise` measures how much they agree.

The genotypes are simulated: four populations in two pairs, and some individuals with a parent from
elsewhere. The estimation is real. It maximises ADMIXTURE's likelihood by the EM algorithm of Tang
et al. (Genetic Epidemiology 28, 2005), which is short but slow; ADMIXTURE itself uses a faster one.
"""

# %%
import subprocess
import sys
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import fuzzyrand as fr

rng = np.random.default_rng(0)


def drifted(frequencies, fst):
    """Return allele frequencies after drift (Balding and Nichols)."""
    a = frequencies * (1 - fst) / fst
    b = (1 - frequencies) * (1 - fst) / fst
    return rng.beta(a, b).clip(0.005, 0.995)


root = rng.uniform(0.1, 0.9, 600)
west, east = drifted(root, 0.1), drifted(root, 0.1)
populations = [drifted(f, 0.06) for f in (west, west, east, east)]
home = np.repeat(["Alder", "Birch", "Cedar", "Dogwood"], 40)
ancestry = np.repeat(np.eye(4), 40, axis=0)
mixed = rng.random(160) < 0.2
ancestry[mixed] += rng.permutation(ancestry)[mixed]
ancestry /= ancestry.sum(axis=1, keepdims=True)
genotypes = rng.binomial(2, ancestry @ populations)


def admixture(k, seed, steps=800):
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
    return q


runs = {
    f"K{k}r{run}": admixture(k, run)
    for k in range(2, 6)
    for run in range(1, 5)
}

# %%
# All runs in one picture
# -----------------------
# A colour is the same population in all rows. If a population is split from one K to the next, the
# larger part keeps its colour.
alignment = fr.align(runs)
fr.plot.memberships(alignment, groups=home)
plt.show()

# %%
# How much do the runs agree?
# ---------------------------
# The default model, ``perm``, keeps the rows of Q as they are, and chance is their random order.
# This makes different K comparable: unrelated runs score 0 on average for each K.
table = fr.pairwise(runs)
fr.plot.pairwise(table, order=False)
plt.show()

# %%
# For each K, the runs with that K:
agreement = {}
for k in range(2, 6):
    same = [name for name in runs if name.startswith(f"K{k}")]
    square = table.to_frame().loc[same, same].to_numpy()
    agreement[k] = values = square[np.triu_indices(len(same), 1)]
    print(f"K={k}: mean {values.mean():.2f}, least {values.min():.2f}")

_, ax = plt.subplots(layout="constrained")
ax.plot(list(agreement), [v.mean() for v in agreement.values()], "o-")
for k, values in agreement.items():
    ax.scatter(np.full(values.size, k), values, color="grey", s=12)
ax.set_xticks(list(agreement))
ax.set_ylim(0, 1.05)
ax.set_xlabel("K")
ax.set_ylabel("adjusted index of two runs with the same K")
plt.show()

# %%
# With K = 2, all runs find the same split: Alder and Birch against Cedar and Dogwood. With K = 3,
# there are two solutions, because either pair can be split first. A mean over such runs would
# describe neither solution; show both. With K = 4, the runs agree again, on the four populations
# that were simulated. With K = 5, every run has a fifth population, but not the same one. The
# largest K that all runs agree on is 4.
#
# The same on the command line
# ----------------------------
# ADMIXTURE's Q files are read as they are, ``--names`` takes the individuals from PLINK's ``.fam``,
# ``--groups`` their populations, and ``--filemap`` takes the list of runs that pong uses. ``--out
# FOLDER`` writes all runs in the common order, as Q files.
folder = Path(tempfile.mkdtemp())
for name, q in runs.items():
    np.savetxt(folder / f"{name}.Q", q, fmt="%.6f")
lines = (
    f"{place} ind{number} 0 0 0 -9\n"
    for number, place in enumerate(home)
)
(folder / "study.fam").write_text("".join(lines))
lines = (
    f"{name}\t{q.shape[1]}\t{name}.Q\n"
    for name, q in runs.items()
    if "K3" in name
)
(folder / "k3.filemap").write_text("".join(lines))


def fuzzyrand(command):
    """Run a command in the folder, and print what it says."""
    print("$ fuzzyrand", command)
    words = [
        sys.executable,
        "-m",
        "fuzzyrand",
        *command.split(),
        "--quiet",
    ]
    print(subprocess.check_output(words, cwd=folder, text=True))


fuzzyrand(
    "align K2r1.Q K3r1.Q K4r1.Q --names study.fam --groups study.fam "
    "--plot bars.png --out aligned"
)
print((folder / "aligned" / "K3r1.Q").read_text().splitlines()[0])
fuzzyrand("pairwise --filemap k3.filemap --names study.fam")

# %%
# .. rubric:: What to report
#
# The number of runs for each K, the mean and the lowest agreement, and one run of each solution.
# ``fr.pairwise(...).medoid`` names the run that is most like the others.
#
# .. rubric:: Pitfall
#
# Agreement between runs is necessary, not sufficient: with K = 2, runs almost always agree. It
# shows which K has a single solution, not how many populations there were. Look at ADMIXTURE's
# cross-validation error as well. Let the runs converge: estimates that have not converged look like
# disagreement.
