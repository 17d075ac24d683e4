import asyncio

from agent_framework import Agent, tool
from agent_framework.observability import configure_otel_providers
from agent_framework.openai import OpenAIChatCompletionClient
from openai_calls import weather_of
from opentelemetry import trace

configure_otel_providers(enable_sensitive_data=True)


@tool(approval_mode="never_require")
def get_weather(city: str) -> str:
    """Weather of a city."""
    return weather_of(city)


async def main():
    client = OpenAIChatCompletionClient(model="gpt-4o")
    agent = Agent(client, "Be brief.", name="forecaster", tools=[get_weather])
    await agent.run("What is the weather in Paris?")
    greeter = Agent(client, name="greeter")
    async for _ in greeter.run("Greet Paris.", stream=True):
        pass
    try:
        await greeter.run("Fail.")
    except Exception:
        pass


asyncio.run(main())
trace.get_tracer_provider().force_flush()
