"""Files as other programs write them: read as they are meant, or refused with advice."""

import numpy as np
import pytest

import fuzzyrand as fr
from fuzzyrand._cli.voice import VOICE
from fuzzyrand._files.column_choice import ReadingOptions
from fuzzyrand._files.filemaps import read_filemap
from fuzzyrand._files.readings import read_clusterings

RNG = np.random.default_rng(5)
N = 24
Q = RNG.dirichlet([0.4, 0.4, 0.4], N).round(6)
Q[:, 2] = 1.0 - Q[:, 0] - Q[:, 1]
PEOPLE = [f"NA{12000 + 7 * i}" for i in range(N)]
LABELS = RNG.integers(0, 3, N)


def readings(*paths, **options):
    return read_clusterings([str(path) for path in paths], ReadingOptions(**options))


def memberships(path, **options):
    return readings(path, **options)[0].partition.memberships


def refusal(*paths, **options):
    with pytest.raises(fr.FuzzyRandError) as caught:
        readings(*paths, **options)
    return caught.value.text(VOICE)


def rows(matrix, delimiter=" ", form="{:.6f}"):
    return "".join(delimiter.join(form.format(v) for v in row) + "\n" for row in matrix)


def fam(people, families=None):
    families = families or [f"FAM{i // 4}" for i in range(len(people))]
    lines = zip(families, people, strict=True)
    return "".join(f"{family} {person} 0 0 {1 + len(person) % 2} -9\n" for family, person in lines)


def structure(matrix, people, intervals=False, label=True, population=True):
    """STRUCTURE 2.3's output, shortened."""
    head = """

----------------------------------------------------
STRUCTURE by Pritchard, Stephens and Donnelly (2000)
     and Falush, Stephens and Pritchard (2003)
       Code by Pritchard, Falush and Hubisz
             Version 2.3.4 (Jul 2012)
----------------------------------------------------

Run parameters:
   24 individuals
   8 loci
   3 populations assumed

--------------------------------------------
Estimated Ln Prob of Data   = -1234.5

Inferred ancestry of individuals:
        Label (%Miss) Pop:  Inferred clusters
"""
    lines = []
    for i, (row, person) in enumerate(zip(matrix, people, strict=True), start=1):
        name = f" {person:>10}" if label else ""
        pop = f"    {1 + i % 2}" if population else ""
        values = " ".join(f"{value:.3f}" for value in row)
        spans = " " + " ".join("(0.000,1.000)" for _ in row) if intervals else ""
        lines.append(f"{i:>3}{name}    ({i % 4}){pop} :  {values} {spans}\n")
    tail = """

Estimated Allele Frequencies in each cluster
First column gives estimated ancestral frequencies

Locus 1 :
2 alleles
0.0% missing data
   1   (0.500) 0.400 0.600 0.500
"""
    return head + "".join(lines) + tail


def close(found, expected, digits):
    return found == pytest.approx(expected, abs=0.6 * 10.0**-digits * expected.shape[1])


# --- population genetics -------------------------------------------------------------------------


def test_admixture(tmp_path):
    (tmp_path / "panel.3.Q").write_text(rows(Q))
    assert close(memberships(tmp_path / "panel.3.Q"), Q, 6)


def test_fam_names_the_rows_of_q(tmp_path):
    order = RNG.permutation(N)
    (tmp_path / "a.3.Q").write_text(rows(Q))
    (tmp_path / "b.3.Q").write_text(rows(Q[order]))
    (tmp_path / "a.fam").write_text(fam(PEOPLE))
    (tmp_path / "b.fam").write_text(fam([PEOPLE[i] for i in order]))
    files = [tmp_path / "a.3.Q", tmp_path / "b.3.Q"]
    names = (str(tmp_path / "a.fam"), str(tmp_path / "b.fam"))
    first, second = readings(*files, names=names)
    assert np.array_equal(first.partition.memberships, second.partition.memberships)
    assert list(first.partition.ids) == list(second.partition.ids) == PEOPLE
    assert second.names == names[1] == second.to_dict()["names"]
    assert f"matched by the names in {names[1]}" in str(second)
    (alone,) = readings(files[0], names=names[:1])
    assert list(alone.partition.ids) == PEOPLE
    # One file without names: all go by the order of the rows.
    _, unnamed = readings(*files, names=(names[0], ""))
    assert close(unnamed.partition.memberships, Q[order], 6)
    # A column of ids in the other file.
    table = "who,p1,p2,p3\n" + "".join(
        f"{PEOPLE[i]},{Q[i, 0]},{Q[i, 1]},{Q[i, 2]}\n" for i in order
    )
    (tmp_path / "table.csv").write_text(table)
    first, second = readings(files[0], tmp_path / "table.csv", names=(names[0], ""), id=("who",))
    assert np.abs(first.partition.memberships - second.partition.memberships).max() < 1e-6


