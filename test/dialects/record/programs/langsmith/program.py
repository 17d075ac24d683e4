import os

os.environ |= {
    "LANGSMITH_TRACING": "true",
    "LANGSMITH_OTEL_ENABLED": "true",
    "LANGSMITH_OTEL_ONLY": "true",
    "LANGSMITH_API_KEY": "lsv2-recorder",
    "LANGSMITH_ENDPOINT": os.environ["OTEL_EXPORTER_OTLP_ENDPOINT"],
}

from langchain.agents import create_agent
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from openai_calls import weather_of


@tool
def get_weather(city: str) -> str:
    """Weather of a city."""
    return weather_of(city)


class Search(BaseRetriever):
    def _get_relevant_documents(self, query, *, run_manager):
        return [Document(page_content="Paris is in France.", metadata={"source": "a.txt"})]


model = ChatOpenAI(model="gpt-4o", max_retries=0)
config = {"metadata": {"session_id": "session-1", "user_id": "user-1", "tier": "gold"}, "tags": ["docs"]}
agent = create_agent(model, [get_weather], system_prompt="Be brief.", name="forecaster")
agent.invoke({"messages": [{"role": "user", "content": "What is the weather in Paris?"}]}, config)
Search().invoke("Paris", config)
for _ in model.stream("Greet Paris.", config, stream_usage=True):
    pass
try:
    model.invoke("Fail.", config)
except Exception:
    pass

from langsmith import get_tracing_context
from langchain_core.tracers.langchain import wait_for_all_tracers
from opentelemetry import trace

wait_for_all_tracers()
trace.get_tracer_provider().force_flush()
