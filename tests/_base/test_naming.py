"""Long names made short, and still told apart."""

from fuzzyrand._base.naming import abbreviate

from ..clusterings import LONG_NAME


def test_names_stay_different():
    alike = [f"{'a' * 40}{i}{'z' * 40}" for i in range(3)]
    for names in ([LONG_NAME.format(i) for i in range(12)], alike, ["x" * 99], ["a", "b" * 99]):
        assert len(set(abbreviate(names, 20))) == len(names)
    assert abbreviate(["x" + alike[0], *alike], 20) == ["x" + alike[0], *alike]  # too much alike
