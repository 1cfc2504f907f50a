"""The smallest model of all: it writes anything its schema allows, as a language model held to that schema would."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from random import Random
from typing import Any

from backroom_pipeline.backroom.menus import SheetMenu
from backroom_pipeline.fpl.lineup import STARTERS
from backroom_pipeline.fpl.model import TeamSheet
from backroom_pipeline_tests.models.fault_server import FaultServer, Reply, Request, message

LETTERS = 'abc äß漢 "\\\n'


def written(schema: dict[str, Any], random: Random) -> Any:
    """A value of the schema, of the kinds that menus are made of. KeyError for any other kind."""
    if "enum" in schema:
        return random.choice(schema["enum"])
    if "const" in schema:
        return schema["const"]
    if "anyOf" in schema:
        return written(random.choice(schema["anyOf"]), random)
    if schema["type"] == "object":
        assert schema["required"] == list(schema["properties"])
        return {name: written(each, random) for name, each in schema["properties"].items()}
    if schema["type"] == "array":
        length = random.randint(schema["minItems"], schema["maxItems"])
        return [written(each, random) for each in schema["prefixItems"][:length]]
    assert schema["type"] == "string"
    return "x" + "".join(random.choices(LETTERS, k=random.randint(schema["minLength"], schema["maxLength"]) - 1))


def serving(seed: int) -> FaultServer:
    """A vendor whose model is this one. What it writes depends on the seed and on what it is asked."""

    def answer(request: Request) -> Reply:
        body = request["body"]
        schema = body["response_format"]["json_schema"]["schema"]
        return message(json.dumps(written(schema, Random(f"{seed}/{request['bytes']!r}")), ensure_ascii=False))

    return FaultServer(answer)


def every_sheet(menu: SheetMenu) -> Iterator[TeamSheet]:
    """Every combination of everything on the menu."""
    for fifteen in itertools.product(*menu.places):
        for captain, vice, chip in itertools.product(menu.captains, menu.vice_captains, menu.chips):
            yield TeamSheet(
                starting=fifteen[:STARTERS], bench=fifteen[STARTERS:], captain=captain, vice_captain=vice, chip=chip
            )
