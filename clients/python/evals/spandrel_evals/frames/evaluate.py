"""evaluate_dataframe: a copy of a frame with columns of scores and details."""

from __future__ import annotations

from typing import Any

from ..errors import InputError, RunStopped
from ..json_values import dump_json
from ..limits import RETRIES_DEFAULT
from ..runner.evaluate import async_evaluate, evaluate
from ..runner.results import Evaluation, EvaluatorResult



def evaluate_dataframe(
    dataframe: Any,
    evaluators: Any,
    tqdm_bar_format: str | None = None,
    hide_tqdm_bar: bool = False,
    exit_on_error: bool | None = None,
    max_retries: int | None = None,
    **options: Any,
) -> Any:
    """A copy of the frame with `<evaluator>_execution_details` and `<score>_score` for each row.

    Options of `evaluate` are accepted. A failed row has None as its score and its exceptions in the details; the others go on
    unless `exit_on_error`. Cells are dicts in a frame of pandas, JSON texts in one of polars.
    """
    given = _options(hide_tqdm_bar, exit_on_error, max_retries, options)
    _check_frame(dataframe)
    try:
        evaluation = evaluate(dataframe, evaluators, **given)
    except RunStopped as stopped:
        raise _with_frame(stopped, dataframe) from stopped.__cause__
    return build_frame(dataframe, evaluation)


async def async_evaluate_dataframe(
    dataframe: Any,
    evaluators: Any,
    concurrency: int | None = None,
    tqdm_bar_format: str | None = None,
    hide_tqdm_bar: bool = False,
    exit_on_error: bool | None = None,
    max_retries: int | None = None,
    **options: Any,
) -> Any:
    """`evaluate_dataframe` in a running event loop. Both are as fast."""
    given = _options(hide_tqdm_bar, exit_on_error, max_retries, {**options, "concurrency": concurrency})
    _check_frame(dataframe)
    try:
        evaluation = await async_evaluate(dataframe, evaluators, **given)
    except RunStopped as stopped:
        raise _with_frame(stopped, dataframe) from stopped.__cause__
    return build_frame(dataframe, evaluation)


def _options(hidden: bool, exit_on_error: bool | None, max_retries: int | None, options: dict[str, Any]) -> dict[str, Any]:
    if options.get("repetitions", 1) != 1 or options.get("output") is not None:
        raise InputError("a frame has one row for each of its rows; use evaluate for repetitions and output")
    return {
        "progress": False if hidden else None,
        "exit_on_error": bool(exit_on_error),
        "max_retries": RETRIES_DEFAULT if max_retries is None else max_retries,
        **options,
    }


def _check_frame(frame: Any) -> None:
    if not hasattr(frame, "columns") or not (hasattr(frame, "iloc") or hasattr(frame, "iter_rows")):
        raise InputError(f"the data are {type(frame).__name__}; expected a frame of pandas or polars, or use evaluate")


def _with_frame(stopped: RunStopped, frame: Any) -> RunStopped:
    """The error with the frame so far as `dataframe`."""
    made = RunStopped(str(stopped), stopped.evaluation)
    made.dataframe = build_frame(frame, stopped.evaluation)  # type: ignore[attr-defined, arg-type]
    return made


def build_frame(frame: Any, evaluation: Evaluation) -> Any:
    count = len(frame)
    details: dict[str, list[Any]] = {name: [None] * count for name in evaluation.evaluators}
    scores: dict[str, list[Any]] = {}
    owners: dict[str, str] = {}
    for row in evaluation:
        for name, result in row.results.items():
            details[name][row.index] = result.details()
            for score in result.scores:
                column = f"{score.name}_score"
                if owners.setdefault(column, name) != name:
                    raise InputError(f"{owners[column]} and {name} both give a score {score.name!r}; rename one of the evaluators")
                scores.setdefault(column, [None] * count)[row.index] = score.to_dict()
    for name in evaluation.evaluators:
        details[name] = [one or EvaluatorResult().details() for one in details[name]]
        # A column exists also when every row has failed.
        if not any(owner == name for owner in owners.values()):
            scores.setdefault(f"{name}_score", [None] * count)
    columns = {f"{name}_execution_details": values for name, values in details.items()} | scores
    if hasattr(frame, "iloc"):
        import pandas

        copied = frame.copy()
        added = pandas.DataFrame({name: pandas.Series(values, index=frame.index, dtype=object) for name, values in columns.items()})
        return copied.assign(**{str(name): added[name] for name in added.columns})
    import polars

    texts = {name: [None if value is None else dump_json(value) for value in values] for name, values in columns.items()}
    return frame.with_columns([polars.Series(name, values, dtype=polars.String) for name, values in texts.items()])
