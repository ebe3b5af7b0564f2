"""Format numbers from 0 to 1 for display."""

from __future__ import annotations


def decimals(number: float, places: int = 3) -> str:
    """Format with a fixed number of decimals, or two significant digits for small values.

    Parameters
    ----------
    number : float
        The number.
    places : int
        Number of decimals.

    Returns
    -------
    str

    Examples
    --------
    >>> decimals(0.12345), decimals(0.0), decimals(-0.0), decimals(0.0000254)
    ('0.123', '0.000', '0.000', '2.5e-05')
    """
    fixed = f"{number:z.{places}f}"
    return fixed if number == 0.0 or float(fixed) != 0.0 else f"{number:.2g}"
