"""What the library says of its keywords, said of the options of the command line."""

from __future__ import annotations

import re

_FLAGS = re.compile(r"\b(normalize|possibilistic)=True")
_CHOICES = re.compile(r"\b(model|index|fixed|maximum)=(['\"])(\w+)\2")
_NAMES = (("check_model()", "fuzzyrand check"),)


def spoken(text: str) -> str:
    """``normalize=True`` as ``--normalize``, ``model='perm'`` as ``--model perm``.

    Examples
    --------
    >>> spoken("Use model='perm', or normalize=True.")
    'Use --model perm, or --normalize.'
    """
    text = _CHOICES.sub(r"--\1 \3", _FLAGS.sub(r"--\1", text))
    for name, option in _NAMES:
        text = text.replace(name, option)
    return text
