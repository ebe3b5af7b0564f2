"""``fuzzyrand models`` and ``fuzzyrand indices``: what there is to choose from."""

from __future__ import annotations

import argparse
from textwrap import fill
from typing import Any

from . import options

#: Exactness is found by asking, which takes time: so only for the most usual partner.
INDEX, MODEL = "ndc", "fit"

_TWO = "hard with fuzzy / both fuzzy"


def add(commands: options.Subparsers) -> None:
    """Add the commands."""
    for name, run, text in (
        ("models", _models, "What chance can mean: the random models, and what each assumes."),
        ("indices", _indices, "What is compared: the indices, and how each is computed."),
    ):
        parser = options.command(
            commands,
            name,
            run,
            text,
            examples=(f"fuzzyrand {name}", f"fuzzyrand {name} --json | jq '.[].name'"),
        )
        parser.add_argument("--json", action="store_true", help="print everything as JSON")


def _models(arguments: argparse.Namespace) -> None:
    from .._api.catalogue import exactness
    from ..indices import INDICES
    from ..models import MODELS

    found = [
        {
            "name": name,
            "chance_means": model.assumption,
            "use": model.use,
            "hard_only": model.hard_only,
            "accuracy": exactness(INDICES[INDEX], model),
            "accuracy_of": f"index {INDEX}, {_TWO}",
        }
        for name, model in MODELS.items()
    ]
    if arguments.json:
        print(_json(found))
        return
    for each in found:
        print(f"{each['name']:<12} {_kind(each)}")
        print(_indented(f"chance means {each['chance_means']}"))
        print(_indented(f"use: {each['use']}"))
    print(
        f"Exact or sampled: with the index {INDEX}, where two words stand for {_TWO}.\n"
        "fuzzyrand compare says it of each result, with the standard error."
    )


def _indices(arguments: argparse.Namespace) -> None:
    from .._api.catalogue import exactness
    from ..indices import INDICES, PairIndex
    from ..models import MODELS

    found = []
    for name, index in INDICES.items():
        model = MODEL if isinstance(index, PairIndex) else "perm"
        found.append(
            {
                "name": name,
                "what": (type(index).__doc__ or "").splitlines()[0],
                "hard_only": index.hard_only,
                "reflexive": index.reflexive,
                "accuracy": exactness(index, MODELS[model]),
                "accuracy_of": f"model {model}, {_TWO}",
            }
        )
    if arguments.json:
        print(_json(found))
        return
    for each in found:
        print(f"{each['name']:<12} {_kind(each)}")
        print(_indented(str(each["what"])))
        if not each["reflexive"]:
            print(_indented("a fuzzy clustering is less than 1 like itself: see --maximum self"))
    print(
        f"Exact or sampled: with the model {MODEL} (frobenius: perm), where two words stand for\n"
        f"{_TWO}. fuzzyrand compare says it of each result, with the standard error."
    )


def _kind(each: dict[str, Any]) -> str:
    hard = "hard clusterings only; " if each["hard_only"] else ""
    return f"{hard}{each['accuracy']}"


def _indented(text: str) -> str:
    return fill(text, 92, initial_indent=" " * 4, subsequent_indent=" " * 4)


def _json(found: list[dict[str, Any]]) -> str:
    import json

    return json.dumps(found, indent=1, ensure_ascii=False)
