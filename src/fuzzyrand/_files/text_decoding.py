"""Read text files, decoded as UTF-8, or refuse them."""

from __future__ import annotations

import codecs

from .._base.errors import InputError
from .limits import CHARACTER, Room, in_words
from .opening import called, open_file

_MARKS = {
    # UTF-32 first, because its mark begins with that of UTF-16.
    "UTF-32": (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE),
    "UTF-16": (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE),
}


def read_decoded(path: str, max_size: int | None = None) -> str:
    """Return the text of a file; see :func:`open_file`."""
    with open_file(path, max_size) as (file, room):
        return decode(file.read(), called(path), room)


def decode(data: bytes, source: str, room: Room) -> str:
    r"""Return the text with lines that end in ``\n``, without empty lines at the end.

    Text that was unpacked from a file and would take too much memory is refused.
    """
    if room.packed:
        what = f"unpacks to {in_words(len(data))} of text"
        room.require(len(data) * CHARACTER, source, what)
    wide = _wide_encoding(data)
    if wide is not None:
        raise InputError(
            "{source} is written in {encoding}; expected UTF-8. Save it as UTF-8, or: "
            "iconv -f {encoding} -t UTF-8 FILE | fuzzyrand ... -",
            source=source,
            encoding=wide,
        )
    if b"\0" in data:
        raise InputError(
            "{source} is not a text file: line {line} holds a zero byte. Expected CSV or other "
            "text, or a name that ends in .npy, .npz, .parquet or .feather.",
            source=source,
            line=data.count(b"\n", 0, data.index(b"\0")) + 1,
        )
    try:
        text = data.decode("utf-8").lstrip("\ufeff")  # marks of files that were joined, too
    except UnicodeDecodeError as error:
        raise InputError(
            "line {line} of {source} is not UTF-8 text (byte {value:#04x}). If it is text in an "
            "older encoding: iconv -f latin1 -t UTF-8 FILE | fuzzyrand ... -",
            line=data.count(b"\n", 0, error.start) + 1,
            source=source,
            value=data[error.start],
        ) from None
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.rstrip("\n \x1a")  # with which old programs end a file


def _wide_encoding(data: bytes) -> str | None:
    """Detect UTF-32 or UTF-16 by the mark at the beginning, or by the zeros in its characters."""
    for encoding, marks in _MARKS.items():
        if data.startswith(marks):
            return encoding
    zeros = [byte == 0 for byte in data[:8]]
    if len(zeros) < 4:
        return None
    for encoding, width in (("UTF-32", 4), ("UTF-16", 2)):
        for place in (0, width - 1):  # position of the nonzero byte
            pattern = [i % width != place for i in range(len(zeros))]
            if zeros == pattern:
                return encoding
    return None