def test_names_that_do_not_fit(tmp_path):
    (tmp_path / "a.3.Q").write_text(rows(Q))
    (tmp_path / "short.fam").write_text(fam(PEOPLE[:-1]))
    message = refusal(tmp_path / "a.3.Q", names=(str(tmp_path / "short.fam"),))
    assert "short.fam has 23 names, but" in message
    families = [f"F{i}" for i in range(N)]
    (tmp_path / "families.fam").write_text(fam(["1"] * N, families))
    (reading,) = readings(tmp_path / "a.3.Q", names=(str(tmp_path / "families.fam"),))
    assert reading.partition.ids[1] == "F1 1"
    (tmp_path / "twice.fam").write_text(fam([*PEOPLE[:-1], PEOPLE[0]], ["F"] * N))
    message = refusal(tmp_path / "a.3.Q", names=(str(tmp_path / "twice.fam"),))
    assert "line 24" in message
    assert "the same name as line 1" in message
    (tmp_path / "odd.txt").write_text("a b\nc\n")
    message = refusal(tmp_path / "a.3.Q", names=(str(tmp_path / "odd.txt"),))
    assert "expected a PLINK .fam file, which has six columns, or one name per line" in message


def test_fam_is_no_clustering(tmp_path):
    (tmp_path / "panel.fam").write_text(fam(PEOPLE))
    message = refusal(tmp_path / "panel.fam")
    assert "is a PLINK .fam file" in message
    assert "--names" in message
    (tmp_path / "panel.txt").write_text(fam(PEOPLE))
    message = refusal(tmp_path / "panel.txt")
    assert "line 1, column 1 of" in message
    assert "--labels" in message
    assert readings(tmp_path / "panel.fam", labels=("1",))[0].partition.k == 6


@pytest.mark.parametrize("intervals", [False, True])
@pytest.mark.parametrize("label", [False, True])
@pytest.mark.parametrize("population", [False, True])
def test_structure(tmp_path, intervals, label, population):
    (tmp_path / "run_1_f").write_text(structure(Q, PEOPLE, intervals, label, population))
    (reading,) = readings(tmp_path / "run_1_f")
    assert close(reading.partition.memberships, Q, 3)
    names = PEOPLE if label else [str(i + 1) for i in range(N)]
    assert list(reading.partition.ids) == names
    assert "STRUCTURE results, rounded to 3 decimals" in str(reading)


def test_two_runs_of_structure_in_one_file_are_refused(tmp_path):
    """The second was left out without a word."""
    one = structure(Q, PEOPLE)
    (tmp_path / "runs_f").write_text(one + structure(Q[::-1], PEOPLE))
    line = 1 + one.count("\n") + one[: one.index("Inferred")].count("\n")
    said = refusal(tmp_path / "runs_f")
    assert f"line {line} of" in said
    assert "begins a second run (STRUCTURE results). Give one run in each file." in said


def test_ids_come_before_names_and_names_must_fit_the_labels(tmp_path):
    order = RNG.permutation(N)
    people = [PEOPLE[i] for i in order]
    table = "".join(
        f"{person},{a},{b},{c}\n" for person, (a, b, c) in zip(people, Q[order], strict=True)
    )
    (tmp_path / "shuffled.csv").write_text("id,p,q,r\n" + table)
    (tmp_path / "run.3.Q").write_text(rows(Q))
    (tmp_path / "run.fam").write_text(fam(PEOPLE))
    paths = tmp_path / "shuffled.csv", tmp_path / "run.3.Q"
    first, second = readings(*paths, id=("id",), names=(str(tmp_path / "run.fam"),))
    np.testing.assert_allclose(first.partition.memberships, second.partition.memberships)
    (tmp_path / "run_f").write_text(structure(Q[order], people))
    message = refusal(tmp_path / "run_f", names=(str(tmp_path / "run.fam"),))
    assert f"is called {people[0]!r} there and {PEOPLE[0]!r} in" in message
    assert "Without --names" in message


