"""How many examples property tests draw, and which: always the same ones, unless asked otherwise.

With the environment variable ``HYPOTHESIS_PROFILE=random`` (``make fuzz``), tests draw new examples
at each run, several times as many. A failure prints how to reproduce it.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "fixed")
#: Number of examples of most tests, and how many times as many random ones are drawn.
NUMBER, TIMES = 40, 6 if PROFILE == "random" else 1

_BOTH = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("fixed", max_examples=NUMBER, derandomize=True, **_BOTH)
settings.register_profile("random", max_examples=TIMES * NUMBER, print_blob=True, **_BOTH)
settings.load_profile(PROFILE)


def examples(number: int) -> settings:
    """Return a decorator for a test that draws fewer or more examples than most."""
    return settings(max_examples=TIMES * number)
