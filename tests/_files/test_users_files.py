"""Text files as users have them: what is in them is read, and what is missing is said to be."""

import numpy as np
import pytest

import fuzzyrand as fr
from fuzzyrand._files.column_choice import ReadingOptions
from fuzzyrand._files.readings import read_clusterings

WORDS = ["a", "a", "b", "b", "c", "a"]
NUMBERS = [1, 1, 2, 2, 3, 1]
SOFT = np.array([[0.9, 0.1], [0.8, 0.2], [0.2, 0.8], [0.1, 0.9], [0.4, 0.6], [0.7, 0.3]])


def table(header, rows, *, delimiter=",", end="\n"):
    lines = [header] if header is not None else []
    lines += [delimiter.join(map(str, row)) for row in rows]
    return "".join(line + end for line in lines)


def numbered(values, first=1, quote='"'):
    """Rows with names, as R and pandas write them."""
    values = np.asarray(values, dtype=object).reshape(6, -1).tolist()
    return [[f"{quote}{i}{quote}", *row] for i, row in enumerate(values, start=first)]


def named(values, quote='"'):
    """Rows with names that are words."""
    values = np.asarray(values, dtype=object).reshape(6, -1).tolist()
    return [[f"{quote}p{i}{quote}", *row] for i, row in enumerate(values)]


COMMAS = [[str(x).replace(".", ",") for x in row] for row in SOFT.tolist()]
QUOTED = [[f'"{word}"'] for word in WORDS]

LABEL_FILES = {
    "write.csv": table('"","x"', numbered(QUOTED)),
    "write.csv, numbers": table('"","x"', numbered(NUMBERS)),
    "write.csv without row names": table('"cluster"', QUOTED),
    "write.table": table('"x"', numbered(QUOTED), delimiter=" "),
    "write.table without names": table(None, numbered(QUOTED), delimiter=" "),
    "write.table with row names": table('"x"', named(QUOTED), delimiter=" "),
    "write.table with row names, numbers": table('"x"', named(NUMBERS), delimiter=" "),
    "write.table without quotes": table("x", named(WORDS, ""), delimiter=" "),
    "write.table, numbers without quotes": table("x", named(NUMBERS, ""), delimiter=" "),
    "write.table with tabs": table('"a"', named(QUOTED), delimiter="\t"),
    "write.table with tabs, no quotes": table("x", named(NUMBERS, ""), delimiter="\t"),
    "write.table with commas": table('"x"', named(NUMBERS), delimiter=","),
    "write.table with semicolons": table('"x"', named(QUOTED), delimiter=";"),
    "write.table, col.names=NA": table('""\t"x"', named(QUOTED), delimiter="\t"),
    "write.csv with row names": table('"","x"', named(NUMBERS)),
    "to_csv": table(",0", numbered(NUMBERS, 0, "")),
    "to_csv of a column": table("cluster", [[n] for n in NUMBERS]),
    "to_csv twice": table("Unnamed: 0,cluster", numbered(NUMBERS, 0, "")),
    "scanpy": table(",leiden", [[f"AAC{i}-1", n] for i, n in enumerate(NUMBERS)]),
    "barcodes": table("barcode\tleiden", [[f"AAC{i}-1", n] for i, n in enumerate(NUMBERS)],
                      delimiter="\t"),
    "SPSS": table("id,cluster", numbered(NUMBERS, quote="")),
    "a query": table("id|cluster", numbered(WORDS, quote=""), delimiter="|"),
    "dates": table("date,cluster", [[f"2020-01-0{i + 1}", w] for i, w in enumerate(WORDS)]),
    "quoted numbers": table('"cluster"', [[f'"{n}"'] for n in NUMBERS]),
    "floats": table("cluster", [[f"{n}.0"] for n in NUMBERS]),
    "savetxt": table(None, [[f"{n:.18e}"] for n in NUMBERS]),
    "savetxt with a header": table("# labels", [[n] for n in NUMBERS]),
    "Excel": table("\ufeff\"cluster\"", QUOTED, end="\r\n"),
    "Excel, with its delimiter": table("sep=;\nid;cluster", numbered(WORDS), delimiter=";"),
    "a Mac": table("cluster", [[w] for w in WORDS], end="\r"),
    "delimiters at ends": table("cluster,", [[w, ""] for w in WORDS]),
    "blank lines": "\n\n" + table("cluster", [[w] for w in WORDS]) + "\n\n",
    "comments": table("# made by x, y\n# at noon\ncluster", [[w] for w in WORDS]),
    "a comment": table("# made by x\ncluster", [[n] for n in NUMBERS]),
    "two words": table("Cluster ID", [[f"Cluster {n}"] for n in NUMBERS]),
    "write.table, names with commas": table(
        '"x"', named([[f'"{word}, red"'] for word in WORDS]), delimiter=" "
    ),
    "write.table with commas, names with commas": table(
        '"x"', named([[f'"{word}, red"'] for word in WORDS], "")
    ),
    "numbered names with commas": table(
        "0", numbered([[f'"{word}, red"'] for word in WORDS], quote=""), delimiter=" "
    ),
    "blanks at ends": table('"id","cluster"', named(QUOTED), end=" \n"),
    "blanks at ends of one column": table(None, [[f'"{word}, red"'] for word in WORDS], end=" \n"),
    "colours": table(None, [["#ff0000" if w == "a" else f"#00ff0{w}"] for w in WORDS]),
}  # fmt: skip

