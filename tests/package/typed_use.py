"""A user's script: correct uses with the types that users rely on, and wrong ones.

It is checked, not run. A checker must report the lines that end in "# wrong", and no others.
"""

from collections.abc import Mapping
from typing import Any, assert_type

import numpy as np
import numpy.typing as npt

import fuzzyrand as fr

labels = [0, 0, 1, 1]
soft: npt.NDArray[np.float64] = np.array([[1, 0], [0.8, 0.2], [0, 1], [0.1, 0.9]])
Floats = np.ndarray[tuple[Any, ...], np.dtype[np.float64]]

# One model gives a comparison, several give a table.
assert_type(fr.compare(labels, soft), fr.Comparison)
assert_type(fr.compare(labels, soft, model="perm", fixed="first"), fr.Comparison)
assert_type(fr.compare(labels, soft, model=fr.Fit(bias="corrected")), fr.Comparison)
assert_type(fr.compare(labels, soft, model="every"), fr.ComparisonTable)
assert_type(fr.compare(labels, soft, model=["perm", fr.Fit()]), fr.ComparisonTable)
assert_type(fr.compare(labels, soft, model=("perm", "fit"), index=fr.NDC(p=2)), fr.ComparisonTable)
fr.compare(labels, soft, model=3)  # wrong
fr.compare(labels, soft, modle="perm")  # wrong
fr.compare(labels, soft, tol="small")  # wrong
fr.compare(labels, soft, "perm")  # wrong
fr.compare(labels)  # wrong
fr.comparee(labels, soft)  # wrong

comparison = fr.compare(labels, soft)
assert_type(comparison.adjusted, float)
assert_type(comparison.notes, tuple[str, ...])
assert_type(comparison.methods_text(), str)
assert_type(comparison.to_dict(), dict[str, Any])
comparison.adjusted = 1.0  # wrong
print(comparison.adjust)  # wrong
assert_type([entry.adjusted for entry in fr.compare(labels, soft, model="every")], list[float])

assert_type(fr.similarity(labels, soft), float)
assert_type(fr.expected_similarity(labels, soft, model="perm"), float)
assert_type(fr.adjusted_similarity(labels, soft, maximum="self"), float)
fr.similarity(labels, soft, model="perm")  # wrong
text: str = fr.adjusted_similarity(labels, soft)  # wrong

matrix = fr.pairwise({"labels": labels, "soft": soft}, reference="labels", test=True)
assert_type(matrix, fr.Pairwise)
assert_type(matrix.adjusted, Floats)
assert_type(matrix.medoid, str | None)
assert_type(matrix.left_out, dict[str, int])
fr.pairwise({"labels": labels}, reference=soft, confidence=0.95, points="common")
fr.pairwise({"labels": labels, "soft": soft}, keys=["labels"])
fr.pairwise(3)  # wrong

assert_type(fr.advise(labels, soft, keep="sizes"), fr.Advice)
assert_type(fr.advise(labels, soft).cautions, tuple[str, ...])
assert_type(fr.check_model(soft, "fit"), fr.ModelCheck)
assert_type(fr.check_model(soft, "fit").suits, bool | None)
assert_type(fr.significance(labels, soft, alternative="greater"), fr.Significance)
assert_type(fr.significance(labels, soft).pvalue, float)
assert_type(fr.confidence_interval(labels, soft, level=0.9), fr.ConfidenceInterval)
assert_type(fr.confidence_interval(labels, soft).low, float)
assert_type(fr.confidence_interval(labels, (soft, labels)).pvalue, float | None)
assert_type(comparison.left_out, tuple[int, int])

assert_type(fr.as_cover([{"a", "b"}, {"b"}], points=["a", "b"]), fr.Partition)
fr.compare(fr.as_cover(soft), labels, index=fr.Omega())
fr.cuts(soft, [2, 3])
fr.compare(labels, soft, weights=fr.balanced_weights(labels))
assert_type(comparison.weights, dict[str, float] | None)
fr.scorer("ndc", model="perm", soft=False)
fr.scorer(soft="yes")  # wrong
fr.confidence_interval(labels, soft, level="high")  # wrong

explanation = fr.explain(labels, soft)
assert_type(explanation, fr.Explanation)
assert_type(explanation.points, Floats)
assert_type(explanation.matching, fr.Matching)
assert_type(explanation.wallace.first.adjusted, float)
assert_type(fr.match(labels, soft).pairs, list[tuple[int, int]])
assert_type(fr.match(labels, soft).self_shares, tuple[float, float])
assert_type(fr.match(labels, soft).notes, tuple[str, ...])
assert_type(fr.align([soft, soft]), fr.Alignment)
assert_type(fr.align([soft, soft]).notes, tuple[str, ...])
assert_type(fr.align([soft, soft]).runs, dict[str, Floats])


def cut(k: int, x: Floats) -> npt.NDArray[np.intp]:
    """Cluster the values of x into k intervals."""
    return np.minimum((x * k).astype(np.intp), k - 1)


stability = fr.stability(cut, soft, range(2, 4), checkpoint="repeats.jsonl", progress=False)
assert_type(stability, fr.Stability)
assert_type(stability.best, int | float | str | None)
assert_type(stability.candidates, Mapping[int | float | str, float])
fr.stability(cut, soft, [0.5, 1.0], parameter="resolution", progress=False)
fr.stability(cut, soft, parameter=3)  # wrong
recurrence = fr.recurrence({"a": labels, "b": soft}, alike=0.8, weights=[1.0, 2.0, 1.0, 1.0])
assert_type(recurrence, fr.Recurrence)
assert_type(recurrence.families[0].share, float)
assert_type(recurrence.modes[0].consensus, fr.Partition)
fr.recurrence([labels, soft], alike="much")  # wrong

assert_type(fr.as_partition(soft, normalize=True), fr.Partition)
assert_type(fr.from_table([[3, 1], [0, 4]]), tuple[fr.Partition, fr.Partition])
assert_type(fr.Partition.from_labels(labels).sizes, Floats)
assert_type(fr.toy_clusterings(), dict[str, Floats])
assert_type(fr.report.pairwise_report(matrix, command="make report"), str)
fr.report.pairwise_report(soft, command="make report")  # wrong
assert_type(fr.report.interactive_report(comparison, xy=soft), str)
assert_type(recurrence.report("page.html", interactive=True), None)
comparison.report("page.html", names=("a", "b"), interactive=True, xy=soft)
comparison.report("page.html", names="a")  # wrong
stability.report("page.html", interactive=True)  # wrong
comparison.explore(soft, names=("a", "b"))
fr.plot.comparison(comparison)
comparison.plot()
assert_type(fr.__version__, str)

fr.Fit(bias=1)  # wrong
model: fr.Model = fr.Sym(resolution="auto")
index: fr.Index = fr.CustomIndex(lambda u, v: (u * v).sum(-1), lambda a, b: 1 - abs(a - b))
other: fr.Index = fr.Fit()  # wrong

try:
    fr.compare(labels, [0, 1])
except fr.InputError as error:
    assert_type(error, fr.InputError)
