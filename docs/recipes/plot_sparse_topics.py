"""
Hundreds of topics, a few for each document
===========================================

*My topic model has hundreds of topics and thousands of documents. Most shares are zero, and some
documents have no topic at all. How do I compare two runs?*

BERTopic and its relatives embed documents, cluster them, and describe each cluster by its words. A
document then gets a share of each topic whose words it is similar to, and zero for all the others.
Documents without any topic are outliers, with the label -1. Such shares are best kept in a SciPy
sparse matrix, and fuzzyrand keeps them sparse.

BERTopic's embeddings need a language model. This recipe follows the same steps with lighter
components: TF-IDF, singular vectors, k-means, and cosines with the mean words of each topic. The
documents are real: paragraphs of the docstrings of NumPy, SciPy, pandas and scikit-learn.
"""

# %%
import importlib
import inspect
import re

import matplotlib.pyplot as plt
import numpy as np
import scipy.sparse as sp
from sklearn.cluster import MiniBatchKMeans
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.preprocessing import normalize

import fuzzyrand as fr

MODULES = """numpy numpy.linalg numpy.ma numpy.random pandas scipy.fft
scipy.integrate scipy.interpolate scipy.linalg scipy.ndimage
scipy.optimize scipy.signal scipy.sparse scipy.spatial sklearn.cluster
sklearn.decomposition sklearn.ensemble sklearn.feature_selection
sklearn.linear_model sklearn.metrics sklearn.neighbors
sklearn.preprocessing sklearn.svm"""

paragraphs = set()
for package in MODULES.split():
    module = importlib.import_module(package)
    for member in (getattr(module, name) for name in module.__all__):
        if not inspect.ismodule(member):
            text = inspect.getdoc(member) or ""
            paragraphs.update(re.split(r"\n\s*\n", text))
prose = [text for text in paragraphs if ">>>" not in text]
documents = sorted(text for text in prose if len(text.split()) >= 20)

vectorizer = TfidfVectorizer(
    min_df=3, max_df=0.2, sublinear_tf=True,
    stop_words="english", token_pattern="[a-z]{3,}",
)  # fmt: skip
words = vectorizer.fit_transform(documents)
singular = TruncatedSVD(60, random_state=0).fit_transform(words)
vectors = normalize(singular)
n, topics = words.shape[0], 500


def run(seed):
    """Return a label and shares of topics for each document."""
    kmeans = MiniBatchKMeans(
        topics, n_init=1, batch_size=2048, max_iter=30, random_state=seed
    )
    cluster = kmeans.fit_predict(vectors)
    entries = np.ones(n), (cluster, np.arange(n))
    members = sp.csr_array(entries, shape=(topics, n))
    cosines = sp.csr_array(words @ normalize(members @ words).T)
    cosines.data[cosines.data < 0.2] = 0.0
    cosines.eliminate_zeros()
    outlier = np.diff(cosines.indptr) == 0
    return np.where(outlier, -1, cluster), normalize(cosines, "l1")


(first_labels, first), (second_labels, second) = run(0), run(1)
print(f"{n:,} documents, {topics} topics, {first.nnz / n:.0f} for each")
print(f"{np.mean(first_labels == -1):.1%} of the documents are outliers")
full, sparse = 8e-6 * n * topics, 12e-6 * first.nnz
print(f"{sparse:.1f} MB without zeros, {full:.0f} MB with zeros")

# %%
# How alike?
# ----------
# Outliers are rows of zeros. ``missing="noise"`` says so, and ``noise_as="singletons"`` says that
# an outlier has nothing in common with any other document.
options = {"missing": "noise", "noise_as": "singletons"}
result = fr.explain(first, second, **options)
print(result.sentence)
print(f"{n * (n - 1) // 2:,} pairs of documents")

# %%
# The result is exact, although there are so many pairs. Two documents that share no topic have
# co-membership 0, and with hundreds of topics nearly all pairs are of this kind. They are counted,
# not visited, and no full matrix is built. With millions of documents, pairs are drawn in
# proportion to their co-membership instead, and the result has a Monte Carlo error;
# see :doc:`/guide/sparse`.
#
# The labels alone are a cruder description of the same two runs. Here -1 is the label of outliers:
options = {"noise": -1, "noise_as": "singletons"}
labels = fr.compare(first_labels, second_labels, **options)
print(f"shares {result.adjusted:.2f}, labels {labels.adjusted:.2f}")

# %%
# K-means sets the boundary between two topics somewhere, and the label of a document near the
# boundary changes with the start. Its shares change little.
#
# Which topics come back?
# -----------------------
# Each topic has a score: the mean over its documents, weighted by their shares. These are the
# lowest and the highest scores of the first run.
terms = vectorizer.get_feature_names_out()


def described(topic):
    """Return the most frequent words of a topic of the first run."""
    weights = (first[:, [topic]].T @ words).toarray().ravel()
    return " ".join(terms[weights.argsort()[:-5:-1]])


scores, _ = result.clusters
scored = np.flatnonzero(~np.isnan(scores))  # empty topics have no score
order = scored[np.argsort(scores[scored])]
names = {described(topic): scores[topic] for topic in order}
for name, score in [*names.items()][:5] + [*names.items()][-5:]:
    print(f"{score:.2f}  {name}")

_, ax = plt.subplots(layout="constrained")
ax.hist(scores[scored], bins=30)
ax.axvline(result.adjusted, color="C1", label="all documents")
ax.set_xlabel("score of a topic (0: chance, 1: the same in both runs)")
ax.set_ylabel("topics")
ax.legend()
plt.show()

# %%
# Topics of common words, such as *axis* and *shape*, are divided differently in each run. Those
# with words of their own come back.
#
# .. rubric:: What to report
#
# The adjusted index, the share of outliers in each run, and what was done with them. The other
# options are ``noise_as="cluster"``, which treats outliers as one more topic, and ``"drop"``, which
# leaves them out of both runs and thus judges only the documents that were easy.
#
# .. rubric:: With BERTopic
#
# .. code-block:: python
#
#    labels, _ = topic_model.fit_transform(docs)                   # noise=-1
#    shares, _ = topic_model.approximate_distribution(docs)        # missing="noise"
#    shares = scipy.sparse.csr_array(shares)
#
# .. rubric:: Pitfall
#
# Rows that sum to less than 1 can mean two things. The part that HDBSCAN's memberships lack is
# noise, and ``missing="noise"`` keeps it. If you kept the ten largest shares of each row, the
# missing part is not noise but was discarded: use ``normalize=True``.
