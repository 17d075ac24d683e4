"""A judge on the server: a version of a prompt, and an evaluator of a dataset that uses it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import EvaluationError, InputError, quote
from ..metrics.judges import JudgeEvaluator, PreferenceEvaluator

_PROVIDERS = {"openai": "OPENAI", "azure": "AZURE_OPENAI", "anthropic": "ANTHROPIC", "google": "GOOGLE", "bedrock": "AWS"}
_DIRECTIONS = {"maximize": "MAXIMIZE", "minimize": "MINIMIZE", "neutral": "NONE"}
_CREATE = """mutation ($input: CreateDatasetLLMEvaluatorInput!) {
  createDatasetLlmEvaluator(input: $input) { evaluator { id evaluator { ... on LLMEvaluator { promptVersion { id } } } } }
}"""


def store_judge(
    client: Any,
    evaluator: JudgeEvaluator,
    *,
    prompt_name: str,
    description: str | None = None,
    model_provider: str | None = None,
    model_name: str | None = None,
) -> Any:
    """Stores a judge as the newest version of a prompt of the server, with the function that its model must call.

    :param client: a `spandrel_client.Client`
    :param model_provider: the server's name of the vendor, such as `OPENAI`; by default that of the judge's model
    :returns: the stored version; its `id` is for `attach_judge`
    :raises InputError: if the judge compares two texts, which the server does not offer, or the vendor is unknown there
    """
    from spandrel_client.prompts.version import PromptVersion

    _check(evaluator)
    provider, name = _model_of(evaluator, model_provider, model_name)
    function = _function(evaluator)
    parameters = {"max_tokens": 1_000} if provider == "ANTHROPIC" else {}
    version = PromptVersion.from_parts(
        evaluator.judge.template(),
        parameters=parameters,
        tools={"type": "tools", "tools": [{"type": "function", "function": function}], "tool_choice": {"type": "one_or_more"}},
        model_name=name,
        model_provider=provider,
        description=description or f"{evaluator.judge.name}, version {evaluator.judge.version_name()}",
    )
    return client.prompts.create(version=version, name=prompt_name)


def attach_judge(
    client: Any,
    evaluator: JudgeEvaluator,
    *,
    dataset_id: str,
    prompt_version_id: str,
    name: str | None = None,
    input_mapping: Mapping[str, str] | None = None,
    model_provider: str | None = None,
    model_name: str | None = None,
    custom_provider_id: str | None = None,
) -> str:
    """Makes a stored judge an evaluator of a dataset: the server runs it in the experiments that it runs.

    :param name: an identifier, unique in the dataset; by default that of the judge
    :param input_mapping: input of the judge → path into `input`, `output`, `reference` and `metadata` of the example; an input
        without a path is the value of its name
    :param custom_provider_id: a provider of the server with an address and a key of its own; then the judge is stored as a further
        version of the prompt, which names it
    :returns: the id of the dataset's evaluator
    :raises EvaluationError: with the reason of the server
    """
    _check(evaluator)
    provider, model = _model_of(evaluator, model_provider, model_name)
    judge = evaluator.judge
    messages = [
        {"role": message["role"].upper(), "content": [{"text": {"text": message["content"]}}]} for message in judge.template()
    ]
    values = [{"label": label, "score": score} for label, score in evaluator.scores_by_label.items()]
    function = _function(evaluator)
    variables = {
        "datasetId": dataset_id,
        "name": name or evaluator.name,
        "description": function["description"],
        "promptVersionId": prompt_version_id,
        "promptVersion": {
            "templateFormat": "MUSTACHE",
            "template": {"messages": messages},
            "invocationParameters": {"anthropic": {"maxTokens": 1_000}} if provider == "ANTHROPIC" else {_family(provider): {}},
            "tools": {"tools": [{"function": function}], "toolChoice": {"oneOrMore": True}},
            "modelProvider": provider,
            "modelName": model,
            **({"customProviderId": custom_provider_id} if custom_provider_id is not None else {}),
        },
        "outputConfigs": [
            {
                "categorical": {
                    "name": evaluator.name,
                    "optimizationDirection": _DIRECTIONS[evaluator.direction],
                    "values": values,
                }
            }
        ],
        "inputMapping": {"pathMapping": dict(input_mapping or {}), "literalMapping": {}},
    }
    from spandrel_client.exceptions import SpandrelError

    try:
        answer = client.graphql.execute(_CREATE, {"input": variables})
    except SpandrelError as error:
        raise EvaluationError(f"the server did not attach the judge: {quote(str(error), 300)}") from error
    attached: str = answer["createDatasetLlmEvaluator"]["evaluator"]["id"]
    return attached


def _check(evaluator: JudgeEvaluator) -> None:
    if isinstance(evaluator, PreferenceEvaluator) or evaluator.judge.swap is not None:
        raise InputError(f"{evaluator.name} compares two texts; the server asks its evaluators once per target")


def _model_of(evaluator: JudgeEvaluator, provider: str | None, name: str | None) -> tuple[str, str]:
    provider = provider or _PROVIDERS.get(evaluator.llm.provider)
    if provider is None:
        raise InputError(f"the server's name of the vendor {quote(evaluator.llm.provider)} is unknown; give model_provider")
    return provider, name or evaluator.llm.model


def _family(provider: str) -> str:
    return {"GOOGLE": "google", "AWS": "aws"}.get(provider, "openai")


def _function(evaluator: JudgeEvaluator) -> dict[str, Any]:
    """The function of the server's contract: its name is that of the output, its label is one of the choices."""
    label = {"type": "string", "enum": evaluator.labels, "description": evaluator.name}
    explanation = {"type": "string", "description": "The reason, in one or two sentences"}
    return {
        "name": evaluator.name,
        "description": evaluator.judge.description,
        "parameters": {
            "type": "object",
            "properties": {"explanation": explanation, "label": label},
            "required": ["explanation", "label"],
        },
    }
