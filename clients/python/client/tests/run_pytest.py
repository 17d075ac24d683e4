"""pytest as a program: run_pytest.py ARGUMENT..."""

import sys

import pytest

sys.exit(pytest.main(sys.argv[1:]))
