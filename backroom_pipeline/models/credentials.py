"""Which environment variable holds a model's key, and whether it is set. What it holds is nobody's business here."""

from __future__ import annotations

import os
from dataclasses import dataclass

from backroom_pipeline.models.spec import ModelSpec


@dataclass(frozen=True)
class Credential:
    """One key, in any of the variables named; none are named where nobody knows which, or none is needed."""

    variables: tuple[str, ...]
    is_set: bool

    @property
    def problem(self) -> str | None:
        """What to do about a key that is missing."""
        if self.is_set:
            return None
        return f"the environment variable {' or '.join(self.variables)} is not set; export the vendor's key in it"


def credential_of(spec: ModelSpec) -> Credential:
    """The variable the options name, else those LiteLLM looks into for this vendor. Makes no connection."""
    if spec.api_key_env is not None:
        return Credential((spec.api_key_env,), _is_set(spec.api_key_env))
    if spec.is_house:
        return Credential((), True)
    from backroom_pipeline.models.litellm_provider import ready

    usual = ready().validate_environment(spec.model)
    missing = tuple(usual["missing_keys"])
    return Credential(missing, not missing or any(map(_is_set, missing)))


def _is_set(variable: str) -> bool:
    return bool(os.environ.get(variable, "").strip())
