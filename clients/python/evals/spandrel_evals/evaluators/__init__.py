"""Evaluators: of functions, and of models."""
