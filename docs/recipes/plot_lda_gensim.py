"""
Topics from two starts, with gensim
===================================

*gensim gives me lists of topics and weights. How do I compare two fits, and does it matter that
small weights are missing?*

For each document, gensim's ``get_document_topics`` returns a list of pairs ``(topic, weight)``, and
omits weights below ``minimum_probability``, which is 0.01 by default. fuzzyrand accepts such lists
as they are. The omitted weights have to be dealt with, and a note says so where it matters.

The documents are the docstrings of SciPy's public functions and classes, as in
:ref:`the recipe with scikit-learn <sphx_glr_auto_recipes_plot_lda_sklearn.py>`. This recipe needs
``pip install gensim``.
"""

# %%
import importlib
import inspect
import textwrap

import matplotlib.pyplot as plt
from gensim.corpora import Dictionary
from gensim.models import LdaModel
from gensim.parsing.preprocessing import remove_stopwords
from gensim.utils import simple_preprocess

import fuzzyrand as fr

PACKAGES = [
    "fft", "integrate", "interpolate", "linalg", "ndimage",
    "optimize", "signal", "sparse", "spatial",
]  # fmt: skip

documents = []
for package in PACKAGES:
    module = importlib.import_module(f"scipy.{package}")
    for name in sorted(module.__all__):
        member = getattr(module, name)
        text = inspect.getdoc(member) or ""
        text = text.partition("Examples\n---")[0]
        if len(text.split()) >= 60 and not inspect.ismodule(member):
            text = remove_stopwords(text.lower())
            documents.append(simple_preprocess(text, min_len=3))

dictionary = Dictionary(documents)
dictionary.filter_extremes(no_below=5, no_above=0.25)
corpus = [dictionary.doc2bow(words) for words in documents]

first, second = (
    LdaModel(
        corpus, num_topics=9, id2word=dictionary, alpha=0.1, eta=0.05,
        passes=15, chunksize=64, random_state=seed,
    )
    for seed in (0, 1)
)  # fmt: skip


def topics(model, cut=None):
    """Return the topics of all documents as gensim gives them."""
    return [
        model.get_document_topics(bag, minimum_probability=cut)
        for bag in corpus
    ]


for topic, weight in topics(first)[5]:
    print(f"topic {topic}: {weight:.2f}")

# %%
# Rows that do not sum to 1
# -------------------------
# Where weights were omitted, the others sum to less than 1. fuzzyrand does not guess what that
# means:
try:
    fr.compare(topics(first), topics(second))
except fr.InputError as error:
    print(textwrap.fill(str(error), 72))

# %%
# The best way is not to cut: with ``minimum_probability=0`` gensim returns all weights.
full = topics(first, 0), topics(second, 0)
print(fr.compare(*full))

# %%
# If you only have lists that were cut, ``normalize=True`` divides each row by its sum:
cut = topics(first), topics(second)
print(fr.compare(*cut, normalize=True))

# %%
# Does the cut change the answer?
# -------------------------------
# Under ``perm``, the default, a small cut hardly changes it: the rows that are shuffled were cut as
# well. Under a model that is fitted, such as ``fit``, it does. A Dirichlet distribution is fitted
# to the logarithms of the shares, so the smallest ones count most, and these are what the cut
# removes. The notes of a result say when the model does not describe the rows well, and what
# ``perm`` would give.
cuts = [0, 0.01, 0.03, 0.1]
values = {"perm": [], "fit": []}
for limit in cuts:
    runs = topics(first, limit), topics(second, limit)
    for model, adjusted in values.items():
        result = fr.compare(*runs, model=model, normalize=True, tol=2e-3)
        adjusted.append(result.adjusted)

_, ax = plt.subplots(layout="constrained")
for model, adjusted in values.items():
    ax.plot([str(limit) for limit in cuts], adjusted, "o-", label=model)
ax.set_ylim(0, 1)
ax.set_xlabel("minimum_probability")
ax.set_ylabel("adjusted index of the two fits")
ax.legend(title="model")
plt.show()

# %%
# Which topics come back?
# -----------------------
# With lists, topics are identified by their numbers. The matching shows which is which, and gensim
# provides the words.
matching = fr.match(*full)


def named(model, topic):
    """Return the words that are most frequent in a topic."""
    return " ".join(word for word, _ in model.show_topic(topic, topn=3))


shares = matching.overlap / matching.overlap.sum(axis=1, keepdims=True)
for i, j in sorted(matching.pairs, key=lambda pair: -shares[pair]):
    print(
        f"{shares[i, j]:4.0%}  {named(first, i):<32}{named(second, j)}"
    )

# %%
# The percentages are shares of the topic of the first fit. A pair near the top of the list is a
# topic that came back, and one near the bottom is a pair of leftovers.
#
# .. rubric:: What to report
#
# The adjusted index, its random model, and the ``minimum_probability`` of the weights.
#
# .. rubric:: Pitfall
#
# ``matutils.corpus2dense`` and ``corpus2csc`` put documents in columns. fuzzyrand expects points in
# rows: transpose the matrix, or pass the lists.
