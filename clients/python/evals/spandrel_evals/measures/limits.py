"""Limits of values that are compared, equal to those of the built-in evaluators of the server."""

# Time grows with the square of the length.
EDIT_DISTANCE_CHARS_MAX = 50_000
JSON_DISTANCE_VALUES_MAX = 2_000_000
# Problems that an explanation names.
SCHEMA_PROBLEMS_MAX = 5
