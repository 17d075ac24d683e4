import os

os.environ |= {
    "OTEL_SEMCONV_STABILITY_OPT_IN": "gen_ai_latest_experimental",
    "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT": "SPAN_ONLY",
}

from google import genai
from google.genai import types
from openai_calls import weather_of
from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.instrumentation.google_genai import GoogleGenAiSdkInstrumentor
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
trace.set_tracer_provider(provider)
GoogleGenAiSdkInstrumentor().instrument()


def get_weather(city: str) -> str:
    """Weather of a city."""
    return weather_of(city)


client = genai.Client()
models = client.models
model = "gemini-2.5-flash"
config = types.GenerateContentConfig(system_instruction="Be brief.", tools=[get_weather])
models.generate_content(model=model, contents="What is the weather in Paris?", config=config)
for _ in models.generate_content_stream(model=model, contents="Greet Paris."):
    pass
try:
    models.generate_content(model=model, contents="Fail.")
except genai.errors.ClientError:
    pass
provider.shutdown()
