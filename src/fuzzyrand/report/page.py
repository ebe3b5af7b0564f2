"""The page around a report: one file, no network, light and dark, screen and paper."""

from __future__ import annotations

from importlib.resources import files

from .markup import esc

#: Nothing may be fetched from anywhere; styles and the script are in the page.
POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; "
    "base-uri 'none'; form-action 'none'"
)


def page(title: str, heading: str, content: str, command: str, stdin: bool) -> str:
    """The complete HTML text.

    ``title`` is plain text; heading and content are HTML. ``stdin`` says that the command read
    standard input, without which it does something else.
    """
    from .. import __version__

    given = ", given the same standard input" if stdin else ""
    again = f"This command makes the same report{given}:"
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{esc(title)}</title>\n<style>\n{_part('style.css')}</style>\n</head>\n<body>\n"
        f"<main>\n<header>{heading}</header>\n{content}\n"
        f'<div class="together"><section><h2>Do it again</h2><p>{again}</p>'
        f'<pre class="command"><code>{esc(command)}</code></pre></section>\n'
        f"<footer>Made by fuzzyrand {esc(__version__)}. This file holds everything it shows and "
        "asks no server for anything.</footer></div>\n</main>\n"
        f"<script>\n{_part('sort.js')}{_part('scroll.js')}</script>\n</body>\n</html>\n"
    )


def _part(file: str) -> str:
    return files(__package__).joinpath(file).read_text(encoding="utf-8")
