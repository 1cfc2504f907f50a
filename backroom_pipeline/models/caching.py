"""The vendor's cache of prompt prefixes: how each is told where the part that all managers share ends.

Most vendors find repeated prefixes on their own, and an order that never changes is all they need. Some have to be
shown the end of the prefix, and charge more for a token they write down than for one they only read: there a prefix is
marked only if somebody else is going to read it.
"""

from __future__ import annotations

from typing import Any, Literal

from backroom_pipeline.models.prices import listing
from backroom_pipeline.models.prompt import Prompt
from backroom_pipeline.models.spec import ModelSpec

Caching = Literal["claude", "openai", "automatic", "none"]
"""How a model's vendor caches: Anthropic's marks, OpenAI's breakpoints (GPT-5.6 and later), on its own, or not."""

_MARK = {"type": "ephemeral"}


def caching_of(spec: ModelSpec) -> Caching:
    """How the vendor of this model caches, as LiteLLM's map has it."""
    entry = {} if spec.is_house else listing(spec.model) or {}
    if entry.get("supports_prompt_cache_breakpoint"):
        return "openai"
    if not entry.get("supports_prompt_caching"):
        return "none"
    return "claude" if "claude" in spec.model else "automatic"


def marks_prefix(spec: ModelSpec, *, shared: bool) -> bool:
    """Whether the end of the shared part is marked. ``shared``: another manager sends the same prefix to this model."""
    wanted = shared if spec.prompt_cache is None else spec.prompt_cache
    return wanted and caching_of(spec) in ("claude", "openai")


def messages_of(prompt: Prompt, *, marked: bool) -> list[dict[str, Any]]:
    """The prompt as messages; the same characters in the same order, marked or not."""
    if not marked:
        return list(prompt.messages)
    system, user = prompt.messages
    public = user["content"][: len(user["content"]) - len(prompt.private)]
    parts: list[dict[str, Any]] = [{"type": "text", "text": public, "cache_control": _MARK}]
    if prompt.private:
        parts.append({"type": "text", "text": prompt.private})
    return [system, {"role": "user", "content": parts}]


def with_caching(spec: ModelSpec, prompt: Prompt, *, marked: bool) -> ModelSpec:
    """The spec with what its vendor has to be told beside the marks. What an operator says himself stands.

    OpenAI's newer models write the end of every prompt to the cache unless told that only marked places are wanted,
    and a quarter more is charged for that.
    """
    if spec.is_house or caching_of(spec) != "openai":
        return spec
    told: dict[str, Any] = {"prompt_cache_options": {"mode": "explicit"}}
    if marked:
        told["prompt_cache_key"] = prompt.public_sha256[:32]
    return ModelSpec(model=spec.model, options=told | spec.options)
