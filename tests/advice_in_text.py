"""Advice on random models, as it is found in pages, recipes, docstrings and messages."""

import ast
import io
import re
import tokenize

#: What has to stand beside the advice to use a model: words of its entry in ``models/advice.py``.
SAMPLE = ("points are a sample", "sizes and fuzziness of the clusters")
SIZES = ("agreement about cluster sizes",)
ANYTHING = ("no clustering was more likely than another",)
KEY_PHRASES = {
    "cat": SAMPLE,
    "fit": SAMPLE,
    "num": SIZES,
    "sym": SIZES,
    "all": ANYTHING,
    "flat": ANYTHING,
    "generalised": ("clusters differ in fuzziness",),
    "mixture": ("of several kinds",),
    "kernel": ("no simple distribution describes the memberships",),
    "mixed": ("some points are hard",),
    "empirical": ("no distribution describes the memberships",),
}
#: The default needs no reason.
DEFAULT = "perm"

_ANY = "|".join([*KEY_PHRASES, DEFAULT])
#: A model by name, caught: in backticks or quotes, in a call, or after the word "model".
_MARKED = rf"(?:`?model=|\bmodel )?[`'\"“*]+({_ANY})[`'\"”*]+"
_MODEL = rf"(?:{_MARKED}|(?:`?--model |\bmodels? )({_ANY})\b)"
#: Names that are hardly words, so that they need no marks.
_BARE = r"\b(fit|sym|generalised|empirical)\b"

_VERB = r"\b(?:use|choose|report|prefer|recommends?|recommended|pick|take|try|ask for)\b"
_WORDS = r"(?:[\w{}`'\"-]+,? ){0,4}?"
_METHOD = r"(?:k-means|mixtures?|c-means|hdbscan|topic models?|topics|ancestry|lda|admixture)"
_PRAISE = (
    r"(?:suits?|fits (?:best|most)|should be (?:used|reported|preferred)|"
    r"is (?:usually |often |the |meant )*"
    r"(?:right|best|better|enough|appropriate|preferable|recommended|good|safe|for))\b"
)
_IS = r"(?:is |are |was |remains |stays |of |, )?"

#: Sentences that advise a model.
ADVISING = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_VERB} {_WORDS}{_MODEL}",
        rf"{_VERB} (?:the model |the )?{_BARE}(?! (?:to|of|that|is|was))",
        rf"{_MODEL},? {_WORDS}{_PRAISE}",
        rf"\bmodel {_WORDS}(?:is|was|should be|would be) {_MODEL}",
        rf"\bshould be (?:adjusted|compared) (?:by|under|with) {_MODEL}",
        rf"{_METHOD}[^.|`]{{0,30}}[:|] *{_MODEL}",
    )
]
#: Sentences that call a model the default.
CALLED_DEFAULT = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\bdefaults?:? (?:random )?(?:model )?{_IS}{_MODEL}",
        rf"\bdefault (?:random )?model,? (?:is )?{_BARE}",
        rf"{_MODEL},? (?:\(|which |that |is |are |remains |stays |as |by |the |our )*default\b",
    )
]
_AGAINST = re.compile(r"\b(?:not|never|cannot|nor|rather than|instead of)\b[^.]{0,20}$", re.I)


def faults(paragraph):
    """Return what a paragraph advises that the table of advice does not."""
    text = " ".join(paragraph.replace("``", "`").split())
    found = [*_of_a_table_row(text)]
    for model, start in _models(ADVISING, text):
        if not _AGAINST.search(text[:start]):
            found.append(model)
    found = [f"advises {model}" for model in found if not _has_a_reason(model, text)]
    found += [f"calls {m} the default" for m, _ in _models(CALLED_DEFAULT, text) if m != DEFAULT]
    return sorted(set(found))


def _models(patterns, text):
    """Yield the models that patterns find, each with the place of its sentence or clause."""
    for pattern in patterns:
        for match in pattern.finditer(text):
            name = next(group for group in match.groups() if group)
            yield name.lower(), match.start()


def _has_a_reason(model, text):
    """Return whether the reason of the table stands beside the advice to use a model."""
    text = re.sub(r"[`*\"']", "", text).lower()
    return model == DEFAULT or any(phrase in text for phrase in KEY_PHRASES[model])


def _of_a_table_row(text):
    """Yield the models that the row of a table gives to a situation described in words."""
    if not text.startswith("|"):
        return
    first, *others = (cell.strip() for cell in text.strip("| ").split("|"))
    if not re.search(r"[a-z]{3}", re.sub(r"`[^`]*`|\b(?:both|hard|soft|only)\b", "", first)):
        return  # the row is about a model, an option or a call
    for cell in others:
        rest = re.sub(rf"[`'\"]+(?:model=['\"])?(?:{_ANY})\b[`'\"]*", "", cell)
        rest = re.sub(r"\b(?:both|hard|soft|only|or|and|the|ari|aci)\b|[(),:;–`]", "", rest.lower())
        if not rest.strip():
            yield from re.findall(rf"\b(?:{_ANY})\b", cell)


# --- paragraphs ----------------------------------------------------------------------------------


def of_markdown(text):
    """Yield the paragraphs, list items and rows of tables, without code and generated tables."""
    text = re.sub(r"<!-- (\w+): begin -->.*?<!-- \1: end -->", "", text, flags=re.DOTALL)
    text = re.sub(r"^( *)```.*?^\1``` *$", "", text, flags=re.DOTALL | re.MULTILINE)
    for block in re.split(r"\n\s*\n", text):
        lines = block.splitlines()
        rows = [line.strip() for line in lines if line.lstrip().startswith("|")]
        yield from rows[2:] if len(rows) > 1 and set(rows[1]) <= set("|-: ") else rows
        rest = "\n".join(line for line in lines if not line.lstrip().startswith("|"))
        yield from re.split(r"^\s*(?:[-*]|\d+\.|\* -|:) +", rest, flags=re.MULTILINE)


def of_python(source):
    """Yield the paragraphs of all strings of a module, among them docstrings and messages."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ClassDef):
            yield from _of_class(node)
        elif isinstance(node, ast.JoinedStr):
            parts = (part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
            yield from _of_string("".join(map(str, parts)))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from _of_string(node.value)


def _of_class(node):
    """Yield the paragraphs of the docstring of a model, with its name in place of "it"."""
    for line in node.body:
        match line:
            case ast.AnnAssign(target=ast.Name(id="name"), value=ast.Constant(value=str(name))):
                text = ast.get_docstring(node) or ""
                yield from _of_string(text.replace("Use it", f"Use `{name}`"))


def of_recipe(source):
    """Yield the paragraphs of the docstring and the comments of a script."""
    yield from _of_string(ast.get_docstring(ast.parse(source)) or "")
    block, last = [], 0
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type != tokenize.COMMENT:
            continue
        if token.start[0] != last + 1:
            yield from _of_string("\n".join(block))
            block = []
        block.append(token.string.removeprefix("#").removeprefix(" "))
        last = token.start[0]
    yield from _of_string("\n".join(block))


def of_template(text):
    """Yield the sentences of a page, which stand on lines of their own."""
    yield from re.sub(r"\{[#%{].*?[#%}]\}|<[^>]+>", " ", text, flags=re.DOTALL).splitlines()


def _of_string(text):
    for block in re.split(r"\n\s*\n", text):
        yield from re.split(r"^\s*(?:-|>>>.*|\.\. .*) +", block, flags=re.MULTILINE)
