"""What one question makes of its legs: which words it searches for, how they are weighed, and the one order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from backroom_pipeline.memory.ranking import ASKING, Answered, RecallSettings
from backroom_pipeline.memory.search import Asked, search
from backroom_pipeline.memory.store import Link, Store
from backroom_pipeline_tests.memory.test_recall import said

Ask = Callable[..., Answered]


class Compass:
    """Vectors as given; a text without one points up."""

    name, dimension = "compass", 2

    def __init__(self, vectors: Mapping[str, tuple[float, float]]) -> None:
        self._vectors = vectors

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        return [list(self._vectors.get(text, (0.0, 1.0))) for text in texts]


def answered(
    folder: Path,
    question: str,
    said_so: Mapping[str, tuple[float, float]],
    settings: RecallSettings,
    near: tuple[float, float] = (1.0, 0.0),
    links: Sequence[tuple[str, str]] = (),
) -> list[str]:
    """The texts in the order of recall. ``links``: pairs of texts; ``near``: where the question points."""
    embedder = Compass(said_so)
    store = Store(folder, "opus", embedder, create=True)
    records = {text: said(text, ordinal=place) for place, text in enumerate(said_so)}
    store.write(
        list(records.values()),
        embedder.embed(list(records)),
        {
            record.id: [Link(records[to].id, "related") for start, to in links if start == text]
            for text, record in records.items()
        },
    )
    view = store.view()
    asked = Asked(question, store.analyse(question), near)
    found = search(view, view.visible(len(view), ("commitment",)), asked, settings, 10)
    texts = {record.id: text for text, record in records.items()}
    return [texts[record] for record, _ in found.ranked]


WORDS_ALONE = RecallSettings(words_weight=1.0, borrow=0.0)
UP = (0.0, 1.0)


def test_words_that_only_ask_are_not_searched_for(tmp_path: Path) -> None:
    said_so = {"How is he, and where, and when is he back?": UP, "Palmer stays, come what may, till spring.": UP}
    assert answered(tmp_path, "How is Palmer, when, where?", said_so, WORDS_ALONE)[0].startswith("Palmer")


@pytest.mark.parametrize("word", ["not", "no", "never", "nobody", "without", "until", "before", "if", "unless"])
def test_words_that_turn_a_promise_round_are_searched_for(tmp_path: Path, word: str) -> None:
    store = Store(tmp_path, "opus", Compass({}), create=True)
    assert not ASKING.intersection(store.analyse(word))


def test_the_words_that_only_ask_are_written_as_the_index_analyses_them(tmp_path: Path) -> None:
    store = Store(tmp_path, "opus", Compass({}), create=True)
    asking = "What who whom whose when where which why how, do did does is are was were?"
    assert set(store.analyse(asking)) == ASKING


def test_rank_fusion_stays_a_setting_and_looks_at_places_alone(tmp_path: Path) -> None:
    said_so = {
        "Palmer, Palmer, Palmer and once more Palmer stays.": (-1.0, 0.0),
        "Palmer goes.": (0.6, 0.8),
        "Rice stays.": (0.5, 0.9),
    }
    settings = RecallSettings(fusion="rrf", words_weight=0.5, borrow=0.0)
    assert answered(tmp_path, "Palmer", said_so, settings)[0] == "Palmer goes."


def test_a_record_borrows_from_its_better_neighbour(tmp_path: Path) -> None:
    said_so = {"Palmer stays.": UP, "He is fit again.": UP, "Rice is fit again.": UP}
    settings = RecallSettings(words_weight=0.9, borrow=0.3)
    linked = answered(
        tmp_path / "linked", "Palmer", said_so, settings, UP, links=[("He is fit again.", "Palmer stays.")]
    )
    assert linked == ["Palmer stays.", "He is fit again.", "Rice is fit again."]


def test_a_neighbour_lends_in_both_directions(tmp_path: Path) -> None:
    said_so = {"Palmer stays.": UP, "He is fit again.": UP, "Rice is fit again.": UP}
    settings = RecallSettings(words_weight=0.9, borrow=0.3)
    for name, link in (
        ("to", ("He is fit again.", "Palmer stays.")),
        ("from", ("Palmer stays.", "He is fit again.")),
    ):
        assert answered(tmp_path / name, "Palmer", said_so, settings, UP, links=[link])[1] == "He is fit again."


def test_equal_scores_are_ordered_by_id(tmp_path: Path) -> None:
    said_so = {f"Palmer stays, {name} goes.": UP for name in ("Rice", "Saka", "Isak", "Wood", "Foden")}
    ids = [said(text, ordinal=place).id for place, text in enumerate(said_so)]
    in_order = [text for _, text in sorted(zip(ids, said_so, strict=True))]
    assert answered(tmp_path, "Palmer", said_so, RecallSettings(), UP) == in_order
