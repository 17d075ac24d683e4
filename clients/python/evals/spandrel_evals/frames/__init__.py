"""Frames of pandas and polars."""
