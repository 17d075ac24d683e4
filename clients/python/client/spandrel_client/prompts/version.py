"""A version of a prompt, from SDK arguments or from the server, and as SDK arguments."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..exceptions import PromptConversionError, UnexpectedAnswer
from .templates import FORMATTERS, TemplateFormatter

PROVIDERS = (
    *("OPENAI", "AZURE_OPENAI", "ANTHROPIC", "GOOGLE", "DEEPSEEK", "XAI", "AWS", "OLLAMA", "CEREBRAS", "FIREWORKS"),
    *("GROQ", "MOONSHOT", "PERPLEXITY", "TOGETHER"),
)
# Providers whose parameters are not of OpenAI's form.
_OWN_PARAMETERS = {"ANTHROPIC": "anthropic", "GOOGLE": "google", "AWS": "aws"}
_SDK = {"ANTHROPIC": "anthropic", "GOOGLE": "google_generativeai", "AWS": "bedrock"}
_FIELDS = ("template_type", "template_format", "invocation_parameters", "tools", "response_format")


class FormattedPrompt(Mapping[str, Any]):
    """Arguments of an SDK call: `client.chat.completions.create(**formatted)`. `messages` and `kwargs` are its parts."""

    def __init__(self, messages: Sequence[Any], kwargs: Mapping[str, Any], messages_key: str = "messages") -> None:
        self.messages = messages
        self.kwargs = dict(kwargs)
        self._all = {messages_key: messages, **self.kwargs}

    def __getitem__(self, key: str) -> Any:
        return self._all[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)

    def __repr__(self) -> str:
        return f"FormattedPrompt({self._all!r})"


class PromptVersion:
    """Messages with the model and the parameters that they are for.

    Messages have a role and a content: a text, or parts of type text, image, tool_call, tool_result.
    """

    def __init__(
        self,
        messages: Sequence[Mapping[str, Any]],
        /,
        *,
        model_name: str,
        description: str | None = None,
        model_provider: str = "OPENAI",
        template_format: str = "MUSTACHE",
    ) -> None:
        if model_provider not in PROVIDERS:
            raise ValueError(f"model_provider is {model_provider!r}; expected one of {', '.join(PROVIDERS)}")
        if template_format not in FORMATTERS:
            raise ValueError(f"template_format is {template_format!r}; expected one of {', '.join(FORMATTERS)}")
        family = _OWN_PARAMETERS.get(model_provider, "openai")
        self._id: str | None = None
        self._data: dict[str, Any] = {
            "description": description,
            "model_provider": model_provider,
            "model_name": model_name,
            "template": {"type": "chat", "messages": copy.deepcopy(list(messages))},
            "template_type": "CHAT",
            "template_format": template_format,
            "invocation_parameters": {"type": family, family: {"max_tokens": 1000} if family == "anthropic" else {}},
        }

    @property
    def id(self) -> str | None:
        """Id of a version that is stored."""
        return self._id

    @property
    def description(self) -> str | None:
        return self._data["description"]

    @property
    def model_provider(self) -> str:
        return self._data["model_provider"]

    @property
    def model_name(self) -> str:
        return self._data["model_name"]

    @property
    def template_format(self) -> str:
        return self._data["template_format"]

    @property
    def messages(self) -> list[dict[str, Any]]:
        """Messages with their variables."""
        return copy.deepcopy(self._data["template"]["messages"])

    @property
    def invocation_parameters(self) -> dict[str, Any]:
        """Parameters of the model, without their type."""
        own = self._data["invocation_parameters"]
        return copy.deepcopy(own[own["type"]])

    @classmethod
    def from_parts(
        cls,
        messages: Sequence[Mapping[str, Any]],
        *,
        parameters: Mapping[str, Any],
        tools: Mapping[str, Any] | None = None,
        response_format: Mapping[str, Any] | None = None,
        **arguments: Any,
    ) -> PromptVersion:
        """A version with parameters, tools and a response format, in the server's form."""
        version = cls(messages, **arguments)
        family = version._data["invocation_parameters"]["type"]
        version._data["invocation_parameters"] = {"type": family, family: dict(parameters)}
        if tools:
            version._data["tools"] = dict(tools)
        if response_format:
            version._data["response_format"] = dict(response_format)
        return version

    @classmethod
    def from_openai(
        cls,
        params: Mapping[str, Any],
        /,
        *,
        template_format: str = "MUSTACHE",
        description: str | None = None,
        model_provider: str = "OPENAI",
    ) -> PromptVersion:
        """A version from arguments of OpenAI's chat completions. PromptConversionError for what cannot be stored."""
        from .openai import read_arguments

        options: dict[str, Any] = {"template_format": template_format, "description": description, "model_provider": model_provider}
        return cls.from_parts(**read_arguments(params), **options)

    @classmethod
    def from_anthropic(
        cls,
        params: Mapping[str, Any],
        /,
        *,
        template_format: str = "MUSTACHE",
        description: str | None = None,
        model_provider: str = "ANTHROPIC",
    ) -> PromptVersion:
        """A version from arguments of Anthropic's messages. PromptConversionError for what cannot be stored."""
        from .anthropic import read_arguments

        options: dict[str, Any] = {"template_format": template_format, "description": description, "model_provider": model_provider}
        return cls.from_parts(**read_arguments(params), **options)

    @classmethod
    def from_google_genai(
        cls,
        model: str,
        contents: Any,
        /,
        *,
        config: Mapping[str, Any] | None = None,
        template_format: str = "MUSTACHE",
        description: str | None = None,
        model_provider: str = "GOOGLE",
    ) -> PromptVersion:
        """A version from arguments of Google's `generate_content`. PromptConversionError for what cannot be stored."""
        from .google import read_arguments

        options: dict[str, Any] = {"template_format": template_format, "description": description, "model_provider": model_provider}
        return cls.from_parts(**read_arguments(model, contents, config), **options)

    @classmethod
    def from_aws(cls, params: Mapping[str, Any], /, **options: Any) -> PromptVersion:
        """A version from arguments of Bedrock's `converse`. PromptConversionError for what cannot be stored."""
        from .bedrock import read_arguments

        return cls.from_parts(**read_arguments(params), **{"model_provider": "AWS", **options})

    def format(
        self,
        *,
        variables: Mapping[str, Any] | None = None,
        formatter: TemplateFormatter | None = None,
        sdk: str | None = None,
    ) -> FormattedPrompt:
        """Arguments of an SDK call with the variables inserted.

        `sdk` is openai, openai_responses, anthropic, google_generativeai or bedrock; without it the provider's own.
        TemplateFormatterError for a missing variable, PromptConversionError for what the SDK cannot express.
        """
        chosen = (sdk or _SDK.get(self.model_provider, "openai")).lower()
        chosen_formatter = formatter or FORMATTERS[self.template_format]
        messages = [
            {**message, "content": _insert(message["content"], chosen_formatter, variables or {})}
            for message in self._data["template"]["messages"]
        ]
        from . import anthropic, bedrock, google, openai

        writers: dict[str, Any] = {
            "openai": openai.write_arguments,
            "openai_responses": openai.write_responses_arguments,
            "anthropic": anthropic.write_arguments,
            "google": google.write_arguments,
            "google_generativeai": google.write_arguments,
            "google_genai": google.write_arguments,
            "bedrock": bedrock.write_arguments,
            "aws": bedrock.write_arguments,
        }
        if chosen not in writers:
            raise ValueError(f"sdk is {sdk!r}; expected one of {', '.join(writers)}")
        return writers[chosen](self, messages)

    def to_dict(self) -> dict[str, Any]:
        """The version as the server takes it."""
        data = copy.deepcopy(self._data)
        return {key: value for key, value in data.items() if value is not None}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> PromptVersion:
        """A version as the server gives it. UnexpectedAnswer if it is no chat prompt."""
        template = values.get("template") or {}
        if template.get("type") != "chat":
            raise UnexpectedAnswer(f"expected a prompt of type chat, got {template.get('type')!r}")
        for name in ("model_provider", "template_format", "invocation_parameters"):
            if name not in values:
                raise UnexpectedAnswer(f"expected a prompt version with {name}")
        version = cls(
            template["messages"],
            model_name=values["model_name"],
            description=values.get("description"),
            model_provider=values["model_provider"],
            template_format=values["template_format"],
        )
        version._id = values.get("id")
        version._data.update({name: copy.deepcopy(values[name]) for name in _FIELDS if values.get(name) is not None})
        return version

    def __repr__(self) -> str:
        count = len(self._data["template"]["messages"])
        return f"PromptVersion(id={self._id!r}, {self.model_provider} {self.model_name!r}, {count} messages)"

    def _repr_html_(self) -> str:
        from ..html import table

        rows = [("Prompt version", self._id or "not stored"), ("Model", f"{self.model_provider} {self.model_name}")]
        messages = [(message["role"], _shown(message["content"])) for message in self._data["template"]["messages"]]
        return table([*rows, *messages])


def _shown(content: Any) -> str:
    """Texts of a message; other parts by their kind."""
    if isinstance(content, str):
        return content
    return "\n".join(part["text"] if part["type"] == "text" else f"[{part['type']}]" for part in content)


def _insert(content: Any, formatter: TemplateFormatter, variables: Mapping[str, Any]) -> Any:
    if isinstance(content, str):
        return formatter.format(content, variables=variables)
    parts = []
    for part in content:
        if part["type"] == "text":
            part = {**part, "text": formatter.format(part["text"], variables=variables)}
        elif part["type"] == "tool_result" and isinstance(part["tool_result"], str):
            part = {**part, "tool_result": formatter.format(part["tool_result"], variables=variables)}
        elif part["type"] == "image":
            part = {**part, "image": {**part["image"], "url": formatter.format(part["image"]["url"], variables=variables)}}
        parts.append(part)
    return parts


def unsupported(vendor: str, what: str) -> PromptConversionError:
    return PromptConversionError(f"{vendor} cannot express {what}; remove it from the prompt, or choose another sdk")


def not_storable(what: str) -> PromptConversionError:
    return PromptConversionError(f"a prompt cannot store {what}; leave it out and pass it in the call itself")