def test_only_rows_without_any_membership_can_be_dropped(tmp_path):
    (tmp_path / "partly.csv").write_text("p,q\n0.5,0.5\n,0.5\n1,0\n")
    message = refusal(tmp_path / "partly.csv")
    assert "is missing" in message
    assert "--missing drop" not in message
    (tmp_path / "wholly.csv").write_text("p,q\n0.5,0.5\n,\n1,0\n")
    assert "--missing drop" in refusal(tmp_path / "wholly.csv")


def test_structure_runs_are_matched_by_label(tmp_path):
    order = RNG.permutation(N)
    (tmp_path / "a_f").write_text(structure(Q, PEOPLE))
    (tmp_path / "b_f").write_text(structure(Q[order], [PEOPLE[i] for i in order]))
    first, second = readings(tmp_path / "a_f", tmp_path / "b_f")
    assert np.array_equal(first.partition.memberships, second.partition.memberships)
    (tmp_path / "c_f").write_text(structure(Q, [*PEOPLE[:-1], "stranger"]))
    message = refusal(tmp_path / "a_f", tmp_path / "c_f")
    assert "1 id of" in message
    assert "stranger" in message
    # Labels that repeat, as those that were cut short do, are no names.
    (tmp_path / "d_f").write_text(structure(Q[order], ["NA1"] * N))
    _, second = readings(tmp_path / "a_f", tmp_path / "d_f")
    assert close(second.partition.memberships, Q[order], 3)


def test_structure_that_cannot_be_read(tmp_path):
    text = structure(Q, PEOPLE)
    (tmp_path / "prior_f").write_text(
        text.replace(f"{PEOPLE[2]}    (3)    2 :  ", f"{PEOPLE[2]}    (3)    2 :  0.9 | Pop 1: ")
    )
    message = refusal(tmp_path / "prior_f")
    assert message.startswith("line 22 of")
    assert "Expected a number, a label" in message
    (tmp_path / "empty_f").write_text("Inferred ancestry of individuals:\n\n\n")
    assert "no individuals under it" in refusal(tmp_path / "empty_f")


def clumpp(matrix, start=1):
    return "".join(
        f"{i:>3} {i:>6} ({'x' if i % 2 else '0'}) {1 + i % 3:>4} :  "
        + " ".join(f"{value:.4f}" for value in row)
        + "\n"
        for i, row in enumerate(matrix, start=start)
    )


def test_clumpp(tmp_path):
    (tmp_path / "k3.indfile").write_text(clumpp(Q))
    assert close(memberships(tmp_path / "k3.indfile"), Q, 4)
    (tmp_path / "runs.indfile").write_text(clumpp(Q) + "\n" + clumpp(Q))
    assert "line 26 of" in refusal(tmp_path / "runs.indfile")
    assert "begins a second run" in refusal(tmp_path / "runs.indfile")
    (tmp_path / "ragged.indfile").write_text(clumpp(Q[:5]) + clumpp(Q[5:, :2], start=6))
    assert "line 6 of" in refusal(tmp_path / "ragged.indfile")
    assert "has 2 memberships where line 1 has 3" in refusal(tmp_path / "ragged.indfile")


def test_filemap(tmp_path):
    (tmp_path / "runs").mkdir()
    lines = "# written for pong\nk3r1\t3\truns/a.3.Q\nk3r2\t3\truns/b.3.Q\n"
    (tmp_path / "pong_filemap").write_text(lines)
    first, second = read_filemap(str(tmp_path / "pong_filemap"))
    assert (first.id, first.k, first.line) == ("k3r1", 3, 2)
    assert second.path == str(tmp_path / "runs" / "b.3.Q")
    for content, message in (
        ("k3r1\tthree\truns/a.3.Q\n", "line 1 of"),
        ("k3r1\t3\n", "expected an id, a number of clusters and the path"),
        ("r\t3\ta\nr\t3\tb\n", "line 2 of .* has the same id as line 1, 'r'"),
        ("# nothing\n", "names no runs"),
    ):
        (tmp_path / "bad").write_text(content)
        with pytest.raises(fr.InputError, match=message):
            read_filemap(str(tmp_path / "bad"))


# --- R, pandas, NumPy, spreadsheets --------------------------------------------------------------


