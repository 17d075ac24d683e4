import os

import openlit
from openai_calls import ask, fail, greet
from opentelemetry import trace

openlit.init(otlp_endpoint=os.environ["OTEL_EXPORTER_OTLP_ENDPOINT"], disable_metrics=True)

ask("What is the weather in Paris?")
greet()
fail()
trace.get_tracer_provider().force_flush()
