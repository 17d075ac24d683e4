import os

from openai_calls import ask, fail, greet, weather_of
from traceloop.sdk import Traceloop
from traceloop.sdk.decorators import agent, tool, workflow

Traceloop.init(
    app_name="openllmetry",
    api_endpoint=os.environ["OTEL_EXPORTER_OTLP_ENDPOINT"],
    telemetry_enabled=False,
)
Traceloop.set_association_properties({"session_id": "session-1", "user_id": "user-1", "tier": "gold"})


@tool(name="get_weather")
def get_weather(city: str) -> str:
    return weather_of(city)


@agent(name="forecaster")
def forecast(question: str) -> str:
    return ask(question, get_weather)


@workflow(name="weather")
def run(question: str) -> str:
    return forecast(question)


run("What is the weather in Paris?")
greet()
fail()
