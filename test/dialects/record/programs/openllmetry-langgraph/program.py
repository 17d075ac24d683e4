import os

from langchain.agents import create_agent
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from openai_calls import weather_of
from traceloop.sdk import Traceloop
from traceloop.sdk.instruments import Instruments

Traceloop.init(
    app_name="openllmetry-langgraph",
    api_endpoint=os.environ["OTEL_EXPORTER_OTLP_ENDPOINT"],
    telemetry_enabled=False,
    instruments={Instruments.LANGCHAIN},
)
Traceloop.set_association_properties({"session_id": "session-1", "user_id": "user-1", "tier": "gold"})


@tool
def get_weather(city: str) -> str:
    """Weather of a city."""
    return weather_of(city)


model = ChatOpenAI(model="gpt-4o", max_retries=0)
agent = create_agent(model, [get_weather], system_prompt="Be brief.", name="forecaster")
agent.invoke({"messages": [{"role": "user", "content": "What is the weather in Paris?"}]})
for _ in model.stream("Greet Paris.", stream_usage=True):
    pass
try:
    model.invoke("Fail.")
except Exception:
    pass