SOFT_FILES = {
    "write.csv": table('"","p","q"', numbered(SOFT)),
    "write.csv2": table('"";"p";"q"', numbered(COMMAS), delimiter=";"),
    "quoted": table('"p","q"', [[f'"{x}"' for x in row] for row in SOFT]),
    "Excel": table("p;q", COMMAS, delimiter=";", end="\r\n"),
    "Excel, with its delimiter": table("sep=;\np;q", COMMAS, delimiter=";"),
    "comments": table("# made by x\n# at noon\np,q", SOFT),
    "comments alone": table("# made by x at noon", SOFT),
    "savetxt": table("# p q", SOFT, delimiter=" "),
    "names of samples": table("sample,p,q", [[f"s{i}", *row] for i, row in enumerate(SOFT)]),
    "delimiters at ends": table("p,q,", [[*row, ""] for row in SOFT]),
    "empty columns of Excel": table(
        "id,p,q,,", [[f"s{i}", *r, "", ""] for i, r in enumerate(SOFT)]
    ),
    "write.table with decimal commas": table("p q", named(COMMAS, ""), delimiter=" "),
    "decimal commas without names": table(None, named(COMMAS, ""), delimiter=" "),
    "classes 1 and 2": table("1,2", SOFT),
    "classes 1 and 2, and ids": table("1,2,who", [[*row, f"s{i}"] for i, row in enumerate(SOFT)]),
    "classes 1 and 2 in R": table('"1" "2"', named(SOFT), delimiter=" "),
    "classes 1 and 2 in R, numbered": table('"1" "2"', numbered(SOFT), delimiter=" "),
}


def read(tmp_path, text, **options):
    path = tmp_path / "file.csv"
    path.write_bytes(text.encode())
    (reading,) = read_clusterings([str(path)], ReadingOptions(**options))
    return reading.partition


@pytest.mark.parametrize("name", LABEL_FILES)
def test_labels(tmp_path, name):
    found = read(tmp_path, LABEL_FILES[name])
    assert found.n == 6
    assert fr.adjusted_similarity(found.codes, NUMBERS, model="perm") == 1.0


@pytest.mark.parametrize("name", SOFT_FILES)
def test_memberships(tmp_path, name):
    assert read(tmp_path, SOFT_FILES[name]).memberships == pytest.approx(SOFT, abs=1e-15)


def test_names_and_numbers_one_field_short_are_a_header(tmp_path):
    rows = [[f"p{i}", f"{i}.5", *row] for i, row in enumerate(SOFT)]
    text = table("height 0 1", rows, delimiter=" ")
    found = read(tmp_path, text, columns=("3-4",), header=(None,))
    assert found.memberships == pytest.approx(SOFT, abs=1e-15)
    with pytest.raises(fr.InputError, match=r"line 2 of .* has 3 .* columns: header=True"):
        read(tmp_path, "p0 0\np1 0 x\np2 1 x\np3 0 y\n")  # rather a point that lacks a field


def test_numbers_above_percentages_are_a_header(tmp_path):
    found = read(tmp_path, "0,1,2\n10%,20%,70%\n30%,30%,40%\n")
    assert (found.n, list(found.names)) == (2, ["0", "1", "2"])


def test_a_sentence_above_a_number_that_may_be_a_name(tmp_path):
    """The comment is no name of a column: 0 would be one more point."""
    text = "# labels\n0\n1\n2\n1\n"
    assert read(tmp_path, text).n == 4
    text = "# made by me\n0\na\nb\na\nb\n"
    with pytest.raises(fr.InputError, match=r"Is line 2 of .* \('0'\) a header or data"):
        read(tmp_path, text)
    assert read(tmp_path, text, header=(True,)).n == 4
    assert read(tmp_path, text, header=(False,)).n == 5


