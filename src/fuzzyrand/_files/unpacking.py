"""Unpack compressed files: gzip, bzip2, xz, and Zstandard where Python has it."""

from __future__ import annotations

import io
import re
from importlib import import_module
from typing import BinaryIO

from .._base.errors import InputError
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


class Unpacked(io.BytesIO):
    """Content of a compressed file, and the size of that file."""

    packed: int


def room_of(file: BinaryIO, max_size: int | None) -> Room:
    """Return the memory that a file may take, which is then at its beginning."""
    packed = isinstance(file, Unpacked)
    size = file.packed if isinstance(file, Unpacked) else file.seek(0, io.SEEK_END)
    file.seek(0)
    return Room.of(size, max_size, packed=packed)


def packing_of(beginning: bytes) -> str | None:
    """Return how a file is compressed; None if it is not."""
    return next((name for name, mark in PACKINGS.items() if mark.match(beginning)), None)


def unpacked(file: BinaryIO, packing: str, source: str, max_size: int | None) -> Unpacked:
    """Unpack a file, or refuse one that is damaged or holds too much.

    Parameters
    ----------
    file : file
        The compressed file, at its beginning.
    packing : str
        How it is compressed.
    source : str
        Name of the file in messages.
    max_size : int, optional
        Most memory that it may take, in bytes.
    """
    room = room_of(file, max_size)
    whole = Unpacked()
    whole.packed = room.held
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
    try:
        with module.open(file) as stream:
            while chunk := stream.read(_CHUNK):
                room.require(whole.tell() + len(chunk), source, too_much)
                whole.write(chunk)
    except (InputError, MemoryError):
        raise
    except Exception as error:  # each packing has errors of its own
        raise InputError(
            "{source} is compressed ({packing}), and damaged or cut short: {reason}.",
            source=source,
            packing=packing,
            reason=str(error),
        ) from error
    whole.seek(0)
    return whole