def test_r(tmp_path):
    quoted = '"V1" "V2" "V3"\n' + "".join(
        f'"{i}" {a:.6f} {b:.6f} {c:.6f}\n' for i, (a, b, c) in enumerate(Q, start=1)
    )
    (tmp_path / "table.txt").write_text(quoted)  # write.table(u)
    assert close(memberships(tmp_path / "table.txt"), Q, 6)
    comma = '"","V1","V2","V3"\n' + "".join(
        f'"{name}",{a:.6f},{b:.6f},{c:.6f}\n' for name, (a, b, c) in zip(PEOPLE, Q, strict=True)
    )
    (tmp_path / "table.csv").write_text(comma)  # write.csv(u)
    assert close(memberships(tmp_path / "table.csv"), Q, 6)
    labels = '"x"\n' + "".join(f'"{i}" {label}\n' for i, label in enumerate(LABELS, start=1))
    (tmp_path / "labels.txt").write_text(labels)  # write.table(kmeans(x, 3)$cluster)
    (reading,) = readings(tmp_path / "labels.txt")
    assert reading.partition.k == 3
    assert np.array_equal(reading.partition.codes == 0, LABELS == 0)


def test_pandas(tmp_path):
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(Q, columns=["p1", "p2", "p3"], index=PEOPLE)
    frame.to_csv(tmp_path / "soft.csv")
    assert close(memberships(tmp_path / "soft.csv"), Q, 6)
    pd.Series(LABELS, index=PEOPLE, name="cluster").to_csv(tmp_path / "labels.csv")
    assert readings(tmp_path / "labels.csv")[0].partition.k == 3
    missing = pd.Series(["a", None, "b"] * 8, dtype="string", name="cluster")
    missing.to_csv(tmp_path / "missing.csv", index=False, na_rep="<NA>")
    assert "line 3, column 'cluster'" in refusal(tmp_path / "missing.csv")


def test_numpy(tmp_path):
    np.savetxt(tmp_path / "soft.txt", Q)
    assert close(memberships(tmp_path / "soft.txt"), Q, 6)
    np.savetxt(tmp_path / "soft.csv", Q, delimiter=",", header="a,b,c")
    assert close(memberships(tmp_path / "soft.csv"), Q, 6)
    np.savetxt(tmp_path / "labels.txt", LABELS)
    assert readings(tmp_path / "labels.txt")[0].partition.k == 3


def test_excel_with_decimal_commas(tmp_path):
    text = "Cluster 1;Cluster 2;Cluster 3\r\n" + rows(Q, ";").replace(".", ",").replace(
        "\n", "\r\n"
    )
    (tmp_path / "excel.csv").write_bytes(b"\xef\xbb\xbf" + text.encode())
    (reading,) = readings(tmp_path / "excel.csv")
    assert close(reading.partition.memberships, Q, 6)
    assert list(reading.partition.names) == ["Cluster 1", "Cluster 2", "Cluster 3"]


def test_topics_of_mallet(tmp_path):
    (tmp_path / "new.txt").write_text(
        "".join(
            f"{i}\tfile:/docs/{i}.txt\t" + "\t".join(f"{value:.6f}" for value in row) + "\n"
            for i, row in enumerate(Q)
        )
    )
    message = refusal(tmp_path / "new.txt")
    assert "column 1 of" in message
    assert "--columns 3-5 takes the memberships" in message
    assert close(memberships(tmp_path / "new.txt", columns=("3-5",)), Q, 6)
    old = "#doc name topic proportion ...\n" + "".join(
        f"{i} {i}.txt " + " ".join(f"{j} {row[j]:.6f}" for j in np.argsort(-row)) + "\n"
        for i, row in enumerate(Q)
    )
    (tmp_path / "old.txt").write_text(old)
    message = refusal(tmp_path / "old.txt")
    assert "pairs of topic and proportion" in message


def test_noise_of_hdbscan(tmp_path):
    labels = np.where(LABELS == 2, -1, LABELS)
    np.savetxt(tmp_path / "labels.txt", labels, fmt="%d")
    (reading,) = readings(tmp_path / "labels.txt")
    assert sorted(reading.partition.names) == ["-1", "0", "1"]


# --- white space, commas and ids -----------------------------------------------------------------


