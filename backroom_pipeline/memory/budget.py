"""What a memory budget is counted in."""

from __future__ import annotations

from backroom_pipeline.tokens import estimated_tokens

__all__ = ["estimated_tokens"]
