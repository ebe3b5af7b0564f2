"""Memory maps of files, which workers open themselves instead of being sent their contents."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..._base.errors import InputError


@dataclass(frozen=True)
class MappedFile:
    """An array in a file, of which only the place is pickled.

    Attributes
    ----------
    path : str
        The file.
    offset : int
        Where in the file the first entry is.
    shape, strides : tuple of int
        Those of the array.
    dtype : dtype
        Type of its entries.
    """

    path: str
    offset: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    dtype: np.dtype[Any]

    @classmethod
    def of(cls, array: npt.NDArray[Any]) -> MappedFile | None:
        """Return where an array is; None if no file has all of it, as it is in memory."""
        whole = array
        while isinstance(whole.base, np.memmap):
            whole = whole.base
        if not isinstance(whole, np.memmap) or whole.filename is None or whole.mode == "c":
            return None
        inside = array.__array_interface__["data"][0] - whole.__array_interface__["data"][0]
        path = str(Path(whole.filename).resolve())
        return cls(path, whole.offset + inside, array.shape, array.strides, array.dtype)

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return len(self.shape)

    def __getitem__(self, rows: Any) -> npt.NDArray[Any]:
        """Return a copy of some entries, so that no page of the file stays in memory."""
        try:
            whole = np.memmap(self.path, np.uint8, "r")
        except OSError as error:
            raise InputError(
                "{source} cannot be opened by a worker ({reason}). A memory map is read where it "
                "is needed, so all workers must see its file; np.array(x) sends its contents.",
                source=self.path,
                reason=error.strerror or type(error).__name__,
            ) from error
        array: npt.NDArray[Any] = np.ndarray(
            self.shape, self.dtype, whole.data, self.offset, self.strides
        )
        return np.array(array[rows])