@pytest.mark.parametrize(
    "rows",
    [
        "8123 1 0\n9222 0 1\n7111 1 0\n2244 0 1\n",
        "8123 100 0\n9222 20 80\n7111 99.9 0\n2244 1.2 98.8\n",
        "1.0 0.0 8123\n0.0 1.0 9222\n1.0 0.0 7111\n1.0 0.0 2244\n",
    ],
)
def test_ids_beside_rows_of_equal_sums(tmp_path, rows):
    """They must not be added to the memberships, not even if rows are divided by their sums."""
    for normalize in (False, True):
        with pytest.raises(fr.InputError, match=r"holds whole numbers beside memberships.*id=[13]"):
            read(tmp_path, rows, normalize=normalize)
    assert read(tmp_path, "4 9\n3 1\n2 3\n1 7\n", normalize=True).k == 2
    assert read(tmp_path, "4 4 2\n3 1 6\n2 3 5\n1 7 2\n", normalize=True).k == 3


@pytest.mark.parametrize(("true", "false"), [("True", "False"), ("TRUE", "FALSE")])
@pytest.mark.parametrize("ids", [False, True])
def test_memberships_that_are_true_or_false(tmp_path, true, false, ids):
    """As pandas.get_dummies makes them; a single such column holds labels."""
    rows = [[true if word == w else false for w in "abc"] for word in WORDS]
    text = table("a,b,c", rows)
    if ids:
        text = table("id,a,b,c", [[f"s{i}", *row] for i, row in enumerate(rows)])
    found = read(tmp_path, text)
    assert (found.k, found.is_hard) == (3, True)
    assert fr.adjusted_similarity(found.codes, NUMBERS, model="perm") == 1.0
    labels = read(tmp_path, text, labels=("b",))
    assert sorted(labels.names) == sorted([true, false])


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('[\n "a",\n "a",\n "b"\n]\n', "JSON"),
        ("[0,\n0,\n1,\n1]\n", "JSON"),
        ('{"id": 1, "c": 2}\n{"id": 2, "c": 2}\n', "JSON"),
        ("% by me\n@RELATION x\n@attribute c {a,b}\n@data\na\na\nb\n", "an ARFF file of Weka"),
        ("<!DOCTYPE html>\n<html>\n404\n</html>\n", "a web page or XML"),
    ],
)
def test_texts_that_are_no_tables(tmp_path, text, what):
    with pytest.raises(fr.InputError, match=f"file.csv is {what}, and not a table"):
        read(tmp_path, text)


def test_intervals_are_labels(tmp_path):
    assert read(tmp_path, "[0; 1]\n[0; 1]\n[1; 2]\n[1; 2]\n", delimiter="\x1f").k == 2


def test_empty_lines_of_excel_are_to_be_deleted(tmp_path):
    with pytest.raises(fr.InputError, match=r"line 8, .* at the end belong to no point, delete"):
        read(tmp_path, table("p,q", SOFT) + ",\n,\n")


def test_allele_frequencies_are_refused(tmp_path):
    (tmp_path / "run.2.P").write_text("0.1 0.9\n0.4 0.6\n")
    with pytest.raises(fr.InputError, match=r"in the \.Q file of the same run"):
        read_clusterings([str(tmp_path / "run.2.P")], ReadingOptions())


def test_numbers_that_another_delimiter_divides(tmp_path):
    with pytest.raises(fr.InputError, match="several numbers: delimiter='space' divides them"):
        read(tmp_path, "a\tb\n0.1  0.2\t0.7\n0.1  0.3\t0.6\n")


@pytest.mark.parametrize("mark", [".", "NA", "NaN", "null", "", '""', "#N/A", "-", "?", "None"])
@pytest.mark.parametrize("header", ["cluster", "x"])
def test_missing_labels_among_numbers(tmp_path, mark, header):
    rows = [[n] for n in NUMBERS]
    rows[3] = [mark]
    text = table(header, rows)
    with pytest.raises(fr.InputError, match=r"line 5, column '.*' of .* has no label"):
        read(tmp_path, text)
    found = read(tmp_path, text, missing="drop")
    assert (found.k, np.flatnonzero(found.absent).tolist()) == (3, [3])


def test_missing_memberships(tmp_path):
    rows = [*SOFT.tolist()[:5], [".", "."]]
    with pytest.raises(fr.InputError, match=r"line 7, column 'p' of .* is missing"):
        read(tmp_path, table("p,q", rows))
    found = read(tmp_path, table("p,q", rows), missing="drop")
    assert found.absent.tolist() == [False] * 5 + [True]


