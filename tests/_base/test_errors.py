"""Errors as users see them: under the names of the package, with examples that run."""

import doctest
import pickle

import pytest

import fuzzyrand as fr

ERRORS = [
    fr.FuzzyRandError,
    fr.InputError,
    fr.ParameterError,
    fr.UnknownNameError,
    fr.NotApplicableError,
    fr.MissingExtraError,
    fr.SampledPairsWarning,
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: error.__name__)
def test_tracebacks_show_the_name_that_is_caught(error):
    assert f"{error.__module__}.{error.__qualname__}" == f"fuzzyrand.{error.__name__}"
    assert type(pickle.loads(pickle.dumps(error("a message")))) is error


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: error.__name__)
def test_examples_run(error):
    """Doctest looks for a class in the module that it names, and would pass these over."""
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    runner = doctest.DebugRunner(optionflags=flags)
    for example in doctest.DocTestFinder().find(error, module=False, globs={}):
        runner.run(example)
    # The first example that fails raises; all but one of the errors have examples.
    assert (runner.summarize(verbose=False).attempted > 0) == (error is not fr.MissingExtraError)
