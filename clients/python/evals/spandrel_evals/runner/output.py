"""The JSONL file to which a run writes its rows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..errors import EvaluationError, InputError
from ..json_values import dump_json
from .results import EvaluatedRow


class Output:
    """A context manager. After an error of the disk nothing more is written, so that the run can end."""

    def __init__(self, path: Any, others: list[Any]) -> None:
        """:param others: files of the same run, none of which may be the output"""
        self.path = Path(path)
        for other in others:
            if isinstance(other, (str, Path)) and self.path.exists() and Path(other).exists() and self.path.samefile(other):
                raise InputError(f"the output {self.path} is another file of this run, which it would overwrite; give another path")
        self._error: EvaluationError | None = None
        try:
            # A surrogate that is alone stays an escape of JSON.
            self._file = self.path.open("w", encoding="utf-8", errors="backslashreplace")
        except OSError as error:
            raise InputError(f"the output {self.path} cannot be opened: {error.strerror}; give another path") from None

    def write(self, row: EvaluatedRow) -> None:
        if self._error is not None:
            return
        try:
            text = dump_json(row.to_json()) + "\n"
        except (InputError, RecursionError):
            # The row is nested too deeply; its results say so.
            text = dump_json({**row.to_json(with_row=False), "row": {}}) + "\n"
        try:
            self._file.write(text)
        except OSError as error:
            raise self._failed(error) from None

    def _failed(self, error: OSError) -> EvaluationError:
        self._error = EvaluationError(f"the output {self.path} cannot be written: {error.strerror}; free space and start again")
        return self._error

    def __enter__(self) -> Output:
        return self

    def __exit__(self, kind: Any, *_: object) -> None:
        try:
            self._file.close()
        except OSError as error:
            if self._error is None and kind is None:
                raise self._failed(error) from None
