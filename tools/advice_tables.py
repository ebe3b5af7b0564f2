"""Write the tables of what each model is for into README.md and the guide: ``make tables``."""

from __future__ import annotations

from pathlib import Path

from fuzzyrand.models.advice import models_table, questions_table

ROOT = Path(__file__).parents[1]
#: The pages, and the tables that stand between the markers of that name.
PAGES = {
    "README.md": {"questions": questions_table},
    "docs/guide/which-model.md": {"questions": questions_table},
    "docs/guide/models.md": {"models": models_table},
}


def filled(page: str) -> str:
    """Return the text of a page with its tables filled in."""
    text = (ROOT / page).read_text(encoding="utf-8")
    for name, table in PAGES[page].items():
        begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->\n"
        before, rest = text.split(begin)
        text = f"{before}{begin}{table()}\n{end}{rest.split(end)[1]}"
    return text


if __name__ == "__main__":
    for name in PAGES:
        (ROOT / name).write_text(filled(name), encoding="utf-8")
