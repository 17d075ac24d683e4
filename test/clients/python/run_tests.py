"""Runs the tests of a folder in this process: run_tests.py FOLDER [TEXT...]. With texts, only tests with one of them in their name.

A test sends two lines of JSON to file descriptor 3: its name when it starts, and its problem, empty if there is none, when it has ended.
"""

import functools
import json
import os
import ssl
import sys
import traceback
import unittest


class Reported(unittest.TestResult):
    def __init__(self, output):
        super().__init__()
        self.output = output
        # Of the test that runs; None outside of tests.
        self.problems = None
        self.skipped_because = None

    def send(self, **event):
        print(json.dumps(event), file=self.output, flush=True)

    def startTest(self, test):
        super().startTest(test)
        self.problems = []
        self.send(test=test.id())

    def stopTest(self, test):
        super().stopTest(test)
        self.send(problem="\n".join(self.problems), skipped=self.skipped_because)
        self.problems = self.skipped_because = None

    def add(self, test, problem):
        if self.problems is not None:
            self.problems.append(f"{test}\n{problem}")
        else:
            # The set-up or the end of a class or a module.
            self.send(test=str(test))
            self.send(problem=problem, skipped=None)

    def addError(self, test, err):
        super().addError(test, err)
        self.add(test, "".join(traceback.format_exception(*err)))

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.add(test, "".join(traceback.format_exception(*err)))

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            self.add(subtest, "".join(traceback.format_exception(*err)))

    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test)
        self.add(test, "passed, and was expected to fail")

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.skipped_because = reason


# Each client reads the certificates of authorities again, which takes 17 ms. The tests open hundreds and speak plain HTTP.
ssl.create_default_context = functools.lru_cache(maxsize=None)(ssl.create_default_context)


def main(folder, *texts):
    loader = unittest.TestLoader()
    if texts:
        loader.testNamePatterns = [f"*{text}*" for text in texts]
    tests = loader.discover(folder)
    with os.fdopen(3, "w") as output:
        result = Reported(output)
        tests.run(result)
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
