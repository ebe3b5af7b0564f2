"""Numbers from 0 to 1 for people."""

from __future__ import annotations


def decimals(number: float, places: int = 3) -> str:
    """So many places after the point; of a smaller number, two digits instead of only zeros.

    Examples
    --------
    >>> decimals(0.12345), decimals(0.0), decimals(-0.0), decimals(0.0000254)
    ('0.123', '0.000', '0.000', '2.5e-05')
    """
    fixed = f"{number:z.{places}f}"
    return fixed if number == 0.0 or float(fixed) != 0.0 else f"{number:.2g}"
