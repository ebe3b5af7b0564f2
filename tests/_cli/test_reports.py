"""Reports as the command line writes them: what files, columns and clusters are called in them."""

import json
import re
from html import unescape

import pandas as pd
import pytest

import fuzzyrand as fr

from ..cli_process import run


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
    assert "0|2.2|55%|" in text
    assert "Clusters are numbered as the columns are, from 0." in text


@pytest.fixture
def multi(tmp_path):
    """One file with several clusterings."""
    (tmp_path / "multi.csv").write_text("kmeans,ward,p,q\n1,1,.5,.5\n1,2,.2,.8\n2,2,.9,.1\n")
    (tmp_path / "bare.csv").write_text("1,1\n1,2\n2,2\n")
    return tmp_path


COLUMNS = ("--labels", "kmeans", "--labels", "ward")


def test_two_columns_of_a_file_are_told_apart(multi):
    text = report("compare", "multi.csv", "multi.csv", *COLUMNS, cwd=multi)
    assert "How alike are multi.csv: kmeans and multi.csv: ward?" in text
    by_number = ("--labels", "1", "--labels", "2", "--no-header")
    text = report("compare", "bare.csv", "bare.csv", *by_number, cwd=multi)
    assert "How alike are bare.csv: column 1 and bare.csv: column 2?" in text
    text = report("compare", "bare.csv", "bare.csv", "--labels", "1", "--no-header", cwd=multi)
    assert "How alike are bare.csv: column 1 (1) and bare.csv: column 1 (2)?" in text
    text = report("compare", "multi.csv", "bare.csv", *COLUMNS[:3], "2", cwd=multi)
    assert "How alike are multi.csv and bare.csv?" in text


def test_columns_tell_only_those_apart_that_have_one_name(multi):
    (multi / "soft.csv").write_text(".2,.8\n.9,.1\n.6,.4\n")
    asked = ("pairwise", "multi.csv", "multi.csv", "soft.csv", *COLUMNS, "--labels", "")
    head = run(*asked, "--csv", "--quiet", cwd=multi).out.splitlines()[0]
    assert head == ",multi: kmeans,multi: ward,soft"
    (multi / "runs").mkdir()
    (multi / "runs/multi.csv").write_text("1\n1\n2\n")
    asked = ("pairwise", "multi.csv", "multi.csv", "runs/multi.csv", *COLUMNS, "--labels", "")
    head = run(*asked, "--csv", "--quiet", cwd=multi).out.splitlines()[0]
    assert head == ",multi.csv: kmeans,multi.csv: ward,runs/multi.csv"
    asked = ("pairwise", "multi.csv", "multi.csv", "--columns", "", "--columns", "p,q")
    head = run(*asked, "--labels", "ward", "--labels", "", "--csv", "--quiet", cwd=multi).out
    assert head.splitlines()[0] == ',multi: ward,"multi: p, q"'


def test_a_report_of_standard_input_asks_for_the_same_again(flowers):
    labels = b"a\na\nb\na\n"
    again = "This command makes the same report, given the same standard input:"
    assert again in report(
        "compare", "-", "soft.csv", "--columns", "p1,p2", cwd=flowers, stdin=labels
    )
    asked = ("pairwise", "truth.csv", "--labels", "species", "--reference", "-")
    assert again in report(*asked, cwd=flowers, stdin=labels)
    text = report("compare", "truth.csv", "soft.csv", "--id", "id", cwd=flowers)
    assert "This command makes the same report:" in text


def test_the_page_says_how_sure_the_number_is(here):
    run("compare", "truth.csv", "soft.csv", "--labels", "label", "--test", "--confidence", "--html",
        "sure.html", cwd=here)  # fmt: skip
    page = " ".join((here / "sure.html").read_text(encoding="utf-8").split())
    assert "How sure is that?" in page
    assert "95% CI" in page
    assert "under perm" in page


def test_points_have_the_ids_of_the_files(flowers):
    text = report("compare", "truth.csv", "soft.csv", "--id", "id", cwd=flowers)
    assert "Where they disagree" in text
    soft = [[0.2, 0.8], [0.1, 0.9], [0.4, 0.6], [0.7, 0.3]]
    named = pd.DataFrame(soft, columns=["p1", "p2"])
    result = fr.explain(["rosa", "rosa", "vera", "rosa"], named)
    worst = result.worst(1)[0]
    first, share = max(worst.second.items(), key=lambda item: item[1])
    assert f"{worst.position + 1}|{worst.score:z.2f}|{worst.first}|{first} {share:.2f}" in text


