"""What models' interfaces want of a tool's name, description and schema."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from .findings import Finding

_MODEL_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
_SHORT: Final = 15
_LONG: Final = 1_024
"""Characters of a description; the usual function-calling interfaces cut or refuse longer ones."""
_SCHEMA: Final = 65_536
_UNLOVED: Final = ("$ref", "$schema", "oneOf", "allOf", "not", "patternProperties", "const")
"""Keywords that some model interface refuses; the chain cleans schemas for models, other clients may not."""


def lint(name: str, description: str, schema: dict[str, Any]) -> list[Finding]:
    """Notes and problems of one tool as its page offers it."""
    found = [*_name(name), *_description(name, description), *_schema(name, schema)]
    return found or [Finding("ok", "lint", name, "name, description and schema suit every model interface")]


def _name(name: str) -> Iterator[Finding]:
    if not _MODEL_NAME.fullmatch(name):
        text = "models take letters, digits, _ and -, at most 64: it gets another name for them"
        yield Finding("note", "lint.name", name, text)


def _description(name: str, text: str) -> Iterator[Finding]:
    if len(text.strip()) < _SHORT:
        yield Finding("note", "lint.description", name, "says too little for a model to choose it rightly")
    elif len(text) > _LONG:
        yield Finding(
            "note", "lint.description", name, f"{len(text)} characters; some interfaces take {_LONG}"
        )


def _schema(name: str, schema: dict[str, Any]) -> Iterator[Finding]:
    if schema.get("type") != "object":
        yield Finding("problem", "lint.schema", name, "the input schema's type has to be object")
    if len(json.dumps(schema)) > _SCHEMA:
        yield Finding("problem", "lint.schema", name, f"the input schema is larger than {_SCHEMA} bytes")
    used = sorted({key for part in _schemas(schema) for key in part if key in _UNLOVED})
    if used:
        yield Finding(
            "note", "lint.schema", name, f"uses {', '.join(used)}, which some model interface refuses"
        )
    properties = schema.get("properties", {})
    if not isinstance(properties, dict):
        yield Finding("problem", "lint.schema", name, "the input schema's properties have to be an object")
        return
    untold = sorted(key for key, part in properties.items() if not _is_told(part))
    if untold:
        text = f"says nothing about {', '.join(untold)}: give a description, or a model has to guess"
        yield Finding("note", "lint.schema", name, text)
    yield from _arrays(name, schema)


def _arrays(name: str, schema: dict[str, Any]) -> Iterator[Finding]:
    if any(part.get("type") == "array" and "items" not in part for part in _schemas(schema)):
        yield Finding("note", "lint.schema", name, "has an array without items, which some interface refuses")
    if any(isinstance(part.get("type"), list) for part in _schemas(schema)):
        yield Finding("note", "lint.schema", name, "has a list of types, which some interface refuses")


def _is_told(part: Any) -> bool:
    return isinstance(part, dict) and bool(part.get("description") or part.get("enum") or part.get("title"))


_NAMED: Final = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
_LISTED: Final = ("prefixItems", "anyOf", "oneOf", "allOf")
_SINGLE: Final = ("items", "additionalProperties", "contains", "propertyNames", "not", "if", "then", "else")
"""Where a JSON schema has further ones: by name, in a list, or by itself. Elsewhere words are only words: a
property may be called ``not``."""


def _schemas(schema: Any) -> Iterator[dict[str, Any]]:
    """A schema and every one in it."""
    if not isinstance(schema, dict):
        return
    yield schema
    for key, value in schema.items():
        if key in _NAMED and isinstance(value, dict):
            inner = list(value.values())
        elif key in (*_LISTED, "items") and isinstance(value, list):
            inner = value
        else:
            inner = [value] if key in _SINGLE else []
        for one in inner:
            yield from _schemas(one)
