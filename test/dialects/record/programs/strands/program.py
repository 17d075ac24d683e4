from openai_calls import weather_of
from strands import Agent, tool
from strands.models.openai import OpenAIModel
from strands.telemetry import StrandsTelemetry

telemetry = StrandsTelemetry()
telemetry.setup_otlp_exporter()


@tool
def get_weather(city: str) -> str:
    """Weather of a city."""
    return weather_of(city)


attributes = {"session.id": "session-1", "user.id": "user-1"}
model = OpenAIModel(model_id="gpt-4o")
Agent(
    model=model,
    name="forecaster",
    system_prompt="Be brief.",
    tools=[get_weather],
    callback_handler=None,
    trace_attributes=attributes,
)("What is the weather in Paris?")
greeter = Agent(model=model, name="greeter", callback_handler=None, trace_attributes=attributes)
greeter("Greet Paris.")
try:
    greeter("Fail.")
except Exception:
    pass
telemetry.tracer_provider.shutdown()
