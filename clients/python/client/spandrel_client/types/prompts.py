from ..prompts.version import PromptVersion

__all__ = ["PromptVersion"]
