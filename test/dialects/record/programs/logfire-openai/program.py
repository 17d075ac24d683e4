import logfire
from openai_calls import ask, client, fail, greet

logfire.configure(send_to_logfire=False, console=False)
logfire.instrument_openai(client)

ask("What is the weather in Paris?")
greet()
fail()
logfire.shutdown()
