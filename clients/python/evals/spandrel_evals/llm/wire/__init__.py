"""Requests and answers in the forms of the vendors."""
