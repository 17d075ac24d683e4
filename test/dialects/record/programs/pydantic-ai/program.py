import asyncio

import logfire
from openai_calls import weather_of
from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIChatModel

logfire.configure(send_to_logfire=False, console=False)
logfire.instrument_pydantic_ai()

agent = Agent(OpenAIChatModel("gpt-4o"), name="forecaster", system_prompt="Be brief.", retries=0)


@agent.tool_plain
def get_weather(city: str) -> str:
    """Weather of a city."""
    return weather_of(city)


async def main():
    await agent.run("What is the weather in Paris?", conversation_id="session-1")
    greeter = Agent(OpenAIChatModel("gpt-4o"), name="greeter")
    async with greeter.run_stream("Greet Paris.") as stream:
        await stream.get_output()
    try:
        await greeter.run("Fail.")
    except Exception:
        pass


asyncio.run(main())
logfire.shutdown()