def test_many_files_are_drawn_side_by_side(flowers):
    (flowers / "more.csv").write_text("id,group\n1,x\n2,x\n3,y\n4,y\n")
    asked = ("pairwise", "truth.csv", "soft.csv", "more.csv", "--id", "id", "--model", "perm")
    text = report(*asked, cwd=flowers)
    assert "The clusterings side by side" in text
    told = json.loads(run(*asked, "--json", "--quiet", cwd=flowers).out)
    assert f"Most like all others together is {told['medoid']}:" in text
    assert f"Most typical: {told['medoid']} (mean" in run(*asked, cwd=flowers).out


@pytest.fixture
def places(flowers):
    """The same flowers with coordinates beside the labels."""
    (flowers / "truth.csv").write_text(
        "id,species,length,width\n1,rosa,5,1\n2,rosa,6,2\n3,vera,7,3\n4,rosa,8,4.5\n"
    )
    return flowers


def explored(*arguments, cwd):
    """The points of the page to explore that a command writes, by column."""
    ended = run(*arguments, "--quiet", "--interactive", "e.html", cwd=cwd)
    assert ended.code == 0, ended
    page = (cwd / "e.html").read_text(encoding="utf-8")
    chart = json.loads(re.search(r'id="chart">(.*?)</script>', page)[1])
    return page, chart, chart["data"]["values"][0]


@pytest.mark.parametrize("command", ["compare", "explain"])
def test_a_page_to_explore_has_the_coordinates_of_the_file(command, places):
    pytest.importorskip("altair", reason="no Altair here for pages to explore")
    page, chart, points = explored(
        command, "soft.csv", "truth.csv", "--id", "id", "--xy", "length,width", cwd=places
    )
    assert points["id"] == ["4", "3", "2", "1"]
    assert points["x"] == [8, 7, 6, 5]
    assert points["y"] == [4.5, 3, 2, 1]
    assert f"fuzzyrand {command} soft.csv truth.csv" in page
    (model,) = [param for param in chart["params"] if param["name"] == "model"]
    assert {"perm", "fit", "flat"} <= set(model["bind"]["options"])  # all that apply
    options = ("--id", "id", "--xy", "3-4", "--common")
    assert explored(command, "soft.csv", "truth.csv", *options, cwd=places)[2]["x"] == [8, 7, 6, 5]


def test_models_of_a_comparison_are_those_of_its_page(places):
    pytest.importorskip("altair", reason="no Altair here for pages to explore")
    models = ("--model", "flat", "--model", "perm", "--labels", "species")
    _, chart, _ = explored("compare", "truth.csv", "soft.csv", "--id", "id", *models, cwd=places)
    (model,) = [param for param in chart["params"] if param["name"] == "model"]
    assert model["bind"]["options"] == ["flat", "perm"]


def test_runs_have_a_page_to_explore(multi):
    pytest.importorskip("altair", reason="no Altair here for pages to explore")
    files = ("multi.csv", "multi.csv", *COLUMNS)
    page, _, points = explored("recurrence", *files, "--xy", "p,q", cwd=multi)
    assert points["x"] == [0.5, 0.2, 0.9]
    assert "Which clusters come back in 2 runs?" in page


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--xy", "length,width"), "--xy length,width is for the map of an interactive page"),
        (("--interactive", "e.html", "--xy", "length"), "--xy names two columns"),
        (("--interactive", "e.html", "--xy", "length,depth"), "no file has the column --xy"),
        (("--interactive", "e.png"), "--interactive e.png: the name must end in .html or .htm"),
        (("--interactive", "truth.csv"), "truth.csv is one of the files to read"),
        (("--interactive", "e.html", "--html", "e.html"), "name the same file"),
    ],
)
def test_what_cannot_be_explored_is_refused(options, message, places):
    ended = run("explain", "truth.csv", "soft.csv", "--id", "id", *options, cwd=places)
    assert ended.code in (1, 2)  # what files hold, or what was asked
    assert message in ended.err
    assert not (places / "e.html").exists()
