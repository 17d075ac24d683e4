"""A traced program that is killed: traced_program.py ENDPOINT PROJECT COUNT. Prints a line when its spans have ended."""

import sys
import time

from spandrel_client.tracing import register

endpoint, project, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
tracer = register(endpoint=endpoint, project_name=project, batch=True, verbose=False).get_tracer("program")
for number in range(count):
    with tracer.start_as_current_span("step", attributes={"number": number, "input.value": "x" * 500}):
        pass
print("ended", flush=True)
time.sleep(60)
