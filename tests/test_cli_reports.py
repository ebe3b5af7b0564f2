"""Reports as the command line writes them: what files, columns and clusters are called in them."""

import re
from html import unescape

import pytest

from .cli_process import run


def report(*arguments, cwd, **options):
    """The text of the report that a command writes."""
    ended = run(*arguments, "--quiet", "--html", "r.html", cwd=cwd, **options)
    assert ended.code == 0, ended
    page = (cwd / "r.html").read_text(encoding="utf-8")
    body = page[page.index("<body>") : page.index("<script>")]
    return unescape(re.sub(r"<[^>]*>", "", re.sub(r"</t[dh]>", "|", body)))


@pytest.fixture
def flowers(tmp_path):
    """Species by name, and memberships in another order."""
    (tmp_path / "truth.csv").write_text("id,species\n1,rosa\n2,rosa\n3,vera\n4,rosa\n")
    (tmp_path / "soft.csv").write_text("id,p1,p2\n4,.7,.3\n3,.4,.6\n2,.1,.9\n1,.2,.8\n")
    return tmp_path


def test_clusters_are_called_as_in_the_files(flowers):
    text = report("compare", "truth.csv", "soft.csv", "--id", "id", cwd=flowers)
    for row in ("rosa|3|75%|", "vera|1|25%|", "p2|2.6|65%|", "p1|1.4|35%|"):
        assert row in text


def test_columns_without_a_name_are_numbered(flowers):
    (flowers / "bare.csv").write_text(".2,.8\n.9,.1\n.6,.4\n.5,.5\n")
    text = report("compare", "truth.csv", "bare.csv", "--labels", "species", cwd=flowers)
    assert "1|2.2|55%|" in text
    assert "Clusters are numbered as the columns are, from 1." in text
