import os

import anthropic
from openai_calls import weather_of
from traceloop.sdk import Traceloop

Traceloop.init(
    app_name="openllmetry-anthropic",
    api_endpoint=os.environ["OTEL_EXPORTER_OTLP_ENDPOINT"],
    telemetry_enabled=False,
)
Traceloop.set_association_properties({"session_id": "session-1", "user_id": "user-1", "tier": "gold"})

client = anthropic.Anthropic(max_retries=0)
model = "claude-sonnet-4-5"
tools = [
    {
        "name": "get_weather",
        "description": "Weather of a city.",
        "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    }
]
messages = [{"role": "user", "content": "What is the weather in Paris?"}]
while True:
    answer = client.messages.create(model=model, max_tokens=500, system="Be brief.", messages=messages, tools=tools)
    calls = [block for block in answer.content if block.type == "tool_use"]
    if not calls:
        break
    messages.append({"role": "assistant", "content": [call.model_dump(exclude_none=True) for call in calls]})
    results = [{"type": "tool_result", "tool_use_id": call.id, "content": weather_of(**call.input)} for call in calls]
    messages.append({"role": "user", "content": results})
greeting = [{"role": "user", "content": "Greet Paris."}]
for _ in client.messages.create(model=model, max_tokens=500, messages=greeting, stream=True):
    pass
try:
    client.messages.create(model=model, max_tokens=500, messages=[{"role": "user", "content": "Fail."}])
except anthropic.BadRequestError:
    pass
