"""Unpack compressed files: gzip, bzip2, xz, and Zstandard where Python has it."""

from __future__ import annotations

import io
import re
from importlib import import_module
from typing import BinaryIO

from .._base.errors import InputError
from .damage import explain_damage
from .limits import Room, in_words

#: Beginnings of compressed files. The first letters of bzip2 are not enough, as text has them, too.
PACKINGS = {
    "gzip": re.compile(rb"\x1f\x8b"),
    "bzip2": re.compile(rb"BZh[1-9](1AY&SY|\x17rE8P\x90)"),
    "xz": re.compile(rb"\xfd7zXZ\x00"),
    "Zstandard": re.compile(rb"\x28\xb5\x2f\xfd"),
}
#: Modules that unpack them; the last comes with Python 3.14, and others may lack any of them.
MODULES = {"gzip": "gzip", "bzip2": "bz2", "xz": "lzma", "Zstandard": "compression.zstd"}
#: Bytes in which a file is looked at.
BEGINNING = 10
_CHUNK = 1 << 20


def packing_of(beginning: bytes) -> str | None:
    """Return how a file is compressed; None if it is not."""
    return next((name for name, mark in PACKINGS.items() if mark.match(beginning)), None)


def unpack(file: BinaryIO, packing: str, source: str, room: Room) -> BinaryIO:
    """Unpack a file, or refuse one that is damaged or holds too much.

    Parameters
    ----------
    file : file
        The compressed file, at its beginning.
    packing : str
        How it is compressed.
    source : str
        Name of the file in messages.
    room : Room
        Memory that it may take.
    """
    whole = io.BytesIO()
    too_much = f"unpacks to more than {in_words(room.most)}"
    try:
        module = import_module(MODULES[packing])
    except ImportError:
        raise InputError(
            "{source} is compressed ({packing}), which this Python cannot unpack; unpack it, or "
            "compress it with gzip.",
            source=source,
            packing=packing,
        ) from None
    damaged = "{source} is compressed ({packing}), and damaged or cut short: {reason}."
    with explain_damage(damaged, source=source, packing=packing), module.open(file) as stream:
        while chunk := stream.read(_CHUNK):
            room.require(whole.tell() + len(chunk), source, too_much)
            whole.write(chunk)
    whole.seek(0)
    return whole
