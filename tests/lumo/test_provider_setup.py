"""States and calls of a provider that the harness does not know."""

from webmcp_e2e.lumo.provider_setup import ProviderSetup


def setup(local: object, **calls: object) -> ProviderSetup:
    return ProviderSetup.model_validate({"states": {"open": {"local": local}}, **calls})


def test_the_sender_stands_where_the_state_lets_one_in() -> None:
    shapes = setup(
        {
            "ids": ["$SENDER", "other"],
            "entries": [{"id": "$SENDER", "deep": {"of": ["$SENDER"]}}],
            "byId": {"$SENDER": True, "else": [1]},
            "enabled": True,
        }
    )

    assert shapes.storage("open", ["a", "b"]) == {
        "ids": ["a", "b", "other"],
        "entries": [{"id": "a", "deep": {"of": ["a"]}}, {"id": "b", "deep": {"of": ["b"]}}],
        "byId": {"a": True, "b": True, "else": [1]},
        "enabled": True,
    }
    assert shapes.storage("open", []) == {
        "ids": ["other"],
        "entries": [],
        "byId": {"else": [1]},
        "enabled": True,
    }


def test_each_call_may_have_a_number_of_its_own() -> None:
    calls = setup({}, write={"tool": "add", "arguments": {"text": "note $N", "tags": ["$N"]}})

    assert calls.call("write", 7) == ("add", {"text": "note 7", "tags": ["7"]})
    assert calls.call("read") is None
