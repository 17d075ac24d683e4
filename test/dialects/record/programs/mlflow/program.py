import mlflow
from mlflow.entities import Document, SpanType
from openai_calls import ask, fail, greet, weather_of

mlflow.openai.autolog()


@mlflow.trace(span_type=SpanType.TOOL)
def get_weather(city: str) -> str:
    return weather_of(city)


@mlflow.trace(span_type=SpanType.RETRIEVER)
def search(query: str) -> list[Document]:
    return [Document(page_content="Paris is in France.", metadata={"source": "a.txt"})]


@mlflow.trace(span_type=SpanType.AGENT)
def forecast(question: str) -> str:
    mlflow.update_current_trace(metadata={"mlflow.trace.session": "session-1", "mlflow.trace.user": "user-1"})
    search("Paris")
    return ask(question, get_weather)


forecast("What is the weather in Paris?")
greet()
fail()
mlflow.flush_trace_async_logging()
