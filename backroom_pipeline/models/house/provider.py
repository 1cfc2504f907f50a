"""The offline house models as a LiteLLM provider: ``house/<persona>`` goes the way of every other model."""

from __future__ import annotations

from typing import Any

import litellm
from litellm.llms.custom_llm import CustomLLM, CustomLLMError

from backroom_pipeline.models import house

CHARACTERS_PER_TOKEN = 4
"""An estimate instead of a tokeniser: reading a coach's 150 KB would cost more than the whole answer."""


class HouseModel(CustomLLM):
    """Answers with what the persona says to the two texts of the messages, and reports usage estimated from length."""

    def completion(self, model: str, messages: list[dict[str, str]], *_: Any, **call: Any) -> litellm.ModelResponse:
        system, user = (message["content"] for message in messages)
        try:
            text = house.answer(model.removeprefix("house/"), system, user)
        except Exception as error:
            # A fault of ours and the same every time: 400, so that nobody tries again.
            raise CustomLLMError(400, f"House model {model} failed: {type(error).__name__}: {error}") from error
        response: litellm.ModelResponse = call["model_response"]
        response.choices[0].message.content = text  # type: ignore[union-attr]
        prompt_tokens, completion_tokens = _tokens(system) + _tokens(user), _tokens(text)
        response.usage = litellm.Usage(  # type: ignore[attr-defined]
            prompt_tokens=prompt_tokens,
            completion_tokens=completion_tokens,
            total_tokens=prompt_tokens + completion_tokens,
        )
        return response


def _tokens(text: str) -> int:
    return -(-len(text) // CHARACTERS_PER_TOKEN)
