"""From the words of a model to a typed answer, or to the breaches that say why there is none. Nothing is guessed.

Fences, ``<think>`` passages and prose around one JSON object are taken off. Two objects, a duplicate key, NaN or
Infinity, a wrong type or an unknown key are breaches; lax reading (5.0 or "7" or true for an integer) is not done.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any, NoReturn, TypeVar

from pydantic import BaseModel, ValidationError

from backroom_pipeline.fpl.model import Breach

T = TypeVar("T", bound=BaseModel)

LONGEST_ANSWER = 200_000
"""Characters. The longest honest answer, a coach's ranking, has about 8,000."""
MOST_BREACHES = 12
"""Named at a time; a model told of forty mistakes mends none."""
LONGEST_NAME = 60
"""Characters of a key that are quoted back."""
MOST_BRACES = 200
"""Opening braces outside objects that are looked at; each is a try to read, and no prose has more."""

_FENCE_OPENS = re.compile(r"```\w*\s*$")
_LONGEST_FENCE = 40
_THINKING_TAG = re.compile(r"<(/?)think(?:ing)?>")
_BEGINS_LIKE_AN_ANSWER = re.compile(r'\{\s*"')


class Unreadable(Exception):
    """An answer that is not what was asked for; ``breaches`` go back to the model."""

    def __init__(self, breaches: Sequence[Breach]) -> None:
        super().__init__(" ".join(breach.sentence for breach in breaches))
        self.breaches = tuple(breaches)


def read_answer(text: str, answer_type: type[T]) -> T:
    """The one JSON object in ``text``, validated strictly. Raises Unreadable."""
    json_text = json_object_in(text)
    try:
        return answer_type.model_validate_json(json_text)
    except ValidationError as error:
        raise Unreadable(_type_breaches(error)) from None


def json_object_in(text: str) -> str:
    """The text of the one JSON object, without what stands around it. Raises Unreadable."""
    if len(text) > LONGEST_ANSWER:
        _unreadable("too_long", f"The answer has {len(text)} characters; at most {LONGEST_ANSWER} are read.")
    text = text.strip()
    if not text.startswith("{"):
        text = _without_thinking(text).strip()
    if not text:
        _unreadable("no_answer", "The answer was empty. Answer with one JSON object.")
    spans = _object_spans(text)
    if len(spans) > 1:
        spans = [span for span in spans if _is_fenced(text, span[0])] or spans
    if len(spans) > 1:
        _unreadable("several_answers", f"The answer held {len(spans)} JSON objects. Answer with exactly one.")
    start, end = spans[0]
    return text[start:end]


def _without_thinking(text: str) -> str:
    """Without what stands between thinking tags. A passage that is never closed stays."""
    kept: list[str] = []
    done, opened = 0, -1
    for tag in _THINKING_TAG.finditer(text):
        if not tag[1] and opened < 0:
            opened = tag.start()
        elif tag[1] and opened >= 0:
            kept.append(text[done:opened])
            done, opened = tag.end(), -1
    return "".join((*kept, text[done:]))


def _is_fenced(text: str, start: int) -> bool:
    return _FENCE_OPENS.search(text, max(0, start - _LONGEST_FENCE), start) is not None


class _Refused(ValueError):
    """A fault inside an object that parses: it is the answer, and it is wrong."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        twice = next(name for name, times in Counter(name for name, _ in pairs).items() if times > 1)
        raise _Refused(
            "duplicate_key", f"The key {json.dumps(twice[:LONGEST_NAME])} occurs twice in one object of the answer."
        )
    return result


def _no_constant(constant: str) -> NoReturn:
    raise _Refused("not_a_number", f"{constant} is not a JSON number.")


_DECODER = json.JSONDecoder(object_pairs_hook=_without_duplicates, parse_constant=_no_constant)


def _object_spans(text: str) -> list[tuple[int, int]]:
    """Where the top-level JSON objects in the text begin and end, in order; at least one. Raises Unreadable.

    The last of several may be broken off.
    """
    found: list[tuple[int, int]] = []
    first_error = ""
    position = text.find("{")
    for _ in range(MOST_BRACES):
        if position < 0:
            break
        try:
            _, end = _DECODER.raw_decode(text, position)
            found.append((position, end))
        except _Refused as error:
            _unreadable(error.code, str(error))
        except RecursionError:
            _unreadable("not_json", "The answer is nested far deeper than the task asks for.")
        except ValueError as error:
            first_error = first_error or str(error)
            # Prose may hold braces. An object that breaks off after its first key is the answer itself, or one more,
            # and its inner objects are not.
            if _BEGINS_LIKE_AN_ANSWER.match(text, position):
                found += [(position, len(text))] if found else []
                break
            end = position + 1
        position = text.find("{", end)
    else:
        _unreadable("several_answers", f"The answer has more than {MOST_BRACES} braces outside of one JSON object.")
    if not found and first_error:
        _unreadable("not_json", f"The answer is not valid JSON: {first_error}.")
    if not found:
        _unreadable("not_json", "The answer holds no JSON object. Answer with one JSON object and nothing else.")
    return found


def _type_breaches(error: ValidationError) -> list[Breach]:
    breaches = [
        Breach(
            code="wrong_type" if "type" in problem["type"] else problem["type"],
            sentence=f"{'.'.join(str(part)[:LONGEST_NAME] for part in problem['loc']) or 'answer'}: {problem['msg']}.",
        )
        for problem in error.errors(include_url=False, include_input=False, include_context=False)
    ]
    if len(breaches) > MOST_BREACHES:
        rest = len(breaches) - MOST_BREACHES
        breaches[MOST_BREACHES:] = [Breach(code="more", sentence=f"And {rest} more mistakes of form.")]
    return breaches


def _unreadable(code: str, sentence: str) -> NoReturn:
    raise Unreadable((Breach(code=code, sentence=sentence),))
