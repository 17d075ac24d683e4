"""Runs programs in forks of this process, which has imported what they import: fork_runs.py MODULE...

Reads a line of JSON for each program, `{"argv": […], "env": {…}, "cwd": …}`, and answers it with `{"status": …, "stdout": …, "stderr": …}`.
"""

import atexit
import importlib
import json
import os
import runpy
import sys
import tempfile
import traceback


def run(argv, env, cwd):
    """In a fork: runs the program, and ends."""
    status = 0
    try:
        os.environ.clear()
        os.environ.update(env)
        sys.argv = argv
        sys.path[0] = os.path.dirname(argv[0])
        os.chdir(cwd)
        runpy.run_path(argv[0], run_name="__main__")
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except BaseException:
        traceback.print_exc()
        status = 1
    finally:
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


for name in sys.argv[1:]:
    importlib.import_module(name)
for line in sys.stdin:
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = os.fork()
        if child == 0:
            os.dup2(out.fileno(), 1)
            os.dup2(err.fileno(), 2)
            run(**json.loads(line))
        _, status = os.waitpid(child, 0)
        texts = {}
        for key, file in (("stdout", out), ("stderr", err)):
            file.seek(0)
            texts[key] = file.read().decode(errors="replace")
        print(json.dumps({"status": os.waitstatus_to_exitcode(status), **texts}), flush=True)
