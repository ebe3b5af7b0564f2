"""Print constraints for pip: the lowest version of each library that fuzzyrand supports.

    python tools/lowest_versions.py > lowest.txt
    pip install -e ".[dev]" -c lowest.txt

Tools for developers are left out, because users do not need them.
"""

import re
import tomllib
from pathlib import Path

PROJECT = Path(__file__).parents[1] / "pyproject.toml"
REQUIREMENT = re.compile(r"(?P<name>[\w-]+)(\[.*\])?(>=(?P<lowest>[\d.]+))?")
#: Libraries in ``dev`` for testing input that users may have; the others are tools.
INPUT = ("pandas", "polars")


def lowest_versions():
    """Yield a constraint for each library: ``>=1.26`` becomes ``==1.26.*``."""
    project = tomllib.loads(PROJECT.read_text("utf-8"))["project"]
    extras = {"": project["dependencies"], **project["optional-dependencies"]}
    for extra, requirements in extras.items():
        for requirement in requirements:
            name, lowest = REQUIREMENT.fullmatch(requirement).group("name", "lowest")
            tool = extra == "docs" or (extra == "dev" and name not in INPUT)
            if not tool and name != project["name"]:
                yield f"{name}=={lowest}.*"


if __name__ == "__main__":
    print(*lowest_versions(), sep="\n")
