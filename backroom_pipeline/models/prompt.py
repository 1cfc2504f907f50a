"""One prompt: what all managers read, then what only one does; hashed, stored by hash, and put back together."""

from __future__ import annotations

from collections.abc import Sequence

from backroom_pipeline.fpl.model import Breach, Frozen
from backroom_pipeline.ledger.canonical import canonical_json, sha256_of
from backroom_pipeline.models.blocks import data_block
from backroom_pipeline.models.sanitiser import SANITISER_VERSION, clean

__all__ = ["SANITISER_VERSION", "Prompt", "clean"]


class Prompt(Frozen):
    """System text and the two parts of the user message, the shared one first so that vendors can cache the prefix."""

    system: str
    public: str
    private: str

    @property
    def shared_text(self) -> str:
        """What is byte-identical for all managers of a gameweek and role."""
        return self.system + "\n" + self.public

    @property
    def public_sha256(self) -> str:
        return sha256_of(self.shared_text)

    @property
    def manifest(self) -> str:
        """Names the prompt's texts by hash, so that it can be put together again; its own hash is the prompt's."""
        return canonical_json(
            {
                "sanitiser": SANITISER_VERSION,
                "public_sha256": self.public_sha256,
                "system_characters": len(self.system),
                "private_sha256": sha256_of(self.private),
            }
        )

    @property
    def sha256(self) -> str:
        """Identifies the whole prompt, the sanitiser's version included."""
        return sha256_of(self.manifest)

    @property
    def texts(self) -> tuple[str, str, str]:
        """What to store by hash so that the prompt can be read again from ``sha256`` alone."""
        return self.shared_text, self.private, self.manifest

    @property
    def messages(self) -> list[dict[str, str]]:
        return [
            {"role": "system", "content": self.system},
            {"role": "user", "content": f"{self.public}\n\n{self.private}"},
        ]

    def with_breaches(self, breaches: Sequence[Breach]) -> Prompt:
        """The same prompt asking again, naming what was wrong with the last answer as its last section."""
        rows = [(breach.code, breach.sentence, list(breach.players)) for breach in breaches]
        section = "\n".join(
            (
                "## BREACHES",
                "Your last answer could not be accepted. Answer the whole task again, with every breach below mended.",
                data_block("breaches", ("code", "sentence", "players"), rows),
            )
        )
        return self.model_copy(update={"private": f"{self.private}\n\n{section}"})
