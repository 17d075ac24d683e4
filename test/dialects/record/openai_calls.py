"""Calls of the OpenAI client that several programs make: with a tool, streamed, and failing."""

import json

import openai

client = openai.OpenAI(max_retries=0)
TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "get_weather",
            "description": "Weather of a city.",
            "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
        },
    }
]


def weather_of(city: str) -> str:
    return f"Sunny, 21 degrees in {city}"


def ask(question: str, get_weather=weather_of) -> str:
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": question}]
    while True:
        message = client.chat.completions.create(model="gpt-4o", messages=messages, tools=TOOLS).choices[0].message
        if not message.tool_calls:
            return message.content
        messages.append(message.model_dump(exclude_none=True))
        for call in message.tool_calls:
            result = get_weather(**json.loads(call.function.arguments))
            messages.append({"role": "tool", "tool_call_id": call.id, "content": result})


def greet() -> str:
    stream = client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "user", "content": "Greet Paris."}],
        stream=True,
        stream_options={"include_usage": True},
    )
    return "".join(chunk.choices[0].delta.content or "" for chunk in stream if chunk.choices)


def fail() -> None:
    try:
        client.chat.completions.create(model="gpt-4o", messages=[{"role": "user", "content": "Fail."}])
    except openai.BadRequestError:
        pass
