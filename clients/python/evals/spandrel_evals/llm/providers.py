"""Which clients of vendors there are, and which of them are installed."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..errors import quote
from .contract import Adapter


@dataclass(frozen=True)
class Client:
    """One way to reach a vendor: the module of its adapter, and the modules that it needs."""

    adapter: str
    needs: tuple[str, ...] = ()
    install: str = ""


_LITELLM = Client("litellm:LiteLLMAdapter", ("litellm",), "litellm")
PROVIDERS: dict[str, dict[str, Client]] = {
    "openai": {
        "openai": Client("openai:OpenAIAdapter", ("openai",), "openai"),
        "langchain": Client("langchain:LangChainAdapter", ("langchain_core", "langchain_openai"), "langchain-openai"),
        "litellm": _LITELLM,
    },
    "azure": {"openai": Client("openai:AzureAdapter", ("openai",), "openai")},
    "anthropic": {
        "anthropic": Client("anthropic:AnthropicAdapter", ("anthropic",), "anthropic"),
        "langchain": Client("langchain:LangChainAdapter", ("langchain_core", "langchain_anthropic"), "langchain-anthropic"),
        "litellm": _LITELLM,
    },
    "google": {"google-genai": Client("google:GoogleAdapter", ("google.genai",), "google-genai")},
    "vertex": {"litellm": _LITELLM, "google-genai": Client("google:VertexAdapter", ("google.genai",), "google-genai")},
    "bedrock": {
        "boto3": Client("bedrock:BedrockAdapter", ("boto3",), "boto3"),
        "litellm": Client("litellm:LiteLLMAdapter", ("litellm", "boto3"), "litellm boto3"),
    },
    "litellm": {"litellm": _LITELLM},
    "langchain": {"langchain": Client("langchain:LangChainAdapter", ("langchain_core",), "langchain-core")},
    "openai-compatible": {"httpx": Client("openai_compatible:OpenAICompatibleAdapter")},
    "function": {"function": Client("function:FunctionAdapter")},
    "fake": {"fake": Client("function:FakeAdapter")},
}


def make_adapter(provider: str, model: str, client: Any, options: Mapping[str, Any]) -> Adapter:
    """The adapter of a provider. ValueError, with a table of what is installed, if there is none."""
    known = PROVIDERS.get(provider)
    if known is None:
        raise ValueError(f"the provider is {quote(provider)}; expected one of these:\n{availability_table()}")
    name = client if isinstance(client, str) else None
    given = None if isinstance(client, str) else client
    if name is not None and name not in known:
        raise ValueError(f"{provider} has no client {quote(name)}; expected one of these:\n{availability_table()}")
    chosen = name or next((one for one, how in known.items() if is_installed(how)), None)
    if chosen is None or not is_installed(known[chosen]):
        needed = known[chosen or next(iter(known))].install
        raise ValueError(f"{provider} needs a client that is not installed; run: pip install {needed}\n{availability_table()}")
    module, _, attribute = known[chosen].adapter.partition(":")
    adapter = getattr(importlib.import_module(f".adapters.{module}", __package__), attribute)
    try:
        return adapter(provider=provider, model=model, given=given, options=options)
    except ValueError:
        raise
    except Exception as error:
        raise ValueError(f"the client of {provider} cannot be made: {quote(str(error), 300)}") from error


def is_installed(client: Client) -> bool:
    for one in client.needs:
        try:
            if importlib.util.find_spec(one) is None:
                return False
        except (ImportError, ValueError):
            return False
    return True


def availability_table() -> str:
    """Providers, their clients, and whether they are installed, as lines of text."""
    rows = [("provider", "client", "installed", "needs")]
    for provider, clients in PROVIDERS.items():
        for name, client in clients.items():
            rows.append((provider, name, "yes" if is_installed(client) else "no", client.install or "nothing"))
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    return "\n".join("  ".join(text.ljust(width) for text, width in zip(row, widths)).rstrip() for row in rows)


def show_provider_availability() -> None:
    """Prints which clients of vendors are installed."""
    print(availability_table())
