import asyncio
import os

os.environ["SEMANTICKERNEL_EXPERIMENTAL_GENAI_ENABLE_OTEL_DIAGNOSTICS_SENSITIVE"] = "true"

from openai_calls import weather_of
from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from semantic_kernel.agents import ChatCompletionAgent
from semantic_kernel.connectors.ai.open_ai import OpenAIChatCompletion
from semantic_kernel.functions import kernel_function

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
trace.set_tracer_provider(provider)


class Weather:
    @kernel_function(description="Weather of a city.")
    def get_weather(self, city: str) -> str:
        return weather_of(city)


async def main():
    service = OpenAIChatCompletion(ai_model_id="gpt-4o")
    agent = ChatCompletionAgent(
        service=service, name="forecaster", instructions="Be brief.", plugins=[Weather()]
    )
    await agent.get_response("What is the weather in Paris?")
    greeter = ChatCompletionAgent(service=service, name="greeter")
    async for _ in greeter.invoke_stream("Greet Paris."):
        pass
    try:
        await greeter.get_response("Fail.")
    except Exception:
        pass


asyncio.run(main())
provider.shutdown()
