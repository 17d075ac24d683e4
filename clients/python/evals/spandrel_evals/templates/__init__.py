"""Templates of prompts."""
