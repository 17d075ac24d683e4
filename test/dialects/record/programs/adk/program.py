import asyncio
import os

os.environ |= {
    "OTEL_SEMCONV_STABILITY_OPT_IN": "gen_ai_latest_experimental",
    "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT": "SPAN_ONLY",
}

from google.adk.agents import LlmAgent, RunConfig
from google.adk.agents.run_config import StreamingMode
from google.adk.runners import InMemoryRunner
from google.genai import types
from openai_calls import weather_of
from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
trace.set_tracer_provider(provider)


def get_weather(city: str) -> str:
    """Weather of a city."""
    return weather_of(city)


async def run(agent, text, config=None):
    runner = InMemoryRunner(agent, app_name="weather")
    await runner.session_service.create_session(app_name="weather", user_id="user-1", session_id="session-1")
    message = types.Content(role="user", parts=[types.Part(text=text)])
    async for _ in runner.run_async(
        user_id="user-1", session_id="session-1", new_message=message, run_config=config or RunConfig()
    ):
        pass


async def main():
    agent = LlmAgent(name="forecaster", model="gemini-2.5-flash", instruction="Be brief.", tools=[get_weather])
    greeter = LlmAgent(name="greeter", model="gemini-2.5-flash")
    await run(agent, "What is the weather in Paris?")
    await run(greeter, "Greet Paris.", RunConfig(streaming_mode=StreamingMode.SSE))
    try:
        await run(greeter, "Fail.")
    except Exception:
        pass


asyncio.run(main())
provider.shutdown()
