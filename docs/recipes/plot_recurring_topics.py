"""
Topics that come back: 30 fits of a topic model
===============================================

*Each fit of my topic model has other topics. Which topics are real enough to be named in a paper?*

A topic model is fitted from a random start, and each start ends somewhere else. A topic that only
one fit has is an accident of its start; a topic that nearly every fit has is a property of the
documents and the model. :func:`fuzzyrand.recurrence` counts.

The documents are the docstrings of some of SciPy's functions, as in :doc:`plot_lda_sklearn`, so the
numbers change with the version of SciPy.
"""

# %%
import importlib
import inspect
from collections import Counter

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.decomposition import LatentDirichletAllocation
from sklearn.feature_extraction.text import CountVectorizer

import fuzzyrand as fr

PACKAGES = ["fft", "integrate", "interpolate", "ndimage", "spatial"]

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
# Each fit becomes a frame: documents in rows, topics in columns. Topics are named by their three
# most frequent words.
def fit_topics(seed):
    """Fit eight topics from a random start."""
    lda = LatentDirichletAllocation(
        8, doc_topic_prior=0.1, topic_word_prior=0.05, max_iter=10,
        learning_method="online", batch_size=64, random_state=seed,
    )  # fmt: skip
    shares = lda.fit_transform(counts)
    frequent = lda.components_.argsort(axis=1)[:, :-4:-1]
    names = [" ".join(three) for three in words[frequent]]
    return pd.DataFrame(shares, index=list(texts), columns=names)


runs = {f"start {seed}": fit_topics(seed) for seed in range(30)}

# %%
# Which topics come back?
# -----------------------
# Topics of different fits are the same if they have the same documents: if their columns correlate.
# Their words are not used, and their numbers mean nothing.
result = fr.recurrence(runs)
print(result)

# %%
# Each column of the picture is a fit, and each band of one colour a topic that comes back.
fr.plot.recurrence(result)
plt.show()

# %%
# The words of a family are those of its members:
for family in result.families[:10]:
    often = Counter(
        word for _, topic in family.members for word in topic.split()
    )
    named = " ".join(word for word, _ in often.most_common(3))
    low, high = family.interval
    print(
        f"family {family.number}: {family.share:>4.0%} of fits "
        f"({low:.0%} to {high:.0%})  {named}"
    )

# %%
# Which documents are loose?
# --------------------------
# The firmness of a document is 1 if it shares its topics with the same documents in all fits, and 0
# if this is as random as by chance.
points = result.to_frame("points").sort_values("firmness")
print(points[["point", "firmness"]].head(5).to_string(index=False))
packages = points["point"].str.partition(".")[0]
print(points["firmness"].groupby(packages).mean().round(2).to_string())

# %%
# A fit to report
# ---------------
# The consensus is the mean of all fits, after their topics are matched. It is a clustering like any
# other, and closer to the fits than they are to each other.
among = result.adjusted[np.triu_indices(len(runs), 1)]
print(f"two fits: {np.median(among):.2f} (median adjusted index)")
print(f"a fit and the consensus: {np.median(result.likeness):.2f}")
print(result.consensus)

# %%
# .. rubric:: What to report
#
# The number of fits, and for each topic that you name the share of fits in which it came back, with
# its interval. Topics that came back in less than half of the fits should not carry a conclusion.
#
# .. rubric:: Pitfall
#
# All fits have the same model and the same number of topics. A model with a habit has it in all
# fits. Pass fits with other numbers of topics and other priors together with these, and see which
# topics survive.
