"""Errors of the package. Each message is one line: what was expected, what arrived, and what to do."""

from __future__ import annotations


class EvaluationError(Exception):
    """Base of all errors of this package."""


class InputError(EvaluationError, ValueError):
    """A row, a mapping, a template or an option cannot be used. Asking again gives the same error."""


class TemplateError(InputError):
    """A template cannot be read, or its variables do not fit."""


class PhoenixTemplateMappingError(TemplateError):
    """A stored prompt cannot be turned into a template."""


class ResultError(EvaluationError, ValueError):
    """An evaluator returned something that is no result."""


class AnswerError(EvaluationError, ValueError):
    """A model answered, also after a repair, with something that cannot be used."""


class LabelError(AnswerError):
    """The label of a model is none of the choices. Counted apart from other errors."""


class ModelError(EvaluationError):
    """A request to a model failed. `is_transient` says whether asking again may help."""

    is_transient = False


class CredentialError(ModelError):
    """The vendor does not accept the key, or the key may not use the model. It ends a run. `status` is the HTTP status, if known."""

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class ModelRequestError(ModelError):
    """The vendor does not accept the request."""


class UnsupportedRequestError(ModelRequestError):
    """The model does not support a part of the request, such as a schema."""


class TransientModelError(ModelError):
    """The vendor failed, or the connection did."""

    is_transient = True


class ModelTimeoutError(TransientModelError, TimeoutError):
    """No complete answer within the timeout."""


class RateLimitError(TransientModelError):
    """The vendor limits requests. `retry_after` is the pause in seconds that it asked for."""

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class RunStopped(EvaluationError):
    """A run ended before its last row. `evaluation` has the results so far."""

    def __init__(self, message: str, evaluation: object = None) -> None:
        super().__init__(message)
        self.evaluation = evaluation


class CheckpointError(EvaluationError, ValueError):
    """A checkpoint file belongs to another run, or cannot be written."""


def quote(value: object, limit: int = 120) -> str:
    """The value as one line of a message, shortened."""
    text = repr(value) if not isinstance(value, str) else value
    text = " ".join(text[: limit * 4].split())
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
