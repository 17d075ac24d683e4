import os

from langfuse import Langfuse, observe, propagate_attributes
from langfuse.openai import openai  # noqa: F401, instruments the client
from openai_calls import ask, fail, greet, weather_of
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

langfuse = Langfuse(public_key="pk-lf-1", secret_key="sk-lf-1", span_exporter=OTLPSpanExporter())


@observe(as_type="tool")
def get_weather(city: str) -> str:
    return weather_of(city)


@observe(as_type="agent")
def forecast(question: str) -> str:
    return ask(question, get_weather)


with propagate_attributes(
    session_id="session-1", user_id="user-1", tags=["docs"], metadata={"tier": "gold"}
):
    forecast("What is the weather in Paris?")
    with langfuse.start_as_current_observation(as_type="retriever", name="search", input="Paris") as retriever:
        retriever.update(output=[{"page_content": "Paris is in France.", "metadata": {"source": "a.txt"}}])
    greet()
    fail()
langfuse.flush()