def test_a_text_column_between_spaces_is_a_column(tmp_path):
    """Whole lines of such files are all different, and would be clusters of one point."""
    named = [f"sample{i} {'AB'[label % 2]}\n" for i, label in enumerate(LABELS)]
    (tmp_path / "named.txt").write_text("".join(named))
    for options in ({}, {"labels": ("2",)}):
        (reading,) = readings(tmp_path / "named.txt", **options)
        codes, expected = reading.partition.codes, LABELS % 2
        assert np.array_equal(codes == codes[0], expected == expected[0])
    mixed = "".join(
        f"sample{i}{'  ' if i % 2 else chr(9)}{'AB'[label % 2]} {label}\n"
        for i, label in enumerate(LABELS)
    )
    (tmp_path / "mixed.txt").write_text(mixed)
    assert "'sample0', not a number" in refusal(tmp_path / "mixed.txt")
    assert "--delimiter none" in refusal(tmp_path / "mixed.txt")
    assert readings(tmp_path / "mixed.txt", labels=("3",))[0].partition.k == 3


def test_labels_of_several_words_are_no_columns(tmp_path):
    (tmp_path / "cities.txt").write_text("New York\nNew York\nBonn\nBonn\n")
    (tmp_path / "numbered.txt").write_text("".join(f"cluster {label}\n" for label in LABELS))
    assert readings(tmp_path / "cities.txt")[0].partition.k == 2
    (reading,) = readings(tmp_path / "numbered.txt")
    assert sorted(reading.partition.names) == ["cluster 0", "cluster 1", "cluster 2"]


@pytest.mark.parametrize("numbers", [False, True])
def test_labels_that_occur_once_are_taken_for_ids(tmp_path, numbers):
    labels = [str(7 * i) if numbers else f"x{i}" for i in range(N)]
    (tmp_path / "ids.csv").write_text("who\n" + "\n".join(labels) + "\n")
    message = refusal(tmp_path / "ids.csv", header=(True,))
    assert "24 of the 24 labels in column 'who' of" in message
    assert "--labels who" in message
    assert readings(tmp_path / "ids.csv", labels=("who",))[0].partition.k == N
    half = [*labels[: N // 2], *["same"] * (N // 2)]
    (tmp_path / "half.csv").write_text("\n".join(half) + "\n")
    assert readings(tmp_path / "half.csv", header=(False,))[0].partition.k == N // 2 + 1


def test_commas_between_thousands(tmp_path):
    counts = np.array([[3955, 5930], [1200, 300], [12, 1_250_000]])
    text = "a,b\n" + "".join(f'"{u:,}","{v:,}"\n' for u, v in counts)
    (tmp_path / "counts.csv").write_text(text)
    expected = counts / counts.sum(axis=1, keepdims=True)
    assert memberships(tmp_path / "counts.csv", normalize=True) == pytest.approx(expected)
    assert "is 3955, which is above 1" in refusal(tmp_path / "counts.csv")
    (tmp_path / "shares.csv").write_text('a,b\n"0,955","0,045"\n"0,250","0,750"\n"1,000","0,000"\n')
    assert memberships(tmp_path / "shares.csv")[0] == pytest.approx([0.955, 0.045])


@pytest.mark.parametrize("missing", ["None", "<NA>", "#N/A", "NA", "nan", ""])
def test_missing_labels(tmp_path, missing):
    (tmp_path / "labels.csv").write_text(f"cluster,n\na,1\n{missing},2\nb,3\n")
    message = refusal(tmp_path / "labels.csv", labels=("cluster",))
    assert message.startswith("line 3, column 'cluster' of")
    assert "has no label" in message


def test_labels_of_two_words_under_one(tmp_path):
    """A header that is one field short is R's only above names of rows, which are different."""
    species = ["Homo sapiens", "Homo sapiens", "Pan paniscus", "Pan paniscus", "Homo sapiens"]
    (tmp_path / "species.txt").write_text("label\n" + "\n".join(species) + "\n")
    (reading,) = readings(tmp_path / "species.txt")
    assert list(reading.partition.names) == ["Homo sapiens", "Pan paniscus"]


def test_blank_lines_are_counted(tmp_path):
    (tmp_path / "gaps.txt").write_text("0.5 0.5\n  \n0.2 0.8\n0.3 -0.7\n")
    message = refusal(tmp_path / "gaps.txt")
    assert message.startswith("line 4, column 2 of")


def test_nothing_but_spaces_under_a_header(tmp_path, recwarn):
    (tmp_path / "bare.txt").write_text("a b\n\x0b\n")
    refusal(tmp_path / "bare.txt", header=(True,))
    assert not recwarn.list
