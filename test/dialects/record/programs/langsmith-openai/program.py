import os

os.environ |= {
    "LANGSMITH_TRACING": "true",
    "LANGSMITH_OTEL_ENABLED": "true",
    "LANGSMITH_OTEL_ONLY": "true",
    "LANGSMITH_API_KEY": "lsv2-recorder",
    "LANGSMITH_ENDPOINT": os.environ["OTEL_EXPORTER_OTLP_ENDPOINT"],
}

import openai_calls
from langsmith import Client, traceable, tracing_context
from langsmith.wrappers import wrap_openai
from opentelemetry import trace

openai_calls.client = wrap_openai(openai_calls.client)
client = Client()


@traceable(run_type="tool")
def get_weather(city: str) -> str:
    return openai_calls.weather_of(city)


@traceable(run_type="chain")
def forecast(question: str) -> str:
    return openai_calls.ask(question, get_weather)


with tracing_context(metadata={"session_id": "session-1", "user_id": "user-1", "tier": "gold"}, tags=["docs"], client=client):
    forecast("What is the weather in Paris?")
    openai_calls.greet()
    openai_calls.fail()
client.flush()
trace.get_tracer_provider().force_flush()
