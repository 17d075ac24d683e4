"""Runs evaluators over rows: concurrency, checkpoint, cache, budget, progress."""
