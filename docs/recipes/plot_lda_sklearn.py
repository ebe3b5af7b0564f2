"""
Topics from two starts, with scikit-learn
=========================================

*I fitted a topic model. Would another random start give the same topics?*

Latent Dirichlet allocation gives each document shares of topics, and its answer depends on the
random start. Here it is fitted twice. Three questions follow: how alike are the two fits, which
topics come back, and which documents are seen differently?

The documents are the docstrings of SciPy's public functions and classes, so the numbers change with
the version of SciPy. The subpackage to which a function belongs is known, but not used.
"""

# %%
import importlib
import inspect

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.decomposition import LatentDirichletAllocation
from sklearn.feature_extraction.text import CountVectorizer

import fuzzyrand as fr

PACKAGES = [
    "fft", "integrate", "interpolate", "linalg", "ndimage",
    "optimize", "signal", "sparse", "spatial",
]  # fmt: skip

texts = {}
for package in PACKAGES:
    module = importlib.import_module(f"scipy.{package}")
    for name in sorted(module.__all__):
        member = getattr(module, name)
        text = inspect.getdoc(member) or ""
        text = text.partition("Examples\n---")[0]
        if len(text.split()) >= 60 and not inspect.ismodule(member):
            texts[f"{package}.{name}"] = text

vectorizer = CountVectorizer(
    min_df=5,
    max_df=0.25,
    stop_words="english",
    token_pattern="[a-z]{3,}",
)
counts = vectorizer.fit_transform(texts.values())
words = vectorizer.get_feature_names_out()
print(f"{counts.shape[0]} documents, {counts.shape[1]} words")


# %%
# Each fit becomes a frame: documents in rows, topics in columns, shares that sum to 1. Topics are
# named by their two most frequent words, and documents by the index of the frame. fuzzyrand keeps
# both names in everything that it prints.
def fit_topics(seed):
    """Fit nine topics from a random start."""
    lda = LatentDirichletAllocation(
        9, doc_topic_prior=0.1, topic_word_prior=0.05, max_iter=12,
        learning_method="online", batch_size=64, random_state=seed,
    )  # fmt: skip
    shares = lda.fit_transform(counts)
    frequent = lda.components_.argsort(axis=1)[:, :-3:-1]
    names = [" ".join(pair) for pair in words[frequent]]
    return pd.DataFrame(shares, index=list(texts), columns=names)


first, second = fit_topics(0), fit_topics(1)

# %%
# How alike?
# ----------
# Both fits are samples of what the method can find, and neither is the truth. Chance is the same
# rows in random order, as for the usual adjusted Rand index (``perm``, the default).
result = fr.explain(first, second)
print(result)

# %%
# 0 is what chance gives, and 1 is the same topics in all documents. The lines on clusters and
# points, and the last sentence, say where the difference is.
#
# Which topics come back?
# -----------------------
# ``result.matching`` pairs topics one to one by their overlap, the sum of products of shares. Even
# a topic that comes back exactly does not overlap with itself by 100%, because its documents have
# other topics as well. The cosine of two columns takes that into account: it is 1 if and only if a
# topic has the same documents in the same proportions.
matching = result.matching
lengths = [np.sqrt((run**2).sum().to_numpy()) for run in (first, second)]
cosines = matching.overlap / np.outer(*lengths)
for i, j in sorted(matching.pairs, key=lambda pair: -cosines[pair]):
    one, other = first.columns[i], second.columns[j]
    print(f"{cosines[i, j]:.2f}  {one:<24}{other}")

# %%
# Pairs with a cosine near 1 are topics that you can rely on. The last pairs are partners only for
# want of better ones: a matching pairs all that it can. The picture shows what became of them. A
# row with several dark cells is a topic that the second fit split, and a column with several is one
# that it merged.
ax = fr.plot.overlap(matching)
ax.set_ylabel("topics of the first fit")
ax.set_xlabel("topics of the second fit")
plt.show()

# %%
# Which documents differ?
# -----------------------
# Each document has a score, and the mean of all scores is the adjusted index. Grouped by
# subpackage, they show which part of the library has stable topics.
scores = result.to_frame()
packages = scores["id"].str.partition(".")[0]
order = scores["score"].groupby(packages).median().sort_values().index

_, ax = plt.subplots(layout="constrained")
ax.boxplot(
    [scores["score"][packages == package] for package in order],
    orientation="horizontal",
    tick_labels=list(order),
)
ax.set_xlabel(
    "score of a docstring (0: chance, 1: both fits see it alike)"
)
plt.show()

# %%
# .. rubric:: What to report
#
# The adjusted index with its random model, the number of fits, and the topics that came back. With
# more than two fits, use :func:`fuzzyrand.pairwise`, and report the fit that is most like the
# others.
#
# .. rubric:: Pitfall
#
# Topics with the same top words need not have the same documents, and topics with different words
# may. Compare documents, not lists of words. Let the fits converge: with too few iterations, two
# starts differ because neither has converged.
