"""Evaluators that ask a model."""

from __future__ import annotations

import hashlib
from typing import Any

from ..errors import InputError, ResultError, quote
from ..json_values import canonical_json, dump_json, is_missing
from ..limits import PROMPT_CHARACTER_COUNT_MAX
from ..llm import calls
from ..llm.model import LLM
from ..scores import Score, ToolSchema, to_score
from ..templates.template import to_template
from .base import Evaluator


class LLMEvaluator(Evaluator):
    """Fills a template with a row and asks a model.

    With `schema`, a JSON schema of an object, the answer's `score`, `label` and `explanation` become the score. Without one
    the text of the answer becomes a label or an explanation. Fields of the template are texts; other values become JSON.
    """

    def __init__(
        self,
        *,
        name: str,
        llm: LLM,
        prompt_template: Any,
        schema: ToolSchema = None,
        input_schema: Any = None,
        direction: str = "maximize",
        **invocation_parameters: Any,
    ) -> None:
        super().__init__(name=name, kind="llm", direction=direction, input_schema=input_schema)
        if not hasattr(llm, "async_generate_object"):
            raise TypeError(f"llm is {quote(repr(llm))}; expected an LLM, as in LLM(provider=..., model=...)")
        self.llm = llm
        self.prompt_template = to_template(prompt_template)
        self.schema = schema
        self.invocation_parameters = invocation_parameters
        self._types = self.prompt_template.variable_types
        self._own_schema = input_schema is not None

    @property
    def input_schema(self) -> Any:
        if self._input_schema is None:
            self._input_schema = _make_model(self._name, self._types)
        return self._input_schema

    def _read_fields(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        return super()._read_fields() if self._own_schema else (tuple(self._types), ())

    def _has_open_input(self) -> bool:
        return not self._types

    def _check(self, remapped: dict[str, Any]) -> dict[str, Any]:
        checked = super()._check(remapped) if self._own_schema else remapped
        length = 0
        for name, kind in self._types.items():
            value = checked.get(name)
            if kind == "string" and not isinstance(value, str):
                if is_missing(value):
                    if self._own_schema:
                        continue
                    raise InputError(
                        f"Input validation failed for {self._name}: {name} is missing ({value!r}); fill it, or leave the row out"
                    )
                if checked is remapped:
                    checked = dict(remapped)
                value = checked[name] = dump_json(value)
            if isinstance(value, str):
                length += len(value)
        if length > PROMPT_CHARACTER_COUNT_MAX:
            raise InputError(
                f"Input validation failed for {self._name}: the texts have {length:,} characters together; "
                f"expected at most {PROMPT_CHARACTER_COUNT_MAX:,}; shorten the row"
            )
        return checked

    def _messages(self, eval_input: dict[str, Any]) -> list[dict[str, Any]]:
        return self.prompt_template.render(eval_input)

    def _evaluate(self, eval_input: dict[str, Any]) -> list[Score]:
        with calls.recording() as record:
            return self._to_scores(calls.run_sync(self._steps(eval_input)), record)

    async def _async_evaluate(self, eval_input: dict[str, Any]) -> list[Score]:
        with calls.recording() as record:
            return self._to_scores(await calls.run_async(self._steps(eval_input)), record)

    def _steps(self, eval_input: dict[str, Any]) -> Any:
        messages = self._messages(eval_input)
        if self.schema is None:
            return self.llm.text_steps(messages, self.invocation_parameters)
        return self.llm.object_steps(messages, self.schema, "auto", self.invocation_parameters)

    def _to_scores(self, answer: Any, record: calls.CallRecord) -> list[Score]:
        made = to_score(answer, name=self._name, kind="llm", direction=self._direction)
        if made.score is None and made.label is None and made.explanation is None:
            raise ResultError("the answer has neither a score nor a label nor an explanation; name them in the schema")
        return [made.replace(metadata={"model": self.llm.model, **record.metadata()})]

    def prompt_version(self) -> str:
        """Digest of everything that the model is told apart from the row."""
        template = self.prompt_template
        told = [template.template, template.template_format, self._told_schema(), self.invocation_parameters]
        return hashlib.sha256(canonical_json(told).encode()).hexdigest()[:16]

    def _told_schema(self) -> Any:
        return self.schema

    def fingerprint(self) -> dict[str, Any]:
        return {**super().fingerprint(), "model": self.llm.identity(), "prompt": self.prompt_version()}


def _make_model(name: str, types: dict[str, str]) -> Any:
    from pydantic import BeforeValidator, ConfigDict, create_model
    from typing_extensions import Annotated

    text = Annotated[str, BeforeValidator(lambda value: value if isinstance(value, str) else dump_json(value))]
    title = "".join(part for part in name.title() if part.isalnum()) or "Evaluator"
    fields: dict[str, Any] = {field: (text if kind == "string" else Any, ...) for field, kind in types.items()}
    return create_model(f"{title}Input", __config__=ConfigDict(protected_namespaces=(), extra="allow"), **fields)
