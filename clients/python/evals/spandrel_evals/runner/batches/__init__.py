"""Batch interfaces of vendors."""
