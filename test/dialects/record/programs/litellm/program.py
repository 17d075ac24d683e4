import litellm
from openai_calls import TOOLS, weather_of

litellm.callbacks = ["otel"]
METADATA = {"session_id": "session-1", "tags": ["docs"]}
messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "What is the weather in Paris?"}]
answer = litellm.completion(model="gpt-4o", messages=messages, tools=TOOLS, user="user-1", metadata=dict(METADATA))
message = answer.choices[0].message
messages += [message.model_dump(), {"role": "tool", "tool_call_id": "call_1", "content": weather_of("Paris")}]
litellm.completion(model="gpt-4o", messages=messages, tools=TOOLS, user="user-1", metadata=dict(METADATA))
for _ in litellm.completion(
    model="gpt-4o",
    messages=[{"role": "user", "content": "Greet Paris."}],
    stream=True,
    stream_options={"include_usage": True},
    metadata=dict(METADATA),
):
    pass
try:
    litellm.completion(model="gpt-4o", messages=[{"role": "user", "content": "Fail."}], metadata=dict(METADATA))
except litellm.BadRequestError:
    pass

import time

from opentelemetry import trace

# The callback runs in a thread of its own.
time.sleep(10)
trace.get_tracer_provider().force_flush()
