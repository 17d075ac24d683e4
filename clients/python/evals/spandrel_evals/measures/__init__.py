"""Numbers that need no model: distances, overlaps and matches, as plain functions. ``spandrel_evals.metrics`` has the evaluators.

Results never depend on an installed package. The case files of the repository give the same numbers in TypeScript, and in the
built-in evaluators of the server.
"""