def test_marks_among_words_are_labels(tmp_path):
    assert read(tmp_path, "cluster\na\n?\na\n?\n-\n").k == 3


@pytest.mark.parametrize("mark", [".", "-", "?", "*"])
def test_marks_among_words_are_missing_if_the_user_says_that_some_are(tmp_path, mark):
    text = table("cluster", [[mark if w == "c" else w] for w in WORDS])
    found = read(tmp_path, text, missing="drop")
    assert (found.k, np.flatnonzero(found.absent).tolist()) == (2, [4])
    # Beside empty cells, they are labels.
    assert read(tmp_path, text.replace("b", "NA"), missing="drop").k == 2


@pytest.mark.parametrize("comment", ["# done", "## done", "#"])
def test_a_comment_is_no_label(tmp_path, comment):
    for text in (f"cluster\na\na\nb\n{comment}\n", f"cluster\n1\n{comment}\n1\n2\n"):
        line = text.splitlines().index(comment) + 1
        with pytest.raises(fr.InputError, match=f"line {line} of .* looks like a comment"):
            read(tmp_path, text)
        assert read(tmp_path, text, labels=("cluster",)).k == 3
    assert read(tmp_path, "cluster\n# 1\n# 1\n# 2\n").k == 2


def test_a_comment_above_a_name_in_doubt(tmp_path):
    """The question is about the line below the comment, and so is its answer."""
    text = table("# made by x\ngrower", [[w] for w in WORDS])
    with pytest.raises(fr.InputError, match=r"Is line 2 of .* \('grower'\) a header or data"):
        read(tmp_path, text)
    assert read(tmp_path, text, header=(True,)).n == 6
    assert read(tmp_path, text, header=(False,)).n == 7
    with pytest.raises(fr.InputError, match=r"line 4, column 'x' .* is 'z', not a number"):
        read(tmp_path, "# made by y\nx,y\n0.5,0.5\nz,0.5\n")
    for names in ("", "p,q\n", "# p,q\n"):  # lines count from the beginning of the file
        lines = ["", "# made by x", "# at noon", *names.splitlines(), "0.5,0.5", "0.5,0.6"]
        with pytest.raises(fr.InputError, match=f"line {len(lines)} of .* sums to 1"):
            read(tmp_path, "\n".join(lines))


def test_names_that_contradict_the_file_are_refused(tmp_path):
    (tmp_path / "names.txt").write_text("s2\ns1\ns3\n")
    text = "sample,cluster\ns1,1\ns2,2\ns3,1\n"
    with pytest.raises(fr.InputError, match=r"line 2 of .* is called 's1' there and 's2' in"):
        read(tmp_path, text, names=(str(tmp_path / "names.txt"),))
    text = "sample,cluster\ns2,1\ns1,2\ns3,1\n"
    assert read(tmp_path, text, names=(str(tmp_path / "names.txt"),)).ids == ["s2", "s1", "s3"]


@pytest.mark.parametrize("quote", ['"', ""])
@pytest.mark.parametrize("delimiter", [" ", "\t", ";"])
def test_row_names_of_r_match_points(tmp_path, quote, delimiter):
    names = {"labels": f"{quote}x{quote}", "soft": f"{quote}p{quote}{delimiter}{quote}q{quote}"}
    rows = {"labels": named(NUMBERS, quote), "soft": named(SOFT, quote)}
    rows["soft"] = [rows["soft"][i] for i in (3, 0, 5, 1, 4, 2)]
    paths = [tmp_path / f"{kind}.txt" for kind in names]
    for path in paths:
        path.write_text(table(names[path.stem], rows[path.stem], delimiter=delimiter))
    labels, soft = read_clusterings(list(map(str, paths)), ReadingOptions())
    assert soft.partition.memberships == pytest.approx(SOFT, abs=1e-15)
    assert labels.partition.ids == soft.partition.ids == [f"p{i}" for i in range(6)]


def test_lines_of_an_id_and_a_label_are_no_labels(tmp_path):
    """As R writes them without quotes, where some labels have two words."""
    labels = ["new york", "new york", "rome", "rome", "new york", "rome"]
    text = table("x", named(labels, ""), delimiter=" ")
    with pytest.raises(fr.InputError, match=r"6 of the 6 labels in column 'x' .* occur only once"):
        read(tmp_path, text, header=(True,))
    assert read(tmp_path, text, labels=("x",)).k == 6


def test_labels_with_a_delimiter_in_some_of_them(tmp_path):
    text = "cluster\na\nb,c\na\na,d\n"
    with pytest.raises(fr.InputError, match="whole lines are labels with delimiter='none'"):
        read(tmp_path, text.replace("\na\n", "\na,x\n"))
