import asyncio

import logfire
from agents import Agent, RunConfig, Runner, function_tool
from openai_calls import weather_of

logfire.configure(send_to_logfire=False, console=False)
logfire.instrument_openai_agents()


@function_tool
def get_weather(city: str) -> str:
    """Weather of a city."""
    return weather_of(city)


async def main():
    agent = Agent(name="forecaster", instructions="Be brief.", model="gpt-4o", tools=[get_weather])
    greeter = Agent(name="greeter", model="gpt-4o")
    config = RunConfig(workflow_name="weather", group_id="thread-1", trace_metadata={"tier": "gold"})
    await Runner.run(agent, "What is the weather in Paris?", run_config=config)
    async for _ in Runner.run_streamed(greeter, "Greet Paris.", run_config=config).stream_events():
        pass
    try:
        await Runner.run(greeter, "Fail.", run_config=config)
    except Exception:
        pass


asyncio.run(main())
logfire.shutdown()
