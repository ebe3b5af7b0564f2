"""How sure a comparison is: tests of chance, and intervals for other points."""
