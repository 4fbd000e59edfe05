"""The JSON Schema for editors is generated from the models."""

from typing import Any

import jsonschema
import pytest
from ruamel.yaml import YAML

from grader.pieces import forms
from grader.schema import json_schema, which
from tests.grader.suites import data


def plain(name: str) -> Any:
    return YAML(typ="safe", pure=True).load(data(name)[1])


def test_it_is_a_json_schema_and_knows_every_check() -> None:
    """Editors complete each check's key and siblings."""
    schema = json_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    text = str(schema)
    assert all(f"'{key}'" in text for key in forms())


@pytest.mark.parametrize("name", ["refunds.yaml", "minimal.yaml", "whole.yaml"])
def test_sound_suites_conform(name: str) -> None:
    """What the reader accepts, the editor does not underline."""
    jsonschema.validate(plain(name), json_schema())


def test_unsound_suites_do_not() -> None:
    """An unknown key is seen by the editor too."""
    suite = plain("minimal.yaml")
    suite["cases"][0]["expect"] = [{"called": "f", "tims": 1}]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(suite, json_schema())


def test_which_check_an_item_is() -> None:
    """Exactly one check key."""
    assert which({"called": "f", "times": 1}) == "called"
    assert which({"called": "f", "reply": {}}) is None
    assert which({"times": 1}) is None
    assert which("called") is None
