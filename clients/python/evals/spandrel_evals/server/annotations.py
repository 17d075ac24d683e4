"""Scores as annotations of spans, and annotation configs that fit them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ..errors import InputError
from ..evaluators.base import Evaluator, to_evaluators
from ..json_values import to_json_value
from ..limits import ANNOTATIONS_PER_REQUEST
from ..runner.results import EvaluatedRow, Evaluation

_KINDS = {"llm": "LLM", "code": "CODE", "human": "HUMAN"}
_DIRECTIONS = {"maximize": "MAXIMIZE", "minimize": "MINIMIZE", "neutral": "NONE"}


def log_annotations(
    evaluation: Evaluation | Iterable[EvaluatedRow],
    client: Any,
    *,
    evaluators: Any = None,
    identifier: str = "spandrel-evals",
    sync: bool = False,
) -> int:
    """Stores each score as an annotation of the span of its row (`span_id`). Returns how many.

    The same span, name and identifier replace the annotation, so a repetition stores nothing twice. With `evaluators`, their
    annotation configs are created, or changed so that direction and labels fit.
    """
    if evaluators is not None:
        fit_annotation_configs(client, evaluators)
    count = 0
    waiting: list[dict[str, Any]] = []
    for annotation in _annotations(evaluation, identifier):
        waiting.append(annotation)
        count += 1
        if len(waiting) == ANNOTATIONS_PER_REQUEST:
            client.spans.log_span_annotations(span_annotations=waiting, sync=sync)
            waiting = []
    if waiting:
        client.spans.log_span_annotations(span_annotations=waiting, sync=sync)
    return count


def _annotations(rows: Iterable[EvaluatedRow], identifier: str) -> Iterator[dict[str, Any]]:
    for row in rows:
        span_id = row.row.get("span_id") or row.row.get("context.span_id")
        if not isinstance(span_id, str) or not span_id:
            raise InputError(f"row {row.index} has no span_id; evaluate SpanRows, or add the column span_id")
        for score in row.scores:
            fields = {"score": score.score, "label": score.label, "explanation": score.explanation}
            result = {key: value for key, value in fields.items() if value is not None}
            if not result:
                continue
            own = identifier if not row.repetition else f"{identifier}-{row.repetition}"
            yield {
                "span_id": span_id,
                "name": score.name,
                "annotator_kind": _KINDS.get(score.kind or "llm", "LLM"),
                "result": result,
                "metadata": {**to_json_value(score.metadata), "direction": score.direction},
                "identifier": own,
            }


def fit_annotation_configs(client: Any, evaluators: Any) -> None:
    """Creates the annotation config of each evaluator, or adds direction and labels to the one that exists.

    Labels of people stay. A config of another type stays as it is.
    """
    from spandrel_client.exceptions import ConflictError, NotFoundError

    for evaluator in to_evaluators(evaluators):
        wanted = _config_of(evaluator)
        try:
            found = client.annotation_configs.get(config_identifier=evaluator.name)
        except NotFoundError:
            try:
                client.annotation_configs.create(config=wanted)
                continue
            except ConflictError:
                # Another run has just created it.
                found = client.annotation_configs.get(config_identifier=evaluator.name)
        changed = _merge(found, wanted)
        if changed is not None:
            client.annotation_configs.replace(config_id=found["id"], config=changed)


def _config_of(evaluator: Evaluator) -> dict[str, Any]:
    config: dict[str, Any] = {"name": evaluator.name, "optimization_direction": _DIRECTIONS[evaluator.direction]}
    scores = getattr(evaluator, "scores_by_label", None)
    if scores:
        return {**config, "type": "CATEGORICAL", "values": [{"label": label, "score": score} for label, score in scores.items()]}
    return {**config, "type": "CONTINUOUS"}


def _merge(found: dict[str, Any], wanted: dict[str, Any]) -> dict[str, Any] | None:
    """The config with what is missing, or None if it fits."""
    if found.get("type") != wanted["type"]:
        return None
    changed = {key: value for key, value in found.items() if key != "id"}
    changed["optimization_direction"] = wanted["optimization_direction"]
    if wanted["type"] == "CATEGORICAL":
        known = {one["label"]: one for one in found.get("values") or ()}
        new = {one["label"]: one for one in wanted["values"]}
        changed["values"] = [new.get(label, one) for label, one in known.items()]
        changed["values"] += [one for label, one in new.items() if label not in known]
    return None if changed == {key: value for key, value in found.items() if key != "id"} else changed
